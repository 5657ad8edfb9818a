//! What is asked of files, and what is shown of them.

use std::path::PathBuf;

use super::keys::Action;

/// A wish about lists of files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FilesCommand {
    /// Let the user choose from a list, or close it if it is there.
    Pick(Picker),
    /// Forget which files were opened.
    ForgetRecent,
}

/// A list to choose from, in front of everything, with a line to search in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Picker {
    /// Everything that has a name: commands, clips, nodes, files.
    Palette,
    /// Files that were opened before.
    Recent,
}

/// The files behind what is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FilesView<'a> {
    /// Another number for every file that is opened; the same when one is read again.
    pub document: u64,
    /// The [model](super::View::model_generation) that was shown when the interface was last drawn, and for each of its nodes
    /// where it is now, if the file was read again since, however often.
    pub moved_nodes: (u64, &'a [Option<usize>]),
    /// Whether it is a file, and no built-in model.
    pub is_file: bool,
    /// The list that is open.
    pub picker: Option<Picker>,
    /// Files that were opened before, the last first.
    pub recent: &'a [RecentRow],
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

/// The command of a key.
pub fn by_key(action: Action) -> Option<FilesCommand> {
    Some(match action {
        Action::Recent => FilesCommand::Pick(Picker::Recent),
        Action::Palette => FilesCommand::Pick(Picker::Palette),
        _ => return None,
    })
}
