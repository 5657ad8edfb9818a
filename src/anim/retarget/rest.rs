//! What of two rest poses decides how motion of the one becomes motion of the other.

use std::f32::consts::FRAC_1_SQRT_2;

use glam::{Affine3A, Mat3, Mat3A, Quat, Vec3};

use super::{Binding, ClipSource};
use crate::{
    anim::{Arms, Pose, orientation::Orientation, t_pose::stretch_arms},
    model::{Aabb, Clip, Facing, Hierarchy, Model, NodeId, Transform},
};

/// A hierarchy at rest, in a world in which it looks to +Z, its arms stretched out if there are any.
pub(super) struct Rest {
    world_from_root: Quat,
    orientations: Vec<Orientation>,
    pose: Pose,
}

impl Rest {
    pub(super) fn of(hierarchy: &Hierarchy, facing: Facing, arms: Option<&Arms>) -> Self {
        let mut pose = Pose::new(hierarchy);
        if let Some(arms) = arms {
            stretch_arms(hierarchy, arms, &mut pose);
            for joint in arms.joints().flatten().flatten() {
                let rest = hierarchy.node(joint).rest;
                let local = &mut pose.locals[joint.index()];
                if *local != rest {
                    // Clips turn what has the node's own scale, which may mirror.
                    let before = Transform::from_affine(&rest.to_affine()).rotation;
                    let rotation = local.rotation * before.conjugate() * rest.rotation;
                    *local = Transform { rotation, ..rest };
                }
            }
        }
        let world_from_root = Quat::from_rotation_y(-facing.turn_radians());
        for world_from_node in &mut pose.world {
            *world_from_node = Affine3A::from_quat(world_from_root) * *world_from_node;
        }
        let mut orientations: Vec<Orientation> = Vec::with_capacity(hierarchy.len());
        for (node, local) in hierarchy.nodes().iter().zip(&pose.locals) {
            let parent = node.parent.map(|parent| orientations[parent.index()]);
            let parent = parent.unwrap_or(world_from_root.into());
            orientations.push(parent * Orientation::of_transform(local));
        }
        Self {
            world_from_root,
            orientations,
            pose,
        }
    }

    /// Orientation and linear part of a node's parent in the world.
    pub(super) fn parent(&self, hierarchy: &Hierarchy, node: NodeId) -> (Orientation, Mat3A) {
        let parent = hierarchy.node(node).parent;
        let root = self.world_from_root;
        parent.map_or((root.into(), Mat3A::from_quat(root)), |parent| {
            let world = self.pose.world[parent.index()];
            (self.orientations[parent.index()], world.matrix3)
        })
    }

    fn place(&self, node: NodeId) -> Vec3 {
        self.pose.world[node.index()].translation.into()
    }
}

/// From one rest pose into another.
pub(super) struct Retarget<'a> {
    pub(super) from: &'a Rest,
    pub(super) to: &'a Rest,
    pub(super) stride: f32,
}

impl Retarget<'_> {
    /// The placements of a node and of its counterpart at rest.
    pub(super) fn locals(&self, from: NodeId, to: NodeId) -> [Transform; 2] {
        [
            self.from.pose.locals[from.index()],
            self.to.pose.locals[to.index()],
        ]
    }

    /// What becomes of differences of translations.
    pub(super) fn linear(
        &self,
        from: NodeId,
        to: NodeId,
        source: &ClipSource,
        model: &Model,
    ) -> Mat3A {
        let there = self.from.parent(&source.hierarchy, from).1;
        let here = self.to.parent(&model.hierarchy, to).1;
        let linear = here.inverse() * there * self.stride;
        if linear.is_finite() {
            linear
        } else {
            Mat3A::IDENTITY
        }
    }

    /// For each axis of a node of the model that of its counterpart which lies within 45° of it in the world at rest, in
    /// whichever direction; all as they are named unless there is one for each.
    pub(super) fn axes(&self, from: NodeId, to: NodeId) -> [usize; 3] {
        let there = self.from.orientations[from.index()];
        let here = self.to.orientations[to.index()];
        // Mirrors change signs alone.
        let change = Mat3::from_quat((here.inverse() * there).rotation);
        let nearest = |axis| {
            let row = change.row(axis).abs();
            let nearest = row.max_position();
            (row[nearest] > FRAC_1_SQRT_2).then_some(nearest)
        };
        match [0, 1, 2].map(nearest) {
            [Some(x), Some(y), Some(z)] => [x, y, z],
            _ => [0, 1, 2],
        }
    }
}

/// The boxes around all nodes that are bound, and around their counterparts, at rest.
pub(super) fn boxes_of_bound(
    from: &Hierarchy,
    binding: &Binding,
    [rest, own]: &[Rest; 2],
) -> [Aabb; 2] {
    let pairs = || {
        let nodes = from.iter().map(|(id, _)| id);
        nodes.filter_map(|id| Some((id, binding.of(id)?.node)))
    };
    [
        Aabb::of_points(pairs().map(|(id, _)| rest.place(id))),
        Aabb::of_points(pairs().map(|(_, id)| own.place(id))),
    ]
}

/// How much longer the legs are: the height of the hips (the first node that is shifted at a height) over the lowest bound
/// node, or where there is none, how far the bound nodes reach. The boxes are those of [`boxes_of_bound`].
pub(super) fn stride(
    clip: &Clip,
    binding: &Binding,
    [rest, own]: &[Rest; 2],
    [there, here]: &[Aabb; 2],
) -> f32 {
    let moved = clip.translations().iter();
    let moved = moved
        .filter(|track| track.varies(|first, value| first != value))
        .filter_map(|track| Some((track.node(), binding.of(track.node())?.node)));
    let reaches = [there.diagonal(), here.diagonal()];
    let heights = moved.map(|(there_id, here_id)| {
        let height = |place: Vec3, bounds: &Aabb| place.y - bounds.min.y;
        let heights = [
            height(rest.place(there_id), there),
            height(own.place(here_id), here),
        ];
        (there_id, heights)
    });
    // What moves on the ground, and carries the hips, says nothing of legs.
    let is_high = |[a, b]: &[f32; 2]| *a > 0.05 * reaches[0] && *b > 0.05 * reaches[1];
    let hips = heights.filter(|(_, heights)| is_high(heights));
    let hips = hips.min_by_key(|(there_id, _)| *there_id);
    let [there, here] = hips.map_or(reaches, |(_, heights)| heights);
    let ratio = here / there;
    if ratio.is_finite() && ratio > 0.0 {
        ratio
    } else {
        1.0
    }
}
