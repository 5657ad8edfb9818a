//! What a user can ask of morph weights.

/// A wish about morph weights, which are named by their place among all of the model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MorphCommand {
    /// Hold a weight at a value, whatever clips say.
    Hold(usize, f32),
    /// Let clips have a weight again.
    Release(usize),
    /// Let clips have all weights again.
    ReleaseAll,
}
