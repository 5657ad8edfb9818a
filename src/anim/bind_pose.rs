//! The bind pose: where the joints were when the skins were made, as their inverse bind matrices say.
//!
//! A skin's matrices give its joints' places from one another, not where all of them stand: any one matrix before them is as
//! good (glTF 2.0 §3.7.3.1). In the bind pose `world_from_joint * joint_from_mesh` is therefore the same for all joints of a
//! skin. Of the matrices that it may be, the one is taken that files mean: none at all, or that of the node which the
//! skeleton hangs from, or that of the node which carries the mesh, whichever is near to where the topmost joint stands at
//! rest; if none is, the topmost joint stays where it is.
//!
//! Where skins share joints, the first skin of the file says where these are, and the others stand on what they share with
//! it. Joints whose matrix has no inverse follow their parents, as do all other nodes.

use glam::{DAffine3, DMat3, DQuat, DVec3};

use super::Pose;
use crate::model::{Hierarchy, Model, NodeId, Skin, Transform};

/// How far a matrix may turn and scale from what the topmost joint says, and still be what the file means.
const MAX_TURN_RADIANS: f64 = 0.8;
const MAX_SCALE: f64 = 1.25;

/// Puts `pose` (its local and world transforms) into the bind pose; without skins it is the file's own pose.
pub fn bind_pose(model: &Model, pose: &mut Pose) {
    let hierarchy = &model.hierarchy;
    pose.reset(hierarchy);
    pose.update_world(hierarchy, glam::Affine3A::IDENTITY);
    let rest = rest_world(hierarchy);
    let mut bound: Vec<Option<DAffine3>> = vec![None; hierarchy.len()];
    // The first node that carries a mesh with each skin.
    let mut carriers = vec![None; model.skins.len()];
    for (id, node) in hierarchy.iter() {
        if let (Some(skin), Some(_)) = (node.skin, node.mesh) {
            carriers[skin].get_or_insert(id);
        }
    }
    for (skin, carrier) in model.skins.iter().zip(carriers) {
        bind_skin(hierarchy, skin, carrier, &rest, &mut bound);
    }
    let mut world: Vec<DAffine3> = Vec::with_capacity(hierarchy.len());
    for (id, node) in hierarchy.iter() {
        let world_from_parent = node
            .parent
            .map_or(DAffine3::IDENTITY, |parent| world[parent.index()]);
        let world_from_node = match bound[id.index()] {
            Some(world_from_joint) => {
                let parent_from_node = world_from_parent.inverse() * world_from_joint;
                if parent_from_node.is_finite() {
                    pose.locals[id.index()] = Transform::from_affine(&to_single(&parent_from_node));
                }
                world_from_joint
            }
            None => world_from_parent * parent_from_node(hierarchy, id),
        };
        pose.world[id.index()] = to_single(&world_from_node);
        world.push(world_from_node);
    }
}

/// Binds the joints of a skin that no skin before it has bound.
fn bind_skin(
    hierarchy: &Hierarchy,
    skin: &Skin,
    carrier: Option<NodeId>,
    rest: &[DAffine3],
    bound: &mut [Option<DAffine3>],
) {
    let pairs = || {
        let pairs = skin.joints.iter().zip(&skin.joint_from_mesh);
        pairs.filter_map(|(joint, matrix)| {
            let joint_from_mesh = to_double(matrix);
            let mesh_from_joint = joint_from_mesh.inverse();
            let is_usable = joint_from_mesh.is_finite() && mesh_from_joint.is_finite();
            is_usable.then_some((*joint, joint_from_mesh, mesh_from_joint))
        })
    };
    let shared = pairs().find_map(|(joint, joint_from_mesh, _)| {
        let world_from_joint = bound[joint.index()]?;
        Some(world_from_joint * joint_from_mesh)
    });
    let world_from_mesh = shared.or_else(|| {
        // Parents stand before their children.
        let (topmost, joint_from_mesh, _) = pairs().min_by_key(|(joint, ..)| joint.index())?;
        let at_rest = rest[topmost.index()] * joint_from_mesh;
        let above = hierarchy.node(topmost).parent;
        let above = above.map(|node| rest[node.index()]);
        let carrier = carrier.map(|node| rest[node.index()]);
        let meant = [Some(DAffine3::IDENTITY), above, carrier];
        let meant = meant.into_iter().flatten();
        Some(nearest(meant, &at_rest).unwrap_or(at_rest))
    });
    let Some(world_from_mesh) = world_from_mesh else {
        return;
    };
    for (joint, _, mesh_from_joint) in pairs() {
        bound[joint.index()].get_or_insert(world_from_mesh * mesh_from_joint);
    }
}

/// The matrix that turns and scales most nearly as `wanted`, if any does nearly.
fn nearest(matrices: impl Iterator<Item = DAffine3>, wanted: &DAffine3) -> Option<DAffine3> {
    let (wanted_scale, wanted_turn) = scale_and_turn(&wanted.matrix3)?;
    let mut best: Option<(f64, DAffine3)> = None;
    for matrix in matrices {
        let Some((scale, turn)) = scale_and_turn(&matrix.matrix3) else {
            continue;
        };
        let ratio = scale / wanted_scale;
        let angle = turn.angle_between(wanted_turn);
        let is_near = ratio.max(ratio.recip()) <= MAX_SCALE && angle <= MAX_TURN_RADIANS;
        if is_near && best.is_none_or(|(least, _)| angle < least - 1e-3) {
            best = Some((angle, matrix));
        }
    }
    best.map(|(_, matrix)| matrix)
}

/// The mean scale of a matrix, and how it turns; none if it flattens or mirrors.
fn scale_and_turn(matrix: &DMat3) -> Option<(f64, DQuat)> {
    let determinant = matrix.determinant();
    let columns = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(DVec3::try_normalize);
    let [Some(x), Some(y), Some(z)] = columns else {
        return None;
    };
    let is_usable = determinant > 0.0 && determinant.is_finite();
    is_usable.then(|| {
        let turn = DQuat::from_mat3(&DMat3::from_cols(x, y, z)).normalize();
        (determinant.cbrt(), turn)
    })
}

/// `world_from_node` of all nodes in the file's own pose.
fn rest_world(hierarchy: &Hierarchy) -> Vec<DAffine3> {
    let mut world: Vec<DAffine3> = Vec::with_capacity(hierarchy.len());
    for (id, node) in hierarchy.iter() {
        let world_from_parent = node
            .parent
            .map_or(DAffine3::IDENTITY, |parent| world[parent.index()]);
        world.push(world_from_parent * parent_from_node(hierarchy, id));
    }
    world
}

fn parent_from_node(hierarchy: &Hierarchy, id: NodeId) -> DAffine3 {
    let node = hierarchy.node(id);
    match &node.fixed_matrix {
        Some(matrix) => to_double(matrix),
        None => DAffine3::from_scale_rotation_translation(
            node.rest.scale.as_dvec3(),
            node.rest.rotation.as_dquat(),
            node.rest.translation.as_dvec3(),
        ),
    }
}

fn to_double(matrix: &glam::Affine3A) -> DAffine3 {
    let columns = matrix.to_cols_array().map(f64::from);
    DAffine3::from_cols_array(&columns)
}

fn to_single(matrix: &DAffine3) -> glam::Affine3A {
    let columns = matrix.to_cols_array().map(|value| value as f32);
    glam::Affine3A::from_cols_array(&columns)
}

#[cfg(test)]
mod tests {
    use std::{f32::consts::FRAC_PI_2, time::Duration};

    use glam::{Affine3A, Quat, Vec3};

    use super::*;
    use crate::model::{Node, processor_time::timed};

    /// Looked for among all nodes, carriers of all skins would be thousands of millions of looks.
    #[test]
    fn carriers_of_very_many_skins_are_found_soon() {
        const SKINS: usize = 50_000;
        // First the joints, all in one place, then what carries the meshes.
        let node = |index: usize| {
            let skin = index.checked_sub(SKINS);
            let translation = skin.map_or(Vec3::ZERO, |skin| Vec3::new(skin as f32, 1.0, 0.0));
            Node {
                mesh: skin.map(|_| 0),
                skin,
                rest: Transform {
                    translation,
                    rotation: Quat::from_rotation_z(FRAC_PI_2),
                    scale: Vec3::ONE,
                },
                ..Node::default()
            }
        };
        let nodes: Vec<_> = (0..2 * SKINS).map(node).collect();
        let (parents, weights) = (vec![None; nodes.len()], vec![Vec::new(); nodes.len()]);
        let skin = |index: usize| Skin {
            joints: vec![NodeId(index as u32)],
            joint_from_mesh: vec![Affine3A::IDENTITY],
            ..Skin::default()
        };
        let model = Model {
            hierarchy: Hierarchy::new(nodes, &parents, &weights).unwrap(),
            skins: (0..SKINS).map(skin).collect(),
            ..Model::default()
        };
        let mut pose = Pose::new(&model.hierarchy);
        let ((), took) = timed(|| bind_pose(&model, &mut pose));
        assert!(took < Duration::from_secs(2), "{took:?}");
        for joint in [0, 1, SKINS - 1] {
            let place = Vec3::from(pose.world[joint].translation);
            let expected = Vec3::new(joint as f32, 1.0, 0.0);
            assert!(place.distance(expected) < 1e-3, "{joint}: {place}");
        }
    }
}
