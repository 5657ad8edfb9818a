//! Looking through folders, breadth first and without following links to other folders.

use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::{Context as _, bail};

use super::choose::is_model;
use crate::import::{
    base::{progress::Progress, wording::legible},
    files::sandbox::GivenFile,
};

/// How many files and folders are looked at before giving up.
const MAX_ENTRIES: usize = 100_000;
/// How deep folders are looked into.
const MAX_LEVELS: usize = 32;

/// The models in the folders nearest to `root` that have any: what they are called, with slashes from there, and their paths,
/// which are others where these are no text.
pub(super) fn shallowest_models(
    root: &Path,
    progress: &Progress,
) -> anyhow::Result<Vec<(String, PathBuf)>> {
    let mut walk = Walk::new(progress);
    let mut level = vec![(String::new(), PathBuf::new())];
    for _ in 0..MAX_LEVELS {
        let (mut models, mut below) = (Vec::new(), Vec::new());
        for (above, folder) in &level {
            let found = walk.list(&root.join(folder))?;
            for (entry, is_folder) in found {
                let name = entry.file_name().unwrap_or_default();
                let path = folder.join(name);
                let called = match above.as_str() {
                    "" => legible(name).into_owned(),
                    above => format!("{above}/{}", legible(name)),
                };
                if is_folder && !is_hidden(name) {
                    below.push((called, path));
                } else if !is_folder && is_model(&called) {
                    models.push((called, path));
                }
            }
        }
        if !models.is_empty() {
            return Ok(models);
        }
        if below.is_empty() {
            break;
        }
        level = below;
    }
    Ok(Vec::new())
}

/// All files below a folder. A link in it is one of them only if it leads to a file in it: who gives a folder gives what
/// lies there, and not what others have it refer to.
pub(super) fn all_files(root: &Path, progress: &Progress) -> anyhow::Result<Vec<GivenFile>> {
    let inside: Arc<Path> = root.canonicalize()?.into();
    let stays = |path: &Path| {
        let target = path.canonicalize();
        target.is_ok_and(|target| target.starts_with(&inside))
    };
    let mut walk = Walk::new(progress);
    let mut files = Vec::new();
    let mut level = vec![root.to_owned()];
    for _ in 0..MAX_LEVELS {
        let mut below = Vec::new();
        for folder in &level {
            for (path, is_folder) in walk.list(folder)? {
                if is_folder {
                    if !path.file_name().is_some_and(is_hidden) {
                        below.push(path);
                    }
                } else if stays(&path) {
                    files.push(path);
                }
            }
        }
        level = below;
    }
    files.sort_unstable();
    let files = files.into_iter().map(|path| GivenFile {
        path,
        root: Some(Arc::clone(&inside)),
    });
    Ok(files.collect())
}

/// Whether a folder of this name, such as `.git`, is not meant when the one above it is given.
fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

/// Counts what was looked at.
struct Walk<'p> {
    progress: &'p Progress,
    seen: usize,
}

impl<'p> Walk<'p> {
    fn new(progress: &'p Progress) -> Self {
        Self { progress, seen: 0 }
    }

    /// What lies in a folder: the path, and whether it is a folder itself (a link to one is not).
    fn list(&mut self, folder: &Path) -> anyhow::Result<Vec<(PathBuf, bool)>> {
        let mut found = Vec::new();
        let name = || folder.display().to_string();
        for entry in fs::read_dir(folder).with_context(name)? {
            self.progress.check()?;
            self.seen = self.seen.saturating_add(1);
            if self.seen > MAX_ENTRIES {
                bail!("there are too many files to look for a model among them");
            }
            let entry = entry.with_context(name)?;
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            found.push((entry.path(), is_folder));
        }
        Ok(found)
    }
}
