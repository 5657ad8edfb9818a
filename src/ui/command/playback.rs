//! What a user can ask of the clock.

use crate::anim::{LoopMode, MAX_SPEED};

/// The speeds that keys go through; the sign stays as it is.
pub const SPEEDS: [f64; 6] = [0.1, 0.25, 0.5, 1.0, 2.0, MAX_SPEED];

/// A wish about when the clip is, and how it runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PlaybackCommand {
    /// Start or stop the clock.
    TogglePlay,
    /// Go to a time in seconds and stay there; playing goes on from there if it was on.
    Seek(f64),
    /// Stop and go this many frames forward (or back, if negative).
    StepFrames(i32),
    /// Stop and go to the first frame.
    SeekStart,
    /// Stop and go to the last frame.
    SeekEnd,
    /// Set the speed; 1 is the file's own, negative plays backwards.
    SetSpeed(f64),
    /// Say what happens at the end of the clip.
    SetLoopMode(LoopMode),
    /// Set the frames a second that frame steps and frame numbers use.
    SetFrameRate(f64),
    /// Use the frame rate that the keys of the clip tell.
    FindFrameRate,
}

/// The loop mode that follows in the list.
pub fn next_loop_mode(mode: LoopMode) -> LoopMode {
    match mode {
        LoopMode::Loop => LoopMode::PingPong,
        LoopMode::PingPong => LoopMode::Once,
        LoopMode::Once => LoopMode::Hold,
        LoopMode::Hold => LoopMode::Loop,
    }
}
