//! An independent evaluation of glTF poses in double precision, written from the glTF 2.0 specification alone.
//!
//! It shares nothing with the crate: `file` reads containers, buffers and accessors over plain JSON values, `document`
//! what poses need of them, `math` is its own small matrix library, `pose` evaluates, and `compare` measures how far the
//! program's `pose` JSON is from the result. Speed and robustness are no concern here; being plainly the specification
//! is. `hand` checks it against figures worked out by hand. Its inputs come from `corpus` and `random`; `summary` keeps
//! the score.

pub mod compare;
pub mod corpus;
pub mod document;
pub mod extensions;
pub mod file;
mod hand;
pub mod math;
pub mod pose;
pub mod random;
pub mod rng;
pub mod summary;
