//! Which files the window shows, as a command line names them.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use crate::{
    app::{
        built_in,
        files::{Followed, Source},
        window::Viewer,
    },
    import::{self, Consent, Outside, is_model_name},
    ui::CompareWith,
};

/// Which files the window shows, and what the user has agreed to.
#[derive(Debug, Clone, Default)]
pub struct ShownFiles {
    /// The model, or what it is made of.
    pub model: Vec<PathBuf>,
    /// Whether it is read though it requires what is unknown here.
    pub open_anyway: bool,
    /// Which files outside of its own folder it may name.
    pub outside: Outside,
    /// What it is compared with, if that is another file, or one of a folder.
    pub second_file: Option<PathBuf>,
    /// What of them no command line can say.
    pub left_out: Vec<&'static str>,
}

/// What of a folder cannot be said.
const PARTS_LEFT_OUT: &str = "files outside of the model's own folder";

impl ShownFiles {
    /// Files that were given. With [`Consent::model`] it is a model in a folder or an archive, of all `models` there; `path` is
    /// its file, or the archive, and `read` are the files that were read for it, or looked for ([`import::Import::files`]).
    pub fn of<'r>(
        given: &[PathBuf],
        consent: &Consent,
        models: &[String],
        path: Option<&Path>,
        read: impl Iterator<Item = &'r Path>,
    ) -> Self {
        let mut this = Self {
            model: given.to_vec(),
            open_anyway: consent.unknown_features,
            outside: consent.outside.clone(),
            ..Self::default()
        };
        let (Some(within), Some(path)) = (&consent.model, path) else {
            return this;
        };
        let holder = match given {
            [holder] => holder,
            _ => path,
        };
        if import::meant_in(holder, models) == Some(within) {
            return this;
        }
        if !is_model_name(path) {
            this.left_out.push("which model of the archive it is");
            return this;
        }
        this.model = vec![path.to_owned()];
        match parts_beside(holder, path, read) {
            Some(parts) => this.model.extend(parts),
            None => this.left_out.push(PARTS_LEFT_OUT),
        }
        this
    }

    /// These, with others to compare with, if a single path leads to those; then with what it takes to open them.
    #[must_use]
    pub fn beside(self, other: Self) -> Self {
        let path = <[PathBuf; 1]>::try_from(other.model).ok();
        let path = path.filter(|_| other.left_out.is_empty());
        let Some([path]) = path else {
            return Self {
                second_file: None,
                ..self
            };
        };
        Self {
            second_file: Some(path),
            open_anyway: self.open_anyway || other.open_anyway,
            outside: match self.outside {
                Outside::Refused => other.outside,
                allowed => allowed,
            },
            ..self
        }
    }
}

/// What a model of a folder read there, but for what lies in its own folder, where it is looked for anyway. Given together
/// with it that is found by its names alone: none if several have the same.
fn parts_beside<'r>(
    folder: &Path,
    model: &Path,
    read: impl Iterator<Item = &'r Path>,
) -> Option<Vec<PathBuf>> {
    let root = folder.canonicalize().ok()?;
    let own = model.parent()?;
    let is_part = |file: &&Path| *file != model && file.starts_with(&root) && file.is_file();
    let files: BTreeSet<_> = read.filter(is_part).collect();
    let parts = files.iter().filter(|file| !file.starts_with(own));
    let parts: Vec<_> = parts.map(|file| file.to_path_buf()).collect();
    let names: BTreeSet<_> = files.iter().map(|file| file.file_name()).collect();
    (parts.is_empty() || names.len() == files.len()).then_some(parts)
}

/// Which files a document is of.
fn files_of(document: &Followed) -> Option<ShownFiles> {
    let (path, models) = (document.model_path(), document.models());
    Some(match document.source()? {
        Source::Files { files, consent } => {
            ShownFiles::of(files, consent, models, path, document.files_read())
        }
        Source::BuiltIn(name) => ShownFiles {
            model: vec![built_in::path_of(name)],
            ..ShownFiles::default()
        },
    })
}

impl Viewer {
    /// Which files are shown, and what it takes to open them.
    pub(super) fn shown_files(&self) -> ShownFiles {
        let shown = files_of(&self.documents.file).unwrap_or_default();
        // Another that is no longer compared with needs no consent.
        let pair = self.session.kept_pair();
        let is_compared = pair.is_some_and(|pair| pair.with == CompareWith::File);
        match files_of(&self.second_file.file).filter(|_| is_compared) {
            Some(other) => shown.beside(other),
            None => shown,
        }
    }
}
