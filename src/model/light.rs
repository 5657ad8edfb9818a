//! Lights that a file brings along.

use glam::Vec3;

/// A punctual light (`KHR_lights_punctual`, "Light Shared Properties"). It shines along its node's −Z; scale leaves all
/// its properties alone.
#[derive(Debug, Clone, PartialEq)]
pub struct Light {
    /// The light's name, or empty.
    pub name: String,
    /// Where it stands and how it shines.
    pub kind: LightKind,
    /// Linear colour, each part 0..1.
    pub color: Vec3,
    /// Lux for directional lights, candela for the others.
    pub intensity: f32,
    /// The distance in metres beyond which a point or spot light gives nothing; absent: infinite.
    pub range: Option<f32>,
}

/// The kinds of punctual lights.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LightKind {
    /// From infinitely far away.
    Directional,
    /// From a point, all around.
    Point,
    /// From a point, in a cone.
    Spot {
        /// From the axis to where the light begins to fade; less than `outer_radians`.
        inner_radians: f32,
        /// From the axis to where it is gone; at most π/2.
        outer_radians: f32,
    },
}
