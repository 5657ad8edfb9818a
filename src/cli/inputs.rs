//! What a command reads, and must not write over.

use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
};

use anyhow::ensure;

/// Files that are read, links resolved.
#[derive(Debug)]
pub(super) struct Inputs(HashSet<PathBuf>);

impl Inputs {
    /// Those of `paths` that are there.
    pub(super) fn new<'p>(paths: impl IntoIterator<Item = &'p PathBuf>) -> Self {
        let mut inputs = Self(HashSet::new());
        inputs.extend(paths);
        inputs
    }

    /// Adds those of `paths` that are there.
    pub(super) fn extend<'p>(&mut self, paths: impl IntoIterator<Item = &'p PathBuf>) {
        let paths = paths.into_iter();
        let there = paths.filter_map(|path| fs::canonicalize(path).ok());
        self.0.extend(there);
    }

    /// Fails if `output` is one of them.
    pub(super) fn check(&self, output: &Path) -> anyhow::Result<()> {
        let is_read = fs::canonicalize(output).is_ok_and(|file| self.0.contains(&file));
        ensure!(
            !is_read,
            "{} is read here, and would be written over: name another file",
            output.display()
        );
        Ok(())
    }
}
