//! The way from a node up to the world, of which a clip moves little: what stands still is multiplied once.

use glam::Affine3A;

use crate::{
    anim::Pose,
    model::{Clip, Hierarchy, NodeId},
};

/// The way from a root up to the world, as a clip moves it.
#[derive(Debug)]
pub(super) struct WayUp {
    /// From the top down.
    parts: Vec<Link>,
}

/// A node that moves, or all those between two that do.
#[derive(Debug)]
enum Link {
    Moving(NodeId),
    Still(Affine3A),
}

impl WayUp {
    /// The way along `chain`, a node and all above it, moved by `clip` and else as `pose` is.
    pub(super) fn new(hierarchy: &Hierarchy, chain: &[NodeId], clip: &Clip, pose: &Pose) -> Self {
        let mut moving: Vec<_> = clip.placed_nodes().collect();
        moving.sort_unstable();
        let mut parts = Vec::new();
        for &node in chain.iter().rev() {
            let is_fixed = hierarchy.node(node).fixed_matrix.is_some();
            if !is_fixed && moving.binary_search(&node).is_ok() {
                parts.push(Link::Moving(node));
                continue;
            }
            let parent_from_node = parent_from_node(hierarchy, pose, node);
            match parts.last_mut() {
                Some(Link::Still(above)) => *above *= parent_from_node,
                _ => parts.push(Link::Still(parent_from_node)),
            }
        }
        Self { parts }
    }

    /// Matrices that it is a product of.
    pub(super) fn len(&self) -> usize {
        self.parts.len()
    }

    /// `world_from_root` in a pose that the clip alone has moved.
    pub(super) fn world_from_root(&self, pose: &Pose) -> Affine3A {
        let parts = self.parts.iter().map(|part| match part {
            Link::Moving(node) => pose.locals[node.index()].to_affine(),
            Link::Still(matrix) => *matrix,
        });
        parts.fold(Affine3A::IDENTITY, |world, part| world * part)
    }
}

/// `world_from_node` of one node: what [`Pose::update_world`] would compute of a pose that has freed no node of its matrix.
pub(super) fn world_from_node(hierarchy: &Hierarchy, pose: &Pose, node: NodeId) -> Affine3A {
    let matrices = hierarchy.upwards(node);
    matrices
        .map(|node| parent_from_node(hierarchy, pose, node))
        .reduce(|below, above| above * below)
        .unwrap_or_default()
}

fn parent_from_node(hierarchy: &Hierarchy, pose: &Pose, node: NodeId) -> Affine3A {
    let fixed = hierarchy.node(node).fixed_matrix;
    fixed.unwrap_or_else(|| pose.locals[node.index()].to_affine())
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::model::{ClipBuilder, Interpolation, Node, Timeline, Transform};

    /// However deep it lies, a root that moves alone costs two matrices at each point.
    #[test]
    fn what_stands_still_is_multiplied_once() {
        const DEPTH: usize = 20_000;
        let node = Node {
            rest: Transform {
                translation: Vec3::new(0.5, 0.0, 0.0),
                ..Transform::IDENTITY
            },
            ..Node::default()
        };
        let parents: Vec<_> = (0..DEPTH).map(|index| index.checked_sub(1)).collect();
        let weights = vec![Vec::new(); DEPTH];
        let hierarchy = Hierarchy::new(vec![node; DEPTH], &parents, &weights).unwrap();
        let root = NodeId(DEPTH as u32 - 1);
        let clip = |nodes: &[NodeId]| {
            let mut clip = ClipBuilder::new("made");
            let times = clip.timeline(Timeline::new(vec![0.0, 1.0]).unwrap());
            for &node in nodes {
                let values = vec![Vec3::ZERO, Vec3::Y];
                let linear = Interpolation::Linear;
                clip.translation(node, times, linear, values).unwrap();
            }
            clip.finish()
        };
        let chain: Vec<_> = hierarchy.upwards(root).collect();
        let mut pose = Pose::new(&hierarchy);
        for (moved, parts) in [(vec![root], 2), (vec![NodeId(7), root], 4), (vec![], 1)] {
            let way = WayUp::new(&hierarchy, &chain, &clip(&moved), &pose);
            assert_eq!(way.len(), parts);
        }
        let way = WayUp::new(&hierarchy, &chain, &clip(&[NodeId(7), root]), &pose);
        pose.locals[7].translation = Vec3::Z;
        pose.locals[root.index()].translation = Vec3::Y;
        let world = way.world_from_root(&pose);
        assert_eq!(world, world_from_node(&hierarchy, &pose, root));
    }
}
