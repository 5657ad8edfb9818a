//! Where the matrices of a group go: the instances' shares of the palette.

use super::prefetch::prefetch;
use crate::anim::crowd::{
    lanes::{Lanes, MAX_LANES, V},
    program::Next,
};

/// Rows of a full matrix in the palette.
pub(in crate::anim::crowd) const ROWS: usize = 3;
/// Instances whose shares are cut from the palette at once: so few that a compiler sees what is in range of what.
const AT_ONCE: usize = 4;

/// The shares of a group, one behind another, of matrices of `R` rows.
#[derive(Debug)]
pub(in crate::anim::crowd) struct Shares<'s, const R: usize> {
    parts: [&'s mut [[f32; 4]]; MAX_LANES / AT_ONCE],
    /// Rows from an instance's share to the next; of a type that leaves room to multiply it.
    stride: u32,
    /// Rows from a group's shares to those of the next one.
    group: isize,
}

/// A matrix in the palette.
type Rows<const R: usize> = [[f32; 4]; R];

/// A matrix of each instance.
pub(super) struct Matrices<'s, const R: usize>(
    [Option<[&'s mut Rows<R>; AT_ONCE]>; MAX_LANES / AT_ONCE],
);

impl<'s, const R: usize> Shares<'s, R> {
    /// Cuts the shares, of `matrices` matrices each.
    #[inline(always)]
    pub(in crate::anim::crowd) fn new(rows: &'s mut [[f32; 4]], matrices: usize) -> Self {
        let stride = R * matrices;
        let group = rows.len() as isize;
        let mut parts = rows.chunks_mut(AT_ONCE * stride);
        Self {
            parts: std::array::from_fn(
                #[inline(always)]
                |_| parts.next().unwrap_or_default(),
            ),
            stride: stride as u32,
            group,
        }
    }

    /// The matrices in a place. The processor is asked for the lines where the next ones go.
    #[inline(always)]
    pub(super) fn matrices<L: Lanes>(&mut self, place: u32, next: Next) -> Option<Matrices<'_, R>> {
        let rows = if next.is_of_next_group { self.group } else { 0 };
        let ahead = (R as isize * next.matrices as isize).wrapping_add(rows);
        let mut parts = [None, None, None, None];
        for (index, part) in self.parts.iter_mut().enumerate().take(L::COUNT / AT_ONCE) {
            let matrices = cut::<R>(part, place, self.stride)?;
            for matrix in &matrices {
                // A matrix lies across two lines at most; the first of them was that of the one before.
                prefetch((&raw const matrix[R - 1]).wrapping_offset(ahead));
            }
            parts[index] = Some(matrices);
        }
        Some(Matrices(parts))
    }
}

/// The matrices in a place of four shares.
#[inline(always)]
fn cut<const R: usize>(
    rows: &mut [[f32; 4]],
    place: u32,
    stride: u32,
) -> Option<[&mut Rows<R>; AT_ONCE]> {
    let stride = stride as usize;
    let rows = rows.get_mut(R * place as usize..)?;
    // One comparison that answers all those that follow.
    let rows = rows.get_mut(..(AT_ONCE - 1) * stride + R)?;
    let (first, rows) = rows.split_at_mut_checked(stride)?;
    let (second, rows) = rows.split_at_mut_checked(stride)?;
    let (third, fourth) = rows.split_at_mut_checked(stride)?;
    Some([
        first.first_chunk_mut()?,
        second.first_chunk_mut()?,
        third.first_chunk_mut()?,
        fourth.first_chunk_mut()?,
    ])
}

impl<const R: usize> Matrices<'_, R> {
    /// Writes one row of each.
    #[inline(always)]
    pub(super) fn write_row<L: Lanes>(&mut self, simd: L, row: [V<L>; 4], index: usize) {
        let quads = simd.transposed(row);
        for part in 0..L::COUNT / AT_ONCE {
            let Some(matrices) = &mut self.0[part] else {
                return;
            };
            for lane in 0..AT_ONCE {
                matrices[lane][index] = simd.quad(quads[lane], part);
            }
        }
    }
}
