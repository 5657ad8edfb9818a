//! Files as the user goes through them: those beside the one that is shown, and those that were opened before.

use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
};

use super::{
    documents::Documents,
    home::with_tilde,
    loading::Source,
    reload::{ClipsBefore, GoneClip, MovedNodes},
};
use crate::{
    app::{
        Session, built_in,
        messages::Topic,
        threads::spawn,
        window::{UserEvent, Viewer},
    },
    import::{Consent, is_model_name, natural_order},
    ui::{Action, FilesView, Message, Picker, RecentRow, written},
};

/// How many files are remembered.
pub(in crate::app) const MAX_RECENT: usize = 40;

/// What of files is before the user.
#[derive(Debug, Default)]
pub(in crate::app) struct FilesState {
    pub(in crate::app) picker: Option<Picker>,
    pub(super) recent: Vec<RecentRow>,
    /// What was chosen of clips, while the file has none.
    pub(super) clips_before: Option<ClipsBefore>,
    /// The chosen clip, while the file lacks it.
    pub(super) gone_clip: Option<GoneClip>,
    /// Where the nodes are that were drawn last.
    pub(super) moved_nodes: MovedNodes,
}

impl Session {
    /// For the panels.
    pub(in crate::app) fn files_view(&self) -> FilesView<'_> {
        FilesView {
            document: self.document.generation(),
            moved_nodes: self.files.moved_nodes.view(),
            is_file: self.document.path().is_some(),
            picker: self.files.picker,
            recent: &self.files.recent,
            built_in: &built_in::NAMES,
        }
    }

    /// Takes note that the interface was drawn, and goes along with the nodes.
    pub(in crate::app) fn note_drawn(&mut self) {
        let generation = self.model_generation();
        self.files.moved_nodes.draw(generation);
    }

    /// Files that were opened before, the last first.
    pub fn recent(&self) -> impl Iterator<Item = &Path> {
        self.files.recent.iter().map(|row| &*row.path)
    }

    /// Takes note that a file was opened.
    pub fn add_recent(&mut self, path: &Path) {
        let recent = &mut self.files.recent;
        recent.retain(|row| row.path != path);
        recent.insert(0, row(path.to_owned()));
        recent.truncate(MAX_RECENT);
    }
}

fn row(path: PathBuf) -> RecentRow {
    let name = path.file_name().unwrap_or(path.as_os_str());
    let name = name.to_string_lossy().into_owned();
    let folder = path.parent().unwrap_or(Path::new(""));
    RecentRow {
        name,
        folder: with_tilde(folder).to_string_lossy().into_owned(),
        is_missing: false,
        path,
    }
}

impl Viewer {
    /// Opens the model `steps` places after the one that is shown, if there is another.
    pub(in crate::app) fn step_file(&mut self, steps: i32) {
        self.documents.step(&mut self.session, steps);
    }

    /// Takes note of what was opened.
    pub(in crate::app) fn on_opened(&mut self, source: &Source) {
        if let Some(stage) = &self.stage {
            stage.set_title(&source.title());
        }
        // What one goes through is not what one has opened: it would push that out.
        if let Source::Files { files, .. } = source
            && !self.documents.is_passing
            && let [file] = &**files
            && let Ok(path) = std::path::absolute(file)
        {
            self.session.add_recent(&path);
        }
    }

    /// Finds out, on a thread of its own, which of the files of before are gone: a disk far away may take its time.
    pub(in crate::app) fn look_for_recent(&self) {
        let paths: Vec<_> = self.session.recent().map(Path::to_owned).collect();
        let proxy = self.proxy.clone();
        let look = move || {
            let missing = paths.into_iter().filter(|path| !path.exists()).collect();
            let _ = proxy.send_event(UserEvent::Missing(missing));
        };
        // None is known to be missing then.
        if let Err(error) = spawn("recent", look) {
            log::debug!("which files are gone is not looked for: {error}");
        }
    }

    pub(in crate::app) fn on_missing(&mut self, missing: &[PathBuf]) {
        for row in &mut self.session.files.recent {
            row.is_missing = missing.contains(&row.path);
        }
        self.request_redraw();
    }
}

/// Whether it is a file, or a link to one. Far away, what the folder itself knows of it is quicker than a look at the file.
fn is_file(entry: &fs::DirEntry) -> bool {
    match entry.file_type() {
        Ok(kind) if !kind.is_symlink() => kind.is_file(),
        _ => entry.path().is_file(),
    }
}

/// The folder that a file lies in.
pub(super) fn folder_of(file: &Path) -> Option<&Path> {
    let folder = file.parent()?;
    Some(if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    })
}

impl Documents {
    /// Opens the model `steps` places after the one that is shown, or says that there is no other.
    pub(super) fn step(&mut self, session: &mut Session, steps: i32) {
        if !self.open_neighbour(steps) && self.model_path().is_some() {
            // What is told of something wrong, or offers something, is worth more.
            session.messages.take_info();
            session.messages.tell_if_quiet(Topic::Model, || {
                let keys = written(Action::Open, 0);
                let detail = format!("{keys} opens one from elsewhere.");
                // Of a folder that was opened, others may lie in other folders.
                let within = self.source().and_then(Source::within);
                let title = match within.and_then(|it| it.rsplit_once('/')) {
                    Some((folder, _)) if !self.is_archive() => {
                        format!("There is no other model in the folder {folder}")
                    }
                    _ => "There is no other model in this folder".to_owned(),
                };
                Message::info(title, detail).passing()
            });
        }
    }

    /// Opens the model `steps` places after the one that is shown, or that was last gone to. False if there is no other.
    pub(super) fn open_neighbour(&mut self, steps: i32) -> bool {
        let Some(source) = self.neighbour(steps) else {
            return false;
        };
        let (path, within) = (source.path(), source.within().map(str::to_owned));
        self.open(source);
        (self.tried, self.tried_within) = (path, within);
        true
    }

    /// That model: in the archive, in the folder, or among the built-in ones.
    fn neighbour(&self, steps: i32) -> Option<Source> {
        if self.is_archive() && self.models().len() > 1 {
            return self.neighbour_within(steps);
        }
        let Some(at) = self.gone_to() else {
            return self.built_in_neighbour(steps);
        };
        let models = self.models_beside();
        let folder = folder_of(&at)?;
        let name = at.file_name()?;
        let here = models.iter().position(|model| model == name);
        // The file itself may be gone, or be none that is listed.
        let next = match here {
            Some(here) => neighbour_in(models.len(), here, steps)?,
            None if models.is_empty() => return None,
            None => 0,
        };
        Some(Source::Files {
            files: vec![folder.join(&models[next])],
            consent: viewer_consent(),
        })
    }

    /// That model of the archive that is shown.
    fn neighbour_within(&self, steps: i32) -> Option<Source> {
        let models = self.models();
        let source = self.source()?;
        let at = self.tried_within.as_deref().or(source.within());
        let here = models.iter().position(|model| Some(&**model) == at);
        let next = match here {
            Some(here) => neighbour_in(models.len(), here, steps)?,
            None => 0,
        };
        let Source::Files { files, .. } = source else {
            return None;
        };
        Some(Source::Files {
            files: files.clone(),
            consent: Consent {
                model: Some(models.get(next)?.clone()),
                ..viewer_consent()
            },
        })
    }

    /// The file that was gone to last: the one that is shown, unless another one was tried.
    fn gone_to(&self) -> Option<PathBuf> {
        self.tried.clone().or(self.model_path().map(Path::to_owned))
    }

    /// The names of the models in the folder of that file, in the order in which they are gone through; it is among them,
    /// unless it is gone or is none.
    pub(super) fn models_beside(&self) -> Vec<OsString> {
        let at = self.gone_to();
        let folder = at.as_deref().and_then(folder_of);
        let entries = folder.and_then(|folder| fs::read_dir(folder).ok());
        let mut models: Vec<_> = entries
            .into_iter()
            .flatten()
            .flatten()
            .filter(|entry| is_model_name(&entry.path()) && is_file(entry))
            .map(|entry| entry.file_name())
            .collect();
        models.sort_by(|a, b| natural_order(&a.to_string_lossy(), &b.to_string_lossy()));
        models
    }

    fn built_in_neighbour(&self, steps: i32) -> Option<Source> {
        let names = built_in::NAMES;
        let here = names.iter().position(|name| self.is_built_in(name))?;
        let next = neighbour_in(names.len(), here, steps)?;
        Some(Source::BuiltIn(names[next]))
    }
}

/// Who opens a folder with several models is shown the first.
pub(in crate::app) fn viewer_consent() -> Consent {
    Consent {
        first_of_several: true,
        ..Consent::default()
    }
}

fn neighbour_in(count: usize, here: usize, steps: i32) -> Option<usize> {
    let next = (here as i64 + i64::from(steps)).rem_euclid(count as i64) as usize;
    (next != here).then_some(next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_were_opened_are_remembered_once_and_the_last_first() {
        let mut session = Session::new(Default::default(), None, Default::default());
        for name in ["/a.glb", "/b.glb", "/a.glb"] {
            session.add_recent(Path::new(name));
        }
        let recent: Vec<_> = session.recent().collect();
        assert_eq!(recent, [Path::new("/a.glb"), Path::new("/b.glb")]);
        for number in 0..100 {
            session.add_recent(Path::new(&format!("/{number}.glb")));
        }
        assert_eq!(session.recent().count(), MAX_RECENT);
    }
}
