//! What panels read about clips of other files.

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
