//! Pointers that are written out only when something is to be said.

use std::fmt;

pub(super) use crate::import::json::fields::{Fields, integer, items};
use crate::import::json::repair::escape;

/// A JSON pointer (RFC 6901) as the way that was walked.
#[derive(Debug, Clone, Copy)]
pub(super) enum Pointer<'p> {
    /// The file.
    Root,
    /// A property.
    Key(&'p Self, &'p str),
    /// An item of an array.
    Item(&'p Self, usize),
}

impl<'p> Pointer<'p> {
    pub(super) fn key(&'p self, name: &'p str) -> Self {
        Self::Key(self, name)
    }

    pub(super) fn item(&'p self, index: usize) -> Self {
        Self::Item(self, index)
    }
}

impl fmt::Display for Pointer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root => Ok(()),
            Self::Key(parent, name) => write!(f, "{parent}/{}", escape(name)),
            Self::Item(parent, index) => write!(f, "{parent}/{index}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_pointers() {
        let (root, name) = (Pointer::Root, "~A/2");
        let meshes = root.key("meshes");
        assert_eq!(meshes.item(3).key(name).to_string(), "/meshes/3/~0A~12");
    }
}
