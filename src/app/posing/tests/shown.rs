//! Only what is seen is posed.

use super::*;
use crate::{
    scene::ReferencePose,
    ui::{PlaybackCommand, SkeletonCommand},
};

#[test]
fn what_does_not_stay_goes_when_that_is_said() {
    let mut session = session();
    choose(&mut session, "head");
    ask(&mut session, &[PosingCommand::SetStays(true)]);
    turn(&mut session);
    session.apply(Command::Playback(PlaybackCommand::Seek(0.5)));
    session.update();
    assert_eq!(session.posing_view().changed, 1);
    ask(&mut session, &[PosingCommand::SetStays(false)]);
    assert_eq!(session.posing_view().changed, 0);
}

/// Keys must not change what is not seen.
#[test]
fn held_poses_and_skinned_meshes_are_not_posed() {
    let mut session = session();
    choose(&mut session, "head");
    ask(&mut session, &[PosingCommand::SetTool(PoseTool::Turn)]);
    session.apply(Command::Skeleton(SkeletonCommand::ToggleHeld));
    ask(&mut session, &[PosingCommand::Nudge(1)]);
    assert!(session.history_view().undo.is_none());
    session.apply(Command::Skeleton(SkeletonCommand::ToggleHeld));
    let hierarchy = &session.model().hierarchy;
    let skinned = hierarchy
        .nodes()
        .iter()
        .position(|node| node.skin.is_some());
    session.apply(Command::SelectNode(skinned));
    ask(&mut session, &[PosingCommand::Nudge(1)]);
    assert!(session.history_view().undo.is_none());
    choose(&mut session, "head");
    ask(&mut session, &[PosingCommand::Nudge(1)]);
    assert!(session.history_view().undo.is_some());
    let nodes = session.model().hierarchy.nodes().iter();
    let rest: Vec<_> = nodes.map(|node| node.rest).collect();
    let hold = SkeletonCommand::Hold(Some(ReferencePose::Rest));
    session.apply(Command::Skeleton(hold));
    session.update();
    assert_eq!(
        session.actor().pose().locals,
        rest,
        "the rest pose is the file's"
    );
}

#[test]
fn what_is_said_of_a_pose_that_is_gone_goes_when_it_is_back() {
    let mut session = session();
    choose(&mut session, "head");
    turn(&mut session);
    session.apply(Command::Playback(PlaybackCommand::Seek(0.5)));
    session.update();
    let title = session.message().map(|message| message.title.clone());
    assert!(title.is_some_and(|it| it.contains("is gone")));
    undo(&mut session);
    assert_eq!(session.posing_view().changed, 1);
    assert_eq!(session.message(), None);
}

#[test]
fn a_tool_that_is_put_away_ends_the_drag() {
    let mut session = session();
    choose(&mut session, "head");
    let before = session.actor().pose().world.clone();
    ask(
        &mut session,
        &[
            PosingCommand::BeginDrag,
            PosingCommand::Drag(DragCommand::Turn(1, 0.5)),
            PosingCommand::SetTool(PoseTool::Off),
            PosingCommand::Drag(DragCommand::Turn(1, 1.5)),
        ],
    );
    undo(&mut session);
    assert_eq!(session.actor().pose().world, before);
}
