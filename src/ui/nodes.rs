//! What the scene tree shows of nodes besides their rows.

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
