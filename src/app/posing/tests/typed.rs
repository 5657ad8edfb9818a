//! Numbers of the local transform that are typed or dragged in the panel.

use super::{ask, choose, session, undo};
use crate::{
    anim::posing::PosingPart,
    app::Session,
    model::euler_degrees,
    ui::{DragCommand, PosingCommand},
};

#[test]
fn a_typed_number_is_a_step_and_dragged_ones_are_one_step() {
    let mut session = session();
    let arm = choose(&mut session, "upper_arm_L");
    let local = |session: &Session| session.actor().pose().locals[arm.index()];
    let before = local(&session);
    let turned = [PosingCommand::Drag(DragCommand::Place(
        PosingPart::Rotation,
        1,
        40.0,
    ))];
    ask(&mut session, &turned);
    let [x, y, z] = euler_degrees(local(&session).rotation);
    let [old_x, _, old_z] = euler_degrees(before.rotation);
    assert!((y - 40.0).abs() < 1e-3, "{y}");
    assert!(
        (x - old_x).abs() < 1e-2 && (z - old_z).abs() < 1e-2,
        "{x}, {z}"
    );
    // Past a quarter turn, where the same rotation has other angles, and back.
    let drag = [
        PosingCommand::BeginDrag,
        PosingCommand::Drag(DragCommand::Place(PosingPart::Rotation, 1, 89.0)),
        PosingCommand::Drag(DragCommand::Place(PosingPart::Rotation, 1, 91.0)),
        PosingCommand::Drag(DragCommand::Place(PosingPart::Rotation, 1, 120.0)),
        PosingCommand::Drag(DragCommand::Place(PosingPart::Rotation, 1, 30.0)),
        PosingCommand::Drag(DragCommand::Place(PosingPart::Translation, 2, 7.0)),
        PosingCommand::EndDrag,
    ];
    ask(&mut session, &drag);
    assert!((local(&session).translation.z - 7.0).abs() < 1e-5);
    undo(&mut session);
    let [_, y, _] = euler_degrees(local(&session).rotation);
    assert!((y - 40.0).abs() < 1e-3, "a drag is one step: {y}");
    undo(&mut session);
    assert_eq!(local(&session), before);
    // What was scaled to nothing comes back.
    for scale in [0.0, 1.5, -1.0] {
        ask(
            &mut session,
            &[PosingCommand::Drag(DragCommand::Place(
                PosingPart::Scale,
                0,
                scale,
            ))],
        );
        let off = (local(&session).scale.x - scale).abs();
        assert!(off < 1e-5, "{scale}: {off}");
    }
}
