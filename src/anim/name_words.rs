//! What names of nodes are made of, as the tools write them that made the rigs.

use std::ops::Range;

/// A name without what tools put in front of it: `mixamorig:` or `Armature|`.
pub(super) fn without_prefix(name: &str) -> &str {
    name.rsplit([':', '|']).next().unwrap_or(name)
}

/// Where the words of a name are, in bytes: they end where letters end or a capital begins.
pub(super) fn words(name: &str) -> Vec<Range<usize>> {
    let mut words = Vec::new();
    let mut start = None;
    let mut before: Option<char> = None;
    for (at, letter) in name.char_indices() {
        let begins = letter.is_uppercase() && before.is_some_and(char::is_lowercase);
        if let Some(from) = start
            && (begins || !letter.is_alphabetic())
        {
            words.push(from..at);
            start = None;
        }
        if start.is_none() && letter.is_alphabetic() {
            start = Some(at);
        }
        before = Some(letter);
    }
    words.extend(start.map(|from| from..name.len()));
    words
}

/// The words of a name in lower case, without what tools put in front of it.
pub(super) fn lower_words(name: &str) -> Vec<String> {
    let tail = without_prefix(name);
    let words = words(tail).into_iter();
    let lower = |word: &str| word.chars().flat_map(char::to_lowercase).collect();
    words.map(|range| lower(&tail[range])).collect()
}
