//! Poses that were saved, taken again.

use anyhow::ensure;

use super::{HandPose, Session};
use crate::{
    app::{PoseFile, history::Edit, messages::Topic, pose_file::PoseByHand},
    ui::{Action, Message, written},
};

impl Session {
    /// Poses the moment that is shown as a file says, as if that was done by hand. Fails, and changes nothing, if that is no
    /// pose of this model.
    pub(in crate::app) fn take_pose(&mut self, pose: &PoseFile, name: &str) -> anyhow::Result<()> {
        ensure!(
            self.actor.crowd().is_none(),
            "a crowd is not posed: show one of the model alone"
        );
        ensure!(
            !self.model().hierarchy.is_empty(),
            "no model is shown that could take it: open one first"
        );
        // Shared, so that the model can be asked while it changes.
        let model = self.actor.shared_model();
        let placed = pose.placed(&model)?;
        self.end_drag();
        self.stand_still();
        // It is of clips, not of the pose that skins are bound in.
        self.release_pose();
        self.pose_changed();
        self.update();
        let by_hand = PoseByHand::of(&placed, &self.actor);
        let mut before = Vec::new();
        let held = self.actor.held().clone();
        for (place, weight) in by_hand.weights {
            self.actor.hold_weight(place, Some(weight));
        }
        if held != *self.actor.held() {
            before.push(Edit::Weights(held));
        }
        let hidden = self.actor.hidden_nodes().clone();
        self.actor.hide(&by_hand.hidden);
        if hidden != *self.actor.hidden_nodes() {
            before.push(Edit::Hiding(hidden));
        }
        let pose = HandPose {
            offsets: by_hand.offsets,
            lost: self.posing.lost.clone(),
        };
        if pose != self.hand_pose() {
            before.push(Edit::Pose(self.change_pose(pose)));
        }
        self.pose_changed();
        let detail = if before.is_empty() {
            "It stood so before.".to_owned()
        } else {
            let undo = written(Action::Undo, 0);
            format!("It counts as made by hand; {undo} takes it back.")
        };
        self.remember_all(before, format!("pose as in {name}"));
        self.messages.take_info();
        self.messages.tell_if_quiet(Topic::Pose, || {
            Message::info(format!("Posed as in {name}"), detail).passing()
        });
        Ok(())
    }
}
