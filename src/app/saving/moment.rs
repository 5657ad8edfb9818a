//! When a picture is.

use crate::app::Session;

/// When all that plays is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moment {
    clip_secs: f64,
    mix_secs: f64,
    crowd_secs: f64,
}

impl Moment {
    /// The moment at which all are at `time_secs`.
    pub(super) fn at(time_secs: f64) -> Self {
        Self {
            clip_secs: time_secs,
            mix_secs: time_secs,
            crowd_secs: time_secs,
        }
    }
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
        self.is_stale = true;
    }
}
