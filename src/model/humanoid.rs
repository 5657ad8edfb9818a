//! Which nodes are the bones of a person, where the file says so.

use super::NodeId;

/// A bone of a person, of those that poses are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HumanBone {
    /// From the shoulder to the elbow.
    UpperArm,
    /// From the elbow to the wrist.
    LowerArm,
    /// The hand.
    Hand,
    /// The first bone of a finger, thumbs aside.
    Finger,
    /// From the hip to the knee.
    UpperLeg,
}

/// A node that the file calls a bone of a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HumanJoint {
    /// The bone that it is.
    pub bone: HumanBone,
    /// Whether it is the person's left one.
    pub is_left: bool,
    /// The node whose origin is the joint that the bone turns about.
    pub node: NodeId,
}
