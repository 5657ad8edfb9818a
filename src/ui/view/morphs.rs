//! What panels read of morph weights.

/// The morph weights of the model.
#[derive(Debug, Clone, Copy, Default)]
pub struct MorphsView<'a> {
    /// A row for each weight.
    pub rows: &'a [MorphRow],
    /// What is in force of each: places are [`MorphRow::weight`].
    pub values: &'a [f32],
    /// Those that are held, sorted.
    pub held: &'a [usize],
}

/// A morph weight.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MorphRow {
    /// The name of its target.
    pub name: String,
    /// Its node, as [`crate::ui::NodeRow`]s are numbered.
    pub node: usize,
    /// The name of that, unlike those of others.
    pub node_name: String,
    /// Its place among all weights.
    pub weight: usize,
}
