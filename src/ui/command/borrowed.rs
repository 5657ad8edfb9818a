//! What a user can ask of clips of other files.

/// A wish about clips of other files. Files are named by their place in the list of such files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BorrowedCommand {
    /// Turn the clips of a file into the rest pose of this model, or leave them as they are there.
    SetRetarget(usize, bool),
    /// Take the clips of a file out.
    TakeOut(usize),
}
