//! Runs a program for a group of instances: a lane each. No branch depends on a lane.
//!
//! Everything here must be inlined into functions that are compiled for an instruction set, closures included: what is left
//! outside would be compiled without it. So there are loops where iterators would read better.

mod compact;
mod motions;
mod numbers;
mod prefetch;
mod shares;
mod steps;

use fearless_simd::prelude::*;

use super::{
    lanes::{Lanes, MAX_LANES, V},
    program::{Block, ENTRIES, Motion, Program, Run, Step, Table},
};
use crate::model::Clip;
pub(super) use compact::{COMPACT_ROWS, Motions, run_compact};
pub(super) use shares::{ROWS, Shares};

/// A matrix of 3 rows and 4 columns for each instance.
pub(super) type Affine<L> = [[V<L>; 4]; 3];
/// A vector for each instance.
pub(super) type Vector<L> = [V<L>; 3];
/// Rows of a 3×3 matrix for each instance.
pub(super) type Matrix<L> = [Vector<L>; 3];

/// A group's instances: where each is in the clip, and where its row of each table starts.
#[derive(Debug)]
pub(super) struct Group<'p, L: Lanes> {
    pub fractions: V<L>,
    /// Squares of the fractions.
    pub squares: V<L>,
    arcs: Rows<'p, [[f32; 4]; 2]>,
    quads: Rows<'p, [f32; 4]>,
    spans: [u32; MAX_LANES],
    times_secs: &'p [f64; MAX_LANES],
    /// For the tracks that are not in the tables.
    clip: Option<&'p Clip>,
}

/// A table, and for each instance the block of its row that is in use.
#[derive(Debug)]
struct Rows<'p, T> {
    table: &'p Table<T>,
    blocks: [&'p Block<T>; MAX_LANES],
    in_use: u32,
}

impl<'p, T> Rows<'p, T> {
    #[inline(always)]
    fn new(table: &'p Table<T>) -> Self {
        Self {
            table,
            blocks: [table.empty(); MAX_LANES],
            in_use: u32::MAX,
        }
    }

    /// The blocks that hold an entry, and its place there.
    #[inline(always)]
    fn around<L: Lanes>(
        &mut self,
        entry: u32,
        spans: &[u32; MAX_LANES],
    ) -> (&[&'p Block<T>; MAX_LANES], usize) {
        let index = entry / ENTRIES as u32;
        if index != self.in_use {
            let blocks = self.blocks.iter_mut().zip(spans);
            for (block, &span) in blocks.take(L::COUNT) {
                *block = self.table.block(span, index);
            }
            self.in_use = index;
        }
        (&self.blocks, entry as usize % ENTRIES)
    }
}

impl<'p, L: Lanes> Group<'p, L> {
    /// A group of as many instances as there are lanes, at these times.
    #[inline(always)]
    pub(super) fn new(
        simd: L,
        program: &'p Program,
        clip: Option<&'p Clip>,
        times_secs: &'p [f64; MAX_LANES],
    ) -> Self {
        let (mut fractions, mut spans) = ([0.0; MAX_LANES], [0; MAX_LANES]);
        if !program.spans.is_one_moment() {
            for lane in 0..L::COUNT {
                let moment = program.spans.find(times_secs[lane]);
                fractions[lane] = moment.fraction;
                spans[lane] = moment.span;
            }
        }
        let fractions = V::<L>::from_slice(simd, &fractions[..L::COUNT]);
        Self {
            fractions,
            squares: fractions * fractions,
            arcs: Rows::new(&program.arcs),
            quads: Rows::new(&program.quads),
            spans,
            times_secs,
            clip,
        }
    }

    /// The blocks that hold an arc, and its place there.
    #[inline(always)]
    fn arcs(&mut self, arc: u32) -> (&[&'p Block<[[f32; 4]; 2]>; MAX_LANES], usize) {
        self.arcs.around::<L>(arc, &self.spans)
    }

    /// The blocks that hold a quad, and its place there.
    #[inline(always)]
    fn quads(&mut self, quad: u32) -> (&[&'p Block<[f32; 4]>; MAX_LANES], usize) {
        self.quads.around::<L>(quad, &self.spans)
    }

    /// Asks the plain evaluator for each instance.
    fn sample(&self, values: &mut [[f32; 4]; MAX_LANES], value: impl Fn(&Clip, f64) -> [f32; 4]) {
        let Some(clip) = self.clip else { return };
        let times = values.iter_mut().zip(self.times_secs);
        for (sampled, &time_secs) in times.take(L::COUNT) {
            *sampled = value(clip, time_secs);
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

/// Poses a group and writes its shares of the palette.
#[inline(always)]
pub(super) fn run<L: Lanes>(
    simd: L,
    program: &Program,
    group: &mut Group<'_, L>,
    places: Affine<L>,
    slots: &mut Slots<'_, L>,
    shares: &mut Shares<'_, ROWS>,
) {
    for (row, place) in places.into_iter().enumerate() {
        numbers::store_row(simd, place, &mut slots.stack[0], row);
    }
    for Run { motions, steps } in &program.runs {
        evaluate(simd, group, motions, slots);
        concatenate(simd, steps, slots, shares);
    }
}

/// The first half of a run. Halves are functions of their own, since a compiler finds better places for their numbers than
/// for those of everything at once.
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
                motions::evaluate(simd, group, motion, slots);
            }
        },
    );
}

/// The second half of a run.
#[inline(never)]
fn concatenate<L: Lanes>(
    simd: L,
    steps: &[Step],
    slots: &mut Slots<'_, L>,
    shares: &mut Shares<'_, ROWS>,
) {
    simd.vectorize(
        #[inline(always)]
        || {
            for step in steps {
                steps::concatenate(simd, step, slots, shares);
            }
        },
    );
}
