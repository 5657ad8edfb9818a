//! Where to save: the system's dialog, and whether files that are there already may be replaced.

use std::{
    collections::HashSet,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    thread::JoinHandle,
};

use super::{SavingJob, SavingPlan, pose::PoseSnapshot};
use crate::{
    app::{
        Session,
        threads::{no_thread, spawn},
        window::{UserEvent, Viewer, answer},
    },
    output::FrameNames,
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
    /// Writes a pose.
    pub(super) thread: Option<JoinHandle<()>>,
}

impl Outgoing {
    /// Whether something is to be saved of what is shown.
    pub(in crate::app) fn is_busy(&self) -> bool {
        self.is_asking || self.asked.is_some() || self.job.is_some()
    }

    /// Waits for what is nearly done, as the window closes: else half a file would stay.
    pub(in crate::app) fn finish(&mut self) {
        self.job = None;
        if let Some(thread) = self.thread.take() {
            // Its panic has been told of where it happened.
            let _ = thread.join();
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

/// Of more files than these the folder is asked once, and not each of them: over a network that takes its time.
const MAX_ASKED: u32 = 100;

/// The names in a folder.
struct Listed {
    names: HashSet<OsString>,
    /// As systems read them for which capital letters are the same.
    lowered: HashSet<String>,
}

impl Listed {
    /// Those beside a file; none where that is not told.
    fn beside(file: &Path) -> Option<Self> {
        let folder = file.parent().filter(|it| !it.as_os_str().is_empty());
        let entries = fs::read_dir(folder.unwrap_or(Path::new("."))).ok()?;
        let names = entries.map(|entry| entry.map(|entry| entry.file_name()));
        let names = names.collect::<Result<HashSet<_>, _>>().ok()?;
        let lowered = names.iter().filter_map(|name| name.to_str());
        let lowered = lowered.map(str::to_ascii_lowercase).collect();
        Some(Self { names, lowered })
    }

    /// Whether there is such a file.
    fn has(&self, file: &Path) -> bool {
        let name = file.file_name().unwrap_or_default();
        // Letters that are no ASCII may be written in several ways.
        let is_out =
            |name: &str| name.is_ascii() && !self.lowered.contains(&name.to_ascii_lowercase());
        self.names.contains(name) || !name.to_str().is_some_and(is_out) && file.exists()
    }
}

/// The first of some names in a folder by which saving would replace no file.
pub(super) fn first_free(
    folder: &Path,
    mut names: impl Iterator<Item = String>,
    kind: SavingKind,
    frames: u32,
) -> Option<String> {
    let first = names.next()?;
    let place = folder.join(&first);
    if find_clash(&place, false, kind, frames, None).is_none() {
        return Some(first);
    }
    // To ask for each name would take its time: the folder is read once.
    let listed = Listed::beside(&place);
    let is_there = |file: &Path| match &listed {
        Some(listed) => listed.has(file),
        None => file.exists(),
    };
    names.find(|name| {
        let place = folder.join(name);
        if kind == SavingKind::Picture(PictureKind::Frames) {
            let names = FrameNames::new(&place);
            !(0..frames).any(|frame| is_there(&names.of_frame(frame)))
        } else {
            !is_there(&place)
        }
    })
}

/// The files that saving would replace without anybody having been asked, and the file of the model that is shown.
fn find_clash(
    path: &Path,
    was_asked: bool,
    kind: SavingKind,
    frames: u32,
    shown: Option<&Path>,
) -> Option<Clash> {
    let name = |path: &Path| {
        let name = path.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    };
    if kind == SavingKind::Picture(PictureKind::Frames) {
        let names = FrameNames::new(path);
        let listed = (frames > MAX_ASKED).then(|| Listed::beside(&names.of_frame(0)));
        let listed = listed.flatten();
        let is_there = |file: &PathBuf| match &listed {
            Some(listed) => listed.has(file),
            None => file.exists(),
        };
        let mut there = (0..frames)
            .map(|frame| names.of_frame(frame))
            .filter(is_there);
        let first = name(&there.next()?);
        let count = 1 + there.count();
        let is_model = false;
        return Some(Clash {
            count,
            first,
            is_model,
        });
    }
    let place = fs::canonicalize(path).ok()?;
    let is_model = shown.is_some_and(|shown| fs::canonicalize(shown).is_ok_and(|it| it == place));
    (is_model || !was_asked).then(|| Clash {
        count: 1,
        first: name(path),
        is_model,
    })
}

impl Session {
    /// Whether another file is being saved, so that this one is not. The user is told.
    fn refuses_to_save(&mut self, path: &Path) -> bool {
        let Some((other, ..)) = &self.saving.job else {
            return false;
        };
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let detail = format!("{other} is still being saved. Save again when that is done.");
        self.tell(Message::error(format!("{name} was not saved"), detail));
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

    /// Saves no more.
    pub(in crate::app) fn stop_saving(&mut self) {
        self.outgoing.job = None;
        self.session.saving.job = None;
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
            let message = Message::error("No file can be chosen", no_thread(&error));
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

    /// A link that leads nowhere is in the list of its folder, and no file for who asks for it.
    #[cfg(unix)]
    #[test]
    fn a_free_name_is_looked_up_in_the_list_of_the_folder() {
        let folder = std::env::temp_dir().join(format!("rigscope-listed-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("fox.png"), "there").unwrap();
        std::os::unix::fs::symlink("nowhere", folder.join("fox 2.png")).unwrap();
        let free = |names: &[&str], kind| {
            let names = names.iter().map(|name| (*name).to_owned());
            first_free(&folder, names, SavingKind::Picture(kind), 4)
        };
        let still = PictureKind::Still;
        let numbered = ["fox.png", "fox 2.png", "fox 3.png"];
        assert_eq!(free(&numbered, still).as_deref(), Some("fox 3.png"));
        assert_eq!(free(&["cat.png"], still).as_deref(), Some("cat.png"));
        assert_eq!(free(&numbered[..2], still), None);
        fs::write(folder.join("fox_0001.png"), "there").unwrap();
        fs::write(folder.join("fox 2_0003.png"), "there").unwrap();
        let frames = free(&numbered, PictureKind::Frames);
        assert_eq!(frames.as_deref(), Some("fox 3.png"));
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn files_that_nobody_was_asked_about_are_asked_about() {
        let folder = std::env::temp_dir().join(format!("rigscope-clash-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        for name in ["walk_0001.png", "walk_0002.png", "walk_0009.png", "fox.glb"] {
            fs::write(folder.join(name), "there").unwrap();
        }
        let clash = |name: &str, was_asked, kind, shown: Option<&str>| {
            let shown = shown.map(|shown| folder.join(shown));
            let clash = find_clash(&folder.join(name), was_asked, kind, 4, shown.as_deref());
            clash.map(|clash| (clash.count, clash.first, clash.is_model))
        };
        let (frames, mesh) = (
            SavingKind::Picture(PictureKind::Frames),
            SavingKind::Pose(PoseKind::Mesh),
        );
        let two = Some((2, "walk_0001.png".to_owned(), false));
        assert_eq!(
            clash("walk.png", true, frames, None),
            two,
            "the dialog knows of walk.png alone"
        );
        assert_eq!(clash("run.png", true, frames, None), None);
        // Very many are not asked one by one.
        let of_many = |name: &str| {
            let clash = find_clash(&folder.join(name), true, frames, 100_000, None);
            clash.map(|clash| (clash.count, clash.first))
        };
        assert_eq!(of_many("walk.png"), Some((3, "walk_0001.png".to_owned())));
        assert_eq!(of_many("run.png"), None);
        fs::write(folder.join("gång_0007.png"), "there").unwrap();
        fs::write(folder.join("HOP_0003.PNG"), "there").unwrap();
        assert_eq!(of_many("gång.png"), Some((1, "gång_0007.png".to_owned())));
        let is_alike = folder.join("hop_0003.png").exists();
        assert_eq!(of_many("hop.png").is_some(), is_alike);
        let one = |is_model| Some((1, "fox.glb".to_owned(), is_model));
        assert_eq!(clash("fox.glb", false, mesh, None), one(false));
        assert_eq!(clash("fox.glb", true, mesh, Some("cat.glb")), None);
        assert_eq!(clash("fox.glb", true, mesh, Some("fox.glb")), one(true));
        fs::remove_dir_all(&folder).unwrap();
    }
}
