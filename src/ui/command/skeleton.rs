//! What a user can ask of the skeleton.

use crate::scene::{ReferencePose, SkeletonSettings};

/// A wish about the skeleton.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SkeletonCommand {
    /// Show it like this.
    Set(SkeletonSettings),
    /// Show this pose instead of what the clip makes, or the clip again.
    Hold(Option<ReferencePose>),
    /// Show the pose that was last held, or the clip again.
    ToggleHeld,
    /// Keep the trail of a node when another is chosen, or let it go.
    KeepTrail(usize),
    /// Let all trails go that are kept.
    ForgetTrails,
    /// The pointer is at this place of the picture (−1..1 from its centre, right and up), or no longer over it.
    Hover {
        /// Where.
        at: Option<[f32; 2]>,
        /// How far beside it a joint may lie, as a part of the viewport's height.
        reach: f32,
        /// Whether it has been there for a moment: surfaces of large models are not looked at in passing.
        is_resting: bool,
    },
}
