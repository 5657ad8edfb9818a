//! Words that many findings share: how many there are of something, and what a file calls it.

use std::{borrow::Cow, ffi::OsStr, fmt};

use crate::model::shortened;

/// What is said of one, or of any other number.
pub(in crate::import) fn of_count<'w, N>(count: N, one: &'w str, many: &'w str) -> &'w str
where
    N: PartialEq + From<u8>,
{
    if count == N::from(1) { one } else { many }
}

/// So many of something: `1 index`, `3 indices`.
pub(crate) fn counted<N>(count: N, one: &str, many: &str) -> String
where
    N: fmt::Display + Copy + PartialEq + From<u8>,
{
    format!("{count} {}", of_count(count, one, many))
}

/// [`counted`] as a statement: `there is 1 index`.
pub(in crate::import) fn there_are<N>(count: N, one: &str, many: &str) -> String
where
    N: fmt::Display + Copy + PartialEq + From<u8>,
{
    let verb = of_count(count, "is", "are");
    format!("there {verb} {}", counted(count, one, many))
}

/// So many of some names, and how many more there are.
pub(crate) fn first_few(names: impl Iterator<Item = String>, shown: usize) -> String {
    let mut names = names;
    let few: Vec<_> = names.by_ref().take(shown).collect();
    let few = few.join(", ");
    match names.count() {
        0 => few,
        more => format!("{few} and {more} more"),
    }
}

/// A path or a part of one as text. Bytes that are no UTF-8 are written as their numbers, such as `\xFF`, so that other paths
/// are other texts, but for those that spell out such numbers.
pub fn legible(path: &OsStr) -> Cow<'_, str> {
    if let Some(text) = path.to_str() {
        return Cow::Borrowed(text);
    }
    let text = path.as_encoded_bytes().utf8_chunks().map(|chunk| {
        let bytes = chunk.invalid().iter();
        let numbers: String = bytes.map(|byte| format!("\\x{byte:02X}")).collect();
        format!("{}{numbers}", chunk.valid())
    });
    Cow::Owned(text.collect())
}

/// A text from a file, cut to a length fit for a message. It is written out where the message is.
pub(in crate::import) fn shorten(text: &str) -> Shortened<'_> {
    Shortened(text)
}

/// What [`shorten`] gives.
#[derive(Debug, Clone, Copy)]
pub(in crate::import) struct Shortened<'t>(&'t str);

impl fmt::Display for Shortened<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shortened(self.0))
    }
}

#[cfg(test)]
mod tests {
    #[cfg(unix)]
    #[test]
    fn bytes_that_are_no_text_are_told_apart() {
        use std::{ffi::OsStr, os::unix::ffi::OsStrExt as _};

        let told = |name: &[u8]| super::legible(OsStr::from_bytes(name)).into_owned();
        assert_eq!(told("å b.glb".as_bytes()), "å b.glb");
        assert_eq!(told(b"\xff.glb"), r"\xFF.glb");
        assert_eq!(told(b"caf\xe9/\xc5ke.glb"), r"caf\xE9/\xC5ke.glb");
    }
}
