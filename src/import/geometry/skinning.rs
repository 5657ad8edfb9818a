//! Whether skins and meshes go together (glTF 2.0 §3.7.3.3).

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    import::{
        base::{
            diagnostics::Diagnostics,
            hashing::HashSet,
            progress::{Cancelled, Progress},
        },
        scene::skins::{FileSkin, Joints},
    },
    model::{Hierarchy, Mesh, Node},
};

use super::meshes::FileMeshes;

/// For each of so many meshes the joints that any skin has which it is used with; none if it is used with no skin.
pub(in crate::import) fn joints_of_meshes(
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

/// The joints that vertices of a mesh name and some skin has, each once, in order.
#[derive(Debug, Default)]
struct NamedJoints {
    /// Some vertex has weight for them.
    weighty: Vec<u32>,
    idle: Vec<u32>,
}

/// Takes skins from nodes whose meshes have weight for joints that another skin has, and theirs has not. Returns which nodes
/// these are. Where vertices only name such joints, they name others from now on. `joints` are [those of
/// meshes](joints_of_meshes).
pub(in crate::import) fn take_small_skins(
    nodes: &mut [Node],
    (skins, joints): (&[Option<FileSkin>], &[Option<Joints>]),
    meshes: &mut [Mesh],
    progress: &Progress,
    diagnostics: &mut Diagnostics,
) -> Result<HashSet<usize>, Cancelled> {
    let mut bare = HashSet::default();
    // What the skin lacks, and whether a vertex has weight for it, for each pair of mesh and skin: a mesh may be placed a
    // thousand times.
    let mut known: BTreeMap<(usize, usize), Option<(u32, bool)>> = BTreeMap::new();
    let mut named: BTreeMap<usize, NamedJoints> = BTreeMap::new();
    let mut idle = BTreeSet::new();
    for (index, node) in nodes.iter_mut().enumerate() {
        progress.check()?;
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
                .or_insert_with(|| named_joints(meshes.get(mesh), all));
            let weighty = own.first_lacking(&named.weighty).map(|it| (it, true));
            weighty.or_else(|| Some((own.first_lacking(&named.idle)?, false)))
        });
        if let Some((joint, has_weight)) = lacking {
            let action = if has_weight {
                node.skin = None;
                bare.insert(index);
                "the mesh is drawn at the node"
            } else {
                idle.insert(mesh);
                "none of them has weight for such a joint"
            };
            diagnostics.error(
                "ACCESSOR_JOINTS_INDEX_OOB",
                format_args!("/nodes/{index}/skin"),
                format!(
                    "vertices of mesh {mesh} name joint {joint}, which is {}, but one of another",
                    own.none_of_these()
                ),
                action,
            );
        }
    }
    for mesh in idle {
        if let Some(mesh) = meshes.get_mut(mesh) {
            forget_idle_joints(mesh);
        }
    }
    Ok(bare)
}

/// Lets vertices name the first joint, which every skin has, where they have no weight (glTF 2.0 §3.7.3.3).
fn forget_idle_joints(mesh: &mut Mesh) {
    let influences = mesh
        .primitives
        .iter_mut()
        .filter_map(|it| it.influences.as_mut());
    for influences in influences {
        for (joint, weight) in influences.joints.iter_mut().zip(&influences.weights) {
            if *weight == 0.0 {
                *joint = 0;
            }
        }
    }
}

/// The joints that vertices of a mesh name, as far as any skin has them.
fn named_joints(mesh: Option<&Mesh>, all: &Joints) -> NamedJoints {
    /// So few are sorted sooner than all that there may be are looked through: a file may have many small meshes.
    const FEW: usize = 1 << 12;
    let primitives = mesh.into_iter().flat_map(|mesh| &mesh.primitives);
    let influences = primitives.filter_map(|it| it.influences.as_ref());
    let counts = influences.clone().map(|it| it.joints.len());
    let count = counts.fold(0, usize::saturating_add);
    let named = influences.flat_map(|it| it.joints.iter().zip(&it.weights));
    let named = named.map(|(joint, weight)| (*joint, *weight > 0.0));
    let mut joints = NamedJoints::default();
    let mut add = |joint: u32, has_weight: bool| {
        if all.has(joint) {
            let list = match has_weight {
                true => &mut joints.weighty,
                false => &mut joints.idle,
            };
            list.push(joint);
        }
    };
    if count <= FEW {
        let mut few: BTreeMap<u16, bool> = BTreeMap::new();
        for (joint, has_weight) in named {
            *few.entry(joint).or_default() |= has_weight;
        }
        for (joint, has_weight) in few {
            add(joint.into(), has_weight);
        }
        return joints;
    }
    let mut many: Vec<Option<bool>> = vec![None; 1 << 16];
    for (joint, has_weight) in named {
        if let Some(any) = many.get_mut(usize::from(joint)) {
            *any = Some(has_weight || *any == Some(true));
        }
    }
    for (joint, any) in (0_u32..).zip(many) {
        if let Some(has_weight) = any {
            add(joint, has_weight);
        }
    }
    joints
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

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::model::{Influences, Primitive};

    /// Joint 1 has no weight.
    fn mesh(count: usize) -> Mesh {
        let influences = Influences {
            per_vertex: 4,
            joints: [1, 0, 0, 0].repeat(count),
            weights: [0.0, 1.0, 0.0, 0.0].repeat(count),
        };
        let primitive = Primitive {
            influences: Some(influences),
            ..Primitive::default()
        };
        Mesh {
            primitives: vec![primitive],
            ..Mesh::default()
        }
    }

    /// A node for each of so many skins, of which the first has a joint more than the others.
    fn nodes(count: usize) -> (Vec<Node>, Vec<Option<FileSkin>>) {
        let node = |skin| Node {
            mesh: Some(0),
            skin: Some(skin),
            ..Node::default()
        };
        let joints = |skin| Joints::new(if skin == 0 { 2 } else { 1 }, Vec::new());
        let skins = (0..count).map(|skin| Some(FileSkin::of(joints(skin))));
        ((0..count).map(node).collect(), skins.collect())
    }

    #[test]
    fn many_skins_of_a_large_mesh_are_looked_at_at_once() {
        let (mut nodes, skins) = nodes(100_000);
        let mut meshes = [mesh(200_000)];
        let (progress, diagnostics) = (Progress::default(), &mut Diagnostics::default());
        let start = Instant::now();
        let joints = joints_of_meshes(1, &nodes, &skins);
        let skins = (&skins[..], &joints[..]);
        let bare = take_small_skins(&mut nodes, skins, &mut meshes, &progress, diagnostics);
        assert!(start.elapsed().as_secs() < 10);
        assert!(bare.unwrap().is_empty());
        let influences = meshes[0].primitives[0].influences.as_ref().unwrap();
        assert!(influences.joints.iter().all(|joint| *joint == 0));
        progress.cancel();
        let bare = take_small_skins(&mut nodes, skins, &mut meshes, &progress, diagnostics);
        assert_eq!(bare, Err(Cancelled));
    }

    #[test]
    fn the_first_joint_is_found_that_a_skin_lacks() {
        let joints = Joints::new(6, vec![2, 4]);
        for (named, expected) in [
            (&[0, 1, 3, 5][..], None),
            (&[0, 4, 9], Some(4)),
            (&[6, 9], Some(6)),
            (&[], None),
        ] {
            assert_eq!(joints.first_lacking(named), expected, "{named:?}");
        }
    }
}
