//! Boxes around meshes that are placed again and again: made once for a mesh, at no price of vertices for each placement.

use std::collections::{BTreeMap, HashMap};

use glam::Vec3;

use super::{
    grown_for,
    joint_boxes::{Owners, Reach, Scratch, morphed, posed},
};
use crate::{
    anim::{Palette, Placement, skinning::transform_point},
    model::{Aabb, Model, Primitive},
};

/// A mesh in its own space, as one box for each matrix that moves some of it.
#[derive(Debug, Default)]
struct MeshBox {
    /// Around the vertices that the node itself places.
    rigid: Aabb,
    /// Around those that each joint moves, by its place in the skin.
    joints: BTreeMap<usize, Aabb>,
    /// How far each morph target moves any vertex.
    reaches: Vec<Reach>,
}

impl MeshBox {
    /// Visits every vertex and every morph target once.
    fn new(primitives: &[Primitive], is_skinned: bool) -> Self {
        let mut this = Self::default();
        let influences = primitives.iter().filter_map(|it| it.influences.as_ref());
        let last_joint = influences.flat_map(|it| &it.joints).max();
        let mut scratch = Scratch::new(last_joint.map_or(1, |joint| usize::from(*joint) + 1));
        let mut reaches = BTreeMap::new();
        for primitive in primitives {
            let influences = primitive.influences.as_ref().filter(|_| is_skinned);
            let owners = influences.map_or(Owners::One(0), |it| Owners::Joints(0, it));
            let (points, undrawn) = (primitive.vertices.positions.iter(), &primitive.undrawn);
            scratch.gather(
                points.copied().enumerate(),
                undrawn,
                &owners,
                |joint, rest| {
                    let known = match influences {
                        Some(_) => this.joints.entry(joint).or_default(),
                        None => &mut this.rigid,
                    };
                    *known = known.union(rest);
                },
            );
            for (target, morph) in (0..).zip(&primitive.targets) {
                // What another primitive has of this target may leave vertices of this one where they are.
                let moves = morph.positions.iter();
                let moves = moves.filter(|(vertex, _)| !undrawn.has(*vertex));
                let moves = Aabb::of_points(moves.map(|(_, moves)| moves)).with(Vec3::ZERO);
                let known: &mut Aabb = reaches.entry(target).or_default();
                *known = known.union(moves);
            }
        }
        let reaches = reaches.into_iter();
        this.reaches = reaches
            .map(|(target, moves)| Reach { target, moves })
            .collect();
        this
    }
}

/// Placements of meshes of which only boxes are looked at.
#[derive(Debug, Default)]
pub(in crate::anim) struct RepeatedMeshes {
    /// The boxes of meshes, by mesh and by whether joints move it.
    boxes: HashMap<(usize, bool), MeshBox>,
    /// The boxes of skinned meshes, by mesh and the place of its first joint: whichever nodes place it, it is in the same
    /// place, but for how far morph targets move any of it.
    skinned: BTreeMap<(usize, usize), Aabb>,
}

impl RepeatedMeshes {
    /// Takes a placement of an instance (indices): calls `visit` with corners of boxes that hold what its node places.
    pub(in crate::anim) fn add(
        &mut self,
        model: &Model,
        palette: &Palette,
        (index, placement): (usize, &Placement),
        instance: usize,
        mut visit: impl FnMut(Vec3),
    ) {
        let (mesh, is_skinned) = (placement.mesh, placement.skin.is_some());
        let known = self.boxes.entry((mesh, is_skinned)).or_insert_with(|| {
            let primitives = &model.meshes[mesh].primitives;
            MeshBox::new(primitives, is_skinned)
        });
        let record = palette.record(index, instance);
        let morphs = palette.morphs_of(record);
        if !known.rigid.is_empty() {
            let corners = morphed(known.rigid, &known.reaches, morphs).corners();
            for copy in 0..placement.copies as usize {
                let record = palette.record_of_copy(index, copy, instance);
                let rigid = &palette.matrices()[record.rigid as usize];
                for corner in corners {
                    visit(transform_point(rigid, corner));
                }
            }
        }
        if !known.joints.is_empty() {
            let nowhere = Aabb::of_points([Vec3::ZERO]);
            let moves = morphed(nowhere, &known.reaches, morphs);
            let place = (mesh, record.first_joint as usize);
            let known = self.skinned.entry(place).or_default();
            *known = known.union(moves);
        }
    }

    /// Calls `visit` with corners of boxes that hold what joints move of all that was added.
    pub(in crate::anim) fn finish(&self, palette: &Palette, mut visit: impl FnMut(Vec3)) {
        for (&(mesh, first_joint), moves) in &self.skinned {
            let Some(known) = self.boxes.get(&(mesh, true)) else {
                continue;
            };
            let mut bounds = Aabb::EMPTY;
            for (joint, rest) in &known.joints {
                let rest = Aabb {
                    min: rest.min + moves.min,
                    max: rest.max + moves.max,
                };
                let matrix = palette.matrices().get(first_joint + joint);
                bounds = matrix.map_or(bounds, |matrix| bounds.union(posed(matrix, &rest)));
            }
            let bounds = grown_for(palette.skinning(), bounds);
            if !bounds.is_empty() {
                bounds.corners().into_iter().for_each(&mut visit);
            }
        }
    }
}
