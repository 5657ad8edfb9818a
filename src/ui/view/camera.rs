//! What panels read of the camera.

use crate::{scene::Side, ui::Flight};

/// The camera, for its menu, the gimbal and the pointer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CameraPane<'a> {
    /// From the world into the view: a quaternion x, y, z, w.
    pub view_from_world: [f32; 4],
    /// The side that it looks from, if it is one of the six.
    pub side: Option<Side>,
    /// Whether the model looks towards −Z, so that its front is seen from there.
    pub faces_back: bool,
    /// Whether rays run side by side.
    pub is_parallel: bool,
    /// Full vertical angle of view.
    pub fov_y_radians: f32,
    /// Names of the cameras that the scene brings along.
    pub file_cameras: &'a [String],
    /// Which of them is looked through; none for the free one.
    pub file_camera: Option<usize>,
    /// Whether something is chosen that can be framed.
    pub has_choice: bool,
    /// Whether there is a clip whose reach can be framed.
    pub has_motion: bool,
    /// The name of what is kept in its place in the picture.
    pub follows: Option<&'a str>,
    /// Whether it is followed over the ground only.
    pub follows_on_ground: bool,
    /// Whether keys and pointer fly.
    pub flies: bool,
    /// Where the flight goes.
    pub flight: Flight,
    /// Units a second of an unhurried flight.
    pub fly_speed: f32,
    /// Whether the root's path is shown, if the clip has one.
    pub shows_path: bool,
    /// The root's path; none where the clip goes nowhere.
    pub path: Option<PathPane<'a>>,
}

/// Where a clip takes the root, as the picture shows it: −1..1 from the viewport's centre, right and up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PathPane<'a> {
    /// Pieces of the way over the ground.
    pub pieces: &'a [[[f32; 2]; 2]],
    /// Where the root is above the ground now, if that is in sight.
    pub now: Option<[f32; 2]>,
    /// How fast it is now, in units a second.
    pub speed: f32,
    /// From start to end of the clip, over its duration.
    pub mean_speed: f32,
}

impl Default for CameraPane<'_> {
    fn default() -> Self {
        Self {
            view_from_world: [0.0, 0.0, 0.0, 1.0],
            side: Some(Side::Front),
            faces_back: false,
            is_parallel: false,
            fov_y_radians: 35_f32.to_radians(),
            file_cameras: &[],
            file_camera: None,
            has_choice: false,
            has_motion: false,
            follows: None,
            follows_on_ground: false,
            flies: false,
            flight: Flight::default(),
            fly_speed: 1.0,
            shows_path: false,
            path: None,
        }
    }
}
