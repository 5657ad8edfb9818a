//! Lights that a file brings along.

use std::f32::consts::FRAC_PI_2;

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
        /// From the axis to where it is gone; more than 0, at most π/2.
        outer_radians: f32,
    },
}

impl LightKind {
    /// A spot with the nearest cone to this one that a light may have (`KHR_lights_punctual`, "Spot"): splines swing out to
    /// 0 and to two angles that are alike.
    pub fn spot(inner_radians: f32, outer_radians: f32) -> Self {
        // The nearest number to π/2 is above it.
        let outer_radians = outer_radians.clamp(1e-6, FRAC_PI_2.next_down());
        Self::Spot {
            inner_radians: inner_radians.clamp(0.0, outer_radians.next_down()),
            outer_radians,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cone_is_one_at_both_ends() {
        for (inner, outer) in [(0.0, 0.0), (0.5, 0.0), (-1.0, 9.0), (FRAC_PI_2, FRAC_PI_2)] {
            let LightKind::Spot {
                inner_radians,
                outer_radians,
            } = LightKind::spot(inner, outer)
            else {
                panic!("no spot");
            };
            assert!(0.0 <= inner_radians && inner_radians < outer_radians);
            assert!(f64::from(outer_radians) <= std::f64::consts::FRAC_PI_2);
        }
    }
}
