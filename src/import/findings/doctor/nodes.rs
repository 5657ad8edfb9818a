//! Nodes: transforms that are ignored, and scales of zero or less.

use std::collections::HashSet;

use glam::{Affine3A, Vec3};

use crate::{
    import::base::diagnostics::Diagnostics,
    model::{Model, Node, NodeId},
};

use super::{node_name, node_names, number_of, parent_from_node};

/// Nodes above joints that are looked at for all skinned meshes together.
const MAX_STEPS: usize = 1 << 20;
/// How many joints of a skin are asked what moves them at most.
const MAX_ASKED: usize = 8;

pub(super) fn check(model: &Model, rest: &[Affine3A], diagnostics: &mut Diagnostics) {
    check_ignored(model, rest, diagnostics);
    check_scales(model, diagnostics);
}

/// Skinned meshes stand where their joints are; the node's own place must be ignored (glTF 2.0 §3.7.3.3).
fn check_ignored(model: &Model, rest: &[Affine3A], diagnostics: &mut Diagnostics) {
    let hierarchy = &model.hierarchy;
    let mut steps_left = MAX_STEPS;
    for ((id, node), world_from_node) in hierarchy.iter().zip(rest) {
        if node.skin.is_none() {
            continue;
        }
        let pointer = format_args!("/nodes/{}", node.file_index);
        let name = node_name(hierarchy, id);
        let action = "it is ignored";
        if !is_identity(&parent_from_node(node)) {
            let message = format!("{name} has a transform, which does not move a skinned mesh");
            let code = "NODE_SKINNED_MESH_LOCAL_TRANSFORMS";
            diagnostics.warning(code, pointer, message, action);
        } else if !is_identity(world_from_node) {
            let code = "NODE_SKINNED_MESH_PARENT_TRANSFORMS";
            match moves_joints(model, node, &mut steps_left) {
                Some(true) => {
                    let message = format!(
                        "the transforms above {name} move its skinned mesh by its joints alone, which hang under the same"
                    );
                    diagnostics.hint(code, pointer, message, "");
                }
                Some(false) => {
                    let message =
                        format!("the transforms above {name} do not move its skinned mesh");
                    diagnostics.warning(code, pointer, message, "they are ignored");
                }
                None => {}
            }
        }
    }
}

/// Whether what moves a skinned mesh from above moves most of its joints, too, so that it stands where it would be taken; none if
/// that takes too long to find.
fn moves_joints(model: &Model, node: &Node, steps_left: &mut usize) -> Option<bool> {
    let Some(skin) = node.skin.and_then(|skin| model.skins.get(skin)) else {
        return Some(false);
    };
    let parent = |node: &NodeId| model.hierarchy.node(*node).parent;
    let mut find = |from: Option<NodeId>, is_it: &dyn Fn(NodeId) -> bool| {
        for above in std::iter::successors(from, parent) {
            *steps_left = steps_left.checked_sub(1)?;
            if is_it(above) {
                return Some(Some(above));
            }
        }
        Some(None)
    };
    // Groups that stand where what they hang on does may be many.
    let moves = |id: NodeId| !is_identity(&parent_from_node(model.hierarchy.node(id)));
    let Some(mover) = find(node.parent, &moves)? else {
        return Some(false);
    };
    let step = skin.joints.len().div_ceil(MAX_ASKED).max(1);
    let (mut asked, mut moved) = (0_usize, 0_usize);
    for &joint in skin.joints.iter().step_by(step) {
        asked = asked.saturating_add(1);
        let is_moved = find(Some(joint), &|above| above == mover)?.is_some();
        moved = moved.saturating_add(is_moved.into());
    }
    Some(moved > asked.div_euclid(2))
}

fn is_identity(matrix: &Affine3A) -> bool {
    const TOLERANCE: f32 = 1e-5;
    matrix.abs_diff_eq(Affine3A::IDENTITY, TOLERANCE)
}

/// One finding of each kind for the whole file: mirrored halves of a model are many.
fn check_scales(model: &Model, diagnostics: &mut Diagnostics) {
    let hierarchy = &model.hierarchy;
    let of_kind = |is_it: fn(&Node) -> bool| -> Vec<NodeId> {
        let nodes = hierarchy.iter().filter(|(_, node)| is_it(node));
        nodes.map(|(id, _)| id).collect()
    };
    let zeros = |node: &Node| node.rest.scale.cmpeq(Vec3::ZERO).bitmask().count_ones();
    let mut zero = of_kind(|node| node.rest.scale.cmpeq(Vec3::ZERO).any());
    if !zero.is_empty() {
        let parents: HashSet<_> = hierarchy.nodes().iter().map(|node| node.parent).collect();
        // Skinned meshes stand where their joints are.
        let is_seen =
            |id: &NodeId| hierarchy.node(*id).skin.is_none() || parents.contains(&Some(*id));
        zero.retain(is_seen);
    }
    let (flat, unseen): (Vec<_>, Vec<_>) = zero
        .into_iter()
        .partition(|&id| zeros(hierarchy.node(id)) == 1);
    for (nodes, what, action) in [
        (unseen, "zero", "what hangs there is not seen"),
        (flat, "zero along one axis", "what hangs there is flat"),
    ] {
        if let Some(&first) = nodes.first() {
            let message = format!(
                "the scale of {} is {what}: {}",
                number_of(nodes.len(), "node"),
                node_names(hierarchy, &nodes)
            );
            let pointer = scale_pointer(hierarchy.node(first));
            diagnostics.info("NODE_ZERO_SCALE", pointer, message, action);
        }
    }
    let mirrored = of_kind(|node| node.rest.scale.element_product() < 0.0);
    if let Some(&first) = mirrored.first() {
        let message = format!(
            "a negative scale mirrors {}: {}",
            number_of(mirrored.len(), "node"),
            node_names(hierarchy, &mirrored)
        );
        let pointer = scale_pointer(hierarchy.node(first));
        let is_joint = |id: &NodeId| model.skins.iter().any(|skin| skin.joints.contains(id));
        // Few engines keep a mirrored joint whole; a mirrored part is common.
        if mirrored.len() <= 16 && mirrored.iter().any(is_joint) {
            diagnostics.info("NODE_NEGATIVE_SCALE", pointer, message, "");
        } else {
            diagnostics.hint("NODE_NEGATIVE_SCALE", pointer, message, "");
        }
    }
}

/// Where a file states the scale of a node.
fn scale_pointer(node: &Node) -> String {
    let part = match node.fixed_matrix {
        Some(_) => "matrix",
        None => "scale",
    };
    format!("/nodes/{}/{part}", node.file_index)
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::{
        import::findings::doctor::rest_pose,
        model::{Hierarchy, Skin},
    };

    /// To climb from a joint for each of them would take minutes.
    #[test]
    fn very_many_skinned_meshes_on_a_deep_tree_take_no_time() {
        const COUNT: usize = 20_000;
        let mut group = Node::default();
        group.rest.scale = Vec3::splat(2.0);
        let chain = vec![Node::default(); COUNT];
        let mesh = Node {
            skin: Some(0),
            ..Node::default()
        };
        let nodes = [chain, vec![group], vec![mesh; COUNT]].concat();
        let mut parents: Vec<_> = (0..COUNT).map(|node| node.checked_sub(1)).collect();
        parents.push(None);
        parents.extend(vec![Some(COUNT); COUNT]);
        let none = vec![Vec::new(); nodes.len()];
        let hierarchy = Hierarchy::new(nodes, &parents, &none).unwrap();
        let model = Model {
            skins: vec![Skin {
                joints: vec![hierarchy.by_file_index(COUNT - 1).unwrap()],
                joint_from_mesh: vec![Affine3A::IDENTITY],
                ..Skin::default()
            }],
            hierarchy,
            ..Model::default()
        };
        let rest = rest_pose(&model.hierarchy);
        let started = Instant::now();
        check_ignored(&model, &rest, &mut Diagnostics::default());
        assert!(started.elapsed() < Duration::from_secs(3));
    }
}
