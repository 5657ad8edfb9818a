//! The chosen node where it is no joint that is shown: the box of its mesh in lines, or a small cross.

use glam::Affine3A;

use crate::scene::{
    JointChoice, OrientedBox, Overlay, SkeletonLook,
    bones::{AXIS_LENGTH, AXIS_WIDTH, SELECTED_COLOR, SELECTED_GROWTH, axes},
};

/// Width of an outline in points.
const OUTLINE_WIDTH: f32 = 1.0;
/// It lies over the surface, and must not hide it.
const OUTLINE_OPACITY: f32 = 0.75;
/// Half the length of a cross, as a part of that of axes.
const CROSS: f32 = 0.5;

/// Adds the edges of a box around a mesh.
pub fn add_outline(bounds: &OrientedBox, look: &SkeletonLook, overlay: &mut Overlay) {
    let [red, green, blue, _] = SELECTED_COLOR;
    let color = [red, green, blue, OUTLINE_OPACITY];
    for [from, to] in bounds.edges() {
        overlay.line(from, to, OUTLINE_WIDTH * look.pixels_per_point, color);
    }
}

/// Adds what says where a node is: its axes where those of the chosen joint are shown, else a cross along them, unless
/// `has_outline` says it already.
pub fn mark_node(
    world_from_node: &Affine3A,
    look: &SkeletonLook,
    has_outline: bool,
    overlay: &mut Overlay,
) {
    let length = look.size * AXIS_LENGTH * SELECTED_GROWTH;
    let width_px = AXIS_WIDTH * look.pixels_per_point;
    if look.settings.axes != JointChoice::None {
        axes(world_from_node, length, width_px * SELECTED_GROWTH, overlay);
    } else if !has_outline {
        let origin = world_from_node.translation;
        let matrix = world_from_node.matrix3;
        for axis in [matrix.x_axis, matrix.y_axis, matrix.z_axis] {
            if let Some(axis) = axis.try_normalize() {
                let arm = CROSS * length * axis;
                let (from, to) = (origin - arm, origin + arm);
                overlay.line(from.into(), to.into(), width_px, SELECTED_COLOR);
            }
        }
    }
}
