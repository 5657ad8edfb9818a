//! From samples to pixels: components that have fewer samples are spread, and all become red, green and blue (ITU-T T.871
//! §7), in the integer arithmetic that the `image` crate has.

use fearless_simd::{Bytes as _, Simd, SimdFrom as _, i16x16, i32x8, u8x16, u8x32};

/// How many binary digits the factors below have behind the point.
const DIGITS: u32 = 14;
/// A little less than a half.
const HALF: i32 = (1 << 13) - 1;
/// What the blue difference adds to green and blue, and the red one to red and green.
const BLUE_TO_GREEN: i16 = -5638;
const BLUE_TO_BLUE: i16 = 29032;
const RED_TO_RED: i16 = 22970;
const RED_TO_GREEN: i16 = -11700;

/// Where the bytes of four pixels are that have four bytes each, twice.
const PLACES: [u8; 32] = [
    0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 15, 15, 15, 15, 0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14,
    15, 15, 15, 15,
];

/// Pixels that are done at once.
pub(super) const AT_ONCE: usize = 16;

/// Turns a row of brightnesses and differences of blue and red into pixels. Rows of samples may be longer.
#[inline(always)]
pub(super) fn convert<S: Simd>(simd: S, samples: [&[u8]; 3], pixels: &mut [u8]) {
    let [bright, blue, red] = samples;
    let (chunks, rest) = pixels.as_chunks_mut::<{ 3 * AT_ONCE }>();
    let samples = bright
        .as_chunks::<AT_ONCE>()
        .0
        .iter()
        .zip(blue.as_chunks::<AT_ONCE>().0)
        .zip(red.as_chunks::<AT_ONCE>().0);
    let done = chunks.len().saturating_mul(AT_ONCE);
    for (pixels, ((bright, blue), red)) in chunks.iter_mut().zip(samples) {
        chunk(simd, [bright, blue, red], pixels);
    }
    if !rest.is_empty() {
        let mut last = [0; 3 * AT_ONCE];
        let [bright, blue, red] = [bright, blue, red].map(|samples| {
            let mut last = [0; AT_ONCE];
            let samples = samples.get(done..).unwrap_or_default();
            for (to, from) in last.iter_mut().zip(samples) {
                *to = *from;
            }
            last
        });
        chunk(simd, [&bright, &blue, &red], &mut last);
        for (to, from) in rest.iter_mut().zip(last) {
            *to = from;
        }
    }
}

#[inline(always)]
fn chunk<S: Simd>(simd: S, samples: [&[u8; AT_ONCE]; 3], pixels: &mut [u8; 3 * AT_ONCE]) {
    let [bright, blue, red] = samples;
    let (blue, red) = (u8x16::simd_from(simd, *blue), u8x16::simd_from(simd, *red));
    let ([left, right], _) = bright.as_chunks() else {
        return;
    };
    let low = eight(simd, left, simd.zip_low_u8x16(blue, red));
    let high = eight(simd, right, simd.zip_high_u8x16(blue, red));
    let ([a, b], [c, d]) = (low.as_chunks().0, high.as_chunks().0) else {
        return;
    };
    // Each writes over what the one before has too much.
    let mut rest = &mut pixels[..];
    for block in [a, b, c] {
        if let Some(to) = rest.first_chunk_mut::<16>() {
            *to = *block;
        }
        rest = rest.split_off_mut(12..).unwrap_or_default();
    }
    let [last @ .., _, _, _, _] = d;
    if let Some(to) = rest.first_chunk_mut::<12>() {
        *to = *last;
    }
}

/// Eight pixels, from their brightness and pairs of differences: the first four in twelve bytes, and the others 16 bytes
/// behind.
#[inline(always)]
fn eight<S: Simd>(simd: S, bright: &[u8; 8], differences: u8x16<S>) -> [u8; 32] {
    let differences = simd.sub_i16x16(widen(simd, differences), simd.splat_i16x16(128));
    let bright = i32x8::simd_from(simd, bright.map(i32::from));
    let bright = simd.add_i32x8(simd.shl_i32x8(bright, DIGITS), simd.splat_i32x8(HALF));
    let mut all = simd.splat_i32x8(0);
    for [blue, red] in [
        [BLUE_TO_BLUE, 0],
        [BLUE_TO_GREEN, RED_TO_GREEN],
        [0, RED_TO_RED],
    ] {
        let factors = simd.zip_low_i16x16(simd.splat_i16x16(blue), simd.splat_i16x16(red));
        let more = simd.pairwise_dot_product_i16x16(differences, factors);
        let value = simd.shr_i32x8(simd.add_i32x8(bright, more), DIGITS);
        let value = simd.max_i32x8(value, simd.splat_i32x8(0));
        let value = simd.min_i32x8(value, simd.splat_i32x8(255));
        all = simd.or_i32x8(simd.shl_i32x8(all, 8), value);
    }
    let places = u8x32::simd_from(simd, PLACES);
    simd.swizzle_dyn_within_blocks_u8x32(all.bitcast(), places)
        .into()
}

/// Puts each sample of grey three times.
pub(super) fn grey(samples: &[u8], pixels: &mut [u8]) {
    for (pixel, sample) in pixels.as_chunks_mut::<3>().0.iter_mut().zip(samples) {
        *pixel = [*sample; 3];
    }
}

/// Three parts of what is near and one of what is far.
#[inline(always)]
fn between(near: u8, far: u8) -> u8 {
    let sum = u16::from(near).wrapping_mul(3).wrapping_add(u16::from(far));
    sum.wrapping_add(2).wrapping_shr(2) as u8
}

/// Makes a row that lies between two.
#[inline(always)]
pub(super) fn spread_down(near: &[u8], far: &[u8], row: &mut [u8]) {
    for ((to, near), far) in row.iter_mut().zip(near).zip(far) {
        *to = between(*near, *far);
    }
}

/// Makes a row twice as long, of samples that have the first and the last ones once more before and behind them. Both rows
/// are longer than they count, so that all is done in large steps.
#[inline(always)]
pub(super) fn spread_across<S: Simd>(simd: S, samples: &[u8], row: &mut [u8]) {
    let steps = (0..).step_by(AT_ONCE);
    for (pixels, start) in row
        .as_chunks_mut::<{ 2 * AT_ONCE }>()
        .0
        .iter_mut()
        .zip(steps)
    {
        let (Some(before), Some(near), Some(after)) = (
            wide(simd, samples, start),
            wide(simd, samples, start.wrapping_add(1)),
            wide(simd, samples, start.wrapping_add(2)),
        ) else {
            return;
        };
        let thrice = simd.add_i16x16(simd.add_i16x16(near, near), near);
        let most = simd.add_i16x16(thrice, simd.splat_i16x16(2));
        let left = simd.shr_i16x16(simd.add_i16x16(most, before), 2);
        let right = simd.shr_i16x16(simd.add_i16x16(most, after), 2);
        let both = simd.or_i16x16(left, simd.shl_i16x16(right, 8));
        let both: u8x32<S> = both.bitcast();
        *pixels = both.into();
    }
}

/// Brings some samples into lanes of twice as many bits.
#[inline(always)]
fn wide<S: Simd>(simd: S, samples: &[u8], start: usize) -> Option<i16x16<S>> {
    let samples: &[u8; AT_ONCE] = samples.get(start..)?.first_chunk()?;
    Some(widen(simd, u8x16::simd_from(simd, *samples)))
}

#[inline(always)]
fn widen<S: Simd>(simd: S, samples: u8x16<S>) -> i16x16<S> {
    let (low, high) = simd.widen_u8x16(samples);
    simd.combine_i16x8(low.bitcast(), high.bitcast())
}
