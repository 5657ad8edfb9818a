//! The file that is shown: what becomes of a load (a model, a message, or a message with an offer), and of its files when they
//! change.

use std::path::{self, Path, PathBuf};

use winit::event_loop::EventLoopProxy;

use super::{
    followed::{Followed, Known},
    loading::{Loaded, Source},
    next_of_folder,
    remaining::{holds_parts, nothing_left, refusal},
    watch::FilesAsRead,
};
use crate::{
    app::{Session, messages::Topic, window::UserEvent},
    import::{self, Import},
    ui::{Action, LoadKind, Message, Offer, capitalized, written},
};

#[cfg(test)]
pub(in crate::app) mod tests;

/// What is shown, and what becomes of what is on its way; neither window nor GPU.
#[derive(Debug)]
pub(in crate::app) struct Documents {
    /// What is shown, or would be if it could have been read.
    pub(in crate::app) file: Followed,
    /// What the message that was shown last offers to open.
    offered: Option<Offered>,
    /// The file that was last gone to, in the folder; it may have turned out to be none.
    pub(super) tried: Option<PathBuf>,
    /// The model that was last gone to in the archive that is shown.
    pub(super) tried_within: Option<String>,
    /// Whether the user came to what is shown by going through a folder.
    pub(super) is_passing: bool,
}

/// What a message offers to open.
#[derive(Debug, Clone)]
enum Offered {
    /// To be shown.
    Model(Source),
    /// To be compared with.
    Other(Source),
}

impl Documents {
    /// Nothing yet, for a window that gets events.
    pub(in crate::app) fn for_window(proxy: &EventLoopProxy<UserEvent>) -> Self {
        let changed = || UserEvent::FilesChanged;
        Self::new(Followed::for_window(
            LoadKind::Model,
            proxy,
            UserEvent::Loaded,
            changed,
        ))
    }

    fn new(file: Followed) -> Self {
        Self {
            file,
            offered: None,
            tried: None,
            tried_within: None,
            is_passing: false,
        }
    }

    /// Starts to open something else.
    pub(in crate::app) fn open(&mut self, source: Source) {
        self.tried = None;
        self.tried_within = None;
        self.file.open(source);
    }

    /// Does what the message offers. Gives what is to be read to compare with, if it is that.
    pub(in crate::app) fn accept_offer(&mut self) -> Option<Source> {
        match self.offered.take()? {
            Offered::Model(source) => {
                self.open(source);
                None
            }
            Offered::Other(source) => Some(source),
        }
    }

    /// Where the file of the model is that is shown; none if it is built in.
    pub(in crate::app) fn model_path(&self) -> Option<&Path> {
        self.file.model_path()
    }

    /// What is shown came from there.
    pub(in crate::app) fn source(&self) -> Option<&Source> {
        self.file.source()
    }

    /// Whether this built-in model is shown.
    pub(super) fn is_built_in(&self, name: &str) -> bool {
        matches!(self.source(), Some(Source::BuiltIn(shown)) if *shown == name)
    }

    /// Shows what was loaded, or says why not. Gives what was opened and is new before the user.
    pub(in crate::app) fn on_loaded(
        &mut self,
        session: &mut Session,
        loaded: Loaded,
    ) -> Option<Source> {
        if !self.file.takes(&loaded) {
            return None;
        }
        let opened = if self.file.is_update(loaded.purpose) {
            self.update(session, loaded);
            None
        } else {
            self.show(session, loaded)
        };
        self.file.make_up_for_missed();
        opened
    }

    fn show(&mut self, session: &mut Session, loaded: Loaded) -> Option<Source> {
        // Of an archive also which of its models it is that was gone to.
        let name = loaded.source.title();
        // What is said of a file to compare with stays.
        self.offered
            .take_if(|offered| matches!(offered, Offered::Model(_)));
        let (source, import) = match loaded.result {
            Ok(import) => (loaded.source, import),
            Err(error) if import::is_cancelled(&error) => return None,
            Err(error) => {
                let source = loaded.source;
                self.offered = source.tolerating(&error).map(Offered::Model);
                let offer = self.offered.as_ref().map(|_| Offer::OpenAnyway);
                let message = Message::error(unopened(&name), format!("{error:#}"));
                let message = message.in_sentences().offering(offer);
                self.report_unopened(session, &source, &name, message);
                self.watch_unread(source, loaded.files);
                return None;
            }
        };
        let source = source.settled(&import);
        // It may be the next of those that were given together.
        let name = source.name();
        if let Some(reason) = nothing_left(&import) {
            let offer = self.offer(&source, &import.outside);
            let message = refusal(unopened(&name), reason, &import, offer);
            self.report_unopened(session, &source, &name, message);
            self.watch_unread(source, loaded.files);
            return None;
        }
        let model = &import.model;
        let is_empty = !holds_parts(model) && model.vertex_count() == 0;
        if is_empty && source.allows_outside() {
            let reason = "What it names was read, as you allowed, and yet there is nothing in it that can be shown.";
            let message = Message::error(unopened(&name), reason);
            self.report_unopened(session, &source, &name, message);
            self.watch_unread(source, loaded.files);
            return None;
        }
        let tried = self.tried.take();
        self.is_passing = tried.is_some() && tried == source.path();
        self.tried_within = None;
        let is_shown = self.is_shown(&source, &import);
        let known = Known::of(source.clone(), &import);
        self.file.take(known, loaded.files);
        let outside = import.outside.clone();
        let unshown = self.unshown(&source, &import);
        let unread = next_of_folder::unread_words(&import).map(capitalized);
        if is_shown {
            // What is worked at stays, and only what was said of the file is over.
            for topic in [
                Topic::Model,
                Topic::Outside,
                Topic::BrokenSave,
                Topic::TurnedAway,
            ] {
                session.messages.take_back(topic);
            }
            session.reload_model(import, loaded.time);
        } else {
            session.open_model(import, self.model_path().map(Path::to_owned), loaded.time);
        }
        log::info!("opened {name}");
        self.tell_left_out(session, &name, &source, unread);
        if let Some(message) = unshown {
            session.tell(message);
        }
        self.offer_outside(session, &name, &source, &outside);
        if !is_shown {
            session.tell_if_turned_away();
        }
        Some(source)
    }

    /// Whether what was opened is the model that is shown, whatever the user has agreed to since.
    fn is_shown(&self, source: &Source, import: &Import) -> bool {
        let Some(shown) = self.source().filter(|_| self.file.is_in_use()) else {
            return false;
        };
        let (Some(before), Some(now)) = (self.model_path(), import.path.as_deref()) else {
            return source == shown;
        };
        // Of an archive it may be another model.
        is_same_path(before, now)
            && (import::is_model_name(now) || source.within() == shown.within())
    }

    /// Says why something cannot be opened. What is said of the file that is shown is over once that is read again.
    fn report_unopened(
        &self,
        session: &mut Session,
        source: &Source,
        name: &str,
        message: Message,
    ) {
        log::error!("could not open {name}: {}", message.detail);
        let shown = self.model_path().filter(|_| self.file.is_in_use());
        let path = source.path();
        let is_of_shown =
            matches!((shown, &path), (Some(shown), Some(path)) if is_same_path(shown, path));
        let topic = if is_of_shown {
            Topic::BrokenSave
        } else {
            Topic::Model
        };
        session.messages.tell(topic, message);
    }

    /// Puts what was read again in the place of what is shown, unless it was saved broken.
    fn update(&mut self, session: &mut Session, loaded: Loaded) {
        let name = loaded.source.name();
        let anew = match self.file.take_again(loaded) {
            Some(Ok(anew)) => anew,
            Some(Err(reason)) => return Self::keep(session, &name, reason),
            None => return,
        };
        session.messages.take_back(Topic::BrokenSave);
        let is_asked = session.messages.take_back(Topic::Outside);
        if is_asked {
            // The model may name others by now, or none.
            self.offered = None;
        }
        let outside = anew.import.outside.clone();
        session.reload_model(anew.import, anew.time);
        log::info!("reloaded {name}");
        // Something else that was told, such as of a broken save, may have taken the place of the question.
        if anew.may_ask || is_asked || session.messages.may_ask_again(Topic::Outside) {
            self.offer_outside(session, &name, &anew.source, &outside);
        }
    }

    /// Keeps what is shown, and says why.
    fn keep(session: &mut Session, name: &str, reason: String) {
        log::warn!("could not reload {name}: {reason}");
        let message = Message::warning(
            format!("{name} cannot be read as it is now: what was read last is shown"),
            reason,
        );
        session
            .messages
            .tell(Topic::BrokenSave, message.in_sentences());
    }

    /// Where nothing is shown, what could not be read is watched: it is shown as soon as it can be.
    fn watch_unread(&mut self, source: Source, files: FilesAsRead) {
        if !self.file.is_in_use() {
            self.file.take(Known::unread(source), files);
        }
    }

    /// Offers to open what the model that is shown names outside of its folder.
    fn offer_outside(
        &mut self,
        session: &mut Session,
        name: &str,
        source: &Source,
        outside: &[PathBuf],
    ) {
        if let Some(offer) = self.offer(source, outside) {
            let detail = named_outside(outside);
            log::warn!("not all of {name} was opened: {detail}");
            let title = format!("{name} names files outside its own folder");
            let message = Message::error(title, detail).offering(Some(offer));
            session.messages.tell(Topic::Outside, message);
        }
    }

    /// Says which other models were given together with the one that is shown, after what is said of those that could not be
    /// read; offers to compare with it, if it is one.
    fn tell_left_out(
        &mut self,
        session: &mut Session,
        name: &str,
        source: &Source,
        unread: Option<String>,
    ) {
        let others = source.other_models();
        let names: Vec<_> = others.iter().map(Source::name).collect();
        let [first, more @ ..] = &*names else {
            return;
        };
        log::info!("left out: {}", names.join(", "));
        let mut message = Message::info(format!("Only {name} was opened"), String::new());
        if more.is_empty() {
            message.detail = format!("{first} was given, too. One model is shown at a time.");
            message.offer = Some(Offer::Compare);
            self.offered = others.into_iter().next().map(Offered::Other);
        } else {
            let keys = written(Action::CompareFile, 0);
            message.detail = format!(
                "Left out: {}.\nOne model is shown at a time; {keys} reads another one to compare with.",
                names.join(", ")
            );
        }
        if let Some(unread) = unread {
            message.detail.insert_str(0, &format!("{unread}.\n"));
        }
        session.tell(message);
    }

    /// What there is to say of folders and archives of whose models the first is shown. Of files given together that is said
    /// elsewhere.
    fn unshown(&self, source: &Source, import: &Import) -> Option<Message> {
        let mut found = import.diagnostics.iter();
        let found = found.find(|it| it.code == import::SEVERAL_MODELS)?;
        if !source.other_models().is_empty() {
            return None;
        }
        let path = import.path.as_deref()?;
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let within = import.within.as_deref();
        let name = within.and_then(|it| it.rsplit('/').next());
        let name = name.unwrap_or(&file);
        let count = self.models().len();
        // Those in other folders are not gone through.
        let is_archive = count > 1 && self.is_archive();
        let is_beside = name == file && self.models_beside().len() > 1;
        // Others may be called the same, in folders of their own.
        let is_apart = !is_archive && !is_beside;
        let name = within.filter(|_| is_apart).unwrap_or(name);
        let keys = written(Action::FileStep, 1);
        let rest = match (is_archive, is_beside) {
            (true, _) => format!("one is shown at a time; {keys} goes through them"),
            (_, true) => format!("one is shown at a time; {keys} goes through those beside it"),
            _ => found.action.clone(),
        };
        let holder = if is_archive { "archive" } else { "folder" };
        let detail = match next_of_folder::unread_words(import) {
            Some(unread) if is_archive || is_beside => {
                let unread = capitalized(unread);
                format!("{unread}. There are {count} models in the {holder}: {rest}.")
            }
            _ => capitalized(&format!("{}: {rest}.", found.message)),
        };
        Some(Message::info(format!("Only {name} was opened"), detail))
    }

    /// The models of the folder or the archive that is shown, if it is one.
    pub(in crate::app) fn models(&self) -> &[String] {
        self.file.models()
    }

    /// Whether what is shown is one of an archive.
    pub(super) fn is_archive(&self) -> bool {
        let path = self.source().and_then(Source::path);
        !self.models().is_empty() && path.is_some_and(|path| path.is_file())
    }

    fn offer(&mut self, source: &Source, outside: &[PathBuf]) -> Option<Offer> {
        self.offered = Some(Offered::Model(source.allowing(outside)?));
        Some(Offer::AllowOnce)
    }

    /// Takes note of what the message about a file to compare with offers.
    pub(in crate::app) fn offer_other(&mut self, source: Option<Source>) {
        if let Some(source) = source {
            self.offered = Some(Offered::Other(source));
        }
    }
}

/// The title of what is said of a file that cannot be opened.
fn unopened(name: &str) -> String {
    format!("{name} could not be opened")
}

/// Whether two paths are written alike but for the folder that they are looked for from.
fn is_same_path(a: &Path, b: &Path) -> bool {
    a == b || matches!([a, b].map(path::absolute), [Ok(a), Ok(b)] if a == b)
}

/// What a user must know to allow files outside of a model's folder: all of them, since all are opened then.
pub(in crate::app) fn named_outside(outside: &[PathBuf]) -> String {
    let mut text = "These were not opened:".to_owned();
    for path in outside {
        text.push('\n');
        text += &path.display().to_string();
    }
    text
}
