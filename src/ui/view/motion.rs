//! What panels read of how motion is shown.

/// How motion is shown.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct MotionView {
    /// Joints are blended as dual quaternions.
    pub dual_quaternions: bool,
    /// Clips stay where they begin.
    pub in_place: bool,
    /// How long it takes to go over to another clip.
    pub fade_secs: f64,
    /// How many of the model are wanted on the field.
    pub crowd_size: usize,
    /// They play all clips, and not only the chosen one.
    pub crowd_plays_all: bool,
}
