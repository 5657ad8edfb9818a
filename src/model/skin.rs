//! Skins: which nodes deform a mesh, and from where.

use glam::Affine3A;

use super::NodeId;

/// A skin (glTF 2.0 §3.7.3).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Skin {
    /// The skin's name, or empty.
    pub name: String,
    /// The joints, in the order that vertices name them.
    pub joints: Vec<NodeId>,
    /// The node that the file calls their common root, which is nothing but a hint.
    pub skeleton: Option<NodeId>,
    /// For each joint, the inverse bind matrix: from the mesh's space into the joint's.
    pub joint_from_mesh: Vec<Affine3A>,
}
