//! The adapter, the surface of a window, and memory of the adapter's that is written anew for each frame.

pub(super) mod buffers;
pub(super) mod gpu;
pub(super) mod staging;
pub(super) mod surface;
