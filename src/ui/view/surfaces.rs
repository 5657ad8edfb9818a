//! What panels read of how surfaces are drawn.

use crate::scene::{Inspectable, ViewMode, WeightColors};

/// How surfaces are drawn.
#[derive(Debug, Clone, Copy)]
pub struct SurfacesView {
    /// What is drawn of them.
    pub mode: ViewMode,
    /// What there is to inspect.
    pub inspectable: Inspectable,
    /// Colours that stand for weights.
    pub weight_colors: WeightColors,
}
