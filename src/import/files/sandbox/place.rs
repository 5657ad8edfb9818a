//! A place that files may come from: a folder, files that were given one by one, an archive.

use std::{
    io,
    path::{Component, Path, PathBuf},
};

use super::{
    Archive,
    given::{GivenFile, GivenFiles},
    name::Name,
};

/// Somewhere to look for the files that a model names.
#[derive(Debug)]
pub(in crate::import) enum Place {
    /// All that lies below a folder.
    Folder {
        /// The folder, as the system writes it: absolute, and without links, or with nothing to be found in it.
        root: PathBuf,
        /// The model's own folder below it, which names are relative to.
        base: Vec<String>,
    },
    /// Files that were given, wherever they lie.
    Given(GivenFiles),
    /// An archive.
    Archive {
        /// Its files.
        archive: Archive,
        /// The model's own folder in it.
        base: Vec<String>,
    },
}

/// A file that is there.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum FoundFile {
    /// On disk. With a root, a path without links, it must still lie below that when it is opened.
    Path {
        path: PathBuf,
        root: Option<PathBuf>,
    },
    /// In the archive.
    Entry(String),
}

impl FoundFile {
    /// A file that was given.
    pub(super) fn given(file: &GivenFile) -> Self {
        Self::Path {
            path: file.path.clone(),
            root: file.root.as_deref().map(Path::to_owned),
        }
    }
}

/// Why a place has no such file.
#[derive(Debug)]
pub(super) enum Missing {
    /// It lies outside; if it has a path of its own, the user may agree to it.
    Outside(Option<PathBuf>),
    /// It is not there, or cannot be reached.
    Error(io::Error),
}

impl Place {
    /// The folder of a file, for names relative to it.
    pub(in crate::import) fn folder_of(file: &Path) -> io::Result<Self> {
        let folder = match file.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let root = match folder.canonicalize() {
            // Some disks, as those in memory on Windows, cannot say where a path leads. What is whole in itself opens from
            // there; nothing is found below a root with links, since no path without links begins with it.
            Err(error) if error.kind() != io::ErrorKind::NotFound => std::path::absolute(folder)?,
            found => found?,
        };
        let base = Vec::new();
        Ok(Self::Folder { root, base })
    }

    /// Whether it is a folder in this one, or this one itself; its path has no links.
    pub(in crate::import) fn is_below(&self, folder: &Path) -> bool {
        match self {
            Self::Folder { root, .. } => root.starts_with(folder),
            Self::Given(_) | Self::Archive { .. } => false,
        }
    }

    pub(super) fn archive(&self) -> Option<&Archive> {
        match self {
            Self::Archive { archive, .. } => Some(archive),
            Self::Folder { .. } | Self::Given(_) => None,
        }
    }

    /// Whether a path without links lies in this folder.
    pub(super) fn holds(&self, path: &Path) -> bool {
        match self {
            Self::Folder { root, .. } => path.starts_with(root),
            Self::Given(_) | Self::Archive { .. } => false,
        }
    }

    /// Where in this folder a file of that name would be, without a look whether it is there.
    pub(super) fn path_of(&self, name: &Name) -> Option<PathBuf> {
        let Self::Folder { root, base } = self else {
            return None;
        };
        let path = path_below(root, base, name);
        path.starts_with(root).then_some(path)
    }

    pub(super) fn find(&self, name: &Name) -> Result<FoundFile, Missing> {
        match self {
            Self::Folder { root, base } => find_in_folder(root, base, name),
            Self::Given(files) => {
                let file_name = name.parts.last().filter(|_| name.climbs == 0);
                let mut named = file_name.into_iter().flat_map(|it| files.named(it));
                let file = named.find(|file| ends_with(&file.path, &name.parts));
                file.map(FoundFile::given).ok_or_else(absent)
            }
            Self::Archive { archive, base } => {
                let parts = name.below(base).ok_or(Missing::Outside(None))?;
                let path = parts.join("/");
                if archive.has(&path) {
                    Ok(FoundFile::Entry(path))
                } else {
                    let message = "the archive has no such file";
                    Err(Missing::Error(io::Error::new(
                        io::ErrorKind::NotFound,
                        message,
                    )))
                }
            }
        }
    }
}

/// The file of that name among those that were given, whatever folder the name states.
pub(super) fn by_file_name(places: &[Place], name: &Name) -> Option<FoundFile> {
    let file_name = name.parts.last()?;
    let given = places.iter().filter_map(|place| match place {
        Place::Given(files) => Some(files),
        Place::Folder { .. } | Place::Archive { .. } => None,
    });
    let mut files = given.flat_map(|files| files.named(file_name));
    files.next().map(FoundFile::given)
}

fn find_in_folder(root: &Path, base: &[String], name: &Name) -> Result<FoundFile, Missing> {
    let path = path_below(root, base, name);
    // A name may climb out and come back.
    if !path.starts_with(root) {
        return Err(Missing::Outside(Some(path)));
    }
    // Links are resolved first and the target is judged.
    let path = path.canonicalize().map_err(Missing::Error)?;
    if path.starts_with(root) {
        let root = Some(root.to_owned());
        Ok(FoundFile::Path { path, root })
    } else {
        Err(Missing::Outside(Some(path)))
    }
}

/// The path as it would be, without a look whether there is something. There are no links in `root` and `base`, so what is
/// above a folder is what its path says.
pub(super) fn path_below(root: &Path, base: &[String], name: &Name) -> PathBuf {
    let mut path = root.to_owned();
    path.extend(base);
    for _ in 0..name.climbs {
        path.pop();
    }
    path.extend(&name.parts);
    path
}

/// Whether the last parts of a path are these.
fn ends_with(file: &Path, parts: &[String]) -> bool {
    let mut components = file.components().rev();
    let mut parts = parts.iter().rev().peekable();
    parts.peek().is_some()
        && parts.all(|part| {
            let component = components.next();
            component.is_some_and(|found| found == Component::Normal(part.as_ref()))
        })
}

fn absent() -> Missing {
    Missing::Error(io::ErrorKind::NotFound.into())
}

#[cfg(all(test, unix))]
mod tests {
    use std::{fs, os::unix::fs::symlink};

    use super::*;

    /// Where a path leads is not known of a link to itself either.
    #[test]
    fn where_nobody_knows_where_a_folder_leads_nothing_is_found_in_it() {
        let scene = std::env::temp_dir().join(format!("rigscope-round-{}", std::process::id()));
        let _ = fs::remove_dir_all(&scene);
        fs::create_dir_all(scene.join("elsewhere")).unwrap();
        fs::write(scene.join("elsewhere/a.bin"), "secret").unwrap();
        symlink("model", scene.join("model")).unwrap();
        let place = Place::folder_of(&scene.join("model/a.gltf")).unwrap();
        let name = Name::of("a.bin").unwrap();
        assert!(matches!(place.find(&name), Err(Missing::Error(_))));
        // Nor when it leads somewhere after all.
        fs::remove_file(scene.join("model")).unwrap();
        symlink("elsewhere", scene.join("model")).unwrap();
        assert!(fs::metadata(scene.join("model/a.bin")).is_ok());
        assert!(matches!(place.find(&name), Err(Missing::Outside(_))));
        assert!(Place::folder_of(&scene.join("nowhere/a.gltf")).is_err());
        fs::remove_dir_all(&scene).unwrap();
    }
}
