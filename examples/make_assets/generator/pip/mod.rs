//! Pip: a small forest explorer with a ringed tail, a teal scarf and a brass bell.

mod body;
mod face;
mod looks;
mod scarf;
mod shapes;

use super::clip::write_clips;
use super::clips;
use super::emit::{Mesh, asset, write_character, write_materials};
use super::glb::Glb;
use super::mesh::by_material;
use super::rig::Rig;

/// The morph targets of the head, by index: `SMILE`, `SURPRISE`, `FROWN`, `BLINK_L`, `BLINK_R`.
pub const TARGETS: [&str; 5] = ["smile", "surprise", "frown", "blink_L", "blink_R"];
/// Corners of the mouth up, cheeks up, lower lids up.
pub const SMILE: usize = 0;
/// Mouth round, lids wide, brows high.
pub const SURPRISE: usize = 1;
/// Corners of the mouth down, brows low at the nose.
pub const FROWN: usize = 2;
/// The left eye shut.
pub const BLINK_L: usize = 3;
/// The right eye shut.
pub const BLINK_R: usize = 4;

/// The skeleton, 36 joints; `_L` rows make both sides.
#[rustfmt::skip]
const JOINTS: &[(&str, &str, [f64; 3])] = &[
    ("root",        "",            [0.0,   0.0,   0.0]),
    ("hips",        "root",        [0.0,   0.40,  0.0]),
    ("spine",       "hips",        [0.0,   0.48,  0.0]),
    ("chest",       "spine",       [0.0,   0.575, 0.0]),
    ("neck",        "chest",       [0.0,   0.675, 0.0]),
    ("head",        "neck",        [0.0,   0.745, 0.005]),
    ("ear_L",       "head",        [0.155, 1.105, -0.01]),
    ("ear_tip_L",   "ear_L",       [0.21,  1.205, -0.015]),
    ("eye_L",       "head",        [0.0675, 0.957, 0.089]),
    ("shoulder_L",  "chest",       [0.045, 0.635, 0.0]),
    ("upper_arm_L", "shoulder_L",  [0.115, 0.625, 0.0]),
    ("forearm_L",   "upper_arm_L", [0.21,  0.53,  -0.004]),
    ("hand_L",      "forearm_L",   [0.297, 0.443, 0.004]),
    ("thigh_L",     "hips",        [0.092, 0.365, 0.0]),
    ("shin_L",      "thigh_L",     [0.098, 0.22,  0.014]),
    ("foot_L",      "shin_L",      [0.102, 0.085, -0.008]),
    ("toes_L",      "foot_L",      [0.106, 0.03,  0.07]),
    ("tail_1",      "hips",        [0.0,   0.40,  -0.10]),
    ("tail_2",      "tail_1",      [0.0,   0.385, -0.205]),
    ("tail_3",      "tail_2",      [0.0,   0.415, -0.315]),
    ("tail_4",      "tail_3",      [0.0,   0.495, -0.395]),
    ("tail_5",      "tail_4",      [0.0,   0.605, -0.435]),
    ("scarf_1",     "chest",       [0.085, 0.685, -0.115]),
    ("scarf_2",     "scarf_1",     [0.108, 0.60,  -0.168]),
    ("scarf_3",     "scarf_2",     [0.12,  0.51,  -0.19]),
];

/// The finished file.
pub fn glb() -> Vec<u8> {
    let rig = Rig::new(JOINTS);
    let (mut trunk, mut head) = body::primitives(&rig);
    trunk.extend(scarf::primitives(&rig));
    head.extend(face::primitives(&rig));
    let meshes = [
        Mesh {
            name: "Pip_Body",
            primitives: by_material(trunk),
            targets: &[],
        },
        Mesh {
            name: "Pip_Head",
            primitives: by_material(head),
            targets: &TARGETS,
        },
    ];

    let mut glb = Glb::default();
    glb.set("asset", asset("Pip"));
    write_materials(&mut glb, &looks::MATERIALS);
    let nodes = write_character(&mut glb, "Pip", &rig, &meshes);
    let face = nodes.meshes[1];
    write_clips(&mut glb, &clips::all(&rig, &nodes.joints, face));
    glb.finish()
}
