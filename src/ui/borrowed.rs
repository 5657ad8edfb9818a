//! Clips of other files: what panels read about them, and what users ask for.

/// A wish about clips of other files. Files are named by their place in the list of such files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BorrowedCommand {
    /// Turn the clips of a file into the rest pose of this model, or leave them as they are there.
    SetRetarget(usize, bool),
    /// Take the clips of a file out.
    TakeOut(usize),
}

/// A file whose clips were added to the model's own.
#[derive(Debug, Clone, PartialEq)]
pub struct BorrowedRow {
    /// The file's name.
    pub name: String,
    /// Index of its first clip.
    pub first: usize,
    /// How many clips it has.
    pub count: usize,
    /// Whether they are turned into the rest pose of this model.
    pub is_retargeted: bool,
    /// Why they may look wrong unless they are, in words.
    pub misfits: Vec<String>,
    /// Nodes that its clips move and that are not here.
    pub missing: Vec<String>,
    /// Joints that none of its clips moves.
    pub unmoved: Vec<String>,
}
