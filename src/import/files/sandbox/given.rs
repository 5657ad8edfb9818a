//! Files that were given by name, wherever they lie, and those in a folder that was given. There may be thousands, and as
//! many names to be found among them.

use std::{
    cell::OnceCell,
    collections::HashMap,
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{letters::plain, place::FoundFile};

/// A file that was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::import) struct GivenFile {
    pub path: PathBuf,
    /// The folder that was given, if not the file itself was, as the system writes it: the file must lie there when it is
    /// opened, whatever it was when the folder was looked through.
    pub root: Option<Arc<Path>>,
}

impl GivenFile {
    /// One that was given itself.
    pub(in crate::import) fn itself(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            root: None,
        }
    }
}

/// All of them, in their order.
#[derive(Debug, Default)]
pub(in crate::import) struct GivenFiles {
    files: Vec<GivenFile>,
    /// Places of the files of each file name.
    by_name: HashMap<OsString, Vec<usize>>,
    /// Place of the file of each name in [`plain`] letters; none where several have it.
    by_plain_name: OnceCell<HashMap<String, Option<usize>>>,
}

impl GivenFiles {
    pub(in crate::import) fn new(files: Vec<GivenFile>) -> Self {
        let mut by_name: HashMap<OsString, Vec<usize>> = HashMap::new();
        for (place, file) in files.iter().enumerate() {
            if let Some(name) = file.path.file_name() {
                by_name.entry(name.to_owned()).or_default().push(place);
            }
        }
        Self {
            files,
            by_name,
            by_plain_name: OnceCell::new(),
        }
    }

    /// The given files that have this name.
    pub(super) fn named(&self, name: &str) -> impl Iterator<Item = &GivenFile> {
        let places = self.by_name.get(OsStr::new(name));
        let places = places.map(Vec::as_slice).unwrap_or_default();
        places.iter().filter_map(|&place| self.files.get(place))
    }

    /// The only one whose file name is this in [`plain`] letters, and how it is written.
    pub(super) fn in_other_letters(&self, name: &str) -> Option<(FoundFile, String)> {
        let by_plain_name = self.by_plain_name.get_or_init(|| {
            let mut found = HashMap::new();
            let own = |(place, file): (usize, &GivenFile)| {
                let name = file.path.file_name()?.to_str()?;
                Some((place, plain(name)))
            };
            for (place, name) in self.files.iter().enumerate().filter_map(own) {
                let same = found.entry(name);
                same.and_modify(|it| *it = None).or_insert(Some(place));
            }
            found
        });
        let place = (*by_plain_name.get(&plain(name))?)?;
        let file = self.files.get(place)?;
        let own = file.path.file_name()?.to_str()?;
        Some((FoundFile::given(file), own.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    /// As many names as files, none of which is there.
    #[test]
    fn many_names_are_sought_among_many_files() {
        const MANY: usize = 10_000;
        let file = |place: usize| GivenFile {
            path: format!("folder/{place}.png").into(),
            root: None,
        };
        let files = GivenFiles::new((0..MANY).map(file).collect());
        assert_eq!(files.named("7.png").count(), 1);
        assert_eq!(files.in_other_letters("7.PNG").unwrap().1, "7.png");
        let start = Instant::now();
        for name in 0..MANY {
            let name = format!("{name}.jpg");
            assert_eq!(files.named(&name).count(), 0);
            assert!(files.in_other_letters(&name).is_none());
        }
        // A hundred times what it takes; name by name and file by file it takes minutes.
        assert!(start.elapsed().as_secs() < 10);
    }
}
