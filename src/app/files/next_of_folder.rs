//! A folder, or files given together, whose first model cannot be read: the next one that can be is shown, and those before
//! it are named.

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
/// What is said of them begins so.
const BEFORE: &str = "before it ";

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
    if is_chosen || is_settled(&first) || !folder.is_dir() {
        return first;
    }
    let mut names = models_in(folder);
    let Some(meant) = preferred(&names, folder).cloned() else {
        return first;
    };
    // That one was read already.
    names.retain(|name| *name != meant);
    let mut unread = vec![meant.clone()];
    for name in names.into_iter().take(MOST - 1) {
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
    // Which of them it was is not known otherwise.
    first.map_err(|error| error.context(meant))
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
    let models: Vec<_> = files.iter().filter(|file| is_model_name(file)).collect();
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

/// The models that lie in a folder itself, in the order in which they are gone through.
fn models_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let models = entries.filter(|entry| is_model_name(&entry.path()) && entry.path().is_file());
    let names = models.filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<_> = names.collect();
    names.sort_by(|a, b| natural_order(a, b));
    names
}

/// The model of a folder that [`import::open`] reads where the user is content with the first: the one that is named like the
/// folder, or "scene", and of a .gltf and a .glb of the same name the latter; else the first by its letters.
fn preferred<'n>(names: &'n [String], folder: &Path) -> Option<&'n String> {
    let folder = folder.canonicalize().ok()?;
    let title = folder.file_name().unwrap_or_default().to_string_lossy();
    let named = |wanted: &str| -> Vec<_> {
        let named = names.iter();
        named.filter(|name| is_stem_of(wanted, name)).collect()
    };
    let groups = [names.iter().collect(), named(&title), named("scene")];
    let obvious = groups.iter().find_map(|group| only_one(group));
    obvious.or_else(|| names.iter().min())
}

/// The only model of some, if they are not several.
fn only_one<'n>(names: &[&'n String]) -> Option<&'n String> {
    let (first, others) = names.split_first()?;
    if others.is_empty() {
        return Some(first);
    }
    let is_one_name = others.iter().all(|name| is_stem_of(stem(first), name));
    let is_binary = |name: &&&String| name.to_ascii_lowercase().ends_with(".glb");
    let mut binary = names.iter().filter(is_binary);
    match (is_one_name, binary.next(), binary.next()) {
        (true, Some(&one), None) => Some(one),
        _ => None,
    }
}

fn is_stem_of(wanted: &str, name: &str) -> bool {
    stem(name).eq_ignore_ascii_case(wanted)
}

fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
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
        others: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::files::browsing::viewer_consent;

    /// Which one is meant is the importer's to say.
    #[test]
    fn what_is_preferred_is_what_is_opened() {
        let root = std::env::temp_dir().join(format!("rigscope-preferred-{}", std::process::id()));
        let folder = root.join("Fox");
        for names in [
            &["cat.gltf"][..],
            &["cat.gltf", "fox.gltf"],
            &["cat.gltf", "fox.gltf", "Fox.glb"],
            &["cat.gltf", "cat.glb"],
            &["cat.gltf", "cat.vrm"],
            &["part.glb", "scene.gltf"],
            &["scene.gltf", "fox.vrm"],
            &["b.glb", "a10.glb", "a2.glb", "B.gltf", "notes.txt"],
            &["fox.vrm", "fox.gltf", "scene.glb", "scene.vrm", "a.glb"],
        ] {
            let _ = fs::remove_dir_all(&root);
            fs::create_dir_all(&folder).unwrap();
            for name in names {
                fs::write(folder.join(name), r#"{"asset": {"version": "2.0"}}"#).unwrap();
            }
            let given = [folder.clone()];
            let import = import::open(&given, &viewer_consent(), &Progress::default());
            let opened = import.unwrap().within;
            let found = models_in(&folder);
            assert_eq!(preferred(&found, &folder), opened.as_ref(), "{names:?}");
        }
        fs::remove_dir_all(&root).unwrap();
    }
}
