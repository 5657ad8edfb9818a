//! Numbers as glTF stores them: the bytes of components, and how great they are. Nothing here knows JSON.

pub(super) mod bounds;
pub(super) mod components;
pub(super) mod extent;
