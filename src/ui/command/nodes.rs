//! What a user can ask of the scene tree.

/// A wish about nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodesCommand {
    /// Hide a node (place in the hierarchy) and all below it, or show it again.
    ToggleHidden(usize),
    /// Hide the chosen node and all below it, or show it again.
    ToggleChosenHidden,
    /// Show all nodes again that the user has hidden.
    ShowAll,
    /// Put the keyboard into the line to search nodes with.
    FocusSearch,
}
