//! From coefficients to samples (ITU-T T.81 §A.3.3), in the integer arithmetic that the `image` crate has.

use fearless_simd::{Bytes as _, Simd, SimdFrom as _, i32x8, u32x8};

use super::scans::Block;

/// How many binary digits the factors below have behind the point.
const DIGITS: u32 = 12;
/// How many of them are taken off between columns and rows; those behind the point that are left go with the last ones.
const OFF_BETWEEN: u32 = 10;
const OFF_AT_END: u32 = 17;
/// What samples are more than what coefficients say.
const LEVEL: i32 = 128;

/// How many coefficients come, in the order in which they are coded, before one that is not in the first four rows and
/// columns.
pub(super) const FIRST: u32 = 10;

/// A half and the level, before digits are taken off.
const HALF_BETWEEN: i32 = 1 << 9;
const HALF_AT_END: i32 = HALF_BETWEEN + (1 << 16) + (LEVEL << 17);

/// The samples of a block whose coefficients are all zeros but the mean value, which is multiplied already.
pub(super) fn even(mean: i32) -> u8 {
    let sum = mean.wrapping_add(4 + LEVEL * 8);
    let sample = sum.wrapping_shr(3).clamp(0, 255);
    u8::try_from(sample).unwrap_or_default()
}

/// The samples of a block, row by row, from its coefficients and what they are multiplied by.
/// Only the first `SIDE` rows and columns may have any.
#[inline(always)]
pub(super) fn samples<S: Simd, const SIDE: usize>(
    simd: S,
    block: &Block,
    mean: i16,
    factors: &[i32; 64],
) -> [[u32; 8]; 2] {
    let zeros = simd.splat_i32x8(0);
    let mut rows = [zeros; 8];
    let (coefficients, _) = block.as_chunks::<8>();
    let (factors, _) = factors.as_chunks::<8>();
    let all = rows.iter_mut().zip(coefficients).zip(factors);
    for ((row, coefficients), factors) in all.take(SIDE) {
        let wide = i32x8::simd_from(simd, coefficients.map(i32::from));
        *row = simd.mul_i32x8(wide, i32x8::simd_from(simd, *factors));
    }
    let [first, ..] = &mut rows;
    let [factor, ..] = factors.as_flattened() else {
        return [[0; 8]; 2];
    };
    let mut mean_alone = [0; 8];
    mean_alone[0] = i32::from(mean).wrapping_mul(*factor);
    *first = simd.add_i32x8(*first, i32x8::simd_from(simd, mean_alone));
    let columns = pass::<S, OFF_BETWEEN>(simd, rows, HALF_BETWEEN);
    let mut rows = transpose(simd, columns);
    for row in rows.iter_mut().skip(SIDE) {
        *row = zeros;
    }
    let rows = pass::<S, OFF_AT_END>(simd, rows, HALF_AT_END);
    // Each lane is a row now.
    let [a, b, c, d, e, f, g, h] = rows;
    let (left, right) = (four(simd, [a, b, c, d]), four(simd, [e, f, g, h]));
    [
        simd.zip_low_u32x8(left, right).into(),
        simd.zip_high_u32x8(left, right).into(),
    ]
}

/// Transforms all columns, each in a lane.
#[inline(always)]
fn pass<S: Simd, const OFF: u32>(simd: S, rows: [i32x8<S>; 8], half: i32) -> [i32x8<S>; 8] {
    let [row0, row1, row2, row3, row4, row5, row6, row7] = rows;
    let half = simd.splat_i32x8(half);
    // Even rows.
    let both = times(simd, simd.add_i32x8(row2, row6), 2217);
    let less = simd.add_i32x8(both, times(simd, row6, -7567));
    let more = simd.add_i32x8(both, times(simd, row2, 3135));
    let sum = simd.shl_i32x8(simd.add_i32x8(row0, row4), DIGITS);
    let difference = simd.shl_i32x8(simd.sub_i32x8(row0, row4), DIGITS);
    let sum = simd.add_i32x8(sum, half);
    let difference = simd.add_i32x8(difference, half);
    // Odd rows.
    let (outer, inner) = (simd.add_i32x8(row1, row7), simd.add_i32x8(row3, row5));
    let (late, early) = (simd.add_i32x8(row3, row7), simd.add_i32x8(row1, row5));
    let all = times(simd, simd.add_i32x8(late, early), 4816);
    let outer = simd.add_i32x8(all, times(simd, outer, -3685));
    let inner = simd.add_i32x8(all, times(simd, inner, -10497));
    let (late, early) = (times(simd, late, -8034), times(simd, early, -1597));
    let odd0 = simd.add_i32x8(times(simd, row1, 6149), simd.add_i32x8(outer, early));
    let odd1 = simd.add_i32x8(times(simd, row3, 12586), simd.add_i32x8(inner, late));
    let odd2 = simd.add_i32x8(times(simd, row5, 8410), simd.add_i32x8(inner, early));
    let odd3 = simd.add_i32x8(times(simd, row7, 1223), simd.add_i32x8(outer, late));
    let (row0, row7) = both_ways::<S, OFF>(simd, simd.add_i32x8(sum, more), odd0);
    let (row1, row6) = both_ways::<S, OFF>(simd, simd.add_i32x8(difference, less), odd1);
    let (row2, row5) = both_ways::<S, OFF>(simd, simd.sub_i32x8(difference, less), odd2);
    let (row3, row4) = both_ways::<S, OFF>(simd, simd.sub_i32x8(sum, more), odd3);
    [row0, row1, row2, row3, row4, row5, row6, row7]
}

#[inline(always)]
fn times<S: Simd>(simd: S, row: i32x8<S>, factor: i32) -> i32x8<S> {
    simd.mul_i32x8(row, simd.splat_i32x8(factor))
}

/// A row and the one that it has across the middle.
#[inline(always)]
fn both_ways<S: Simd, const OFF: u32>(
    simd: S,
    even: i32x8<S>,
    odd: i32x8<S>,
) -> (i32x8<S>, i32x8<S>) {
    let (sum, difference) = (simd.add_i32x8(even, odd), simd.sub_i32x8(even, odd));
    (simd.shr_i32x8(sum, OFF), simd.shr_i32x8(difference, OFF))
}

/// Brings four samples into one number.
#[inline(always)]
fn four<S: Simd>(simd: S, rows: [i32x8<S>; 4]) -> u32x8<S> {
    let (least, most) = (simd.splat_i32x8(0), simd.splat_i32x8(255));
    let mut all = simd.splat_i32x8(0);
    for row in rows.into_iter().rev() {
        let row = simd.min_i32x8(simd.max_i32x8(row, least), most);
        all = simd.or_i32x8(simd.shl_i32x8(all, 8), row);
    }
    all.bitcast()
}

/// Makes columns of rows.
#[inline(always)]
fn transpose<S: Simd>(simd: S, rows: [i32x8<S>; 8]) -> [i32x8<S>; 8] {
    let mut rows = rows;
    // Numbers that are four rows apart come beside each other, three times.
    for _ in 0..3 {
        let [a, b, c, d, e, f, g, h] = rows;
        rows = [
            simd.zip_low_i32x8(a, e),
            simd.zip_high_i32x8(a, e),
            simd.zip_low_i32x8(b, f),
            simd.zip_high_i32x8(b, f),
            simd.zip_low_i32x8(c, g),
            simd.zip_high_i32x8(c, g),
            simd.zip_low_i32x8(d, h),
            simd.zip_high_i32x8(d, h),
        ];
    }
    rows
}
