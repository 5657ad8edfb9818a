//! A relative path as a URI states it, taken apart without a look at any disk.

/// A relative path without `.`, and with `..` only at its front.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Name {
    /// How many folders it climbs first.
    pub climbs: usize,
    /// Folders, and the file.
    pub parts: Vec<String>,
}

impl Name {
    /// Takes a path apart; none if it is absolute.
    pub(super) fn of(path: &str) -> Option<Self> {
        if path.starts_with(is_separator) {
            return None;
        }
        let (mut climbs, mut parts) = (0_usize, Vec::new());
        for part in path.split(is_separator) {
            match part {
                "" | "." => {}
                ".." => {
                    if parts.pop().is_none() {
                        climbs = climbs.saturating_add(1);
                    }
                }
                // A drive, or a second stream of a file.
                _ if cfg!(windows) && part.contains(':') => return None,
                _ => parts.push(part.to_owned()),
            }
        }
        Some(Self { climbs, parts })
    }

    /// The path from the root of a tree, for a name that a file in the folder `base` of it states; none if it climbs out.
    pub(super) fn below(&self, base: &[String]) -> Option<Vec<String>> {
        let kept = base.len().checked_sub(self.climbs)?;
        let folders = base.get(..kept)?;
        Some(folders.iter().chain(&self.parts).cloned().collect())
    }
}

/// Whether a character parts folders on this system.
fn is_separator(c: char) -> bool {
    c == '/' || (cfg!(windows) && c == '\\')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn climbing_is_counted_and_not_followed() {
        let name = |path| Name::of(path).map(|name| (name.climbs, name.parts.join("/")));
        assert_eq!(name("a/b.bin"), Some((0, "a/b.bin".to_owned())));
        assert_eq!(name("./a//../b.bin"), Some((0, "b.bin".to_owned())));
        assert_eq!(name("a/../../b.bin"), Some((1, "b.bin".to_owned())));
        assert_eq!(name("../../b.bin"), Some((2, "b.bin".to_owned())));
        assert_eq!(name("/b.bin"), None);
    }

    #[test]
    fn a_name_stays_below_the_root() {
        let base = ["x".to_owned(), "y".to_owned()];
        let below = |path| Some(Name::of(path)?.below(&base)?.join("/"));
        assert_eq!(below("a.bin").as_deref(), Some("x/y/a.bin"));
        assert_eq!(below("../../a.bin").as_deref(), Some("a.bin"));
        assert_eq!(below("../../../a.bin"), None);
    }
}
