//! What is asked of the scene tree, and what it shows of nodes besides their rows.

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

/// Which nodes the user has hidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct HidingView<'a> {
    /// For each node; empty while nothing is hidden.
    pub sight: &'a [Sight],
    /// How many are hidden by themselves.
    pub count: usize,
}

/// Whether a node can be seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sight {
    /// The user lets it be.
    #[default]
    Shown,
    /// The user has hidden it.
    Hidden,
    /// The user has hidden one that it hangs under.
    UnderHidden,
}

impl HidingView<'_> {
    /// Whether a node can be seen.
    pub fn of(&self, node: usize) -> Sight {
        self.sight.get(node).copied().unwrap_or_default()
    }
}
