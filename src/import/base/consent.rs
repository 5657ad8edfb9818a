//! What the user has agreed to.

use std::path::PathBuf;

/// Which files outside of a model's own folder may be opened for it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Outside {
    /// No file.
    #[default]
    Refused,
    /// These files, as [`crate::import::Import::outside`] names them.
    These(Vec<PathBuf>),
    /// All regular files on this machine.
    Allowed,
}

/// What the user has agreed to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Consent {
    /// To read files that require extensions, or a minor version of glTF, that are unknown here.
    pub unknown_features: bool,
    /// To be shown the first of several models in a folder or an archive, where none is named like it.
    pub first_of_several: bool,
    /// To be shown this model of a folder or an archive, and no other: its path there, with slashes.
    pub model: Option<String>,
    /// To open files that lie outside of the model's own folder.
    pub outside: Outside,
}
