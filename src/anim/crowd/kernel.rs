//! Runs a program for a group of instances: one lane each, no branch depends on a lane.

use fearless_simd::prelude::*;
use glam::{Quat, Vec3};

use super::Member;
use super::{
    lanes::{Lanes, MAX_LANES, V},
    program::{
        Bind, Curve, Linear, Motion, Output, Program, Run, Step, Stretch, Terms, Translation,
    },
};
use crate::{
    anim::sample::value_at,
    model::{Clip, Track},
};

/// Numbers of a matrix in the palette.
pub(super) const NUMBERS: usize = 12;

/// A matrix of 3 rows and 4 columns for each instance.
pub(super) type Affine<L> = [[V<L>; 4]; 3];
/// A vector for each instance.
type Vector<L> = [V<L>; 3];
/// Rows of a 3×3 matrix for each instance.
type Matrix<L> = [Vector<L>; 3];

/// cos √y for 0 ≤ y ≤ (π/2)², Chebyshev interpolation: off by at most 4.7e-8.
const COS: [f32; 5] = [
    0.999_999_95,
    -0.499_999_05,
    0.041_663_573,
    -0.001_385_363,
    2.315_242e-5,
];
/// sin √y / √y for 0 ≤ y ≤ (π/2)², Chebyshev interpolation: off by at most 4.3e-9.
const SINC: [f32; 5] = [
    0.999_999_996,
    -0.166_666_58,
    0.008_333_05,
    -0.000_198_090_17,
    2.605_107_6e-6,
];

/// A group's instances: where each is in the clip, and where its row of each table starts.
#[derive(Debug)]
pub(super) struct Group<'p, L: Lanes> {
    pub fractions: V<L>,
    arcs: [&'p [[[f32; 4]; 2]]; MAX_LANES],
    quads: [&'p [[f32; 4]]; MAX_LANES],
    members: &'p [Member],
    /// For the tracks that are not in the tables.
    clip: Option<&'p Clip>,
}

impl<'p, L: Lanes> Group<'p, L> {
    #[inline(always)]
    pub(super) fn new(
        simd: L,
        program: &'p Program,
        clip: Option<&'p Clip>,
        members: &'p [Member],
    ) -> Self {
        let mut fractions = [0.0; MAX_LANES];
        let (mut arcs, mut quads) = ([&[][..]; MAX_LANES], [&[][..]; MAX_LANES]);
        for lane in 0..L::COUNT {
            // Lanes without an instance repeat the last one.
            let member = &members[lane.min(members.len() - 1)];
            let moment = program.spans.find(member.time_secs);
            fractions[lane] = moment.fraction;
            arcs[lane] = program.arcs.row(moment.span);
            quads[lane] = program.quads.row(moment.span);
        }
        Self {
            fractions: V::<L>::from_slice(simd, &fractions[..L::COUNT]),
            arcs,
            quads,
            members,
            clip,
        }
    }

    /// Asks the plain evaluator for each instance.
    fn sample(&self, values: &mut [[f32; 4]; MAX_LANES], value: impl Fn(&Clip, f64) -> [f32; 4]) {
        let Some(clip) = self.clip else { return };
        for (lane, sampled) in values.iter_mut().enumerate().take(L::COUNT) {
            *sampled = value(
                clip,
                self.members[lane.min(self.members.len() - 1)].time_secs,
            );
        }
    }
}

/// What a run of nodes leaves between its two halves, and what parents leave to their children.
#[derive(Debug)]
pub(super) struct Slots<'s, L: Lanes> {
    pub matrices: &'s mut [[L::Block; 9]],
    pub vectors: &'s mut [[L::Block; 3]],
    pub stack: &'s mut [[L::Block; 12]],
}

/// Poses a group and writes its share of the palette: that of lane `i` from `i * stride` on.
#[inline(always)]
pub(super) fn run<L: Lanes>(
    simd: L,
    program: &Program,
    group: &Group<'_, L>,
    places: Affine<L>,
    slots: &mut Slots<'_, L>,
    palette: &mut [f32],
    stride: u32,
) {
    for (row, place) in places.into_iter().enumerate() {
        store_row(simd, place, &mut slots.stack[0], row);
    }
    for Run { motions, steps } in &program.runs {
        for motion in motions {
            evaluate(simd, group, motion, slots);
        }
        for step in steps {
            place(simd, step, slots, palette, stride);
        }
    }
}

#[inline(always)]
fn evaluate<L: Lanes>(simd: L, group: &Group<'_, L>, motion: &Motion, slots: &mut Slots<'_, L>) {
    match *motion {
        Motion::Arc { arc, slot } => {
            let arc = arc as usize;
            let start = simd.gather(
                #[inline(always)]
                |lane| &group.arcs[lane][arc][0],
            );
            let velocity = simd.gather(
                #[inline(always)]
                |lane| &group.arcs[lane][arc][1],
            );
            let rotation = along_arc(simd, start, velocity, group.fractions);
            store_matrix(
                simd,
                unit_rotation(simd, rotation),
                &mut slots.matrices[slot as usize],
            );
        }
        Motion::Turn { curve, slot } => {
            let rotation = polynomial(simd, group, curve);
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
            let [x, y, z] = match scale {
                Stretch::Fixed(scale) => splat_vector(simd, scale),
                Stretch::Moving(curve) => {
                    let [x, y, z, _] = polynomial(simd, group, curve);
                    [x, y, z]
                }
                Stretch::Plain(track) => plain_vector(
                    simd,
                    group,
                    |clip| &clip.scales()[track as usize],
                    Quat::IDENTITY,
                ),
            };
            let matrix = &mut slots.matrices[slot as usize];
            let mut rows = load_matrix(simd, matrix);
            for [a, b, c] in &mut rows {
                (*a, *b, *c) = (*a * x, *b * y, *c * z);
            }
            store_matrix(simd, rows, matrix);
        }
        Motion::Shift { curve, slot } => {
            let [x, y, z, _] = polynomial(simd, group, curve);
            store_vector(simd, [x, y, z], &mut slots.vectors[slot as usize]);
        }
        Motion::PlainTurn {
            track,
            before,
            after,
            slot,
        } => {
            let rotation = plain_rotation(simd, group, track as usize, before, after);
            store_matrix(
                simd,
                unit_rotation(simd, rotation),
                &mut slots.matrices[slot as usize],
            );
        }
        Motion::PlainShift {
            track,
            before,
            slot,
        } => {
            let shift = plain_vector(
                simd,
                group,
                |clip| &clip.translations()[track as usize],
                before,
            );
            store_vector(simd, shift, &mut slots.vectors[slot as usize]);
        }
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
    before: Quat,
) -> Vector<L> {
    let mut values = [[0.0; 4]; MAX_LANES];
    group.sample(&mut values, |clip, time_secs| {
        let track = track(clip);
        let value = value_at(track, &clip.timelines()[track.timeline()], time_secs);
        (before * value).extend(0.0).to_array()
    });
    let [x, y, z, _] = simd.gather(
        #[inline(always)]
        |lane| &values[lane],
    );
    [x, y, z]
}

/// The unit quaternion at fraction `t` of an arc: see [`super::curve`].
#[inline(always)]
fn along_arc<L: Lanes>(simd: L, start: [V<L>; 4], velocity: [V<L>; 4], t: V<L>) -> [V<L>; 4] {
    let [vx, vy, vz, vw] = velocity;
    let squared = vx.mul_add(vx, vy.mul_add(vy, vz.mul_add(vz, vw * vw)));
    let y = squared * (t * t);
    let (cos, sin) = (horner(simd, y, COS), horner(simd, y, SINC) * t);
    let [px, py, pz, pw] = start;
    [
        vx.mul_add(sin, px * cos),
        vy.mul_add(sin, py * cos),
        vz.mul_add(sin, pz * cos),
        vw.mul_add(sin, pw * cos),
    ]
}

/// A polynomial of `y`.
#[inline(always)]
fn horner<L: Lanes>(simd: L, y: V<L>, coefficients: [f32; 5]) -> V<L> {
    let [a, b, c, d, e] = coefficients;
    let sum = y.mul_add(V::<L>::splat(simd, e), V::<L>::splat(simd, d));
    let sum = y.mul_add(sum, V::<L>::splat(simd, c));
    let sum = y.mul_add(sum, V::<L>::splat(simd, b));
    y.mul_add(sum, V::<L>::splat(simd, a))
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

/// The matrix of a quaternion, from it and from its vector part times 2 / length².
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
fn polynomial<L: Lanes>(simd: L, group: &Group<'_, L>, curve: Curve) -> [V<L>; 4] {
    let quad = curve.quad as usize;
    match curve.terms {
        Terms::One => term(simd, group, quad),
        Terms::Two => {
            let sum = term(simd, group, quad + 1);
            times_t_plus(group, sum, term(simd, group, quad))
        }
        Terms::Four => {
            let sum = term(simd, group, quad + 3);
            let sum = times_t_plus(group, sum, term(simd, group, quad + 2));
            let sum = times_t_plus(group, sum, term(simd, group, quad + 1));
            times_t_plus(group, sum, term(simd, group, quad))
        }
    }
}

/// One coefficient of a polynomial.
#[inline(always)]
fn term<L: Lanes>(simd: L, group: &Group<'_, L>, quad: usize) -> [V<L>; 4] {
    simd.gather(
        #[inline(always)]
        |lane| &group.quads[lane][quad],
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

/// Concatenates a node with its parent and writes what hangs on it.
#[inline(always)]
fn place<L: Lanes>(
    simd: L,
    step: &Step,
    slots: &mut Slots<'_, L>,
    palette: &mut [f32],
    stride: u32,
) {
    let Some([parent, own, ..]) = slots.stack.get_mut(step.depth as usize..) else {
        return;
    };
    let target = (palette, stride);
    match (&step.linear, step.translation) {
        (Linear::Moving(slot), Translation::Fixed(shift)) => {
            let local = &slots.matrices[*slot as usize];
            let shift = splat_vector(simd, shift);
            place_local(simd, step, parent, own, Loaded(local), shift, target);
        }
        (Linear::Moving(slot), Translation::Moving(shift)) => {
            let local = &slots.matrices[*slot as usize];
            let shift = load_vector(simd, &slots.vectors[shift as usize]);
            place_local(simd, step, parent, own, Loaded(local), shift, target);
        }
        (Linear::Fixed(local), Translation::Fixed(shift)) => {
            let shift = splat_vector(simd, shift);
            place_local(simd, step, parent, own, Splat(local), shift, target);
        }
        (Linear::Fixed(local), Translation::Moving(shift)) => {
            let shift = load_vector(simd, &slots.vectors[shift as usize]);
            place_local(simd, step, parent, own, Splat(local), shift, target);
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

/// The same for one kind of local matrix. It goes row by row, since a row of a product needs just that row of the left
/// factor: few vectors are alive at a time.
#[inline(always)]
fn place_local<L: Lanes>(
    simd: L,
    step: &Step,
    parent: &[L::Block; 12],
    own: &mut [L::Block; 12],
    local: impl Numbers<L>,
    shift: Vector<L>,
    (palette, stride): (&mut [f32], u32),
) {
    if let [
        Output {
            place,
            bind: Bind::Point(point),
        },
    ] = step.outputs[..]
    {
        // By far the most frequent case: a joint of one skin.
        let point = splat_vector(simd, point);
        let matrices = &mut palette[NUMBERS * place as usize..];
        for row in 0..3 {
            let mut world = row_of_product(simd, parent, row, local, shift);
            store_row(simd, world, own, row);
            world[3] = shifted::<L>(world, point);
            write_row(simd, world, row, matrices, stride);
        }
        return;
    }
    for row in 0..3 {
        let world = row_of_product(simd, parent, row, local, shift);
        store_row(simd, world, own, row);
    }
    for output in &step.outputs {
        let matrices = &mut palette[NUMBERS * output.place as usize..];
        for row in 0..3 {
            let bound = bound_row(simd, load_row(simd, own, row), &output.bind);
            write_row(simd, bound, row, matrices, stride);
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
        Bind::Point(point) => [a, b, c, shifted::<L>(world, splat_vector(simd, point))],
        Bind::Scaled(scale, point) => {
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

/// Writes a row of each instance's matrix: that of lane `i` to `numbers[i * stride..]`.
#[inline(always)]
fn write_row<L: Lanes>(simd: L, vectors: [V<L>; 4], row: usize, numbers: &mut [f32], stride: u32) {
    let stride = stride as usize;
    // Asked once here, so that not each of the stores asks.
    let Some(numbers) = numbers.get_mut(..(L::COUNT - 1) * stride + NUMBERS) else {
        return;
    };
    simd.scatter(
        vectors,
        #[inline(always)]
        |lane, quad: [f32; 4]| {
            let first = lane * stride + 4 * row;
            numbers[first..first + 4].copy_from_slice(&quad);
        },
    );
}

#[inline(always)]
fn splat_vector<L: Lanes>(simd: L, [x, y, z]: [f32; 3]) -> Vector<L> {
    [
        V::<L>::splat(simd, x),
        V::<L>::splat(simd, y),
        V::<L>::splat(simd, z),
    ]
}

#[inline(always)]
fn splat_row<L: Lanes>(simd: L, [x, y, z, w]: [f32; 4]) -> [V<L>; 4] {
    let [x, y, z] = splat_vector(simd, [x, y, z]);
    [x, y, z, V::<L>::splat(simd, w)]
}

#[inline(always)]
fn splat_matrix<L: Lanes>(simd: L, matrix: &[f32; 9]) -> Matrix<L> {
    let [a, b, c, d, e, f, g, h, i] = *matrix;
    [
        splat_vector(simd, [a, b, c]),
        splat_vector(simd, [d, e, f]),
        splat_vector(simd, [g, h, i]),
    ]
}

#[inline(always)]
fn store_row<L: Lanes>(simd: L, numbers: [V<L>; 4], blocks: &mut [L::Block; 12], row: usize) {
    let [a, b, c, d] = numbers;
    simd.store(a, &mut blocks[4 * row]);
    simd.store(b, &mut blocks[4 * row + 1]);
    simd.store(c, &mut blocks[4 * row + 2]);
    simd.store(d, &mut blocks[4 * row + 3]);
}

#[inline(always)]
fn load_row<L: Lanes>(simd: L, blocks: &[L::Block; 12], row: usize) -> [V<L>; 4] {
    [
        simd.load(&blocks[4 * row]),
        simd.load(&blocks[4 * row + 1]),
        simd.load(&blocks[4 * row + 2]),
        simd.load(&blocks[4 * row + 3]),
    ]
}

#[inline(always)]
fn store_vector<L: Lanes>(simd: L, [x, y, z]: Vector<L>, blocks: &mut [L::Block; 3]) {
    simd.store(x, &mut blocks[0]);
    simd.store(y, &mut blocks[1]);
    simd.store(z, &mut blocks[2]);
}

#[inline(always)]
fn load_vector<L: Lanes>(simd: L, [x, y, z]: &[L::Block; 3]) -> Vector<L> {
    [simd.load(x), simd.load(y), simd.load(z)]
}

#[inline(always)]
fn store_matrix<L: Lanes>(simd: L, rows: Matrix<L>, blocks: &mut [L::Block; 9]) {
    for (row, numbers) in rows.into_iter().enumerate() {
        for (column, number) in numbers.into_iter().enumerate() {
            simd.store(number, &mut blocks[3 * row + column]);
        }
    }
}

#[inline(always)]
fn load_matrix<L: Lanes>(simd: L, blocks: &[L::Block; 9]) -> Matrix<L> {
    let [a, b, c, d, e, f, g, h, i] = blocks;
    [
        [simd.load(a), simd.load(b), simd.load(c)],
        [simd.load(d), simd.load(e), simd.load(f)],
        [simd.load(g), simd.load(h), simd.load(i)],
    ]
}
