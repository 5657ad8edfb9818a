//! Words that many findings share: how many there are of something, and what a file calls it.

/// So many of something: `1 index`, `3 indices`.
pub(crate) fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// The same as a statement: `there is 1 index`.
pub(in crate::import) fn there_are(count: usize, one: &str, many: &str) -> String {
    let verb = if count == 1 { "is" } else { "are" };
    format!("there {verb} {}", counted(count, one, many))
}

/// A text from a file, cut to a length fit for a message.
pub(in crate::import) fn shorten(text: &str) -> String {
    const LONGEST: usize = 80;
    let end = text.char_indices().nth(LONGEST).map(|(end, _)| end);
    match end.and_then(|end| text.get(..end)) {
        Some(start) => format!("{start}…"),
        None => text.to_owned(),
    }
}
