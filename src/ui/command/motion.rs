//! What a user can ask of how motion is shown, and of crowds.

/// The longest fade that can be set.
pub const LONGEST_FADE_SECS: f64 = 2.0;

/// A wish about motion, whatever the clip.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MotionCommand {
    /// Blend the joints that move a vertex as matrices, or as dual quaternions.
    ToggleDualQuaternions,
    /// Let clips go where they go, or keep them in place.
    ToggleInPlace,
    /// Set how many seconds it takes to go over to another clip.
    SetFade(f64),
    /// Show so many of the model on a field, each somewhere else in the clip; 1: the model alone.
    SetCrowdSize(usize),
    /// Let a crowd play all clips, or the chosen one alone.
    ToggleCrowdClips,
}
