//! The box around a posed model: around what is drawn, never around the bind pose.
//!
//! [`posed_bounds`] is exact and visits every vertex; [`JointBoxes`] gives a box that holds it at the price of the joints, and
//! [`PrimitiveBox`] the same of a single primitive.

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

/// The box around all posed vertices of an instance; around its joints and nodes if it has no vertices to show.
///
/// Exact: it visits every vertex, as long as meshes are not placed so often that this would take seconds; then it holds them.
/// Vertices that are not finite are left out.
pub fn posed_bounds(
    model: &Model,
    layout: &PaletteLayout,
    palette: &Palette,
    pose: &Pose,
    instance: usize,
) -> Aabb {
    let mut bounds = Aabb::EMPTY;
    let grow = |point: Vec3| {
        if point.is_finite() {
            bounds = bounds.with(point);
        }
    };
    skinning::for_each_posed_vertex(model, layout, palette, instance, grow);
    if bounds.is_empty() {
        node_bounds(pose)
    } else {
        bounds
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
