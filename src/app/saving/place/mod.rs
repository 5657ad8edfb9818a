//! Where it is saved: a name and a folder, which are proposed until the user writes others. The system's dialog is another way.

use std::path::{Path, PathBuf};

use super::{clash::first_free, dialog::with_extension, words::fit_for_file};
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
    /// The name that is proposed, without what says the kind, until it is looked whether it is free.
    unseen: Option<String>,
    folder: String,
    /// The folder that is proposed; what is written relative to a folder is relative to it.
    proposed: PathBuf,
    /// The file for which the user wrote the folder: for others one is proposed again.
    own_folder_of: Option<u64>,
    /// What would be saved, in words.
    what: String,
    /// Which clips of that do not end with it, in words.
    seam: String,
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

    pub(super) fn seam(&self) -> &str {
        &self.seam
    }

    pub(super) fn set_name(&mut self, name: String) {
        self.name = name;
        self.has_own_name = true;
        self.unseen = None;
        self.fault.clear();
    }

    /// What was wrong may be right as it is set now.
    pub(super) fn forget_fault(&mut self) {
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

/// The other kind of the same group that the ending of a name says.
fn kind_of(name: &str, kind: SavingKind) -> Option<SavingKind> {
    if with_extension(name.into(), kind).1 {
        return None;
    }
    let ending = Path::new(name).extension()?;
    let mut said = kind.group().kinds().iter().copied();
    said.find(|kind| ending.eq_ignore_ascii_case(kind.extension()))
}

impl Session {
    /// Proposes a name, and a folder where the user has not written one for this model.
    pub(super) fn open_place(&mut self) {
        let document = self.document.generation();
        let place = &mut self.saving.place;
        place.has_own_name = false;
        let is_there = place.meant_folder().is_dir();
        place
            .own_folder_of
            .take_if(|of| *of != document || !is_there);
        place.fault.clear();
        self.propose_place();
    }

    /// Proposes what the user has not written, and a name that is free.
    pub(in crate::app) fn propose_place(&mut self) {
        self.propose_animation_name();
        self.propose_unseen();
        self.free_proposed();
    }

    /// Proposes what the user has not written without a look at the disk, which may be far away: for each letter that is typed.
    pub(super) fn propose_unseen(&mut self) {
        let kind = self.saving.settings.kind;
        let model = Path::new(&self.model().name);
        let stem = model.file_stem().unwrap_or_default().to_string_lossy();
        let what = self.words_of_saved(kind);
        let seam = self.seam_words(kind);
        let is_data = matches!(kind, SavingKind::Pose(PoseKind::Json | PoseKind::Mesh));
        let clip = self.shown_name(self.saving.clip_name());
        let rest = match kind {
            SavingKind::Pose(PoseKind::Clip) | SavingKind::Animation => [&*clip, ""],
            _ if is_data && self.held_pose().is_none() => [&*what.in_name, "pose"],
            _ => [&*what.in_name, ""],
        };
        let name = fit_for_file(&stem, &rest);
        let model = self.document.path();
        let model = model.and_then(|path| std::path::absolute(path).ok());
        let folder = model.as_deref().and_then(Path::parent).map(Path::to_owned);
        let folder = folder.or_else(home).unwrap_or_default();
        let place = &mut self.saving.place;
        place.fault.clear();
        (place.what, place.seam) = (what.said, seam);
        if place.own_folder_of.is_none() {
            place.folder = with_tilde(&folder).to_string_lossy().into_owned();
        }
        place.proposed = folder;
        if !place.has_own_name {
            place.name = format!("{name}.{}", kind.extension());
            place.unseen = Some(name);
        }
    }

    /// Numbers the name that is proposed where there is such a file, if that was not looked for yet.
    fn free_proposed(&mut self) {
        if let Some(name) = self.saving.place.unseen.take() {
            self.saving.place.name = self.free_name(&name);
        }
    }

    /// `name` with the extension of the kind; numbered where a file is called so.
    fn free_name(&self, name: &str) -> String {
        /// By then somebody has to say what is meant.
        const MOST: u32 = 1000;
        let settings = &self.saving.settings;
        let (folder, extension) = (self.saving.place.meant_folder(), settings.kind.extension());
        let frames = self.frames_to_save(settings);
        let numbered = (2..MOST).map(|number| format!("{name} {number}.{extension}"));
        let first = format!("{name}.{extension}");
        let names = std::iter::once(first.clone()).chain(numbered);
        first_free(&folder, names, settings.kind, frames).unwrap_or(first)
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
            let mut kinds = state.settings.kind.group().kinds().iter();
            kinds.any(|kind| said.eq_ignore_ascii_case(kind.extension()))
        });
        if is_ending {
            name.truncate(name.len() - ending.len());
        }
        let kind = kind_of(&name, state.settings.kind);
        state.place.set_name(name);
        if let Some(kind) = kind {
            state.set_kind(kind);
            self.propose_place();
        }
    }

    pub(super) fn set_saving_folder(&mut self, folder: String) {
        let document = self.document.generation();
        self.saving.place.own_folder(folder, document);
        self.propose_unseen();
    }

    /// The name and the folder that the box says; a name that is proposed is free.
    pub(super) fn saving_place(&mut self) -> (String, PathBuf) {
        self.free_proposed();
        let place = &self.saving.place;
        (place.name.clone(), place.meant_folder())
    }

    /// The file that is meant. Where there cannot be such a file, the box says why.
    pub(super) fn checked_place(&mut self) -> Option<PathBuf> {
        if !self.can_save_frames() {
            return None;
        }
        self.free_proposed();
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

    /// Whether all frames can be saved that are to be. If not, the box says why.
    pub(super) fn can_save_frames(&mut self) -> bool {
        let fault = self.too_many_frames();
        let can_save = fault.is_none();
        if let Some(fault) = fault {
            self.saving.place.fault = fault;
        }
        can_save
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
mod tests;
