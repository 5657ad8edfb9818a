//! A folder, an archive, or files given together, whose first model cannot be read: the next one that can be is shown, and
//! those before it are named.

use std::path::{Path, PathBuf};

use super::remaining::nothing_left;
use crate::import::{
    self, Consent, Diagnostic, Import, Place, Progress, Severity, is_model_name, is_motion_name,
};

/// Of a folder full of broken files no more than these are read.
const MOST: usize = 30;
/// Files that are named.
const NAMED: usize = 3;
/// What is said of them begins so.
const BEFORE: &str = "before it ";

/// Reads the model that these files are; of a folder or an archive, if the user is content with the first of it, the first
/// that can be read.
pub(super) fn open(
    files: &[PathBuf],
    consent: &Consent,
    progress: &Progress,
) -> anyhow::Result<Import> {
    let first = import::open(files, consent, progress);
    let [holder] = files else {
        return first;
    };
    let is_chosen = consent.model.is_some() || !consent.first_of_several;
    if is_chosen || is_settled(&first) || is_model_name(holder) {
        return first;
    }
    let models = match &first {
        Ok(import) => import.models.clone(),
        Err(_) => import::models_in(holder, progress).unwrap_or_default(),
    };
    // The first of them was read already.
    let mut names = models.into_iter();
    let mut unread: Vec<_> = names.by_ref().take(1).collect();
    for name in names.take(MOST - 1) {
        let consent = Consent {
            model: Some(name.clone()),
            ..consent.clone()
        };
        match import::open(files, &consent, progress) {
            Ok(mut import) if nothing_left(&import).is_none() => {
                import.diagnostics.extend([unread_note(&unread)]);
                return Ok(import);
            }
            Err(error) if import::is_cancelled(&error) => return Err(error),
            _ => unread.push(name),
        }
    }
    first
}

/// As [`open`], and of several models that were given together the first that can be read.
pub(super) fn open_passing(
    files: &[PathBuf],
    consent: &Consent,
    progress: &Progress,
) -> anyhow::Result<Import> {
    let first = open(files, consent, progress);
    let is_chosen = consent.model.is_some() || !consent.first_of_several;
    // One that is not there would be missed by all of them.
    let is_no_model = |file: &PathBuf| file.is_dir() || import::check_is_there(file).is_err();
    if is_chosen || is_settled(&first) || files.iter().any(is_no_model) {
        return first;
    }
    let mut models: Vec<_> = files.iter().filter(|file| is_model_name(file)).collect();
    // In the order in which they are tried.
    models.sort_by_key(|file| is_motion_name(file));
    let mut unread = Vec::new();
    for pair in models.windows(2).take(MOST - 1) {
        let name = pair[0].file_name().unwrap_or_default();
        unread.push(name.to_string_lossy().into_owned());
        match import::open(&from_model(files, pair[1]), consent, progress) {
            Ok(mut import) if nothing_left(&import).is_none() => {
                import.diagnostics.extend([unread_note(&unread)]);
                return Ok(import);
            }
            Err(error) if import::is_cancelled(&error) => return Err(error),
            _ => {}
        }
    }
    first
}

/// These files without the models before that one.
pub(super) fn from_model(files: &[PathBuf], first: &Path) -> Vec<PathBuf> {
    let mut is_before = true;
    let mut kept = files.to_vec();
    kept.retain(|file| {
        is_before &= file != first;
        !is_before || !is_model_name(file)
    });
    kept
}

/// That models before the one that is shown could not be read, as the beginning of a sentence.
pub(super) fn unread_words(import: &Import) -> Option<&str> {
    let mut found = import.diagnostics.iter();
    let is_it =
        |it: &&Diagnostic| it.code == import::SEVERAL_MODELS && it.message.starts_with(BEFORE);
    found.find(is_it).map(|it| &*it.message)
}

/// Whether there is nothing else to try: it can be shown, or could be if the user agreed, or was given up.
fn is_settled(result: &anyhow::Result<Import>) -> bool {
    match result {
        Ok(import) => nothing_left(import).is_none() || !import.outside.is_empty(),
        Err(error) => import::is_cancelled(error) || import::is_unsupported(error),
    }
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
        message: format!("{BEFORE}{names} could not be read"),
        action: "the next model is shown".to_owned(),
        place: Place::default(),
        others: Vec::new(),
    }
}
