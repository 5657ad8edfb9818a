//! A mesh as boxes that each placement of it takes to its own matrices: made once, however many nodes place it.

use std::collections::BTreeMap;

use glam::Vec3;

use super::joint_boxes::{Owners, Reach, Scratch};
use crate::model::{Aabb, Primitive};

/// More boxes than this are not made of a mesh and all its placements where morph targets move it: its primitives share
/// theirs then.
const MAX_PARTS: usize = 1 << 18;

/// Vertices of a mesh that one matrix moves.
pub(super) struct MeshPart {
    /// The place in the skin of the joint that moves them; none where the node does.
    pub(super) joint: Option<usize>,
    /// Around them in the mesh's space.
    pub(super) rest: Aabb,
    /// Their share of all reaches.
    pub(super) reaches: (usize, usize),
}

/// What there is to know of a mesh.
pub(super) struct MeshParts {
    /// What its node places, and what morph targets move.
    pub(super) own: Vec<MeshPart>,
    /// What joints alone move.
    pub(super) joints: Vec<MeshPart>,
}

/// The boxes of a mesh's primitives.
pub(super) struct Gathered {
    /// Boxes of the vertices that no morph target moves, of all primitives together.
    rigid: BTreeMap<Option<usize>, Aabb>,
    /// Boxes of the vertices that morph targets move, each of one primitive, with how far they are moved.
    morphed: Vec<(Option<usize>, Aabb, Vec<Reach>)>,
}

impl Gathered {
    /// Visits every vertex and every morph target once.
    pub(super) fn new(primitives: &[Primitive], is_skinned: bool) -> Self {
        let mut this = Self {
            rigid: BTreeMap::new(),
            morphed: Vec::new(),
        };
        let influences = primitives.iter().filter_map(|it| it.influences.as_ref());
        let last_joint = influences.flat_map(|it| &it.joints).max();
        let mut scratch = Scratch::new(last_joint.map_or(1, |joint| usize::from(*joint) + 1));
        for primitive in primitives {
            let influences = primitive.influences.as_ref().filter(|_| is_skinned);
            let owners = influences.map_or(Owners::One(0), |it| Owners::Joints(0, it));
            scratch.for_each_part(primitive, &owners, |joint, rest, reaches| {
                let joint = influences.map(|_| joint);
                if reaches.is_empty() {
                    let known = this.rigid.entry(joint).or_default();
                    *known = known.union(rest);
                } else {
                    let reaches = reaches.iter().map(|(_, reach)| *reach).collect();
                    this.morphed.push((joint, rest, reaches));
                }
            });
        }
        this
    }

    /// The boxes, of which each of `placements` copies will have its own; their reaches are added to those of other meshes.
    pub(super) fn finish(mut self, placements: usize, reaches: &mut Vec<Reach>) -> MeshParts {
        if self.morphed.len().saturating_mul(placements) > MAX_PARTS {
            self.share();
        }
        let mut parts = MeshParts {
            own: Vec::new(),
            joints: Vec::new(),
        };
        for (joint, rest) in self.rigid {
            let list = match joint {
                Some(_) => &mut parts.joints,
                None => &mut parts.own,
            };
            list.push(MeshPart {
                joint,
                rest,
                reaches: (0, 0),
            });
        }
        for (joint, rest, own) in self.morphed {
            let first = reaches.len();
            reaches.extend(own);
            parts.own.push(MeshPart {
                joint,
                rest,
                reaches: (first, reaches.len()),
            });
        }
        parts
    }

    /// Makes one box for each matrix of those that morph targets move.
    fn share(&mut self) {
        let mut shared: BTreeMap<_, (Aabb, BTreeMap<u32, Aabb>)> = BTreeMap::new();
        for (joint, rest, reaches) in self.morphed.drain(..) {
            let (known, moves) = shared.entry(joint).or_default();
            *known = known.union(rest);
            for reach in reaches {
                let known = moves.entry(reach.target).or_default();
                // Another primitive's vertices may stay where they are.
                *known = known.union(reach.moves).with(Vec3::ZERO);
            }
        }
        let shared = shared.into_iter().map(|(joint, (rest, moves))| {
            let moves = moves.into_iter();
            let reaches = moves.map(|(target, moves)| Reach { target, moves });
            (joint, rest, reaches.collect())
        });
        self.morphed.extend(shared);
    }
}
