//! Copies by instancing: a mesh, a node and accessors each in the file that is saved.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::{artefact, chunks, pose};

/// A file with a point on a node of its own, and on so many copies of another node, which may be hidden.
fn copies(count: usize, are_shown: bool) -> PathBuf {
    let (at, length) = (12, 12 * count);
    let name = if are_shown { "shown" } else { "hidden" };
    let file = artefact(&format!("copies-{name}.gltf"));
    let zeros = format!("zeros-{name}.bin");
    std::fs::write(artefact(&zeros), vec![0; at + length]).unwrap();
    let json = json!({
        "asset": { "version": "2.0" },
        "extensionsUsed": ["EXT_mesh_gpu_instancing", "KHR_node_visibility"],
        "scene": 0,
        "scenes": [{ "nodes": [0, 1] }],
        "nodes": [
            {
                "mesh": 0,
                "extensions": {
                    "EXT_mesh_gpu_instancing": { "attributes": { "TRANSLATION": 1 } },
                    "KHR_node_visibility": { "visible": are_shown },
                },
            },
            { "mesh": 0 },
        ],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 }, "mode": 0 }] }],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": 1, "type": "VEC3", "min": [0, 0, 0], "max": [0, 0, 0] },
            { "bufferView": 1, "componentType": 5126, "count": count, "type": "VEC3" },
        ],
        "bufferViews": [
            { "buffer": 0, "byteLength": at },
            { "buffer": 0, "byteOffset": at, "byteLength": length },
        ],
        "buffers": [{ "uri": zeros, "byteLength": at + length }],
    });
    std::fs::write(&file, json.to_string()).unwrap();
    file
}

/// A file can ask for any number, and what is saved would be one that nobody can open. Those that are hidden are not
/// written, and do not count.
#[test]
fn more_parts_than_a_file_can_hold_are_refused() {
    let saved = artefact("copies.glb");
    let _ = std::fs::remove_file(&saved);
    let save = |file: &Path| pose(&[file.to_str().unwrap(), "--save", saved.to_str().unwrap()]);
    let refused = save(&copies(50_000, true)).unwrap_err();
    assert!(
        refused.to_string().contains("50001 parts in all"),
        "{refused:#}"
    );
    assert!(!saved.exists());
    save(&copies(50_000, false)).unwrap();
    let (written, _) = chunks(&saved);
    assert_eq!(written["meshes"].as_array().unwrap().len(), 1);
}
