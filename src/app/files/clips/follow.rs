//! The files whose clips were added, on disk: which of them are to be read again when one is saved.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{ClipNews, Deliver};
use crate::{
    app::{
        files::{
            faults::Faults,
            watch::{FilesAsRead, Watcher},
        },
        motion::{Borrowings, ClipFile},
    },
    import::Import,
};

/// What was read of a file whose clips were added.
#[derive(Debug)]
struct Known {
    path: PathBuf,
    /// What was wrong with its data already.
    faults: Faults,
    /// The files that were read of it, or looked for.
    files: FilesAsRead,
}

/// What is known of these files, and what tells of their changes.
#[derive(Debug, Default)]
pub(super) struct FollowedClips {
    known: Vec<Known>,
    /// None before the first file, and where no thread can be started to watch; then the user reads them again by hand.
    watcher: Option<Watcher>,
}

impl FollowedClips {
    fn of(&mut self, path: &Path) -> Option<&mut Known> {
        self.known.iter_mut().find(|known| known.path == path)
    }

    /// Takes note of what was read of a file whose clips were added.
    pub(super) fn take(&mut self, path: &Path, faults: Faults, files: FilesAsRead) {
        match self.of(path) {
            Some(known) => (known.faults, known.files) = (faults, files),
            None => self.known.push(Known {
                path: path.to_owned(),
                faults,
                files,
            }),
        }
    }

    /// The clips of a file stay as they were. What it names now may come later: a save of several files may begin with the one
    /// that names the others.
    pub(super) fn keep(&mut self, path: &Path, files: FilesAsRead) {
        if let Some(known) = self.of(path) {
            // Also what was read before: it was seen as it is now, and is not to be told of once more.
            known.files.extend(files);
        }
    }

    /// Why what was read of a file again does not take the place of what was read before: it is broken as it was not then.
    pub(super) fn reason_to_wait(&mut self, path: &Path, now: &Import) -> Option<String> {
        self.of(path)?.faults.reason_to_wait(now)
    }

    /// Forgets what is no more among the files whose clips were added. True if there was any.
    fn forget_others(&mut self, borrowed: &Borrowings) -> bool {
        let count = self.known.len();
        self.known
            .retain(|known| borrowed.files().any(|file| file.path == known.path));
        self.known.len() < count
    }

    /// Which of the files whose clips were added are to be read again, as these have changed. What is no more among them is
    /// forgotten.
    pub(super) fn changed(&mut self, changed: &[PathBuf], borrowed: &Borrowings) -> Vec<ClipFile> {
        if self.forget_others(borrowed) {
            self.watch_known();
        }
        let file_of = |known: &Known| borrowed.files().find(|file| file.path == known.path);
        let is_changed = |known: &&Known| changed.iter().any(|file| known.files.contains_key(file));
        let changed = self.known.iter().filter(is_changed);
        changed.filter_map(file_of).cloned().collect()
    }

    /// Watches all that is known of these files; `deliver` is told of changes, on another thread.
    pub(super) fn watch(&mut self, deliver: &Deliver, borrowed: &Borrowings) {
        self.forget_others(borrowed);
        if self.watcher.is_none() && !self.known.is_empty() {
            let deliver = Arc::clone(deliver);
            let watcher = Watcher::start(move |changed| deliver(ClipNews::Changed(changed)));
            self.watcher = watcher
                .inspect_err(|error| log::warn!("files of clips are not watched: {error}"))
                .ok();
        }
        self.watch_known();
    }

    fn watch_known(&self) {
        if let Some(watcher) = &self.watcher {
            watcher.watch(self.files());
        }
    }

    /// All files to be watched: what several name counts as it was read first.
    fn files(&self) -> FilesAsRead {
        let mut files = FilesAsRead::new();
        for (file, read) in self.known.iter().flat_map(|known| &known.files) {
            let first = files.entry(file.clone()).or_insert(*read);
            if read.began < first.began {
                *first = *read;
            }
        }
        files
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use super::*;
    use crate::app::files::watch::as_read;

    /// Else what is saved beside a file that stays as it was would be told of a second time.
    #[test]
    fn what_is_kept_was_looked_at_as_well() {
        let mut followed = FollowedClips::default();
        let [a, b, shared] = ["a.gltf", "b.gltf", "shared.bin"].map(PathBuf::from);
        let at = |secs| SystemTime::UNIX_EPOCH + Duration::from_secs(secs);
        let read = |file: &PathBuf, secs| as_read(vec![file.clone(), shared.clone()], at(secs));
        let began = |followed: &FollowedClips, file: &PathBuf| followed.files()[file].began;
        followed.take(&a, Faults::default(), read(&a, 1));
        followed.take(&b, Faults::default(), read(&b, 2));
        assert_eq!(began(&followed, &shared), at(1));
        followed.take(&a, Faults::default(), read(&a, 11));
        followed.keep(&b, read(&b, 12));
        assert_eq!(began(&followed, &shared), at(11));
        assert_eq!(began(&followed, &b), at(12));
        // What is named no more by what was read may be so again.
        followed.keep(&b, as_read(vec![b.clone()], at(20)));
        followed.take(&a, Faults::default(), as_read(vec![a.clone()], at(20)));
        assert_eq!(began(&followed, &shared), at(12));
    }
}
