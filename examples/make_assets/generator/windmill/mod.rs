//! The windmill: a stone tower on a round meadow, animated without any skin, nodes up to seven deep.

mod mill;
mod motion;
mod scenery;

use glam::{DQuat, DVec3};
use serde_json::json;

use super::clip::write_clips;
use super::emit::{Mesh, asset, write_materials, write_mesh};
use super::facets::Facets;
use super::glb::Glb;
use super::math::snap3;

/// Materials, in the order of the file.
pub const GRASS: usize = 0;
/// Bare earth: the path and the side of the base.
pub const EARTH: usize = 1;
/// Tower.
pub const STONE: usize = 2;
/// Beams, sails, fence.
pub const WOOD: usize = 3;
/// Cap, door, flag.
pub const RED: usize = 4;
/// Sailcloth, hens, clouds.
pub const CANVAS: usize = 5;
/// Tree crowns.
pub const LEAF: usize = 6;
/// Window panes.
pub const GLASS: usize = 7;
/// Vane, beaks, flowers.
pub const GOLD: usize = 8;

/// Name, linear base colour, metallic, roughness.
#[rustfmt::skip]
const MATERIALS: [(&str, [f64; 3], f64, f64); 9] = [
    ("Grass",  [0.16, 0.36, 0.065], 0.0, 0.95),
    ("Earth",  [0.36, 0.2,  0.09],  0.0, 1.0),
    ("Stone",  [0.62, 0.56, 0.48],  0.0, 0.9),
    ("Wood",   [0.23, 0.11, 0.05],  0.0, 0.85),
    ("Red",    [0.55, 0.07, 0.045], 0.0, 0.8),
    ("Canvas", [0.92, 0.84, 0.68],  0.0, 0.9),
    ("Leaf",   [0.06, 0.24, 0.085], 0.0, 0.9),
    ("Glass",  [0.1,  0.28, 0.36],  0.0, 0.15),
    ("Gold",   [0.9,  0.52, 0.08],  0.4, 0.4),
];

/// A node of the scene.
pub struct Part {
    name: &'static str,
    parent: &'static str,
    at: DVec3,
    turned: DQuat,
    facets: Option<Facets>,
}

impl Part {
    fn new(name: &'static str, parent: &'static str, at: [f64; 3], facets: Option<Facets>) -> Self {
        Self {
            name,
            parent,
            at: at.into(),
            turned: DQuat::IDENTITY,
            facets,
        }
    }

    fn turned(self, turned: DQuat) -> Self {
        Self { turned, ..self }
    }
}

/// The finished file.
pub fn glb() -> Vec<u8> {
    let mut parts = mill::parts();
    parts.extend(scenery::parts());

    let mut glb = Glb::default();
    glb.set("asset", asset("Windmill"));
    write_materials(&mut glb, &MATERIALS);
    for part in &parts {
        let children: Vec<usize> = (0..parts.len())
            .filter(|&c| parts[c].parent == part.name)
            .collect();
        let mut node = json!({ "name": part.name, "translation": snap3(part.at).to_array() });
        if part.turned != DQuat::IDENTITY {
            node["rotation"] = json!(part.turned.to_array().map(|v| f64::from(v as f32)));
        }
        if !children.is_empty() {
            node["children"] = json!(children);
        }
        if let Some(facets) = part.facets.clone() {
            let mesh = Mesh {
                name: part.name,
                primitives: facets.primitives(),
                targets: &[],
            };
            node["mesh"] = json!(write_mesh(&mut glb, &mesh, false));
        }
        glb.push("nodes", node);
    }
    glb.push("scenes", json!({ "name": "Windmill", "nodes": [0] }));
    glb.set("scene", json!(0));
    write_clips(&mut glb, &motion::clips(&parts));
    glb.finish()
}
