//! Concatenates nodes with their parents and writes the palette.

use fearless_simd::prelude::*;

use super::{
    Slots, Vector,
    numbers::{load_row, load_vector, splat_row, splat_vector, store_row},
    shares::{ROWS, Shares},
};
use crate::anim::crowd::{
    lanes::{Lanes, V},
    program::{Bind, Linear, Output, Outputs, Step, Translation},
};

/// Concatenates a node with its parent and writes what hangs on it.
#[inline(always)]
pub(super) fn concatenate<L: Lanes>(
    simd: L,
    step: &Step,
    slots: &mut Slots<'_, L>,
    shares: &mut Shares<'_, ROWS>,
) {
    let Some([parent, own, ..]) = slots.stack.get_mut(step.depth as usize..) else {
        return;
    };
    let shift = match &step.translation {
        Translation::Fixed(shift) => splat_vector(simd, shift),
        Translation::Moving(slot) => load_vector(simd, &slots.vectors[*slot as usize]),
    };
    match &step.linear {
        Linear::Moving(slot) => {
            let local = &slots.matrices[*slot as usize];
            concatenate_local(simd, step, parent, own, Loaded(local), shift, shares);
        }
        Linear::Fixed(local) => {
            concatenate_local(simd, step, parent, own, Splat(local), shift, shares);
        }
    }
}

/// Numbers that are fetched when they are needed: there are fewer registers than a step has numbers.
trait Numbers<L: Lanes>: Copy {
    fn get(self, simd: L, index: usize) -> V<L>;
}

/// Numbers of each instance.
#[derive(Clone, Copy)]
struct Loaded<'b, B>(&'b [B; 9]);
/// Numbers that all instances have in common.
#[derive(Clone, Copy)]
struct Splat<'b>(&'b [f32; 9]);

impl<L: Lanes> Numbers<L> for Loaded<'_, L::Block> {
    #[inline(always)]
    fn get(self, simd: L, index: usize) -> V<L> {
        simd.load(&self.0[index])
    }
}

impl<L: Lanes> Numbers<L> for Splat<'_> {
    #[inline(always)]
    fn get(self, simd: L, index: usize) -> V<L> {
        V::<L>::splat(simd, self.0[index])
    }
}

/// [`concatenate`] for one kind of local matrix. It goes row by row, since a row of a product needs just that row of the
/// left factor: few vectors are alive at a time.
#[inline(always)]
fn concatenate_local<L: Lanes>(
    simd: L,
    step: &Step,
    parent: &[L::Block; 12],
    own: &mut [L::Block; 12],
    local: impl Numbers<L>,
    shift: Vector<L>,
    shares: &mut Shares<'_, ROWS>,
) {
    match &step.outputs {
        Outputs::One(Output {
            place,
            bind: Bind::Point(point),
            next,
        }) => {
            let point = splat_vector(simd, point);
            let Some(mut matrices) = shares.matrices::<L>(*place, *next) else {
                return;
            };
            // Two loops: one that asks for every row whether there are children took 1 % more instructions.
            if step.has_children {
                for row in 0..3 {
                    let mut world = row_of_product(simd, parent, row, local, shift);
                    store_row(simd, world, own, row);
                    world[3] = shifted::<L>(world, point);
                    matrices.write_row(simd, world, row);
                }
            } else {
                for row in 0..3 {
                    let mut world = row_of_product(simd, parent, row, local, shift);
                    world[3] = shifted::<L>(world, point);
                    matrices.write_row(simd, world, row);
                }
            }
        }
        outputs => {
            for row in 0..3 {
                let world = row_of_product(simd, parent, row, local, shift);
                store_row(simd, world, own, row);
            }
            let outputs = match outputs {
                Outputs::None => &[],
                Outputs::One(one) => std::slice::from_ref(one),
                Outputs::Many(many) => &many[..],
            };
            for output in outputs {
                let Some(mut matrices) = shares.matrices::<L>(output.place, output.next) else {
                    return;
                };
                for row in 0..3 {
                    let bound = bound_row(simd, load_row(simd, own, row), &output.bind);
                    matrices.write_row(simd, bound, row);
                }
            }
        }
    }
}

/// A row of `world_from_node`, from that of `world_from_parent`.
#[inline(always)]
fn row_of_product<L: Lanes>(
    simd: L,
    parent: &[L::Block; 12],
    row: usize,
    local: impl Numbers<L>,
    shift: Vector<L>,
) -> [V<L>; 4] {
    let parent = load_row(simd, parent, row);
    let [a, b, c, _] = parent;
    let mut product = [shifted::<L>(parent, shift); 4];
    for (column, number) in product.iter_mut().enumerate().take(3) {
        let sum = c * local.get(simd, 6 + column);
        let sum = b.mul_add(local.get(simd, 3 + column), sum);
        *number = a.mul_add(local.get(simd, column), sum);
    }
    product
}

/// A row of a matrix times a point.
#[inline(always)]
fn shifted<L: Lanes>([a, b, c, d]: [V<L>; 4], [x, y, z]: Vector<L>) -> V<L> {
    a.mul_add(x, b.mul_add(y, c.mul_add(z, d)))
}

/// A row of `world_from_mesh`, from that of `world_from_node`.
#[inline(always)]
fn bound_row<L: Lanes>(simd: L, world: [V<L>; 4], bind: &Bind) -> [V<L>; 4] {
    let [a, b, c, _] = world;
    match *bind {
        Bind::None => world,
        Bind::Point(ref point) => [a, b, c, shifted::<L>(world, splat_vector(simd, point))],
        Bind::Scaled(scale, ref point) => {
            let scale = V::<L>::splat(simd, scale);
            let shifted = shifted::<L>(world, splat_vector(simd, point));
            [a * scale, b * scale, c * scale, shifted]
        }
        Bind::Affine(ref rows) => {
            let i = splat_row(simd, rows[0]);
            let j = splat_row(simd, rows[1]);
            let k = splat_row(simd, rows[2]);
            [
                a.mul_add(i[0], b.mul_add(j[0], c * k[0])),
                a.mul_add(i[1], b.mul_add(j[1], c * k[1])),
                a.mul_add(i[2], b.mul_add(j[2], c * k[2])),
                shifted::<L>(world, [i[3], j[3], k[3]]),
            ]
        }
    }
}
