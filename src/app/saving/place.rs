//! Where it is saved: a name and a folder, which are proposed until the user writes others. The system's dialog is another way.

use std::path::{Path, PathBuf};

use super::{
    dialog::{is_taken, with_extension},
    words::fit_for_file,
};
use crate::{
    app::{
        Session,
        files::{home, with_tilde, without_tilde},
    },
    ui::{PoseKind, SavingKind},
};

/// A name and a folder.
#[derive(Debug, Default)]
pub(super) struct Place {
    name: String,
    has_own_name: bool,
    folder: String,
    /// The folder that is proposed; what is written relative to a folder is relative to it.
    proposed: PathBuf,
    /// The file for which the user wrote the folder: for others one is proposed again.
    own_folder_of: Option<u64>,
    /// What would be saved, in words.
    what: String,
    /// Why nothing can be saved there, or what to know.
    fault: String,
    /// Whether the system has shown no dialog when it was asked to.
    pub(super) has_no_chooser: bool,
}

impl Place {
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn folder(&self) -> &str {
        &self.folder
    }

    pub(super) fn fault(&self) -> &str {
        &self.fault
    }

    pub(super) fn what(&self) -> &str {
        &self.what
    }

    pub(super) fn set_name(&mut self, name: String) {
        self.name = name;
        self.has_own_name = true;
        self.fault.clear();
    }

    fn own_folder(&mut self, folder: String, document: u64) {
        self.folder = folder;
        self.own_folder_of = Some(document);
        self.fault.clear();
    }

    /// The folder that is meant.
    fn meant_folder(&self) -> PathBuf {
        match self.own_folder_of {
            // Its name may not be text.
            None => self.proposed.clone(),
            Some(_) => self
                .proposed
                .join(without_tilde(Path::new(self.folder.trim()))),
        }
    }

    /// The file that is meant, or why there cannot be such a file. Its name may be a path, too.
    fn checked(&self, kind: SavingKind) -> Result<PathBuf, String> {
        let name = self.name.trim();
        if name.is_empty() {
            return Err("The file needs a name.".to_owned());
        }
        let path = self.meant_folder().join(without_tilde(Path::new(name)));
        let written = |path: &Path| with_tilde(path).display().to_string();
        let is_named = !name.ends_with(std::path::is_separator) && path.file_name().is_some();
        if !is_named || with_extension(path.clone(), kind).0.is_dir() {
            return Err(format!(
                "{} is a folder: the file needs a name.",
                written(&path)
            ));
        }
        match path.parent().filter(|folder| !folder.is_dir()) {
            Some(file) if file.exists() => Err(format!("{} is no folder.", written(file))),
            Some(missing) => Err(format!("There is no folder {}.", written(missing))),
            None => Ok(path),
        }
    }
}

/// Pictures, or poses.
fn group_of(kind: SavingKind) -> &'static [SavingKind] {
    if kind.is_pose() {
        &SavingKind::POSES
    } else {
        &SavingKind::PICTURES
    }
}

/// The other kind of the same group, pictures or poses, that the ending of a name says.
fn kind_of(name: &str, kind: SavingKind) -> Option<SavingKind> {
    if with_extension(name.into(), kind).1 {
        return None;
    }
    let ending = Path::new(name).extension()?;
    let mut said = group_of(kind).iter().copied();
    said.find(|kind| ending.eq_ignore_ascii_case(kind.extension()))
}

impl Session {
    /// Proposes a name, and a folder where the user has not written one for this model.
    pub(super) fn open_place(&mut self) {
        let document = self.document_generation;
        let place = &mut self.saving.place;
        place.has_own_name = false;
        let is_there = place.meant_folder().is_dir();
        place
            .own_folder_of
            .take_if(|of| *of != document || !is_there);
        place.fault.clear();
        self.propose_place();
    }

    /// Proposes what the user has not written.
    pub(in crate::app) fn propose_place(&mut self) {
        let kind = self.saving.settings.kind;
        let model = Path::new(&self.model().name);
        let stem = model.file_stem().unwrap_or_default().to_string_lossy();
        let what = self.words_of_saved(kind);
        let is_data = matches!(kind, SavingKind::Pose(PoseKind::Json | PoseKind::Mesh));
        let rest = match kind {
            SavingKind::Pose(PoseKind::Clip) => [&*self.saving.clip_name, ""],
            _ if is_data && self.held_pose().is_none() => [&*what.in_name, "pose"],
            _ => [&*what.in_name, ""],
        };
        let name = fit_for_file(&stem, &rest);
        let model = self.path.as_deref();
        let model = model.and_then(|path| std::path::absolute(path).ok());
        let folder = model.as_deref().and_then(Path::parent).map(Path::to_owned);
        let folder = folder.or_else(home).unwrap_or_default();
        let place = &mut self.saving.place;
        place.fault.clear();
        place.what = what.said;
        if place.own_folder_of.is_none() {
            place.folder = with_tilde(&folder).to_string_lossy().into_owned();
        }
        place.proposed = folder;
        if !place.has_own_name {
            self.saving.place.name = self.free_name(&name);
        }
    }

    /// This name with what says the kind; numbered where there is such a file.
    fn free_name(&self, name: &str) -> String {
        /// By then somebody has to say what is meant.
        const MOST: u32 = 1000;
        let settings = &self.saving.settings;
        let (folder, extension) = (self.saving.place.meant_folder(), settings.kind.extension());
        let frames = self.frames_to_save(settings);
        let numbered = (2..MOST).map(|number| format!("{name} {number}.{extension}"));
        let first = format!("{name}.{extension}");
        let mut names = std::iter::once(first.clone()).chain(numbered);
        let free = names.find(|name| !is_taken(&folder.join(name), settings.kind, frames));
        free.unwrap_or(first)
    }

    /// Another kind has another ending.
    pub(super) fn rename_for_kind(&mut self, before: SavingKind) {
        let kind = self.saving.settings.kind;
        let place = &mut self.saving.place;
        let old = format!(".{}", before.extension());
        if let Some(stem) = place.name.strip_suffix(&*old) {
            place.name = format!("{stem}.{}", kind.extension());
        }
        self.propose_place();
    }

    /// Takes the name that the user writes, and the kind that its ending says.
    pub(super) fn set_file_name(&mut self, mut name: String) {
        let state = &mut self.saving;
        // Typed with its ending in the place of the stem, which the box selects: what says the kind stood behind it.
        let ending = format!(".{}", state.settings.kind.extension());
        let stem = name.strip_suffix(&*ending).map(Path::new);
        let said = stem.and_then(Path::extension);
        let is_ending = said.is_some_and(|said| {
            let mut kinds = group_of(state.settings.kind).iter();
            kinds.any(|kind| said.eq_ignore_ascii_case(kind.extension()))
        });
        if is_ending {
            name.truncate(name.len() - ending.len());
        }
        let kind = kind_of(&name, state.settings.kind);
        state.place.set_name(name);
        if let Some(kind) = kind {
            state.settings.kind = kind;
            state.last[usize::from(kind.is_pose())] = kind;
            self.propose_place();
        }
    }

    pub(super) fn set_saving_folder(&mut self, folder: String) {
        let document = self.document_generation;
        self.saving.place.own_folder(folder, document);
        self.propose_place();
    }

    /// The name and the folder that the box says.
    pub(super) fn saving_place(&self) -> (String, PathBuf) {
        let place = &self.saving.place;
        (place.name.clone(), place.meant_folder())
    }

    /// The file that is meant. Where there cannot be such a file, the box says why.
    pub(super) fn checked_place(&mut self) -> Option<PathBuf> {
        let kind = self.saving.settings.kind;
        let place = &mut self.saving.place;
        match place.checked(kind) {
            Ok(path) => Some(path),
            Err(fault) => {
                place.fault = fault;
                None
            }
        }
    }

    /// The user has chosen this file in the system's dialog: the next one will be beside it.
    pub(super) fn saved_to(&mut self, path: &Path) {
        if let Some(folder) = path.parent().and_then(Path::to_str) {
            self.set_saving_folder(with_tilde(Path::new(folder)).display().to_string());
        }
    }

    /// No file was chosen, or the system has no dialog to choose one (`is_unasked`): the box is opened again, which needs none.
    pub(super) fn reopen_saving(&mut self, is_unasked: bool) {
        self.propose_place();
        let state = &mut self.saving;
        state.is_open = true;
        if is_unasked {
            state.place.has_no_chooser = true;
            state.place.fault = "The system shows no file dialog: Save takes this name.".to_owned();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, time::Duration};

    use super::*;
    use crate::{
        app::{Errand, built_in},
        ui::{
            ClipsCommand, Command, PictureKind, PlaybackCommand, SavingCommand, SavingKind,
            SavingSettings,
        },
    };

    fn saving(session: &mut Session, command: SavingCommand) -> Option<Errand> {
        session.apply(Command::Saving(command))
    }

    #[test]
    fn a_file_is_proposed_beside_the_model_until_another_is_named() {
        let folder = std::env::temp_dir().join(format!("rigscope-place-{}", std::process::id()));
        fs::create_dir_all(folder.join("out.glb")).unwrap();
        let folder = folder.canonicalize().unwrap();
        let path = folder.join("Pip.glb");
        let mut session = Session::new(built_in::load("Pip").unwrap(), Some(path), Duration::ZERO);
        let saved = |session: &mut Session| match saving(session, SavingCommand::Save) {
            Some(Errand::SaveAt(path)) => path.strip_prefix(&folder).unwrap().to_owned(),
            other => panic!("{other:?}: {}", session.saving_view().fault),
        };
        saving(&mut session, SavingCommand::TogglePose);
        assert_eq!(saved(&mut session), Path::new("Pip Idle 0.00s pose.json"));
        let set = |session: &mut Session, kind| {
            let settings = SavingSettings {
                kind,
                ..session.saving.settings
            };
            saving(session, SavingCommand::Set(settings));
        };
        set(&mut session, SavingKind::Pose(PoseKind::Clip));
        saving(&mut session, SavingCommand::SetClipName("a/b".into()));
        assert_eq!(saved(&mut session), Path::new("Pip a-b.glb"));
        saving(&mut session, SavingCommand::SetFileName("bent.glb".into()));
        set(&mut session, SavingKind::Pose(PoseKind::Json));
        assert_eq!(saved(&mut session), Path::new("bent.json"));
        assert!(session.saving.is_open, "until it is known that it can be");

        // Its ending says the kind, of pictures as of poses.
        saving(&mut session, SavingCommand::SetFileName("bent.GLB".into()));
        assert_eq!(saved(&mut session), Path::new("bent.GLB"));
        let kind = |session: &Session| session.saving_view().settings.kind;
        assert_eq!(kind(&session), SavingKind::Pose(PoseKind::Mesh));
        set(&mut session, SavingKind::Pose(PoseKind::Clip));
        saving(&mut session, SavingCommand::SetFileName("x.glb".into()));
        assert_eq!(kind(&session), SavingKind::Pose(PoseKind::Clip));
        set(&mut session, SavingKind::Picture(PictureKind::Still));
        for (name, expected) in [
            ("walk.gif", PictureKind::Gif),
            ("walk.gif.we", PictureKind::Gif),
            ("walk.webp", PictureKind::WebP),
            ("walk.json", PictureKind::WebP),
            ("walk.png", PictureKind::Still),
        ] {
            saving(&mut session, SavingCommand::SetFileName(name.into()));
            assert_eq!(kind(&session), SavingKind::Picture(expected), "{name}");
        }
        // In the place of the stem, too, which the box selects.
        for (typed, name, expected) in [
            ("run.png.png", "run.png", PictureKind::Still),
            ("run.gif.png", "run.gif", PictureKind::Gif),
            ("run 1.5.gif", "run 1.5.gif", PictureKind::Gif),
        ] {
            saving(&mut session, SavingCommand::SetFileName(typed.into()));
            assert_eq!(session.saving_view().file_name, name);
            assert_eq!(kind(&session), SavingKind::Picture(expected), "{typed}");
        }
        set(&mut session, SavingKind::Pose(PoseKind::Json));

        // What cannot be is said, and what is written next is looked at anew.
        for (name, folder, fault) in [
            (" ", ".", "needs a name"),
            ("a.json", "nowhere", "There is no folder"),
            ("nowhere/a.json", ".", "There is no folder"),
            ("out.glb/", ".", "is a folder"),
            ("..", ".", "is a folder"),
        ] {
            saving(&mut session, SavingCommand::SetFileName(name.into()));
            saving(&mut session, SavingCommand::SetFolder(folder.into()));
            assert_eq!(session.saving_view().fault, "");
            assert_eq!(saving(&mut session, SavingCommand::Save), None);
            let said = session.saving_view().fault;
            assert!(said.contains(fault), "{name}: {said}");
        }
        saving(&mut session, SavingCommand::SetFileName("out".into()));
        saving(&mut session, SavingCommand::SetFolder(".".into()));
        set(&mut session, SavingKind::Pose(PoseKind::Mesh));
        assert_eq!(saving(&mut session, SavingCommand::Save), None, "out.glb");

        // The folder is kept for this model, and the name for this time.
        saving(&mut session, SavingCommand::SetFolder("out.glb".into()));
        saving(&mut session, SavingCommand::Close);
        saving(&mut session, SavingCommand::TogglePose);
        assert_eq!(
            saved(&mut session),
            Path::new("out.glb/Pip Idle 0.00s pose.glb")
        );
        // One that is not there is not asked for again.
        saving(&mut session, SavingCommand::SetFolder("nowhere".into()));
        saving(&mut session, SavingCommand::Close);
        saving(&mut session, SavingCommand::TogglePose);
        assert_eq!(saved(&mut session), Path::new("Pip Idle 0.00s pose.glb"));
        saving(&mut session, SavingCommand::SetFolder("out.glb".into()));
        saving(&mut session, SavingCommand::Close);
        session.replace_model(
            built_in::load("Pip").unwrap(),
            Some(folder.join("x.glb")),
            Duration::ZERO,
        );
        saving(&mut session, SavingCommand::TogglePose);
        assert_eq!(saved(&mut session), Path::new("Pip Idle 0.00s pose.glb"));
        fs::remove_dir_all(&folder).unwrap();
    }

    /// Reviews end as what was saved: it says what it is, and takes the place of nothing.
    #[test]
    fn the_name_says_what_is_saved_and_is_free() {
        let folder = std::env::temp_dir().join(format!("rigscope-free-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("Pip.glb");
        let mut session = Session::new(built_in::load("Pip").unwrap(), Some(path), Duration::ZERO);
        session.apply(Command::SelectClip(Some(1)));
        session.apply(Command::Playback(PlaybackCommand::Seek(0.3)));
        let shown = |session: &mut Session| {
            let view = session.saving_view();
            (view.file_name.to_owned(), view.what.to_owned())
        };
        let words = "Walk at 0.30 s, frame 9".to_owned();
        for number in ["", " 2", " 3"] {
            saving(&mut session, SavingCommand::Toggle);
            let name = format!("Pip Walk 0.30s{number}.png");
            assert_eq!(shown(&mut session), (name.clone(), words.clone()));
            // Time stands still before who saves.
            assert!(session.clock().is_playing() && !session.is_moving());
            session.tick(0.1);
            assert_eq!(session.clock().time_secs(), 0.3);
            fs::write(folder.join(name), "there").unwrap();
            saving(&mut session, SavingCommand::Close);
        }
        assert!(session.is_moving());
        let plan = session.plan_saving(session.saving.settings);
        assert_eq!(plan.what, words);
        saving(&mut session, SavingCommand::Toggle);
        let set = |session: &mut Session, kind| {
            let settings = SavingSettings {
                kind,
                ..session.saving.settings
            };
            saving(session, SavingCommand::Set(settings));
        };
        fs::write(folder.join("Pip Walk_0003.png"), "there").unwrap();
        set(&mut session, SavingKind::Picture(PictureKind::Frames));
        let names = ("Pip Walk 2.png".to_owned(), "Walk".to_owned());
        assert_eq!(shown(&mut session), names);
        set(&mut session, SavingKind::Picture(PictureKind::Gif));
        assert_eq!(shown(&mut session).0, "Pip Walk.gif");
        session.clock.set_range(Some((0.25, 0.5)));
        session.propose_place();
        assert_eq!(shown(&mut session).1, "Walk from 0.25 s to 0.50 s");
        session.apply(Command::SelectClip(None));
        session.propose_place();
        let own = ("Pip.gif".to_owned(), "The file's own pose".to_owned());
        assert_eq!(shown(&mut session), own);
        assert_eq!(fit_for_file("a/b:c", &["", "\u{7}*{}"]), "a-b-c ----");
        let long = fit_for_file(&"狐".repeat(100), &["Walk 0.42s", "pose"]);
        assert!(
            long.len() <= 220 && long.ends_with("狐 Walk 0.42s pose"),
            "{long}"
        );
        assert_eq!(fit_for_file("a", &[&"狐".repeat(100)]).len(), 219);
        fs::remove_dir_all(&folder).unwrap();
    }

    /// Frames of the clip are saved, and none between them; but who has set a rate has it.
    #[test]
    fn the_rate_begins_with_the_clips() {
        let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
        let open_at = |session: &mut Session, rate| {
            session.apply(Command::Playback(PlaybackCommand::SetFrameRate(rate)));
            saving(session, SavingCommand::Toggle);
            let settings = session.saving_view().settings;
            saving(session, SavingCommand::Close);
            settings
        };
        assert_eq!(open_at(&mut session, 24.0).fps, 24.0);
        assert_eq!(open_at(&mut session, 1000.0).fps, 120.0);
        let settings = open_at(&mut session, 23.976);
        assert_eq!(settings.fps, 23.976);
        let own = SavingSettings {
            fps: 12.0,
            ..settings
        };
        saving(&mut session, SavingCommand::Set(own));
        assert_eq!(open_at(&mut session, 60.0).fps, 12.0);
    }

    /// Also without a chosen clip: then it is not the file's own pose that is seen.
    #[test]
    fn a_mix_is_named_by_its_clips() {
        let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
        session.apply(Command::Playback(PlaybackCommand::TogglePlay));
        let clip_of = |session: &Session, name: &str| {
            let mut names = session.clip_names().into_iter();
            names.position(|it| it == name).unwrap()
        };
        let [walk, run] = ["Walk", "Run"].map(|name| clip_of(&session, name));
        let mix = |session: &mut Session, clip| {
            session.apply(Command::Clips(ClipsCommand::ToggleMixed(clip)));
            session.apply(Command::Playback(PlaybackCommand::Seek(0.3)));
        };
        let said = |session: &Session, kind| {
            let words = session.words_of_saved(kind);
            [words.in_name, words.said]
        };
        let still = SavingKind::Picture(PictureKind::Still);
        let gif = SavingKind::Picture(PictureKind::Gif);
        session.apply(Command::SelectClip(None));
        mix(&mut session, walk);
        let words = ["Walk 0.30s", "Walk at 0.30 s, frame 9"];
        assert_eq!(said(&session, still), words);
        mix(&mut session, run);
        let words = ["Walk + Run 0.30s", "Walk + Run at 0.30 s, frame 9"];
        assert_eq!(said(&session, still), words);
        assert_eq!(said(&session, SavingKind::Pose(PoseKind::Json)), words);
        assert_eq!(said(&session, gif), ["Walk + Run"; 2]);
        session.apply(Command::SelectClip(Some(run)));
        session.apply(Command::Playback(PlaybackCommand::Seek(0.3)));
        let words = "Run + Walk at 0.30 s, frame 9";
        assert_eq!(said(&session, still)[1], words);
        session.apply(Command::SelectClip(None));
        session.apply(Command::Clips(ClipsCommand::EndMix));
        assert_eq!(said(&session, still), ["", "The file's own pose"]);
    }

    #[test]
    fn without_a_dialog_of_the_system_the_box_is_there() {
        let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
        saving(&mut session, SavingCommand::Toggle);
        assert_eq!(
            saving(&mut session, SavingCommand::Choose),
            Some(Errand::Save)
        );
        assert!(!session.saving.is_open);
        session.reopen_saving(false);
        let view = session.saving_view();
        assert!(view.is_open && !view.has_no_chooser && view.fault.is_empty());
        session.reopen_saving(true);
        let view = session.saving_view();
        assert!(view.is_open && view.has_no_chooser && !view.fault.is_empty());
    }
}
