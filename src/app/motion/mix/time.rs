//! When the clips of a mix are: they run on where the chosen clip ends or turns, and go back where its clock does.

use super::Mix;
use crate::{anim::LoopMode, app::Session};

impl Mix {
    /// Goes to a time, whatever is changing.
    fn move_to(&mut self, time_secs: f64) {
        self.running_secs = time_secs;
    }
}

impl Session {
    /// Lets time pass for all clips.
    pub(in crate::app) fn tick_clips(&mut self, elapsed_secs: f64) {
        let is_moving = self.clock.is_moving();
        let speed = if is_moving { self.clock.speed() } else { 0.0 };
        let pace = self.mix.pace(self.clock.duration_secs());
        let fade_secs = self.motion.fade_secs;
        self.mix.tick(elapsed_secs, elapsed_secs * speed, fade_secs);
        self.clock.tick(elapsed_secs * pace);
        // In a range all loop together, and where the clock has stopped all have.
        let has_ended = is_moving && !self.clock.is_playing();
        if has_ended || self.clock.range_secs().is_some() {
            self.mix.move_to(self.clock.time_secs());
        }
    }

    /// Lets time run. From an end that it could not leave all clips go to the other end.
    pub(in crate::app) fn play(&mut self) {
        let before_secs = self.clock.time_secs();
        self.clock.play();
        if self.clock.time_secs() != before_secs {
            self.mix.move_to(self.clock.time_secs());
            self.is_stale = true;
        }
    }

    /// Says what happens at the end. Clips that have run far beyond theirs would be there at once.
    pub(in crate::app) fn set_loop_mode(&mut self, mode: LoopMode) {
        self.clock.set_loop_mode(mode);
        self.mix.move_to(self.clock.time_secs());
        self.is_stale = true;
    }
}
