//! Normals of the vertices and of triangles, under joints and nodes that scale.

use base64::Engine as _;
use glam::Vec3;
use serde_json::{Value, json};

use super::{
    quad::{assert_color, quad},
    views::{shown, skinned_with},
};
use crate::common::{gpu, picture, to_image};

/// Joints that scale make normals longer or shorter, not of more or less weight: half way between two vertices is the mean of
/// their directions.
#[test]
fn joints_that_scale_leave_normals_their_weight() {
    let Some(gpu) = gpu() else { return };
    let half = 0.5_f32.sqrt();
    let mut actor = skinned_with(|file| {
        // To the left and to the right; the right half hangs on the second joint alone.
        let sides = [-1.0_f32, 1.0, 1.0, -1.0];
        let normals = sides.iter().flat_map(|side| [side * half, 0.0, half]);
        let weights = sides
            .iter()
            .flat_map(|side| [0.5 - 0.5 * side, 0.5 + 0.5 * side, 0.0, 0.0]);
        let bytes: Vec<_> = normals.chain(weights).flat_map(f32::to_le_bytes).collect();
        let data = base64::engine::general_purpose::STANDARD.encode(&bytes);
        let more = [
            (
                "buffers",
                json!({ "byteLength": bytes.len(), "uri": format!("data:application/octet-stream;base64,{data}") }),
            ),
            (
                "bufferViews",
                json!({ "buffer": 1, "byteLength": bytes.len() }),
            ),
            (
                "accessors",
                json!({ "bufferView": 4, "componentType": 5126, "type": "VEC3", "count": 4 }),
            ),
            (
                "accessors",
                json!({ "bufferView": 4, "byteOffset": 48, "componentType": 5126, "type": "VEC4", "count": 4 }),
            ),
        ];
        for (key, value) in more {
            file[key].as_array_mut().unwrap().push(value);
        }
        file["meshes"][0]["primitives"][0]["attributes"] =
            json!({ "POSITION": 0, "JOINTS_0": 1, "NORMAL": 4, "WEIGHTS_0": 5 });
        // Across the quad, so that its corners stay where they are.
        file["nodes"][2]["scale"] = json!([1, 1, 4]);
    });
    let found = shown(&gpu, &mut actor, "normal", &[]);
    let right = Vec3::new(4.0, 0.0, 1.0).normalize();
    let mean = (right + Vec3::new(-half, 0.0, half)).normalize();
    let expected = mean
        .to_array()
        .map(|part| ((0.5 + 0.5 * part) * 255.0) as u8);
    let is_near = found
        .iter()
        .zip(expected)
        .all(|(found, expected)| found.abs_diff(expected) <= 3);
    assert!(is_near, "{found:?}, not {expected:?}");
}

/// Nothing is too small or too large to have a normal.
#[test]
fn normals_survive_every_scale() {
    let Some(gpu) = gpu() else { return };
    let normal = |scale: f64, attributes: Value| {
        let mut quad = quad(&[
            (
                "nodes",
                json!([{ "mesh": 0, "scale": [scale, scale, scale] }]),
            ),
            (
                "meshes",
                json!([{ "primitives": [{ "attributes": attributes, "indices": 2, "material": 0 }] }]),
            ),
        ]);
        let orbit = format!("0,90,{}", 3.0 * scale);
        let typed = [
            "--size", "64x64", "--view", "normal", "--target", "0,0,0", "--orbit", &orbit,
        ];
        to_image(&picture(&gpu, &mut quad, &typed))[(32, 32)].0
    };
    for scale in [1e-8, 1e-6, 1e-3, 1e3, 1e6, 1e8] {
        for attributes in [
            json!({ "POSITION": 0, "TEXCOORD_0": 1 }),
            json!({ "POSITION": 0, "TEXCOORD_0": 1, "NORMAL": 3 }),
        ] {
            assert_color(normal(scale, attributes), [128, 128, 255, 255]);
        }
    }
}
