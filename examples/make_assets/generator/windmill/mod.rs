//! The windmill: a stone tower on a round meadow, animated without any skin, nodes up to six deep.

mod mill;
mod motion;
mod scenery;

use glam::{DQuat, DVec3};
use serde_json::json;

use super::clip::write_clips;
use super::emit::{Mesh, Surface, asset, write_materials, write_mesh};
use super::facets::Facets;
use super::glb::Glb;
use super::math::snap3;
use super::mesh::{Primitive, by_material};

/// Paints, by index into `PAINTS`.
pub const GRASS: usize = 0;
/// Bare earth: the side of the base.
pub const EARTH: usize = 1;
/// Tower and path.
pub const STONE: usize = 2;
/// Beams, sails, fence.
pub const WOOD: usize = 3;
/// Cap, door, flag.
pub const RED: usize = 4;
/// Sailcloth, hens, clouds.
pub const CANVAS: usize = 5;
/// Tree crowns.
pub const LEAF: usize = 6;
/// Window panes: a material of its own, as it shines.
pub const GLASS: usize = 7;
/// Vane, beaks, flowers: likewise.
pub const GOLD: usize = 8;

/// Linear colours of the paints.
const PAINTS: [[f64; 3]; 9] = [
    [0.13, 0.33, 0.05],
    [0.3, 0.16, 0.07],
    [0.5, 0.43, 0.345],
    [0.2, 0.09, 0.04],
    [0.48, 0.045, 0.03],
    [0.9, 0.8, 0.62],
    [0.05, 0.22, 0.08],
    [1.0, 1.0, 1.0],
    [1.0, 1.0, 1.0],
];

/// Materials: most of the mill is matt and takes its colour from its vertices.
const MATERIALS: [(&str, [f64; 3], f64, f64); 3] = [
    ("Paint", [1.0, 1.0, 1.0], 0.0, 0.9),
    ("Glass", [0.08, 0.24, 0.32], 0.0, 0.15),
    ("Gold", [0.9, 0.52, 0.08], 0.4, 0.4),
];

/// A node of the scene.
pub struct Part {
    name: String,
    parent: String,
    at: DVec3,
    turned: DQuat,
    size: f64,
    mesh: Option<&'static str>,
}

impl Part {
    fn new(
        name: impl Into<String>,
        parent: impl Into<String>,
        at: [f64; 3],
        mesh: Option<&'static str>,
    ) -> Self {
        let (turned, size) = (DQuat::IDENTITY, 1.0);
        Self {
            name: name.into(),
            parent: parent.into(),
            at: at.into(),
            turned,
            size,
            mesh,
        }
    }

    fn turned(self, turned: DQuat) -> Self {
        Self { turned, ..self }
    }

    fn sized(self, size: f64) -> Self {
        Self { size, ..self }
    }
}

/// The finished file.
pub fn glb() -> Vec<u8> {
    let mut parts = mill::parts();
    parts.extend(scenery::parts());

    let mut glb = Glb::default();
    glb.set("asset", asset("Windmill"));
    write_materials(&mut glb, &MATERIALS);
    // Nodes that look the same share a mesh.
    let mut meshes: Vec<(&str, usize)> = Vec::new();
    for part in &parts {
        let children: Vec<usize> = (0..parts.len())
            .filter(|&c| parts[c].parent == part.name)
            .collect();
        let mut node = json!({ "name": part.name, "translation": snap3(part.at).to_array() });
        if part.turned != DQuat::IDENTITY {
            node["rotation"] = json!(part.turned.to_array().map(|v| f64::from(v as f32)));
        }
        if part.size != 1.0 {
            node["scale"] = json!([part.size, part.size, part.size]);
        }
        if !children.is_empty() {
            node["children"] = json!(children);
        }
        if let Some(name) = part.mesh {
            let known = meshes
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, index)| *index);
            let index = known.unwrap_or_else(|| {
                let facets = mill::mesh(name)
                    .or_else(|| scenery::mesh(name))
                    .unwrap_or_default();
                let mesh = Mesh {
                    name,
                    primitives: painted(facets),
                    targets: &[],
                };
                let index = write_mesh(&mut glb, &mesh, Surface::Flat);
                meshes.push((name, index));
                index
            });
            node["mesh"] = json!(index);
        }
        glb.push("nodes", node);
    }
    glb.push("scenes", json!({ "name": "Windmill", "nodes": [0] }));
    glb.set("scene", json!(0));
    write_clips(&mut glb, &motion::clips(&parts));
    glb.finish()
}

/// Turns paints into vertex colours, so that a mesh is one primitive, or a few.
fn painted(facets: Facets) -> Vec<Primitive> {
    let mut primitives = facets.primitives();
    for primitive in &mut primitives {
        let paint = DVec3::from_array(PAINTS[primitive.material]);
        for vertex in &mut primitive.vertices {
            vertex.color *= paint;
        }
        primitive.material = match primitive.material {
            GLASS => 1,
            GOLD => 2,
            _ => 0,
        };
    }
    by_material(primitives)
}
