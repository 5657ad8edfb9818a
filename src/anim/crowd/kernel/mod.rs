//! Runs a program for a group of instances: a lane each. No branch depends on a lane.
//!
//! Everything here must be inlined into one function that is compiled for an instruction set, closures included: what is
//! left outside would be compiled without it. So there are loops where iterators would read better.

mod motions;
mod numbers;
mod steps;

use fearless_simd::prelude::*;

use super::{
    Member,
    lanes::{Lanes, MAX_LANES, V},
    program::{Program, Run},
};
use crate::model::Clip;

/// Numbers of a matrix in the palette.
pub(super) const NUMBERS: usize = 12;

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
        numbers::store_row(simd, place, &mut slots.stack[0], row);
    }
    for Run { motions, steps } in &program.runs {
        for motion in motions {
            motions::evaluate(simd, group, motion, slots);
        }
        for step in steps {
            steps::concatenate(simd, step, slots, palette, stride);
        }
    }
}
