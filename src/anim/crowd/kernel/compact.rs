//! Runs compact steps for a group of instances: `(t, s, R)` in 8 vectors where a matrix takes 12.

use fearless_simd::prelude::*;

use super::{
    Group, Slots, Vector,
    motions::{self, quaternion},
    numbers::{load_vector, splat_row, splat_vector, store_vector},
    shares::Shares,
};
use crate::anim::crowd::{
    compact::{CompactBind, CompactRun, CompactStep, Rotation, Scale},
    lanes::{Lanes, V},
    program::{Motion, Stretch, Translation},
};

/// A rotation, a translation and a scale for each instance.
#[derive(Clone, Copy)]
pub(in crate::anim::crowd) struct Motions<L: Lanes> {
    pub rotation: [V<L>; 4],
    pub place: [V<L>; 4],
}

/// Rows of a compact matrix in the palette.
pub(in crate::anim::crowd) const COMPACT_ROWS: usize = 2;

/// Poses a group and writes its shares of the palette.
#[inline(always)]
pub(in crate::anim::crowd) fn run_compact<L: Lanes>(
    simd: L,
    runs: &[CompactRun],
    group: &mut Group<'_, L>,
    places: Motions<L>,
    slots: &mut Slots<'_, L>,
    shares: &mut Shares<'_, COMPACT_ROWS>,
) {
    store(simd, places, &mut slots.stack[0]);
    for CompactRun { motions, steps } in runs {
        evaluate(simd, group, motions, slots);
        concatenate(simd, steps, slots, shares);
    }
}

/// The first half of a run: a function of its own, as that of the full program.
#[inline(never)]
fn evaluate<L: Lanes>(
    simd: L,
    group: &mut Group<'_, L>,
    motions: &[Motion],
    slots: &mut Slots<'_, L>,
) {
    simd.vectorize(
        #[inline(always)]
        || {
            for motion in motions {
                evaluate_one(simd, group, motion, slots);
            }
        },
    );
}

#[inline(always)]
fn evaluate_one<L: Lanes>(
    simd: L,
    group: &mut Group<'_, L>,
    motion: &Motion,
    slots: &mut Slots<'_, L>,
) {
    match *motion {
        Motion::Arc { slot, .. } | Motion::Turn { slot, .. } | Motion::PlainTurn { slot, .. } => {
            let numbers = quaternion(simd, group, motion);
            let numbers = if matches!(motion, Motion::Turn { .. }) {
                unit::<L>(simd, numbers)
            } else {
                numbers
            };
            let blocks = &mut slots.matrices[slot as usize];
            for (index, number) in numbers.into_iter().enumerate() {
                simd.store(number, &mut blocks[index]);
            }
        }
        Motion::Stretch { scale, slot } => {
            // It is even, or nearly.
            let scale = match scale {
                Stretch::Fixed([x, y, z]) => V::<L>::splat(simd, (x + y + z) / 3.0),
                Stretch::Moving(_) | Stretch::Plain(_) => motions::stretch(simd, group, scale)[0],
            };
            simd.store(scale, &mut slots.matrices[slot as usize][4]);
        }
        Motion::Shift { slot, .. } | Motion::PlainShift { slot, .. } => {
            let shift = motions::shift(simd, group, motion);
            store_vector(simd, shift, &mut slots.vectors[slot as usize]);
        }
        Motion::Fixed { .. } => {}
    }
}

/// A quaternion of any length as a unit one; the identity if it has none.
#[inline(always)]
fn unit<L: Lanes>(simd: L, [x, y, z, w]: [V<L>; 4]) -> [V<L>; 4] {
    let squared = x.mul_add(x, y.mul_add(y, z.mul_add(z, w * w)));
    let (one, least) = (
        V::<L>::splat(simd, 1.0),
        V::<L>::splat(simd, f32::MIN_POSITIVE),
    );
    let scale = one / squared.max(least).sqrt();
    // 1 for what has no length, and 0 for all else.
    let is_none = (one - squared * V::<L>::splat(simd, 1.0 / f32::MIN_POSITIVE))
        .max(V::<L>::splat(simd, 0.0));
    [x * scale, y * scale, z * scale, w.mul_add(scale, is_none)]
}

/// The second half of a run.
#[inline(never)]
fn concatenate<L: Lanes>(
    simd: L,
    steps: &[CompactStep],
    slots: &mut Slots<'_, L>,
    shares: &mut Shares<'_, COMPACT_ROWS>,
) {
    simd.vectorize(
        #[inline(always)]
        || {
            for step in steps {
                concatenate_one(simd, step, slots, shares);
            }
        },
    );
}

#[inline(always)]
fn concatenate_one<L: Lanes>(
    simd: L,
    step: &CompactStep,
    slots: &mut Slots<'_, L>,
    shares: &mut Shares<'_, COMPACT_ROWS>,
) {
    let Some([parent, own, ..]) = slots.stack.get_mut(step.depth as usize..) else {
        return;
    };
    let shift = match &step.translation {
        Translation::Fixed(shift) => splat_vector(simd, shift),
        Translation::Moving(slot) => load_vector(simd, &slots.vectors[*slot as usize]),
    };
    let rotation = match step.rotation {
        Rotation::Fixed(rotation) => splat_row(simd, rotation),
        Rotation::Moving(slot) => {
            let [x, y, z, w, ..] = &slots.matrices[slot as usize];
            [simd.load(x), simd.load(y), simd.load(z), simd.load(w)]
        }
    };
    let parent = load(simd, parent);
    let mut world = Motions {
        rotation: product::<L>(parent.rotation, rotation),
        place: shifted::<L>(parent, shift),
    };
    match step.scale {
        Scale::One => {}
        Scale::Fixed(scale) => world.place[3] = parent.place[3] * V::<L>::splat(simd, scale),
        Scale::Moving(slot) => {
            world.place[3] = parent.place[3] * simd.load(&slots.matrices[slot as usize][4]);
        }
    }
    if step.has_children {
        store(simd, world, own);
    }
    for output in &step.outputs {
        let mut bound = world;
        match output.bind {
            CompactBind::None => {}
            CompactBind::Point(point) => {
                bound.place = shifted::<L>(world, splat_vector(simd, &point));
            }
            CompactBind::Any {
                rotation,
                scale,
                point,
            } => {
                bound.rotation = product::<L>(world.rotation, splat_row(simd, rotation));
                bound.place = shifted::<L>(world, splat_vector(simd, &point));
                bound.place[3] = world.place[3] * V::<L>::splat(simd, scale);
            }
        }
        let Some(mut matrices) = shares.matrices::<L>(output.place, output.next) else {
            return;
        };
        matrices.write_row(simd, bound.rotation, 0);
        matrices.write_row(simd, bound.place, 1);
    }
}

#[inline(always)]
fn load<L: Lanes>(simd: L, blocks: &[L::Block; 12]) -> Motions<L> {
    let [a, b, c, d, e, f, g, h, ..] = blocks;
    Motions {
        rotation: [simd.load(a), simd.load(b), simd.load(c), simd.load(d)],
        place: [simd.load(e), simd.load(f), simd.load(g), simd.load(h)],
    }
}

#[inline(always)]
fn store<L: Lanes>(simd: L, motions: Motions<L>, blocks: &mut [L::Block; 12]) {
    let [a, b, c, d, e, f, g, h, ..] = blocks;
    simd.store(motions.rotation[0], a);
    simd.store(motions.rotation[1], b);
    simd.store(motions.rotation[2], c);
    simd.store(motions.rotation[3], d);
    simd.store(motions.place[0], e);
    simd.store(motions.place[1], f);
    simd.store(motions.place[2], g);
    simd.store(motions.place[3], h);
}

/// A point, turned, scaled and shifted; the scale comes along as the fourth number.
///
/// `R v = v + w t + u × t` with `t = 2 u × v` for the unit quaternion `(u, w)`.
#[inline(always)]
fn shifted<L: Lanes>(by: Motions<L>, [x, y, z]: Vector<L>) -> [V<L>; 4] {
    let [qx, qy, qz, qw] = by.rotation;
    let [px, py, pz, scale] = by.place;
    let (dx, dy, dz) = (qx + qx, qy + qy, qz + qz);
    let tx = dy.mul_sub(z, dz * y);
    let ty = dz.mul_sub(x, dx * z);
    let tz = dx.mul_sub(y, dy * x);
    let rx = qw.mul_add(tx, qy.mul_sub(tz, qz * ty)) + x;
    let ry = qw.mul_add(ty, qz.mul_sub(tx, qx * tz)) + y;
    let rz = qw.mul_add(tz, qx.mul_sub(ty, qy * tx)) + z;
    [
        scale.mul_add(rx, px),
        scale.mul_add(ry, py),
        scale.mul_add(rz, pz),
        scale,
    ]
}

/// The product of quaternions: first `b`, then `a`.
#[inline(always)]
fn product<L: Lanes>([ax, ay, az, aw]: [V<L>; 4], [bx, by, bz, bw]: [V<L>; 4]) -> [V<L>; 4] {
    [
        aw.mul_add(bx, ax.mul_add(bw, ay.mul_sub(bz, az * by))),
        aw.mul_add(by, ay.mul_add(bw, az.mul_sub(bx, ax * bz))),
        aw.mul_add(bz, az.mul_add(bw, ax.mul_sub(by, ay * bx))),
        aw.mul_sub(bw, ax.mul_add(bx, ay.mul_add(by, az * bz))),
    ]
}
