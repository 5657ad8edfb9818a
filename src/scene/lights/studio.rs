//! The built-in environment: a soft studio, given by a formula.

use glam::Vec3;

use super::settings::KEY_DIRECTION;
use crate::{anim::blend::smoothstep, model::Panorama};

const SKY: Vec3 = Vec3::new(0.62, 0.66, 0.72);
const HORIZON: Vec3 = Vec3::new(0.46, 0.47, 0.49);
const GROUND: Vec3 = Vec3::new(0.25, 0.235, 0.22);

/// A light that looks like a soft-edged disc.
struct SoftBox {
    toward: Vec3,
    radiance: Vec3,
    /// The greater, the smaller it is.
    sharpness: f32,
}

/// Where the key light stands, and a wide one behind the model that draws its rim.
const BOXES: [SoftBox; 2] = [
    SoftBox {
        toward: KEY_DIRECTION,
        radiance: Vec3::new(1.9, 1.84, 1.75),
        sharpness: 40.0,
    },
    SoftBox {
        toward: Vec3::new(-0.76, 0.25, -0.60),
        radiance: Vec3::new(0.78, 0.86, 0.98),
        sharpness: 9.0,
    },
];

/// Rows of its picture: enough for the sharpest reflection that its soft edges need.
const HEIGHT: usize = 128;

/// The studio's picture.
pub fn studio() -> Panorama {
    Panorama::of(HEIGHT, radiance)
}

/// What comes from a direction.
fn radiance(direction: Vec3) -> Vec3 {
    // Within so far of the horizon the sky becomes the ground.
    let upward = smoothstep(0.5 + 0.5 * direction.y / 0.06);
    let above = HORIZON.lerp(SKY, direction.y.clamp(0.0, 1.0));
    let light = |lamp: &SoftBox| {
        let away = direction.dot(lamp.toward.normalize()) - 1.0;
        lamp.radiance * (away * lamp.sharpness).exp()
    };
    GROUND.lerp(above, upward) + BOXES.iter().map(light).sum::<Vec3>()
}
