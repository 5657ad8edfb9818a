//! Clips that move what carries skinned meshes: the joints alone place these (glTF 2.0 §3.7.3.3), so that nobody sees it.

use std::collections::BTreeSet;

use crate::{
    import::base::diagnostics::{Diagnostics, Severity},
    model::{Hierarchy, Model, Node, NodeId},
};

use super::{ClipNames, node_names, place};

/// For each node whether it carries skinned meshes, itself or below, and nothing else that is seen or sees; and what hangs
/// there.
pub(super) fn carriers(model: &Model) -> Vec<bool> {
    let hierarchy = &model.hierarchy;
    let mut has_skinned = vec![false; hierarchy.len()];
    let mut has_others = model.joint_nodes();
    let is_skinned = |node: &Node| node.mesh.is_some() && node.skin.is_some();
    // Parents stand before their children.
    let nodes: Vec<_> = hierarchy.iter().collect();
    for &(id, node) in nodes.iter().rev() {
        let is_other = node.camera.is_some()
            || node.light.is_some()
            || (node.mesh.is_some() && !is_skinned(node));
        if is_skinned(node) {
            set(&mut has_skinned, id);
        }
        if is_other {
            set(&mut has_others, id);
        }
        if let Some(parent) = node.parent {
            if is_set(&has_skinned, id) {
                set(&mut has_skinned, parent);
            }
            if is_set(&has_others, id) {
                set(&mut has_others, parent);
            }
        }
    }
    let mut carriers = vec![false; hierarchy.len()];
    for &(id, node) in &nodes {
        let is_carrier = is_set(&has_skinned, id) && !is_set(&has_others, id);
        if is_carrier || node.parent.is_some_and(|parent| is_set(&carriers, parent)) {
            set(&mut carriers, id);
        }
    }
    carriers
}

pub(super) fn is_set(marks: &[bool], node: NodeId) -> bool {
    marks.get(node.index()).copied().unwrap_or(false)
}

fn set(marks: &mut [bool], node: NodeId) {
    if let Some(mark) = marks.get_mut(node.index()) {
        *mark = true;
    }
}

/// Says which clips move nodes of skinned meshes, or carriers.
pub(super) fn check(
    model: &Model,
    names: &ClipNames<'_>,
    carriers: &[bool],
    diagnostics: &mut Diagnostics,
) {
    let hierarchy = &model.hierarchy;
    for (index, clip) in model.clips.iter().enumerate() {
        let placed = clip.placed_nodes();
        let moved: BTreeSet<NodeId> = placed
            .filter(|&id| is_carrier(hierarchy, carriers, id))
            .collect();
        let moved: Vec<NodeId> = moved.into_iter().collect();
        if moved.is_empty() {
            continue;
        }
        let message = format!(
            "{} moves what carries a skinned mesh, not its joints: {}",
            names.one(index),
            node_names(hierarchy, &moved)
        );
        let pointer = format_args!("/animations/{index}");
        diagnostics.add(
            Severity::Warning,
            "ANIMATION_CHANNEL_TARGET_NODE_SKIN",
            (pointer, place(hierarchy, moved.first().copied(), None)),
            message,
            "it moves no skinned mesh",
        );
    }
}

fn is_carrier(hierarchy: &Hierarchy, carriers: &[bool], id: NodeId) -> bool {
    let node = hierarchy.node(id);
    is_set(carriers, id) || (node.mesh.is_some() && node.skin.is_some())
}
