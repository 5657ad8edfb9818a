//! What all others stand on: what a load says, what it may cost, how far it is, what was asked for, and how cores share it.
//! None of it looks into a file.

pub(super) mod barrier;
pub(super) mod budget;
pub(super) mod consent;
pub(super) mod diagnostics;
pub(super) mod extension;
pub(super) mod hashing;
pub(super) mod parallel;
pub(super) mod progress;
pub(super) mod refusal;
pub(super) mod scope;
pub(super) mod unsupported;
pub(super) mod wording;
