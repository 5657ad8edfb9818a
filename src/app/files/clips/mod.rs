//! Files whose clips are to be added: read one after the other on a thread of their own, while the model plays on.

use std::{
    collections::VecDeque,
    io,
    path::{Path, PathBuf},
    sync::{
        Arc,
        mpsc::{self, Receiver, Sender},
    },
};

use winit::event_loop::EventLoopProxy;

use super::{
    background::{Arrivals, Running, UNSAID},
    browsing::viewer_consent,
};
use crate::{
    app::{
        Session,
        messages::Topic,
        motion::{ChosenThen, ClipFile},
        threads::{no_thread, spawn},
        window::{UserEvent, Viewer},
    },
    import::{self, Import, Progress, is_archive_name, is_model_name},
    ui::{LoadKind, Loading, Message},
};

#[cfg(test)]
mod tests;

/// What a thread has read, or why it has not.
#[derive(Debug)]
pub(in crate::app) struct ReadClips {
    /// For which document they were asked.
    document: u64,
    file: ClipFile,
    result: anyhow::Result<Import>,
}

/// What to read, and for which document.
struct ClipJob {
    document: u64,
    file: ClipFile,
    progress: Arc<Progress>,
}

/// A file that was asked for and is not there yet.
#[derive(Debug)]
struct Asked {
    document: u64,
    name: String,
    why: Why,
}

/// Why a file is read.
#[derive(Debug, Clone, Copy)]
enum Why {
    /// Its clips are to be added: it is one of those of this number, which were given together.
    Added { batch: u64, then: ChosenThen },
    /// They were added, and may be others by now.
    Again,
}

/// Takes what was read to whoever waits for it.
type Deliver = Arc<dyn Fn(Box<ReadClips>) + Send + Sync>;

/// Reads files on one thread, in the order in which they were asked for.
pub(in crate::app) struct ClipReader {
    deliver: Deliver,
    /// None before the first file. The thread ends when this does.
    queue: Option<Sender<ClipJob>>,
    /// What is on its way, in the order in which it comes.
    asked: VecDeque<Running<Asked>>,
    arrivals: Arrivals<ReadClips>,
    /// How often files were given.
    batches: u64,
    /// Of which files, given together, a clip was played last: the next ones do not take its place.
    played: Option<u64>,
}

impl ClipReader {
    /// `deliver` takes what was read to [`Self::take`]; it is called on another thread.
    pub(super) fn new(deliver: impl Fn(Box<ReadClips>) + Send + Sync + 'static) -> Self {
        Self {
            deliver: Arc::new(deliver),
            queue: None,
            asked: VecDeque::new(),
            arrivals: Arrivals::default(),
            batches: 0,
            played: None,
        }
    }

    /// One whose window gets an event.
    pub(in crate::app) fn for_window(proxy: &EventLoopProxy<UserEvent>) -> Self {
        let proxy = proxy.clone();
        Self::new(move |read| {
            // The window may have closed meanwhile.
            let _ = proxy.send_event(UserEvent::Clips(read));
        })
    }

    /// Reads the clips of the models among these files for the one that is shown.
    pub(super) fn read(&mut self, files: Vec<PathBuf>, session: &mut Session) {
        session.messages.take_back(Topic::Clips);
        self.batches += 1;
        let why = Why::Added {
            batch: self.batches,
            then: session.chosen_now(),
        };
        self.read_all(files_with_clips(files), why, session);
    }

    /// Reads all files again whose clips were added.
    pub(in crate::app) fn read_again(&mut self, session: &mut Session) {
        session.messages.take_back(Topic::KeptClips);
        let files = session.borrowed.files().cloned().collect();
        self.read_all(files, Why::Again, session);
    }

    fn read_all(&mut self, files: Vec<ClipFile>, why: Why, session: &mut Session) {
        let document = session.document_generation();
        // Those that were asked for with another are not wanted any more.
        let of_others = self.asked.iter().filter(|it| it.about.document != document);
        of_others.for_each(Running::cancel);
        for file in files {
            let name = name_of(&file.path);
            let asked = Running::new(Asked {
                document,
                name,
                why,
            });
            let wanted = ClipJob {
                document,
                file,
                progress: asked.progress(),
            };
            match self.ask(wanted) {
                Ok(()) => self.asked.push_back(asked),
                Err(error) => report(session, &asked.about.name, no_thread(&error)),
            }
        }
    }

    /// Gives up all that is being read.
    pub(super) fn cancel(&self) {
        self.asked.iter().for_each(Running::cancel);
    }

    /// What is said of the file that is being read.
    pub(in crate::app) fn shown(&self) -> Option<Loading<'_>> {
        let first = self.asked.iter().find(|it| !it.is_cancelled())?;
        first.shown(LoadKind::Clips, &first.about.name, UNSAID)
    }

    /// Whether anything is on its way.
    pub(super) fn is_reading(&self) -> bool {
        !self.asked.is_empty()
    }

    fn ask(&mut self, wanted: ClipJob) -> io::Result<()> {
        let wanted = match &self.queue {
            Some(queue) => match queue.send(wanted) {
                Ok(()) => return Ok(()),
                // Its thread has ended.
                Err(unsent) => unsent.0,
            },
            None => wanted,
        };
        let (queue, asked) = mpsc::channel();
        let deliver = Arc::clone(&self.deliver);
        spawn("clips", move || work(&asked, &deliver))?;
        // The thread was only just started, and waits.
        let sent = queue.send(wanted);
        self.queue = Some(queue);
        sent.map_err(|_| io::ErrorKind::BrokenPipe.into())
    }

    /// Adds what was read, or says why not; later, if it has to wait. It is kept for the document that it was asked for,
    /// however often that was read again meanwhile.
    pub(super) fn take(&mut self, session: &mut Session, read: ReadClips) {
        if let Some(read) = self.arrivals.pass(read) {
            self.add(session, read);
        }
    }

    /// Says whether clips must stay as they are, and adds what has waited for that to end. True if anything has.
    pub(super) fn hold(&mut self, is_held: bool, session: &mut Session) -> bool {
        let late = self.arrivals.hold(is_held);
        let is_late = !late.is_empty();
        for read in late {
            self.add(session, read);
        }
        is_late
    }

    fn add(&mut self, session: &mut Session, read: ReadClips) {
        let ReadClips {
            document,
            file,
            result,
        } = read;
        let name = name_of(&file.path);
        // They come in the order in which they were asked for.
        let asked = self.asked.pop_front();
        if document != session.document_generation() {
            log::info!("the clips of {name} came too late");
            // Those that were asked for with it are not wanted either; those that were asked for since are.
            let with_it = self.asked.iter().filter(|it| it.about.document == document);
            with_it.for_each(Running::cancel);
            return;
        }
        let Some(asked) = asked.filter(|it| !it.is_cancelled()) else {
            return;
        };
        match (result, asked.about.why) {
            (Ok(import), Why::Added { batch, then }) => {
                let plays = self.played != Some(batch) && !session.has_chosen_since(then);
                if session.take_clips(file, import.model, plays) && plays {
                    self.played = Some(batch);
                }
                log::info!("clips of {name}");
            }
            (Ok(import), Why::Again) => {
                session.take_clips_again(file, import.model);
                log::info!("clips of {name} again");
            }
            (Err(error), Why::Added { .. }) => report(session, &name, format!("{error:#}")),
            (Err(error), Why::Again) => {
                log::error!("could not read the clips of {name} again: {error:#}");
                session.keep_clips(&file, &format!("{error:#}"));
            }
        }
    }
}

fn work(asked: &Receiver<ClipJob>, deliver: &Deliver) {
    while let Ok(ClipJob {
        document,
        file,
        progress,
    }) = asked.recv()
    {
        let files = [std::slice::from_ref(&file.path), &file.parts].concat();
        let result = import::open_clips(&files, &viewer_consent(), &progress);
        // Whoever waits for it may have gone meanwhile.
        deliver(Box::new(ReadClips {
            document,
            file,
            result,
        }));
    }
}

fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// The models among these files, archives and folders, each with all files that are none, since it may name them; a folder has
/// its own. Where nothing is named like a model, each file may be one. A file has the same path however it was given.
fn files_with_clips(files: Vec<PathBuf>) -> Vec<ClipFile> {
    let may_hold_model =
        |file: &PathBuf| is_model_name(file) || is_archive_name(file) || file.is_dir();
    let files = files
        .into_iter()
        .map(|file| std::path::absolute(&file).unwrap_or(file));
    let (mut models, mut others): (Vec<_>, Vec<_>) = files.partition(may_hold_model);
    if models.is_empty() {
        models = std::mem::take(&mut others);
    }
    let with_parts = |path: PathBuf| {
        let mut parts = if path.is_dir() {
            Vec::new()
        } else {
            others.clone()
        };
        // Of several parts of one name that beside the model is its own.
        parts.sort_by_key(|part| part.parent() != path.parent());
        ClipFile { path, parts }
    };
    models.into_iter().map(with_parts).collect()
}

fn report(session: &mut Session, name: &str, detail: String) {
    log::error!("could not read the clips of {name}: {detail}");
    session.tell_of_clips(Message::error(
        format!("The clips of {name} could not be read"),
        detail,
    ));
}

impl Viewer {
    /// Reads the clips of the models among these files.
    pub(in crate::app) fn read_clips(&mut self, files: Vec<PathBuf>) {
        self.clip_reader.read(files, &mut self.session);
        self.request_redraw();
    }

    pub(in crate::app) fn on_clips(&mut self, read: ReadClips) {
        // Saving may have begun since that was last asked.
        self.hold_arrivals();
        self.clip_reader.take(&mut self.session, read);
        self.request_redraw();
    }
}
