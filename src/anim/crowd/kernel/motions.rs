//! Evaluates tracks into local matrices and vectors.

use fearless_simd::prelude::*;
use glam::{Quat, Vec3};

use super::{
    Group, Matrix, Slots, Vector,
    numbers::{load_matrix, splat_matrix, splat_vector, store_matrix, store_vector},
};
use crate::{
    anim::{
        crowd::{
            lanes::{Lanes, MAX_LANES, V},
            program::{Curve, Motion, Stretch, Terms},
        },
        sample::value_at,
    },
    model::{Clip, Track},
};

// Minimax polynomials of y, the first coefficient fixed, each next one found again after rounding those before it.

/// cos √y for 0 ≤ y ≤ (π/2)²: off by at most 5.4e-8, and 1 at 0.
const COS: [f32; 5] = [
    1.0,
    -0.499_999_3,
    0.041_663_963,
    -0.001_385_570_9,
    2.318_903_4e-5,
];
/// sin √y / √y for 0 ≤ y ≤ (π/2)²: off by at most 5.3e-9.
const SINC: [f32; 5] = [
    1.0,
    -0.166_666_61,
    0.008_333_103,
    -0.000_198_119_95,
    2.610_595_9e-6,
];
/// √2 cos √y: off by at most 5.1e-8 of √2. With quaternions of that length, products of two numbers are doubled already.
const COS_ROOT_2: [f32; 5] = [
    std::f32::consts::SQRT_2,
    -0.707_105_7,
    0.058_921_594,
    -0.001_959_424_2,
    3.278_382e-5,
];
/// √2 sin √y / √y: off by at most 1.8e-8 of √2.
const SINC_ROOT_2: [f32; 5] = [
    std::f32::consts::SQRT_2,
    -0.235_702_04,
    0.011_784_567,
    -0.000_280_062_52,
    3.669_848_2e-6,
];

#[inline(always)]
pub(super) fn evaluate<L: Lanes>(
    simd: L,
    group: &mut Group<'_, L>,
    motion: &Motion,
    slots: &mut Slots<'_, L>,
) {
    match *motion {
        Motion::Arc { arc, slot } => {
            let rotation = on_arc(simd, group, arc, [COS_ROOT_2, SINC_ROOT_2]);
            store_matrix(
                simd,
                rotation_matrix(simd, rotation, [rotation[0], rotation[1], rotation[2]]),
                &mut slots.matrices[slot as usize],
            );
        }
        Motion::PlainTurn { slot, .. } => {
            let rotation = quaternion(simd, group, motion);
            store_matrix(
                simd,
                unit_rotation(simd, rotation),
                &mut slots.matrices[slot as usize],
            );
        }
        Motion::Turn { slot, .. } => {
            let rotation = quaternion(simd, group, motion);
            store_matrix(
                simd,
                any_rotation(simd, rotation),
                &mut slots.matrices[slot as usize],
            );
        }
        Motion::Fixed { ref matrix, slot } => {
            store_matrix(
                simd,
                splat_matrix(simd, matrix),
                &mut slots.matrices[slot as usize],
            );
        }
        Motion::Stretch { scale, slot } => {
            let [x, y, z] = stretch(simd, group, scale);
            let matrix = &mut slots.matrices[slot as usize];
            let mut rows = load_matrix(simd, matrix);
            for [a, b, c] in &mut rows {
                (*a, *b, *c) = (*a * x, *b * y, *c * z);
            }
            store_matrix(simd, rows, matrix);
        }
        Motion::Shift { slot, .. } | Motion::PlainShift { slot, .. } => {
            let shift = shift(simd, group, motion);
            store_vector(simd, shift, &mut slots.vectors[slot as usize]);
        }
    }
}

/// The quaternion of a motion that turns; what does not turn has none.
#[inline(always)]
pub(super) fn quaternion<L: Lanes>(
    simd: L,
    group: &mut Group<'_, L>,
    motion: &Motion,
) -> [V<L>; 4] {
    match *motion {
        Motion::Arc { arc, .. } => on_arc(simd, group, arc, [COS, SINC]),
        Motion::Turn { curve, .. } => polynomial(simd, group, curve),
        Motion::PlainTurn {
            track,
            before,
            after,
            ..
        } => plain_rotation(simd, group, track as usize, before, after),
        Motion::Fixed { .. }
        | Motion::Stretch { .. }
        | Motion::Shift { .. }
        | Motion::PlainShift { .. } => [V::<L>::splat(simd, 0.0); 4],
    }
}

/// Factors along a node's own axes.
#[inline(always)]
pub(super) fn stretch<L: Lanes>(simd: L, group: &mut Group<'_, L>, scale: Stretch) -> Vector<L> {
    match scale {
        Stretch::Fixed(scale) => splat_vector(simd, &scale),
        Stretch::Moving(curve) => {
            let [x, y, z, _] = polynomial(simd, group, curve);
            [x, y, z]
        }
        Stretch::Plain(track) => plain_vector(
            simd,
            group,
            |clip| &clip.scales()[track as usize],
            |scale| scale,
        ),
    }
}

/// The vector of a motion that shifts; what does not shift has none.
#[inline(always)]
pub(super) fn shift<L: Lanes>(simd: L, group: &mut Group<'_, L>, motion: &Motion) -> Vector<L> {
    match *motion {
        Motion::Shift { curve, .. } => {
            let [x, y, z, _] = polynomial(simd, group, curve);
            [x, y, z]
        }
        Motion::PlainShift {
            track,
            turn,
            factor,
            shift,
            ..
        } => plain_vector(
            simd,
            group,
            |clip| &clip.translations()[track as usize],
            |value| turn * value * factor + shift,
        ),
        Motion::Arc { .. }
        | Motion::Turn { .. }
        | Motion::Fixed { .. }
        | Motion::Stretch { .. }
        | Motion::PlainTurn { .. } => [V::<L>::splat(simd, 0.0); 3],
    }
}

/// A rotation by the plain evaluator, one instance after the other.
#[inline(always)]
fn plain_rotation<L: Lanes>(
    simd: L,
    group: &Group<'_, L>,
    track: usize,
    before: Quat,
    after: Quat,
) -> [V<L>; 4] {
    let mut values = [[0.0; 4]; MAX_LANES];
    group.sample(&mut values, |clip, time_secs| {
        let track = &clip.rotations()[track];
        let value = value_at(track, &clip.timelines()[track.timeline()], time_secs);
        (before * value * after).to_array()
    });
    simd.gather(
        #[inline(always)]
        |lane| &values[lane],
    )
}

/// A vector by the plain evaluator, one instance after the other.
#[inline(always)]
fn plain_vector<L: Lanes>(
    simd: L,
    group: &Group<'_, L>,
    track: impl Fn(&Clip) -> &Track<Vec3>,
    seen: impl Fn(Vec3) -> Vec3,
) -> Vector<L> {
    let mut values = [[0.0; 4]; MAX_LANES];
    group.sample(&mut values, |clip, time_secs| {
        let track = track(clip);
        let value = value_at(track, &clip.timelines()[track.timeline()], time_secs);
        seen(value).extend(0.0).to_array()
    });
    let [x, y, z, _] = simd.gather(
        #[inline(always)]
        |lane| &values[lane],
    );
    [x, y, z]
}

/// The quaternion that an arc of the tables has reached, times what the polynomials are multiplied by: see `curve`.
#[inline(always)]
fn on_arc<L: Lanes>(
    simd: L,
    group: &mut Group<'_, L>,
    arc: u32,
    [cos, sinc]: [[f32; 5]; 2],
) -> [V<L>; 4] {
    let (arcs, arc) = group.arcs(arc);
    let start = simd.gather(
        #[inline(always)]
        |lane| &arcs[lane][arc][0],
    );
    let [vx, vy, vz, vw] = simd.gather(
        #[inline(always)]
        |lane| &arcs[lane][arc][1],
    );
    // Sums of pairs, and polynomials by pairs too: what counts here is how long a chain of instructions is.
    let squared = vx.mul_add(vx, vy * vy) + vz.mul_add(vz, vw * vw);
    let y = squared * group.squares;
    let y_squared = y * y;
    let (cos, sin) = (
        by_pairs(simd, y, y_squared, cos),
        by_pairs(simd, y, y_squared, sinc) * group.fractions,
    );
    let [px, py, pz, pw] = start;
    [
        vx.mul_add(sin, px * cos),
        vy.mul_add(sin, py * cos),
        vz.mul_add(sin, pz * cos),
        vw.mul_add(sin, pw * cos),
    ]
}

/// A polynomial of `y`, after G. Estrin (1960).
#[inline(always)]
fn by_pairs<L: Lanes>(simd: L, y: V<L>, y_squared: V<L>, coefficients: [f32; 5]) -> V<L> {
    let [a, b, c, d, e] = coefficients;
    let low = y.mul_add(V::<L>::splat(simd, b), V::<L>::splat(simd, a));
    let high = y.mul_add(V::<L>::splat(simd, d), V::<L>::splat(simd, c));
    let high = y_squared.mul_add(V::<L>::splat(simd, e), high);
    y_squared.mul_add(high, low)
}

/// The matrix of a unit quaternion.
#[inline(always)]
fn unit_rotation<L: Lanes>(simd: L, rotation: [V<L>; 4]) -> Matrix<L> {
    let [x, y, z, _] = rotation;
    rotation_matrix(simd, rotation, [x + x, y + y, z + z])
}

/// The matrix of a quaternion of any length; of one without a length, the identity.
#[inline(always)]
fn any_rotation<L: Lanes>(simd: L, rotation: [V<L>; 4]) -> Matrix<L> {
    let [x, y, z, w] = rotation;
    let squared = x.mul_add(x, y.mul_add(y, z.mul_add(z, w * w)));
    let scale = V::<L>::splat(simd, 2.0) / squared.max(V::<L>::splat(simd, f32::MIN_POSITIVE));
    rotation_matrix(simd, rotation, [x * scale, y * scale, z * scale])
}

/// The matrix of a quaternion, from it and from its vector part times 2 / length²: of one of length √2, from it alone.
#[inline(always)]
fn rotation_matrix<L: Lanes>(
    simd: L,
    [x, y, z, w]: [V<L>; 4],
    [x2, y2, z2]: Vector<L>,
) -> Matrix<L> {
    let one = V::<L>::splat(simd, 1.0);
    let (nx, ny, nz) = (-x2, -y2, -z2);
    let (wx, wy, wz) = (w * x2, w * y2, w * z2);
    [
        [
            y.mul_add(ny, z.mul_add(nz, one)),
            x.mul_sub(y2, wz),
            x.mul_add(z2, wy),
        ],
        [
            x.mul_add(y2, wz),
            x.mul_add(nx, z.mul_add(nz, one)),
            y.mul_sub(z2, wx),
        ],
        [
            x.mul_sub(z2, wy),
            y.mul_add(z2, wx),
            x.mul_add(nx, y.mul_add(ny, one)),
        ],
    ]
}

/// The value of a track that is a polynomial.
#[inline(always)]
fn polynomial<L: Lanes>(simd: L, group: &mut Group<'_, L>, curve: Curve) -> [V<L>; 4] {
    let quad = curve.quad;
    match curve.terms {
        Terms::One => term(simd, group, quad),
        Terms::Two => {
            let sum = term(simd, group, quad + 1);
            let first = term(simd, group, quad);
            times_t_plus(group, sum, first)
        }
        Terms::Four => {
            let sum = term(simd, group, quad + 3);
            let next = term(simd, group, quad + 2);
            let sum = times_t_plus(group, sum, next);
            let next = term(simd, group, quad + 1);
            let sum = times_t_plus(group, sum, next);
            let first = term(simd, group, quad);
            times_t_plus(group, sum, first)
        }
    }
}

/// One coefficient of a polynomial.
#[inline(always)]
fn term<L: Lanes>(simd: L, group: &mut Group<'_, L>, quad: u32) -> [V<L>; 4] {
    let (quads, quad) = group.quads(quad);
    simd.gather(
        #[inline(always)]
        |lane| &quads[lane][quad],
    )
}

/// A step of Horner's scheme.
#[inline(always)]
fn times_t_plus<L: Lanes>(group: &Group<'_, L>, sum: [V<L>; 4], term: [V<L>; 4]) -> [V<L>; 4] {
    let t = group.fractions;
    [
        sum[0].mul_add(t, term[0]),
        sum[1].mul_add(t, term[1]),
        sum[2].mul_add(t, term[2]),
        sum[3].mul_add(t, term[3]),
    ]
}
