//! Where it is saved: a name and a folder, which are proposed until the user writes others. The system's dialog is another way.

use std::path::{Path, PathBuf};

use super::dialog::with_extension;
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
        let addition = match kind {
            SavingKind::Pose(PoseKind::Clip) => format!(" {}", self.saving.clip_name),
            SavingKind::Pose(PoseKind::Json | PoseKind::Mesh) => " pose".to_owned(),
            SavingKind::Picture(_) => String::new(),
        };
        let extension = kind.extension();
        let name = format!("{stem}{addition}.{extension}").replace(['/', '\\', ':'], "-");
        let model = self.path.as_deref();
        let model = model.and_then(|path| std::path::absolute(path).ok());
        let folder = model.as_deref().and_then(Path::parent).map(Path::to_owned);
        let folder = folder.or_else(home).unwrap_or_default();
        let place = &mut self.saving.place;
        place.fault.clear();
        if !place.has_own_name {
            place.name = name;
        }
        if place.own_folder_of.is_none() {
            place.folder = with_tilde(&folder).to_string_lossy().into_owned();
        }
        place.proposed = folder;
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

    pub(super) fn set_saving_folder(&mut self, folder: String) {
        let document = self.document_generation;
        self.saving.place.own_folder(folder, document);
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
        ui::{Command, SavingCommand, SavingKind, SavingSettings},
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
        assert_eq!(saved(&mut session), Path::new("Pip pose.json"));
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
        assert_eq!(saved(&mut session), Path::new("out.glb/Pip pose.glb"));
        // One that is not there is not asked for again.
        saving(&mut session, SavingCommand::SetFolder("nowhere".into()));
        saving(&mut session, SavingCommand::Close);
        saving(&mut session, SavingCommand::TogglePose);
        assert_eq!(saved(&mut session), Path::new("Pip pose.glb"));
        saving(&mut session, SavingCommand::SetFolder("out.glb".into()));
        saving(&mut session, SavingCommand::Close);
        session.replace_model(
            built_in::load("Pip").unwrap(),
            Some(folder.join("x.glb")),
            Duration::ZERO,
        );
        saving(&mut session, SavingCommand::TogglePose);
        assert_eq!(saved(&mut session), Path::new("Pip pose.glb"));
        fs::remove_dir_all(&folder).unwrap();
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
