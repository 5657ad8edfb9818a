//! Files whose clips are to be added: read one after the other on a thread of their own, while the model plays on, and again
//! when they are saved.

mod follow;

use std::{
    collections::VecDeque,
    io,
    path::{Path, PathBuf},
    sync::{
        Arc,
        mpsc::{self, Receiver, Sender},
    },
    time::{Duration, SystemTime},
};

use winit::event_loop::EventLoopProxy;

use self::follow::FollowedClips;
use super::{
    background::{Arrivals, RELOAD_UNSAID, Running, TakesArrivals, UNSAID},
    browsing::viewer_consent,
    faults::Faults,
    loading::files_to_watch,
    watch::{FilesAsRead, as_read},
};
use crate::{
    app::{
        Session,
        messages::Topic,
        motion::{ChosenThen, ClipFile, TakenClips},
        threads::{no_thread, spawn},
        window::{UserEvent, Viewer},
    },
    import::{self, Import, Progress, is_archive_name, is_model_name},
    ui::{LoadKind, Loading, Message},
};

#[cfg(test)]
mod tests;

/// What other threads tell of files with clips.
#[derive(Debug)]
pub(in crate::app) enum ClipNews {
    /// One was read, or could not be.
    Read(Box<ReadClips>),
    /// These have changed.
    Changed(Vec<PathBuf>),
}

/// What a thread has read, or why it has not.
#[derive(Debug)]
pub(in crate::app) struct ReadClips {
    /// For which document they were asked.
    document: u64,
    file: ClipFile,
    /// When reading it began.
    began: SystemTime,
    /// What is to be watched of it, if it could be read.
    files: FilesAsRead,
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
    path: PathBuf,
    name: String,
    why: Why,
    /// When it was asked for last: what was read before may be another version of it.
    asked_at: SystemTime,
}

/// Why a file is read.
#[derive(Debug, Clone, Copy)]
enum Why {
    /// Its clips are to be added: it is one of those of this number, which were given together.
    Added { batch: u64, then: ChosenThen },
    /// They were added, and may be others by now: the user asks for them as they are, or the file was saved.
    Again { is_asked: bool },
}

impl Why {
    /// For how long nothing is said of it.
    fn unsaid(self) -> Duration {
        match self {
            Self::Added { .. } => UNSAID,
            Self::Again { .. } => RELOAD_UNSAID,
        }
    }
}

/// Takes news to whoever waits for them.
type Deliver = Arc<dyn Fn(ClipNews) + Send + Sync>;

/// Reads files on one thread, in the order in which they were asked for.
pub(in crate::app) struct ClipReader {
    deliver: Deliver,
    /// None before the first file. The thread ends when this does.
    queue: Option<Sender<ClipJob>>,
    /// What is on its way, in the order in which it comes.
    asked: VecDeque<Running<Asked>>,
    arrivals: Arrivals<ClipNews>,
    /// Those whose clips were added.
    followed: FollowedClips,
    /// How often files were given.
    batches: u64,
    /// Of which files, given together, a clip was played last: the next ones do not take its place.
    played: Option<u64>,
}

impl ClipReader {
    /// `deliver` takes news to [`Self::take`]; it is called on other threads.
    pub(super) fn new(deliver: impl Fn(ClipNews) + Send + Sync + 'static) -> Self {
        Self {
            deliver: Arc::new(deliver),
            queue: None,
            asked: VecDeque::new(),
            arrivals: Arrivals::default(),
            followed: FollowedClips::default(),
            batches: 0,
            played: None,
        }
    }

    /// One whose window gets an event.
    pub(in crate::app) fn for_window(proxy: &EventLoopProxy<UserEvent>) -> Self {
        let proxy = proxy.clone();
        Self::new(move |news| {
            // The window may have closed meanwhile.
            let _ = proxy.send_event(UserEvent::Clips(news));
        })
    }

    /// Reads the clips of the models among these files for the one that is shown.
    pub(super) fn read(&mut self, files: Vec<PathBuf>, session: &mut Session) {
        // As of a dialog that was cancelled: then what was said of others is still to be read.
        if files.is_empty() {
            return;
        }
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
        let files = session.document.borrowed.files().cloned().collect();
        self.read_all(files, Why::Again { is_asked: true }, session);
    }

    fn read_all(&mut self, files: Vec<ClipFile>, why: Why, session: &mut Session) {
        let document = session.document_generation();
        // Those that were asked for with another are not wanted any more.
        let of_others = self.asked.iter().filter(|it| it.about.document != document);
        of_others.for_each(Running::cancel);
        for file in files {
            if self.is_on_its_way(&file, why, document) {
                continue;
            }
            let asked = Running::new(Asked {
                document,
                path: file.path.clone(),
                name: name_of(&file.path),
                why,
                asked_at: SystemTime::now(),
            });
            let wanted = ClipJob {
                document,
                file,
                progress: asked.progress(),
            };
            match self.ask(wanted) {
                Ok(()) => self.asked.push_back(asked),
                Err(error) => report(session, &asked.about.path, no_thread(&error)),
            }
        }
    }

    /// Whether a file that is to be read again is being read again already: then what comes is what is wanted, or it is read
    /// once more after that.
    fn is_on_its_way(&mut self, file: &ClipFile, why: Why, document: u64) -> bool {
        let Why::Again { is_asked } = why else {
            return false;
        };
        let is_same = |it: &&mut Running<Asked>| {
            let Asked { path, why, .. } = &it.about;
            let is_wanted = it.about.document == document && !it.is_cancelled();
            is_wanted && *path == file.path && matches!(why, Why::Again { .. })
        };
        let Some(same) = self.asked.iter_mut().find(is_same) else {
            return false;
        };
        same.about.asked_at = SystemTime::now();
        if is_asked {
            same.about.why = why;
        }
        true
    }

    /// Gives up all that is being read, but for what was saved and nobody has been told of.
    pub(super) fn cancel(&self) {
        let said = self.said().map(|(place, _)| place);
        for (place, it) in self.asked.iter().enumerate() {
            let is_followed = matches!(it.about.why, Why::Again { is_asked: false });
            if !is_followed || said == Some(place) {
                it.cancel();
            }
        }
    }

    /// What is said of the file that is being read.
    pub(in crate::app) fn shown(&self) -> Option<Loading<'_>> {
        self.said().map(|(_, loading)| loading)
    }

    /// Which of those that are on their way is said, if any is: the first one alone, once it has taken so long.
    fn said(&self) -> Option<(usize, Loading<'_>)> {
        let mut asked = self.asked.iter().enumerate();
        let (place, first) = asked.find(|(_, it)| !it.is_cancelled())?;
        let Asked { name, why, .. } = &first.about;
        Some((place, first.shown(LoadKind::Clips, name, why.unsaid())?))
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

    /// Adds what was read, or says why not. It is kept for the document that it was asked for, however often that was read again
    /// meanwhile.
    fn add(&mut self, session: &mut Session, read: ReadClips) {
        let ReadClips {
            document,
            file,
            began,
            files,
            result,
        } = read;
        // They come in the order in which they were asked for.
        let asked = self.asked.pop_front();
        self.go_on();
        if document != session.document_generation() {
            log::info!("the clips of {} came too late", name_of(&file.path));
            // Those that were asked for with it are not wanted either; those that were asked for since are.
            let with_it = self.asked.iter().filter(|it| it.about.document == document);
            with_it.for_each(Running::cancel);
            return;
        }
        let Some(asked) = asked.filter(|it| !it.is_cancelled()) else {
            return;
        };
        let why = asked.about.why;
        if matches!(why, Why::Again { .. }) && began < asked.about.asked_at {
            return self.read_all(vec![file], why, session);
        }
        match (result, why) {
            (Ok(import), why) => self.use_read(session, file, (import, files), why),
            (Err(error), Why::Added { .. }) => {
                report(session, &file.path, format!("{error:#}"));
            }
            (Err(error), Why::Again { .. }) => keep(session, &file, &format!("{error:#}")),
        }
    }

    /// The thread reads the next one. Who asked for clips to be added has waited for them since then; of what is read again only
    /// what takes long itself is said.
    fn go_on(&mut self) {
        let next = self.asked.front_mut();
        if let Some(next) = next.filter(|next| matches!(next.about.why, Why::Again { .. })) {
            next.begin();
        }
    }

    fn use_read(
        &mut self,
        session: &mut Session,
        file: ClipFile,
        (import, files): (Import, FilesAsRead),
        why: Why,
    ) {
        let path = file.path.clone();
        let faults = Faults::of(&import);
        let fits = match why {
            Why::Added { batch, then } => {
                let plays = self.played != Some(batch) && !session.has_chosen_since(then);
                let taken = session.take_clips(file, import.model, plays);
                if taken == TakenClips::Added && plays {
                    self.played = Some(batch);
                }
                let fits = taken != TakenClips::Refused;
                if fits {
                    log::info!("clips of {}", name_of(&path));
                }
                fits
            }
            Why::Again { is_asked } => {
                let reason = self.followed.reason_to_wait(&path, &import);
                match reason.filter(|_| !is_asked) {
                    Some(reason) => {
                        keep(session, &file, &reason);
                        false
                    }
                    None => {
                        let fits = session.take_clips_again(file, import.model);
                        if fits {
                            log::info!("clips of {} again", name_of(&path));
                        }
                        fits
                    }
                }
            }
        };
        if fits {
            self.followed.take(&path, faults, files);
        } else {
            self.followed.keep(&path, files);
        }
    }
}

impl TakesArrivals for ClipReader {
    type Arrival = ClipNews;

    fn arrivals(&mut self) -> &mut Arrivals<ClipNews> {
        &mut self.arrivals
    }

    fn take_now(&mut self, session: &mut Session, news: ClipNews) {
        match news {
            ClipNews::Read(read) => {
                self.add(session, *read);
                // All that were given together are looked at once.
                if self.asked.is_empty() {
                    self.followed
                        .watch(&self.deliver, &session.document.borrowed);
                }
            }
            ClipNews::Changed(files) => {
                let files = self.followed.changed(&files, &session.document.borrowed);
                self.read_all(files, Why::Again { is_asked: false }, session);
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
        let mut files = [std::slice::from_ref(&file.path), &file.parts].concat();
        let began = SystemTime::now();
        let result = import::open_clips(&files, &viewer_consent(), &progress);
        let files = result.as_ref().map_or_else(
            |_| FilesAsRead::new(),
            |import| {
                // What was given with it may belong to others alone.
                files.retain(|it| *it == file.path || import.files.contains(it));
                as_read(files_to_watch(&files, import.files.clone()), began)
            },
        );
        // Whoever waits for it may have gone meanwhile.
        deliver(ClipNews::Read(Box::new(ReadClips {
            document,
            file,
            began,
            files,
            result,
        })));
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

fn report(session: &mut Session, path: &Path, detail: String) {
    let name = name_of(path);
    log::error!("could not read the clips of {name}: {detail}");
    let title = format!("The clips of {name} could not be read");
    let message = Message::error(title, detail);
    session.tell_of_clips(path, message);
}

fn keep(session: &mut Session, file: &ClipFile, reason: &str) {
    log::warn!(
        "the clips of {} stay as they were: {reason}",
        file.path.display()
    );
    session.keep_clips(file, reason);
}

impl Viewer {
    /// Reads the clips of the models among these files.
    pub(in crate::app) fn read_clips(&mut self, files: Vec<PathBuf>) {
        self.clip_reader.read(files, &mut self.session);
        self.request_redraw();
    }

    pub(in crate::app) fn on_clips(&mut self, news: ClipNews) {
        // Saving may have begun since that was last asked.
        self.hold_arrivals();
        self.clip_reader.take(&mut self.session, news);
        self.request_redraw();
    }
}
