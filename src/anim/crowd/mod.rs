//! Many instances of one model at once: several times faster than one after the other, and exact to the same digits.
//!
//! A reader meets the plain evaluator first: [`crate::anim::sample()`], [`Pose`](crate::anim::Pose),
//! [`Palette::push`](crate::anim::Palette::push). What is here means the same. It differs in this:
//!
//! - One lane of a SIMD vector is one instance (`lanes`): 4, 8 or 16 instances walk the nodes together.
//! - Each clip is brought to one list of moments (`spans`), so each instance is looked up once, without state.
//! - What a track does within a span is worked out beforehand (`curve`), in a form that needs neither division nor root.
//! - Bind matrices are folded into the tracks, nodes that stand still into those above (`bake`).
//! - The resulting `program` is run by the `kernel`.
//!
//! # Limits
//!
//! Of properties ([`Clip::properties`](crate::model::Clip::properties)) nothing moves: a crowd shows what the file's own pose
//! shows, and tracks that name a single morph weight (`/nodes/n/weights/i`) do nothing in it. Those of all weights of a node
//! are played.

mod bake;
mod curve;
mod frame;
mod kernel;
mod lanes;
mod morphs;
mod program;
mod spans;
#[cfg(test)]
mod tests;

use std::cell::RefCell;

use fearless_simd::{Level, Simd};
use rayon::prelude::*;

use crate::{
    anim::{ActiveMorph, PaletteLayout, PaletteMatrix},
    model::{Clip, Model},
};

use kernel::{Affine, Group, ROWS, Shares, Slots};
use lanes::{Lanes, MAX_LANES};
use program::Program;

/// An instance of a model at one moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Member {
    /// The time within the clip; clamped to its keys, never looped.
    pub time_secs: f64,
    /// Where the instance is: three rows of an affine matrix.
    pub world_from_root: PaletteMatrix,
}

/// A clip of a model, laid out for crowds.
#[derive(Debug)]
pub struct CrowdClip {
    program: Program,
    /// Index of the clip; none for the model at rest.
    clip: Option<usize>,
    /// Matrices an instance.
    stride: usize,
    /// Matrices from the instance itself to the deepest node.
    stack: usize,
    level: Level,
}

/// Members that a thread takes at once: enough to outweigh taking them, few enough to share out evenly.
const MEMBERS_AT_ONCE: usize = 64;

impl CrowdClip {
    /// Lays out what `layout` shows of a model in a clip (an index); without a clip the model at rest.
    pub fn new(model: &Model, layout: &PaletteLayout, clip: Option<usize>) -> Self {
        let program = bake::bake(model, layout, clip.and_then(|clip| model.clips.get(clip)));
        let steps = program.runs.iter().flat_map(|run| &run.steps);
        let deepest = steps.map(|step| step.depth).max().unwrap_or(0);
        Self {
            program,
            clip,
            stride: layout.matrices_per_instance(),
            stack: deepest as usize + 2,
            level: Level::new(),
        }
    }

    /// The same with vectors of at most `lanes` instances, down to 4: for tests and comparisons.
    pub fn with_lanes(self, lanes: usize) -> Self {
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        let level = match lanes {
            16.. => self.level,
            8.. => self.level.as_avx2().map_or(self.level, Simd::level),
            _ => self.level.as_sse2().map_or(self.level, Simd::level),
        };
        #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
        let level = {
            let _ = lanes;
            self.level
        };
        Self { level, ..self }
    }

    /// Poses `members` of the model that the clip was laid out for, and writes their matrices one after the other:
    /// as many for each as the layout says.
    pub fn pose(&self, model: &Model, members: &[Member], matrices: &mut [PaletteMatrix]) {
        let clip = self.clip.and_then(|clip| model.clips.get(clip));
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        {
            if let Some(simd) = self.level.as_avx512() {
                return self.pose_lanes(simd, clip, members, matrices);
            }
            if let Some(simd) = self.level.as_avx2() {
                return self.pose_lanes(simd, clip, members, matrices);
            }
            if let Some(simd) = self.level.as_sse2() {
                self.pose_lanes(simd, clip, members, matrices);
            }
        }
        #[cfg(target_arch = "aarch64")]
        if let Some(simd) = self.level.as_neon() {
            self.pose_lanes(simd, clip, members, matrices);
        }
        #[cfg(not(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")))]
        self.pose_lanes(fearless_simd::Fallback::new(), clip, members, matrices);
    }

    /// [`CrowdClip::pose`] on all threads.
    pub fn pose_on_all_threads(
        &self,
        model: &Model,
        members: &[Member],
        matrices: &mut [PaletteMatrix],
    ) {
        if self.stride == 0 || members.len() <= MEMBERS_AT_ONCE {
            return self.pose(model, members, matrices);
        }
        let shares = matrices.par_chunks_mut(MEMBERS_AT_ONCE * self.stride);
        let members = members.par_chunks(MEMBERS_AT_ONCE);
        members
            .zip(shares)
            .for_each(|(members, matrices)| self.pose(model, members, matrices));
    }

    /// Appends the morphs that are on at a time on one of the layout's placements.
    pub fn push_morphs(&self, placement: usize, time_secs: f64, morphs: &mut Vec<ActiveMorph>) {
        if let Some(of_placement) = self.program.morphs.get(placement) {
            of_placement.push(time_secs, morphs);
        }
    }

    fn pose_lanes<L: Lanes>(
        &self,
        simd: L,
        clip: Option<&Clip>,
        members: &[Member],
        matrices: &mut [PaletteMatrix],
    ) {
        SCRATCH.with_borrow_mut(|scratch| {
            simd.vectorize(
                #[inline(always)]
                || self.pose_groups(simd, clip, members, matrices, scratch),
            );
        });
    }

    #[inline(always)]
    fn pose_groups<L: Lanes>(
        &self,
        simd: L,
        clip: Option<&Clip>,
        members: &[Member],
        matrices: &mut [PaletteMatrix],
        scratch: &mut Scratch,
    ) {
        if self.stride == 0 || members.is_empty() {
            return;
        }
        let Scratch { slots, spill } = scratch;
        let mut slots = cut_slots::<L>(slots, self.stack);
        let whole = L::COUNT * ROWS * self.stride;
        let matrices: &mut [[f32; 4]] = bytemuck::cast_slice_mut(matrices);
        let groups = members.chunks(L::COUNT).zip(matrices.chunks_mut(whole));
        for (members, out) in groups {
            if let Some(members) = members.get(..L::COUNT)
                && let Some(out) = out.get_mut(..whole)
            {
                self.pose_group(simd, clip, members, out, &mut slots);
            } else {
                // The last group may be short: its last member fills it, and the matrices of those in use are copied.
                let mut filled = [members[members.len() - 1]; MAX_LANES];
                filled[..members.len()].copy_from_slice(members);
                spill.resize(whole, [0.0; 4]);
                self.pose_group(simd, clip, &filled[..L::COUNT], spill, &mut slots);
                out.copy_from_slice(&spill[..out.len()]);
            }
        }
    }

    /// Poses as many members as there are lanes.
    #[inline(always)]
    fn pose_group<L: Lanes>(
        &self,
        simd: L,
        clip: Option<&Clip>,
        members: &[Member],
        out: &mut [[f32; 4]],
        slots: &mut Slots<'_, L>,
    ) {
        let mut group = Group::new(simd, &self.program, clip, members);
        let places = group_places(simd, members);
        let mut shares = Shares::new(out, self.stride);
        kernel::run(simd, &self.program, &mut group, places, slots, &mut shares);
    }
}

/// Memory that a thread needs to pose a group; kept, so that nothing is allocated once it has grown.
#[derive(Debug, Default)]
struct Scratch {
    slots: Vec<f32>,
    spill: Vec<[f32; 4]>,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// Where the instances of a group are.
#[inline(always)]
fn group_places<L: Lanes>(simd: L, members: &[Member]) -> Affine<L> {
    [
        gather_row(simd, members, 0),
        gather_row(simd, members, 1),
        gather_row(simd, members, 2),
    ]
}

#[inline(always)]
fn gather_row<L: Lanes>(simd: L, members: &[Member], row: usize) -> [lanes::V<L>; 4] {
    simd.gather(
        #[inline(always)]
        |lane| members[lane].world_from_root[row].as_ref(),
    )
}

/// Cuts the memory of a thread into slots.
fn cut_slots<L: Lanes>(numbers: &mut Vec<f32>, stack: usize) -> Slots<'_, L> {
    const CACHE_LINE: usize = 16;
    let blocks = bake::NODES_IN_RUN * (9 + 3) + stack * 12;
    let length = blocks * MAX_LANES + CACHE_LINE;
    if numbers.len() < length {
        numbers.resize(length, 0.0);
    }
    // Vectors that lie across two cache lines cost twice.
    let skipped = numbers.as_ptr().align_offset(CACHE_LINE * size_of::<f32>());
    let blocks = L::blocks(&mut numbers[skipped.min(CACHE_LINE)..]);
    let (matrices, blocks) = blocks.split_at_mut(bake::NODES_IN_RUN * 9);
    let (vectors, stack) = blocks.split_at_mut(bake::NODES_IN_RUN * 3);
    Slots {
        matrices: matrices.as_chunks_mut().0,
        vectors: vectors.as_chunks_mut().0,
        stack: stack.as_chunks_mut().0,
    }
}
