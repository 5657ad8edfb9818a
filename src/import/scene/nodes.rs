//! Nodes: placements, and the tree they make (glTF 2.0 §3.5).

use glam::{Affine3A, Mat4, Quat, Vec3};
use gltf::json;

use crate::{
    import::{
        arrays::source::Source,
        base::{
            diagnostics::{Diagnostics, Fault},
            hashing::HashMap,
            progress::Cancelled,
            wording::{counted, there_are},
        },
        json::{document::Section, extensions::ObjectExtensions},
    },
    model::{Hierarchy, HierarchyError, Mesh, Node, Transform, unit_rotation},
};

use super::{
    instancing, lights, rotations::UNIT_QUATERNION_TOLERANCE, skins::FileSkin, trs, visibility,
};

/// All nodes in file order.
#[derive(Debug, Default)]
pub(in crate::import) struct FileNodes {
    pub nodes: Vec<Node>,
    /// The parent of each, as an index in the file; without cycles.
    pub parents: Vec<Option<usize>>,
    /// The morph weights that nodes themselves state.
    weights: Vec<Option<Vec<f32>>>,
}

/// By what the translation, rotation or scale of a node is moved.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::import) struct MovedNode {
    /// Whether a channel names the node as its target, which then may have no matrix (glTF 2.0 §3.5.3).
    pub(in crate::import) is_target: bool,
    /// Which animation and which of its channels point at the rotation or the scale first: a node with a matrix has none, but
    /// a translation (glTF 2.0 Asset Object Model, core pointers).
    pub(in crate::import) turned_by: Option<(usize, usize)>,
}

/// Reads all nodes. `animated` are those whose translation, rotation or scale a clip moves, and by what.
pub(in crate::import) fn read(
    source: &Source<'_>,
    animated: &HashMap<usize, MovedNode>,
    skins: &[Option<FileSkin>],
    light_count: usize,
    diagnostics: &mut Diagnostics,
) -> Result<FileNodes, Cancelled> {
    let document = &source.document;
    let mut instances_left = instancing::MAX_INSTANCES;
    let count = document.count(Section::Nodes);
    let mut file = FileNodes {
        nodes: Vec::with_capacity(count),
        parents: vec![None; count],
        weights: Vec::with_capacity(count),
    };
    for index in 0..count {
        source.progress.check()?;
        let object = document.object::<json::Node>(Section::Nodes, index, diagnostics);
        let object = object.unwrap_or_default();
        adopt_children(source, index, &object, &mut file.parents, diagnostics);
        let mut node = Node {
            mesh: object.mesh.and_then(|mesh| {
                let pointer = format_args!("/nodes/{index}/mesh");
                let action = "the node has no mesh";
                document.reference(Section::Meshes, mesh, pointer, action, diagnostics)
            }),
            camera: object.camera.and_then(|camera| {
                let pointer = format_args!("/nodes/{index}/camera");
                let action = "the node has no camera";
                document.reference(Section::Cameras, camera, pointer, action, diagnostics)
            }),
            ..Node::default()
        };
        let skin = read_skin(source, index, &object, skins, diagnostics);
        // A mesh that does not exist has been named.
        node.skin = skin.filter(|_| node.mesh.is_some());
        let extensions = ObjectExtensions::of(document.text(Section::Nodes, index));
        node.is_hidden = visibility::is_hidden(source, index, &extensions, diagnostics);
        node.light = lights::of_node(source, index, &extensions, light_count, diagnostics);
        node.node_from_instances = instancing::read(
            source,
            index,
            &node,
            &extensions,
            &mut instances_left,
            diagnostics,
        );
        if object.weights.is_some() && object.mesh.is_none() {
            diagnostics.error(
                "UNSATISFIED_DEPENDENCY",
                format_args!("/nodes/{index}/weights"),
                "the node has morph weights and no mesh",
                "they are ignored",
            );
        }
        place(
            index,
            &object,
            animated.get(&index).copied(),
            &mut node,
            diagnostics,
        );
        file.weights.push(object.weights);
        node.name = object.name.unwrap_or_default();
        file.nodes.push(node);
    }
    break_cycles(&mut file.parents, diagnostics);
    Ok(file)
}

fn read_skin(
    source: &Source<'_>,
    index: usize,
    object: &json::Node,
    skins: &[Option<FileSkin>],
    diagnostics: &mut Diagnostics,
) -> Option<usize> {
    let pointer = format_args!("/nodes/{index}/skin");
    let action = "its mesh is not skinned";
    let skin =
        source
            .document
            .reference(Section::Skins, object.skin?, pointer, action, diagnostics)?;
    if object.mesh.is_none() {
        let message = "the node has a skin and no mesh";
        diagnostics.error(
            "UNSATISFIED_DEPENDENCY",
            pointer,
            message,
            "the skin is ignored",
        );
        return None;
    }
    if skins.get(skin).is_none_or(Option::is_none) {
        let message = format!("skin {skin} cannot be used");
        diagnostics.error("SKIN_UNREADABLE", pointer, message, action);
        return None;
    }
    Some(skin)
}

/// Notes `parent` as the parent of its children. A node has one parent (glTF 2.0 §3.5.2): the first that claims it.
fn adopt_children(
    source: &Source<'_>,
    parent: usize,
    object: &json::Node,
    parents: &mut [Option<usize>],
    diagnostics: &mut Diagnostics,
) {
    const ACTION: &str = "the edge was dropped";
    let Some(children) = &object.children else {
        return;
    };
    if children.is_empty() {
        let pointer = format_args!("/nodes/{parent}/children");
        diagnostics.error("EMPTY_ENTITY", pointer, "the list of children is empty", "");
    }
    for (place, &child) in children.iter().enumerate() {
        let pointer = format_args!("/nodes/{parent}/children/{place}");
        let Some(child) =
            source
                .document
                .reference(Section::Nodes, child, pointer, ACTION, diagnostics)
        else {
            continue;
        };
        let Some(slot) = parents.get_mut(child) else {
            continue;
        };
        match *slot {
            None => *slot = Some(parent),
            Some(first) if first == parent => {
                let message = format!("node {child} is listed twice");
                diagnostics.error("DUPLICATE_ELEMENTS", pointer, message, ACTION);
            }
            Some(first) => {
                let message = format!("node {child} is a child of node {first} already");
                diagnostics.error("NODE_PARENT_OVERRIDE", pointer, message, ACTION);
            }
        }
    }
}

/// Makes the first node of every cycle a root. Each node is walked over once.
fn break_cycles(parents: &mut [Option<usize>], diagnostics: &mut Diagnostics) {
    let mut walked_from: Vec<Option<usize>> = vec![None; parents.len()];
    for start in 0..parents.len() {
        let mut node = Some(start);
        while let Some(place) = node {
            let Some(mark) = walked_from.get_mut(place) else {
                break;
            };
            match *mark {
                None => *mark = Some(start),
                // This walk has been here before. It started at the first node of the cycle, or outside of it.
                Some(walk) if walk == start => {
                    cut_cycle(place, parents, diagnostics);
                    break;
                }
                Some(_) => break,
            }
            node = parents.get(place).copied().flatten();
        }
    }
}

/// Cuts the cycle that `member` lies in above its first node in file order.
fn cut_cycle(member: usize, parents: &mut [Option<usize>], diagnostics: &mut Diagnostics) {
    let mut first = member;
    let mut node = parents.get(member).copied().flatten();
    while let Some(place) = node.filter(|&place| place != member) {
        first = first.min(place);
        node = parents.get(place).copied().flatten();
    }
    if let Some(parent) = parents.get_mut(first) {
        *parent = None;
    }
    diagnostics.error(
        "NODE_LOOP",
        format_args!("/nodes/{first}"),
        format!("node {first} is its own ancestor"),
        "the edge was dropped",
    );
}

/// Sets the node's placement: a matrix, or translation, rotation and scale (glTF 2.0 §3.5.3).
fn place(
    index: usize,
    object: &json::Node,
    moved: Option<MovedNode>,
    node: &mut Node,
    diagnostics: &mut Diagnostics,
) {
    let has_parts =
        object.translation.is_some() || object.rotation.is_some() || object.scale.is_some();
    let Some(matrix) = object.matrix else {
        node.rest = read_parts(index, object, diagnostics);
        return;
    };
    let pointer = format_args!("/nodes/{index}/matrix");
    if has_parts {
        diagnostics.error(
            "NODE_MATRIX_TRS",
            pointer,
            "the node has a matrix and also translation, rotation or scale",
            "the matrix is used",
        );
    }
    let matrix = matrix.map(limited);
    let is_trs = trs::is_trs(&matrix);
    let matrix = Mat4::from_cols_array(&matrix);
    let has_last_row = matrix.row(3) == glam::Vec4::W;
    let exact = Affine3A::from_mat4(matrix);
    node.rest = Transform::from_affine(&exact);
    if !node.rest.scale.is_finite() {
        // The file is at no fault.
        let message = "the numbers of the matrix are too large";
        let action = "the node is not moved";
        diagnostics.warning("VALUE_NOT_IN_RANGE", pointer, message, action);
        node.rest = Transform::IDENTITY;
        return;
    }
    let shears = shears(&exact, &node.rest);
    let form = MatrixForm {
        is_trs,
        shears,
        has_last_row,
    };
    if let Some(fault) = matrix_fault(&exact, form) {
        let action = match (has_last_row, moved.is_some()) {
            (false, _) => "the row is ignored",
            (true, true) => "it is taken apart",
            (true, false) => "it is used as it is",
        };
        diagnostics.fault(fault, pointer, action);
    }
    if let Some(moved) = moved {
        let action = if shears {
            "it was replaced by the nearest translation, rotation and scale"
        } else {
            "it was taken apart"
        };
        if moved.is_target {
            let message = "a clip animates the node, which must not have a matrix then";
            diagnostics.warning("NODE_MATRIX_ANIMATED", pointer, message, action);
        }
        if let Some((animation, channel)) = moved.turned_by {
            let at = format_args!(
                "/animations/{animation}/channels/{channel}/target/extensions/KHR_animation_pointer/pointer"
            );
            let message = format!("node {index} has a matrix, and no rotation or scale beside it");
            let action = "the matrix was taken apart";
            diagnostics.error("ANIMATION_POINTER_UNRESOLVED", at, message, action);
        }
    } else {
        node.fixed_matrix = Some(exact);
    }
}

/// What a node's matrix is made of.
#[derive(Debug, Clone, Copy)]
struct MatrixForm {
    /// Whether it is translation, rotation and scale, as the validator says.
    is_trs: bool,
    /// [`shears`].
    shears: bool,
    /// Whether its fourth row is 0, 0, 0, 1.
    has_last_row: bool,
}

/// Why a matrix is no translation, rotation and scale, or none that a node should have.
fn matrix_fault(matrix: &Affine3A, form: MatrixForm) -> Option<Fault> {
    let MatrixForm {
        is_trs,
        shears,
        has_last_row,
    } = form;
    let complaint = if !is_trs || shears {
        Some("the matrix is no translation, rotation and scale")
    } else if matrix.matrix3.determinant() == 0.0 {
        Some("the matrix has no inverse")
    } else {
        None
    };
    let row = "fourth row of the matrix is not 0, 0, 0, 1";
    let message = match (complaint, has_last_row) {
        (None, true) => return None,
        (None, false) => format!("the {row}"),
        (Some(complaint), true) => complaint.to_owned(),
        (Some(complaint), false) => format!("{complaint}, and the {row}"),
    };
    let code = "NODE_MATRIX_NON_TRS";
    // The validator compares sums, in which some of what shears is not seen.
    Some(if is_trs && has_last_row {
        Fault::warning(code, message)
    } else {
        Fault::new(code, message)
    })
}

/// Whether a matrix differs from what it was taken apart into by more than numbers differ that were written with four
/// digits behind the point, or with five in all.
fn shears(matrix: &Affine3A, parts: &Transform) -> bool {
    let numbers = matrix.matrix3.to_cols_array();
    let extent = numbers.into_iter().fold(0.0, |m: f32, v| m.max(v.abs()));
    let made = parts.to_affine().matrix3;
    !made.abs_diff_eq(matrix.matrix3, (1e-5 * extent).max(1.5e-4))
}

/// A number that is merely too large for a float is none of the file's faults; the checks name it, which still have its
/// digits.
fn limited(number: f32) -> f32 {
    number.clamp(f32::MIN, f32::MAX)
}

fn read_parts(index: usize, object: &json::Node, diagnostics: &mut Diagnostics) -> Transform {
    let vector = |vector: [f32; 3]| Vec3::from(vector.map(limited));
    let translation = object.translation.map_or(Vec3::ZERO, vector);
    let scale = object.scale.map_or(Vec3::ONE, vector);
    let rotation = object.rotation.map_or(Quat::IDENTITY, |rotation| {
        let pointer = format_args!("/nodes/{index}/rotation");
        let quaternion = Quat::from_array(rotation.0);
        let Some(unit) = unit_rotation(quaternion) else {
            let message = format!("{quaternion} is no rotation");
            diagnostics.error(
                "ROTATION_NON_UNIT",
                pointer,
                message,
                "the node is not rotated",
            );
            return Quat::IDENTITY;
        };
        let length = quaternion.length();
        if (length - 1.0).abs() > UNIT_QUATERNION_TOLERANCE {
            let action = "it was normalised";
            let mut numbers = rotation.0.iter().zip(0..);
            // One that no unit quaternion has is at fault by itself.
            if let Some((number, place)) = numbers.find(|(number, _)| number.abs() > 1.0) {
                let pointer = format_args!("{pointer}/{place}");
                let message = format!("{number} is not in -1..=1");
                diagnostics.error("VALUE_NOT_IN_RANGE", pointer, message, action);
            } else {
                let message = format!("the quaternion has length {length}");
                diagnostics.error("ROTATION_NON_UNIT", pointer, message, action);
            }
        }
        unit
    });
    Transform {
        translation,
        rotation,
        scale,
    }
}

/// Sorts the nodes into a hierarchy. Weights of nodes come before those of their mesh (glTF 2.0 §3.7.2.2).
pub(in crate::import) fn finish(
    source: &Source<'_>,
    mut file: FileNodes,
    meshes: &[Mesh],
    mesh_weights: &[Vec<f32>],
    diagnostics: &mut Diagnostics,
) -> Result<Hierarchy, HierarchyError> {
    let mut weights = Vec::with_capacity(file.nodes.len());
    let stated = std::mem::take(&mut file.weights);
    for (index, (node, stated)) in file.nodes.iter_mut().zip(stated).enumerate() {
        let count = node
            .mesh
            .and_then(|mesh| meshes.get(mesh))
            .map_or(0, |mesh| mesh.target_count);
        // They are kept twice until the hierarchy is made, whose list grows by doubling.
        let size = 4_usize.saturating_mul(size_of::<f32>());
        if let Err(fault) = source.budget.charge_data(count, size) {
            let pointer = format_args!("/nodes/{index}/mesh");
            diagnostics.fault(fault, pointer, "the node has no mesh");
            node.mesh = None;
            node.skin = None;
            node.node_from_instances = Vec::new();
            weights.push(Vec::new());
            continue;
        }
        if stated.as_ref().is_some_and(|stated| stated.len() != count) && node.mesh.is_some() {
            let found = stated.as_ref().map_or(0, Vec::len);
            diagnostics.error(
                "NODE_WEIGHTS_INVALID",
                format_args!("/nodes/{index}/weights"),
                format!(
                    "{} for {}",
                    there_are(found, "weight", "weights"),
                    counted(count, "morph target", "morph targets")
                ),
                "missing weights are 0, others are ignored",
            );
        }
        let of_mesh = || node.mesh.and_then(|mesh| mesh_weights.get(mesh)).cloned();
        let mut own = stated.or_else(of_mesh).unwrap_or_default();
        own.resize(count, 0.0);
        for weight in &mut own {
            if !weight.is_finite() {
                *weight = 0.0;
            }
        }
        weights.push(own);
    }
    Hierarchy::new(file.nodes, &file.parents, &weights)
}
