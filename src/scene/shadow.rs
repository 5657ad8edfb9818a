//! Where shadows fall: the view of the key light, fitted to what throws them, and the part of the ground that catches them.

use glam::{Mat4, Vec3, Vec4};

use crate::model::Aabb;

/// What throws a shadow, and on which ground.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shadow {
    /// The box around what throws it.
    pub casters: Aabb,
    /// The ground's height, if there is one that catches it.
    pub ground: Option<f32>,
}

/// The matrices and sizes of one frame's shadow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShadowFit {
    /// Into the light's clip space: x and y −1..1, depth 0 at the nearest of the casters and 1 at the farthest.
    pub clip_from_world: Mat4,
    /// Corners of the rectangle on the ground that the shadow stays in: least x, least z, greatest x, greatest z.
    pub ground: [f32; 4],
}

/// Empty texels around the map, so that beyond its edge nothing is in shadow.
const MARGIN_TEXELS: f32 = 4.0;
/// Sides of the fitted square grow by such factors, so that its texels keep their places while a pose moves within.
const SIZE_STEP: f32 = 1.25;

impl Shadow {
    /// The fit for a light that stands towards `to_light` (of length 1) and a map of `side` texels; `None` if there is
    /// nothing to throw a shadow.
    pub fn fit(&self, to_light: Vec3, side: u32) -> Option<ShadowFit> {
        let size = self.casters.diagonal();
        if self.casters.is_empty() || !size.is_finite() || size <= 0.0 {
            return None;
        }
        let (right, up) = axes_across(to_light);
        let light_from_world = Mat4::from_rows(
            right.extend(0.0),
            up.extend(0.0),
            to_light.extend(0.0),
            Vec4::W,
        );
        let (mut least, mut most) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for corner in self.casters.corners() {
            let corner = light_from_world.transform_point3(corner);
            (least, most) = (least.min(corner), most.max(corner));
        }
        let across = (most - least).truncate().max_element().max(size * 1e-3);
        let across = SIZE_STEP.powf(across.log(SIZE_STEP).ceil());
        let texels = (side as f32 - 2.0 * MARGIN_TEXELS).max(1.0);
        let texel = across / texels;
        // The square lies at whole texels: edges do not crawl.
        let middle = 0.5 * (least + most).truncate();
        let middle = (middle / texel).round() * texel;
        let half = 0.5 * texel * side as f32;
        // Depth grows away from the light, which looks along −z.
        let depth = (most.z - least.z).max(size * 1e-3);
        let clip_from_light = Mat4::from_cols(
            Vec4::new(1.0 / half, 0.0, 0.0, 0.0),
            Vec4::new(0.0, 1.0 / half, 0.0, 0.0),
            Vec4::new(0.0, 0.0, -1.0 / depth, 0.0),
            Vec4::new(-middle.x / half, -middle.y / half, most.z / depth, 1.0),
        );
        Some(ShadowFit {
            clip_from_world: clip_from_light * light_from_world,
            ground: self.on_ground(to_light, 4.0 * texel),
        })
    }

    /// Where the box's shadow falls on the ground, `margin` wider; nothing if there is none, or no light from above.
    fn on_ground(&self, to_light: Vec3, margin: f32) -> [f32; 4] {
        let Some(ground) = self.ground.filter(|_| to_light.y > 0.05) else {
            return [0.0; 4];
        };
        let (mut least, mut most) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for corner in self.casters.corners() {
            let above = (corner.y - ground).max(0.0);
            let at = corner - to_light * (above / to_light.y);
            (least, most) = (least.min(at), most.max(at));
        }
        // The lower the light, the longer the soft edge.
        let margin = margin / to_light.y;
        [
            least.x - margin,
            least.z - margin,
            most.x + margin,
            most.z + margin,
        ]
    }
}

impl ShadowFit {
    /// From the world to texture coordinates and depth.
    pub fn texture_from_world(&self) -> Mat4 {
        let texture_from_clip = Mat4::from_cols(
            Vec4::new(0.5, 0.0, 0.0, 0.0),
            // Rows of textures run downwards.
            Vec4::new(0.0, -0.5, 0.0, 0.0),
            Vec4::new(0.0, 0.0, 1.0, 0.0),
            Vec4::new(0.5, 0.5, 0.0, 1.0),
        );
        texture_from_clip * self.clip_from_world
    }
}

/// What is right and up for one who looks against the light.
fn axes_across(to_light: Vec3) -> (Vec3, Vec3) {
    let upward = if to_light.y.abs() > 0.99 {
        Vec3::Z
    } else {
        Vec3::Y
    };
    let right = upward.cross(to_light).normalize();
    (right, to_light.cross(right))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CUBE: Shadow = Shadow {
        casters: Aabb {
            min: Vec3::new(-1.0, 1.0, 2.0),
            max: Vec3::new(1.0, 3.0, 4.0),
        },
        ground: Some(0.0),
    };

    #[test]
    fn all_casters_lie_in_the_map() {
        for to_light in [
            Vec3::new(0.45, 0.74, 0.5),
            Vec3::Y,
            Vec3::new(-1.0, 0.1, 0.0),
        ] {
            let fit = CUBE.fit(to_light.normalize(), 512).unwrap();
            for corner in CUBE.casters.corners() {
                let at = fit.texture_from_world().project_point3(corner);
                assert!(
                    (0.0..=1.0).contains(&at.x) && (0.0..=1.0).contains(&at.y),
                    "{at}"
                );
                assert!((-1e-5..=1.0 + 1e-5).contains(&at.z), "{at}");
            }
        }
    }

    #[test]
    fn the_shadow_lies_on_the_ground_away_from_the_light() {
        let to_light = Vec3::new(1.0, 1.0, 0.0).normalize();
        let [least_x, least_z, most_x, most_z] = CUBE.fit(to_light, 1024).unwrap().ground;
        // The upper edge, 3 above the ground, throws 3 to the other side; the lower one 1.
        let expected = [-4.0, 2.0, 0.0, 4.0];
        for (found, expected) in [least_x, least_z, most_x, most_z].iter().zip(expected) {
            assert!((found - expected).abs() < 0.05, "{found}, not {expected}");
        }
    }

    #[test]
    fn nothing_throws_no_shadow() {
        let nothing = Shadow {
            casters: Aabb::EMPTY,
            ..CUBE
        };
        assert_eq!(nothing.fit(Vec3::Y, 512), None);
    }
}
