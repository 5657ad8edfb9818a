//! What was given to be opened: a file, a folder, an archive, or several of them; and the one model in it.

mod choose;
mod folder;
mod models;
mod names;
mod order;

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::{Context as _, bail};

use crate::import::base::{
    budget::Budget,
    consent::Consent,
    diagnostics::Diagnostics,
    progress::Progress,
    refusal::Refusal,
    wording::{counted, legible},
};

use super::sandbox::{self, Archive, FileRange, Files, Given, GivenFile, GivenFiles, Place, Terms};

use models::Models;

pub use names::{
    ARCHIVE_EXTENSION, MODEL_EXTENSIONS, is_archive_name, is_model_name, is_motion_name,
};
pub use order::natural_order;

/// The code of the finding that there are more models in what was given than the one that is shown.
pub(crate) const SEVERAL_MODELS: &str = "SEVERAL_MODELS";

/// A model file, and where the files that it names come from.
#[derive(Debug)]
pub(in crate::import) struct Package {
    /// The model's file name.
    pub name: String,
    pub bytes: Arc<Vec<u8>>,
    /// The binary chunk of a GLB, if it was left in the file and the bytes are the JSON text alone.
    pub bin: Option<FileRange>,
    pub files: Files,
    /// The file on disk.
    pub path: PathBuf,
    /// The model's path in the folder or the archive that was given.
    pub within: Option<String>,
    /// The models of that folder or archive: [`models_in`].
    pub models: Vec<String>,
}

/// Finds the model in what was given, and reads its file.
pub(in crate::import) fn open(
    given: &[PathBuf],
    consent: &Consent,
    budget: &Budget,
    progress: &Progress,
    diagnostics: &mut Diagnostics,
) -> anyhow::Result<Package> {
    #[cfg(test)]
    assert_ne!(given, [PathBuf::from(tests::TRIPWIRE)]);
    let mut opener = Opener {
        consent,
        budget,
        progress,
        diagnostics,
    };
    match given {
        [] => bail!("there is no file to open"),
        [path] if is_folder(path)? => opener
            .open_folder(path)
            .with_context(|| path.display().to_string()),
        [path] => opener.open_file(GivenFile::itself(path), Vec::new()),
        several => opener.open_several(several),
    }
}

/// The models of a folder or an archive by their paths there, as [`Consent::model`] takes them, in the order in which a
/// viewer goes through them: the one that [`open`](crate::import::open) reads comes first. None of what is a single file.
pub fn models_in(path: &Path, progress: &Progress) -> anyhow::Result<Vec<String>> {
    let models = if is_folder(path)? {
        Models::of_folder(&path.canonicalize()?, progress)?
    } else {
        match sandbox::read_given(&GivenFile::itself(path), progress)? {
            Given::Whole(bytes) if sandbox::is_archive(&bytes) => {
                Models::of_archive(&Archive::new(bytes)?, path)
            }
            _ => return Ok(Vec::new()),
        }
    };
    Ok(models.meant_first())
}

/// The one of [`models_in`] that is read of a folder or an archive where nobody says which; none where that is not clear.
pub fn meant_in<'m>(path: &Path, models: &'m [String]) -> Option<&'m String> {
    let folder = path.canonicalize().ok().filter(|path| path.is_dir());
    let title = match &folder {
        Some(folder) => folder.file_name(),
        None => path.file_stem(),
    };
    choose::meant(models, &title.unwrap_or_default().to_string_lossy())
}

struct Opener<'o> {
    consent: &'o Consent,
    budget: &'o Budget,
    progress: &'o Progress,
    diagnostics: &'o mut Diagnostics,
}

impl Opener<'_> {
    /// Opens a model or an archive. The other files that were given it may name.
    fn open_file(&mut self, file: GivenFile, others: Vec<GivenFile>) -> anyhow::Result<Package> {
        let given = sandbox::read_given(&file, self.progress);
        let GivenFile { path, root } = file;
        let path = path.as_path();
        let name = || path.display().to_string();
        self.progress.check()?;
        let (bytes, bin) = match given.with_context(name)? {
            Given::Glb(text, bin) => (text, Some(bin)),
            Given::Whole(bytes) => (bytes, None),
        };
        let left = bin.as_ref().map_or(0, FileRange::len);
        self.budget.allow_for(bytes.len().saturating_add(left));
        if bin.is_none() && sandbox::is_archive(&bytes) {
            return self.open_archive(path, bytes, others).with_context(name);
        }
        if bin.is_none() && is_buffer(path, &bytes) {
            let message = "this is the buffer of a model: open the .gltf file that names it";
            let refusal = Refusal::new("FILE_FORMAT_UNKNOWN", "", message);
            return Err(refusal).with_context(name);
        }
        let folder = Place::folder_of(path).with_context(name)?;
        // Its path may have been led out meanwhile.
        if root.is_some_and(|root| !folder.is_below(&root)) {
            bail!("{}: it does not lie in the folder any more", name());
        }
        let places = vec![Place::Given(GivenFiles::new(others)), folder];
        Ok(Package {
            name: file_name(path),
            bytes: bytes.into(),
            bin,
            files: Files::new(places, self.consent.outside.clone()),
            path: path.to_owned(),
            within: None,
            models: Vec::new(),
        })
    }

    fn open_folder(&mut self, folder: &Path) -> anyhow::Result<Package> {
        let root = folder.canonicalize()?;
        let models = Models::of_folder(&root, self.progress);
        let (model, models) = match (&self.consent.model, models) {
            // Which others there are is not worth failing for.
            (Some(model), models) => (model.clone(), models.ok()),
            (None, models) => {
                let models = models?;
                (self.choose(&models)?, Some(models))
            }
        };
        let unnamed = models.as_ref().and_then(|models| models.path_of(&model));
        let package = if let Some(path) = unnamed {
            let file = GivenFile {
                path: folder.join(path),
                root: Some(root.as_path().into()),
            };
            let package = self.open_file(file, Vec::new())?;
            let files = match folders_above(path) {
                Some(base) if package.within.is_none() => {
                    let places = vec![Place::Folder { root, base }];
                    Files::new(places, self.consent.outside.clone())
                }
                // Names that are relative to a folder whose own name is no text go down from there.
                _ => package.files,
            };
            Package {
                within: Some(model),
                files,
                ..package
            }
        } else {
            let path = root.join(&model);
            self.read(path, model, |base| vec![Place::Folder { root, base }])?
        };
        Ok(Package {
            models: models.map(Models::meant_first).unwrap_or_default(),
            ..package
        })
    }

    fn open_archive(
        &mut self,
        path: &Path,
        bytes: Vec<u8>,
        others: Vec<GivenFile>,
    ) -> anyhow::Result<Package> {
        let archive = Archive::new(bytes)?;
        let refused = archive.refused();
        if refused > 0 {
            let message = match refused {
                1 => "a name in the archive leads out of it".to_owned(),
                count => format!("{count} names in the archive lead out of it"),
            };
            let action = "what is called so is ignored";
            self.diagnostics
                .warning("ARCHIVE_NAME_OUTSIDE", "", message, action);
        }
        let models = Models::of_archive(&archive, path);
        let model = match &self.consent.model {
            Some(model) => model.clone(),
            None => self.choose(&models)?,
        };
        // What it brings along fits its model better than what only has the name.
        let package = self.read(path.to_owned(), model, |base| {
            let given = Place::Given(GivenFiles::new(others));
            vec![Place::Archive { archive, base }, given]
        })?;
        Ok(Package {
            models: models.meant_first(),
            ..package
        })
    }

    /// The model that is meant, or the first if the user is content with that.
    fn choose(&mut self, models: &Models) -> anyhow::Result<String> {
        if let Some(meant) = models.meant() {
            return Ok(meant.clone());
        }
        match &*models.names {
            [first, others @ ..] if self.consent.first_of_several => {
                let (count, holder) = (models.names.len(), models.holder);
                let message = format!("there are {count} models in the {holder}");
                let action = format!("the first is shown, and not {}", choose::listed(others));
                self.diagnostics.info(SEVERAL_MODELS, "", message, action);
                Ok(first.clone())
            }
            names => Err(choose::unclear(names, models.holder)),
        }
    }

    /// Reads the model at a path within the first of some places.
    fn read(
        &self,
        path: PathBuf,
        model: String,
        places: impl FnOnce(Vec<String>) -> Vec<Place>,
    ) -> anyhow::Result<Package> {
        let mut base: Vec<String> = model.split('/').map(str::to_owned).collect();
        let name = base.pop().unwrap_or_default();
        let files = Files::new(places(base), self.consent.outside.clone());
        let terms = Terms {
            budget: self.budget,
            progress: self.progress,
        };
        let bytes = files.read_named(&name, terms);
        self.progress.check()?;
        let bytes = bytes.map_err(|fault| anyhow::anyhow!("{}", fault.message))?;
        Ok(Package {
            name,
            bytes,
            bin: None,
            files,
            path,
            within: Some(model),
            models: Vec::new(),
        })
    }

    /// The model among several files: all others are what it may name.
    fn open_several(&mut self, given: &[PathBuf]) -> anyhow::Result<Package> {
        let mut files = Vec::new();
        for path in given {
            if is_folder(path)? {
                files.extend(folder::all_files(path, self.progress)?);
            } else {
                files.push(GivenFile::itself(path));
            }
        }
        let models = files.iter().filter(|file| is_model_name(&file.path));
        let mut models: Vec<_> = models.cloned().collect();
        // Who gives a motion with a model wants to see the model.
        models.sort_by_key(|file| is_motion_name(&file.path));
        // An archive may hold one, and some model files have no extension.
        let mut archives = files.iter().filter(|file| is_archive_name(&file.path));
        let model = models
            .first()
            .or_else(|| archives.next())
            .or_else(|| files.first());
        let model = model.context("there is no file to open")?.clone();
        // What an archive holds is not looked for where there is a model.
        let left_out = files.iter().filter(|file| **file != model);
        let is_other = |path: &Path| is_model_name(path) || is_archive_name(path);
        let names = left_out
            .map(|file| &*file.path)
            .filter(|path| is_other(path));
        // As they were given: several may have one name.
        let names: Vec<_> = names.map(|path| path.display().to_string()).collect();
        if !names.is_empty() {
            let message = given_together(&model.path, &models, names.len());
            let action = format!("the first is shown, and not {}", choose::listed(&names));
            self.diagnostics.info(SEVERAL_MODELS, "", message, action);
        }
        files.retain(|file| *file != model);
        self.open_file(model, files)
    }
}

/// The folders that a path within a folder leads through; none if their names are no text.
fn folders_above(path: &Path) -> Option<Vec<String>> {
    let folders = path.parent()?.components();
    let names = folders.map(|folder| Some(folder.as_os_str().to_str()?.to_owned()));
    names.collect()
}

/// That a model was given together with so many others, of which motions are none.
fn given_together(model: &Path, models: &[GivenFile], others: usize) -> String {
    let is_motion = |file: &&GivenFile| is_motion_name(&file.path);
    let motions = if is_motion_name(model) {
        0
    } else {
        models.iter().filter(is_motion).count()
    };
    let (all, models) = (others.saturating_add(1), models.len());
    let count = all.saturating_sub(motions);
    let what = match models.saturating_sub(motions) {
        0 => counted(count, "archive", "archives"),
        some if some == count => counted(count, "model", "models"),
        _ => format!("{count} models and archives"),
    };
    match motions {
        0 => format!("{what} were given together"),
        _ => format!(
            "{what} and {} were given together",
            counted(motions, "motion", "motions")
        ),
    }
}

fn is_folder(path: &Path) -> anyhow::Result<bool> {
    let metadata = fs::metadata(path).map_err(|error| {
        if is_address(path) {
            let message = "nothing is fetched from the net: save it, and open the file";
            io::Error::new(error.kind(), message)
        } else {
            error
        }
    });
    let metadata = metadata.with_context(|| match path.to_str() {
        // Spaces are not seen where a name ends.
        Some(name) if name.trim() != name => format!("{name:?}"),
        _ => path.display().to_string(),
    })?;
    Ok(metadata.is_dir())
}

/// Fails, as opening it would, if there is nothing of this name.
pub fn check_is_there(path: &Path) -> anyhow::Result<()> {
    is_folder(path).map(drop)
}

/// Whether it is where something is on the net: `https://…`.
fn is_address(path: &Path) -> bool {
    let text = path.to_str().unwrap_or_default();
    let scheme = text.split_once("://").map(|(scheme, _)| scheme);
    let remote = ["http", "https", "ftp", "ftps"];
    scheme.is_some_and(|it| remote.iter().any(|scheme| it.eq_ignore_ascii_case(scheme)))
}

/// Whether it is called as buffers are, and begins as no model does.
fn is_buffer(path: &Path, bytes: &[u8]) -> bool {
    let extension = path.extension().and_then(|it| it.to_str());
    let is_model = bytes.starts_with(b"glTF") || bytes.trim_ascii_start().starts_with(b"{");
    extension.is_some_and(|it| it.eq_ignore_ascii_case("bin")) && !bytes.is_empty() && !is_model
}

fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    legible(name).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::{self, base::consent::Consent};

    /// What is given by this name makes [`open`] panic.
    pub(super) const TRIPWIRE: &str = "tripwire";

    #[test]
    fn spaces_at_the_ends_of_a_name_are_seen() {
        let told = |name| check_is_there(Path::new(name)).unwrap_err().to_string();
        assert_eq!(told(" no such.glb"), "\" no such.glb\"");
        assert_eq!(told("no such.glb"), "no such.glb");
    }

    #[test]
    fn a_panic_in_finding_the_model_costs_the_file_and_no_more() {
        let given = [PathBuf::from(TRIPWIRE)];
        let opened = import::open(&given, &Consent::default(), &Progress::default());
        assert!(opened.unwrap_err().to_string().contains("made a mistake"));
    }

    #[test]
    fn models_are_gone_through_from_the_one_that_is_opened() {
        let root = std::env::temp_dir().join(format!("rigscope-models-{}", std::process::id()));
        let folder = root.join("Fox");
        let consent = Consent {
            first_of_several: true,
            ..Consent::default()
        };
        for names in [
            &["cat.gltf"][..],
            &["fox.gltf", "cat.gltf"],
            &["Fox.glb", "cat.gltf", "fox.gltf"],
            &["cat.glb", "cat.gltf"],
            &["scene.gltf", "part2.glb", "part10.glb"],
            &["a2.glb", "a10.glb", "B.gltf"],
            &["b/a2.glb", "b/a10.glb"],
        ] {
            let _ = fs::remove_dir_all(&root);
            for name in names.iter().chain(&["notes.txt", "deep/er/own.glb"]) {
                let path = folder.join(name);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, r#"{"asset": {"version": "2.0"}}"#).unwrap();
            }
            let progress = Progress::default();
            assert_eq!(models_in(&folder, &progress).unwrap(), names);
            let import = import::open(std::slice::from_ref(&folder), &consent, &progress).unwrap();
            assert_eq!(import.within.as_deref(), Some(names[0]));
            assert_eq!(import.models, names);
            // Whichever of them is opened.
            let last = Consent {
                model: names.last().map(|name| (*name).to_owned()),
                ..consent.clone()
            };
            let import = import::open(std::slice::from_ref(&folder), &last, &progress).unwrap();
            assert_eq!(import.within, last.model);
            assert_eq!(import.models, names);
        }
        let file = folder.join("b/a2.glb");
        assert!(models_in(&file, &Progress::default()).unwrap().is_empty());
        fs::remove_dir_all(&root).unwrap();
    }

    /// A link in a given folder that is swapped after the folder was looked through.
    #[cfg(unix)]
    #[test]
    fn files_of_a_given_folder_must_lie_there_when_they_are_opened() {
        use std::os::unix::fs::symlink;
        let root = std::env::temp_dir().join(format!("rigscope-swapped-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        fs::create_dir_all(root.join("given")).unwrap();
        fs::create_dir_all(root.join("model")).unwrap();
        fs::write(root.join("secret.bin"), "secret").unwrap();
        fs::write(root.join("given/own.bin"), "own").unwrap();
        fs::write(root.join("model/a.gltf"), "{}").unwrap();
        let link = root.join("given/data.bin");
        symlink("own.bin", &link).unwrap();
        let (budget, progress) = (Budget::default(), Progress::default());
        let terms = Terms {
            budget: &budget,
            progress: &progress,
        };
        let given = [root.join("model/a.gltf"), root.join("given")];
        let read = |swap: &dyn Fn()| {
            let mut diagnostics = Diagnostics::default();
            let consent = Consent::default();
            let package = open(&given, &consent, &budget, &progress, &mut diagnostics).unwrap();
            swap();
            package.files.read("data.bin", terms)
        };
        assert_eq!(read(&|| ()).unwrap().as_slice(), b"own");
        let swapped = read(&|| {
            fs::remove_file(&link).unwrap();
            symlink("../secret.bin", &link).unwrap();
        });
        fs::remove_dir_all(&root).unwrap();
        assert!(swapped.is_err());
    }
}
