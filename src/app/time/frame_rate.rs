//! How many frames a second there are, and who says it.

use crate::{
    anim::{USUAL_FRAME_RATE, guess_frame_rate},
    model::Clip,
};

/// The rate of frame numbers, and who says it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(in crate::app) enum FrameRate {
    /// Nobody.
    #[default]
    Unknown,
    /// The keys of the clip: frames a second.
    Guessed(f64),
    /// The user: frames a second.
    Set(f64),
}

impl FrameRate {
    /// As the keys of a clip say it.
    pub(super) fn of(clip: Option<&Clip>) -> Self {
        let guess = clip.and_then(guess_frame_rate);
        guess.map_or(Self::Unknown, Self::Guessed)
    }

    /// Frames a second, if the user says it.
    pub(in crate::app) fn set_per_sec(self) -> Option<f64> {
        match self {
            Self::Set(rate) => Some(rate),
            Self::Unknown | Self::Guessed(_) => None,
        }
    }

    /// Frames a second.
    pub(in crate::app) fn per_sec(self) -> f64 {
        match self {
            Self::Unknown => USUAL_FRAME_RATE,
            Self::Guessed(rate) | Self::Set(rate) => rate,
        }
    }
}
