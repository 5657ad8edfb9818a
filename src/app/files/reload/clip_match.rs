//! Which clips of a model are which of the same file as it is now.

use crate::model::{Clip, Model, pair_again};

/// For each clip of the model that goes the one that it is in the model that comes, if it is there.
#[derive(Debug)]
pub(super) struct ClipMatch(Vec<Option<usize>>);

impl ClipMatch {
    /// Pairs the own clips of the file by their names, before and now. Those of other files come after them in both models:
    /// where they are now is known of each.
    pub(super) fn new(names: &[&str], new_names: &[&str], others: &[Option<usize>]) -> Self {
        let mut places = pair_again(names, new_names);
        places.extend_from_slice(others);
        Self(places)
    }

    /// Of clips that wait: the `own_clips` of the file stay what they are, and after them come those of other files.
    pub(super) fn of_waiting(own_clips: usize, others: &[Option<usize>]) -> Self {
        let own = (0..own_clips).map(Some);
        let others = others.iter().map(|place| Some(own_clips + (*place)?));
        Self(own.chain(others).collect())
    }

    /// The clip of the model that comes which is this one of the model that goes.
    pub(super) fn of(&self, clip: usize) -> Option<usize> {
        *self.0.get(clip)?
    }

    /// The clip called `name` in the model that comes, if the one that goes does not have it; `new_names` are those of the
    /// clips that come.
    pub(super) fn returned(&self, name: &str, new_names: &[&str]) -> Option<usize> {
        let mut new = new_names.iter().enumerate();
        let is_it =
            |(place, new): &(usize, &&str)| **new == name && !self.0.contains(&Some(*place));
        new.find(is_it).map(|(place, _)| place)
    }
}

/// How many clips the file itself has, in the model that goes and in the one that comes.
#[derive(Debug, Clone, Copy)]
pub(super) struct OwnClips {
    pub(super) old: usize,
    pub(super) new: usize,
}

/// The names of the clips of a model's own file.
pub(in crate::app::files) fn own_names(model: &Model, own_clips: usize) -> Vec<&str> {
    model.clips.iter().take(own_clips).map(Clip::name).collect()
}
