//! What passes draw into, from the samples of the scene to pictures that are read back.

pub(super) mod intermediates;
pub(super) mod kept;
pub(super) mod readback;
pub(super) mod scene;
