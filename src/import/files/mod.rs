//! Files: what was given, which others may be opened, and their bytes, in memory or still on disk. What is in them is for
//! others to read; only the two parts of a GLB are told apart here.

pub(super) mod bytes;
pub(super) mod container;
pub(super) mod magic;
pub(super) mod package;
pub(super) mod sandbox;
