//! The box around a posed model: around what is drawn, never around the bind pose.
//!
//! [`posed_bounds`] is exact and visits every vertex; [`JointBoxes`] gives a box that holds it at the price of the joints.

mod joint_boxes;

pub use joint_boxes::JointBoxes;

use glam::Vec3;

use crate::anim::{Palette, PaletteLayout, Pose, skinning};
use crate::model::{Aabb, Model};

/// The box around all posed vertices of an instance; around its joints and nodes if it has no vertices to show.
///
/// Exact: it visits every vertex. Vertices that are not finite are left out.
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
