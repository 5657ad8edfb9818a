//! Bones of a person, and which nodes are them where the file says so.

use super::NodeId;

/// A bone of a person, of those that poses are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HumanBone {
    /// What all others hang from, between the hip joints.
    Hips,
    /// One of those between the hips and the neck, however many there are: which of them, their order says.
    Spine,
    /// The first one between the spine and the head.
    Neck,
    /// The head.
    Head,
    /// From the spine to the upper arm: the collarbone.
    Shoulder(BodySide),
    /// From the shoulder to the elbow.
    UpperArm(BodySide),
    /// From the elbow to the wrist.
    LowerArm(BodySide),
    /// The hand.
    Hand(BodySide),
    /// One of the bones of a finger: 1 is the one next to the palm (of a thumb the metacarpal), 3 has the tip.
    Finger(BodySide, Finger, u8),
    /// From the hip to the knee.
    UpperLeg(BodySide),
    /// From the knee to the ankle.
    LowerLeg(BodySide),
    /// The foot.
    Foot(BodySide),
    /// All toes together.
    Toes(BodySide),
}

/// One of the two sides of a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BodySide {
    /// The person's own left one.
    Left,
    /// The person's own right one.
    Right,
}

impl BodySide {
    /// Both, the left one first.
    pub const BOTH: [Self; 2] = [Self::Left, Self::Right];
}

/// One of the fingers of a hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Finger {
    /// The thumb.
    Thumb,
    /// The index finger.
    Index,
    /// The middle finger.
    Middle,
    /// The ring finger.
    Ring,
    /// The little finger.
    Little,
}

impl Finger {
    /// All of a hand, in their order.
    pub const ALL: [Self; 5] = [
        Self::Thumb,
        Self::Index,
        Self::Middle,
        Self::Ring,
        Self::Little,
    ];
}

/// A node that the file calls a bone of a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HumanJoint {
    /// The bone that it is.
    pub bone: HumanBone,
    /// The node whose origin is the joint that the bone turns about.
    pub node: NodeId,
}
