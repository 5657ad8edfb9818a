//! Watches the files of a model, on a thread of its own that sleeps until the system tells of a change.
//!
//! Folders are watched and not files, since most programs save by renaming a new file over the old one. A change counts once
//! nothing has happened for a moment: sizes, times and identities of the files are then compared with those before.

mod as_read;

use std::{
    collections::{BTreeSet, HashSet},
    ffi::{OsStr, OsString},
    fs,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{self, Receiver, RecvTimeoutError, Sender},
    },
    thread,
    time::{Duration, Instant, SystemTime},
};

use notify::{
    EventKind, RecommendedWatcher, RecursiveMode, Watcher as _,
    event::{AccessKind, AccessMode},
};

use self::as_read::{AsRead, Stamp};
pub(in crate::app::files) use self::as_read::{FilesAsRead, as_read};
use super::browsing::folder_of;

/// For how long nothing may happen before a change counts.
const SETTLE: Duration = Duration::from_millis(150);
/// [`SETTLE`] when a file is gone: it may be about to be written anew.
const SETTLE_GONE: Duration = Duration::from_millis(600);
/// How often files are looked at whose folder cannot be watched.
const POLL: Duration = Duration::from_millis(250);
/// How seldom at last, where the folder itself is not there: that may be so for as long as the window is open.
const LONGEST_POLL: Duration = Duration::from_secs(4);
/// Events that come one after the other are handled together.
const GATHER: Duration = Duration::from_millis(20);

/// The way to the thread that watches; it ends when this is dropped.
#[derive(Debug)]
pub(in crate::app::files) struct Watcher {
    wishes: Sender<Wake>,
}

#[derive(Debug)]
enum Wake {
    /// Watch these files instead.
    Watch(FilesAsRead),
    /// Something happened to a file of one of their names, or to one of their folders itself.
    Event { is_folder: bool },
    /// There is nothing to watch any more.
    End,
}

impl Watcher {
    /// Starts the thread. It calls `tell` after each change that has settled, with the files that were changed.
    pub(in crate::app::files) fn start(
        tell: impl Fn(Vec<PathBuf>) + Send + 'static,
    ) -> std::io::Result<Self> {
        let (wishes, woken) = mpsc::channel();
        let events = wishes.clone();
        let thread = thread::Builder::new().name("watch".to_owned());
        thread.spawn(move || Watch::new(events).run(&woken, &tell))?;
        Ok(Self { wishes })
    }

    /// [`Watcher::start`] where the system tells nothing.
    #[cfg(test)]
    fn start_blind(tell: impl Fn(Vec<PathBuf>) + Send + 'static) -> Self {
        let (wishes, woken) = mpsc::channel();
        let watch = Watch::without_system();
        thread::spawn(move || watch.run(&woken, &tell));
        Self { wishes }
    }

    /// Watches these files from now on, and no others. Of those that were watched already, and were not read since, what has
    /// changed and was not told of is told of nevertheless.
    pub(in crate::app::files) fn watch(&self, files: FilesAsRead) {
        let _ = self.wishes.send(Wake::Watch(files));
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        let _ = self.wishes.send(Wake::End);
    }
}

/// A file that matters. It counts as changed if it was written after it was read.
#[derive(Debug)]
struct Watched {
    path: PathBuf,
    /// When reading it began.
    began: SystemTime,
    /// Its stamp, at first as it was after that; none if it is not there.
    known: Option<Stamp>,
    /// Whether what is known is out of date, whatever the stamp says.
    is_stale: bool,
}

impl Watched {
    fn new((path, read): (PathBuf, AsRead)) -> Self {
        Self {
            path,
            began: read.began,
            known: read.stamp,
            is_stale: false,
        }
    }

    /// Whether its stamp says now that what is known is out of date.
    fn is_changed(&self, now: Option<Stamp>) -> bool {
        self.is_stale || now != self.known
    }

    /// Takes note of what it is as it begins to be watched.
    fn begin(&mut self) {
        let now = Stamp::of(&self.path);
        let is_newer = now.is_some_and(|stamp| stamp.is_after(self.began));
        // What is gone since it was read has no time that would tell.
        self.is_stale = is_newer || now != self.known;
        self.known = now;
    }
}

/// A name without what tells capital letters from small ones: there are systems that find a file by either.
fn folded(name: &OsStr) -> OsString {
    name.to_str()
        .map_or_else(|| name.to_owned(), |name| name.to_lowercase().into())
}

/// What matters of the system's events, [`folded`]. Systems write paths in ways of their own, so only the last parts are
/// compared.
#[derive(Debug, Default)]
struct Names {
    files: HashSet<OsString>,
    folders: HashSet<OsString>,
}

impl Names {
    /// What to tell of an event.
    fn wake(&self, event: &notify::Event) -> Option<Wake> {
        if matches!(event.kind, EventKind::Access(kind) if kind != WRITTEN) {
            return None;
        }
        let has = |names: &HashSet<OsString>| {
            let mut paths = event.paths.iter().filter_map(|path| path.file_name());
            paths.any(|name| names.contains(&folded(name)))
        };
        let is_folder = has(&self.folders);
        (is_folder || has(&self.files) || event.need_rescan()).then_some(Wake::Event { is_folder })
    }
}

/// The one kind of access that changes a file.
const WRITTEN: AccessKind = AccessKind::Close(AccessMode::Write);

/// A folder with files that matter.
#[derive(Debug)]
struct Folder {
    path: PathBuf,
    /// Which folder it was when the system began to tell of it; none if it does not.
    watched: Option<FolderId>,
}

/// Tells a folder from another one that took its place.
type FolderId = (u64, u64);

fn folder_id(path: &Path) -> Option<FolderId> {
    let metadata = fs::metadata(path).ok().filter(fs::Metadata::is_dir)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        Some((metadata.dev(), metadata.ino()))
    }
    #[cfg(not(unix))]
    {
        let created = metadata.created().ok()?;
        let since = created.duration_since(SystemTime::UNIX_EPOCH).ok()?;
        Some((since.as_secs(), u64::from(since.subsec_nanos())))
    }
}

/// A change that has not settled.
#[derive(Debug)]
struct Pending {
    stamps: Vec<Option<Stamp>>,
    since: Instant,
}

/// What the thread knows.
struct Watch {
    /// None where the system tells nothing; then all is polled.
    system: Option<RecommendedWatcher>,
    names: Arc<Mutex<Names>>,
    files: Vec<Watched>,
    folders: Vec<Folder>,
    pending: Option<Pending>,
    /// How often nothing had happened by the end of a pause, one after the other.
    quiet_pauses: u32,
}

impl Watch {
    fn new(events: Sender<Wake>) -> Self {
        let names = Arc::<Mutex<Names>>::default();
        let wanted = Arc::clone(&names);
        let on_event = move |event: notify::Result<notify::Event>| {
            let wanted = wanted.lock().unwrap_or_else(PoisonError::into_inner);
            let wake = match &event {
                Ok(event) => wanted.wake(event),
                Err(_) => Some(Wake::Event { is_folder: true }),
            };
            if let Some(wake) = wake {
                let _ = events.send(wake);
            }
        };
        let system = notify::recommended_watcher(on_event);
        let system = system
            .inspect_err(|error| log::warn!("files are looked at now and then: {error}"))
            .ok();
        Self {
            system,
            names,
            ..Self::without_system()
        }
    }

    fn without_system() -> Self {
        Self {
            system: None,
            names: Arc::default(),
            files: Vec::new(),
            folders: Vec::new(),
            pending: None,
            quiet_pauses: 0,
        }
    }

    fn run(mut self, woken: &Receiver<Wake>, tell: &dyn Fn(Vec<PathBuf>)) {
        loop {
            let first = match self.pause() {
                None => woken.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(pause) => woken.recv_timeout(pause),
            };
            let mut has_events = false;
            match first {
                Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => {
                    self.quiet_pauses = self.quiet_pauses.saturating_add(1);
                }
                Ok(wake) => {
                    self.quiet_pauses = 0;
                    if matches!(wake, Wake::Event { .. }) {
                        thread::sleep(GATHER);
                    }
                    for wake in std::iter::once(wake).chain(woken.try_iter()) {
                        match wake {
                            Wake::Watch(files) => self.watch(files),
                            Wake::Event { is_folder } => {
                                has_events = true;
                                if is_folder {
                                    self.stop_watching();
                                }
                            }
                            Wake::End => return,
                        }
                    }
                }
            }
            self.keep_watching();
            if let Some(changed) = self.take_settled(has_events, Instant::now()) {
                self.quiet_pauses = 0;
                tell(changed);
            }
        }
    }

    /// How long to sleep; none until something happens.
    fn pause(&self) -> Option<Duration> {
        if let Some(pending) = &self.pending {
            let left = self.settle_time(&pending.stamps);
            let left = left.saturating_sub(pending.since.elapsed());
            return Some(left.max(Duration::from_millis(5)));
        }
        let mut blind = self.folders.iter().filter(|it| it.watched.is_none());
        let first = blind.next()?;
        let is_there = |folder: &Folder| folder_id(&folder.path).is_some();
        if is_there(first) || blind.any(is_there) {
            return Some(POLL);
        }
        let longer = POLL.saturating_mul(1 << self.quiet_pauses.min(16));
        Some(longer.min(LONGEST_POLL))
    }

    fn watch(&mut self, files: FilesAsRead) {
        let files: Vec<_> = files.into_iter().map(Watched::new).collect();
        let folders = files.iter().filter_map(|file| folder_of(&file.path));
        let folders: BTreeSet<_> = folders.map(Path::to_owned).collect();
        for folder in &self.folders {
            if !folders.contains(&folder.path)
                && folder.watched.is_some()
                && let Some(system) = &mut self.system
            {
                let _ = system.unwatch(&folder.path);
            }
        }
        let mut before = std::mem::take(&mut self.folders);
        for path in folders {
            let kept = before.iter().position(|folder| folder.path == path);
            self.folders.push(match kept {
                Some(place) => before.swap_remove(place),
                None => Folder {
                    path,
                    watched: None,
                },
            });
        }
        let name = |path: &PathBuf| Some(folded(path.file_name()?));
        *self.names.lock().unwrap_or_else(PoisonError::into_inner) = Names {
            files: files.iter().filter_map(|it| name(&it.path)).collect(),
            folders: self
                .folders
                .iter()
                .filter_map(|it| name(&it.path))
                .collect(),
        };
        let before = std::mem::replace(&mut self.files, files);
        self.keep_watching();
        // The folders are watched by now, so nothing is missed between the stamps that are taken here and the first event.
        for file in &mut self.files {
            let mut before = before.iter();
            match before.find(|it| it.began == file.began && it.path == file.path) {
                Some(same) => (file.known, file.is_stale) = (same.known, same.is_stale),
                None => file.begin(),
            }
        }
        self.pending = None;
    }

    /// Has the system tell of nothing: a folder may have gone, and another one of its name have come.
    fn stop_watching(&mut self) {
        for folder in &mut self.folders {
            if folder.watched.take().is_some()
                && let Some(system) = &mut self.system
            {
                let _ = system.unwatch(&folder.path);
            }
        }
    }

    /// Has the system tell of all folders that are there, also of those that took the place of others.
    fn keep_watching(&mut self) {
        let Some(system) = &mut self.system else {
            return;
        };
        for folder in &mut self.folders {
            let now = folder_id(&folder.path);
            if folder.watched == now {
                continue;
            }
            if folder.watched.take().is_some() {
                let _ = system.unwatch(&folder.path);
            }
            if now.is_some() {
                match system.watch(&folder.path, RecursiveMode::NonRecursive) {
                    Ok(()) => folder.watched = now,
                    Err(error) => log::debug!("{} is polled: {error}", folder.path.display()),
                }
            }
        }
    }

    /// The files with a change to be told of, if there is one and it has settled.
    fn take_settled(&mut self, has_events: bool, now: Instant) -> Option<Vec<PathBuf>> {
        let stamps: Vec<_> = self.files.iter().map(|it| Stamp::of(&it.path)).collect();
        let mut pairs = self.files.iter().zip(&stamps);
        if !pairs.any(|(file, stamp)| file.is_changed(*stamp)) {
            self.pending = None;
            return None;
        }
        match &self.pending {
            Some(pending) if !has_events && pending.stamps == stamps => {
                if now - pending.since < self.settle_time(&stamps) {
                    return None;
                }
                self.pending = None;
                let mut changed = Vec::new();
                for (file, stamp) in self.files.iter_mut().zip(stamps) {
                    if file.is_changed(stamp) {
                        changed.push(file.path.clone());
                    }
                    (file.known, file.is_stale) = (stamp, false);
                }
                Some(changed)
            }
            _ => {
                self.pending = Some(Pending { stamps, since: now });
                None
            }
        }
    }

    fn settle_time(&self, stamps: &[Option<Stamp>]) -> Duration {
        let mut pairs = self.files.iter().zip(stamps);
        let is_gone = pairs.any(|(file, now)| file.known.is_some() && now.is_none());
        if is_gone { SETTLE_GONE } else { SETTLE }
    }
}

#[cfg(test)]
mod tests;
