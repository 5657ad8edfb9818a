//! What drags at the gizmo do to the pose, and how it is taken back.

mod shown;
mod typed;

use std::time::Duration;

use glam::{Affine3A, Vec3};

use super::*;
use crate::{
    anim::Pose,
    app::built_in,
    import::Import,
    model::{Clip, ClipBuilder, Hierarchy, Interpolation, Model, Node, Scene, Skin, Timeline},
    scene::Side,
    ui::{
        CameraCommand, Command, DragCommand, HistoryCommand, HistoryView, MixCommand,
        MotionCommand, Offer, PlaybackCommand, PosingCommand,
    },
};

mod leaving;

/// Pip in the middle of its walk, standing still.
fn session() -> Session {
    let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
    session.set_aspect(1.5);
    session.apply(Command::SelectClip(Some(1)));
    session.clock.pause();
    session.apply(Command::Playback(PlaybackCommand::Seek(0.3)));
    session.update();
    session
}

fn choose(session: &mut Session, name: &str) -> NodeId {
    let model = session.model();
    let mut nodes = model.hierarchy.iter();
    let (node, _) = nodes.find(|(_, node)| node.name == name).unwrap();
    drop(nodes);
    session.apply(Command::SelectNode(Some(node.index())));
    node
}

fn ask(session: &mut Session, commands: &[PosingCommand]) {
    for command in commands {
        session.apply(Command::Posing(*command));
    }
    session.update();
}

fn undo(session: &mut Session) {
    session.apply(Command::History(HistoryCommand::Undo));
    session.update();
}

fn redo(session: &mut Session) {
    session.apply(Command::History(HistoryCommand::Redo));
    session.update();
}

/// Turns the chosen joint by half a radian about its y axis.
fn turn(session: &mut Session) {
    let drag = [
        PosingCommand::BeginDrag,
        PosingCommand::Drag(DragCommand::Turn(1, 0.5)),
        PosingCommand::EndDrag,
    ];
    ask(session, &drag);
}

fn place(session: &Session, node: NodeId) -> Vec3 {
    session.actor().pose().world[node.index()]
        .translation
        .into()
}

#[test]
fn a_turned_joint_takes_its_children_along_and_comes_back_bit_by_bit() {
    let mut session = session();
    let before = session.actor().pose().clone();
    let hand = choose(&mut session, "hand_L");
    let arm = choose(&mut session, "upper_arm_L");
    ask(
        &mut session,
        &[
            PosingCommand::SetTool(PoseTool::Turn),
            PosingCommand::BeginDrag,
            PosingCommand::Drag(DragCommand::Turn(2, 0.2)),
            PosingCommand::Drag(DragCommand::Turn(2, 0.9)),
            PosingCommand::EndDrag,
        ],
    );
    let after = session.actor().pose().clone();
    assert_eq!(
        before.world[arm.index()].translation,
        after.world[arm.index()].translation
    );
    assert!(place(&session, hand).distance(before.world[hand.index()].translation.into()) > 0.05);
    // By 0.9, not by the sum of all that the drag went through.
    let turn = before.locals[arm.index()]
        .rotation
        .angle_between(after.locals[arm.index()].rotation);
    assert!((turn - 0.9).abs() < 1e-3, "{turn}");
    assert!(session.history_view().undo.is_some());
    undo(&mut session);
    assert_eq!(session.actor().pose().locals, before.locals);
    assert_eq!(session.actor().pose().world, before.world);
    redo(&mut session);
    assert_eq!(session.actor().pose().world, after.world);
    ask(&mut session, &[PosingCommand::ResetAll]);
    assert_eq!(session.actor().pose().world, before.world);
}

#[test]
fn a_hundred_changes_are_undone_bit_by_bit() {
    let mut session = session();
    let before = session.actor().pose().clone();
    let count = session.model().hierarchy.len();
    for step in 0..100 {
        session.apply(Command::SelectNode(Some(step * 7 % count)));
        let amount = 0.1 + 0.01 * step as f32;
        let change = match step % 3 {
            0 => PosingCommand::Drag(DragCommand::Turn(step % 3, amount)),
            1 => PosingCommand::Drag(DragCommand::Move(step % 3, 0.1 * amount)),
            _ => PosingCommand::Drag(DragCommand::Scale(step % 4, 1.0 + 0.05 * amount)),
        };
        ask(
            &mut session,
            &[PosingCommand::BeginDrag, change, PosingCommand::EndDrag],
        );
    }
    assert!(session.actor().pose().world != before.world);
    (0..100).for_each(|_| undo(&mut session));
    assert!(session.history_view().undo.is_none());
    assert_eq!(session.actor().pose().world, before.world);
}

#[test]
fn changes_go_with_the_moment_unless_they_stay() {
    for stays in [false, true] {
        let mut session = session();
        let head = choose(&mut session, "head");
        ask(
            &mut session,
            &[
                PosingCommand::SetStays(stays),
                PosingCommand::BeginDrag,
                PosingCommand::Drag(DragCommand::Turn(1, 0.5)),
                PosingCommand::EndDrag,
            ],
        );
        let turned = session.actor().pose().locals[head.index()].rotation;
        session.apply(Command::Playback(PlaybackCommand::Seek(0.5)));
        session.update();
        assert_eq!(session.posing_view().changed, usize::from(stays));
        let then = session.actor().pose().locals[head.index()].rotation;
        assert_ne!(turned, then, "the clip goes on below");
        if !stays {
            undo(&mut session);
            assert_eq!(session.posing_view().changed, 1, "nothing is lost");
        }
    }
}

#[test]
fn a_hand_follows_the_pointer() {
    let mut session = session();
    let hand = choose(&mut session, "hand_L");
    let limb = Limb::ending_at(hand, &session.model().hierarchy, session.actor().pose()).unwrap();
    let root = place(&session, limb.root);
    let view = session.camera_view();
    let on_screen = |point: Vec3| {
        let clip = view.to_clip(point);
        [clip.x / clip.w, clip.y / clip.w]
    };
    // Half way to the shoulder it can be reached.
    let [from, to] = [on_screen(place(&session, hand)), on_screen(root)];
    let wanted = [0, 1].map(|axis| 0.6 * from[axis] + 0.4 * to[axis]);
    ask(
        &mut session,
        &[
            PosingCommand::SetTool(PoseTool::Reach),
            PosingCommand::BeginDrag,
            PosingCommand::Drag(DragCommand::Reach(wanted)),
            PosingCommand::EndDrag,
        ],
    );
    let reached = on_screen(place(&session, hand));
    let missed = (reached[0] - wanted[0]).hypot(reached[1] - wanted[1]);
    assert!(missed < 1e-3, "{reached:?} instead of {wanted:?}");
    assert_eq!(session.posing_view().changed, 2);
}

#[test]
fn another_model_has_nothing_to_undo() {
    let mut session = session();
    choose(&mut session, "head");
    turn(&mut session);
    session.replace_model(built_in::load("Windmill").unwrap(), None, Duration::ZERO);
    session.update();
    let view = session.posing_view();
    assert_eq!(view.changed, 0);
    assert_eq!(session.history_view(), HistoryView::default());
}

#[test]
fn framing_the_motion_leaves_the_pose_alone() {
    let mut session = session();
    choose(&mut session, "head");
    turn(&mut session);
    let posed = session.actor().pose().world.clone();
    session.apply(Command::Camera(CameraCommand::FrameMotion));
    session.update();
    assert_eq!(session.actor().pose().world, posed);
    undo(&mut session);
    assert_ne!(session.actor().pose().world, posed, "it was one step");
}

#[test]
fn a_file_that_is_read_again_keeps_changes_and_what_is_hidden() {
    let mut session = session();
    let head = choose(&mut session, "head");
    turn(&mut session);
    session.apply(Command::Nodes(crate::ui::NodesCommand::ToggleHidden(
        head.index(),
    )));
    session.update();
    let posed = session.actor().pose().world.clone();
    session.reload_model(built_in::load("Pip").unwrap(), Duration::ZERO);
    session.update();
    assert_eq!(session.actor().pose().world, posed);
    assert_eq!(session.actor().hiding().count, 1);
}

/// The pole is dragged to a place of the picture: where a point of the world is seen.
fn seen(session: &Session, point: Vec3) -> [f32; 2] {
    let clip = session.camera_view().to_clip(point);
    [clip.x / clip.w, clip.y / clip.w]
}

/// Drags the pole of an arm across the arm's line, far beyond it and back, as seen from a side. How far the elbow went, in
/// its distances from the line.
fn drag_pole(side: Side) -> f32 {
    let mut session = session();
    session.apply(Command::Camera(CameraCommand::LookFrom(side)));
    let hand = choose(&mut session, "hand_L");
    ask(&mut session, &[PosingCommand::SetTool(PoseTool::Reach)]);
    let before = session.actor().pose().clone();
    let hierarchy = &session.actor.model().hierarchy;
    let limb = Limb::ending_at(hand, hierarchy, &before).unwrap();
    let [shoulder, elbow, end] =
        [limb.root, limb.middle, limb.end].map(|node| place(&session, node));
    let length = shoulder.distance(elbow) + elbow.distance(end);
    let handle = session.posing_view().pole.unwrap();
    let expected = seen(&session, elbow);
    assert!((handle[0] - expected[0]).abs() + (handle[1] - expected[1]).abs() < 1e-5);
    let across = (elbow - shoulder).reject_from(end - shoulder);
    let middle = elbow - across;
    ask(&mut session, &[PosingCommand::BeginDrag]);
    let (mut at, mut farthest) = (elbow, 0.0_f32);
    for step in 0..=200 {
        let part = 1.0 - 3.0 * (step as f32 / 100.0 * std::f32::consts::PI).sin().abs();
        let pole = seen(&session, middle + part * across);
        ask(
            &mut session,
            &[PosingCommand::Drag(DragCommand::Pole(pole))],
        );
        let now = place(&session, limb.middle);
        let dragged = across.length() * 3.0 * std::f32::consts::PI / 100.0;
        let moved = now.distance(at);
        assert!(moved <= 4.0 * dragged, "step {step}: {moved}");
        assert!(place(&session, limb.end).distance(end) < 1e-4 * length);
        assert!(place(&session, limb.root).distance(shoulder) < 1e-5 * length);
        farthest = farthest.max(now.distance(elbow));
        at = now;
    }
    ask(&mut session, &[PosingCommand::EndDrag]);
    undo(&mut session);
    assert_eq!(session.actor().pose().world, before.world);
    assert!(session.history_view().undo.is_none(), "a drag is one step");
    farthest / across.length()
}

#[test]
fn a_pole_is_followed_while_the_ends_stay() {
    let farthest = Side::ALL.map(drag_pole);
    let most = farthest.into_iter().fold(0.0, f32::max);
    assert!(
        most > 1.7,
        "from somewhere it goes to the other side: {farthest:?}"
    );
}

#[test]
fn a_tool_waits_for_what_it_can_act_on() {
    let mut session = session();
    session.apply(Command::SelectNode(None));
    assert!(!session.posing_view().lacks_joint, "no tool");
    ask(&mut session, &[PosingCommand::SetTool(PoseTool::Turn)]);
    assert!(session.posing_view().lacks_joint);
    choose(&mut session, "hand_L");
    assert!(!session.posing_view().lacks_joint);
    let nodes = session.model().hierarchy.nodes();
    let skinned = nodes.iter().position(|node| node.skin.is_some());
    session.apply(Command::SelectNode(skinned));
    assert!(session.posing_view().lacks_joint, "its joints move it");
}

#[test]
fn there_is_a_pole_where_there_is_a_bent_limb() {
    let mut session = session();
    choose(&mut session, "hand_L");
    assert!(session.posing_view().pole.is_none(), "no tool");
    ask(&mut session, &[PosingCommand::SetTool(PoseTool::Reach)]);
    assert!(session.posing_view().pole.is_some());
    ask(&mut session, &[PosingCommand::SetTool(PoseTool::Turn)]);
    assert!(session.posing_view().pole.is_none());
    ask(&mut session, &[PosingCommand::SetTool(PoseTool::Reach)]);
    session.apply(Command::SelectNode(Some(0)));
    assert!(session.posing_view().pole.is_none(), "no limb");
}

#[test]
fn keys_move_every_handle_of_every_tool() {
    let mut session = session();
    choose(&mut session, "hand_L");
    let node = session.selected.unwrap();
    for tool in PoseTool::ALL.into_iter().skip(1) {
        ask(&mut session, &[PosingCommand::SetTool(tool)]);
        session.update();
        let before = session.actor().pose().clone();
        let hierarchy = &session.model().hierarchy;
        let limb = Limb::ending_at(node, hierarchy, &before).unwrap();
        for handle in 0..3 {
            // Of none the next is the first.
            let next = [PosingCommand::NextHandle, PosingCommand::Nudge(2)];
            ask(&mut session, &next);
            assert_eq!(session.posing_view().handle, Some(handle), "{tool:?}");
            let after = session.actor().pose();
            assert_ne!(after.world, before.world, "{tool:?} {handle}");
            let place =
                |pose: &Pose, node: NodeId| Vec3::from(pose.world[node.index()].translation);
            let went = place(after, node) - place(&before, node);
            let view = session.camera_view();
            let seen = |point: Vec3| {
                let clip = view.to_clip(point);
                [clip.x / clip.w, clip.y / clip.w]
            };
            let [from, to] = [&before, after].map(|pose| seen(place(pose, node)));
            match (tool, handle) {
                (PoseTool::Reach, 2) => {
                    assert!(went.length() < 1e-4, "the end stays: {went}");
                    let middle = place(after, limb.middle).distance(place(&before, limb.middle));
                    assert!(middle > 1e-3, "{middle}");
                }
                (PoseTool::Reach, axis) => {
                    assert!(to[axis] > from[axis] + 0.01, "{axis}: {from:?} {to:?}");
                    assert!(
                        (to[1 - axis] - from[1 - axis]).abs() < 0.01,
                        "{axis}: {from:?} {to:?}"
                    );
                }
                (PoseTool::Move, _) => assert!(went.length() > 1e-3, "{handle}"),
                _ => assert!(went.length() < 1e-5, "{tool:?} {handle}"),
            }
            // There and back is where it was, and each handle is a step to undo.
            undo(&mut session);
            session.update();
            assert_eq!(session.actor().pose().world, before.world);
        }
    }
    ask(
        &mut session,
        &[
            PosingCommand::SetTool(PoseTool::Off),
            PosingCommand::Nudge(1),
        ],
    );
    assert!(
        session.history_view().undo.is_none(),
        "without a tool keys move nothing"
    );
}

#[test]
fn keys_that_are_held_are_one_step_to_undo() {
    let mut session = session();
    choose(&mut session, "hand_L");
    ask(&mut session, &[PosingCommand::SetTool(PoseTool::Turn)]);
    let steps = |session: &Session| session.history.len();
    for _ in 0..2 * crate::app::history::MAX_STEPS {
        ask(&mut session, &[PosingCommand::Nudge(1)]);
    }
    assert_eq!(steps(&session), 1);
    // What is asked for in between ends it, as does another joint.
    let nudge = [PosingCommand::NextHandle, PosingCommand::Nudge(-1)];
    ask(&mut session, &nudge);
    assert_eq!(steps(&session), 2);
    choose(&mut session, "upper_arm_L");
    ask(&mut session, &[PosingCommand::Nudge(1); 3]);
    assert_eq!(steps(&session), 3);
    let changed = session.actor().offsets().clone();
    undo(&mut session);
    assert_eq!(session.posing_view().changed, 1);
    redo(&mut session);
    assert_eq!(*session.actor().offsets(), changed);
    ask(&mut session, &[PosingCommand::Nudge(1)]);
    assert_eq!(steps(&session), 4);
    (0..4).for_each(|_| undo(&mut session));
    assert!(session.actor().offsets().is_empty());
}

#[test]
fn keys_that_move_nothing_let_time_go_on() {
    let mut session = session();
    ask(&mut session, &[PosingCommand::SetTool(PoseTool::Turn)]);
    session.apply(Command::Playback(PlaybackCommand::TogglePlay));
    assert!(session.selected.is_none());
    ask(&mut session, &[PosingCommand::Nudge(1)]);
    assert!(session.clock.is_playing(), "no joint");
    choose(&mut session, "hand_L");
    session.apply(Command::Motion(MotionCommand::SetCrowdSize(9)));
    ask(&mut session, &[PosingCommand::Nudge(1)]);
    assert!(session.clock.is_playing(), "a crowd");
}

#[test]
fn sides_are_swapped_where_there_are_two() {
    let mut session = session();
    let why_not = |session: &Session| session.posing_view().why_no_mirror;
    assert_eq!(why_not(&session), None);
    session.apply(Command::Motion(MotionCommand::SetCrowdSize(9)));
    assert!(why_not(&session).unwrap().contains("crowd"));
    session.apply(Command::Motion(MotionCommand::SetCrowdSize(1)));
    assert_eq!(why_not(&session), None);

    // A tail: in the middle it is its own image; to one side of it, neither names nor places say that there are sides.
    let tail = |x: f32| {
        let joints = [NodeId(0), NodeId(1)];
        let mut nodes = vec![Node::default(); joints.len()];
        nodes[1].rest.translation = Vec3::new(x, 1.0, 0.0);
        let hierarchy = Hierarchy::new(nodes, &[None, Some(0)], &vec![Vec::new(); joints.len()]);
        Import {
            model: Model {
                hierarchy: hierarchy.unwrap(),
                skins: vec![Skin {
                    joint_from_mesh: vec![Affine3A::IDENTITY; joints.len()],
                    joints: joints.to_vec(),
                    ..Skin::default()
                }],
                scenes: vec![Scene {
                    name: String::new(),
                    roots: vec![NodeId(0)],
                }],
                ..Model::default()
            },
            ..Import::default()
        }
    };
    session.replace_model(tail(0.0), None, Duration::ZERO);
    assert!(!session.actor().skeleton().is_empty());
    assert_eq!(why_not(&session), None);
    session.replace_model(tail(0.5), None, Duration::ZERO);
    assert!(why_not(&session).unwrap().contains("which side"));

    session.replace_model(built_in::load("Windmill").unwrap(), None, Duration::ZERO);
    session.update();
    assert!(why_not(&session).unwrap().contains("no joints"));
}
