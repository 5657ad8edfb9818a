//! What a user can ask of lists of files.

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
