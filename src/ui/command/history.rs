//! What a user can ask of the steps that were made.

/// A wish about what was changed: poses by hand, morph weights, hidden nodes, clips together, the part that loops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HistoryCommand {
    /// Take the last change back.
    Undo,
    /// Make the change that was taken back.
    Redo,
    /// What is dragged or held was let go: what changes from now on is a step of its own.
    EndStep,
}
