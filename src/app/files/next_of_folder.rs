//! A folder whose first model cannot be read: the next one that can be is shown, and those before it are named.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::{browsing::natural_order, loading::nothing_left};
use crate::import::{self, Consent, Diagnostic, Import, Progress, Severity, is_model_name};

/// Of a folder full of broken files no more than these are read.
const MOST: usize = 30;
/// Files that are named.
const NAMED: usize = 3;

/// Reads the model that these files are; of a folder, if the user is content with the first of it, the first that can be read.
pub(super) fn open(
    files: &[PathBuf],
    consent: &Consent,
    progress: &Progress,
) -> anyhow::Result<Import> {
    let first = import::open(files, consent, progress);
    let [folder] = files else {
        return first;
    };
    let is_chosen = consent.model.is_some() || !consent.first_of_several;
    if is_chosen || is_shown_or_cancelled(&first) || !folder.is_dir() {
        return first;
    }
    let mut unread = Vec::new();
    for name in models_in(folder).into_iter().take(MOST) {
        let consent = Consent {
            model: Some(name.clone()),
            ..consent.clone()
        };
        match import::open(files, &consent, progress) {
            Ok(mut import) if nothing_left(&import).is_none() => {
                if !unread.is_empty() {
                    import.diagnostics.extend([unread_note(&unread)]);
                }
                return Ok(import);
            }
            Err(error) if import::is_cancelled(&error) => return Err(error),
            _ => unread.push(name),
        }
    }
    match &unread[..] {
        // Which of them it was is not known otherwise.
        [name, ..] => first.map_err(|error| error.context(name.clone())),
        [] => first,
    }
}

fn is_shown_or_cancelled(result: &anyhow::Result<Import>) -> bool {
    match result {
        Ok(import) => nothing_left(import).is_none(),
        Err(error) => import::is_cancelled(error),
    }
}

/// The models that lie in a folder itself, in the order in which they are gone through.
fn models_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let models = entries.filter(|entry| is_model_name(&entry.path()) && entry.path().is_file());
    let names = models.filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<_> = names.collect();
    names.sort_by(|a, b| natural_order(a, b));
    names
}

fn unread_note(unread: &[String]) -> Diagnostic {
    let mut names = unread[..unread.len().min(NAMED)].join(", ");
    let more = unread.len().saturating_sub(NAMED);
    if more > 0 {
        names += &format!(" and {more} more");
    }
    Diagnostic {
        severity: Severity::Info,
        code: import::SEVERAL_MODELS,
        pointer: String::new(),
        message: format!("before it {names} could not be read"),
        action: "the next model of the folder is shown".to_owned(),
        others: Vec::new(),
    }
}
