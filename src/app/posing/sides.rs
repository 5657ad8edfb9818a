//! Left and right change places.

use super::Session;
use crate::anim::{
    Pose,
    bounds::rig_size,
    posing::{Offset, mirror::Sides},
};

impl Session {
    pub(super) fn mirror_pose(&mut self) {
        if self.why_no_mirror().is_some() {
            return;
        }
        self.stand_still();
        // It is of clips, not of the pose that skins are bound in.
        self.release_pose();
        self.pose_changed();
        self.update();
        let hierarchy = &self.actor.model().hierarchy;
        let (rest, pose) = (Pose::new(hierarchy), self.actor.pose());
        let swapped = self.sides().swapped(hierarchy, &rest, pose);
        let mut offsets = self.actor.offsets().clone();
        let lengths = rest.locals.iter().map(|local| local.translation.length());
        let size = lengths.fold(0.0, f32::max);
        for (id, _) in hierarchy.iter() {
            let (now, then) = (&pose.locals[id.index()], &swapped[id.index()]);
            if now != then {
                let offset = offsets.get(id).then(&Offset::between(now, then));
                let is_nothing = offset.is_rounding(size);
                offsets.set(id, if is_nothing { Offset::NONE } else { offset });
            }
        }
        self.set_offsets(offsets, "swap left and right".to_owned());
    }

    /// Why left and right cannot change places, in words; none where they can.
    pub(super) fn why_no_mirror(&self) -> Option<&'static str> {
        if self.actor.crowd().is_some() {
            Some("A crowd is not posed by hand")
        } else if self.actor.skeleton().is_empty() {
            Some("The model has no joints")
        } else if !self.sides().are_known() {
            Some("Neither names nor places of the joints say which side is which")
        } else {
            None
        }
    }

    fn sides(&self) -> &Sides {
        let model = self.actor.model();
        let find = || {
            let rest = Pose::new(&model.hierarchy);
            Sides::find(&model.hierarchy, &rest, rig_size(model, &rest))
        };
        self.posing.sides.get_or_init(find)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{
        app::built_in,
        ui::{Command, DragCommand, HistoryCommand, PoseTool, PosingCommand, SkeletonCommand},
    };

    #[test]
    fn nothing_is_posed_but_what_was_and_its_other_side() {
        let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
        session.apply(Command::SelectClip(None));
        session.update();
        let by_name = |session: &Session, name: &str| {
            let mut nodes = session.model().hierarchy.iter();
            let found = nodes.find(|(_, node)| node.name == name);
            found.unwrap().0
        };
        let names = |session: &Session| {
            let nodes = session.actor.offsets().nodes();
            nodes
                .map(|node| session.model().hierarchy.node(node).name.clone())
                .collect::<Vec<_>>()
        };
        session.apply(Command::Posing(PosingCommand::Mirror));
        assert!(names(&session).is_empty(), "{:?}", names(&session));
        let arm = by_name(&session, "upper_arm_L");
        session.apply(Command::SelectNode(Some(arm.index())));
        for command in [
            PosingCommand::BeginDrag,
            PosingCommand::Drag(DragCommand::Turn(1, 0.5)),
            PosingCommand::EndDrag,
        ] {
            session.apply(Command::Posing(command));
        }
        for expected in ["upper_arm_R", "upper_arm_L", "upper_arm_R"] {
            session.apply(Command::Posing(PosingCommand::Mirror));
            assert_eq!(names(&session), [expected]);
        }
    }

    #[test]
    fn what_changes_the_pose_shows_it_in_place_of_the_one_that_is_held() {
        let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
        session.apply(Command::SelectClip(None));
        session.update();
        let nodes = session.model().hierarchy.iter();
        let mut arms = nodes.filter(|(_, node)| node.name == "upper_arm_L");
        let arm = arms.next().unwrap().0;
        drop(arms);
        session.apply(Command::SelectNode(Some(arm.index())));
        for command in [
            PosingCommand::SetTool(PoseTool::Turn),
            PosingCommand::BeginDrag,
            PosingCommand::Drag(DragCommand::Turn(1, 0.5)),
            PosingCommand::EndDrag,
        ] {
            session.apply(Command::Posing(command));
        }
        let [undo, redo] = [HistoryCommand::Undo, HistoryCommand::Redo].map(Command::History);
        for command in [
            Command::Posing(PosingCommand::Mirror),
            undo.clone(),
            redo,
            undo.clone(),
            Command::Posing(PosingCommand::ResetJoint),
            undo.clone(),
            Command::Posing(PosingCommand::ResetAll),
        ] {
            session.apply(Command::Skeleton(SkeletonCommand::ToggleHeld));
            session.update();
            assert!(session.held_pose().is_some());
            let before = session.actor.offsets().clone();
            let said = format!("{command:?}");
            session.apply(command);
            session.update();
            assert!(before != *session.actor.offsets(), "{said} changes it");
            assert_eq!(session.held_pose(), None, "{said} is seen");
        }
        // Where there is nothing to take back nothing is shown in its place.
        session.history.forget_model();
        session.apply(Command::Skeleton(SkeletonCommand::ToggleHeld));
        for command in [undo, Command::Posing(PosingCommand::ResetAll)] {
            session.apply(command);
            assert!(session.held_pose().is_some());
        }
    }
}
