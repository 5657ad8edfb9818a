//! How motion is shown: how joints are blended, in place or not, how clips follow one another; and whether anything moves.

use crate::{anim::Skinning, app::Session, scene::FormChoice, ui::MotionView};

/// How motion is shown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::app) struct MotionSettings {
    pub(in crate::app) skinning: Skinning,
    pub(in crate::app) is_in_place: bool,
    /// How long it takes to go over to another clip.
    pub(in crate::app) fade_secs: f64,
    /// Of a crowd's matrices.
    pub(in crate::app) form: FormChoice,
    /// A crowd plays all clips, and not only the chosen one.
    pub(in crate::app) crowd_plays_all: bool,
}

impl Default for MotionSettings {
    fn default() -> Self {
        Self {
            skinning: Skinning::Linear,
            is_in_place: false,
            fade_secs: 0.2,
            form: FormChoice::Auto,
            crowd_plays_all: false,
        }
    }
}

impl Session {
    /// How motion is shown, for the panels.
    pub(in crate::app) fn motion_view(&self) -> MotionView {
        MotionView {
            dual_quaternions: self.motion.skinning == Skinning::DualQuaternion,
            in_place: self.motion.is_in_place,
            fade_secs: self.motion.fade_secs,
            crowd_size: self.crowd_size(),
            crowd_plays_all: self.motion.crowd_plays_all,
        }
    }

    /// Says how joints are blended.
    pub fn set_skinning(&mut self, skinning: Skinning) {
        self.motion.skinning = skinning;
        self.follow_settings();
    }

    /// Whether anything moves while time runs.
    pub(in crate::app) fn can_play(&self) -> bool {
        self.clock.duration_secs() > 0.0 || self.is_crowd_of_all()
    }

    /// Whether the next moment's pose is another one. Time stands still before who is about to save: that moment is meant.
    pub fn is_model_moving(&self) -> bool {
        let is_fading = !self.transition.is_over() || self.mix.is_changing();
        let would_move = self.clock.is_moving() || is_fading || self.is_crowd_moving();
        would_move && !self.saving.is_open
    }

    /// Whether the next moment's picture is another one.
    pub fn is_moving(&self) -> bool {
        self.is_model_moving() || self.camera.is_moving()
    }

    /// Hands the settings to the actor, and asks for a new pose.
    pub(in crate::app) fn follow_settings(&mut self) {
        self.actor.set_skinning(self.motion.skinning);
        self.actor.set_in_place(self.motion.is_in_place);
        self.pose_changed();
    }
}
