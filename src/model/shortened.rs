//! Names from files in sentences.

use std::borrow::Cow;

/// A name, cut to a length fit for a line: files may have one of a million letters, which JSON prints whole.
pub fn shortened(name: &str) -> Cow<'_, str> {
    const LONGEST: usize = 80;
    let cut = name.char_indices().nth(LONGEST);
    match cut.and_then(|(end, _)| name.get(..end)) {
        Some(start) => Cow::Owned(format!("{start}…")),
        None => Cow::Borrowed(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cut_where_no_line_bears_them() {
        assert_eq!(shortened("Walk"), "Walk");
        let name = "å".repeat(80);
        assert!(matches!(shortened(&name), Cow::Borrowed(same) if same == name));
        assert_eq!(shortened(&(name.clone() + "b")), name + "…");
    }
}
