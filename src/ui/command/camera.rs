//! What a user can ask of the camera.

use crate::scene::Side;

/// A wish about the camera.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum CameraCommand {
    /// Move the camera so that the posed model fills the view.
    FrameModel,
    /// Turn the camera: fractions of the viewport's height that the pointer moved, right and down.
    Orbit {
        /// To the right.
        right: f32,
        /// Down.
        down: f32,
    },
    /// Move the camera sideways, in the same units.
    Pan {
        /// To the right.
        right: f32,
        /// Down.
        down: f32,
    },
    /// Move the camera nearer (positive) or farther, keeping the point at `toward` (−1..1 from the viewport's centre,
    /// right and up) where it is.
    Zoom {
        /// In wheel notches.
        notches: f32,
        /// Where the pointer is.
        toward: [f32; 2],
    },
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
    /// Look through a camera of the file, by its place in the list, or freely from where the camera is.
    LookThrough(Option<usize>),
    /// Look through the next camera of the file (or the one before, if negative); before the first comes the free one.
    StepCamera(i32),
    /// Keep the chosen node, or else the root, in its place in the picture, or let it go.
    ToggleFollow,
    /// Follow over the ground only, or up and down too.
    ToggleFollowHeight,
    /// Show or hide where the clip takes the root.
    TogglePath,
    /// Begin or end to fly.
    ToggleFly,
    /// Fly this way from now on.
    Fly(Flight),
    /// Turn the head: fractions of the viewport's height that the pointer moved, right and down.
    LookAround {
        /// To the right.
        right: f32,
        /// Down.
        down: f32,
    },
    /// Fly faster (positive) or slower, in wheel notches.
    FlyFaster(f32),
}

/// Where keys that are held down take a flight.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Flight {
    /// To the right, up and ahead, each −1..1.
    pub way: [f32; 3],
    /// Whether it is in a hurry.
    pub is_fast: bool,
}

impl Flight {
    /// Whether it goes nowhere.
    pub fn is_still(&self) -> bool {
        self.way == [0.0; 3]
    }
}
