//! Where nodes are in the world, without the poses of all others.

use glam::Affine3A;

use crate::{
    anim::{Pose, chain::Chain},
    model::{Clip, Hierarchy, NodeId},
};

/// The way along `nodes`, a node and all above it, moved by `clip` and else as `pose` is.
pub(super) fn way_up(hierarchy: &Hierarchy, nodes: &[NodeId], clip: &Clip, pose: &Pose) -> Chain {
    let mut moving: Vec<_> = clip.placed_nodes().collect();
    moving.sort_unstable();
    Chain::new(nodes.iter().rev().copied(), |node| {
        let is_fixed = hierarchy.node(node).fixed_matrix.is_some();
        let moves = !is_fixed && moving.binary_search(&node).is_ok();
        (!moves).then(|| parent_from_node(hierarchy, pose, node))
    })
}

/// `world_from_node` of the lowest of them in a pose that the clip alone has moved.
pub(super) fn world_in(pose: &Pose, way: &Chain) -> Affine3A {
    way.world(|node| pose.locals[node.index()].to_affine())
}

/// `world_from_node` of one node: what [`Pose::update_world`] would compute of a pose that has freed no node of its matrix.
pub(super) fn world_from_node(hierarchy: &Hierarchy, pose: &Pose, node: NodeId) -> Affine3A {
    let matrices = hierarchy.upwards(node);
    matrices
        .map(|node| parent_from_node(hierarchy, pose, node))
        .reduce(|below, above| above * below)
        .unwrap_or_default()
}

/// What a node does to what hangs on it, in a pose that has freed no node of its matrix.
pub(super) fn parent_from_node(hierarchy: &Hierarchy, pose: &Pose, node: NodeId) -> Affine3A {
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
            let way = way_up(&hierarchy, &chain, &clip(&moved), &pose);
            assert_eq!(way.len(), parts);
        }
        let way = way_up(&hierarchy, &chain, &clip(&[NodeId(7), root]), &pose);
        pose.locals[7].translation = Vec3::Z;
        pose.locals[root.index()].translation = Vec3::Y;
        let world = world_in(&pose, &way);
        assert_eq!(world, world_from_node(&hierarchy, &pose, root));
    }
}
