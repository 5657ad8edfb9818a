//! Where shadows fall: the view of the key light, fitted to what throws them, and the part of the ground that catches them.

use glam::{DMat4, DVec3, DVec4, Mat4, Quat, Vec3};

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
    /// From the eye, along the world's axes, into the light's clip space: x and y −1..1, depth grows from 0 before the
    /// nearest of the casters to 1 behind the farthest.
    pub clip_from_eye: Mat4,
    /// What depths in the map and of what is compared with them may differ by, since both are rounded on different ways.
    pub rounding: f32,
    /// Width of a texel of the map, in world units.
    pub texel: f32,
    /// Corners of the rectangle on the ground that the shadow stays in, from the eye: least x, least z, greatest x, greatest z.
    pub ground: [f32; 4],
}

/// Empty texels around the map, so that beyond its edge nothing is in shadow.
const MARGIN_TEXELS: f64 = 4.0;
/// Depth before the nearest caster and behind the farthest, in parts of their size: what rounding puts beyond the map's depth
/// would be cut away.
const SPARE_DEPTH: f64 = 0.01;
/// Steps of a 32-bit float by which depths may differ that are the same: those of places, of the light's matrix, and of what
/// rasterisers find between corners.
const ROUNDING_STEPS: f64 = 8.0;
/// Sides of the fitted square grow by such factors, so that its texels keep their places while a pose moves within.
const SIZE_STEP: f64 = 1.25;

impl Shadow {
    /// The fit for a light that stands towards `to_light` (of length 1), a map of `side` texels and an eye in the world;
    /// `None` if there is nothing to throw a shadow.
    ///
    /// In double precision, since the map's square lies at places of the world, and what it is for is told from the eye.
    pub fn fit(&self, to_light: Vec3, side: u32, eye: Vec3) -> Option<ShadowFit> {
        let size = self.casters.diagonal();
        if self.casters.is_empty() || !size.is_finite() || size <= 0.0 {
            return None;
        }
        let size = f64::from(size);
        let eye = eye.as_dvec3();
        let (right, up) = axes_across(to_light.as_dvec3());
        let light_from_world = DMat4::from_rows(
            right.extend(0.0),
            up.extend(0.0),
            to_light.as_dvec3().extend(0.0),
            DVec4::W,
        );
        let (mut least, mut most) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for corner in self.casters.corners() {
            let corner = light_from_world.transform_point3(corner.as_dvec3());
            (least, most) = (least.min(corner), most.max(corner));
        }
        let across = (most - least).truncate().max_element().max(size * 1e-3);
        let across = SIZE_STEP.powf(across.log(SIZE_STEP).ceil());
        let texels = (f64::from(side) - 2.0 * MARGIN_TEXELS).max(1.0);
        let texel = across / texels;
        // The square lies at whole texels: edges do not crawl.
        let middle = 0.5 * (least + most).truncate();
        let middle = (middle / texel).round() * texel;
        let half = 0.5 * texel * f64::from(side);
        // Depth grows away from the light, which looks along −z. It is as deep as casters could be, however flat they are to
        // the light: within less, rounding would be a large part of it.
        let depth = (1.0 + 2.0 * SPARE_DEPTH) * size;
        let nearest = most.z + SPARE_DEPTH * size;
        let from_eye = self.casters.corners().into_iter();
        let from_eye = from_eye.map(|corner| corner.as_dvec3().distance(eye));
        let largest = from_eye.fold(size, f64::max);
        let rounding = ROUNDING_STEPS * f64::from(f32::EPSILON) * largest / depth;
        let clip_from_light = DMat4::from_cols(
            DVec4::new(1.0 / half, 0.0, 0.0, 0.0),
            DVec4::new(0.0, 1.0 / half, 0.0, 0.0),
            DVec4::new(0.0, 0.0, -1.0 / depth, 0.0),
            DVec4::new(-middle.x / half, -middle.y / half, nearest / depth, 1.0),
        );
        let world_from_eye = DMat4::from_translation(eye);
        Some(ShadowFit {
            clip_from_eye: (clip_from_light * light_from_world * world_from_eye).as_mat4(),
            rounding: rounding as f32,
            texel: texel as f32,
            ground: self.on_ground(to_light.as_dvec3(), 4.0 * texel, eye),
        })
    }

    /// Where the box's shadow falls on the ground, `margin` wider; nothing if there is none, or no light from above.
    fn on_ground(&self, to_light: DVec3, margin: f64, eye: DVec3) -> [f32; 4] {
        let Some(ground) = self.ground.filter(|_| to_light.y > 0.05) else {
            return [0.0; 4];
        };
        let ground = f64::from(ground);
        let (mut least, mut most) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for corner in self.casters.corners() {
            let corner = corner.as_dvec3();
            let above = (corner.y - ground).max(0.0);
            let at = corner - to_light * (above / to_light.y) - eye;
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
        .map(|side| side as f32)
    }
}

impl ShadowFit {
    /// From the eye to texture coordinates and depth, which is so much less that what throws a shadow throws none on itself.
    pub fn texture_from_eye(&self) -> Mat4 {
        // Rows of textures run downwards.
        let texture_from_clip = Mat4::from_scale_rotation_translation(
            Vec3::new(0.5, -0.5, 1.0),
            Quat::IDENTITY,
            Vec3::new(0.5, 0.5, -self.rounding),
        );
        texture_from_clip * self.clip_from_eye
    }
}

/// What is right and up for one who looks against the light.
fn axes_across(to_light: DVec3) -> (DVec3, DVec3) {
    let upward = if to_light.y.abs() > 0.99 {
        DVec3::Z
    } else {
        DVec3::Y
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
            let fit = CUBE.fit(to_light.normalize(), 512, Vec3::ZERO).unwrap();
            for corner in CUBE.casters.corners() {
                let at = fit.texture_from_eye().project_point3(corner);
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
        let [least_x, least_z, most_x, most_z] =
            CUBE.fit(to_light, 1024, Vec3::ZERO).unwrap().ground;
        // The upper edge, 3 above the ground, throws 3 to the other side; the lower one 1.
        let expected = [-4.0, 2.0, 0.0, 4.0];
        for (found, expected) in [least_x, least_z, most_x, most_z].iter().zip(expected) {
            assert!((found - expected).abs() < 0.05, "{found}, not {expected}");
        }
    }

    /// However far from the world's origin both stand, and wherever the eye goes: the square stays at its texels.
    #[test]
    fn what_lies_where_in_the_map_does_not_depend_on_the_eye() {
        let to_light = Vec3::new(0.45, 0.74, 0.5).normalize();
        for place in [Vec3::ZERO, Vec3::new(131_072.0, 0.0, -65_536.0)] {
            let shadow = Shadow {
                casters: Aabb {
                    min: CUBE.casters.min + place,
                    max: CUBE.casters.max + place,
                },
                ..CUBE
            };
            let at = |eye: Vec3| {
                let fit = shadow.fit(to_light, 512, place + eye).unwrap();
                let corners = CUBE.casters.corners().into_iter();
                let at = corners.map(|corner| fit.texture_from_eye().project_point3(corner - eye));
                at.collect::<Vec<_>>()
            };
            let expected = at(Vec3::ZERO);
            let found = at(Vec3::new(3.0, -2.5, 7.25));
            for (found, expected) in found.iter().zip(expected) {
                // A hundredth of a texel.
                assert!(found.abs_diff_eq(expected, 2e-5), "{found}, not {expected}");
            }
        }
    }

    #[test]
    fn nothing_throws_no_shadow() {
        let nothing = Shadow {
            casters: Aabb::EMPTY,
            ..CUBE
        };
        assert_eq!(nothing.fit(Vec3::Y, 512, Vec3::ZERO), None);
    }
}
