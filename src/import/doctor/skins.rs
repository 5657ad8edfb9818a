//! Skins: joints that move nothing, and inverse bind matrices that do not fit the rest pose.

use glam::{Affine3A, Vec3};

use crate::model::{Model, NodeId, Skin};

use super::{super::diagnostics::Diagnostics, counted, node_names};

/// How far joints may be from where the others are, as a part of the skeleton's own size.
const POSITION_TOLERANCE: f32 = 0.005;
/// Steps up the tree that are taken at most for all skins together, so that a thousand skins on one deep tree do not
/// take longer than reading them.
const MOST_STEPS: usize = 1 << 22;
/// How far their axes may be turned or scaled.
const AXIS_TOLERANCE: f32 = 0.01;

pub(super) fn check(
    model: &Model,
    rest: &[Affine3A],
    used: &[Vec<bool>],
    diagnostics: &mut Diagnostics,
) {
    let mut marks = Marks {
        skin_of: vec![usize::MAX; model.hierarchy.len()],
        steps_left: MOST_STEPS,
    };
    for (index, (skin, used)) in model.skins.iter().zip(used).enumerate() {
        // A skin that nothing uses, or no vertex, has no bind pose to speak of.
        if !used.contains(&true) {
            continue;
        }
        marks.climb(model, index, skin, used);
        check_unused(model, index, skin, &marks, diagnostics);
        check_singular(model, index, skin, used, diagnostics);
        check_bind_pose(model, index, skin, rest, diagnostics);
    }
}

/// Which nodes carry vertices of a skin, themselves or by what hangs below.
struct Marks {
    /// The last skin for which a node does.
    skin_of: Vec<usize>,
    steps_left: usize,
}

impl Marks {
    /// Marks the used joints of a skin and all nodes above.
    fn climb(&mut self, model: &Model, index: usize, skin: &Skin, used: &[bool]) {
        let joints = skin.joints.iter().zip(used);
        for (&joint, _) in joints.filter(|(_, used)| **used) {
            let mut place = Some(joint);
            while let Some(node) = place {
                let Some(left) = self.steps_left.checked_sub(1) else {
                    return;
                };
                self.steps_left = left;
                match self.skin_of.get_mut(node.index()) {
                    Some(mark) if *mark != index => *mark = index,
                    _ => break,
                }
                place = model.hierarchy.node(node).parent;
            }
        }
    }
}

/// A joint without vertices that carries others is the rule; at the end of the tree it only costs.
fn check_unused(
    model: &Model,
    index: usize,
    skin: &Skin,
    marks: &Marks,
    diagnostics: &mut Diagnostics,
) {
    if marks.steps_left == 0 {
        return;
    }
    let hierarchy = &model.hierarchy;
    let carries = |joint: &NodeId| marks.skin_of.get(joint.index()) == Some(&index);
    let joints = skin.joints.iter().copied();
    let idle: Vec<NodeId> = joints.filter(|joint| !carries(joint)).collect();
    if idle.is_empty() {
        return;
    }
    let message = format!(
        "{} of {} move no vertex, nor does any joint below: {}",
        counted(idle.len(), "joint"),
        skin.joints.len(),
        node_names(hierarchy, &idle)
    );
    diagnostics.hint(
        "SKIN_UNUSED_JOINTS",
        format_args!("/skins/{index}/joints"),
        message,
        "",
    );
}

fn check_singular(
    model: &Model,
    index: usize,
    skin: &Skin,
    used: &[bool],
    diagnostics: &mut Diagnostics,
) {
    let joints = skin.joints.iter().zip(&skin.joint_from_mesh).zip(used);
    let singular: Vec<NodeId> = joints
        .filter(|((_, matrix), used)| **used && matrix.matrix3.determinant() == 0.0)
        .map(|((&joint, _), _)| joint)
        .collect();
    if singular.is_empty() {
        return;
    }
    let message = format!(
        "the inverse bind matrix of {} has no inverse, so that its vertices fall together: {}",
        counted(singular.len(), "joint"),
        node_names(&model.hierarchy, &singular)
    );
    let pointer = format_args!("/skins/{index}/inverseBindMatrices");
    diagnostics.warning("SKIN_IBM_SINGULAR", pointer, message, "it is used as it is");
}

/// Where matrices invert the pose at rest, `world_from_joint * joint_from_mesh` is the same for all joints: where the
/// whole model stands.
#[allow(
    clippy::arithmetic_side_effects,
    reason = "floats do not overflow into anything worse than infinity"
)]
fn check_bind_pose(
    model: &Model,
    index: usize,
    skin: &Skin,
    rest: &[Affine3A],
    diagnostics: &mut Diagnostics,
) {
    let joints = skin.joints.iter().zip(&skin.joint_from_mesh);
    let mut placed = joints.filter_map(|(&joint, &joint_from_mesh)| {
        let world_from_joint = *rest.get(joint.index())?;
        Some((joint, world_from_joint, world_from_joint * joint_from_mesh))
    });
    let Some((_, first_joint, first)) = placed.next() else {
        return;
    };
    let placed: Vec<_> = placed.collect();
    let origin = first_joint.translation;
    let size = placed
        .iter()
        .map(|(_, world_from_joint, _)| world_from_joint.translation.distance(origin))
        .fold(0.0, f32::max);
    let scale = largest(&first);
    let mut farthest = 0.0_f32;
    let mut off: Vec<NodeId> = Vec::new();
    for (joint, world_from_joint, here) in &placed {
        // The place in the mesh's space that the joint stands at by the first matrix, and by its own.
        let at = first
            .inverse()
            .transform_point3a(world_from_joint.translation);
        let distance = here
            .transform_point3a(at)
            .distance(world_from_joint.translation);
        let turn = largest_difference(here, &first);
        let is_off = distance > POSITION_TOLERANCE * size || turn > AXIS_TOLERANCE * scale;
        if is_off || !distance.is_finite() {
            off.push(*joint);
            farthest = farthest.max(distance);
        }
    }
    if off.is_empty() {
        return;
    }
    let pointer = format_args!("/skins/{index}/inverseBindMatrices");
    let is_identity = |matrix: &Affine3A| *matrix == Affine3A::IDENTITY;
    if skin.joint_from_mesh.iter().all(is_identity) {
        let message = format!(
            "the inverse bind matrices are missing, and the joints do not stand at the origin: {}",
            node_names(&model.hierarchy, &off)
        );
        diagnostics.warning(
            "SKIN_IBM_MISSING",
            pointer,
            message,
            "identity matrices are used",
        );
        return;
    }
    let message = format!(
        "the pose at rest is not the bind pose: {} of {} stand elsewhere, by up to {farthest:.3}: {}",
        counted(off.len(), "joint"),
        skin.joints.len(),
        node_names(&model.hierarchy, &off)
    );
    diagnostics.info("SKIN_REST_IS_NOT_BIND_POSE", pointer, message, "");
}

fn columns(matrix: &Affine3A) -> [Vec3; 3] {
    let matrix = matrix.matrix3;
    [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(Vec3::from)
}

fn largest(matrix: &Affine3A) -> f32 {
    let lengths = columns(matrix).map(Vec3::length);
    lengths.into_iter().fold(0.0, f32::max)
}

fn largest_difference(a: &Affine3A, b: &Affine3A) -> f32 {
    let pairs = columns(a).into_iter().zip(columns(b));
    pairs.map(|(a, b)| a.distance(b)).fold(0.0, f32::max)
}
