//! The second subject and how both are shown, kept for pictures that are drawn later: the user may go on meanwhile.

use crate::{
    app::Session,
    model::Model,
    scene::{Split, SplitWay},
    ui::CompareWith,
};

/// What the second subject was, and how both were shown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::app) struct KeptPair {
    pub(in crate::app) with: CompareWith,
    pub(in crate::app) by_phase: bool,
    /// Of the other file.
    generation: u64,
    pub(in crate::app) split: Split,
    /// Width over height of the narrower picture.
    aspect: f32,
}

/// What was shown before a [`KeptPair`] was.
#[derive(Debug)]
pub(in crate::app) struct ShownBefore {
    is_on: bool,
    with: Option<CompareWith>,
    by_phase: bool,
    split: Split,
}

impl KeptPair {
    /// How much farther away the camera must be, so that halves of this aspect show as much from left to right as was seen.
    pub(in crate::app) fn step_back(&self, aspect: f32) -> f32 {
        let is_beside = self.split.way == SplitWay::SideBySide;
        if is_beside && aspect > 0.0 {
            (self.aspect / aspect).max(1.0)
        } else {
            1.0
        }
    }
}

impl Session {
    /// What is compared now, if anything is.
    pub(in crate::app) fn kept_pair(&self) -> Option<KeptPair> {
        Some(KeptPair {
            split: self.split()?,
            with: self.compare.with?,
            by_phase: self.compare.by_phase,
            generation: self.compare.generation,
            aspect: self.narrower_aspect(),
        })
    }

    /// Whether what was kept can still be shown: two, or one alone.
    pub(in crate::app) fn has_kept(&self, pair: Option<&KeptPair>) -> bool {
        pair.is_none_or(|pair| {
            let is_file = pair.with == CompareWith::File;
            let is_same_file = !is_file || pair.generation == self.compare.generation;
            is_same_file && self.is_comparable(pair.with) && self.actor.crowd().is_none()
        })
    }

    /// The model of the other file that was kept, if it is one.
    pub(in crate::app) fn model_of_kept(&self, pair: Option<&KeptPair>) -> Option<&Model> {
        let is_file = pair.is_some_and(|pair| pair.with == CompareWith::File);
        let file = self.compare.file.as_ref().filter(|_| is_file)?;
        Some(file.actor.model())
    }

    /// Shows two, or one alone, until [`Session::show_again`]: nothing else changes.
    pub(in crate::app) fn show_kept(&mut self, pair: Option<&KeptPair>) -> ShownBefore {
        let compare = &mut self.compare;
        let before = ShownBefore {
            is_on: compare.is_on,
            with: compare.with,
            by_phase: compare.by_phase,
            split: compare.split,
        };
        compare.is_on = pair.is_some();
        if let Some(pair) = pair {
            compare.with = Some(pair.with);
            compare.by_phase = pair.by_phase;
            compare.split = pair.split;
        }
        self.follow_compared(&before);
        before
    }

    /// Shows what was shown.
    pub(in crate::app) fn show_again(&mut self, before: ShownBefore) {
        self.follow_compared(&before);
        let compare = &mut self.compare;
        compare.is_on = before.is_on;
        compare.with = before.with;
        compare.by_phase = before.by_phase;
        compare.split = before.split;
    }

    /// Asks for a pose of what is compared, unless that is as it was before, or will be.
    fn follow_compared(&mut self, before: &ShownBefore) {
        if !before.is_of(self) {
            self.pose_changed();
        }
    }
}

impl ShownBefore {
    fn is_of(&self, session: &Session) -> bool {
        let compare = &session.compare;
        self.is_on == compare.is_on
            && self.with == compare.with
            && self.by_phase == compare.by_phase
            && self.split == compare.split
    }
}
