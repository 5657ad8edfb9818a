//! What triangles say at their corners, of many corners at once: the directions of u and v in the plane of the normal there,
//! and the angle of the triangle, seen along the normal.

use std::f64::consts::{FRAC_PI_2, PI};

use fearless_simd::{Level, Simd, dispatch};
use glam::Vec3;

use super::lanes::{LANES, StoredNumbers, StoredVectors, Vectors};

/// What is asked.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Corner {
    pub normal: Vec3,
    /// Where u and v grow on the triangle.
    pub along: [Vec3; 2],
    /// The edges from the corner to the next one and to the last.
    pub edges: [Vec3; 2],
}

/// What comes out.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Seen {
    /// The directions of u and v in the plane of the normal; zero where there is none.
    pub along: [Vec3; 2],
    /// In radians.
    pub angle: f32,
}

/// Puts what corners say behind what others said, in their order.
pub(super) fn see(level: Level, corners: &[Corner], seen: &mut Vec<Seen>) {
    dispatch!(level, simd => see_at(simd, corners, seen));
}

#[inline(always)]
fn see_at<S: Simd>(simd: S, corners: &[Corner], seen: &mut Vec<Seen>) {
    let (eights, rest) = corners.as_chunks();
    for eight in eights {
        seen.extend_from_slice(&see_eight(simd, eight));
    }
    if !rest.is_empty() {
        let mut last = [Corner::default(); LANES];
        last.iter_mut().zip(rest).for_each(|(slot, it)| *slot = *it);
        seen.extend(see_eight(simd, &last).into_iter().take(rest.len()));
    }
}

#[inline(always)]
fn see_eight<S: Simd>(simd: S, corners: &[Corner; LANES]) -> [Seen; LANES] {
    let normals = Vectors::load(simd, &StoredVectors::of(corners, |it| it.normal));
    let mut u = StoredVectors::of(corners, |it| it.along[0]);
    let mut v = StoredVectors::of(corners, |it| it.along[1]);
    Vectors::load(simd, &u)
        .in_plane(simd, normals)
        .store(&mut u);
    Vectors::load(simd, &v)
        .in_plane(simd, normals)
        .store(&mut v);
    let next = StoredVectors::of(corners, |it| it.edges[0]);
    let last = StoredVectors::of(corners, |it| it.edges[1]);
    let next = Vectors::load(simd, &next).in_plane(simd, normals);
    let last = Vectors::load(simd, &last).in_plane(simd, normals);
    let mut cosines: StoredNumbers = next.dot(last).into();
    let mut angles = [0.0; LANES];
    for (angle, cosine) in angles.iter_mut().zip(&mut cosines) {
        *cosine = cosine.clamp(-1.0, 1.0);
        *angle = almost_acos(f64::from(*cosine));
    }
    let mut seen = [Seen::default(); LANES];
    let directions = u.vectors().zip(v.vectors());
    let angles = cosines.iter().zip(&angles);
    for (seen, ((u, v), (cosine, angle))) in seen.iter_mut().zip(directions.zip(angles)) {
        *seen = Seen {
            along: [u, v],
            angle: rounded(*cosine, *angle),
        };
    }
    seen
}

/// How far [`almost_acos`] may be off, for 1 of what it gives: more than twice what it is.
const OFF: f64 = 4e-15;

/// The angle of a cosine in −1..1, without a branch, so that compilers find the angles of many at once.
///
/// Up to an angle of a sixth of a turn its half has a small sine, s² = (1 − cos) / 2; around a quarter of a turn the cosine
/// is the sine of what is missing. For s² up to ¼, asin s = s + s·s²·p(s²) with the polynomial of degree 10 that Chebyshev
/// nodes give, which is at most 1e−15 of the angle off.
#[inline(always)]
#[allow(
    clippy::arithmetic_side_effects,
    reason = "floats do not overflow into anything worse than infinity"
)]
fn almost_acos(cosine: f64) -> f64 {
    const POLYNOMIAL: [f64; 11] = [
        0.027_871_289_137_110_143,
        -0.006_822_043_980_671_263,
        0.015_445_133_336_819_308,
        0.010_289_641_123_624_9,
        0.014_140_941_807_431_192,
        0.017_337_192_543_712_077,
        0.022_373_010_066_676_288,
        0.030_381_917_485_400_308,
        0.044_642_857_578_717_755,
        0.074_999_999_997_263_02,
        0.166_666_666_666_669_5,
    ];
    let size = cosine.abs();
    let is_far = size <= 0.5;
    let squared = if is_far {
        size * size
    } else {
        0.5 - 0.5 * size
    };
    let sine = if is_far { size } else { squared.sqrt() };
    let mut sum = 0.0;
    for coefficient in POLYNOMIAL {
        sum = sum * squared + coefficient;
    }
    let asin = sine + sine * squared * sum;
    let (start, turned) = if is_far {
        (FRAC_PI_2, -asin)
    } else {
        (0.0, 2.0 * asin)
    };
    let angle = start + turned;
    if cosine < 0.0 { PI - angle } else { angle }
}

/// The angle that double precision gives, rounded to single precision as the reference does. What is almost right is enough
/// where all that is as near is rounded to the same (A. Ziv, "Fast evaluation of elementary mathematical functions with
/// correctly rounded last bit", 1991).
#[allow(
    clippy::arithmetic_side_effects,
    reason = "floats do not overflow into anything worse than infinity"
)]
fn rounded(cosine: f32, angle: f64) -> f32 {
    let [low, high] = [1.0 - OFF, 1.0 + OFF].map(|factor| (angle * factor) as f32);
    if low == high {
        low
    } else {
        f64::from(cosine).acos() as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_are_those_of_double_precision() {
        let (mut exact, mut worst) = (0, 0.0_f64);
        let mut try_one = |cosine: f32| {
            let expected = f64::from(cosine).acos();
            let almost = almost_acos(f64::from(cosine));
            worst = worst.max((almost - expected).abs() / expected.max(f64::MIN_POSITIVE));
            assert_eq!(rounded(cosine, almost), expected as f32, "{cosine}");
            exact += u32::from((almost * (1.0 - OFF)) as f32 != (almost * (1.0 + OFF)) as f32);
        };
        for step in 0..=1_000_000 {
            try_one((f64::from(step) / 500_000.0 - 1.0) as f32);
        }
        for edge in [0.0_f32, 0.5, 1.0] {
            for ulps in 0..1000_u32 {
                for bits in [edge.to_bits() + ulps, edge.to_bits().saturating_sub(ulps)] {
                    let cosine = f32::from_bits(bits).min(1.0);
                    try_one(cosine);
                    try_one(-cosine);
                }
            }
        }
        assert!(worst < OFF / 2.0, "{worst}");
        assert!(exact < 100, "{exact}");
        assert!(rounded(f32::NAN, f64::NAN).is_nan());
    }
}
