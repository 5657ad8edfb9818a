//! Who is where: nodes, skins, cameras, lights, and the scenes that they are in.

pub(super) mod cameras;
pub(super) mod humanoid;
mod instancing;
pub(super) mod lights;
pub(super) mod nodes;
pub(super) mod rotations;
pub(super) mod scenes;
pub(super) mod skins;
mod trs;
mod visibility;
