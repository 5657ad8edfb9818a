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
//! What vectors do not cover goes through the plain evaluator, an instance after the other and for those tracks alone:
//! tracks that would make the tables too large, single morph weights and visibility (`KHR_animation_pointer`).
//!
//! **Compact form.** Where all matrices turn, shift and scale evenly ([`super::evenness`]) the same program is run with
//! quaternions (`compact`), and writes 32 bytes a matrix instead of 48.

mod bake;
mod compact;
mod curve;
mod form;
mod frame;
mod kernel;
mod lanes;
mod morphs;
mod outputs;
mod program;
mod sight;
mod sink;
mod spans;
#[cfg(test)]
mod tests;

use std::cell::RefCell;

use fearless_simd::{Level, Simd};

use crate::{
    anim::{
        ActiveMorph, CompactMatrix, PaletteForm, PaletteLayout, PaletteMatrix,
        evenness::{Unevenness, may_change_sides, unevenness},
    },
    model::{Clip, Model},
};

use compact::CompactRun;
use form::{Compact, Form, Full};
use kernel::{Group, Slots};
use lanes::{Lanes, MAX_LANES};
use program::Program;
pub use sink::Sink;

/// An instance of a model at one moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Member<M = PaletteMatrix> {
    /// The time within the clip; clamped to its keys, never looped.
    pub time_secs: f64,
    /// Where the instance is: an affine matrix.
    pub world_from_root: M,
}

/// A clip of a model, laid out for crowds.
#[derive(Debug)]
pub struct CrowdClip {
    program: Program,
    /// Its steps by quaternions, if all matrices have a compact form.
    compact: Option<Vec<CompactRun>>,
    uneven: Unevenness,
    played: Played,
    /// Matrices an instance.
    stride: usize,
    /// Matrices from the instance itself to the deepest node.
    stack: usize,
    level: Level,
}

/// What is laid out.
#[derive(Debug)]
enum Played {
    /// The model at rest.
    Rest,
    /// The model's clip of this index.
    OfModel(usize),
    /// Another clip.
    Own(Box<Clip>),
}

impl Played {
    fn clip<'a>(&'a self, model: &'a Model) -> Option<&'a Clip> {
        match self {
            Self::Rest => None,
            Self::OfModel(index) => model.clips.get(*index),
            Self::Own(clip) => Some(clip),
        }
    }
}

/// Members that a thread takes at once: enough to outweigh taking them, few enough to share out evenly.
const MEMBERS_AT_ONCE: usize = 64;

impl CrowdClip {
    /// Lays out what `layout` shows of a model in a clip (an index); without a clip the model at rest.
    pub fn new(model: &Model, layout: &PaletteLayout, clip: Option<usize>) -> Self {
        Self::lay_out(model, layout, clip.map_or(Played::Rest, Played::OfModel))
    }

    /// Lays out a clip that is not the model's own, but of its nodes.
    pub fn of_clip(model: &Model, layout: &PaletteLayout, clip: Clip) -> Self {
        Self::lay_out(model, layout, Played::Own(Box::new(clip)))
    }

    fn lay_out(model: &Model, layout: &PaletteLayout, played: Played) -> Self {
        let clip = played.clip(model);
        let program = bake::bake(model, layout, clip);
        let steps = program.runs.iter().flat_map(|run| &run.steps);
        let deepest = steps.map(|step| step.depth).max().unwrap_or(0);
        let uneven = unevenness(model, layout, clip);
        let is_near = uneven.allows_compact(true);
        Self {
            compact: compact::compact(&program.runs).filter(|_| is_near),
            uneven,
            program,
            played,
            stride: layout.matrices_per_instance(),
            stack: deepest as usize + 2,
            level: Level::new(),
        }
    }

    /// This clip, posed with vectors of at most `lanes` instances, down to 4: for tests and comparisons.
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

    /// Whether what mirrors at one time may not do so at another.
    pub fn may_change_sides(&self, model: &Model) -> bool {
        let clip = self.played.clip(model);
        clip.is_some_and(|clip| may_change_sides(model, clip))
    }

    /// Whether all its matrices have a compact form, or one that is near enough for who asked for it: see
    /// [`crate::anim::evenness`].
    pub fn is_compact(&self, is_asked_for: bool) -> bool {
        self.compact.is_some() && self.uneven.allows_compact(is_asked_for)
    }

    /// The form that the matrices of a clip (an index) take if nobody asks for another.
    pub fn form_of(model: &Model, layout: &PaletteLayout, clip: usize) -> PaletteForm {
        let is_even = unevenness(model, layout, model.clips.get(clip)).allows_compact(false);
        if is_even && Self::new(model, layout, Some(clip)).is_compact(false) {
            PaletteForm::Compact
        } else {
            PaletteForm::Full
        }
    }

    /// Poses `members` of the model that the clip was laid out for, and writes their matrices one after the other:
    /// as many for each as the layout says.
    pub fn pose(&self, model: &Model, members: &[Member], matrices: &mut [PaletteMatrix]) {
        self.pose_as::<Full, _>(model, members, bytemuck::cast_slice_mut(matrices));
    }

    /// [`CrowdClip::pose`] on all threads.
    pub fn pose_all(&self, model: &Model, members: &[Member], matrices: &mut [PaletteMatrix]) {
        let rows: &mut [[f32; 4]] = bytemuck::cast_slice_mut(matrices);
        self.write(model, members, rows);
    }

    /// [`CrowdClip::pose_all`] into memory of any kind.
    pub fn write<'s, S: Sink<'s>>(&self, model: &Model, members: &[Member], out: S) {
        self.share_out::<Full, _>(model, members, out);
    }

    /// [`CrowdClip::write`] in compact form, if the clip has one; else it does nothing.
    pub fn write_compact<'s, S: Sink<'s>>(
        &self,
        model: &Model,
        members: &[Member<CompactMatrix>],
        out: S,
    ) {
        self.share_out::<Compact, _>(model, members, out);
    }

    fn share_out<'s, F: Form, S: Sink<'s>>(
        &self,
        model: &Model,
        members: &[Member<F::Matrix>],
        out: S,
    ) {
        if self.stride == 0 || members.len() <= MEMBERS_AT_ONCE {
            return self.pose_as::<F, _>(model, members, out);
        }
        let half = (members.len() / 2).next_multiple_of(MEMBERS_AT_ONCE);
        let (members, others) = members.split_at(half.min(members.len()));
        let (out, rest) = out.split(members.len() * F::ROWS * self.stride);
        rayon::join(
            || self.share_out::<F, _>(model, members, out),
            || self.share_out::<F, _>(model, others, rest),
        );
    }

    fn pose_as<'s, F: Form, S: Sink<'s>>(
        &self,
        model: &Model,
        members: &[Member<F::Matrix>],
        out: S,
    ) {
        let clip = self.played.clip(model);
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        {
            if let Some(simd) = self.level.as_avx512() {
                return self.pose_lanes::<F, _, _>(simd, clip, members, out);
            }
            if let Some(simd) = self.level.as_avx2() {
                return self.pose_lanes::<F, _, _>(simd, clip, members, out);
            }
            if let Some(simd) = self.level.as_sse2() {
                self.pose_lanes::<F, _, _>(simd, clip, members, out);
            }
        }
        #[cfg(target_arch = "aarch64")]
        if let Some(simd) = self.level.as_neon() {
            self.pose_lanes::<F, _, _>(simd, clip, members, out);
        }
        #[cfg(not(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")))]
        self.pose_lanes::<F, _, _>(fearless_simd::Fallback::new(), clip, members, out);
    }

    /// Appends the morphs that are on at a time on one of the layout's placements, and says whether it is shown then.
    pub fn describe(
        &self,
        model: &Model,
        placement: usize,
        time_secs: f64,
        morphs: &mut Vec<ActiveMorph>,
    ) -> bool {
        let clip = self.played.clip(model);
        let is_shown = self.program.sights.get(placement);
        if !is_shown.is_none_or(|sight| sight.is_shown(clip, time_secs)) {
            return false;
        }
        if let Some(of_placement) = self.program.morphs.get(placement) {
            of_placement.push(clip, time_secs, morphs);
        }
        true
    }

    fn pose_lanes<'s, F: Form, L: Lanes, S: Sink<'s>>(
        &self,
        simd: L,
        clip: Option<&Clip>,
        members: &[Member<F::Matrix>],
        out: S,
    ) {
        SCRATCH.with_borrow_mut(|scratch| {
            simd.vectorize(
                #[inline(always)]
                || self.pose_groups::<F, L, S>(simd, clip, members, out, scratch),
            );
        });
    }

    #[inline(always)]
    fn pose_groups<'s, F: Form, L: Lanes, S: Sink<'s>>(
        &self,
        simd: L,
        clip: Option<&Clip>,
        members: &[Member<F::Matrix>],
        mut out: S,
        scratch: &mut Scratch,
    ) {
        if self.stride == 0 || members.is_empty() {
            return;
        }
        let Scratch { slots, spill } = scratch;
        let mut slots = cut_slots::<L>(slots, self.stack);
        let rows = F::ROWS * self.stride;
        let whole = L::COUNT * rows;
        for members in members.chunks(L::COUNT) {
            let (mut own, rest) = out.split(members.len() * rows);
            out = rest;
            if let Some(members) = members.get(..L::COUNT)
                && let Some(own) = own.rows()
                && let Some(own) = own.get_mut(..whole)
            {
                self.pose_group::<F, L>(simd, clip, members, own, &mut slots);
                continue;
            }
            // The last group may be short: its last member fills it, and the matrices of those in use are copied. So are
            // those for memory that must be written in order, as whole lines of the cache.
            let mut filled = [members[members.len() - 1]; MAX_LANES];
            filled[..members.len()].copy_from_slice(members);
            if spill.len() < whole {
                spill.resize(whole, [0.0; 4]);
            }
            self.pose_group::<F, L>(
                simd,
                clip,
                &filled[..L::COUNT],
                &mut spill[..whole],
                &mut slots,
            );
            own.copy_from(&spill[..members.len() * rows]);
        }
    }

    /// Poses as many members as there are lanes.
    #[inline(always)]
    fn pose_group<F: Form, L: Lanes>(
        &self,
        simd: L,
        clip: Option<&Clip>,
        members: &[Member<F::Matrix>],
        out: &mut [[f32; 4]],
        slots: &mut Slots<'_, L>,
    ) {
        let mut times_secs = [0.0; MAX_LANES];
        for lane in 0..L::COUNT {
            times_secs[lane] = members[lane].time_secs;
        }
        let mut group = Group::new(simd, &self.program, clip, &times_secs);
        F::run(simd, self, &mut group, members, slots, out);
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
