//! What is listed of what is wrong with the model that is shown, and whether it is still the same list.

use std::ops::Deref;

use crate::import::Diagnostic;

/// A list of findings that counts its changes: two lists of one length may say different things.
#[derive(Debug, Default)]
pub(super) struct Findings {
    list: Vec<Diagnostic>,
    generation: u64,
}

impl Deref for Findings {
    type Target = [Diagnostic];

    fn deref(&self) -> &[Diagnostic] {
        &self.list
    }
}

impl Findings {
    /// Another number whenever the list may have changed.
    pub(super) fn generation(&self) -> u64 {
        self.generation
    }

    /// What is found in another model.
    pub(super) fn replace(&mut self, list: Vec<Diagnostic>) {
        self.change(|own| *own = list);
    }

    /// Adds to the list.
    pub(super) fn extend(&mut self, more: impl IntoIterator<Item = Diagnostic>) {
        self.change(|list| list.extend(more));
    }

    /// Changes the list in any way.
    pub(super) fn change(&mut self, change: impl FnOnce(&mut Vec<Diagnostic>)) {
        change(&mut self.list);
        self.generation += 1;
    }
}
