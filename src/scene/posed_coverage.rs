//! About how many pixels a primitive covers that joints or morph targets deform: not what it covers at rest. Some of its shapes
//! are posed, here as in shaders, and the others will be like them.

use glam::{Vec2, Vec3};

use super::CameraView;
use crate::{
    anim::{InstanceRecord, Palette, skinning::for_each_posed_of},
    model::{Primitive, Topology},
};

/// Corners that a shape has at most.
const CORNERS: usize = 3;

/// How the shapes of a primitive are looked at.
#[derive(Debug, Clone, Copy)]
pub struct ShapeSamples {
    /// How many of them are posed.
    pub count: usize,
    /// What a pixel along a line counts as.
    pub pixels_a_line: f64,
}

/// The pixels that a primitive covers in a picture of this size where `record` places and deforms it, about; none for points,
/// each of which covers as many wherever it is.
pub fn posed_pixels(
    primitive: &Primitive,
    palette: &Palette,
    record: &InstanceRecord,
    is_skinned: bool,
    camera: &CameraView,
    size: [u32; 2],
    samples: ShapeSamples,
) -> Option<f64> {
    let (corners, pixels_each) = match primitive.topology {
        Topology::Points => return None,
        Topology::Lines => (2, samples.pixels_a_line),
        Topology::Triangles => (3, 1.0),
    };
    let count = primitive.indices.len() / corners;
    let pixels_of = |shape: usize| {
        let index = |corner| primitive.indices.get(corners * shape + corner);
        let vertices = (0..corners).map(|corner| index(corner).unwrap_or_default() as usize);
        let mut posed = [Vec3::ZERO; CORNERS];
        let mut free = posed.iter_mut();
        for_each_posed_of(vertices, primitive, palette, record, is_skinned, |at| {
            if let Some(free) = free.next() {
                *free = at;
            }
        });
        shape_pixels(&posed[..corners], camera, size)
    };
    let samples = count.min(samples.count);
    let shapes = (0..samples).map(|sample| place_of(sample, samples, count));
    let covered: f64 = shapes.map(pixels_of).sum();
    Some(pixels_each * covered / samples.max(1) as f64 * count as f64)
}

/// Which shape a sample is: one anywhere in each of as many parts of about one length, so that no order of shapes hides from all
/// samples.
fn place_of(sample: usize, samples: usize, count: usize) -> usize {
    let first = sample * count / samples;
    let part = (sample + 1) * count / samples - first;
    // The golden section of 32 bits.
    let anywhere = (sample as u32 + 1).wrapping_mul(0x9e37_79b9) as usize;
    first + anywhere % part.max(1)
}

/// The pixels of a triangle, or the length of a line: all of the picture where it reaches behind the eye and may be seen.
fn shape_pixels(corners: &[Vec3], camera: &CameraView, [width, height]: [u32; 2]) -> f64 {
    let size = Vec2::new(width as f32, height as f32);
    let (mut is_behind, mut places) = (false, [Vec2::ZERO; CORNERS]);
    // On which sides of what is seen all corners lie, also behind the eye; the last one is behind it.
    let mut is_beside = [true; 5];
    for (place, corner) in places.iter_mut().zip(corners) {
        let corner = camera.to_clip(*corner);
        let beside = [corner.x, -corner.x, corner.y, -corner.y].map(|at| at > corner.w);
        let beside = beside.into_iter().chain([corner.w <= 0.0]);
        for (all, this) in is_beside.iter_mut().zip(beside) {
            *all &= this;
        }
        *place = Vec2::new(corner.x, corner.y) / corner.w;
        is_behind |= corner.w.is_nan() || corner.w <= 0.0 || !place.is_finite();
    }
    if is_beside.contains(&true) {
        return 0.0;
    }
    let all = f64::from(width) * f64::from(height);
    if is_behind {
        return all;
    }
    let places = &places[..corners.len()];
    let min = places.iter().copied().reduce(Vec2::min).unwrap_or_default();
    let max = places.iter().copied().reduce(Vec2::max).unwrap_or_default();
    let seen = 0.5 * (max.min(Vec2::ONE) - min.max(Vec2::NEG_ONE)).max(Vec2::ZERO) * size;
    let seen = seen.as_dvec2();
    match places {
        // Of its box in the picture it covers a half at most, and no more than it is.
        &[a, b, c] => {
            let area = 0.125 * f64::from((b - a).perp_dot(c - a).abs()) * all;
            area.min(seen.x * seen.y)
        }
        _ => seen.length(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::OrbitCamera;

    #[test]
    fn samples_lie_in_all_parts() {
        for (samples, count) in [
            (16, 16),
            (16, 17),
            (16, 31),
            (3, 3),
            (16, 123_456),
            (4096, 8191),
        ] {
            let places: Vec<_> = (0..samples)
                .map(|sample| place_of(sample, samples, count))
                .collect();
            assert!(places.is_sorted() && places[samples - 1] < count);
            // None of so many in a row is without one.
            let longest = 2 * count.div_ceil(samples);
            let gaps = places.windows(2).map(|pair| pair[1] - pair[0]);
            assert!(gaps.max().unwrap() <= longest && places[0] <= longest);
            assert!(
                count - places[samples - 1] <= longest,
                "{samples} of {count}"
            );
        }
    }

    #[test]
    fn shapes_cover_what_is_seen_of_them() {
        let camera = OrbitCamera {
            radius: 10.0,
            ..OrbitCamera::default()
        };
        let view = camera.view(1.0);
        let size = [100, 100];
        let of = |corners: &[Vec3]| shape_pixels(corners, &view, size);
        let ahead = |x: f32, y: f32, far: f32| {
            let to_world = view.view_from_world.inverse();
            to_world.transform_point3(Vec3::new(x * far, y * far, -far))
        };
        let small = of(&[
            ahead(0.0, 0.0, 5.0),
            ahead(0.1, 0.0, 5.0),
            ahead(0.0, 0.1, 5.0),
        ]);
        let far = of(&[
            ahead(0.0, 0.0, 9.0),
            ahead(0.1, 0.0, 9.0),
            ahead(0.0, 0.1, 9.0),
        ]);
        assert!(
            small > 1.0 && (small - far).abs() < 0.01 * small,
            "{small} {far}"
        );
        let four = of(&[
            ahead(0.0, 0.0, 5.0),
            ahead(0.2, 0.0, 5.0),
            ahead(0.0, 0.2, 5.0),
        ]);
        assert!((four / small - 4.0).abs() < 0.01, "{four} {small}");
        let huge = of(&[
            ahead(-90.0, -90.0, 5.0),
            ahead(90.0, -90.0, 5.0),
            ahead(0.0, 90.0, 5.0),
        ]);
        assert_eq!(huge, 10_000.0);
        let beside = of(&[
            ahead(50.0, 0.0, 5.0),
            ahead(51.0, 0.0, 5.0),
            ahead(50.0, 1.0, 5.0),
        ]);
        assert_eq!(beside, 0.0);
        // A floor runs below the eye from before it to behind it.
        let below = [
            ahead(0.0, -9.0, 0.1),
            ahead(0.1, -9.0, 0.1),
            ahead(0.0, 9.0, -0.1),
        ];
        assert_eq!(of(&below), 0.0);
        let behind = [
            ahead(0.0, 0.0, -5.0),
            ahead(0.1, 0.0, -5.0),
            ahead(0.0, 0.1, -5.0),
        ];
        assert_eq!(of(&behind), 0.0);
        let wall = [
            ahead(-9.0, -9.0, -5.0),
            ahead(9.0, -9.0, -5.0),
            ahead(0.0, 9.0, -5.0),
        ];
        assert_eq!(of(&wall), 0.0);
        assert_eq!(of(&[behind[0], behind[1], ahead(0.0, 0.0, 5.0)]), 10_000.0);
    }
}
