//! Writes meshes, nodes and skins.

use serde_json::{Value, json};

use super::glb::Glb;
use super::math::{snap, snap3};
use super::mesh::Primitive;
use super::rig::Rig;
use super::weights::quantize;

/// A mesh of several primitives that share their morph targets.
pub struct Mesh {
    /// Name of the mesh and of its node.
    pub name: &'static str,
    /// The primitives.
    pub primitives: Vec<Primitive>,
    /// Names of the morph targets.
    pub targets: &'static [&'static str],
}

/// What a vertex carries besides its position and colour.
#[derive(Clone, Copy, PartialEq)]
pub enum Surface {
    /// A smooth normal, joints and weights.
    Skinned,
    /// Nothing: where normals are absent a reader makes flat ones (glTF 2.0 §3.7.2.1), which is what facets want.
    Flat,
}

/// Where things went in the file.
pub struct Nodes {
    /// Node of each joint.
    pub joints: Vec<usize>,
    /// Node of each mesh.
    pub meshes: Vec<usize>,
}

/// The `asset` object.
pub fn asset(name: &str) -> Value {
    json!({
        "version": "2.0",
        "generator": "rigscope make_assets",
        "copyright": "CC0 1.0 Universal",
        "extras": { "title": name },
    })
}

/// Writes materials: name, linear base colour, metallic, roughness.
pub fn write_materials(glb: &mut Glb, materials: &[(&str, [f64; 3], f64, f64)]) {
    for &(name, [r, g, b], metallic, roughness) in materials {
        let surface = json!({
            "baseColorFactor": [r, g, b, 1.0], "metallicFactor": metallic, "roughnessFactor": roughness,
        });
        let mut material = json!({ "name": name, "pbrMetallicRoughness": surface });
        if name == "Glint" {
            // A catch-light shines from whichever side the lamp is.
            material["emissiveFactor"] = json!([0.8, 0.8, 0.8]);
        }
        glb.push("materials", material);
    }
}

/// Writes a skinned character: its joints, one skin, and its meshes as further roots of the scene, since the transform of a
/// skinned mesh's node counts for nothing (glTF 2.0 §3.7.3.3).
pub fn write_character(glb: &mut Glb, name: &str, rig: &Rig, meshes: &[Mesh]) -> Nodes {
    let mut inverse_binds = Vec::new();
    let mut joints = Vec::new();
    for (i, joint) in rig.joints.iter().enumerate() {
        let children: Vec<usize> = (0..rig.joints.len())
            .filter(|&c| rig.joints[c].parent == Some(i))
            .collect();
        let mut node = json!({ "name": joint.name, "translation": rig.offset(i).to_array() });
        // Nodes are written in the order of the rig, from index 0: joint and node numbers are the same.
        if !children.is_empty() {
            node["children"] = json!(children);
        }
        joints.push(glb.push("nodes", node));

        // Rest rotations are identities, so the inverse bind matrix (`joint_from_mesh`) only moves.
        inverse_binds.push(glam::Mat4::from_translation(-joint.position.as_vec3()).to_cols_array());
    }
    let accessor = glb.matrices(&inverse_binds);
    let skin =
        json!({ "name": name, "inverseBindMatrices": accessor, "joints": joints, "skeleton": 0 });
    let skin = glb.push("skins", skin);
    let mesh_nodes: Vec<usize> = meshes
        .iter()
        .map(|mesh| {
            let index = write_mesh(glb, mesh, Surface::Skinned);
            glb.push(
                "nodes",
                json!({ "name": mesh.name, "mesh": index, "skin": skin }),
            )
        })
        .collect();
    let mut roots = vec![0];
    roots.extend(&mesh_nodes);
    glb.push("scenes", json!({ "name": name, "nodes": roots }));
    glb.set("scene", json!(0));
    Nodes {
        joints,
        meshes: mesh_nodes,
    }
}

/// Writes one mesh and returns its index.
pub fn write_mesh(glb: &mut Glb, mesh: &Mesh, surface: Surface) -> usize {
    let primitives: Vec<Value> = mesh
        .primitives
        .iter()
        .map(|primitive| write_primitive(glb, primitive, mesh.targets.len(), surface))
        .collect();
    let mut value = json!({ "name": mesh.name, "primitives": primitives });
    if !mesh.targets.is_empty() {
        value["weights"] = json!(vec![0; mesh.targets.len()]);
        value["extras"] = json!({ "targetNames": mesh.targets });
    }
    glb.push("meshes", value)
}

fn write_primitive(
    glb: &mut Glb,
    primitive: &Primitive,
    target_count: usize,
    surface: Surface,
) -> Value {
    let vertices = &primitive.vertices;
    let grid = |v: glam::DVec3| snap3(v).as_vec3().to_array();
    let positions: Vec<[f32; 3]> = vertices.iter().map(|v| grid(v.position)).collect();
    let normals: Vec<[f32; 3]> = vertices.iter().map(|v| grid(v.normal)).collect();
    let colors: Vec<[u8; 4]> = vertices
        .iter()
        .map(|v| {
            let byte = |channel: f64| (snap(channel).clamp(0.0, 1.0) * 255.0).round() as u8;
            [byte(v.color.x), byte(v.color.y), byte(v.color.z), 255]
        })
        .collect();
    let mut attributes = json!({ "POSITION": glb.vec3s(&positions, true) });
    if colors.iter().any(|color| *color != [255; 4]) {
        attributes["COLOR_0"] = json!(glb.bytes4(&colors, true));
    }
    if surface == Surface::Skinned {
        attributes["NORMAL"] = json!(glb.vec3s(&normals, false));
        let (joints, weights): (Vec<_>, Vec<_>) =
            vertices.iter().map(|v| quantize(&v.influences)).unzip();
        attributes["JOINTS_0"] = json!(glb.bytes4(&joints, false));
        attributes["WEIGHTS_0"] = json!(glb.bytes4(&weights, true));
    }
    assert!(vertices.len() < 0xFFFF, "a primitive's indices fit 16 bits");
    let triangles: Vec<[u16; 3]> = primitive
        .triangles
        .iter()
        .map(|t| t.map(|i| i as u16))
        .collect();
    let mut value = json!({
        "attributes": attributes,
        "indices": glb.indices(&triangles),
        "material": primitive.material,
    });
    if target_count > 0 {
        let targets: Vec<Value> = (0..target_count)
            .map(|target| {
                let mut deltas = primitive.targets.get(target).cloned().unwrap_or_default();
                deltas.resize(vertices.len(), Default::default());
                let positions: Vec<[f32; 3]> = deltas.iter().map(|d| grid(d.position)).collect();
                let normals: Vec<[f32; 3]> = deltas.iter().map(|d| grid(d.normal)).collect();
                json!({
                    "POSITION": glb.sparse_vec3s(&positions, true),
                    "NORMAL": glb.sparse_vec3s(&normals, false),
                })
            })
            .collect();
        value["targets"] = json!(targets);
    }
    value
}
