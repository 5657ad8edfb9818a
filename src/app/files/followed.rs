//! A document that is followed on disk: read on a thread of its own, and again whenever it is saved, unless that has to wait.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use winit::event_loop::EventLoopProxy;

use super::{
    faults::Faults,
    loading::{Loaded, Loader, Purpose, Source},
    read_again::ReadAgain,
    watch::{FilesAsRead, Watcher},
};
use crate::{
    app::window::UserEvent,
    import::{self, Import},
    model::BlockFormats,
    ui::{LoadKind, Loading},
};

/// What is in use of a document, what is on its way, and what is watched; neither window nor GPU.
#[derive(Debug)]
pub(in crate::app) struct Followed {
    loader: Loader,
    /// None where no thread can be started to watch; then the user reads it again by hand.
    watcher: Option<Watcher>,
    known: Option<Known>,
    /// The files that were read of what is known, or looked for.
    files: FilesAsRead,
    /// Those of what was read last, if that is broken and not known therefore.
    broken_files: FilesAsRead,
    again: ReadAgain,
}

/// What was read of a document last.
#[derive(Debug)]
pub(in crate::app) struct Known {
    source: Source,
    /// What was wrong with its data already.
    faults: Faults,
    /// Which files outside of its folder it names, without leave.
    outside: Vec<PathBuf>,
    /// Where its own file is, or the archive that it is in.
    path: Option<PathBuf>,
    /// The models of the folder or archive that it is in.
    models: Vec<String>,
    /// Whether it is before the user. What is not would be if it could have been.
    pub(in crate::app) is_in_use: bool,
}

/// What was read again, to be put in the place of what is in use.
pub(in crate::app) struct Anew {
    pub(in crate::app) source: Source,
    pub(in crate::app) import: Import,
    /// How long it took.
    pub(in crate::app) time: Duration,
    /// Whether its files outside of its folder may be asked about again, whatever the user has said to those named before: it
    /// names others, or is read again since the user asks for it.
    pub(in crate::app) may_ask: bool,
}

impl Known {
    /// What is in use from now on.
    pub(in crate::app) fn of(source: Source, import: &Import) -> Self {
        Self {
            source,
            faults: Faults::of(import),
            outside: import.outside.clone(),
            path: import.path.clone(),
            models: import.models.clone(),
            is_in_use: true,
        }
    }

    /// What could not be read.
    pub(in crate::app) fn unread(source: Source) -> Self {
        let path = source.path();
        Self {
            source,
            faults: Faults::default(),
            outside: Vec::new(),
            path,
            models: Vec::new(),
            is_in_use: false,
        }
    }
}

impl Followed {
    /// Nothing yet. `deliver` takes what was read to who [takes](Self::takes) it, `tell` a change to [`Self::follow`]; they are
    /// called on other threads.
    pub(in crate::app) fn new(
        kind: LoadKind,
        deliver: impl Fn(Box<Loaded>) + Send + Sync + 'static,
        tell: impl Fn() + Send + 'static,
    ) -> Self {
        let watcher = Watcher::start(move |_| tell());
        Self {
            loader: Loader::new(kind, deliver),
            watcher: watcher
                .inspect_err(|error| log::warn!("files are not watched: {error}"))
                .ok(),
            known: None,
            files: FilesAsRead::new(),
            broken_files: FilesAsRead::new(),
            again: ReadAgain::default(),
        }
    }

    /// Nothing yet, for a window that gets these events.
    pub(in crate::app) fn for_window(
        kind: LoadKind,
        proxy: &EventLoopProxy<UserEvent>,
        loaded: fn(Box<Loaded>) -> UserEvent,
        changed: fn() -> UserEvent,
    ) -> Self {
        let (loaded_proxy, changed_proxy) = (proxy.clone(), proxy.clone());
        // The window may have closed meanwhile.
        Self::new(
            kind,
            move |it| drop(loaded_proxy.send_event(loaded(it))),
            move || drop(changed_proxy.send_event(changed())),
        )
    }

    /// The files that were read of what is known, or looked for.
    pub(in crate::app) fn files_read(&self) -> impl Iterator<Item = &Path> {
        self.files.keys().map(PathBuf::as_path)
    }

    /// Starts to open something else.
    pub(in crate::app) fn open(&mut self, source: Source) {
        self.again.interrupt(self.purpose());
        self.loader.start(source, Purpose::Open);
    }

    /// Reads it again since its files changed.
    pub(in crate::app) fn follow(&mut self) {
        self.read_again(Purpose::Follow);
    }

    /// Reads it again since the user asks for it.
    pub(in crate::app) fn reload(&mut self) {
        self.read_again(Purpose::Reload);
    }

    /// Says whether it must stay as it is, whatever becomes of its files. True if it is read again at last.
    pub(in crate::app) fn hold(&mut self, is_held: bool) -> bool {
        let is_late = self.again.hold(is_held, self.purpose());
        if is_late {
            self.make_up_for_missed();
        }
        is_late
    }

    /// Gives up what is being read, unless nobody has been told of it.
    pub(in crate::app) fn cancel(&mut self) {
        if self.shown().is_some() {
            self.loader.cancel();
            self.make_up_for_missed();
        }
    }

    /// At once, or as soon as what is being opened could not be.
    fn read_again(&mut self, purpose: Purpose) {
        let Some(known) = &self.known else {
            return;
        };
        let source = known.source.clone();
        if let Some(purpose) = self.again.now(purpose, self.purpose()) {
            self.loader.start(source, purpose);
        }
    }

    /// Reads it again if that had to wait.
    pub(in crate::app) fn make_up_for_missed(&mut self) {
        if let Some(purpose) = self.again.take_missed() {
            self.read_again(purpose);
        }
    }

    /// Whether what was read counts, and that now: it is to be [used](Self::take), and what was missed meanwhile to be
    /// [made up for](Self::make_up_for_missed).
    pub(in crate::app) fn takes(&mut self, loaded: &Loaded) -> bool {
        self.loader.finish(loaded) && !self.again.puts_off(loaded.purpose)
    }

    /// Whether what was read for this [takes the place](Self::take_again) of what is in use.
    pub(in crate::app) fn is_update(&self, purpose: Purpose) -> bool {
        purpose != Purpose::Open && self.is_in_use()
    }

    /// Takes note of what is known from now on, and watches its files.
    pub(in crate::app) fn take(&mut self, known: Known, files: FilesAsRead) {
        self.again.forget_missed();
        self.files = files;
        self.broken_files.clear();
        self.watch();
        self.known = Some(known);
    }

    fn watch(&self) {
        if let Some(watcher) = &self.watcher {
            watcher.watch(self.watched_files());
        }
    }

    fn watched_files(&self) -> FilesAsRead {
        let mut files = self.files.clone();
        files.extend(
            self.broken_files
                .iter()
                .map(|(path, read)| (path.clone(), *read)),
        );
        files
    }

    /// Watches beside the files of what is known those of what was read last, which is broken: a save of several files may
    /// begin with the one that names the others. What was named by broken ones before that is let go.
    fn watch_broken(&mut self, files: FilesAsRead) {
        for (path, known) in &mut self.files {
            if let Some(read) = files.get(path) {
                *known = *read;
            }
        }
        self.broken_files = files;
        self.watch();
    }

    /// Takes what was read again in the place of what is in use, unless it was saved broken: then it says so. None if it was
    /// given up.
    pub(in crate::app) fn take_again(&mut self, loaded: Loaded) -> Option<Result<Anew, String>> {
        let known = self.known.as_ref()?;
        let import = match loaded.result {
            Ok(import) => import,
            Err(error) if import::is_cancelled(&error) => return None,
            Err(error) => return Some(Err(format!("{error:#}"))),
        };
        let is_asked = loaded.purpose == Purpose::Reload;
        if let Some(reason) = known.faults.reason_to_keep(&import, is_asked) {
            // What it names now may come later.
            self.watch_broken(loaded.files);
            return Some(Err(reason));
        }
        let is_new = |path: &PathBuf| !known.outside.contains(path);
        let may_ask = is_asked || import.outside.iter().any(is_new);
        let known = Known::of(loaded.source.clone(), &import);
        self.take(known, loaded.files);
        Some(Ok(Anew {
            source: loaded.source,
            import,
            time: loaded.time,
            may_ask,
        }))
    }

    /// Where what is known came from.
    pub(in crate::app) fn source(&self) -> Option<&Source> {
        self.known.as_ref().map(|known| &known.source)
    }

    /// Where the model's own file is that is known, or the archive that it is in; none if it is built in.
    pub(in crate::app) fn model_path(&self) -> Option<&Path> {
        self.known.as_ref()?.path.as_deref()
    }

    /// The models of the folder or archive that it is in.
    pub(in crate::app) fn models(&self) -> &[String] {
        self.known.as_ref().map_or(&[], |known| &known.models)
    }

    /// Whether anything was read that is before the user.
    pub(in crate::app) fn is_in_use(&self) -> bool {
        self.known.as_ref().is_some_and(|known| known.is_in_use)
    }

    /// What it is being read for, be it said or not; none if it is not being read.
    pub(in crate::app) fn purpose(&self) -> Option<Purpose> {
        self.loader.purpose()
    }

    /// What is said of what is being read.
    pub(in crate::app) fn shown(&self) -> Option<Loading<'_>> {
        self.loader.shown()
    }

    /// Takes note of which compressed textures can be shown; also for what is being read.
    pub(in crate::app) fn set_block_formats(&mut self, formats: BlockFormats) {
        self.loader.set_block_formats(formats);
    }

    /// Whether it is to be read again once that need not wait any more.
    #[cfg(test)]
    pub(in crate::app) fn has_missed(&self) -> bool {
        self.again.has_missed()
    }
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::*;
    use crate::app::files::watch::as_read;

    /// Files that only broken saves before the last one named are let go.
    #[test]
    fn what_was_read_well_is_watched_with_what_was_read_last() {
        let [a, b, c, d] = ["a.gltf", "b.bin", "c.bin", "d.bin"].map(PathBuf::from);
        let at = |secs| SystemTime::UNIX_EPOCH + Duration::from_secs(secs);
        let read =
            |files: [&PathBuf; 2], secs| as_read(files.map(PathBuf::clone).to_vec(), at(secs));
        let mut followed = Followed::new(LoadKind::Model, drop, || {});
        let known = || Known::unread(Source::BuiltIn("Pip"));
        followed.take(known(), read([&a, &b], 1));
        let watched = |followed: &Followed| {
            let files = followed.watched_files().into_iter();
            files
                .map(|(path, read)| (path, read.began))
                .collect::<Vec<_>>()
        };
        followed.watch_broken(read([&a, &c], 2));
        followed.watch_broken(read([&a, &d], 3));
        let beside = [(a.clone(), at(3)), (b.clone(), at(1)), (d.clone(), at(3))];
        assert_eq!(watched(&followed), beside);
        // What was seen with a broken save is not told once more.
        followed.watch_broken(read([&b, &d], 4));
        assert_eq!(watched(&followed)[0], (a.clone(), at(3)));
        followed.take(known(), read([&a, &d], 5));
        assert_eq!(watched(&followed), [(a, at(5)), (d, at(5))]);
    }
}
