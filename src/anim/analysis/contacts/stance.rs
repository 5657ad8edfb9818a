//! A stretch of frames in which a foot stands.

use std::ops::RangeInclusive;

/// From one frame to another, at least one later, in which a foot stands. Ordered by where it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Stance {
    /// The frame in which it begins.
    pub(super) first: usize,
    /// The last frame of it.
    pub(super) last: usize,
}

impl Stance {
    /// That from a frame to the next one.
    pub(super) fn of_interval(interval: usize) -> Self {
        Self {
            first: interval,
            last: interval + 1,
        }
    }

    /// How many times a frame follows another in it.
    pub(super) fn intervals(self) -> usize {
        self.last - self.first
    }

    /// All its frames.
    pub(super) fn frames(self) -> RangeInclusive<usize> {
        self.first..=self.last
    }

    /// Whether they have an interval in common.
    pub(super) fn overlaps(self, other: Self) -> bool {
        self.first < other.last && other.first < self.last
    }
}
