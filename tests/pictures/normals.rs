//! Normals of the vertices and of triangles, under joints and nodes that scale.

use base64::Engine as _;
use glam::Vec3;
use serde_json::{Value, json};

use super::{
    quad::{assert_color, lit_mesh, quad},
    views::{shown, skinned_with},
};
use crate::common::{gpu, picture, to_image};
use rigscope::{
    anim::Skinning,
    app::Actor,
    export::{Still, still_glb},
};

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

/// The quad with a normal map that leans to +u everywhere, in one material as it is and in another turned by a quarter.
fn leaning(mesh: &Value) -> Actor {
    let map = |rotation: f64| {
        json!({ "normalTexture": { "index": 0, "extensions": { "KHR_texture_transform": {
            "rotation": rotation
        } } } })
    };
    let used = ["KHR_texture_transform", "KHR_materials_variants"];
    quad(&[
        ("extensionsUsed", json!(used)),
        (
            "extensions",
            json!({ "KHR_materials_variants": { "variants": [{ "name": "turned" }] } }),
        ),
        (
            "materials",
            json!([map(0.0), map(std::f64::consts::FRAC_PI_2)]),
        ),
        ("textures", json!([{ "source": 0 }])),
        ("images", crate::png([[218, 128, 218, 255]; 4])),
        ("meshes", json!([mesh])),
    ])
}

/// One set of tangents is computed, for the file's own choice.
#[test]
fn in_a_variant_a_normal_map_lies_as_in_a_file_of_that_material() {
    let Some(gpu) = gpu() else { return };
    let mesh = |material: usize| {
        let mut mesh = lit_mesh(material);
        let other = json!([{ "material": 1 - material, "variants": [0] }]);
        mesh["primitives"][0]["extensions"] =
            json!({ "KHR_materials_variants": { "mappings": other } });
        mesh
    };
    let shown =
        |material, options: &[&str]| shown(&gpu, &mut leaning(&mesh(material)), "normal", options);
    for material in [0, 1] {
        let own = shown(material, &[]);
        let other = shown(1 - material, &["--variant", "turned"]);
        let is_near = own.iter().zip(other).all(|(a, b)| a.abs_diff(b) <= 2);
        assert!(is_near, "{own:?} {other:?}");
        assert!(
            own[0].abs_diff(128).max(own[1].abs_diff(128)) > 60,
            "{own:?}"
        );
    }
}

/// A saved pose has them for those whose tangents they are.
#[test]
fn computed_tangents_are_not_saved_for_a_map_that_lies_otherwise() {
    for (material, is_there) in [(0, true), (1, false)] {
        let mut actor = leaning(&lit_mesh(0));
        actor.pose_at(None, 0.0);
        let model = actor.model();
        let mut materials = model.materials.clone();
        materials[0] = materials[material].clone();
        let saved = still_glb(&Still {
            model,
            scene: 0,
            pose: actor.pose(),
            skinning: Skinning::Linear,
            materials: &materials,
            lights: &[],
            cameras: &[],
            variant: None,
        });
        let saved = String::from_utf8_lossy(&saved.unwrap()).into_owned();
        assert_eq!(saved.contains("TANGENT"), is_there, "{material}");
    }
}

/// Points and lines without tangents are lit by the normals that they have (glTF 2.0 §3.9.7).
#[test]
fn lines_without_tangents_take_nothing_of_normal_maps() {
    let Some(gpu) = gpu() else { return };
    let normal = |attributes: Value| {
        let mesh = json!({ "primitives": [{
            "attributes": attributes, "indices": 2, "mode": 2, "material": 0
        }] });
        let typed = [
            "--size",
            "64x64",
            "--view",
            "normal",
            "--background",
            "none",
            "--target",
            "0,0,0",
            "--orbit",
            "0,90,3",
        ];
        let picture = to_image(&picture(&gpu, &mut leaning(&mesh), &typed));
        let drawn = picture.pixels().find(|pixel| pixel[3] == 255);
        drawn.expect("a line").0
    };
    let bare = json!({ "POSITION": 0, "TEXCOORD_0": 1, "NORMAL": 3 });
    assert_color(normal(bare), [128, 128, 255, 255]);
    let with_tangents = json!({ "POSITION": 0, "TEXCOORD_0": 1, "NORMAL": 3, "TANGENT": 4 });
    assert!(normal(with_tangents)[0] > 180);
}
