//! The skeleton as shapes: an octahedron from each joint to its parent joint, a ball at each joint.

use glam::{Affine3A, Mat3A, Vec3, Vec3A};

use crate::{
    anim::{PaletteMatrix, Pose, to_palette_matrix},
    model::{Model, NodeId},
};

/// Which nodes are joints, and which joint each hangs from. Made once for a model.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Skeleton {
    joints: Vec<Joint>,
}

/// A joint, and the next joint above it; nodes that are no joints may lie between.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Joint {
    node: NodeId,
    parent: Option<NodeId>,
}

/// A shape of the overlay, as the GPU reads it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OverlayShape {
    /// From the unit shape into the world.
    pub world_from_shape: PaletteMatrix,
    /// Linear red, green, blue, and opacity.
    pub color: [f32; 4],
    /// The joint that it stands for; of a bone the one where it begins.
    pub node: NodeId,
}

/// The skeleton of one pose. Buffers are kept from frame to frame.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Overlay {
    /// Unit octahedra from the origin to (0, 1, 0), widest at [`BONE_WAIST`].
    pub bones: Vec<OverlayShape>,
    /// Unit balls around the origin.
    pub joints: Vec<OverlayShape>,
}

/// Where along a unit bone it is widest: one unit to each side.
pub const BONE_WAIST: f32 = 0.14;
/// Warm white, on any material.
const BONE_COLOR: [f32; 4] = [0.86, 0.80, 0.66, 0.92];
/// Orange.
const JOINT_COLOR: [f32; 4] = [0.95, 0.42, 0.10, 1.0];
/// Blue: the chosen joint, and the bones that begin there.
const SELECTED_COLOR: [f32; 4] = [0.05, 0.48, 1.0, 1.0];
/// Width of a bone as a part of its length.
const BONE_WIDTH: f32 = 0.085;
/// Radius of a joint as a part of the length of the bones that meet there.
const JOINT_RADIUS: f32 = 0.055;

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
                joints.push(Joint { node, parent });
                Some(node)
            } else {
                parent
            };
        }
        Self { joints }
    }

    /// Whether there is nothing to show.
    pub fn is_empty(&self) -> bool {
        self.joints.is_empty()
    }

    /// The joints, parents before children.
    pub fn joints(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.joints.iter().map(|joint| joint.node)
    }

    /// Fills `overlay` with the shapes of a pose. `size` is the length of the diagonal of the box around the joints: it bounds the
    /// shapes, so that neither a hair's bones vanish nor a stray joint's bone becomes a wall.
    pub fn shapes(&self, pose: &Pose, size: f32, selected: Option<NodeId>, overlay: &mut Overlay) {
        overlay.bones.clear();
        overlay.joints.clear();
        let position = |node: NodeId| pose.world[node.index()].translation;
        for joint in &self.joints {
            let tail = position(joint.node);
            let mut radius = size * 0.006;
            if let Some(parent) = joint.parent {
                let head = position(parent);
                let length = head.distance(tail);
                if length.is_finite() && length > size * 1e-5 {
                    let width = (length * BONE_WIDTH).clamp(size * 0.003, size * 0.03);
                    overlay.bones.push(OverlayShape {
                        world_from_shape: bone_matrix(
                            head,
                            tail,
                            width,
                            &pose.world[parent.index()],
                        ),
                        color: if selected == Some(parent) {
                            SELECTED_COLOR
                        } else {
                            BONE_COLOR
                        },
                        node: parent,
                    });
                    radius = (length * JOINT_RADIUS).clamp(size * 0.004, size * 0.012);
                }
            }
            if tail.is_finite() {
                let is_selected = selected == Some(joint.node);
                let radius = if is_selected { radius * 1.6 } else { radius };
                let matrix = Affine3A::from_scale_rotation_translation(
                    Vec3::splat(radius),
                    glam::Quat::IDENTITY,
                    tail.into(),
                );
                overlay.joints.push(OverlayShape {
                    world_from_shape: to_palette_matrix(&matrix),
                    color: if is_selected {
                        SELECTED_COLOR
                    } else {
                        JOINT_COLOR
                    },
                    node: joint.node,
                });
            }
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
        skeleton.shapes(&pose, 4.0, None, &mut overlay);
        assert_eq!((overlay.bones.len(), overlay.joints.len()), (2, 3));
        // From joint 0 at y = 1 straight to joint 1 at y = 3.
        let rows = overlay.bones[0].world_from_shape;
        assert_eq!((rows[1].y, rows[1].w), (2.0, 1.0));
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
