//! How long the units of nodes and meshes are in the world, where what differs is seen.
//!
//! Exporters write meshes, joints and copies below nodes with a scale of 100 or of 0.01. What is tolerated is a part of the
//! model's size in the world, so that it is that part of the size as those spaces have it.

use std::collections::HashSet;

use glam::{Affine3A, Vec3};

use crate::{
    anim::Pose,
    model::{Clip, Mesh, Model, NodeId, mean_stretch},
};

/// A node whose scale at rest is a smaller part of what a clip makes of it is hidden by that until then.
const HIDDEN: f32 = 1e-3;

/// A model at rest, and what is too small to be seen there as large as a clip makes it.
pub(super) struct Units<'m> {
    model: &'m Model,
    rest: Pose,
}

impl<'m> Units<'m> {
    pub(super) fn new(model: &'m Model) -> Self {
        let mut rest = Pose::new(&model.hierarchy);
        let mut greatest = vec![Vec3::ZERO; model.hierarchy.len()];
        for track in model.clips.iter().flat_map(Clip::scales) {
            let scale = &mut greatest[track.node().index()];
            for key in track.key_values().flatten() {
                *scale = scale.max(key.abs());
            }
        }
        for ((id, node), scale) in model.hierarchy.iter().zip(greatest) {
            if node.rest.scale.abs().max_element() < HIDDEN * scale.max_element() {
                let mut shown = node.rest;
                shown.scale = scale;
                rest.place(id, shown);
            }
        }
        rest.update_world(&model.hierarchy, Affine3A::IDENTITY);
        Self { model, rest }
    }

    /// The size of the model in the units of a node.
    pub(super) fn size_in(&self, node: NodeId, size: f64) -> f64 {
        in_units(size, mean_stretch(&self.rest.world[node.index()]))
    }

    /// The size of the model in the units of each mesh, where that is placed largest; as it is where nothing places it.
    pub(super) fn sizes_in_meshes(&self, size: f64) -> Vec<f64> {
        let mut units = vec![0.0_f32; self.model.meshes.len()];
        let mut known = HashSet::new();
        for (id, node) in self.model.hierarchy.iter() {
            let Some((index, mesh)) = node
                .mesh
                .and_then(|it| Some((it, self.model.meshes.get(it)?)))
            else {
                continue;
            };
            let unit = &mut units[index];
            if node.skin.is_none() || mesh.primitives.iter().any(|it| it.influences.is_none()) {
                let world_from_node = &self.rest.world[id.index()];
                let copies = node.node_from_instances.iter();
                let copies = copies.map(|copy| mean_stretch(&(*world_from_node * *copy)));
                let alone = node.node_from_instances.is_empty();
                let alone = alone.then(|| mean_stretch(world_from_node));
                *unit = copies.chain(alone).fold(*unit, f32::max);
            }
            if let Some(skin) = node.skin.filter(|&skin| known.insert((index, skin))) {
                *unit = unit.max(self.skinned(mesh, skin));
            }
        }
        units.into_iter().map(|unit| in_units(size, unit)).collect()
    }

    /// How long a unit of a mesh is where the joints of a skin place it that move its vertices.
    fn skinned(&self, mesh: &Mesh, skin: usize) -> f32 {
        let Some(skin) = self.model.skins.get(skin) else {
            return 0.0;
        };
        let mut moves = vec![false; skin.joints.len()];
        for influences in mesh
            .primitives
            .iter()
            .filter_map(|it| it.influences.as_ref())
        {
            for (&joint, &weight) in influences.joints.iter().zip(&influences.weights) {
                if let Some(moves) = moves.get_mut(usize::from(joint)) {
                    *moves |= weight > 0.0;
                }
            }
        }
        let joints = skin.joints.iter().zip(&skin.joint_from_mesh).zip(moves);
        let joints = joints.filter(|(_, moves)| *moves);
        let units = joints.map(|((joint, joint_from_mesh), _)| {
            mean_stretch(&(self.rest.world[joint.index()] * *joint_from_mesh))
        });
        units.fold(0.0, f32::max)
    }
}

/// A length in units of `unit`; as it is in those of what is flat, or beyond all numbers.
fn in_units(length: f64, unit: f32) -> f64 {
    let there = length / f64::from(unit);
    if there > 0.0 && there.is_finite() {
        there
    } else {
        length
    }
}
