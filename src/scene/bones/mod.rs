//! The skeleton as shapes: an octahedron or a line from each joint to its parent joint, a ball at each joint, its axes.

mod settings;

pub use settings::{BoneShape, ControlJoints, JointChoice, ReferencePose, SkeletonSettings};

use std::collections::HashSet;

use glam::{Affine3A, Mat3A, Vec3, Vec3A};

use super::{Overlay, OverlayShape};
use crate::{
    anim::{PaletteMatrix, Pose, to_palette_matrix},
    model::{Model, NodeId},
};

/// Which nodes are joints, and which joint each hangs from. Made once for a model.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Skeleton {
    joints: Vec<Joint>,
    /// For each joint what it moves, once that was asked.
    uses: Option<Vec<Use>>,
}

/// What a joint is there for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Use {
    /// It is at an end and moves nothing.
    is_idle_end: bool,
    /// Neither it nor what hangs from it moves anything, nor does the joint that it hangs from: it is there for animators, as
    /// targets of inverse kinematics are.
    is_control: bool,
}

/// A joint, and the next joint above it; nodes that are no joints may lie between.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Joint {
    node: NodeId,
    parent: Option<NodeId>,
    /// The first joint that hangs from it.
    child: Option<NodeId>,
    /// Number of joints that hang from it, at any depth.
    descendants: u32,
}

/// How the shapes of a skeleton look.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SkeletonLook {
    /// What the user has set.
    pub settings: SkeletonSettings,
    /// Length of the diagonal of the box around the joints: it bounds the shapes, so that neither a hair's bones vanish nor a
    /// stray joint's bone becomes a wall.
    pub size: f32,
    /// The chosen joint.
    pub selected: Option<NodeId>,
    /// The joint under the pointer.
    pub hovered: Option<NodeId>,
    /// Pixels in a point, for the width of lines.
    pub pixels_per_point: f32,
}

impl Default for SkeletonLook {
    fn default() -> Self {
        Self {
            settings: SkeletonSettings::default(),
            size: 1.0,
            selected: None,
            hovered: None,
            pixels_per_point: 1.0,
        }
    }
}

/// Where along a unit bone it is widest: one unit to each side.
pub const BONE_WAIST: f32 = 0.14;
/// Warm white, on any material.
const BONE_COLOR: [f32; 4] = [0.86, 0.80, 0.66, 0.92];
/// Orange.
const JOINT_COLOR: [f32; 4] = [0.95, 0.42, 0.10, 1.0];
/// Blue: the chosen joint, and the bones that begin there.
pub(super) const SELECTED_COLOR: [f32; 4] = [0.05, 0.48, 1.0, 1.0];
/// Yellow: the joint under the pointer, and the bones that begin there.
const HOVERED_COLOR: [f32; 4] = [1.0, 0.72, 0.10, 1.0];
/// Of the axes x, y, z.
const AXIS_COLORS: [[f32; 4]; 3] = [
    [0.86, 0.07, 0.07, 1.0],
    [0.14, 0.58, 0.08, 1.0],
    [0.07, 0.24, 0.92, 1.0],
];
/// Length of axes as a part of the skeleton's size.
pub(super) const AXIS_LENGTH: f32 = 0.035;
/// How much larger the axes and the ball of the chosen joint are.
pub(super) const SELECTED_GROWTH: f32 = 1.6;
/// Widths of lines in points.
const STICK_WIDTH: f32 = 3.0;
pub(super) const AXIS_WIDTH: f32 = 2.0;
/// Width of a bone as a part of its length.
const BONE_WIDTH: f32 = 0.085;
/// Control joints are so much thinner, and paler.
const FAINT_WIDTH: f32 = 0.45;
const FAINT_OPACITY: f32 = 0.3;
/// Radius of a joint as a part of the length of the bones that meet there.
const JOINT_RADIUS: f32 = 0.055;
/// The greatest: bones of a small part of a large skeleton must be seen between their joints.
const MAX_JOINT_RADIUS: f32 = 0.2;

impl Skeleton {
    /// The skeleton of a model: its skins' joints; all nodes if it has no mesh to show instead.
    pub fn new(model: &Model) -> Self {
        let mut is_joint = model.joint_nodes();
        let has_mesh = model.meshes.iter().any(|mesh| !mesh.primitives.is_empty());
        if !has_mesh && model.skins.is_empty() {
            is_joint.fill(true);
        }
        // The nearest joint at or above each node; parents come first, so theirs is known.
        let mut nearest: Vec<Option<NodeId>> = vec![None; model.hierarchy.len()];
        let mut joints = Vec::new();
        for (node, data) in model.hierarchy.iter() {
            let parent = data.parent.and_then(|parent| nearest[parent.index()]);
            nearest[node.index()] = if is_joint[node.index()] {
                joints.push(Joint {
                    node,
                    parent,
                    child: None,
                    descendants: 0,
                });
                Some(node)
            } else {
                parent
            };
        }
        let mut place = vec![0; model.hierarchy.len()];
        for (index, joint) in joints.iter().enumerate() {
            place[joint.node.index()] = index;
        }
        // Parents come first, so from the back every count is complete when it is passed up.
        for index in (0..joints.len()).rev() {
            let Joint {
                node,
                parent: Some(parent),
                descendants,
                ..
            } = joints[index]
            else {
                continue;
            };
            let parent = &mut joints[place[parent.index()]];
            parent.descendants += descendants + 1;
            parent.child = Some(node);
        }
        Self { joints, uses: None }
    }

    /// Whether there is nothing to show.
    pub fn is_empty(&self) -> bool {
        self.joints.is_empty()
    }

    /// The joints, parents before children.
    pub fn joints(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.joints.iter().map(|joint| joint.node)
    }

    /// Looks which joints move vertices, or a mesh that hangs from them, unless that is known. Where none does, all ends are
    /// idle, and no joint is a control.
    pub fn find_uses(&mut self, model: &Model) {
        if self.uses.is_some() {
            return;
        }
        let mut moves = vec![false; model.hierarchy.len()];
        // Joints move a mesh, whichever nodes carry it.
        let mut known = HashSet::new();
        for (id, node) in model.hierarchy.iter() {
            let Some(mesh) = node.mesh else {
                continue;
            };
            let Some(skin) = node.skin else {
                moves[id.index()] = true;
                continue;
            };
            if !known.insert((mesh, skin)) {
                continue;
            }
            let joints = &model.skins[skin].joints;
            let primitives = model.meshes[mesh].primitives.iter();
            for influences in primitives.filter_map(|primitive| primitive.influences.as_ref()) {
                let pairs = influences.joints.iter().zip(&influences.weights);
                for (&joint, _) in pairs.filter(|(_, weight)| **weight > 0.0) {
                    moves[joints[joint as usize].index()] = true;
                }
            }
        }
        // Whether it or anything below it moves something: parents come first, so from the back all below is known.
        let mut is_live = moves.clone();
        for (place, node) in model.hierarchy.nodes().iter().enumerate().rev() {
            if let Some(parent) = node.parent {
                is_live[parent.index()] |= is_live[place];
            }
        }
        let is_any_live = self.joints.iter().any(|joint| is_live[joint.node.index()]);
        let use_of = |joint: &Joint| {
            let is_idle = !is_live[joint.node.index()];
            let hangs_from_mover = joint.parent.is_some_and(|parent| moves[parent.index()]);
            Use {
                is_idle_end: is_idle && joint.descendants == 0,
                is_control: is_idle && is_any_live && !hangs_from_mover,
            }
        };
        self.uses = Some(self.joints.iter().map(use_of).collect());
    }

    /// The joints that are shown, and whether they are faint; it was looked for what they move ([`Skeleton::find_uses`]), or
    /// all are shown alike.
    fn shown(&self, settings: SkeletonSettings) -> impl Iterator<Item = (&Joint, bool)> + '_ {
        let uses = self.uses.as_deref();
        let joints = self.joints.iter().enumerate();
        joints.filter_map(move |(place, joint)| {
            let joint_use = uses.map(|uses| uses[place]).unwrap_or_default();
            let is_left_out = joint_use.is_idle_end && !settings.end_joints
                || joint_use.is_control && settings.controls == ControlJoints::Hidden;
            let is_faint = joint_use.is_control && settings.controls == ControlJoints::Faint;
            (!is_left_out).then_some((joint, is_faint))
        })
    }

    /// The joints that are shown, how many hang from each, and whether they are faint.
    pub fn shown_joints(
        &self,
        settings: SkeletonSettings,
    ) -> impl Iterator<Item = (NodeId, u32, bool)> + '_ {
        self.shown(settings)
            .map(|(joint, is_faint)| (joint.node, joint.descendants, is_faint))
    }

    /// Adds the bones of a pose to `overlay` as lines alone, without those of hidden nodes.
    pub fn add_lines(
        &self,
        pose: &Pose,
        settings: SkeletonSettings,
        width_px: f32,
        color: [f32; 4],
        overlay: &mut Overlay,
    ) {
        let position = |node: NodeId| Vec3::from(pose.world[node.index()].translation);
        let joints = self.shown(settings);
        for (joint, is_faint) in joints.filter(|(joint, _)| pose.shown[joint.node.index()]) {
            if let Some(parent) = joint.parent {
                let (head, tail) = (position(parent), position(joint.node));
                let color = if is_faint { faint(color) } else { color };
                overlay.bone_line(head, tail, width_px, color, parent);
            }
        }
    }

    /// Adds the shapes of a pose to `overlay`.
    pub fn shapes(&self, pose: &Pose, look: &SkeletonLook, overlay: &mut Overlay) {
        let (size, shape) = (look.size, look.settings.shape);
        overlay.bones_are_lines = shape == BoneShape::Sticks;
        overlay.is_hidden_by_scene = !look.settings.x_ray;
        let position = |node: NodeId| pose.world[node.index()].translation;
        let color_of = |node: NodeId, color| {
            if look.selected == Some(node) {
                SELECTED_COLOR
            } else if look.hovered == Some(node) {
                HOVERED_COLOR
            } else {
                color
            }
        };
        let joints = self.shown(look.settings);
        for (joint, is_faint) in joints.filter(|(joint, _)| pose.shown[joint.node.index()]) {
            let thinner = if is_faint { FAINT_WIDTH } else { 1.0 };
            let usual = |color| if is_faint { faint(color) } else { color };
            let tail = position(joint.node);
            // Where the skeleton begins, its first bone says how large it is there.
            let first = joint.child.map(|child| tail.distance(position(child)));
            let first = first.filter(|length| length.is_finite() && *length > size * 1e-5);
            let most = first.map_or(f32::INFINITY, |length| MAX_JOINT_RADIUS * length);
            let mut radius = (size * 0.006).min(most);
            if let Some(parent) = joint.parent {
                let head = position(parent);
                let length = head.distance(tail);
                if length.is_finite() && length > size * 1e-5 {
                    let width = (length * BONE_WIDTH).clamp(size * 0.003, size * 0.03) * thinner;
                    let color = color_of(parent, usual(BONE_COLOR));
                    let turned = &pose.world[parent.index()];
                    if shape != BoneShape::Joints {
                        overlay.bones.push(OverlayShape {
                            world_from_shape: bone_matrix(head, tail, width, turned),
                            color,
                            node: parent,
                        });
                    }
                    if shape == BoneShape::Sticks {
                        let width_px = STICK_WIDTH * thinner * look.pixels_per_point;
                        overlay.bone_line(head.into(), tail.into(), width_px, color, parent);
                    }
                    let middling = (length * JOINT_RADIUS).clamp(size * 0.004, size * 0.012);
                    radius = middling.min(MAX_JOINT_RADIUS * length);
                }
            }
            if tail.is_finite() {
                let is_selected = look.selected == Some(joint.node);
                let growth = if is_selected { SELECTED_GROWTH } else { 1.0 };
                let matrix = Affine3A::from_scale_rotation_translation(
                    Vec3::splat(radius * thinner.max(0.7) * growth),
                    glam::Quat::IDENTITY,
                    tail.into(),
                );
                overlay.joints.push(OverlayShape {
                    world_from_shape: to_palette_matrix(&matrix),
                    color: color_of(joint.node, usual(JOINT_COLOR)),
                    node: joint.node,
                });
                let has_axes = match look.settings.axes {
                    JointChoice::None => false,
                    JointChoice::Chosen => is_selected || look.hovered == Some(joint.node),
                    JointChoice::All => true,
                };
                if has_axes {
                    let length = size * AXIS_LENGTH * growth;
                    let width_px = AXIS_WIDTH * growth * look.pixels_per_point;
                    axes(&pose.world[joint.node.index()], length, width_px, overlay);
                }
            }
        }
    }
}

fn faint([red, green, blue, opacity]: [f32; 4]) -> [f32; 4] {
    [red, green, blue, opacity * FAINT_OPACITY]
}

/// Adds the axes of a node; those of no length, which a scale of 0 has made, are left out.
pub(super) fn axes(world_from_node: &Affine3A, length: f32, width_px: f32, overlay: &mut Overlay) {
    let origin = world_from_node.translation;
    let matrix = world_from_node.matrix3;
    let directions = [matrix.x_axis, matrix.y_axis, matrix.z_axis];
    for (direction, color) in directions.into_iter().zip(AXIS_COLORS) {
        if let Some(direction) = direction.try_normalize() {
            let end = origin + direction * length;
            overlay.line(origin.into(), end.into(), width_px, color);
        }
    }
}

/// `world_from_shape` of a bone from `head` to `tail`, `width` to each side, which turns with its joint.
fn bone_matrix(head: Vec3A, tail: Vec3A, width: f32, world_from_joint: &Affine3A) -> PaletteMatrix {
    let along = tail - head;
    let y = along.normalize_or(Vec3A::Y);
    let axes = [
        world_from_joint.matrix3.x_axis,
        world_from_joint.matrix3.y_axis,
        world_from_joint.matrix3.z_axis,
    ];
    // Of the joint's axes the one that leans least on the bone says how the shape is turned about it.
    let side = axes
        .into_iter()
        .filter_map(Vec3A::try_normalize)
        .min_by(|a, b| a.dot(y).abs().total_cmp(&b.dot(y).abs()));
    let x = side
        .and_then(|side| side.reject_from_normalized(y).try_normalize())
        .unwrap_or_else(|| y.any_orthonormal_vector());
    to_palette_matrix(&Affine3A {
        matrix3: Mat3A::from_cols(x * width, along, x.cross(y) * width),
        translation: head,
    })
}

#[cfg(test)]
mod tests;
