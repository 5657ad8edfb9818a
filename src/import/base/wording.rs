//! Words that many findings share: how many there are of something, and what a file calls it.

use std::fmt;

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
