//! Normals and tangents of saved meshes.

use glam::{Quat, Vec3};
use rigscope::cli::load;
use serde_json::json;

use crate::{artefact, pose};

/// Their squares are more than a 32-bit float holds, or less.
#[test]
fn directions_are_saved_however_large_or_small_a_model_is() {
    let (normal, tangent) = (Vec3::Z, Vec3::X);
    let turn = Quat::from_scaled_axis(Vec3::new(0.3, -1.1, 0.8));
    let corners = [[0.0_f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let mut bytes: Vec<u8> = corners
        .concat()
        .into_iter()
        .flat_map(f32::to_le_bytes)
        .collect();
    bytes.extend(
        [normal.to_array(); 3]
            .concat()
            .into_iter()
            .flat_map(f32::to_le_bytes),
    );
    bytes.extend(
        [tangent.extend(1.0).to_array(); 3]
            .concat()
            .into_iter()
            .flat_map(f32::to_le_bytes),
    );
    std::fs::write(artefact("directions.bin"), &bytes).unwrap();
    for size in [1e-10_f32, 1e-4, 1.0, 1e4, 1e10] {
        let file = artefact("directions.gltf");
        let json = json!({
            "asset": { "version": "2.0" },
            "scene": 0,
            "scenes": [{ "nodes": [0] }],
            "nodes": [{ "mesh": 0, "rotation": turn.to_array(), "scale": [size, size, 2.0 * size] }],
            "meshes": [{ "primitives": [{
                "attributes": { "POSITION": 0, "NORMAL": 1, "TANGENT": 2 }
            }] }],
            "accessors": [
                { "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0] },
                { "bufferView": 1, "componentType": 5126, "count": 3, "type": "VEC3" },
                { "bufferView": 2, "componentType": 5126, "count": 3, "type": "VEC4" },
            ],
            "bufferViews": [
                { "buffer": 0, "byteLength": 36 },
                { "buffer": 0, "byteOffset": 36, "byteLength": 36 },
                { "buffer": 0, "byteOffset": 72, "byteLength": 48 },
            ],
            "buffers": [{ "uri": "directions.bin", "byteLength": bytes.len() }],
        });
        std::fs::write(&file, json.to_string()).unwrap();
        let saved = artefact("directions.glb");
        pose(&[file.to_str().unwrap(), "--save", saved.to_str().unwrap()]).unwrap();
        let model = load(&saved).unwrap().model;
        let vertices = &model.meshes[0].primitives[0].vertices;
        for (&found, expected) in vertices.normals.iter().zip([turn * normal; 3]) {
            assert!(
                found.distance(expected) < 1e-5,
                "{size}: {found}, not {expected}"
            );
        }
        for (found, expected) in vertices.tangents.iter().zip([turn * tangent; 3]) {
            let found = found.truncate();
            assert!(
                found.distance(expected) < 1e-5,
                "{size}: {found}, not {expected}"
            );
        }
        assert_eq!((vertices.normals.len(), vertices.tangents.len()), (3, 3));
    }
}
