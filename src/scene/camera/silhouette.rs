//! Where a camera must stand that sees all of something in the middle of its picture, and not only the middle of its box.

use glam::{Quat, Vec3};

use super::OrbitCamera;

/// One over the parts of the picture that points are measured against. By the one that they fill, what is nearer counts for as
/// much more as it is seen larger.
const PARTS: [f32; 4] = [1.0, 2.0, 4.0, 8.0];

/// How far points reach to the four sides of the picture, seen from one side.
#[derive(Debug, Clone, Copy)]
pub struct Silhouette {
    /// Its target is where distances are told from.
    camera: OrbitCamera,
    view_from_world: Quat,
    /// Half the width and height of what is filled at a distance of 1.
    tans: [f32; 2],
    /// To the right and left, then up and down: how far away an eye on the axis must be to have all in each of [`PARTS`].
    reaches: [[[f32; 2]; PARTS.len()]; 2],
    /// How far the nearest point is before the target; 0 in parallel projection.
    nearest: f32,
}

impl Silhouette {
    /// Of nothing yet, for a camera that looks at about its middle, and a picture of `aspect` (width over height).
    pub fn new(camera: OrbitCamera, aspect: f32) -> Self {
        let tan = (0.5 * camera.fov_y_radians).tan() / OrbitCamera::FRAME_MARGIN;
        Self {
            camera,
            view_from_world: camera.world_from_view_rotation().inverse(),
            tans: [tan * aspect.max(1e-3), tan],
            reaches: [[[f32::NEG_INFINITY; 2]; PARTS.len()]; 2],
            nearest: f32::NEG_INFINITY,
        }
    }

    /// Adds a point, unless it is nowhere.
    pub fn add(&mut self, point: Vec3) {
        if !point.is_finite() {
            return;
        }
        let point = self.view_from_world * (point - self.camera.target);
        // In parallel projection what is nearer is not larger.
        let nearer = if self.camera.is_parallel() {
            0.0
        } else {
            point.z
        };
        self.nearest = self.nearest.max(nearer);
        let places = [point.x, point.y];
        for ((reaches, place), tan) in self.reaches.iter_mut().zip(places).zip(self.tans) {
            for (reach, part) in reaches.iter_mut().zip(PARTS) {
                let away = place * part / tan;
                *reach = [reach[0].max(nearer + away), reach[1].max(nearer - away)];
            }
        }
    }

    /// The camera that sees all of it in the middle of the picture, and some room around it; from `radius` away, if that is
    /// given. Without points it stays as it was.
    #[must_use]
    pub fn framed(&self, radius: Option<f32>) -> OrbitCamera {
        let mut camera = self.camera;
        let away = |[right, left]: [f32; 2]| 0.5 * (right + left);
        let needed = self.reaches.map(|reaches| away(reaches[0]));
        // What lies along the axis fills nothing: the eye stands before it all the same.
        let nearest = OrbitCamera::FRAME_MARGIN * self.nearest;
        let needed = needed[0].max(needed[1]).max(nearest);
        if !needed.is_finite() {
            return camera;
        }
        // A model of one point is seen from a distance at which its surroundings make sense.
        camera.radius = radius.unwrap_or(if needed > 0.0 { needed } else { 1.0 });
        let radius = camera.radius;
        let off = |reaches: [[f32; 2]; PARTS.len()], tan: f32| {
            let ends = reaches.into_iter().zip(PARTS);
            let mut found = 0.0;
            for ((before, part), (after, next_part)) in ends.clone().zip(ends.skip(1)) {
                let [nearer, farther] = [before, after].map(away);
                if part > PARTS[0] && radius < nearer {
                    break;
                }
                let span = farther - nearer;
                let share = if span > 0.0 {
                    (radius - nearer) / span
                } else {
                    0.0
                };
                let between = |a: f32, b: f32| a + (b - a) * share.clamp(0.0, 1.0);
                let [right, left] = [0, 1].map(|side: usize| between(before[side], after[side]));
                found = 0.5 * (right - left) * tan / between(part, next_part);
            }
            found
        };
        let [x, y] = [0, 1].map(|axis: usize| off(self.reaches[axis], self.tans[axis]));
        camera.target += camera.world_from_view_rotation() * Vec3::new(x, y, 0.0);
        camera
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Near on one side and far on the other, so that the middle of the box is not that of the picture.
    #[test]
    fn what_is_framed_is_in_the_middle_of_the_picture() {
        let corners = [
            Vec3::new(-1.0, -0.3, 1.5),
            Vec3::new(-0.8, 0.4, 1.5),
            Vec3::new(1.0, -0.2, -1.5),
            Vec3::new(0.9, 0.9, -1.0),
        ];
        for (aspect, flatness) in [(0.4, 0.0), (1.0, 0.0), (2.5, 0.0), (0.5, 1.0), (2.0, 1.0)] {
            for place in [Vec3::ZERO, Vec3::new(30.0, -4.0, 7.0)] {
                let camera = OrbitCamera {
                    target: place,
                    flatness,
                    ..OrbitCamera::default()
                };
                let mut silhouette = Silhouette::new(camera, aspect);
                for corner in corners {
                    silhouette.add(place + corner);
                }
                silhouette.add(Vec3::NAN);
                let view = silhouette.framed(None).view(aspect);
                let seen = corners.map(|corner| view.project(place + corner).truncate());
                let least = seen.into_iter().reduce(glam::Vec2::min).unwrap();
                let most = seen.into_iter().reduce(glam::Vec2::max).unwrap();
                let off = 0.5 * (least + most);
                assert!(off.abs().max_element() < 0.05, "aspect {aspect}: {off} off");
                let filled = most.max_element();
                assert!((0.8..0.9).contains(&filled), "aspect {aspect}: {filled}");
            }
        }
    }

    #[test]
    fn from_a_given_distance_the_middle_is_found_too() {
        let mut silhouette = Silhouette::new(OrbitCamera::default(), 1.0);
        let ends = [Vec3::new(-0.2, 0.0, 1.0), Vec3::new(0.6, 0.0, -1.0)];
        for end in ends {
            silhouette.add(end);
        }
        let camera = silhouette.framed(Some(6.0));
        assert_eq!(camera.radius, 6.0);
        let seen = ends.map(|end| camera.view(1.0).project(end));
        assert!((seen[0].x + seen[1].x).abs() < 0.05, "{seen:?}");
    }

    #[test]
    fn the_eye_stands_before_what_lies_along_its_axis() {
        let camera = OrbitCamera {
            target: Vec3::ZERO,
            azimuth_radians: 0.0,
            polar_radians: std::f32::consts::FRAC_PI_2,
            ..OrbitCamera::default()
        };
        let mut silhouette = Silhouette::new(camera, 1.0);
        for end in [Vec3::Z, Vec3::NEG_Z] {
            silhouette.add(end);
        }
        let radius = silhouette.framed(None).radius;
        assert!((1.1..1.3).contains(&radius), "{radius}");
    }

    #[test]
    fn nothing_and_a_point_are_seen_from_somewhere() {
        let nothing = Silhouette::new(OrbitCamera::default(), 1.0);
        assert_eq!(nothing.framed(None), OrbitCamera::default());
        let mut point = nothing;
        point.add(Vec3::ZERO);
        let framed = point.framed(None);
        assert_eq!((framed.radius, framed.target), (1.0, Vec3::ZERO));
    }
}
