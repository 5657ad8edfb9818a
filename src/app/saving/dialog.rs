//! Where to save: the system's dialog, and whether files that are there already may be replaced.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicBool},
    thread::JoinHandle,
};

use super::{
    SavingJob, SavingPlan, animation::AnimationSnapshot, clash::find_clash, pose::PoseSnapshot,
};
use crate::{
    app::{
        Session,
        messages::Topic,
        threads::{no_thread, spawn},
        window::{UserEvent, Viewer, answer},
    },
    output::remove_unfinished,
    ui::{Clash, Message, PictureKind, PoseKind, SavingKind},
};

/// What is on its way out.
#[derive(Default)]
pub(in crate::app) struct Outgoing {
    pub(super) job: Option<SavingJob>,
    /// What waits for an answer whether it may replace files.
    asked: Option<Box<SaveAsked>>,
    /// Whether the user is asked where to save.
    is_asking: bool,
    /// Writes a pose or an animation.
    pub(super) thread: Option<JoinHandle<()>>,
    /// Has it stop, between two of its moments.
    pub(super) stop: Option<Arc<AtomicBool>>,
    /// Whether the user would rather close the window than wait for that.
    pub(super) is_given_up: bool,
}

impl Outgoing {
    /// Whether something is to be saved of what is shown.
    pub(in crate::app) fn is_busy(&self) -> bool {
        self.is_asking || self.asked.is_some() || self.job.is_some()
    }

    /// Ends what is being saved, as the window closes, and leaves no half file. What is nearly done is waited for, unless the
    /// user has given it up.
    pub(in crate::app) fn finish(&mut self) {
        self.job = None;
        match self.thread.take() {
            Some(_) if self.is_given_up => remove_unfinished(),
            // Its panic has been told of where it happened.
            Some(thread) => drop(thread.join()),
            None => {}
        }
    }
}

/// What the user wants to be saved, and where.
#[derive(Debug)]
pub(in crate::app) struct SaveAsked {
    /// None if the dialog was closed.
    path: Option<PathBuf>,
    /// Whether the system has no such dialog.
    is_unasked: bool,
    plan: SavingPlan,
    what: Asked,
    clash: Option<Clash>,
}

/// What becomes of the plan.
#[derive(Debug)]
enum Asked {
    Picture(PictureKind),
    /// It is of the moment in which it was asked for.
    Pose(PoseKind, Box<PoseSnapshot>),
    /// It is of what played then.
    Animation(Box<AnimationSnapshot>),
}

impl SaveAsked {
    /// Takes where it is to be saved. The system's dialog, if it says so (`is_asked`), has asked itself whether to replace the
    /// file of exactly the name that was chosen.
    fn choose(&mut self, chosen: PathBuf, is_asked: bool, shown: Option<&Path>) {
        let (settings, frames) = (self.plan.settings, self.plan.frames);
        let (path, is_given) = with_extension(chosen, settings.kind);
        let was_asked = is_asked && is_given;
        self.clash = find_clash(&path, was_asked, settings.kind, frames, shown);
        self.path = Some(path);
    }
}

/// The file that is meant: not all dialogs add what says the kind, and other dots are part of the name. The second is whether
/// it was chosen just so.
pub(super) fn with_extension(chosen: PathBuf, kind: SavingKind) -> (PathBuf, bool) {
    let extension = kind.extension();
    // Those who cannot show an APNG know it as a PNG.
    let also = if kind == SavingKind::Picture(PictureKind::Apng) {
        "png"
    } else {
        extension
    };
    let is_given = chosen.extension().is_some_and(|found| {
        found.eq_ignore_ascii_case(extension) || found.eq_ignore_ascii_case(also)
    });
    if is_given {
        return (chosen, true);
    }
    let mut path = chosen.into_os_string();
    path.push(".");
    path.push(extension);
    (path.into(), false)
}

impl Session {
    /// Whether another file is being saved, so that this one is not. The user is told.
    fn refuses_to_save(&mut self, path: &Path) -> bool {
        let Some((other, ..)) = &self.saving.job else {
            return false;
        };
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let detail = format!("{other} is still being saved. Save again when that is done.");
        let message = Message::error(format!("{name} was not saved"), detail);
        self.messages.tell(Topic::Saving, message);
        true
    }
}

impl Viewer {
    /// Begins what waits for an answer, and replaces the files that are there.
    pub(in crate::app) fn replace_saved(&mut self) {
        if let Some(asked) = self.outgoing.asked.take() {
            self.begin_saving(*asked);
        }
    }

    /// Lets go of what waits for an answer.
    pub(in crate::app) fn keep_saved(&mut self) {
        self.outgoing.asked = None;
    }

    /// Asks where to save, unless something is being saved.
    pub(in crate::app) fn ask_where_to_save(&mut self) {
        if self.session.saving.job.is_some() || !self.begins_dialog() {
            return;
        }
        let (name, folder) = self.session.saving_place();
        let kind = self.session.saving.settings.kind;
        let dialog = rfd::AsyncFileDialog::new()
            .set_title("Save")
            .set_file_name(name)
            .set_directory(folder)
            .add_filter(kind.label(), &[kind.extension()]);
        let mut asked = self.plan_asked();
        let shown = self.documents.model_path().map(Path::to_owned);
        // The dialog is made here, as macOS asks, and waited for elsewhere.
        let chosen = dialog.save_file();
        let proxy = self.proxy.clone();
        let wait = move || {
            let (file, was_shown) = answer(chosen);
            if let Some(file) = file {
                asked.choose(file.path().to_owned(), true, shown.as_deref());
            }
            asked.is_unasked = !was_shown;
            let _ = proxy.send_event(UserEvent::SaveTo(asked));
        };
        self.outgoing.is_asking = true;
        if let Err(error) = spawn("dialog", wait) {
            self.end_dialog();
            self.outgoing.is_asking = false;
            let message = Message::error("No file can be chosen", no_thread(&error)).in_sentences();
            self.session.tell(message);
        }
    }

    /// What is to be saved, of this moment.
    fn plan_asked(&mut self) -> Box<SaveAsked> {
        let settings = self.session.saving.settings;
        let source = self.documents.source().cloned();
        Box::new(SaveAsked {
            path: None,
            is_unasked: false,
            plan: self.session.plan_saving(settings),
            what: match settings.kind {
                SavingKind::Picture(kind) => Asked::Picture(kind),
                SavingKind::Pose(kind) => {
                    Asked::Pose(kind, Box::new(self.session.pose_snapshot(source)))
                }
                SavingKind::Animation => {
                    Asked::Animation(Box::new(self.session.animation_snapshot(source)))
                }
            },
            clash: None,
        })
    }

    /// Saves there, unless something is being saved.
    pub(in crate::app) fn save_at(&mut self, path: PathBuf) {
        if self.session.saving.job.is_none() {
            let mut asked = self.plan_asked();
            asked.choose(path, false, self.documents.model_path());
            self.begin_or_ask(asked);
        }
    }

    /// The dialog is closed.
    pub(in crate::app) fn on_save_to(&mut self, asked: Box<SaveAsked>) {
        self.end_dialog();
        self.outgoing.is_asking = false;
        match &asked.path {
            Some(path) => self.session.saved_to(path),
            None => self.session.reopen_saving(asked.is_unasked),
        }
        self.begin_or_ask(asked);
    }

    /// Begins to save, or asks whether files may be replaced.
    fn begin_or_ask(&mut self, mut asked: Box<SaveAsked>) {
        let path = asked.path.as_deref();
        if path.is_some_and(|path| self.session.refuses_to_save(path)) {
            self.request_redraw();
            return;
        }
        match asked.clash.take() {
            Some(clash) => {
                self.session.saving.clash = Some(clash);
                self.outgoing.asked = Some(asked);
                self.request_redraw();
            }
            None => self.begin_saving(*asked),
        }
    }

    fn begin_saving(&mut self, asked: SaveAsked) {
        let Some(path) = asked.path else {
            return;
        };
        if self.session.refuses_to_save(&path) {
            return self.request_redraw();
        }
        self.session.saving.is_open = false;
        match asked.what {
            Asked::Pose(kind, pose) => self.write_pose(*pose, kind, path),
            Asked::Animation(animation) => self.write_animation(*animation, path),
            Asked::Picture(kind) => {
                if let Some(stage) = &self.stage {
                    let to = path.clone();
                    match SavingJob::new(&mut self.session, &stage.gpu, to, kind, asked.plan) {
                        Ok(job) => self.outgoing.job = Some(job),
                        Err(fault) => self.session.tell_saved(&path, "", Err(fault)),
                    }
                    self.request_redraw();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_extension_of_the_kind_is_one() {
        for (chosen, kind, expected, is_given) in [
            (
                "take 1.5",
                SavingKind::Picture(PictureKind::Still),
                "take 1.5.png",
                false,
            ),
            (
                "walk.PNG",
                SavingKind::Picture(PictureKind::Still),
                "walk.PNG",
                true,
            ),
            (
                "walk.png",
                SavingKind::Picture(PictureKind::Gif),
                "walk.png.gif",
                false,
            ),
            (
                "walk.png",
                SavingKind::Picture(PictureKind::Apng),
                "walk.png",
                true,
            ),
            (
                "a.json",
                SavingKind::Pose(PoseKind::Mesh),
                "a.json.glb",
                false,
            ),
            ("a", SavingKind::Pose(PoseKind::Json), "a.json", false),
        ] {
            let found = with_extension(PathBuf::from(chosen), kind);
            assert_eq!(found, (PathBuf::from(expected), is_given));
        }
    }

    #[test]
    fn what_is_chosen_while_another_file_is_saved_is_refused_by_name() {
        let mut session = Session::new(Default::default(), None, Default::default());
        let path = Path::new("/somewhere/fox.png");
        assert!(!session.refuses_to_save(path));
        assert_eq!(session.message(), None);
        session.saving.job = Some(("walk.gif".to_owned(), 3, 90));
        assert!(session.refuses_to_save(path));
        let message = session.message().unwrap();
        assert_eq!(message.title, "fox.png was not saved");
        assert!(message.detail.contains("walk.gif is still"), "{message:?}");
    }
}
