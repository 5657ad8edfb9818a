//! Cameras that a file brings along.

/// A camera (glTF 2.0 §3.10). It looks along its node's −Z with +Y up.
#[derive(Debug, Clone, PartialEq)]
pub struct Camera {
    /// The camera's name, or empty.
    pub name: String,
    /// How it projects.
    pub projection: Projection,
}

/// How a camera projects; lengths in the units of the file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Projection {
    /// Central projection.
    Perspective {
        /// Full vertical angle.
        fov_y_radians: f32,
        /// Width over height; absent: the window's.
        aspect: Option<f32>,
        /// Distance of the near plane.
        near: f32,
        /// Distance of the far plane; absent: infinite.
        far: Option<f32>,
    },
    /// Parallel projection.
    Orthographic {
        /// Half the width.
        half_width: f32,
        /// Half the height.
        half_height: f32,
        /// Distance of the near plane.
        near: f32,
        /// Distance of the far plane.
        far: f32,
    },
}
