//! Files as they were right after they were read: what is otherwise when they begin to be watched has changed since. One that
//! was read and is gone by then counts as looked for and not there.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

/// How far behind the clock a file's time may be: systems stamp files once a tick, which lasts 10 ms at most.
pub(super) const TICK: Duration = Duration::from_millis(10);

/// Files that were read, or looked for.
pub(in crate::app) type FilesAsRead = BTreeMap<PathBuf, AsRead>;

/// A file as it was read.
#[derive(Debug, Clone, Copy)]
pub(in crate::app) struct AsRead {
    /// When reading it began.
    pub(in crate::app::files) began: SystemTime,
    /// What it was after that; none if it was not there, or not any more.
    pub(super) stamp: Option<Stamp>,
}

/// Looks at files, reading which began at that time: for who has just read them, on a thread that nobody waits for.
pub(in crate::app::files) fn as_read(files: Vec<PathBuf>, began: SystemTime) -> FilesAsRead {
    let files = files.into_iter().map(|path| {
        let stamp = Stamp::of(&path);
        (path, AsRead { began, stamp })
    });
    files.collect()
}

/// What tells one state of a file from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
    /// When its name or its rights were last changed, too, and which file it is.
    #[cfg(unix)]
    identity: (i64, i64, u64, u64),
}

impl Stamp {
    /// None if there is no such file.
    pub(super) fn of(path: &Path) -> Option<Self> {
        let metadata = fs::metadata(path).ok()?;
        Some(Self {
            length: metadata.len(),
            modified: metadata.modified().ok(),
            #[cfg(unix)]
            identity: {
                use std::os::unix::fs::MetadataExt as _;
                (
                    metadata.ctime(),
                    metadata.ctime_nsec(),
                    metadata.dev(),
                    metadata.ino(),
                )
            },
        })
    }

    /// Whether the file was written after a time. Times that lie ahead say nothing.
    pub(super) fn is_after(&self, time: SystemTime) -> bool {
        let is_between = |at: SystemTime| at + TICK >= time && at <= SystemTime::now();
        let is_written = self.modified.is_some_and(is_between);
        #[cfg(unix)]
        let is_written = is_written || {
            let (secs, nanos, ..) = self.identity;
            let since = u64::try_from(secs).ok().zip(u32::try_from(nanos).ok());
            since.is_some_and(|(secs, nanos)| {
                is_between(SystemTime::UNIX_EPOCH + Duration::new(secs, nanos))
            })
        };
        is_written
    }
}
