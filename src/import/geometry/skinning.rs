//! Whether skins and meshes go together (glTF 2.0 §3.7.3.3).

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    import::{
        base::{diagnostics::Diagnostics, hashing::HashSet},
        scene::skins::{FileSkin, Joints},
    },
    model::{Hierarchy, Mesh, Node},
};

use super::meshes::FileMeshes;

/// For each mesh the joints that any skin has which it is used with; none if it is used with no skin.
pub(super) fn joints_of_meshes(
    count: usize,
    nodes: &[Node],
    skins: &[Option<FileSkin>],
) -> Vec<Option<Joints>> {
    let mut all: Vec<Option<Joints>> = vec![None; count];
    for node in nodes {
        let skin = node.skin.and_then(|skin| skins.get(skin)?.as_ref());
        if let (Some(mesh), Some(skin)) = (node.mesh, skin)
            && let Some(joints) = all.get_mut(mesh)
        {
            match joints {
                Some(joints) => joints.unite(skin.joints()),
                None => *joints = Some(skin.joints().clone()),
            }
        }
    }
    all
}

/// Takes skins from nodes whose meshes name joints that another skin has, and theirs has not. Returns which nodes these are.
pub(in crate::import) fn take_small_skins(
    nodes: &mut [Node],
    skins: &[Option<FileSkin>],
    meshes: &[Mesh],
    diagnostics: &mut Diagnostics,
) -> HashSet<usize> {
    let mut bare = HashSet::default();
    // Whether the skin is too small, for each pair of mesh and skin: a mesh may be placed a thousand times.
    let mut known: BTreeMap<(usize, usize), Option<u32>> = BTreeMap::new();
    let mut named: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
    let joints = joints_of_meshes(meshes.len(), nodes, skins);
    for (index, node) in nodes.iter_mut().enumerate() {
        let pair = node.mesh.zip(node.skin);
        let Some((mesh, skin)) = pair else { continue };
        let own = skins
            .get(skin)
            .and_then(|skin| Some(skin.as_ref()?.joints()));
        let all = joints.get(mesh).and_then(Option::as_ref);
        // What no skin has is no weight already.
        let (Some(own), Some(all)) = (own, all) else {
            continue;
        };
        if own == all {
            continue;
        }
        let lacking = *known.entry((mesh, skin)).or_insert_with(|| {
            let named = named
                .entry(mesh)
                .or_insert_with(|| named_joints(meshes.get(mesh)));
            named
                .iter()
                .copied()
                .find(|&joint| !own.has(joint) && all.has(joint))
        });
        if let Some(joint) = lacking {
            node.skin = None;
            bare.insert(index);
            diagnostics.error(
                "ACCESSOR_JOINTS_INDEX_OOB",
                format_args!("/nodes/{index}/skin"),
                format!(
                    "vertices of mesh {mesh} name joint {joint}, which is none of the {} of the skin, but one of another",
                    own.count()
                ),
                "the mesh is drawn at the node",
            );
        }
    }
    bare
}

/// The joints that vertices of a mesh name, each once.
fn named_joints(mesh: Option<&Mesh>) -> Vec<u32> {
    /// So few are sorted sooner than all that there may be are looked through: a file may have many small meshes.
    const FEW: usize = 1 << 12;
    let primitives = mesh.into_iter().flat_map(|mesh| &mesh.primitives);
    let joints = primitives.filter_map(|it| Some(&it.influences.as_ref()?.joints));
    let count = joints.clone().map(Vec::len).fold(0, usize::saturating_add);
    let named = joints.flatten().copied();
    if count <= FEW {
        let few: BTreeSet<u16> = named.collect();
        return few.into_iter().map(u32::from).collect();
    }
    let mut is_named = vec![false; 1 << 16];
    for joint in named {
        if let Some(is_named) = is_named.get_mut(usize::from(joint)) {
            *is_named = true;
        }
    }
    let named = (0_u32..).zip(is_named);
    named
        .filter_map(|(joint, is_named)| is_named.then_some(joint))
        .collect()
}

/// Checks that skins and meshes with joints go together; of `bare` nodes it was said why they have no skin.
pub(in crate::import) fn check(
    meshes: &FileMeshes,
    hierarchy: &Hierarchy,
    bare: &HashSet<usize>,
    diagnostics: &mut Diagnostics,
) {
    // A mesh of many primitives may be placed a thousand times.
    let kinds = meshes.meshes.iter().zip(&meshes.have_joints);
    let kinds = kinds.map(|(mesh, has_joints)| {
        let mut influences = mesh.primitives.iter().map(|p| p.influences.is_some());
        let is_any_skinned = influences.clone().any(|is_skinned| is_skinned);
        let is_any_rigid = influences.any(|is_skinned| !is_skinned);
        (*has_joints, is_any_skinned, is_any_rigid)
    });
    let kinds: Vec<_> = kinds.collect();
    for node in hierarchy.nodes() {
        let kind = node.mesh.and_then(|mesh| kinds.get(mesh));
        let Some(&(has_joints, is_any_skinned, is_any_rigid)) = kind else {
            continue;
        };
        let pointer = format_args!("/nodes/{}", node.file_index);
        let code = "NODE_SKIN_WITH_NON_SKINNED_MESH";
        if node.skin.is_some() && !has_joints {
            let message = "the node has a skin, and its mesh has no joints and weights";
            diagnostics.error(code, pointer, message, "it is drawn at the node");
        } else if node.skin.is_some() && is_any_rigid {
            let message =
                "the node has a skin, and its mesh has primitives without joints and weights";
            diagnostics.warning(code, pointer, message, "these are drawn at the node");
        }
        if node.skin.is_none() && is_any_skinned && !bare.contains(&node.file_index) {
            diagnostics.warning(
                "NODE_SKINNED_MESH_WITHOUT_SKIN",
                pointer,
                "the mesh has joints and weights, and the node has no skin",
                "it is drawn without them",
            );
        }
    }
}
