//! The models of a folder or an archive, and which of them is meant.

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
};

use super::{
    choose::{self, is_model},
    folder,
    names::is_motion_name,
    order::natural_order,
};
use crate::import::{base::progress::Progress, files::sandbox::Archive};

/// The models that lie nearest to the root of a folder or an archive.
pub(super) struct Models {
    pub(super) names: Vec<String>,
    /// Of those of a folder whose names are no text, where they are in it.
    paths: Vec<(String, PathBuf)>,
    /// What it is called.
    title: String,
    pub(super) holder: &'static str,
}

impl Models {
    fn new(mut names: Vec<String>, title: Option<&OsStr>, holder: &'static str) -> Self {
        names.sort_by(|a, b| natural_order(a, b));
        names.sort_by_key(|name| is_motion_name(Path::new(name)));
        let title = title.unwrap_or_default().to_string_lossy().into_owned();
        Self {
            names,
            paths: Vec::new(),
            title,
            holder,
        }
    }

    pub(super) fn of_folder(root: &Path, progress: &Progress) -> anyhow::Result<Self> {
        let found = folder::shallowest_models(root, progress)?;
        let names = found.iter().map(|(name, _)| name.clone()).collect();
        let are_texts = |path: &PathBuf| path.to_str().is_some();
        let paths = found.into_iter().filter(|(_, path)| !are_texts(path));
        Ok(Self {
            paths: paths.collect(),
            ..Self::new(names, root.file_name(), "folder")
        })
    }

    pub(super) fn of_archive(archive: &Archive, path: &Path) -> Self {
        let models: Vec<_> = archive.names().filter(|name| is_model(name)).collect();
        let names = choose::shallowest(&models);
        Self::new(names, path.file_stem(), "archive")
    }

    pub(super) fn meant(&self) -> Option<&String> {
        choose::meant(&self.names, &self.title)
    }

    /// All of them, the one that is meant before the others.
    pub(super) fn meant_first(self) -> Vec<String> {
        let meant = self.meant().cloned();
        let mut names = self.names;
        if let Some(place) = names.iter().position(|name| Some(name) == meant.as_ref())
            && let Some(before) = names.get_mut(..=place)
        {
            before.rotate_right(1);
        }
        names
    }

    /// Where in its folder the model of a name is; none if the name says so itself.
    pub(super) fn path_of(&self, name: &str) -> Option<&Path> {
        let mut paths = self.paths.iter();
        let (_, path) = paths.find(|(other, _)| other == name)?;
        Some(path)
    }
}
