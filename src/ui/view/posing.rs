//! What panels read of poses by hand.

use crate::{anim::PosingSpace, ui::PoseTool};

/// What is shown of poses by hand.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PosingView {
    /// What drags do.
    pub tool: PoseTool,
    /// Along which axes.
    pub space: PosingSpace,
    /// Whether changes stay when time goes on.
    pub stays: bool,
    /// How many joints are changed.
    pub changed: usize,
    /// Why left and right cannot change places, in words; none where they can.
    pub why_no_mirror: Option<&'static str>,
    /// The handle that keys act on, once one has: 0 x, 1 y, 2 z; of a limb that reaches 0 to the right, 1 up, 2 its middle.
    pub handle: Option<usize>,
    /// Where the middle of the limb is that reaches (−1..1 from the viewport's centre, right and up); none where there is no
    /// limb, or a straight one.
    pub pole: Option<[f32; 2]>,
    /// Whether there is a tool, and no chosen joint that it could act on.
    pub lacks_joint: bool,
    /// Whether the chosen node's numbers can be changed: it is moved neither by a crowd nor, as a skinned mesh, by its joints.
    pub takes_numbers: bool,
    /// Where the gizmo is; none without a tool and a chosen joint.
    pub gizmo: Option<GizmoView>,
}

/// Where the gizmo is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GizmoView {
    /// Column-major: from the gizmo's space, whose axes are those of the changes and whose unit is its radius, into clip
    /// space.
    pub clip_from_gizmo: [[f32; 4]; 4],
}

/// How large the gizmo is, as a part of the picture's height.
pub const GIZMO_PART_OF_HEIGHT: f32 = 0.13;

/// What a step turns by, in degrees.
pub const STEP_DEGREES: f32 = 5.0;
