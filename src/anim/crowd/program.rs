//! A clip as a program that poses a group of instances: what to read from its tables, and what to do with it.
//!
//! [`super::bake`] writes programs, [`super::kernel`] runs them. A node is either *moved* by the clip or constant; what is
//! constant is worked out beforehand.

use glam::{Quat, Vec3};

use super::{morphs::PlacementMorphs, sight::Sight, spans::Spans};

/// A clip of one rig, ready to be run. Without tracks it is the rig at rest.
#[derive(Debug)]
pub(super) struct Program {
    pub spans: Spans,
    /// For each span the arcs of all slerps: start and velocity.
    pub arcs: Table<[[f32; 4]; 2]>,
    /// For each span the coefficients of all other tracks, four numbers each.
    pub quads: Table<[f32; 4]>,
    /// Runs of nodes, parents first; what is local to a run fits the first-level cache.
    pub runs: Vec<Run>,
    /// The morph weights, in the order of the placements of the layout.
    pub morphs: Vec<PlacementMorphs>,
    /// What hides them, in the same order.
    pub sights: Vec<Sight>,
}

/// A row of entries for each span. They are read in blocks of a fixed size, so that whether they are in range is asked once
/// a block.
#[derive(Debug)]
pub(super) struct Table<T> {
    /// Row by row, and behind the last one as much as a block: it may reach beyond the end of its row.
    entries: Vec<T>,
    per_span: usize,
    empty: Block<T>,
}

/// Entries in a block.
pub(super) const ENTRIES: usize = 16;

/// Entries that lie side by side.
pub(super) type Block<T> = [T; ENTRIES];

impl<T: Copy + Default> Table<T> {
    /// Turns columns (one a track) into rows (one a span).
    pub(super) fn new(columns: &[Vec<T>], spans: usize) -> Self {
        let empty = Block::default();
        let entries = (0..spans).flat_map(|span| columns.iter().map(move |column| column[span]));
        Self {
            entries: entries.chain(empty).collect(),
            per_span: columns.len(),
            empty,
        }
    }
}

impl<T> Table<T> {
    /// A block of a span's row; one that is not there is empty.
    #[inline(always)]
    pub(super) fn block(&self, span: u32, index: u32) -> &Block<T> {
        let first = span as usize * self.per_span + index as usize * ENTRIES;
        let block = self
            .entries
            .get(first..)
            .and_then(|rest| rest.first_chunk());
        block.unwrap_or(&self.empty)
    }

    /// A block of default values.
    pub(super) fn empty(&self) -> &Block<T> {
        &self.empty
    }
}

/// A run of nodes: first all motions are evaluated into local slots, then the nodes are concatenated. Two short chains of
/// dependent instructions instead of one long one keep a processor busier.
#[derive(Debug, Default)]
pub(super) struct Run {
    pub motions: Vec<Motion>,
    pub steps: Vec<Step>,
}

/// Evaluates a track into a local slot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Motion {
    /// Slerp: entry `arc` of a row becomes matrix `slot`.
    Arc { arc: u32, slot: u32 },
    /// A quaternion from a polynomial, of any length: matrix `slot`.
    Turn { curve: Curve, slot: u32 },
    /// A constant matrix, for a [`Motion::Stretch`] to act on: matrix `slot`.
    Fixed { matrix: [f32; 9], slot: u32 },
    /// Multiplies the columns of matrix `slot`.
    Stretch { scale: Stretch, slot: u32 },
    /// A translation: vector `slot`.
    Shift { curve: Curve, slot: u32 },
    /// A rotation that is not in the tables: track `track` of the clip, between the node's frames, becomes matrix `slot`.
    PlainTurn {
        track: u32,
        before: Quat,
        after: Quat,
        slot: u32,
    },
    /// A translation that is not in the tables, turned, multiplied and shifted: vector `slot`.
    PlainShift {
        track: u32,
        turn: Quat,
        factor: f32,
        shift: Vec3,
        slot: u32,
    },
}

/// A polynomial of the fraction: `terms` coefficients from entry `quad` of a row on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Curve {
    pub quad: u32,
    pub terms: Terms,
}

/// How many coefficients a polynomial has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Terms {
    /// A constant.
    One,
    /// A straight line.
    Two,
    /// A cubic.
    Four,
}

impl Terms {
    pub(super) fn count(self) -> usize {
        match self {
            Self::One => 1,
            Self::Two => 2,
            Self::Four => 4,
        }
    }
}

/// Factors along a node's own axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Stretch {
    Fixed([f32; 3]),
    Moving(Curve),
    /// Track of the clip, not in the tables.
    Plain(u32),
}

/// Concatenates one node with its parent and writes its matrices.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Step {
    pub linear: Linear,
    pub translation: Translation,
    /// Place of the parent's matrix on the stack; the node's own comes one higher. 0 is the instance itself.
    pub depth: u32,
    /// Whether children read the node's matrix from the stack.
    pub has_children: bool,
    pub outputs: Outputs,
}

impl Step {
    /// Whether it neither moves nor leaves anything.
    pub(super) fn is_idle(&self) -> bool {
        let stands_still = matches!(
            (self.linear, self.translation),
            (Linear::Fixed(_), Translation::Fixed(_))
        );
        stands_still && !self.has_children && self.outputs == Outputs::None
    }
}

/// What is written from a node.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Outputs {
    None,
    /// By far the most frequent case: a joint of one skin.
    One(Output),
    Many(Vec<Output>),
}

impl Outputs {
    /// Adds one.
    pub(super) fn push(&mut self, output: Output) {
        let mut all = match std::mem::replace(self, Self::None) {
            Self::None => {
                *self = Self::One(output);
                return;
            }
            Self::One(one) => vec![one],
            Self::Many(many) => many,
        };
        all.push(output);
        *self = Self::Many(all);
    }

    /// All of them.
    pub(super) fn as_mut_slice(&mut self) -> &mut [Output] {
        match self {
            Self::None => &mut [],
            Self::One(one) => std::slice::from_mut(one),
            Self::Many(many) => many,
        }
    }
}

/// The 3×3 part of a node's local matrix, row by row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Linear {
    Fixed([f32; 9]),
    /// Matrix in this local slot.
    Moving(u32),
}

/// The translation of a node's local matrix.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Translation {
    Fixed([f32; 3]),
    /// Vector in this local slot.
    Moving(u32),
}

/// Writes `world_from_mesh` of a node to place `place` of the instance's share of the palette.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Output {
    pub place: u32,
    pub bind: Bind,
    pub next: Next,
}

/// A place of the palette that is written some steps later, seen from one that is written now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Next {
    pub matrices: i32,
    pub is_of_next_group: bool,
}

/// `node_from_mesh`, seen from the node's frame (see [`super::bake`]).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Bind {
    /// The identity.
    None,
    /// A translation.
    Point([f32; 3]),
    /// A scale and a translation.
    Scaled(f32, [f32; 3]),
    /// Any affine matrix, row by row.
    Affine([[f32; 4]; 3]),
}
