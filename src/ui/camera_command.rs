//! What a user can ask of the camera, besides turning and moving it.

use crate::scene::Side;

/// A wish about the camera.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum CameraCommand {
    /// Fill the view with what is chosen; without a choice, with the model.
    FrameChosen,
    /// Fill the view with all that the clip reaches.
    FrameMotion,
    /// Look from one of the six sides.
    LookFrom(Side),
    /// Change between central and parallel projection.
    ToggleProjection,
    /// Set the full vertical angle of view, in radians.
    SetFieldOfView(f32),
}
