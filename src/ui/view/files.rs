//! What panels read of files.

use std::path::PathBuf;

use crate::ui::Picker;

/// The files behind what is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FilesView<'a> {
    /// Another number for every file that is opened; the same when one is read again.
    pub document: u64,
    /// The [model](super::ModelView::generation) that was shown when the interface was last drawn, and for each of its nodes
    /// where it is now, if the file was read again since, however often.
    pub moved_nodes: (u64, &'a [Option<usize>]),
    /// Whether it is a file, and no built-in model.
    pub is_file: bool,
    /// The list that is open.
    pub picker: Option<Picker>,
    /// Files that were opened before, the last first.
    pub recent: &'a [RecentRow],
    /// Names of the built-in models.
    pub built_in: &'a [&'static str],
}

/// A file that was opened before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecentRow {
    /// Where it is.
    pub path: PathBuf,
    /// Its own name.
    pub name: String,
    /// The folder, for people.
    pub folder: String,
    /// Whether it is not there any more.
    pub is_missing: bool,
}
