//! What panels read of what is wrong with the file.

use super::{Culprit, MessageKind};

/// Something wrong with the file.
#[derive(Debug, Clone, PartialEq)]
pub struct DiagnosticRow {
    /// How bad.
    pub severity: MessageKind,
    /// Short upper-case name, such as `NODE_LOOP`.
    pub code: String,
    /// JSON pointer of the culprit, such as `/nodes/3`.
    pub pointer: String,
    /// One sentence.
    pub message: String,
    /// What the viewer did about it.
    pub action: String,
    /// What a click chooses; none if nothing can be.
    pub culprit: Option<Culprit>,
    /// What further clicks choose, one after the other, where it is about several objects.
    pub others: Vec<Culprit>,
}
