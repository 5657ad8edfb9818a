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

pub(super) fn check(model: &Model, rest: &[Affine3A], diagnostics: &mut Diagnostics) {
    check_ignored(model, rest, diagnostics);
    check_scales(model, diagnostics);
}

/// Skinned meshes stand where their joints are; the node's own place must be ignored (glTF 2.0 §3.7.3.3).
fn check_ignored(model: &Model, rest: &[Affine3A], diagnostics: &mut Diagnostics) {
    const TOLERANCE: f32 = 1e-5;
    let hierarchy = &model.hierarchy;
    let is_identity = |matrix: &Affine3A| matrix.abs_diff_eq(Affine3A::IDENTITY, TOLERANCE);
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
            match moves_joints(model, node, world_from_node, rest, &mut steps_left) {
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

/// Whether what is above a skinned mesh is above its joints, too, so that it stands where it would be taken; none if that takes
/// too long to find.
fn moves_joints(
    model: &Model,
    node: &Node,
    world_from_node: &Affine3A,
    rest: &[Affine3A],
    steps_left: &mut usize,
) -> Option<bool> {
    let skin = node.skin.and_then(|skin| model.skins.get(skin));
    let Some(&joint) = skin.and_then(|skin| skin.joints.first()) else {
        return Some(false);
    };
    let parent = |node: &NodeId| model.hierarchy.node(*node).parent;
    for above in std::iter::successors(parent(&joint), parent) {
        *steps_left = steps_left.checked_sub(1)?;
        if rest.get(above.index()) == Some(world_from_node) {
            return Some(true);
        }
    }
    Some(false)
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
