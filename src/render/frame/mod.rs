//! What a frame brings to the adapter before anything is drawn: its uniform and what all passes share, the environment, and the
//! palette in storage buffers.

pub(super) mod bindings;
pub(super) mod environment;
pub(super) mod palette;
pub(super) mod uniform;
