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
    background::{Running, UNSAID},
    browsing::viewer_consent,
};
use crate::{
    app::{
        Session,
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
    path: PathBuf,
    result: anyhow::Result<Import>,
}

/// What to read, and for which document.
struct ClipJob {
    document: u64,
    model: Together,
    progress: Arc<Progress>,
}

/// A file that was asked for and is not there yet.
#[derive(Debug)]
struct Asked {
    document: u64,
    name: String,
}

/// A model, and what was given with it, which it may name.
#[derive(Debug)]
struct Together {
    model: PathBuf,
    parts: Vec<PathBuf>,
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
}

impl ClipReader {
    /// `deliver` takes what was read to [`Self::take`]; it is called on another thread.
    pub(super) fn new(deliver: impl Fn(Box<ReadClips>) + Send + Sync + 'static) -> Self {
        Self {
            deliver: Arc::new(deliver),
            queue: None,
            asked: VecDeque::new(),
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
        let document = session.document_generation();
        // Those that were asked for with another are not wanted any more.
        let of_others = self.asked.iter().filter(|it| it.about.document != document);
        of_others.for_each(Running::cancel);
        for model in models_among(files) {
            let name = name_of(&model.model);
            let asked = Running::new(Asked { document, name });
            let wanted = ClipJob {
                document,
                model,
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
        spawn("clips", move || read_all(&asked, &deliver))?;
        // The thread was only just started, and waits.
        let sent = queue.send(wanted);
        self.queue = Some(queue);
        sent.map_err(|_| io::ErrorKind::BrokenPipe.into())
    }

    /// Adds what was read, or says why not. It is kept for the document that it was asked for, however often that was read
    /// again meanwhile.
    pub(super) fn take(&mut self, session: &mut Session, read: ReadClips) {
        let ReadClips {
            document,
            path,
            result,
        } = read;
        let name = name_of(&path);
        // They come in the order in which they were asked for.
        let was_given_up = self.asked.pop_front().is_some_and(|it| it.is_cancelled());
        if document != session.document_generation() {
            log::info!("the clips of {name} came too late");
            // Those that were asked for with it are not wanted either; those that were asked for since are.
            let with_it = self.asked.iter().filter(|it| it.about.document == document);
            with_it.for_each(Running::cancel);
            return;
        }
        if was_given_up {
            return;
        }
        match result {
            Ok(import) => {
                session.add_clips(&path, import.model);
                log::info!("clips of {name}");
            }
            Err(error) => report(session, &name, format!("{error:#}")),
        }
    }
}

fn read_all(asked: &Receiver<ClipJob>, deliver: &Deliver) {
    while let Ok(ClipJob {
        document,
        model,
        progress,
    }) = asked.recv()
    {
        let path = model.model.clone();
        let files = [vec![model.model], model.parts].concat();
        let result = import::open_clips(&files, &viewer_consent(), &progress);
        // Whoever waits for it may have gone meanwhile.
        deliver(Box::new(ReadClips {
            document,
            path,
            result,
        }));
    }
}

fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// The models among these files, archives and folders, each with all files that are none, since it may name them; a folder has
/// its own. Where nothing is named like a model, each file may be one.
fn models_among(files: Vec<PathBuf>) -> Vec<Together> {
    let may_hold_model =
        |file: &PathBuf| is_model_name(file) || is_archive_name(file) || file.is_dir();
    let (mut models, mut others): (Vec<_>, Vec<_>) = files.into_iter().partition(may_hold_model);
    if models.is_empty() {
        models = std::mem::take(&mut others);
    }
    let with_parts = |model: PathBuf| {
        let mut parts = if model.is_dir() {
            Vec::new()
        } else {
            others.clone()
        };
        // Of several parts of one name that beside the model is its own.
        parts.sort_by_key(|part| part.parent() != model.parent());
        Together { model, parts }
    };
    models.into_iter().map(with_parts).collect()
}

fn report(session: &mut Session, name: &str, detail: String) {
    log::error!("could not read the clips of {name}: {detail}");
    session.tell(Message::error(
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
        self.clip_reader.take(&mut self.session, read);
        self.request_redraw();
    }
}
