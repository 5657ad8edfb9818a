//! Tell clips from those of before: what is known of them, or made of them, counts as long as they are the same.

use crate::app::Session;

/// Another one whenever there may be other clips.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::app) struct ClipsKey {
    /// Which model it is.
    pub(in crate::app) model: u64,
    /// Which clips are borrowed from other files.
    pub(in crate::app) borrowed: u64,
}

/// Another one whenever a clip may be another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::app) struct ClipState {
    model: u64,
    /// When it was last changed, if it is one of another file.
    changed: u64,
}

/// Another one for every clip that may be in force.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::app) struct ClipKey {
    /// Among which clips it is.
    pub(in crate::app) clips: ClipsKey,
    /// Its index there; none is the file's own pose.
    pub(in crate::app) clip: Option<usize>,
}

impl Session {
    pub(in crate::app) fn clip_key(&self) -> ClipKey {
        ClipKey {
            clips: self.clips_key(),
            clip: self.clip(),
        }
    }

    pub(in crate::app) fn clips_key(&self) -> ClipsKey {
        ClipsKey {
            model: self.model_generation(),
            borrowed: self.borrowed.generation,
        }
    }

    /// For each clip.
    pub(super) fn clip_states(&self) -> Vec<ClipState> {
        let state = |clip| ClipState {
            model: self.model_generation(),
            changed: self.borrowed.changed(clip),
        };
        (0..self.model().clips.len()).map(state).collect()
    }
}
