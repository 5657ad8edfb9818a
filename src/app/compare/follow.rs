//! The file that is compared with, on disk: read on a thread of its own, and again when it is saved, as the model is.

use std::{path::PathBuf, sync::Arc, time::SystemTime};

use winit::event_loop::EventLoopProxy;

use crate::{
    app::{
        Session,
        files::{
            Faults, Latest, Purpose, RELOAD_UNSAID, ReadAgain, Source, Ticket, UNSAID, Watcher,
            no_thread, spawn,
        },
        window::UserEvent,
    },
    import::{self, Import},
    model::BlockFormats,
    ui::{LoadKind, Loading},
};

/// What a thread has read, or why it has not.
#[derive(Debug)]
pub(in crate::app) struct ReadOther {
    ticket: Ticket,
    source: Source,
    purpose: Purpose,
    result: anyhow::Result<Import>,
    began: SystemTime,
}

/// Takes what was read to whoever waits for it.
type Deliver = Arc<dyn Fn(Box<ReadOther>) + Send + Sync>;

/// What is compared with, what is on its way, and what is watched.
pub(in crate::app) struct OtherDocument {
    deliver: Deliver,
    reader: Latest<(String, Purpose)>,
    /// None where no thread can be started to watch; then the user reads it again by hand.
    watcher: Option<Watcher>,
    known: Option<Known>,
    /// When it is read again.
    again: ReadAgain,
}

/// What is compared with, or would be if it could have been read.
struct Known {
    source: Source,
    /// What was wrong with its data already when it was read.
    faults: Faults,
    /// Which files outside of its folder it names, without leave.
    outside: Vec<PathBuf>,
    is_readable: bool,
}

impl OtherDocument {
    /// Nothing yet. `deliver` takes what was read to [`Self::on_read`], `tell` a change to [`Self::follow`]; they are called
    /// on other threads.
    fn new(deliver: Deliver, tell: impl Fn() + Send + 'static) -> Self {
        let watcher = Watcher::start(tell);
        Self {
            deliver,
            reader: Latest::default(),
            watcher: watcher
                .inspect_err(|error| log::warn!("what is compared with is not watched: {error}"))
                .ok(),
            known: None,
            again: ReadAgain::default(),
        }
    }

    /// Nothing yet, for a window that gets events.
    pub(in crate::app) fn for_window(proxy: &EventLoopProxy<UserEvent>) -> Self {
        let (read_proxy, changed_proxy) = (proxy.clone(), proxy.clone());
        // The window may have closed meanwhile.
        Self::new(
            Arc::new(move |read| {
                let _ = read_proxy.send_event(UserEvent::Other(read));
            }),
            move || {
                let _ = changed_proxy.send_event(UserEvent::OtherChanged);
            },
        )
    }

    /// Starts to read something else to compare with.
    pub(super) fn open(&mut self, source: Source) {
        self.again.interrupt(self.purpose());
        self.start(source, Purpose::Open);
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
            self.reader.cancel();
            self.make_up_for_missed();
        }
    }

    /// Takes note of which compressed textures can be shown; also for what is being read.
    pub(in crate::app) fn set_block_formats(&mut self, formats: BlockFormats) {
        self.reader.set_block_formats(formats);
    }

    /// Whether anything is being read, be it said or not.
    pub(in crate::app) fn is_reading(&self) -> bool {
        self.reader.running().is_some()
    }

    /// What is said of what is being read.
    pub(in crate::app) fn shown(&self) -> Option<Loading<'_>> {
        let running = self.reader.running()?;
        let (name, purpose) = &running.about;
        let unsaid = match purpose {
            Purpose::Open => UNSAID,
            Purpose::Follow | Purpose::Reload => RELOAD_UNSAID,
        };
        running.shown(LoadKind::Compared, name, unsaid)
    }

    fn purpose(&self) -> Option<Purpose> {
        Some(self.reader.running()?.about.1)
    }

    /// At once, or as soon as what is being read could not be.
    fn read_again(&mut self, purpose: Purpose) {
        let Some(known) = &self.known else {
            return;
        };
        let source = known.source.clone();
        if let Some(purpose) = self.again.now(purpose, self.purpose()) {
            self.start(source, purpose);
        }
    }

    fn make_up_for_missed(&mut self) {
        if let Some(purpose) = self.again.take_missed() {
            self.read_again(purpose);
        }
    }

    fn start(&mut self, source: Source, purpose: Purpose) {
        let (ticket, progress) = self.reader.begin((source.name(), purpose));
        let began = SystemTime::now();
        let deliver = Arc::clone(&self.deliver);
        let read = move |source, result| {
            Box::new(ReadOther {
                ticket,
                source,
                purpose,
                result,
                began,
            })
        };
        let unread = source.clone();
        let work = move || {
            let result = source.load(&progress);
            // Whoever waits for it may have gone meanwhile.
            deliver(read(source, result));
        };
        if let Err(error) = spawn("compare", work) {
            let error = anyhow::anyhow!(no_thread(&error));
            (self.deliver)(read(unread, Err(error)));
        }
    }

    /// Compares with what was read, or says why not. Gives what the message offers to read instead.
    pub(super) fn on_read(&mut self, session: &mut Session, read: ReadOther) -> Option<Source> {
        self.reader.end(read.ticket)?;
        let is_first = self.known.as_ref().is_none_or(|known| !known.is_readable);
        if self.again.puts_off(read.purpose) {
            return None;
        }
        let offered = match read.purpose {
            Purpose::Follow | Purpose::Reload if !is_first => self.update(session, read),
            _ => self.show(session, read),
        };
        self.make_up_for_missed();
        offered
    }

    fn show(&mut self, session: &mut Session, read: ReadOther) -> Option<Source> {
        let is_crowd = session.actor().crowd().is_some();
        let known = match &read.result {
            Ok(import) => Known {
                source: read.source.clone().settled(import),
                faults: Faults::of(import),
                outside: import.outside.clone(),
                is_readable: true,
            },
            Err(_) => Known {
                source: read.source.clone(),
                faults: Faults::default(),
                outside: Vec::new(),
                is_readable: false,
            },
        };
        let files = read.result.as_ref().map(|import| import.files.clone());
        let files = files.unwrap_or_default();
        // What was not asked for now does not take the place of what is looked at, nor of what is said.
        let is_by_itself = read.purpose != Purpose::Open;
        if is_by_itself && (!known.is_readable || !session.may_take_other()) {
            let known = Known {
                is_readable: false,
                ..known
            };
            self.take(known, files, read.began);
            return None;
        }
        let before = session.compare.generation;
        let offered = session.take_other(read.source, read.result);
        let is_taken = session.compare.generation != before;
        let has_other = self.known.as_ref().is_some_and(|known| known.is_readable);
        // What could not be read is compared with as soon as it can be, where nothing else is.
        if is_taken || !has_other && !is_crowd {
            let is_readable = is_taken;
            let known = Known {
                is_readable,
                ..known
            };
            self.take(known, files, read.began);
        }
        offered
    }

    /// Puts what was read again in the place of what is compared with, unless it was saved broken.
    fn update(&mut self, session: &mut Session, read: ReadOther) -> Option<Source> {
        let known = self.known.as_ref()?;
        let name = read.source.name();
        let reason = match &read.result {
            Err(error) if import::is_cancelled(error) => return None,
            Err(error) => Some(format!("{error:#}")),
            Ok(import) => {
                let is_asked = read.purpose == Purpose::Reload;
                known.faults.reason_to_keep(import, is_asked)
            }
        };
        let import = match (reason, read.result) {
            (None, Ok(import)) => import,
            (reason, _) => {
                session.keep_other(&name, &reason.unwrap_or_default());
                return None;
            }
        };
        let is_new = |path: &PathBuf| !known.outside.contains(path);
        let may_tell = read.purpose == Purpose::Reload || import.outside.iter().any(is_new);
        let known = Known {
            source: read.source.clone(),
            faults: Faults::of(&import),
            outside: import.outside.clone(),
            is_readable: true,
        };
        self.take(known, import.files.clone(), read.began);
        session.take_other_again(&read.source, import, may_tell)
    }

    /// Takes note of what is compared with from now on, and watches its files.
    fn take(&mut self, known: Known, files: Vec<PathBuf>, began: SystemTime) {
        self.again.forget_missed();
        if let Some(watcher) = &self.watcher {
            watcher.watch(known.source.files_to_watch(files), began);
        }
        self.known = Some(known);
    }
}

#[cfg(test)]
mod tests {
    use std::{
        fs,
        sync::mpsc::{self, Receiver},
        time::{Duration, Instant},
    };

    use super::*;
    use crate::{
        app::{built_in, files::edited},
        import::Consent,
        ui::{Command, CompareCommand, CompareWith},
    };

    enum Event {
        Read(Box<ReadOther>),
        Changed,
    }

    /// A window without a window.
    struct Desk {
        folder: PathBuf,
        session: Session,
        other: OtherDocument,
        events: Receiver<Event>,
    }

    impl Desk {
        fn new(name: &str) -> Self {
            let folder = format!("rigscope-other-{name}-{}", std::process::id());
            let folder = std::env::temp_dir().join(folder);
            let _ = fs::remove_dir_all(&folder);
            fs::create_dir_all(&folder).unwrap();
            let (send, events) = mpsc::channel();
            let changes = send.clone();
            let deliver: Deliver = Arc::new(move |read| {
                let _ = send.send(Event::Read(read));
            });
            let tell = move || {
                let _ = changes.send(Event::Changed);
            };
            Self {
                folder,
                session: Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO),
                other: OtherDocument::new(deliver, tell),
                events,
            }
        }

        fn path(&self) -> PathBuf {
            self.folder.join("other.glb")
        }

        fn save(&self, version: usize) {
            fs::write(self.path(), edited(version, |_| {})).unwrap();
        }

        /// All but the end of it.
        fn save_broken(&self, version: usize) {
            let bytes = edited(version, |_| {});
            fs::write(self.path(), &bytes[..bytes.len() - 1000]).unwrap();
        }

        fn open(&mut self) {
            let (files, consent) = (vec![self.path()], Consent::default());
            self.other.open(Source::Files { files, consent });
        }

        fn next(&mut self, left: Duration) -> bool {
            let Ok(event) = self.events.recv_timeout(left) else {
                return false;
            };
            match event {
                Event::Read(read) => drop(self.other.on_read(&mut self.session, *read)),
                Event::Changed => self.other.follow(),
            }
            self.session.update();
            true
        }

        #[track_caller]
        fn wait(&mut self, what: &str, is_done: impl Fn(&Self) -> bool) {
            let deadline = Instant::now() + Duration::from_secs(30);
            while !is_done(self) {
                let left = deadline.saturating_duration_since(Instant::now());
                assert!(self.next(left), "waited in vain: {what}");
            }
        }

        /// Whether this version is compared with.
        fn compares(&self, version: usize) -> bool {
            let other = self.session.other_model();
            let scene = other.and_then(|(_, model)| model.scenes.first());
            scene.is_some_and(|scene| scene.name == format!("version {version}"))
        }

        fn is_kept(&self) -> bool {
            let message = self.session.message();
            message.is_some_and(|it| it.title.contains("what was read last is compared"))
        }
    }

    impl Drop for Desk {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.folder);
        }
    }

    /// The old file beside the new one, while one saves: it may be either that is saved.
    #[test]
    fn what_is_compared_with_is_followed() {
        let mut desk = Desk::new("followed");
        desk.save(1);
        desk.open();
        desk.wait("the first", |desk| desk.compares(1));
        desk.save(2);
        desk.wait("what was saved", |desk| desk.compares(2));
        assert_eq!(desk.session.message(), None);

        // Half a file is not compared with, unless the user asks for it as it is.
        desk.save_broken(3);
        desk.wait("the message", Desk::is_kept);
        assert!(desk.compares(2));
        desk.other.reload();
        desk.wait("the file as it is", |desk| desk.compares(3));
        assert!(!desk.is_kept());
        fs::remove_file(desk.path()).unwrap();
        desk.wait("the message", Desk::is_kept);
        assert!(desk.compares(3));
        desk.save(4);
        desk.wait("the whole file", |desk| desk.compares(4));
        assert!(!desk.is_kept(), "it goes by itself");

        // Another model does not end it, nor does what is not shown just now come before the user.
        desk.session
            .replace_model(built_in::load("Windmill").unwrap(), None, Duration::ZERO);
        desk.save(5);
        desk.wait("beside another model", |desk| desk.compares(5));
    }

    #[test]
    fn nothing_is_said_of_what_is_not_compared_now() {
        let mut desk = Desk::new("unseen");
        desk.save(1);
        desk.open();
        desk.wait("the first", |desk| desk.compares(1));
        desk.session
            .apply(Command::Compare(CompareCommand::Show(None)));
        desk.save_broken(2);
        desk.wait("the change", |desk| desk.other.is_reading());
        desk.wait("the broken one", |desk| !desk.other.is_reading());
        assert_eq!(desk.session.message(), None);

        // Nor does what can be read at last take the place of another comparison.
        let mut desk = Desk::new("unasked");
        fs::write(desk.path(), b"glTF").unwrap();
        desk.open();
        desk.wait("the message", |desk| desk.session.message().is_some());
        let skinning = CompareCommand::With(CompareWith::Skinning);
        desk.session.apply(Command::Compare(skinning));
        desk.save(7);
        desk.wait("the change", |desk| desk.other.is_reading());
        desk.wait("the file", |desk| !desk.other.is_reading());
        assert!(!desk.compares(7));
    }

    #[test]
    fn what_is_being_saved_stays_as_it_is() {
        let mut desk = Desk::new("held");
        desk.save(1);
        desk.open();
        desk.wait("the first", |desk| desk.compares(1));
        desk.other.hold(true);
        desk.save(2);
        desk.wait("the change", |desk| desk.other.again.has_missed());
        assert!(desk.compares(1) && !desk.other.is_reading());
        assert!(desk.other.hold(false));
        desk.wait("what was saved", |desk| desk.compares(2));
    }

    #[test]
    fn what_could_not_be_read_is_compared_with_once_it_can_be() {
        let mut desk = Desk::new("late");
        fs::write(desk.path(), b"glTF").unwrap();
        desk.open();
        desk.wait("the message", |desk| desk.session.message().is_some());
        desk.save(7);
        desk.wait("the file", |desk| desk.compares(7));
    }
}
