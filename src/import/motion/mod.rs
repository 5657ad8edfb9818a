//! Animations: what moves what, and the keys of it.

pub(super) mod channels;
pub(super) mod clips;
mod pointer;
