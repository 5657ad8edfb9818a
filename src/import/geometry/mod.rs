//! Shapes: meshes with their vertices, indices, morph targets and tangents.

pub(super) mod bad_vertices;
mod far_bounds;
mod influences;
mod marks;
pub(super) mod meshes;
mod morphs;
mod set;
mod shapes;
mod shared;
pub(super) mod skinning;
pub(super) mod tangents;
mod topology;
mod vertices;
mod weights;
