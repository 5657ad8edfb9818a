//! The part of a clip that is looked at: from its first key on.

use crate::{anim::sampling_rate, model::Clip};

/// From the first key of a clip to its end, in its own seconds. Before it the first pose stands still, which says nothing of
/// how feet step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    pub(super) start_secs: f64,
    end_secs: f64,
}

impl Span {
    /// That of a clip; all of it where it has but one moment with keys.
    pub(super) fn of(clip: &Clip) -> Self {
        let [first, end_secs] = [clip.first_key_secs(), clip.duration_secs()].map(f64::from);
        Self {
            start_secs: if first < end_secs {
                first.max(0.0)
            } else {
                0.0
            },
            end_secs,
        }
    }

    /// How many steps it has at the rate at which the clip is sampled; at least one.
    pub(super) fn natural_steps(self, clip: &Clip) -> usize {
        ((self.duration_secs() * sampling_rate(clip)).round() as usize).max(1)
    }

    pub(super) fn duration_secs(self) -> f64 {
        self.end_secs - self.start_secs
    }

    /// When one of so many steps begins.
    pub(super) fn at(self, step: usize, steps: usize) -> f64 {
        self.start_secs + self.duration_secs() * (step as f64 / steps as f64)
    }
}
