//! A file that is refused although nothing is wrong with it: it requires what is unknown here.

use std::fmt;

/// Why; [`super::consent::Consent::unknown_features`] opens the file nevertheless.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::import) struct Unsupported(pub String);

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unsupported {}

/// Whether a file was refused only because it requires extensions, or a minor version of glTF, that are unknown here.
pub fn is_unsupported(error: &anyhow::Error) -> bool {
    error.downcast_ref::<Unsupported>().is_some()
}
