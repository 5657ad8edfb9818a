//! The generator of the built-in models (shapes, skeleton, weights and motion) and of the table that shaders look light up
//! in: all computed, nothing stored.

mod clip;
mod clips;
mod emit;
mod facets;
mod glb;
mod math;
mod mesh;
mod paint;
mod pip;
mod pose;
mod refine;
mod rig;
mod sdf;
mod shares;
mod surface_nets;
mod weights;
mod windmill;

/// The files, by name.
pub fn assets() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("pip.glb", pip::glb()),
        ("windmill.glb", windmill::glb()),
        ("shares.bin", shares::bytes()),
    ]
}
