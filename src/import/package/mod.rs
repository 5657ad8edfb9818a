//! What was given to be opened: a file, a folder, an archive, or several of them; and the one model in it.

mod choose;
mod folder;

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, bail};

use super::{
    budget::Budget,
    diagnostics::Diagnostics,
    progress::Progress,
    sandbox::{self, Archive, Files, Outside, Place},
};

use choose::{choose, is_model};

/// A model file, and where the files that it names come from.
#[derive(Debug)]
pub(super) struct Package {
    /// The model's file name.
    pub name: String,
    pub bytes: std::rc::Rc<Vec<u8>>,
    pub files: Files,
}

/// Finds the model in what was given, and reads its file.
pub(super) fn open(
    given: &[PathBuf],
    allowed: Outside,
    budget: &Budget,
    progress: &Progress,
    diagnostics: &mut Diagnostics,
) -> anyhow::Result<Package> {
    let mut opener = Opener {
        allowed,
        budget,
        progress,
        diagnostics,
    };
    match given {
        [] => bail!("there is no file to open"),
        [path] => opener.open_one(path),
        several => opener.open_several(several),
    }
}

struct Opener<'o> {
    allowed: Outside,
    budget: &'o Budget,
    progress: &'o Progress,
    diagnostics: &'o mut Diagnostics,
}

impl Opener<'_> {
    fn open_one(&mut self, path: &Path) -> anyhow::Result<Package> {
        let name = || path.display().to_string();
        if fs::metadata(path).with_context(name)?.is_dir() {
            return self.open_folder(path).with_context(name);
        }
        let bytes = sandbox::read_given(path).with_context(name)?;
        self.budget.allow_for(bytes.len());
        if sandbox::is_archive(&bytes) {
            return self.open_archive(path, bytes).with_context(name);
        }
        let place = Place::folder_of(path).with_context(name)?;
        Ok(Package {
            name: file_name(path),
            bytes: bytes.into(),
            files: Files::new(vec![place], self.allowed.clone()),
        })
    }

    fn open_folder(&self, folder: &Path) -> anyhow::Result<Package> {
        let root = folder.canonicalize()?;
        let models = folder::shallowest_models(&root, self.progress)?;
        let title = root.file_name().unwrap_or_default().to_string_lossy();
        let model = choose(&models, &title, "folder")?;
        self.read(&model, |base| Place::Folder { root, base })
    }

    fn open_archive(&mut self, path: &Path, bytes: Vec<u8>) -> anyhow::Result<Package> {
        let archive = Archive::new(bytes)?;
        let refused = archive.refused();
        if refused > 0 {
            let message = format!("{refused} names in the archive lead out of it");
            let action = "these entries are ignored";
            self.diagnostics
                .warning("ARCHIVE_NAME_OUTSIDE", "", message, action);
        }
        let models: Vec<_> = archive.names().filter(|name| is_model(name)).collect();
        let models = choose::shallowest(&models);
        let title = path.file_stem().unwrap_or_default().to_string_lossy();
        let model = choose(&models, &title, "archive")?;
        self.read(&model, |base| Place::Archive { archive, base })
    }

    /// Reads the model at a path within a place.
    fn read(
        &self,
        model: &str,
        place: impl FnOnce(Vec<String>) -> Place,
    ) -> anyhow::Result<Package> {
        let mut base: Vec<String> = model.split('/').map(str::to_owned).collect();
        let name = base.pop().unwrap_or_default();
        let files = Files::new(vec![place(base)], self.allowed.clone());
        let bytes = files.read_named(&name, self.budget);
        let bytes = bytes.map_err(|fault| anyhow::anyhow!("{}", fault.message))?;
        Ok(Package { name, bytes, files })
    }

    /// The model among several files: all others are what it may name.
    fn open_several(&mut self, given: &[PathBuf]) -> anyhow::Result<Package> {
        let mut files = Vec::new();
        for path in given {
            if fs::metadata(path)
                .with_context(|| path.display().to_string())?
                .is_dir()
            {
                files.extend(folder::all_files(path, self.progress)?);
            } else {
                files.push(path.clone());
            }
        }
        let models = files.iter().filter(|path| is_model(&file_name(path)));
        let models: Vec<_> = models.cloned().collect();
        let Some(model) = models.first() else {
            // Some model files have no extension, and an archive may hold one.
            let first = files.first().context("there is no file to open")?;
            return self.open_one(first);
        };
        if models.len() > 1 {
            let names: Vec<_> = models.iter().skip(1).map(|path| file_name(path)).collect();
            let message = format!("{} models were given together", models.len());
            let action = format!("the first is shown, and not {}", choose::listed(&names));
            self.diagnostics.info("SEVERAL_MODELS", "", message, action);
        }
        let name = || model.display().to_string();
        let bytes = sandbox::read_given(model).with_context(name)?;
        self.budget.allow_for(bytes.len());
        let folder = Place::folder_of(model).with_context(name)?;
        files.retain(|file| file != model);
        Ok(Package {
            name: file_name(model),
            bytes: bytes.into(),
            files: Files::new(vec![Place::Given(files), folder], self.allowed.clone()),
        })
    }
}

fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}
