//! What was wrong with the data of a file when it was read: what is wrong only now was not saved to its end.

use std::collections::HashSet;

use super::remaining::{nothing_left, said};
use crate::import::{Diagnostic, Import, Severity};

/// Errors by which rule, and where.
#[derive(Debug, Default)]
pub(super) struct Faults(HashSet<(&'static str, String)>);

impl Faults {
    /// Those of a file.
    pub(super) fn of(import: &Import) -> Self {
        let faults = data_faults(import).map(|it| (it.code, it.pointer.clone()));
        Self(faults.collect())
    }

    /// Why the same file as it is now does not take the place of what was read before; where the user asks for it as it is,
    /// only that there is nothing in it.
    pub(super) fn reason_to_keep(&self, now: &Import, is_asked: bool) -> Option<String> {
        match nothing_left(now) {
            Some(reason) => Some(reason.join("\n")),
            None if is_asked => None,
            None => self.reason_to_wait(now),
        }
    }

    /// Why the same file as it is now may be about to be written to its end.
    pub(super) fn reason_to_wait(&self, now: &Import) -> Option<String> {
        let fault = self.new_in(now)?;
        Some(format!("{fault}\nF5 shows it as it is."))
    }

    /// What is wrong with the data of the same file now that was not before: it was not written to its end, or its buffers do
    /// not fit it yet.
    fn new_in(&self, import: &Import) -> Option<String> {
        let is_new = |it: &&Diagnostic| !self.0.contains(&(it.code, it.pointer.clone()));
        data_faults(import).find(is_new).map(said)
    }
}

/// Errors in what a model is made of, and not in what it says: the file itself, buffers, images.
fn data_faults(import: &Import) -> impl Iterator<Item = &Diagnostic> {
    let errors = import.diagnostics.iter();
    errors.filter(|it| {
        let parts = ["/buffers", "/bufferViews", "/images"];
        it.severity == Severity::Error
            && (it.pointer.is_empty() || parts.iter().any(|part| it.pointer.starts_with(part)))
    })
}
