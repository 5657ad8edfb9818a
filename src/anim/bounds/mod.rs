//! The box around a posed model: around what is drawn, never around the bind pose.
//!
//! [`posed_bounds`] is exact and visits every vertex; [`JointBoxes`] gives a box that holds it at the price of the joints,
//! and [`PrimitiveBox`] the same of a single primitive.

mod joint_boxes;
mod mesh_box;
mod mesh_parts;
mod primitive_box;

pub use joint_boxes::JointBoxes;
pub(super) use mesh_box::RepeatedMeshes;
pub use primitive_box::PrimitiveBox;

use glam::Vec3;

use crate::anim::{Palette, PaletteLayout, Pose, Skinning, skinning};
use crate::model::{Aabb, Model};

/// The box around all posed vertices that are drawn of an instance; around its joints and nodes if it has no vertices to
/// show.
///
/// Exact: it visits every vertex, as long as meshes are not placed so often that this would take seconds; then it holds
/// them. Vertices that are not finite are left out.
pub fn posed_bounds(
    model: &Model,
    layout: &PaletteLayout,
    palette: &Palette,
    pose: &Pose,
    instance: usize,
) -> Aabb {
    around(pose, |grow| {
        skinning::for_each_posed_vertex(model, layout, palette, instance, grow);
    })
}

/// [`posed_bounds`] of all vertices that primitives have, those that no index names included: what lists all is held by it.
pub fn posed_bounds_of_file(
    model: &Model,
    layout: &PaletteLayout,
    palette: &Palette,
    pose: &Pose,
    instance: usize,
) -> Aabb {
    around(pose, |grow| {
        skinning::for_each_posed_vertex_of_file(model, layout, palette, instance, grow);
    })
}

/// The box around the points that `visit_all` comes to, as far as they are finite; around the nodes of the pose if there are
/// none.
fn around(pose: &Pose, visit_all: impl FnOnce(&mut dyn FnMut(Vec3))) -> Aabb {
    let mut bounds = Aabb::EMPTY;
    visit_all(&mut |point| {
        if point.is_finite() {
            bounds = bounds.with(point);
        }
    });
    if bounds.is_empty() {
        node_bounds(pose)
    } else {
        bounds
    }
}

/// For each node whether it is of what a model's clips are about: the joints of all skins or, if there are none, the nodes
/// that carry meshes.
pub fn rig_nodes(model: &Model) -> Vec<bool> {
    let nodes = model.hierarchy.nodes();
    if model.skins.is_empty() {
        return nodes.iter().map(|node| node.mesh.is_some()).collect();
    }
    let mut is_joint = vec![false; nodes.len()];
    for joint in model.skins.iter().flat_map(|skin| &skin.joints) {
        is_joint[joint.index()] = true;
    }
    is_joint
}

/// How large what a model's clips are about is in a pose: the diagonal of the box around the origins of [`rig_nodes`].
/// Lamps, cameras and empty nodes may stand anywhere. Where they all lie in one place, it is that of all nodes.
pub fn rig_size(model: &Model, pose: &Pose) -> f32 {
    let nodes = rig_nodes(model).into_iter().zip(&pose.world);
    let origins = nodes.filter(|(is_of_rig, _)| *is_of_rig);
    let origins = origins.map(|(_, world)| Vec3::from(world.translation));
    let size = Aabb::of_points(origins.filter(|origin| origin.is_finite())).diagonal();
    if size > 0.0 {
        size
    } else {
        node_bounds(pose).diagonal()
    }
}

/// The box around the origins of all nodes; empty when there are none.
pub fn node_bounds(pose: &Pose) -> Aabb {
    let origins = pose.world.iter().map(|world| Vec3::from(world.translation));
    Aabb::of_points(origins.filter(|origin| origin.is_finite()))
}

/// How far dual quaternions take vertices out of the box of their joints, as a part of its diagonal.
const BULGE: f32 = 0.1;

/// The box of joints, grown for what a way of skinning takes out of it.
pub fn grown_for(skinning: Skinning, bounds: Aabb) -> Aabb {
    if skinning == Skinning::Linear || bounds.is_empty() {
        return bounds;
    }
    let bulge = Vec3::splat(BULGE * bounds.diagonal());
    Aabb {
        min: bounds.min - bulge,
        max: bounds.max + bulge,
    }
}
