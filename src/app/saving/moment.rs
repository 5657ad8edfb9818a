//! When a picture is.

use crate::app::Session;

/// When all that plays is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Moment {
    pub(super) clip_secs: f64,
    /// Where clips beside that one have run to, without ends and loops.
    pub(super) mix_secs: f64,
    pub(super) crowd_secs: f64,
}

impl Session {
    /// Now.
    pub(super) fn present_moment(&self) -> Moment {
        Moment {
            clip_secs: self.clock.time_secs(),
            mix_secs: self.mix.running_secs(),
            crowd_secs: self.crowd.time_secs,
        }
    }

    /// Goes there, clips, mix and crowd.
    pub(super) fn go_to(&mut self, moment: Moment) {
        self.clock.seek(moment.clip_secs);
        self.mix.swap_time(moment.mix_secs);
        self.crowd.time_secs = moment.crowd_secs;
        self.pose_changed();
    }
}
