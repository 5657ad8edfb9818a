//! The camera: an orbit around a point, and the matrices that a frame needs of it.
//!
//! Spaces: *world* is glTF's (right-handed, +Y up); *view* has the eye at its origin, looks along −Z with +Y up; *clip*
//! is wgpu's, with depth running from 1 at the near plane to 0 at infinity (reversed: a float's precision is then spread
//! evenly over the distance, so the near plane may be so near that it never cuts a model).

use glam::{Affine3A, Mat4, Quat, Vec3, Vec4};

use super::Ray;
use crate::model::Aabb;

/// A camera that orbits a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OrbitCamera {
    /// The point that it looks at, in the world.
    pub target: Vec3,
    /// 0 looks from +Z; grows towards +X.
    pub azimuth_radians: f32,
    /// Angle from +Y: 0 looks straight down, π straight up.
    pub polar_radians: f32,
    /// Distance from the target.
    pub radius: f32,
    /// Full vertical angle.
    pub fov_y_radians: f32,
}

impl Default for OrbitCamera {
    fn default() -> Self {
        Self {
            target: Vec3::ZERO,
            azimuth_radians: f32::to_radians(30.0),
            polar_radians: f32::to_radians(78.0),
            radius: 4.0,
            fov_y_radians: f32::to_radians(35.0),
        }
    }
}

/// A camera's matrices for one frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CameraView {
    /// From the world into the view.
    pub view_from_world: Affine3A,
    /// From the view into clip space: infinite, reversed depth.
    pub clip_from_view: Mat4,
    /// The eye in the world.
    pub eye: Vec3,
}

impl CameraView {
    /// What lies at a point of the picture, −1..1 from its middle, right and up.
    pub fn ray(&self, at: [f32; 2]) -> Ray {
        let in_view = Vec3::new(
            at[0] / self.clip_from_view.x_axis.x,
            at[1] / self.clip_from_view.y_axis.y,
            -1.0,
        );
        let world_from_view = self.view_from_world.inverse();
        Ray {
            origin: self.eye,
            direction: world_from_view.transform_vector3(in_view).normalize(),
        }
    }

    /// How much of the world a part of the picture's height spans, for each unit of distance.
    pub fn height_at_1(&self) -> f32 {
        2.0 / self.clip_from_view.y_axis.y
    }

    /// From the world straight into clip space.
    pub fn clip_from_world(&self) -> Mat4 {
        self.clip_from_view * Mat4::from(self.view_from_world)
    }
}

impl OrbitCamera {
    /// Room left around what is framed.
    const FRAME_MARGIN: f32 = 1.15;
    /// Distance of the near plane as a part of the radius.
    const NEAR: f32 = 1e-4;
    /// A turn of the whole viewport's height, in radians.
    const RADIANS_A_HEIGHT: f32 = std::f32::consts::PI;
    /// What a notch of the wheel leaves of the distance.
    const ZOOM_A_NOTCH: f32 = 0.88;

    /// How the view is turned in the world.
    fn world_from_view_rotation(&self) -> Quat {
        Quat::from_rotation_y(self.azimuth_radians)
            * Quat::from_rotation_x(self.polar_radians - std::f32::consts::FRAC_PI_2)
    }

    /// The eye in the world.
    pub fn eye(&self) -> Vec3 {
        self.target + self.world_from_view_rotation() * Vec3::new(0.0, 0.0, self.radius)
    }

    /// The matrices for a viewport of `aspect` (width over height).
    pub fn view(&self, aspect: f32) -> CameraView {
        let rotation = self.world_from_view_rotation();
        let world_from_view = Affine3A::from_rotation_translation(rotation, self.eye());
        CameraView {
            view_from_world: world_from_view.inverse(),
            clip_from_view: perspective(
                self.fov_y_radians,
                aspect.max(1e-3),
                (self.radius * Self::NEAR).max(f32::MIN_POSITIVE),
            ),
            eye: self.eye(),
        }
    }

    /// Looks at the middle of `bounds` from where all `points` (which lie in it) are in the picture, and no farther;
    /// seen from the same side as before.
    pub fn frame(&mut self, bounds: &Aabb, points: impl Iterator<Item = Vec3>, aspect: f32) {
        if bounds.is_empty() {
            return;
        }
        self.target = bounds.center();
        let view_from_world = self.world_from_view_rotation().inverse();
        let tan_y = (0.5 * self.fov_y_radians).tan();
        let tan_x = tan_y * aspect.max(1e-3);
        let mut radius = 0.0_f32;
        for point in points.filter(|point| point.is_finite()) {
            let point = view_from_world * (point - self.target);
            radius = radius.max(point.z + (point.x.abs() / tan_x).max(point.y.abs() / tan_y));
        }
        // A model of one point is seen from a distance at which its surroundings make sense.
        self.radius = if radius > 0.0 {
            radius * Self::FRAME_MARGIN
        } else {
            1.0
        };
    }

    /// Turns around the target; fractions of the viewport's height that the pointer moved.
    pub fn orbit(&mut self, right: f32, down: f32) {
        let full_turn = std::f32::consts::TAU;
        self.azimuth_radians =
            (self.azimuth_radians - right * Self::RADIANS_A_HEIGHT).rem_euclid(full_turn);
        self.polar_radians =
            (self.polar_radians - down * Self::RADIANS_A_HEIGHT).clamp(0.0, std::f32::consts::PI);
    }

    /// Height of the viewport at the target's distance, in world units.
    fn height_at_target(&self) -> f32 {
        2.0 * self.radius * (0.5 * self.fov_y_radians).tan()
    }

    /// Moves sideways, so that what was under the pointer stays there; fractions of the viewport's height.
    pub fn pan(&mut self, right: f32, down: f32) {
        let offset_in_view = Vec3::new(-right, down, 0.0) * self.height_at_target();
        self.target += self.world_from_view_rotation() * offset_in_view;
    }

    /// Moves nearer by `notches`, keeping in place what lies at `toward` (−1..1 from the viewport's centre, right and
    /// up) at the target's distance. `model_size` bounds the distance to what floats can hold.
    pub fn zoom(&mut self, notches: f32, toward: [f32; 2], aspect: f32, model_size: f32) {
        let factor = Self::ZOOM_A_NOTCH.powf(notches.clamp(-50.0, 50.0));
        // A model of one point, or none, says nothing about distances: then 1 is as good as any.
        let has_size = model_size > 0.0 && model_size.is_finite();
        let size = if has_size { model_size.max(1e-12) } else { 1.0 };
        let radius = (self.radius * factor).clamp(size * 1e-4, size * 1e4);
        let factor = radius / self.radius;
        let half_height = 0.5 * self.height_at_target();
        let under_pointer = Vec3::new(
            toward[0] * half_height * aspect,
            toward[1] * half_height,
            0.0,
        );
        self.target += self.world_from_view_rotation() * under_pointer * (1.0 - factor);
        self.radius = radius;
    }
}

/// A central projection whose depth is 1 at the near plane and 0 at infinity.
fn perspective(fov_y_radians: f32, aspect: f32, near: f32) -> Mat4 {
    let focal = (0.5 * fov_y_radians).tan().recip();
    Mat4::from_cols(
        Vec4::new(focal / aspect, 0.0, 0.0, 0.0),
        Vec4::new(0.0, focal, 0.0, 0.0),
        Vec4::new(0.0, 0.0, 0.0, -1.0),
        Vec4::new(0.0, 0.0, near, 0.0),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn camera(azimuth: f32, polar: f32) -> OrbitCamera {
        OrbitCamera {
            target: Vec3::new(1.0, 2.0, 3.0),
            azimuth_radians: azimuth.to_radians(),
            polar_radians: polar.to_radians(),
            radius: 2.0,
            ..OrbitCamera::default()
        }
    }

    #[test]
    fn azimuth_0_looks_from_z_and_grows_towards_x() {
        let offset = |azimuth, polar| camera(azimuth, polar).eye() - Vec3::new(1.0, 2.0, 3.0);
        assert!(offset(0.0, 90.0).abs_diff_eq(Vec3::Z * 2.0, 1e-5));
        assert!(offset(90.0, 90.0).abs_diff_eq(Vec3::X * 2.0, 1e-5));
        assert!(offset(0.0, 0.0).abs_diff_eq(Vec3::Y * 2.0, 1e-5));
        assert!(offset(123.0, 180.0).abs_diff_eq(Vec3::Y * -2.0, 1e-5));
    }

    #[test]
    fn the_target_is_in_the_middle_and_depth_is_reversed() {
        let camera = camera(40.0, 60.0);
        let view = camera.view(1.5);
        let ndc = |point: Vec3| view.clip_from_world().project_point3(point);
        let middle = ndc(camera.target);
        assert!(middle.truncate().length() < 1e-5);
        let behind = camera.target + (camera.target - camera.eye());
        assert!(ndc(behind).z < middle.z && middle.z < 1.0);
    }

    #[test]
    fn rays_go_where_the_picture_shows_them() {
        let view = camera(40.0, 60.0).view(1.5);
        for at in [[0.0, 0.0], [0.7, -0.3], [-1.0, 1.0]] {
            let ray = view.ray(at);
            let point = ray.origin + ray.direction * 3.7;
            let ndc = view.clip_from_world().project_point3(point);
            let error = (ndc.x - at[0]).abs().max((ndc.y - at[1]).abs());
            assert!(error < 1e-5, "{at:?}: {ndc}");
        }
    }

    #[test]
    fn what_is_framed_is_inside_and_touches_the_margin() {
        let bounds = Aabb {
            min: Vec3::new(-3.0, 0.0, -0.5),
            max: Vec3::new(1.0, 2.0, 0.5),
        };
        for aspect in [0.3, 1.0, 2.5] {
            let corners: Vec<Vec3> = (0..8)
                .map(|corner| {
                    let upper = [0, 1, 2].map(|axis| f32::from(u8::from(corner >> axis & 1 == 1)));
                    bounds.min + (bounds.max - bounds.min) * Vec3::from(upper)
                })
                .collect();
            let mut camera = camera(25.0, 70.0);
            camera.frame(&bounds, corners.iter().copied(), aspect);
            let clip_from_world = camera.view(aspect).clip_from_world();
            let mut largest = 0.0_f32;
            for &corner in &corners {
                let ndc = clip_from_world.project_point3(corner);
                largest = largest.max(ndc.x.abs()).max(ndc.y.abs());
            }
            assert!((0.8..0.99).contains(&largest), "aspect {aspect}: {largest}");
        }
    }

    #[test]
    fn zoom_keeps_what_is_under_the_pointer() {
        let mut camera = camera(25.0, 70.0);
        let (aspect, toward) = (1.6, [0.5, -0.25]);
        let half_height = 0.5 * camera.height_at_target();
        let in_view = Vec3::new(
            toward[0] * half_height * aspect,
            toward[1] * half_height,
            0.0,
        );
        let point = camera.target + camera.world_from_view_rotation() * in_view;
        camera.zoom(3.0, toward, aspect, 2.0);
        let ndc = camera.view(aspect).clip_from_world().project_point3(point);
        assert!(
            (ndc.x - toward[0]).abs() < 1e-4 && (ndc.y - toward[1]).abs() < 1e-4,
            "{ndc}"
        );
    }

    #[test]
    fn a_model_without_a_size_can_be_zoomed() {
        for size in [0.0, f32::INFINITY] {
            let mut camera = camera(25.0, 70.0);
            camera.zoom(1.0, [0.0; 2], 1.0, size);
            assert_eq!(camera.radius, 2.0 * OrbitCamera::ZOOM_A_NOTCH);
        }
    }
}
