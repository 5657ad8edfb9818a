//! The skeleton as shapes: an octahedron or a line from each joint to its parent joint, a ball at each joint, its axes.

use glam::{Affine3A, Mat3A, Vec3, Vec3A};

use super::{BoneShape, JointChoice, Overlay, OverlayShape, SkeletonSettings};
use crate::{
    anim::{PaletteMatrix, Pose, to_palette_matrix},
    model::{Model, NodeId},
};

/// Which nodes are joints, and which joint each hangs from. Made once for a model.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Skeleton {
    joints: Vec<Joint>,
    /// For each joint whether it is at an end and moves nothing, once that was asked.
    is_idle_end: Option<Vec<bool>>,
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
/// Radius of a joint as a part of the length of the bones that meet there.
const JOINT_RADIUS: f32 = 0.055;
/// The greatest: bones of a small part of a large skeleton must be seen between their joints.
const MOST_JOINT_RADIUS: f32 = 0.2;

impl Skeleton {
    /// The skeleton of a model: its skins' joints; all nodes if it has no mesh to show instead.
    pub fn new(model: &Model) -> Self {
        let mut is_joint = vec![false; model.hierarchy.len()];
        for joint in model.skins.iter().flat_map(|skin| &skin.joints) {
            is_joint[joint.index()] = true;
        }
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
        Self {
            joints,
            is_idle_end: None,
        }
    }

    /// Whether there is nothing to show.
    pub fn is_empty(&self) -> bool {
        self.joints.is_empty()
    }

    /// The joints, parents before children.
    pub fn joints(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.joints.iter().map(|joint| joint.node)
    }

    /// Looks which joints are at an end and move no vertex, unless that is known. In a file without skins all ends are idle.
    pub fn find_idle_ends(&mut self, model: &Model) {
        if self.is_idle_end.is_some() {
            return;
        }
        let mut moves = vec![false; model.hierarchy.len()];
        for node in model.hierarchy.nodes() {
            let (Some(mesh), Some(skin)) = (node.mesh, node.skin) else {
                continue;
            };
            let joints = &model.skins[skin].joints;
            let primitives = model.meshes[mesh].primitives.iter();
            for influences in primitives.filter_map(|primitive| primitive.influences.as_ref()) {
                let pairs = influences.joints.iter().zip(&influences.weights);
                for (&joint, _) in pairs.filter(|(_, weight)| **weight > 0.0) {
                    moves[joints[joint as usize].index()] = true;
                }
            }
        }
        let is_idle_end = |joint: &Joint| joint.descendants == 0 && !moves[joint.node.index()];
        self.is_idle_end = Some(self.joints.iter().map(is_idle_end).collect());
    }

    /// The joints that are shown: without idle ends, if [`Skeleton::find_idle_ends`] was asked and they are not wanted.
    fn shown(&self, with_ends: bool) -> impl Iterator<Item = &Joint> + '_ {
        let idle = self.is_idle_end.as_deref().filter(|_| !with_ends);
        let joints = self.joints.iter().enumerate();
        let is_shown = move |place: usize| idle.is_none_or(|idle| !idle[place]);
        joints.filter_map(move |(place, joint)| is_shown(place).then_some(joint))
    }

    /// The joints that are shown, and how many hang from each.
    pub fn shown_joints(&self, with_ends: bool) -> impl Iterator<Item = (NodeId, u32)> + '_ {
        self.shown(with_ends)
            .map(|joint| (joint.node, joint.descendants))
    }

    /// Adds the bones of a pose to `overlay` as lines alone, without those of hidden nodes.
    pub fn add_lines(
        &self,
        pose: &Pose,
        with_ends: bool,
        width_px: f32,
        color: [f32; 4],
        overlay: &mut Overlay,
    ) {
        let position = |node: NodeId| Vec3::from(pose.world[node.index()].translation);
        let joints = self.shown(with_ends);
        for joint in joints.filter(|joint| pose.shown[joint.node.index()]) {
            if let Some(parent) = joint.parent {
                let (head, tail) = (position(parent), position(joint.node));
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
        let joints = self.shown(look.settings.end_joints);
        for joint in joints.filter(|joint| pose.shown[joint.node.index()]) {
            let tail = position(joint.node);
            // Where the skeleton begins, its first bone says how large it is there.
            let first = joint.child.map(|child| tail.distance(position(child)));
            let first = first.filter(|length| length.is_finite() && *length > size * 1e-5);
            let most = first.map_or(f32::INFINITY, |length| MOST_JOINT_RADIUS * length);
            let mut radius = (size * 0.006).min(most);
            if let Some(parent) = joint.parent {
                let head = position(parent);
                let length = head.distance(tail);
                if length.is_finite() && length > size * 1e-5 {
                    let width = (length * BONE_WIDTH).clamp(size * 0.003, size * 0.03);
                    let color = color_of(parent, BONE_COLOR);
                    let turned = &pose.world[parent.index()];
                    if shape != BoneShape::Joints {
                        overlay.bones.push(OverlayShape {
                            world_from_shape: bone_matrix(head, tail, width, turned),
                            color,
                            node: parent,
                        });
                    }
                    if shape == BoneShape::Sticks {
                        let width_px = STICK_WIDTH * look.pixels_per_point;
                        overlay.bone_line(head.into(), tail.into(), width_px, color, parent);
                    }
                    let usual = (length * JOINT_RADIUS).clamp(size * 0.004, size * 0.012);
                    radius = usual.min(MOST_JOINT_RADIUS * length);
                }
            }
            if tail.is_finite() {
                let is_selected = look.selected == Some(joint.node);
                let growth = if is_selected { SELECTED_GROWTH } else { 1.0 };
                let matrix = Affine3A::from_scale_rotation_translation(
                    Vec3::splat(radius * growth),
                    glam::Quat::IDENTITY,
                    tail.into(),
                );
                overlay.joints.push(OverlayShape {
                    world_from_shape: to_palette_matrix(&matrix),
                    color: color_of(joint.node, JOINT_COLOR),
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
mod tests {
    use super::*;
    use crate::model::{Hierarchy, Node, Skin, Transform};

    fn look() -> SkeletonLook {
        SkeletonLook {
            size: 4.0,
            ..SkeletonLook::default()
        }
    }

    /// A chain of joints 0 → (plain node) → 1 → 2, each one unit above the last.
    fn model() -> Model {
        let node = Node {
            rest: Transform {
                translation: Vec3::Y,
                ..Transform::IDENTITY
            },
            ..Node::default()
        };
        let parents = [None, Some(0), Some(1), Some(2)];
        let hierarchy = Hierarchy::new(vec![node; 4], &parents, &[]).unwrap();
        let skin = Skin {
            joints: vec![NodeId(0), NodeId(2), NodeId(3)],
            joint_from_mesh: vec![Affine3A::IDENTITY; 3],
            ..Skin::default()
        };
        Model {
            hierarchy,
            skins: vec![skin],
            ..Model::default()
        }
    }

    #[test]
    fn bones_skip_nodes_that_are_no_joints() {
        let model = model();
        let skeleton = Skeleton::new(&model);
        let mut overlay = Overlay::default();
        let pose = Pose::new(&model.hierarchy);
        skeleton.shapes(&pose, &look(), &mut overlay);
        assert_eq!((overlay.bones.len(), overlay.joints.len()), (2, 3));
        // From joint 0 at y = 1 straight to joint 1 at y = 3.
        let rows = overlay.bones[0].world_from_shape;
        assert_eq!((rows[1].y, rows[1].w), (2.0, 1.0));
    }

    #[test]
    fn sticks_are_lines_and_joints_stand_alone() {
        let model = model();
        let skeleton = Skeleton::new(&model);
        let pose = Pose::new(&model.hierarchy);
        for (shape, bones, lines) in [
            (BoneShape::Octahedra, 2, 0),
            (BoneShape::Sticks, 2, 2),
            (BoneShape::Joints, 0, 0),
        ] {
            let mut look = look();
            look.settings.shape = shape;
            let mut overlay = Overlay::default();
            skeleton.shapes(&pose, &look, &mut overlay);
            assert_eq!(
                (overlay.bones.len(), overlay.lines.len()),
                (bones, lines),
                "{shape:?}"
            );
            assert_eq!(overlay.joints.len(), 3, "{shape:?}");
        }
    }

    /// A bone of a hundredth of the skeleton's size.
    #[test]
    fn joints_of_small_bones_leave_them_to_be_seen() {
        let model = model();
        let skeleton = Skeleton::new(&model);
        let pose = Pose::new(&model.hierarchy);
        let mut overlay = Overlay::default();
        let look = SkeletonLook {
            size: 100.0,
            ..look()
        };
        skeleton.shapes(&pose, &look, &mut overlay);
        let radii = overlay.joints.iter().map(|it| it.world_from_shape[0].x);
        // Bones of 2, 2 and 1 units meet at them.
        for (radius, most) in radii.zip([0.4, 0.4, 0.2]) {
            assert!((0.1..=most + 1e-6).contains(&radius), "{radius} {most}");
        }
    }

    #[test]
    fn axes_are_those_of_the_chosen_joint_or_of_all() {
        let model = model();
        let skeleton = Skeleton::new(&model);
        let pose = Pose::new(&model.hierarchy);
        for (axes, lines) in [
            (JointChoice::None, 0),
            (JointChoice::Chosen, 3),
            (JointChoice::All, 9),
        ] {
            let mut look = look();
            look.settings.axes = axes;
            look.selected = Some(NodeId(2));
            let mut overlay = Overlay::default();
            skeleton.shapes(&pose, &look, &mut overlay);
            assert_eq!(overlay.lines.len(), lines, "{axes:?}");
            if axes == JointChoice::Chosen {
                let up = overlay.lines[1];
                let end = Vec3::Y * (3.0 + 4.0 * AXIS_LENGTH * SELECTED_GROWTH);
                assert_eq!(up.from, Vec3::Y * 3.0);
                assert!(up.to.abs_diff_eq(end, 1e-5), "{}", up.to);
            }
        }
    }

    #[test]
    fn idle_ends_can_be_left_out() {
        let model = model();
        let mut skeleton = Skeleton::new(&model);
        let pose = Pose::new(&model.hierarchy);
        skeleton.find_idle_ends(&model);
        let count = |end_joints| {
            let mut look = look();
            look.settings.end_joints = end_joints;
            let mut overlay = Overlay::default();
            skeleton.shapes(&pose, &look, &mut overlay);
            (overlay.bones.len(), overlay.joints.len())
        };
        assert_eq!((count(true), count(false)), ((2, 3), (1, 2)));
        let descendants: Vec<_> = skeleton.shown_joints(true).collect();
        assert_eq!(
            descendants,
            [(NodeId(0), 2), (NodeId(2), 1), (NodeId(3), 0)]
        );
    }

    #[test]
    fn a_file_without_mesh_and_skin_shows_all_nodes() {
        let model = Model {
            skins: vec![],
            ..model()
        };
        assert_eq!(Skeleton::new(&model).joints().count(), 4);
    }
}
