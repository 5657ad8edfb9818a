//! JSON: from the text of a file to its objects, section by section; what is not quite right is repaired, and said.

pub(super) mod cutter;
pub(super) mod deep;
pub(super) mod document;
pub(super) mod doubled;
pub(super) mod extensions;
pub(super) mod fields;
pub(super) mod grammar;
pub(super) mod plain;
pub(super) mod references;
pub(super) mod repair;
mod root;
pub(super) mod scanner;
mod swar;
pub(super) mod unicode;
