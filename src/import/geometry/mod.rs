//! Shapes: meshes with their vertices, indices, morph targets and tangents.

pub(super) mod bad_vertices;
mod far_bounds;
mod influence_set;
mod influences;
pub(super) mod meshes;
mod morphs;
mod shapes;
mod shared;
pub(super) mod skinning;
pub(super) mod tangents;
mod topology;
mod used_vertices;
mod vertices;
mod weights;
