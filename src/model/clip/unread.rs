//! Channels that a file states of a clip and that are none of its tracks.

use super::Clip;

/// How many channels of the file have no part in a clip, by why.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct UnreadChannels {
    /// What they name, or their keys, cannot be used.
    pub unusable: usize,
    /// They move what a channel before them moves.
    pub second: usize,
}

impl UnreadChannels {
    /// Those of both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            unusable: self.unusable.saturating_add(other.unusable),
            second: self.second.saturating_add(other.second),
        }
    }
}

impl Clip {
    /// How many channels of the file have no part in it.
    pub fn unread(&self) -> UnreadChannels {
        self.unread
    }
}
