//! The rows of a picture, made of coefficients from the top.

use std::{array, mem};

use fearless_simd::{Level, Simd, dispatch};

use super::{
    colors,
    frame::{Component, Frame},
    scans::Others,
    transform,
};

/// How many samples a block has on each side.
const SIDE: usize = 8;

/// All coefficients of a component in a row of units.
pub(super) struct Coefficients<'c> {
    pub means: &'c [i16],
    /// They are zeros again when samples are made of them.
    pub others: &'c mut Others,
}

/// What is not done yet of a picture.
#[derive(Debug)]
pub(super) struct Picture<'f, 'p> {
    level: Level,
    frame: &'f Frame,
    planes: Vec<Plane>,
    /// The rows that are not done.
    rest: &'p mut [u8],
    /// Rows of samples between others, with a sample more on each side, and filled up.
    between: [Vec<u8>; 2],
    /// Such rows, as long as those of pixels, and filled up.
    spread: [Vec<u8>; 2],
}

/// The samples of a component.
#[derive(Debug)]
struct Plane {
    width: usize,
    /// In the latest row of units.
    latest: Vec<u8>,
    /// In the one before, where rows below are looked at as well.
    before: Vec<u8>,
    /// The last row of samples above that.
    above: Vec<u8>,
}

impl<'f, 'p> Picture<'f, 'p> {
    pub(super) fn new(level: Level, frame: &'f Frame, pixels: &'p mut [u8]) -> Self {
        let plane = |component: &Component| {
            let width = component.stride.saturating_mul(SIDE);
            let length = width.saturating_mul(SIDE).saturating_mul(component.down);
            let is_kept = is_spread_down(frame);
            Plane {
                width,
                latest: vec![0; length],
                before: vec![0; if is_kept { length } else { 0 }],
                above: vec![0; if is_kept { width } else { 0 }],
            }
        };
        let planes: Vec<_> = frame.components.iter().map(plane).collect();
        let width = |place| planes.get(place).map_or(0, |plane: &Plane| plane.width);
        let whole = |width: usize| width.next_multiple_of(colors::AT_ONCE);
        let narrow = whole(width(1)).saturating_add(2);
        let wide = whole(width(1)).saturating_mul(2).max(width(0));
        Self {
            level,
            frame,
            planes,
            rest: pixels,
            between: [vec![0; narrow], vec![0; narrow]],
            spread: [vec![0; wide], vec![0; wide]],
        }
    }

    /// How much memory it takes.
    pub(super) fn memory(frame: &Frame) -> usize {
        let samples = |component: &Component| {
            let blocks = component.stride.saturating_mul(component.down);
            blocks.saturating_mul(size_of::<[u8; 64]>())
        };
        let all = frame.components.iter().map(samples);
        // Twice, and some rows beside.
        all.fold(0_usize, usize::saturating_add).saturating_mul(3)
    }

    /// Adds a row of units.
    pub(super) fn add(&mut self, row: usize, components: &mut [Coefficients<'_>]) -> Option<()> {
        // What comes after AVX2 has nothing more that counts here.
        #[cfg(target_arch = "x86_64")]
        if let Some(simd) = self.level.as_avx2() {
            return simd.vectorize(
                #[inline(always)]
                || self.add_with(simd, row, components),
            );
        }
        dispatch!(self.level, simd => self.add_with(simd, row, components))
    }

    #[inline(always)]
    fn add_with<S: Simd>(
        &mut self,
        simd: S,
        row: usize,
        components: &mut [Coefficients<'_>],
    ) -> Option<()> {
        let all = self.frame.components.iter().zip(components);
        for (plane, (component, coefficients)) in self.planes.iter_mut().zip(all) {
            fill(simd, component, coefficients, plane)?;
        }
        if !is_spread_down(self.frame) {
            return self.rows(simd, false, false);
        }
        if row > 0 {
            self.rows(simd, row > 1, true)?;
        }
        for plane in &mut self.planes {
            if row > 0 {
                let last = plane.before.rchunks_exact(plane.width).next()?;
                plane.above.copy_from_slice(last);
            }
            mem::swap(&mut plane.latest, &mut plane.before);
        }
        if row.checked_add(1)? == self.frame.rows {
            self.rows(simd, row > 0, false)?;
        }
        Some(())
    }

    /// Makes pixels of a row of units: the latest one, or the one before if rows are between those of samples.
    #[inline(always)]
    fn rows<S: Simd>(&mut self, simd: S, has_above: bool, has_below: bool) -> Option<()> {
        let [bright, differences @ ..] = self.planes.as_slice() else {
            return None;
        };
        let first = self.frame.components.first()?;
        let is_down = is_spread_down(self.frame);
        let samples = if is_down {
            &bright.before
        } else {
            &bright.latest
        };
        for (row, bright) in samples.chunks_exact(bright.width).enumerate() {
            let length = self.frame.width.checked_mul(3)?;
            let Some((pixels, rest)) = mem::take(&mut self.rest).split_at_mut_checked(length)
            else {
                // The last units are less high.
                break;
            };
            self.rest = rest;
            let [blue, red] = differences else {
                colors::grey(bright, pixels);
                continue;
            };
            let rows = [blue, red].map(|it| near_and_far(it, row, is_down, has_above, has_below));
            let [Some((mut blue, far_blue)), Some((mut red, far_red))] = rows else {
                return None;
            };
            let [spread_blue, spread_red] = &mut self.spread;
            if first.across > 1 {
                let [between_blue, between_red] = &mut self.between;
                spread(simd, (blue, far_blue), between_blue, spread_blue)?;
                spread(simd, (red, far_red), between_red, spread_red)?;
                (blue, red) = (spread_blue, spread_red);
            } else if is_down {
                colors::spread_down(blue, far_blue, spread_blue);
                colors::spread_down(red, far_red, spread_red);
                (blue, red) = (spread_blue, spread_red);
            }
            colors::convert(simd, [bright, blue, red], pixels);
        }
        Some(())
    }
}

/// Makes a row twice as long that lies between two, or is the same as both.
#[inline(always)]
fn spread<S: Simd>(
    simd: S,
    (near, far): (&[u8], &[u8]),
    between: &mut [u8],
    row: &mut [u8],
) -> Option<()> {
    let (first, inner) = between.split_first_mut()?;
    let (inner, behind) = inner.split_at_mut_checked(near.len())?;
    colors::spread_down(near, far, inner);
    (*first, *behind.first_mut()?) = (*inner.first()?, *inner.last()?);
    colors::spread_across(simd, between, row);
    Some(())
}

/// Whether some components have half as many rows of samples as others.
fn is_spread_down(frame: &Frame) -> bool {
    frame.components.iter().any(|it| it.down > 1)
}

/// The row of samples of a difference that is nearest to a row of pixels, and the next one on its side; at the edges of the
/// picture that is the same.
#[inline(always)]
fn near_and_far(
    plane: &Plane,
    row: usize,
    is_down: bool,
    has_above: bool,
    has_below: bool,
) -> Option<(&[u8], &[u8])> {
    if !is_down {
        let near = plane.latest.chunks_exact(plane.width).nth(row)?;
        return Some((near, near));
    }
    let mut rows = plane.before.chunks_exact(plane.width);
    let (count, place) = (rows.len(), row.wrapping_shr(1));
    let is_upper = row & 1 == 0;
    if is_upper && place > 0 {
        let far = rows.nth(place.wrapping_sub(1))?;
        return Some((rows.next()?, far));
    }
    let near = rows.nth(place)?;
    let far = if is_upper {
        if has_above {
            plane.above.as_slice()
        } else {
            near
        }
    } else if place.wrapping_add(1) < count {
        rows.next()?
    } else if has_below {
        plane.latest.get(..plane.width)?
    } else {
        near
    };
    Some((near, far))
}

/// Makes the samples of a component.
#[inline(always)]
fn fill<S: Simd>(
    simd: S,
    component: &Component,
    coefficients: &mut Coefficients<'_>,
    plane: &mut Plane,
) -> Option<()> {
    let stride = component.stride;
    let all = plane
        .latest
        .chunks_exact_mut(plane.width.checked_mul(SIDE)?);
    let others = &mut *coefficients.others;
    let blocks = others.blocks.chunks_exact_mut(stride);
    let masks = others.masks.chunks_exact_mut(stride);
    let means = coefficients.means.chunks_exact(stride);
    for (((samples, blocks), masks), means) in all.zip(blocks).zip(masks).zip(means) {
        let mut lines = samples.chunks_exact_mut(plane.width);
        let mut lines: [_; SIDE] = array::from_fn(|_| {
            let line = lines.next().unwrap_or_default();
            line.as_chunks_mut::<SIDE>().0
        });
        let all = blocks.iter_mut().zip(masks).zip(means);
        for (place, ((block, mask), mean)) in all.enumerate() {
            let rows = if *mask == 0 {
                let factor = component.factors.first()?;
                let sample = transform::even(i32::from(*mean).wrapping_mul(*factor));
                [[u32::from_ne_bytes([sample; 4]); SIDE]; 2]
            } else if *mask < 1 << transform::FIRST {
                let rows = transform::samples::<_, 4>(simd, block, *mean, &component.factors);
                for row in block.as_chunks_mut::<SIDE>().0.iter_mut().take(4) {
                    *row = [0; SIDE];
                }
                *mask = 0;
                rows
            } else {
                let rows = transform::samples::<_, 8>(simd, block, *mean, &component.factors);
                (*block, *mask) = ([0; 64], 0);
                rows
            };
            let (rows, _) = rows.as_flattened().as_chunks::<2>();
            for (line, [left, right]) in lines.iter_mut().zip(rows) {
                let (halves, _) = line.get_mut(place)?.as_chunks_mut::<4>();
                let [to_left, to_right] = halves else {
                    return None;
                };
                (*to_left, *to_right) = (left.to_le_bytes(), right.to_le_bytes());
            }
        }
    }
    Some(())
}
