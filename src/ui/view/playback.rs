//! What panels read of the clock.

use crate::anim::LoopMode;

/// The clock.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Playback {
    /// Now.
    pub time_secs: f64,
    /// The clip's length; 0 without a clip.
    pub duration_secs: f64,
    /// Whether time runs.
    pub is_playing: bool,
    /// Whether anything moves while time runs: the clip has a length, or a crowd plays them all.
    pub can_play: bool,
    /// 1 is the file's own.
    pub speed: f64,
    /// What happens at the end.
    pub loop_mode: LoopMode,
    /// Frames a second, for frame steps and frame numbers.
    pub frames_per_sec: f64,
    /// Whether that rate was found in the keys (and not set by hand or assumed).
    pub rate_is_guessed: bool,
    /// Whether it is assumed: there are too few keys to tell, or they lie on the frames of no rate.
    pub rate_is_assumed: bool,
}
