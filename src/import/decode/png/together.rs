//! Takes the filters off four rows of a PNG at once, each a pixel behind the one above it, in lanes of their own: what a
//! pixel needs of the row above was done a step before.

use fearless_simd::{Bytes as _, Level, Simd, SimdFrom as _, dispatch, i16x8, u8x16, u16x8, u32x4};

use super::unfilter::{AVERAGE, PAETH, SUB, TOGETHER, UP, go_on};

/// How many pixels the last of them is behind the first.
const BEHIND: usize = 3;
/// How many pixels of each row are brought into registers at once.
const AT_ONCE: usize = 4;

/// How many of the rows that are done at once are filtered by averages: code for what all have is quicker.
const NO_AVERAGE: u8 = 0;
const SOME_AVERAGE: u8 = 1;
const ALL_AVERAGE: u8 = 2;

/// Takes the filters off four rows.
pub(super) fn four_rows<const N: usize>(
    level: Level,
    filters: [u8; TOGETHER],
    inputs: [&[[u8; N]]; TOGETHER],
    up: &[[u8; N]],
    outputs: [&mut [[u8; N]]; TOGETHER],
) -> Option<()> {
    let [filter0, filter1, filter2, filter3] = filters;
    let [in0, in1, in2, in3] = inputs;
    let [out0, out1, out2, out3] = outputs;
    let mut starts = [0; TOGETHER];
    let steps = up.len().saturating_sub(BEHIND) & !(AT_ONCE.wrapping_sub(1));
    if steps > 0 {
        // The first pixels of the upper rows, so that each is one ahead of the next.
        go_on(filter0, in0, up.get(..BEHIND)?, out0, 0)?;
        go_on(filter1, in1, out0.get(..2)?, out1, 0)?;
        go_on(filter2, in2, out1.get(..1)?, out2, 0)?;
        let outputs = [&mut *out0, &mut *out1, &mut *out2, &mut *out3];
        let all = (inputs, up, outputs);
        if !filters.contains(&AVERAGE) {
            at_level::<N, NO_AVERAGE>(level, filters, all)?;
        } else if filters == [AVERAGE; TOGETHER] {
            at_level::<N, ALL_AVERAGE>(level, filters, all)?;
        } else {
            at_level::<N, SOME_AVERAGE>(level, filters, all)?;
        }
        starts = [
            steps.checked_add(BEHIND)?,
            steps.checked_add(2)?,
            steps.checked_add(1)?,
            steps,
        ];
    }
    let [start0, start1, start2, start3] = starts;
    go_on(filter0, in0, up, out0, start0)?;
    go_on(filter1, in1, out0, out1, start1)?;
    go_on(filter2, in2, out1, out2, start2)?;
    go_on(filter3, in3, out2, out3, start3)
}

/// The filtered pixels of four rows, those above the first, and where they go.
type Rows<'r, const N: usize> = (
    [&'r [[u8; N]]; TOGETHER],
    &'r [[u8; N]],
    [&'r mut [[u8; N]]; TOGETHER],
);

fn at_level<const N: usize, const AVERAGES: u8>(
    level: Level,
    filters: [u8; TOGETHER],
    rows: Rows<'_, N>,
) -> Option<()> {
    // What comes after AVX2 compares into masks, which takes longer, and one step waits for the other.
    #[cfg(target_arch = "x86_64")]
    if let Some(simd) = level.as_avx2() {
        return simd.vectorize(
            #[inline(always)]
            || steps::<_, N, AVERAGES>(simd, filters, rows),
        );
    }
    dispatch!(level, simd => steps::<_, N, AVERAGES>(simd, filters, rows))
}

/// Does pixels in all four rows until the first one is done.
#[inline(always)]
fn steps<S: Simd, const N: usize, const AVERAGES: u8>(
    simd: S,
    filters: [u8; TOGETHER],
    (inputs, up, outputs): Rows<'_, N>,
) -> Option<()> {
    let [in0, in1, in2, in3] = inputs;
    let [out0, out1, out2, out3] = outputs;
    let masks = Masks::new(simd, filters);
    let before = [
        word(out0.get(2)?),
        word(out1.get(1)?),
        word(out2.first()?),
        0,
    ];
    let mut left = lanes(simd, u32x4::simd_from(simd, before));
    let before = [word(up.get(2)?), word(out0.get(1)?), word(out1.first()?), 0];
    let mut corner = lanes(simd, u32x4::simd_from(simd, before));
    let outputs = chunks_mut(out0, BEHIND)?
        .iter_mut()
        .zip(chunks_mut(out1, 2)?);
    let outputs = outputs.zip(chunks_mut(out2, 1)?).zip(chunks_mut(out3, 0)?);
    let inputs = chunks(in0, BEHIND)?.iter().zip(chunks(in1, 2)?);
    let inputs = inputs.zip(chunks(in2, 1)?).zip(chunks(in3, 0)?);
    let parts = outputs.zip(inputs).zip(chunks(up, BEHIND)?);
    for (((((out0, out1), out2), out3), (((in0, in1), in2), in3)), up) in parts {
        // No closure, which would not be compiled for this processor.
        let inputs = [
            spread(simd, in0),
            spread(simd, in1),
            spread(simd, in2),
            spread(simd, in3),
        ];
        // From the pixels of each row to those that are done at once, and back.
        let inputs = transpose(simd, inputs);
        let up = spread(simd, up);
        let up = [
            simd.zip_low_u32x4(up, up),
            up,
            simd.zip_high_u32x4(up, up),
            simd.slide_u32x4::<2>(up, up),
        ];
        let mut done = inputs;
        for (done, up) in done.iter_mut().zip(up) {
            let input = lanes(simd, *done);
            let (above, _) = lanes(simd, up);
            let up = (
                simd.slide_i16x8::<4>(above, left.0),
                simd.slide_i16x8::<4>(left.0, left.1),
            );
            left.0 = masks
                .0
                .step::<AVERAGES>(simd, input.0, left.0, up.0, corner.0);
            left.1 = masks
                .1
                .step::<AVERAGES>(simd, input.1, left.1, up.1, corner.1);
            corner = up;
            let (upper, lower): (u16x8<S>, u16x8<S>) = (left.0.bitcast(), left.1.bitcast());
            *done = simd.relaxed_narrow_u16x8(upper, lower).bitcast();
        }
        let [done0, done1, done2, done3] = transpose(simd, done);
        gather(simd, done0, out0);
        gather(simd, done1, out1);
        gather(simd, done2, out2);
        gather(simd, done3, out3);
    }
    Some(())
}

fn chunks<const N: usize>(row: &[[u8; N]], start: usize) -> Option<&[[[u8; N]; AT_ONCE]]> {
    Some(row.get(start..)?.as_chunks().0)
}

fn chunks_mut<const N: usize>(
    row: &mut [[u8; N]],
    start: usize,
) -> Option<&mut [[[u8; N]; AT_ONCE]]> {
    Some(row.get_mut(start..)?.as_chunks_mut().0)
}

/// The first numbers of all vectors, the second ones, and so on.
#[inline(always)]
fn transpose<S: Simd>(simd: S, rows: [u32x4<S>; TOGETHER]) -> [u32x4<S>; TOGETHER] {
    let [row0, row1, row2, row3] = rows;
    let (even, odd) = (
        simd.zip_low_u32x4(row0, row2),
        simd.zip_low_u32x4(row1, row3),
    );
    let (even2, odd2) = (
        simd.zip_high_u32x4(row0, row2),
        simd.zip_high_u32x4(row1, row3),
    );
    [
        simd.zip_low_u32x4(even, odd),
        simd.zip_high_u32x4(even, odd),
        simd.zip_low_u32x4(even2, odd2),
        simd.zip_high_u32x4(even2, odd2),
    ]
}

/// Four pixels, each in a number of its own.
#[inline(always)]
fn spread<S: Simd, const N: usize>(simd: S, pixels: &[[u8; N]; AT_ONCE]) -> u32x4<S> {
    let mut words = [0; AT_ONCE];
    for (word, bytes) in words.iter_mut().zip(pixels.as_flattened().as_chunks().0) {
        *word = u32::from_le_bytes(*bytes);
    }
    let words = u32x4::simd_from(simd, words);
    // The last byte is zero, but for four channels.
    let places = match N {
        4 => return words,
        3 => [0, 1, 2, 15, 3, 4, 5, 15, 6, 7, 8, 15, 9, 10, 11, 15],
        _ => [0, 15, 15, 15, 1, 15, 15, 15, 2, 15, 15, 15, 3, 15, 15, 15],
    };
    let places = u8x16::simd_from(simd, places);
    simd.swizzle_dyn_u8x16(words.bitcast(), places).bitcast()
}

/// The reverse of [`spread`].
#[inline(always)]
fn gather<S: Simd, const N: usize>(simd: S, words: u32x4<S>, pixels: &mut [[u8; N]; AT_ONCE]) {
    let mut words = words;
    if N != 4 {
        let places = match N {
            3 => [0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 15, 15, 15, 15],
            _ => [0, 4, 8, 12, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15],
        };
        let places = u8x16::simd_from(simd, places);
        words = simd.swizzle_dyn_u8x16(words.bitcast(), places).bitcast();
    }
    let words = <[u32; AT_ONCE]>::from(words);
    for (bytes, word) in pixels
        .as_flattened_mut()
        .as_chunks_mut()
        .0
        .iter_mut()
        .zip(words)
    {
        *bytes = word.to_le_bytes();
    }
}

/// A pixel in each lane of four numbers.
type Lanes<S> = (i16x8<S>, i16x8<S>);

#[inline(always)]
fn lanes<S: Simd>(simd: S, words: u32x4<S>) -> Lanes<S> {
    let (low, high) = simd.widen_u8x16(words.bitcast());
    (low.bitcast(), high.bitcast())
}

#[inline(always)]
fn word<const N: usize>(pixel: &[u8; N]) -> u32 {
    let mut bytes = [0; 4];
    for (byte, &channel) in bytes.iter_mut().zip(pixel) {
        *byte = channel;
    }
    u32::from_le_bytes(bytes)
}

/// What the filters of two rows look at, by lane: all bits of it, or none.
struct Masks<S: Simd> {
    left: i16x8<S>,
    up: i16x8<S>,
    corner: i16x8<S>,
    average: i16x8<S>,
}

impl<S: Simd> Masks<S> {
    /// For the upper two rows and for the lower two.
    #[inline(always)]
    fn new(simd: S, filters: [u8; TOGETHER]) -> (Self, Self) {
        let [filter0, filter1, filter2, filter3] = filters;
        let of_two = |upper, lower| {
            let mask = |filters: &[u8]| {
                let bits = |filter| if filters.contains(&filter) { -1 } else { 0 };
                let (a, b) = (bits(upper), bits(lower));
                i16x8::simd_from(simd, [a, a, a, a, b, b, b, b])
            };
            // Where two of the three are zero, the guess of Paeth is the third (§9.4).
            Self {
                left: mask(&[SUB, AVERAGE, PAETH]),
                up: mask(&[UP, AVERAGE, PAETH]),
                corner: mask(&[PAETH]),
                average: mask(&[AVERAGE]),
            }
        };
        (of_two(filter0, filter1), of_two(filter2, filter3))
    }

    /// As [`go_on`], in lanes of bytes.
    #[inline(always)]
    fn step<const AVERAGES: u8>(
        &self,
        simd: S,
        input: i16x8<S>,
        left: i16x8<S>,
        up: i16x8<S>,
        corner: i16x8<S>,
    ) -> i16x8<S> {
        let left = simd.and_i16x8(left, self.left);
        let up = simd.and_i16x8(up, self.up);
        let corner = simd.and_i16x8(corner, self.corner);
        let average = simd.shr_i16x8(simd.add_i16x8(left, up), 1);
        if AVERAGES == ALL_AVERAGE {
            let sum = simd.add_i16x8(input, average);
            return simd.and_i16x8(sum, simd.splat_i16x8(0xff));
        }
        let thrice = simd.add_i16x8(simd.add_i16x8(corner, corner), corner);
        let bound = simd.sub_i16x8(simd.sub_i16x8(thrice, left), up);
        let (least, most) = (simd.min_i16x8(left, up), simd.max_i16x8(left, up));
        // If both are not so, all three are the same. To choose by masks takes longer than these few operations.
        let is_below = simd.to_vector_mask16x8(simd.simd_gt_i16x8(most, bound));
        let is_above = simd.to_vector_mask16x8(simd.simd_gt_i16x8(bound, least));
        let middle = simd.and_i16x8(simd.and_i16x8(corner, is_below), is_above);
        let least = simd.and_i16x8(least, simd.not_i16x8(is_below));
        let most = simd.and_i16x8(most, simd.not_i16x8(is_above));
        let mut guess = simd.or_i16x8(simd.or_i16x8(least, most), middle);
        if AVERAGES == SOME_AVERAGE {
            let average = simd.and_i16x8(average, self.average);
            let other = simd.and_i16x8(guess, simd.not_i16x8(self.average));
            guess = simd.or_i16x8(average, other);
        }
        let sum = simd.add_i16x8(input, guess);
        simd.and_i16x8(sum, simd.splat_i16x8(0xff))
    }
}
