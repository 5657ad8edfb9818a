//! What is read of a file.

/// What is read of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::import) enum Scope {
    /// All that is shown.
    Shown,
    /// What is wrong with all that is shown, but for pictures; where the file has data twice, those for readers that know no
    /// compression.
    Uncompressed,
    /// What says where everything is.
    Posed,
    /// What says where everything is, and pictures as they are in the file.
    Compared,
    /// What plays on another model.
    Clips,
}

impl Scope {
    /// Whether meshes are read as they are shown.
    pub(in crate::import) fn is_shown(self) -> bool {
        match self {
            Self::Shown | Self::Uncompressed => true,
            Self::Posed | Self::Compared | Self::Clips => false,
        }
    }
}
