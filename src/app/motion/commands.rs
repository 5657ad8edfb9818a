//! What each command about motion does to the session, but for those about the mix, which `mix` has.

use crate::{
    app::Session,
    ui::{BorrowedCommand, LONGEST_FADE_SECS, MorphCommand, MotionCommand},
};

impl Session {
    pub(in crate::app) fn apply_motion(&mut self, command: MotionCommand) {
        match command {
            MotionCommand::ToggleDualQuaternions => {
                self.motion.skinning = self.motion.skinning.other();
            }
            MotionCommand::ToggleInPlace => {
                self.motion.is_in_place = !self.motion.is_in_place;
                self.actor.set_in_place(self.motion.is_in_place);
                self.refresh_mix();
                self.gather_crowd();
            }
            MotionCommand::ToggleCrowdClips => {
                self.motion.crowd_plays_all = !self.motion.crowd_plays_all;
                // Others need more room.
                self.set_crowd_size(self.crowd_size());
            }
            MotionCommand::SetFade(secs) => {
                if secs.is_finite() {
                    self.motion.fade_secs = secs.clamp(0.0, LONGEST_FADE_SECS);
                }
            }
            MotionCommand::SetCrowdSize(count) => {
                if count != self.crowd_size() {
                    self.set_crowd_size(count);
                }
                return;
            }
        }
        self.follow_settings();
    }

    pub(in crate::app) fn apply_borrowed(&mut self, command: BorrowedCommand) {
        match command {
            BorrowedCommand::SetRetarget(file, retarget) => self.set_retarget(file, retarget),
            BorrowedCommand::TakeOut(file) => self.take_clips_out(file),
        }
    }

    pub(in crate::app) fn apply_morphs(&mut self, command: MorphCommand) {
        match command {
            MorphCommand::Hold(place, value) => {
                if !value.is_finite() {
                    return;
                }
                self.actor.hold_weight(place, Some(value));
            }
            MorphCommand::Release(place) => self.actor.hold_weight(place, None),
            MorphCommand::ReleaseAll => self.actor.release_weights(),
        }
        self.pose_changed();
    }
}
