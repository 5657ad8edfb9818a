//! What surfaces look like: images, textures, materials and their variants, and the environment that they mirror.

pub(super) mod environment;
pub(super) mod images;
pub(super) mod materials;
pub(super) mod variants;
