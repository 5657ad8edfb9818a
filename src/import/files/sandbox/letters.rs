//! Files whose names differ from what a model says in capital letters alone, or in how Unicode composes them: where models
//! are made, that is often the same.
//!
//! Limit: a folder that is swapped for a link at just the moment between the look at it and its listing shows its names; no
//! file in it is opened.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    fs,
    path::{Path, PathBuf},
};

use unicode_normalization::UnicodeNormalization as _;

use super::{
    Place,
    name::Name,
    place::{FoundFile, path_below},
};

/// The most names that are looked at of all folders, and of an archive.
const MAX_NAMES: usize = 65_536;

/// What was listed so far, each once.
#[derive(Debug, Default)]
pub(super) struct Listings {
    /// The names in each folder; none for a folder of too many names, or that cannot be listed.
    folders: HashMap<PathBuf, Option<Listing>>,
    /// The names in the archive, if they were asked for.
    archive: Option<Listing>,
    listed: usize,
}

/// Names as they are, by what is left of them in [`plain`] letters; none where several are the same then.
#[derive(Debug, Default)]
struct Listing(BTreeMap<String, Option<String>>);

impl Listing {
    fn of(names: impl Iterator<Item = String>) -> Self {
        let mut listing = Self::default();
        for name in names {
            let same = listing.0.entry(plain(&name));
            same.and_modify(|it| *it = None).or_insert(Some(name));
        }
        listing
    }

    fn find(&self, name: &str) -> Option<String> {
        self.0.get(&plain(name))?.clone()
    }
}

/// A name in small letters, each apart from its accents: the same for all that differ in that alone (Unicode 16 §3.13,
/// D145).
pub(super) fn plain(name: &str) -> String {
    let small = name.nfd().flat_map(char::to_lowercase);
    small.nfd().collect()
}

/// Whether two names are the same text, composed otherwise (Unicode Standard Annex 15).
pub(super) fn are_canonically_equal(a: &str, b: &str) -> bool {
    a.nfd().eq(b.nfd())
}

impl Listings {
    /// The one file of a place that has this name in [`plain`] letters, and how it is written.
    pub(super) fn find(&mut self, place: &Place, name: &Name) -> Option<(FoundFile, String)> {
        match place {
            Place::Folder { root, base } => self.find_in_folder(root, base, name),
            Place::Given(files) => files.in_other_letters(name.parts.last()?),
            Place::Archive { archive, base } => {
                let path = name.below(base)?.join("/");
                let list = || Listing::of(archive.names().map(str::to_owned));
                let path = self.archive.get_or_insert_with(list).find(&path)?;
                Some((FoundFile::Entry(path.clone()), path))
            }
        }
    }

    /// Looks part by part, so that no folder is listed but those on the way; none of them lies outside of the root.
    fn find_in_folder(
        &mut self,
        root: &Path,
        base: &[String],
        name: &Name,
    ) -> Option<(FoundFile, String)> {
        let start = Name {
            climbs: name.climbs,
            parts: Vec::new(),
        };
        let mut path = path_below(root, base, &start);
        let mut written = Vec::new();
        for part in &name.parts {
            // Links are resolved first and the target is judged.
            let folder = path.canonicalize().ok();
            let folder = folder.filter(|folder| folder.starts_with(root))?;
            let own = if folder.join(part).symlink_metadata().is_ok() {
                part.clone()
            } else {
                self.listing(&folder)?.find(part)?
            };
            path = folder.join(&own);
            written.push(own);
        }
        let path = path.canonicalize().ok()?;
        let root = path.starts_with(root).then(|| root.to_owned())?;
        let root = Some(root);
        Some((FoundFile::Path { path, root }, written.join("/")))
    }

    fn listing(&mut self, folder: &Path) -> Option<&Listing> {
        if !self.folders.contains_key(folder) {
            let listing = self.list(folder);
            self.folders.insert(folder.to_owned(), listing);
        }
        self.folders.get(folder)?.as_ref()
    }

    fn list(&mut self, folder: &Path) -> Option<Listing> {
        let left = MAX_NAMES.saturating_sub(self.listed);
        if left == 0 {
            return None;
        }
        let entries = fs::read_dir(folder).ok()?.flatten().take(left);
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        let names: HashSet<String> = names.collect();
        self.listed = self.listed.saturating_add(names.len());
        // Among names that were not looked at, one more may be the same but for its letters.
        (names.len() < left).then(|| Listing::of(names.into_iter()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_where_only_one_is_meant() {
        let names = ["Skin.PNG", "ÄRMEL.png", "a.bin", "A.bin"];
        let listing = Listing::of(names.into_iter().map(str::to_owned));
        assert_eq!(listing.find("skin.png").as_deref(), Some("Skin.PNG"));
        assert_eq!(listing.find("ärmel.png").as_deref(), Some("ÄRMEL.png"));
        assert_eq!(listing.find("a.BIN"), None);
        assert_eq!(listing.find("b.bin"), None);
    }

    #[test]
    fn letters_are_the_same_however_they_are_composed() {
        let (whole, apart) = ("h\u{e9}ros.png", "he\u{301}ros.png");
        for (is, wanted) in [(whole, apart), (apart, whole), (whole, "HE\u{301}ROS.png")] {
            let listing = Listing::of(std::iter::once(is.to_owned()));
            assert_eq!(listing.find(wanted).as_deref(), Some(is));
        }
        let listing = Listing::of([whole, apart].into_iter().map(str::to_owned));
        assert_eq!(listing.find("H\u{c9}ROS.png"), None);
        assert!(are_canonically_equal(whole, apart));
        assert!(!are_canonically_equal(whole, "heros.png"));
    }
}
