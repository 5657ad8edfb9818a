//! What a user can ask of the inspector.

/// A wish about what the inspector shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InspectCommand {
    /// Show this material.
    Material(usize),
    /// Show this texture.
    Texture(usize),
    /// Show the picture of the texture large, or small again.
    Enlarge(bool),
    /// Show figures of the chosen node in the world instead of relative to its parent, or the other way round.
    SwitchSpace,
    /// Bring the list of what is wrong with the file into sight.
    ShowFindings,
}
