//! What keys ask of the clock.

use super::sign_of;
use crate::ui::{
    PlaybackCommand, View,
    command::{SPEEDS, next_loop_mode},
    keys::Action,
};

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::MAX_SPEED;

    #[test]
    fn speeds_go_through_the_presets() {
        assert_eq!(next_speed(1.0, true), 2.0);
        assert_eq!(next_speed(-1.0, false), -0.5);
        assert_eq!(next_speed(2.0, true), MAX_SPEED);
        assert_eq!(next_speed(MAX_SPEED, true), MAX_SPEED);
        assert_eq!(next_speed(0.3, false), 0.25);
    }
}
