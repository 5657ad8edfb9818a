//! About how many pixels a primitive covers, one surface behind the other: what takes adapters most of their time, where very
//! much lies in one place.

use glam::{Affine3A, Mat4, Vec2, Vec4};

use crate::{
    model::{Aabb, Primitive, Topology},
    scene::{CameraView, is_out_of_sight},
};

/// Pixels of a triangle that a pixel along a line takes as long as.
pub(in crate::render) const PIXELS_A_LINE: f64 = 4.0;

/// Points beyond so many in a pixel take no more time than their vertices do.
const MAX_POINTS_A_PIXEL: f64 = 100.0;

/// How much there is of a primitive in its box.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::render) enum Coverage {
    /// How many walls would be as large as its triangles that go right through the box.
    Walls(f64),
    /// How many lines from corner to corner would be as long as its lines.
    Diagonals(f64),
    /// How many points there are.
    Points(f64),
}

impl Coverage {
    /// Of a primitive at rest: where it is deformed box and shapes grow alike.
    pub(in crate::render) fn of(primitive: &Primitive) -> Self {
        let positions = &primitive.vertices.positions;
        let at = |index: u32| positions[index as usize].as_dvec3();
        let Aabb { min, max } = primitive.rest_bounds;
        let size = (max - min).as_dvec3();
        let share = |of_shapes: f64, of_box: f64| {
            // Of a box that is nothing there is nothing to be seen.
            if of_box > 0.0 {
                of_shapes / of_box
            } else {
                0.0
            }
        };
        match primitive.topology {
            Topology::Triangles => {
                let triangles = primitive.indices.triangles();
                let doubled = triangles.map(|corners| {
                    let [a, b, c] = corners.map(at);
                    (b - a).cross(c - a).length()
                });
                // From wherever one looks at a box, one sees about a half of one side of it, and its other side.
                let walls = size.x * size.y + size.y * size.z + size.z * size.x;
                Self::Walls(share(0.5 * doubled.sum::<f64>(), walls))
            }
            Topology::Lines => {
                let indices: Vec<u32> = primitive.indices.iter().collect();
                let lines = indices.as_chunks().0.iter();
                let lengths = lines.map(|&[a, b]| at(a).distance(at(b)));
                Self::Diagonals(share(lengths.sum(), size.length()))
            }
            Topology::Points => Self::Points(primitive.indices.len() as f64),
        }
    }

    /// The pixels that it covers where its box covers a part of the picture this large.
    pub(in crate::render) fn pixels(self, covered: Vec2) -> f64 {
        let covered = covered.as_dvec2();
        match self {
            Self::Walls(walls) => walls * covered.x * covered.y,
            Self::Diagonals(lines) => lines * covered.length() * PIXELS_A_LINE,
            // Very many in few pixels: most lie behind others.
            Self::Points(points) => points.min(MAX_POINTS_A_PIXEL * covered.x * covered.y),
        }
    }
}

/// How wide and how high the part is that a box covers of a picture of so many pixels: all of it where it reaches behind the
/// eye.
pub(in crate::render) fn covered_by(
    bounds: &Aabb,
    world_from_bounds: &Affine3A,
    camera: &CameraView,
    size: [u32; 2],
) -> Vec2 {
    let size = Vec2::new(size[0] as f32, size[1] as f32);
    let clip_from_bounds = camera.clip_from(Mat4::from(*world_from_bounds));
    if is_out_of_sight(bounds, clip_from_bounds, Vec4::ZERO) {
        return Vec2::ZERO;
    }
    let (mut min, mut max) = (Vec2::MAX, Vec2::MIN);
    for corner in bounds.corners() {
        let corner = clip_from_bounds * corner.extend(1.0);
        let at = Vec2::new(corner.x, corner.y) / corner.w;
        if corner.w <= 0.0 || !at.is_finite() {
            return size;
        }
        (min, max) = (min.min(at), max.max(at));
    }
    let seen = max.min(Vec2::ONE) - min.max(Vec2::NEG_ONE);
    0.5 * seen.max(Vec2::ZERO) * size
}

/// Whether what covers so much of a picture is so near that others like it will cover less.
pub(in crate::render) fn is_close_by(covered: Vec2, size: [u32; 2]) -> bool {
    let picture = size[0] as f32 * size[1] as f32;
    4.0 * covered.x * covered.y >= picture
}

/// The mean of what many cover, by samples that are `step` apart: whether each is close by, and its pixels. A few that are close
/// by stand for themselves alone: of a field the camera is beside one or two.
pub(in crate::render) fn mean_of_samples(
    samples: impl Iterator<Item = (bool, f64)>,
    step: usize,
) -> f64 {
    let (mut pixels, mut count) = ([0.0; 2], [0.0; 2]);
    for (is_close, covered) in samples {
        pixels[usize::from(is_close)] += covered;
        count[usize::from(is_close)] += 1.0;
    }
    let [far, close] = pixels;
    let all = f64::max(count[0] + count[1], 1.0);
    let weight = if 4.0 * count[1] <= all {
        1.0 / step.max(1) as f64
    } else {
        1.0
    };
    (far + weight * close) / all
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::{
        model::{Indices, Vertices},
        scene::OrbitCamera,
    };

    fn primitive(topology: Topology, indices: &[u16]) -> Primitive {
        let positions = vec![Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Y];
        Primitive {
            topology,
            indices: Indices::Short(indices.to_vec()),
            rest_bounds: Aabb::of_points(positions.iter().copied()),
            vertices: Vertices {
                positions,
                ..Vertices::default()
            },
            ..Primitive::default()
        }
    }

    #[test]
    fn what_lies_one_behind_the_other_covers_as_much_as_there_are() {
        let quads = primitive(Topology::Triangles, &[0, 1, 2, 0, 2, 3].repeat(50));
        assert_eq!(Coverage::of(&quads), Coverage::Walls(50.0));
        let lines = primitive(Topology::Lines, &[0, 2].repeat(50));
        let Coverage::Diagonals(lines) = Coverage::of(&lines) else {
            panic!("they are lines")
        };
        assert!((lines - 50.0).abs() < 1e-9);
        let points = primitive(Topology::Points, &[3; 50]);
        assert_eq!(Coverage::of(&points), Coverage::Points(50.0));
        let nothing = primitive(Topology::Triangles, &[0, 0, 0]);
        assert_eq!(Coverage::of(&nothing), Coverage::Walls(0.0));
        assert_eq!(Coverage::Walls(50.0).pixels(Vec2::new(4.0, 2.0)), 400.0);
    }

    /// Of 40,000 cubes on a field one is beside the camera.
    #[test]
    fn a_few_close_by_stand_for_themselves() {
        let samples = |close: usize| {
            (0..32).map(move |it| (it < close, 10.0 + 1e6 * f64::from(u8::from(it < close))))
        };
        assert_eq!(mean_of_samples(samples(0), 1250), 10.0);
        let one = mean_of_samples(samples(1), 1250);
        assert!((10.0..50.0).contains(&one), "{one}");
        assert!(mean_of_samples(samples(16), 1250) > 4e5);
        assert!(mean_of_samples(samples(1), 1) > 3e4, "all were looked at");
        assert_eq!(mean_of_samples(samples(0).take(0), 1), 0.0);
        assert!(is_close_by(Vec2::new(100.0, 50.0), [200, 100]));
        assert!(!is_close_by(Vec2::new(99.0, 50.0), [200, 100]));
    }

    #[test]
    fn a_box_covers_what_is_seen_of_it() {
        let camera = OrbitCamera::default();
        let view = camera.view(2.0);
        let size = [200, 100];
        let of = |scale: f32, away: f32| {
            let unit = Aabb {
                min: Vec3::splat(-0.5),
                max: Vec3::splat(0.5),
            };
            let middle = view.eye - view.backward() * away;
            let place = Affine3A::from_scale_rotation_translation(
                Vec3::splat(scale),
                glam::Quat::IDENTITY,
                middle,
            );
            covered_by(&unit, &place, &view, size)
        };
        assert_eq!(of(0.1, -5.0), Vec2::ZERO, "behind the eye");
        assert_eq!(of(100.0, 1.0), Vec2::new(200.0, 100.0), "around the eye");
        let (near, far) = (of(0.1, 10.0), of(0.1, 20.0));
        assert!(near.x > 0.0 && near.y < 20.0, "{near}");
        assert!(
            (near / far - 2.0).abs().max_element() < 0.1,
            "{near}, {far}"
        );
    }
}
