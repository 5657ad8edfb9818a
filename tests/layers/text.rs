//! What comments may not say: rules about their words, whatever layer a file is in.

use std::path::Path;

use super::{files_under, read};

/// Docs that begin with a pointer to the item above: in an editor, and once an item has moved, nobody knows what is meant.
pub(crate) fn leaning(name: &str, source: &str) -> Vec<String> {
    let leans = (1..).zip(source.lines()).filter(|(_, line)| {
        let line = line.trim_start();
        let text = line.strip_prefix("///").or(line.strip_prefix("//!"));
        text.is_some_and(|text| text.starts_with(" The same"))
    });
    let found = leans.map(|(number, _)| {
        format!("{name}:{number}: \"The same ...\" does not say what: name the subject")
    });
    found.collect()
}

/// Twins that are not where a comment says: ``Twin: FILE `name` ``, `` `name` in `FILE` ``, `layer::name`, or
/// `` `name` of the shaders``. Files are named from the project's or from `src`.
pub(crate) fn lost_twins(name: &str, source: &str, project: &Path) -> Vec<String> {
    let said = twins(source);
    let lost = said.iter().filter_map(|(line, twin)| {
        let why = lost(twin, project)?;
        Some(format!("{name}:{line}: Twin: {twin}: {why}"))
    });
    lost.collect()
}

/// What stands behind each `Twin:`, up to the end of the sentence, with its line.
pub(crate) fn twins(source: &str) -> Vec<(usize, String)> {
    let lines: Vec<&str> = source.lines().map(str::trim_start).collect();
    let is_comment = |line: &&&str| line.starts_with("//");
    let mut found = Vec::new();
    for (place, line) in lines
        .iter()
        .enumerate()
        .filter(|(_, line)| is_comment(line))
    {
        let said = line.split_once(" Twin:").or(line.split_once(" Twin of "));
        let Some((_, first)) = said else { continue };
        let more = lines[place + 1..].iter().take_while(is_comment);
        let more = more.map(|line| line.trim_start_matches(['/', '!', ' ']));
        let text: Vec<&str> = std::iter::once(first.trim_start()).chain(more).collect();
        let text = text.join(" ");
        let sentence = text
            .split_once(". ")
            .map_or(&*text, |(sentence, _)| sentence);
        found.push((place + 1, sentence.trim_end_matches('.').to_owned()));
    }
    found
}

/// Why a twin is not where `said` has it.
fn lost(said: &str, project: &Path) -> Option<String> {
    let words = said
        .split([' ', ','])
        .map(|word| word.trim_matches(['`', ':', '(', ')']));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let is_file = |word: &&&str| word.ends_with(".rs") || word.ends_with(".wgsl");
    let quoted: Vec<&str> = said.split('`').skip(1).step_by(2).collect();
    let quoted = quoted
        .into_iter()
        .filter(|name| !is_file(&name))
        .flat_map(last);
    let mut names: Vec<&str> = quoted.collect();
    let mut files = Vec::new();
    for word in words.iter().filter(is_file) {
        let places = [project.join(word), project.join("src").join(word)];
        let Some(place) = places.into_iter().find(|place| place.is_file()) else {
            return Some(format!("there is no {word}"));
        };
        files.push(place);
    }
    if let Some(path) = words.iter().find(|word| word.contains("::")) {
        let layer = path.split("::").next().unwrap_or_default();
        files.extend(files_under(&project.join("src").join(layer), &["rs"]));
        names.extend(last(path));
    } else if files.is_empty() {
        files.extend(files_under(&project.join("shaders"), &["wgsl"]));
    }
    if names.is_empty() && !words.iter().any(|word| is_file(&word)) {
        return Some("it names nothing".to_owned());
    }
    let texts: Vec<String> = files.iter().map(|file| read(file)).collect();
    let lost = names
        .into_iter()
        .find(|name| !texts.iter().any(|text| defines(text, name)));
    lost.map(|name| format!("nothing there is called {name}"))
}

/// The name at the end of a path.
fn last(path: &str) -> Option<&str> {
    path.rsplit("::").next().filter(|name| !name.is_empty())
}

/// Whether a source has an item of this name, or a macro's.
fn defines(source: &str, name: &str) -> bool {
    let kinds = [
        "fn",
        "struct",
        "enum",
        "const",
        "static",
        "mod",
        "type",
        "macro_rules!",
    ];
    kinds.iter().any(|kind| {
        let item = format!("{kind} {name}");
        let mut rests = source
            .match_indices(&item)
            .map(|(at, _)| &source[at + item.len()..]);
        rests.any(|rest| !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_'))
    })
}
