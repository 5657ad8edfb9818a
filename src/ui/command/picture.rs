//! What a user can ask of the picture: what is drawn, and in which light.

use crate::scene::{Backdrop, LightSettings, ViewMode, WeightColors};

/// A wish about the picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PictureCommand {
    /// Choose what is drawn of surfaces.
    SetViewMode(ViewMode),
    /// Choose the next view that shows something of the model (or the one before, if negative): see
    /// [`Inspectable::step`](crate::scene::Inspectable::step).
    StepViewMode(i32),
    /// Choose the colours that stand for weights.
    SetWeightColors(WeightColors),
    /// Show or hide the skeleton.
    ToggleSkeleton,
    /// Show or hide the ground grid.
    ToggleGrid,
    /// Show or hide the edges of all triangles over surfaces.
    ToggleWires,
    /// Show or hide the normals of vertices as lines.
    ToggleNormals,
    /// Light the model like this.
    SetLight(LightSettings),
    /// Show this behind the model.
    SetBackdrop(Backdrop),
}
