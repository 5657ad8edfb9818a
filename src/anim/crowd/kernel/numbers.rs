//! Numbers from memory into vectors and back.

use fearless_simd::prelude::*;

use super::{Matrix, Vector};
use crate::anim::crowd::lanes::{Lanes, V};

#[inline(always)]
pub(super) fn splat_vector<L: Lanes>(simd: L, [x, y, z]: &[f32; 3]) -> Vector<L> {
    [
        V::<L>::splat(simd, *x),
        V::<L>::splat(simd, *y),
        V::<L>::splat(simd, *z),
    ]
}

#[inline(always)]
pub(super) fn splat_row<L: Lanes>(simd: L, [x, y, z, w]: [f32; 4]) -> [V<L>; 4] {
    let [x, y, z] = splat_vector(simd, &[x, y, z]);
    [x, y, z, V::<L>::splat(simd, w)]
}

#[inline(always)]
pub(super) fn splat_matrix<L: Lanes>(simd: L, matrix: &[f32; 9]) -> Matrix<L> {
    let [a, b, c, d, e, f, g, h, i] = *matrix;
    [
        splat_vector(simd, &[a, b, c]),
        splat_vector(simd, &[d, e, f]),
        splat_vector(simd, &[g, h, i]),
    ]
}

#[inline(always)]
pub(super) fn store_row<L: Lanes>(
    simd: L,
    numbers: [V<L>; 4],
    blocks: &mut [L::Block; 12],
    row: usize,
) {
    let [a, b, c, d] = numbers;
    simd.store(a, &mut blocks[4 * row]);
    simd.store(b, &mut blocks[4 * row + 1]);
    simd.store(c, &mut blocks[4 * row + 2]);
    simd.store(d, &mut blocks[4 * row + 3]);
}

#[inline(always)]
pub(super) fn load_row<L: Lanes>(simd: L, blocks: &[L::Block; 12], row: usize) -> [V<L>; 4] {
    [
        simd.load(&blocks[4 * row]),
        simd.load(&blocks[4 * row + 1]),
        simd.load(&blocks[4 * row + 2]),
        simd.load(&blocks[4 * row + 3]),
    ]
}

#[inline(always)]
pub(super) fn store_vector<L: Lanes>(simd: L, [x, y, z]: Vector<L>, blocks: &mut [L::Block; 3]) {
    simd.store(x, &mut blocks[0]);
    simd.store(y, &mut blocks[1]);
    simd.store(z, &mut blocks[2]);
}

#[inline(always)]
pub(super) fn load_vector<L: Lanes>(simd: L, [x, y, z]: &[L::Block; 3]) -> Vector<L> {
    [simd.load(x), simd.load(y), simd.load(z)]
}

#[inline(always)]
pub(super) fn store_matrix<L: Lanes>(simd: L, rows: Matrix<L>, blocks: &mut [L::Block; 9]) {
    for (row, numbers) in rows.into_iter().enumerate() {
        for (column, number) in numbers.into_iter().enumerate() {
            simd.store(number, &mut blocks[3 * row + column]);
        }
    }
}

#[inline(always)]
pub(super) fn load_matrix<L: Lanes>(simd: L, blocks: &[L::Block; 9]) -> Matrix<L> {
    let [a, b, c, d, e, f, g, h, i] = blocks;
    [
        [simd.load(a), simd.load(b), simd.load(c)],
        [simd.load(d), simd.load(e), simd.load(f)],
        [simd.load(g), simd.load(h), simd.load(i)],
    ]
}
