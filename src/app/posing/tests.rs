//! What drags at the gizmo do to the pose, and how it is taken back.

use std::time::Duration;

use super::*;
use crate::{app::built_in, ui::Command};

/// Pip in the middle of its walk, standing still.
fn session() -> Session {
    let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
    session.set_aspect(1.5);
    session.apply(Command::SelectClip(Some(1)));
    session.clock.pause();
    session.apply(Command::Seek(0.3));
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

/// Turns the chosen joint by half a radian about its y axis.
fn turn(session: &mut Session) {
    let drag = [
        PosingCommand::BeginDrag,
        PosingCommand::Turn(1, 0.5),
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
            PosingCommand::Turn(2, 0.2),
            PosingCommand::Turn(2, 0.9),
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
    assert!(session.posing_view().can_undo);
    ask(&mut session, &[PosingCommand::Undo]);
    assert_eq!(session.actor().pose().locals, before.locals);
    assert_eq!(session.actor().pose().world, before.world);
    ask(&mut session, &[PosingCommand::Redo]);
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
            0 => PosingCommand::Turn(step % 3, amount),
            1 => PosingCommand::Move(step % 3, 0.1 * amount),
            _ => PosingCommand::Scale(step % 4, 1.0 + 0.05 * amount),
        };
        ask(
            &mut session,
            &[PosingCommand::BeginDrag, change, PosingCommand::EndDrag],
        );
    }
    assert!(session.actor().pose().world != before.world);
    ask(&mut session, &[PosingCommand::Undo; 100]);
    assert!(!session.posing_view().can_undo);
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
                PosingCommand::Turn(1, 0.5),
                PosingCommand::EndDrag,
            ],
        );
        let turned = session.actor().pose().locals[head.index()].rotation;
        session.apply(Command::Seek(0.5));
        session.update();
        assert_eq!(session.posing_view().changed, usize::from(stays));
        let then = session.actor().pose().locals[head.index()].rotation;
        assert_ne!(turned, then, "the clip goes on below");
        if !stays {
            ask(&mut session, &[PosingCommand::Undo]);
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
        let clip = view.clip_from_world() * point.extend(1.0);
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
            PosingCommand::Reach(wanted),
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
    assert!(!view.can_undo && !view.can_redo && view.changed == 0);
}

#[test]
fn framing_the_motion_leaves_the_pose_alone() {
    let mut session = session();
    choose(&mut session, "head");
    turn(&mut session);
    let posed = session.actor().pose().world.clone();
    session.apply(Command::Camera(crate::ui::CameraCommand::FrameMotion));
    session.update();
    assert_eq!(session.actor().pose().world, posed);
    ask(&mut session, &[PosingCommand::Undo]);
    assert_ne!(session.actor().pose().world, posed, "it was one step");
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
            PosingCommand::Turn(1, 0.5),
            PosingCommand::SetTool(PoseTool::Off),
            PosingCommand::Turn(1, 1.5),
            PosingCommand::Undo,
        ],
    );
    assert_eq!(session.actor().pose().world, before);
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
