//! What panels read of the skeleton.

use crate::scene::{ReferencePose, SkeletonSettings};

/// What panels read of the skeleton.
#[derive(Debug, Clone, Copy, Default)]
pub struct SkeletonView<'a> {
    /// How it is shown.
    pub settings: SkeletonSettings,
    /// The pose that is shown instead of what the clip makes.
    pub held: Option<ReferencePose>,
    /// Whether the file has skins, which say what their bind pose is.
    pub has_bind_pose: bool,
    /// Why the T pose cannot be shown; none where it can.
    pub why_no_t_pose: Option<&'static str>,
    /// Nodes whose trails are kept.
    pub trails: &'a [usize],
    /// The joint under the pointer.
    pub hovered: Option<usize>,
    /// Whether the surface under the pointer is only looked at once that rests.
    pub waits_for_rest: bool,
    /// What moves the vertex under the pointer, in views about joints.
    pub influences: Option<InfluenceCard<'a>>,
    /// The joints whose names are wanted, in no order: which of them there is room for is up to who paints them.
    pub labels: &'a [JointLabel],
}

/// A joint whose name is wanted in the picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointLabel {
    /// Its place among the nodes.
    pub node: usize,
    /// Where it is: −1..1 from the viewport's centre, right and up.
    pub at: [f32; 2],
    /// Where names have no room beside each other, that of the lower rank is shown: near joints, and those that carry many
    /// others. Distances between ranks are parts of the model's distance.
    pub rank: f32,
    /// Whether it is the chosen joint.
    pub is_chosen: bool,
    /// Whether it is under the pointer.
    pub is_hovered: bool,
}

/// What moves a vertex.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InfluenceCard<'a> {
    /// Its index in its primitive.
    pub vertex: u32,
    /// The strongest first. In the view of the chosen joint's weights that is one of them, be its weight 0.
    pub rows: &'a [InfluenceRow],
    /// The joint (its place among the nodes) that moves all of a mesh without a skin.
    pub moved_by: Option<usize>,
}

/// A joint's share of a vertex.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InfluenceRow {
    /// The joint's place among the nodes.
    pub node: usize,
    /// 0..1.
    pub weight: f32,
    /// In which the view shows the surface by it (sRGB, 0..1); none if the view shows another joint.
    pub color: Option<[f32; 3]>,
}
