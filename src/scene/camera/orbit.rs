//! A camera that orbits a point, and how hands move it.

use glam::{Affine3A, EulerRot, Quat, Vec3};

use super::{CameraView, Extent, infinite_perspective, parallel};
use crate::model::{Aabb, Facing};

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
    /// 0 is central projection, 1 parallel projection. Between them the eye stands farther away behind a longer lens, so
    /// that what is at the target keeps its size: one goes over into the other without a jump.
    pub flatness: f32,
    /// How far the camera is turned about the way it looks: 0 has the world's +Y upward. Only cameras of files have any.
    pub roll_radians: f32,
}

/// From where the six usual views look: at the front from the side that the model looks to, which [`Facing`] says; so
/// left and right are its own, and from above and below its front is at the lower and the upper edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// From +Z for a model that looks there, as glTF has it (glTF 2.0 §3.4).
    Front,
    /// From −Z for such a model.
    Back,
    /// From where its left hand is: +X for such a model.
    Left,
    /// From −X for such a model.
    Right,
    /// From +Y.
    Top,
    /// From −Y.
    Bottom,
}

impl Side {
    /// All six, in the order of their keys.
    pub const ALL: [Self; 6] = [
        Self::Front,
        Self::Back,
        Self::Left,
        Self::Right,
        Self::Top,
        Self::Bottom,
    ];

    /// Its name in the window.
    pub fn label(self) -> &'static str {
        match self {
            Self::Front => "Front",
            Self::Back => "Back",
            Self::Left => "Left",
            Self::Right => "Right",
            Self::Top => "Top",
            Self::Bottom => "Bottom",
        }
    }

    /// Towards the one who looks from there at a model that looks so.
    pub fn direction(self, facing: Facing) -> Vec3 {
        let of_plus_z = match self {
            Self::Front => Vec3::Z,
            Self::Back => Vec3::NEG_Z,
            Self::Left => Vec3::X,
            Self::Right => Vec3::NEG_X,
            Self::Top => Vec3::Y,
            Self::Bottom => Vec3::NEG_Y,
        };
        match facing {
            Facing::PlusZ => of_plus_z,
            Facing::MinusZ => of_plus_z * Vec3::new(-1.0, 1.0, -1.0),
        }
    }

    /// The one that lies across.
    #[must_use]
    pub fn opposite(self) -> Self {
        match self {
            Self::Front => Self::Back,
            Self::Back => Self::Front,
            Self::Left => Self::Right,
            Self::Right => Self::Left,
            Self::Top => Self::Bottom,
            Self::Bottom => Self::Top,
        }
    }

    /// Azimuth and polar angle for a model that looks towards +Z.
    fn angles_radians(self) -> [f32; 2] {
        let degrees = match self {
            Self::Front => [0.0, 90.0],
            Self::Back => [180.0, 90.0],
            Self::Left => [90.0, 90.0],
            Self::Right => [270.0, 90.0],
            Self::Top => [0.0, 0.0],
            Self::Bottom => [0.0, 180.0],
        };
        degrees.map(f32::to_radians)
    }
}

impl Default for OrbitCamera {
    fn default() -> Self {
        Self {
            target: Vec3::ZERO,
            azimuth_radians: f32::to_radians(30.0),
            polar_radians: f32::to_radians(78.0),
            radius: 4.0,
            fov_y_radians: f32::to_radians(35.0),
            flatness: 0.0,
            roll_radians: 0.0,
        }
    }
}

impl OrbitCamera {
    /// Room left around what is framed.
    pub(super) const FRAME_MARGIN: f32 = 1.15;
    /// From this on projection is parallel: a picture of a thousand pixels then changes by one at most.
    const FLAT: f32 = 0.998;
    /// A turn of the whole viewport's height, in radians.
    const RADIANS_A_HEIGHT: f32 = std::f32::consts::PI;
    /// What a notch of the wheel leaves of the distance.
    const ZOOM_A_NOTCH: f32 = 0.88;
    /// How many times its size a model may be away: some pixels are still seen of it.
    const FARTHEST_OF_SIZE: f32 = 100.0;

    /// How the view is turned in the world.
    pub fn world_from_view_rotation(&self) -> Quat {
        Quat::from_rotation_y(self.azimuth_radians)
            * Quat::from_rotation_x(self.polar_radians - std::f32::consts::FRAC_PI_2)
            * Quat::from_rotation_z(self.roll_radians)
    }

    /// Turns the camera, where it stands, to look as this rotation says.
    pub fn set_rotation(&mut self, world_from_view: Quat) {
        let (azimuth, pitch, roll) = world_from_view.to_euler(EulerRot::YXZ);
        self.azimuth_radians = azimuth.rem_euclid(std::f32::consts::TAU);
        self.polar_radians = pitch + std::f32::consts::FRAC_PI_2;
        self.roll_radians = roll;
    }

    /// Whether rays run side by side.
    pub fn is_parallel(&self) -> bool {
        self.flatness >= Self::FLAT
    }

    /// The eye in the world: of a parallel projection where that of a central one would be.
    pub fn eye(&self) -> Vec3 {
        let nearness = if self.is_parallel() {
            1.0
        } else {
            1.0 - self.flatness
        };
        let in_view = Vec3::new(0.0, 0.0, self.radius / nearness);
        self.target + self.world_from_view_rotation() * in_view
    }

    /// The matrices for a viewport of `aspect` (width over height), where nothing is known of what is to be seen.
    pub fn view(&self, aspect: f32) -> CameraView {
        self.view_of(aspect, &Extent::default())
    }

    /// The matrices for a viewport of `aspect` (width over height) that shows all of `scene`, as far as it lies in front
    /// of the eye. The near plane does not cut it: it is nearer than the model, or, with the eye in the model's box, at a
    /// ten-thousandth of its size.
    pub fn view_of(&self, aspect: f32, scene: &Extent) -> CameraView {
        let aspect = aspect.max(1e-3);
        let rotation = self.world_from_view_rotation();
        let backward = rotation * Vec3::Z;
        let (eye, clip_from_view) = if self.is_parallel() {
            // All of the scene must lie between the planes, and what it is not told of with some luck.
            let toward = scene.reach_along(self.target, backward).max(self.radius);
            let away = scene.reach_along(self.target, -backward).max(self.radius);
            let spare = 0.5 * (toward + away);
            let half_height = 0.5 * self.height_at_target();
            let half_size = [half_height * aspect, half_height];
            let far = toward + away + 2.0 * spare;
            let eye = self.target + backward * (toward + spare);
            (eye, parallel(half_size, 0.0, far))
        } else {
            let eye = self.eye();
            let tan = (0.5 * self.fov_y_radians).tan() * (1.0 - self.flatness);
            let near = scene.near(eye, self.radius);
            (eye, infinite_perspective(tan, aspect, near))
        };
        let world_from_view = Affine3A::from_rotation_translation(rotation, eye);
        CameraView {
            view_from_world: world_from_view.inverse(),
            clip_from_view,
            eye,
            environment_fov_y_radians: self.fov_y_radians,
            aspect,
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
        let is_parallel = self.is_parallel();
        let mut radius = 0.0_f32;
        for point in points.filter(|point| point.is_finite()) {
            let point = view_from_world * (point - self.target);
            // In parallel projection what is nearer is not larger.
            let nearer = if is_parallel { 0.0 } else { point.z };
            radius = radius.max(nearer + (point.x.abs() / tan_x).max(point.y.abs() / tan_y));
        }
        // A model of one point is seen from a distance at which its surroundings make sense.
        self.radius = if radius > 0.0 {
            radius * Self::FRAME_MARGIN
        } else {
            1.0
        };
    }

    /// The camera that a model which looks so is first seen by: from the front, a little from its left and from above.
    #[must_use]
    pub fn first_of(facing: Facing) -> Self {
        let usual = Self::default();
        Self {
            azimuth_radians: usual.azimuth_radians + facing.turn_radians(),
            ..usual
        }
    }

    /// Looks from a side of a model that looks so, upright.
    pub fn look_from(&mut self, side: Side, facing: Facing) {
        let [azimuth, polar] = side.angles_radians();
        let azimuth = azimuth + facing.turn_radians();
        self.azimuth_radians = azimuth.rem_euclid(std::f32::consts::TAU);
        self.polar_radians = polar;
        self.roll_radians = 0.0;
    }

    /// The side that it looks from at a model that looks so, if it is one of the six.
    pub fn side(&self, facing: Facing) -> Option<Side> {
        let backward = self.world_from_view_rotation() * Vec3::Z;
        let mut sides = Side::ALL.into_iter();
        sides.find(|side| side.direction(facing).dot(backward) > 0.999_99)
    }

    /// A camera between this one (0) and `other` (1): angles go the shorter way, sizes in equal ratios.
    #[must_use]
    pub fn between(&self, other: &Self, part: f32) -> Self {
        let mix = |a: f32, b: f32| a + (b - a) * part;
        let turn = |a: f32, b: f32| {
            let half = std::f32::consts::PI;
            let way = (b - a + half).rem_euclid(2.0 * half) - half;
            a + way * part
        };
        Self {
            target: self.target.lerp(other.target, part),
            azimuth_radians: turn(self.azimuth_radians, other.azimuth_radians),
            polar_radians: mix(self.polar_radians, other.polar_radians),
            radius: self.radius * (other.radius / self.radius).powf(part),
            fov_y_radians: mix(self.fov_y_radians, other.fov_y_radians),
            flatness: mix(self.flatness, other.flatness),
            roll_radians: turn(self.roll_radians, other.roll_radians),
        }
    }

    /// Turns the head where it is; fractions of the viewport's height that the pointer moved. What the pointer moves
    /// towards comes into the picture.
    pub fn look_around(&mut self, right: f32, down: f32) {
        let eye = self.eye();
        self.azimuth_radians =
            (self.azimuth_radians - right * self.fov_y_radians).rem_euclid(std::f32::consts::TAU);
        self.polar_radians =
            (self.polar_radians - down * self.fov_y_radians).clamp(0.0, std::f32::consts::PI);
        self.target += eye - self.eye();
    }

    /// Takes what lies at this depth for the target, which is turned around and moved towards: what is seen stays the same,
    /// but in a parallel projection.
    pub fn focus(&mut self, depth: f32) {
        let eye = self.eye();
        self.radius = depth;
        self.target += eye - self.eye();
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
    pub fn height_at_target(&self) -> f32 {
        2.0 * self.radius * (0.5 * self.fov_y_radians).tan()
    }

    /// Moves sideways, so that what was under the pointer stays there; fractions of the viewport's height.
    pub fn pan(&mut self, right: f32, down: f32) {
        let offset_in_view = Vec3::new(-right, down, 0.0) * self.height_at_target();
        self.target += self.world_from_view_rotation() * offset_in_view;
    }

    /// Moves nearer by `notches`, keeping in place what lies at `toward` (−1..1 from the viewport's centre, right and
    /// up) at the target's distance. `model_size` bounds the distance: to what floats can hold, and to where something is
    /// still seen of the model.
    pub fn zoom(&mut self, notches: f32, toward: [f32; 2], aspect: f32, model_size: f32) {
        let factor = Self::ZOOM_A_NOTCH.powf(notches.clamp(-50.0, 50.0));
        // A model of one point, or none, says nothing about distances: then 1 is as good as any.
        let has_size = model_size > 0.0 && model_size.is_finite();
        let size = if has_size { model_size.max(1e-12) } else { 1.0 };
        let farthest = (size * Self::FARTHEST_OF_SIZE).max(self.radius);
        let radius = (self.radius * factor).clamp(size * 1e-4, farthest);
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
    fn what_is_framed_is_inside_and_touches_the_margin() {
        let bounds = Aabb {
            min: Vec3::new(-3.0, 0.0, -0.5),
            max: Vec3::new(1.0, 2.0, 0.5),
        };
        for (aspect, flatness) in [(0.3, 0.0), (1.0, 0.0), (2.5, 0.0), (0.4, 1.0), (2.0, 1.0)] {
            let corners: Vec<Vec3> = (0..8)
                .map(|corner| {
                    let upper = [0, 1, 2].map(|axis| f32::from(u8::from(corner >> axis & 1 == 1)));
                    bounds.min + (bounds.max - bounds.min) * Vec3::from(upper)
                })
                .collect();
            let mut camera = OrbitCamera {
                flatness,
                ..camera(25.0, 70.0)
            };
            camera.frame(&bounds, corners.iter().copied(), aspect);
            let view = camera.view(aspect);
            let mut largest = 0.0_f32;
            for &corner in &corners {
                let ndc = view.project(corner);
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
        let ndc = camera.view(aspect).project(point);
        assert!(
            (ndc.x - toward[0]).abs() < 1e-4 && (ndc.y - toward[1]).abs() < 1e-4,
            "{ndc}"
        );
    }

    #[test]
    fn focus_moves_the_target_and_not_the_eye() {
        let mut camera = camera(25.0, 70.0);
        let (eye, backward) = (camera.eye(), camera.world_from_view_rotation() * Vec3::Z);
        camera.focus(0.25);
        assert!(camera.eye().abs_diff_eq(eye, 1e-6));
        assert!(camera.target.abs_diff_eq(eye - 0.25 * backward, 1e-6));
    }

    #[test]
    fn zoom_ends_where_little_is_seen() {
        let mut camera = camera(25.0, 70.0);
        for _ in 0..100 {
            camera.zoom(-10.0, [0.0; 2], 1.0, 2.0);
        }
        assert_eq!(camera.radius, 2.0 * OrbitCamera::FARTHEST_OF_SIZE);
        // Who is farther away already is not pulled in.
        camera.radius = 1e4;
        camera.zoom(-1.0, [0.0; 2], 1.0, 2.0);
        assert_eq!(camera.radius, 1e4);
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
