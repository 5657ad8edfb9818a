//! Takes the filters off the rows of a PNG (PNG, third edition, §9). In a row filtered by averages or by Paeth each pixel
//! needs the one on its left, so that a processor mostly waits; four such rows are done at once.

use fearless_simd::Level;

use super::together::four_rows;

/// The filters by their numbers.
pub(super) const NONE: u8 = 0;
pub(super) const SUB: u8 = 1;
pub(super) const UP: u8 = 2;
pub(super) const AVERAGE: u8 = 3;
pub(super) const PAETH: u8 = 4;

/// How many rows are done at once.
pub(super) const TOGETHER: usize = 4;

/// Takes the filters off whole rows of pixels of `N` bytes; the number of its filter stands before each. `above` is the row
/// before them, or one of zeros. None if there is no such filter, or if there are not as many `rows`.
pub(super) fn unfilter<'r, const N: usize>(
    level: Level,
    mut filtered: &[u8],
    mut above: &'r [u8],
    mut rows: &'r mut [u8],
) -> Option<()> {
    let length = above.len();
    let step = length.checked_add(1)?;
    while let Some((row, rest)) = filtered.split_at_checked(step) {
        let (&filter, pixels) = row.split_first()?;
        let four = filtered.get(..step.checked_mul(TOGETHER)?);
        let four = four.filter(|four| {
            let mut rows = four.chunks_exact(step);
            rows.any(|row| matches!(row.first(), Some(&(AVERAGE | PAETH))))
        });
        let done: &'r mut [u8];
        if let Some(four) = four {
            let inputs = first_four(four.chunks_exact(step).map(<[u8]>::split_first))?;
            let filters = inputs.map(|(filter, _)| *filter);
            let inputs = inputs.map(|(_, pixels)| pixels.as_chunks::<N>().0);
            let up = above.as_chunks::<N>().0;
            let length_of_four = length.checked_mul(TOGETHER)?;
            (done, rows) = std::mem::take(&mut rows).split_at_mut_checked(length_of_four)?;
            let outputs = first_four(done.chunks_exact_mut(length).map(Some))?;
            let outputs = outputs.map(|row| row.as_chunks_mut::<N>().0);
            four_rows::<N>(level, filters, inputs, up, outputs)?;
            filtered = filtered.get(four.len()..)?;
        } else {
            (done, rows) = std::mem::take(&mut rows).split_at_mut_checked(length)?;
            one_row::<N>(filter, pixels, above, done)?;
            filtered = rest;
        }
        above = done.get(done.len().checked_sub(length)?..)?;
    }
    (filtered.is_empty() && rows.is_empty()).then_some(())
}

fn first_four<T>(mut items: impl Iterator<Item = Option<T>>) -> Option<[T; TOGETHER]> {
    let mut next = || items.next().flatten();
    Some([next()?, next()?, next()?, next()?])
}

fn one_row<const N: usize>(filter: u8, row: &[u8], above: &[u8], done: &mut [u8]) -> Option<()> {
    let (pixels, up) = (row.as_chunks::<N>().0, above.as_chunks::<N>().0);
    match filter {
        NONE => done.copy_from_slice(row),
        SUB => {
            let mut left = [0_u8; N];
            for (done, pixel) in done.as_chunks_mut::<N>().0.iter_mut().zip(pixels) {
                for (left, byte) in left.iter_mut().zip(pixel) {
                    *left = left.wrapping_add(*byte);
                }
                *done = left;
            }
        }
        UP => {
            for ((done, byte), up) in done.iter_mut().zip(row).zip(above) {
                *done = byte.wrapping_add(*up);
            }
        }
        AVERAGE | PAETH => go_on(filter, pixels, up, done.as_chunks_mut::<N>().0, 0)?,
        _ => return None,
    }
    Some(())
}

/// Goes on with a row from pixel `start` to its end.
pub(super) fn go_on<const N: usize>(
    filter: u8,
    pixels: &[[u8; N]],
    up: &[[u8; N]],
    done: &mut [[u8; N]],
    start: usize,
) -> Option<()> {
    let (mut left, mut corner) = match start.checked_sub(1) {
        Some(before) => (*done.get(before)?, *up.get(before)?),
        None => ([0; N], [0; N]),
    };
    let pixels = pixels.get(start..)?.iter().zip(up.get(start..)?);
    for (done, (pixel, up)) in done.get_mut(start..)?.iter_mut().zip(pixels) {
        for (((left, byte), up), corner) in left.iter_mut().zip(pixel).zip(up).zip(corner) {
            let guess = match filter {
                NONE => 0,
                SUB => *left,
                UP => *up,
                // Half of the sum, rounded down (§9.3).
                AVERAGE => left.midpoint(*up),
                PAETH => paeth(*left, *up, corner),
                _ => return None,
            };
            *left = byte.wrapping_add(guess);
        }
        *done = left;
        corner = *up;
    }
    Some(())
}

/// That of the three which is nearest to `left + up − corner`; of those that are equally near the first one (§9.4). That is
/// the greater of `left` and `up` if thrice `corner` without both is not above the lesser, and the other way round.
fn paeth(left: u8, up: u8, corner: u8) -> u8 {
    let [a, b, c] = [left, up, corner].map(i16::from);
    let bound = c.wrapping_mul(3).wrapping_sub(b).wrapping_sub(a);
    if bound <= a.min(b) {
        left.max(up)
    } else if bound >= a.max(b) {
        left.min(up)
    } else {
        corner
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As §9.2 has it, byte by byte.
    fn slowly(n: usize, filtered: &[u8], above: &[u8]) -> Vec<u8> {
        let length = above.len();
        let mut above = above.to_vec();
        let mut all = Vec::new();
        for row in filtered.chunks(length + 1) {
            let mut done: Vec<u8> = Vec::new();
            for (i, &byte) in row[1..].iter().enumerate() {
                let [a, b, c] = [
                    if i < n { 0 } else { done[i - n] },
                    above[i],
                    if i < n { 0 } else { above[i - n] },
                ]
                .map(i32::from);
                let p = a + b - c;
                let nearest = [a, b, c].into_iter().min_by_key(|x| (p - x).abs());
                let guess = [0, a, b, (a + b) / 2, nearest.unwrap()][usize::from(row[0])];
                done.push(byte.wrapping_add(guess as u8));
            }
            above = done.clone();
            all.extend(done);
        }
        all
    }

    #[test]
    fn the_guess_is_the_nearest_of_three() {
        for a in (0..=255_u8).step_by(5) {
            for b in (0..=255_u8).step_by(3) {
                for c in 0..=255_u8 {
                    let p = i32::from(a) + i32::from(b) - i32::from(c);
                    let nearest = [a, b, c]
                        .into_iter()
                        .min_by_key(|&x| (p - i32::from(x)).abs());
                    assert_eq!(Some(paeth(a, b, c)), nearest, "{a} {b} {c}");
                }
            }
        }
    }

    #[test]
    fn rows_of_all_lengths_and_filters_are_what_the_specification_says() {
        let mut state = 1_u32;
        let mut random = move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 16
        };
        fn check<const N: usize>(level: Level, random: &mut impl FnMut() -> u32) {
            for width in 1..40 {
                let length = width * N;
                let mut filtered = Vec::new();
                for _ in 0..12 {
                    // Rows in a row of the same filter, and others.
                    let filter = (random() % 5) as u8;
                    for _ in 0..1 + random() % 6 {
                        filtered.push(filter);
                        // Steep and flat ones.
                        let shift = random() % 8;
                        filtered.extend((0..length).map(|_| (random() as u8) >> shift));
                    }
                }
                let above: Vec<u8> = (0..length).map(|_| random() as u8).collect();
                let expected = slowly(N, &filtered, &above);
                let mut rows = vec![0; expected.len()];
                unfilter::<N>(level, &filtered, &above, &mut rows).unwrap();
                assert!(rows == expected, "{N} {width}");
                assert!(unfilter::<N>(level, &filtered, &above, &mut rows[1..]).is_none());
                filtered[0] = 5;
                assert!(unfilter::<N>(level, &filtered, &above, &mut rows).is_none());
            }
        }
        // What this processor can do, and the least that one of its kind can.
        for level in [Level::new(), Level::baseline()] {
            check::<1>(level, &mut random);
            check::<3>(level, &mut random);
            check::<4>(level, &mut random);
        }
    }
}
