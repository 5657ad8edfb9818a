//! What a user can ask of the clock.

use super::{View, key_commands::sign_of, keys::Action};
use crate::anim::{LoopMode, MAX_SPEED};

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

/// The command of a key.
pub fn by_key(action: Action, which: usize, view: &View<'_>) -> Option<PlaybackCommand> {
    let (sign, playback) = (sign_of(which), &view.playback);
    Some(match action {
        Action::Play => PlaybackCommand::TogglePlay,
        Action::Step => PlaybackCommand::StepFrames(sign),
        Action::Leap => PlaybackCommand::StepFrames(10 * sign),
        Action::Ends if which == 0 => PlaybackCommand::SeekStart,
        Action::Ends => PlaybackCommand::SeekEnd,
        Action::Speed => PlaybackCommand::SetSpeed(next_speed(playback.speed, which > 0)),
        Action::Reverse => PlaybackCommand::SetSpeed(-playback.speed),
        Action::Loop => PlaybackCommand::SetLoopMode(next_loop_mode(playback.loop_mode)),
        _ => return None,
    })
}

/// The speeds that keys go through; the sign stays as it is.
pub const SPEEDS: [f64; 6] = [0.1, 0.25, 0.5, 1.0, 2.0, MAX_SPEED];

fn next_speed(speed: f64, faster: bool) -> f64 {
    let size = speed.abs();
    let next = if faster {
        SPEEDS.into_iter().find(|preset| *preset > size + 1e-6)
    } else {
        SPEEDS
            .into_iter()
            .rev()
            .find(|preset| *preset < size - 1e-6)
    };
    next.unwrap_or(size).copysign(speed)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_go_through_the_presets() {
        assert_eq!(next_speed(1.0, true), 2.0);
        assert_eq!(next_speed(-1.0, false), -0.5);
        assert_eq!(next_speed(2.0, true), MAX_SPEED);
        assert_eq!(next_speed(MAX_SPEED, true), MAX_SPEED);
        assert_eq!(next_speed(0.3, false), 0.25);
    }
}
