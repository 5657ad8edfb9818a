//! The box around a posed model: around what is drawn, never around the bind pose.
//!
//! [`posed_bounds`] is exact and visits every vertex; [`JointBoxes`] gives a box that holds it at the price of the joints,
//! and [`PrimitiveBox`] the same of a single primitive.

mod joint_boxes;
mod meetings;
mod mesh_box;
mod mesh_parts;
mod primitive_box;

pub use joint_boxes::JointBoxes;
pub(super) use mesh_box::RepeatedMeshes;
pub use primitive_box::PrimitiveBox;

use glam::Vec3;

use crate::anim::{Palette, PaletteLayout, Pose, Skinning, skinning};
use crate::model::{Aabb, Mesh, Model, Node};

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

/// How many vertices [`posed_bounds`] visits, each as often as targets move it.
pub fn posed_vertices(model: &Model, layout: &PaletteLayout) -> usize {
    let of_mesh = |mesh: &Mesh| -> usize {
        let primitives = mesh.primitives.iter();
        primitives
            .map(|it| it.vertices.positions.len() * (1 + it.targets.len()))
            .sum()
    };
    let of_meshes: Vec<_> = model.meshes.iter().map(of_mesh).collect();
    let placements = layout.placements().iter();
    placements.fold(0_usize, |sum, placement| {
        let posed = of_meshes[placement.mesh].saturating_mul(placement.copies as usize);
        sum.saturating_add(posed)
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
/// that carry meshes. A file of clips alone has neither: all its nodes are, but cameras and lights.
pub fn rig_nodes(model: &Model) -> Vec<bool> {
    if !model.skins.is_empty() {
        return model.joint_nodes();
    }
    let nodes = model.hierarchy.nodes();
    let carries_mesh = |node: &Node| node.mesh.is_some();
    if nodes.iter().any(carries_mesh) {
        return nodes.iter().map(carries_mesh).collect();
    }
    let is_of_rig = |node: &Node| node.camera.is_none() && node.light.is_none();
    nodes.iter().map(is_of_rig).collect()
}

/// How large what a model's clips are about is in a pose: the diagonal of [`rig_bounds`].
pub fn rig_size(model: &Model, pose: &Pose) -> f32 {
    rig_bounds(&rig_nodes(model), pose).diagonal()
}

/// The box around the origins of the nodes for which `is_of_rig` holds, as [`rig_nodes`] gives it. Lamps, cameras and empty
/// nodes may stand anywhere. Where they all lie in one place, it is that of all nodes.
pub fn rig_bounds(is_of_rig: &[bool], pose: &Pose) -> Aabb {
    let nodes = is_of_rig.iter().zip(&pose.world);
    let origins = nodes.filter(|(is_of_rig, _)| **is_of_rig);
    let origins = origins.map(|(_, world)| Vec3::from(world.translation));
    let bounds = Aabb::of_points(origins.filter(|origin| origin.is_finite()));
    if bounds.diagonal() > 0.0 {
        bounds
    } else {
        node_bounds(pose)
    }
}

/// The box around the origins of all nodes; empty when there are none.
pub fn node_bounds(pose: &Pose) -> Aabb {
    let origins = pose.world.iter().map(|world| Vec3::from(world.translation));
    Aabb::of_points(origins.filter(|origin| origin.is_finite()))
}

/// How far dual quaternions may take vertices out of the box of their joints, as a part of its diagonal, or of how far their
/// places are apart.
///
/// The blend is no farther from the mean of the places that its joints take a vertex to than tan ψ times their standard
/// deviation, with cos ψ the length of the mean of their quaternions. Places within a box deviate by half its diagonal at
/// most, and ψ is at most 45° where two joints blend, however they turn, and where more do that are turned by up to 120°
/// against one another. Joints that stretch unlike each other may take vertices farther.
const BULGE: f32 = 0.5;

/// The box of joints, grown for what a way of skinning takes out of it.
pub(super) fn grown_for(skinning: Skinning, bounds: Aabb) -> Aabb {
    match skinning {
        Skinning::Linear => bounds,
        Skinning::DualQuaternion => bounds.grown(BULGE * bounds.diagonal()),
    }
}
