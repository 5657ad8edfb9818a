//! What is shown and what is not.

use crate::scene::SurfaceLines;

/// What is shown and what is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shown {
    /// The skeleton.
    pub skeleton: bool,
    /// Whether there is one to show.
    pub has_skeleton: bool,
    /// The ground grid.
    pub grid: bool,
    /// Which lines lie over surfaces.
    pub lines: SurfaceLines,
    /// The left panel.
    pub scene_panel: bool,
    /// The right panel.
    pub inspector_panel: bool,
    /// The key list.
    pub keys: bool,
    /// Whether the chosen node's figures are those in the world.
    pub world_figures: bool,
    /// Whether the theme is the dark one.
    pub dark: bool,
}
