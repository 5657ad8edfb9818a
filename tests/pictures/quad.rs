//! A quad whose picture is known, and what to ask of it.

use base64::Engine as _;
use rigscope::{
    app::Actor,
    import::{Progress, Severity, load_bytes},
    model::BlockFormats,
    render::{Gpu, Picture, Renderer},
};
use serde_json::{Value, json};

use crate::common::{picture, to_image};

/// A quad from (−1, −1, 0) to (1, 1, 0) that faces +Z, with texture coordinates; parts of the file can be replaced.
/// Accessors 3 and 4 hold normals and tangents, which it uses only if it is told to.
pub(crate) fn quad(changes: &[(&str, Value)]) -> Actor {
    quad_for(BlockFormats::default(), changes)
}

/// [`quad`] with images in one of these formats, if they can be.
pub(crate) fn quad_for(formats: BlockFormats, changes: &[(&str, Value)]) -> Actor {
    let corners: [[f32; 5]; 4] = [
        [-1.0, -1.0, 0.0, 0.0, 1.0],
        [1.0, -1.0, 0.0, 1.0, 1.0],
        [1.0, 1.0, 0.0, 1.0, 0.0],
        [-1.0, 1.0, 0.0, 0.0, 0.0],
    ];
    let mut bytes: Vec<u8> = corners
        .iter()
        .flatten()
        .flat_map(|float| float.to_le_bytes())
        .collect();
    bytes.extend(
        [0_u16, 1, 2, 0, 2, 3]
            .iter()
            .flat_map(|index| index.to_le_bytes()),
    );
    let normals = [[0.0_f32, 0.0, 1.0]; 4].concat();
    let tangents = [[1.0_f32, 0.0, 0.0, 1.0]; 4].concat();
    let directions = normals.into_iter().chain(tangents);
    bytes.extend(directions.flat_map(f32::to_le_bytes));
    let data = base64::engine::general_purpose::STANDARD.encode(&bytes);
    let mut file = json!({
        "asset": { "version": "2.0" },
        "extensionsUsed": ["KHR_materials_unlit"],
        "scenes": [{ "nodes": [0] }],
        "nodes": [{ "mesh": 0 }],
        "meshes": [{ "primitives": [{
            "attributes": { "POSITION": 0, "TEXCOORD_0": 1 }, "indices": 2, "material": 0
        }] }],
        "materials": [{ "extensions": { "KHR_materials_unlit": {} } }],
        "buffers": [{ "byteLength": bytes.len(), "uri": format!("data:application/octet-stream;base64,{data}") }],
        "bufferViews": [
            { "buffer": 0, "byteLength": 80, "byteStride": 20 },
            { "buffer": 0, "byteOffset": 80, "byteLength": 12 },
            { "buffer": 0, "byteOffset": 92, "byteLength": 48 },
            { "buffer": 0, "byteOffset": 140, "byteLength": 64 }
        ],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 4, "min": [-1, -1, 0], "max": [1, 1, 0] },
            { "bufferView": 0, "byteOffset": 12, "componentType": 5126, "type": "VEC2", "count": 4 },
            { "bufferView": 1, "componentType": 5123, "type": "SCALAR", "count": 6 },
            { "bufferView": 2, "componentType": 5126, "type": "VEC3", "count": 4 },
            { "bufferView": 3, "componentType": 5126, "type": "VEC4", "count": 4 }
        ]
    });
    for (key, value) in changes {
        file[key] = value.clone();
    }
    // What is null is left out.
    if let Some(members) = file.as_object_mut() {
        members.retain(|_, value| !value.is_null());
    }
    let progress = Progress::default();
    progress.set_block_formats(formats);
    let import = load_bytes("quad", file.to_string().as_bytes(), &progress).unwrap();
    let diagnostics = import.diagnostics.iter();
    // Some tests put it far away on purpose.
    let errors: Vec<_> = diagnostics
        .filter(|it| it.severity <= Severity::Warning && it.code != "MODEL_FAR_FROM_ORIGIN")
        .map(ToString::to_string)
        .collect();
    assert_eq!(errors, [""; 0], "the quad is a legal file");
    Actor::new(import.model)
}

/// A mesh of the quad with its normals, in one of the file's materials.
pub(crate) fn lit_mesh(material: usize) -> Value {
    json!({ "primitives": [{
        "attributes": { "POSITION": 0, "TEXCOORD_0": 1, "NORMAL": 3 }, "indices": 2, "material": material
    }] })
}

/// A renderer that has a model, and perhaps a second one.
pub(crate) fn renderer(gpu: &Gpu, actor: &Actor, other: Option<&Actor>) -> Renderer {
    let mut renderer = Renderer::new(gpu, Picture::FORMAT);
    renderer.set_model(gpu, actor.model());
    renderer.set_other_model(gpu, other.map(Actor::model));
    renderer
}

/// The pixel in the middle of a picture from straight ahead.
pub(crate) fn middle(gpu: &Gpu, actor: &mut Actor, background: &str) -> [u8; 4] {
    pixel(gpu, actor, background, "0,90,3", [32, 32])
}

/// A pixel of a 64 × 64 picture of the quad; it fills the picture.
pub(crate) fn pixel(
    gpu: &Gpu,
    actor: &mut Actor,
    background: &str,
    orbit: &str,
    at: [u32; 2],
) -> [u8; 4] {
    let typed = [
        "--size",
        "64x64",
        "--background",
        background,
        "--target",
        "0,0,0",
        "--orbit",
        orbit,
        "--fov",
        "30",
    ];
    to_image(&picture(gpu, actor, &typed))[(at[0], at[1])].0
}

#[track_caller]
pub(crate) fn assert_color(found: [u8; 4], expected: [u8; 4]) {
    let near = found.iter().zip(expected).all(|(a, b)| a.abs_diff(b) <= 1);
    assert!(near, "{found:?} instead of {expected:?}");
}

pub(crate) fn unlit(more: Value) -> Value {
    let mut material = json!({ "extensions": { "KHR_materials_unlit": {} } });
    for (key, value) in more.as_object().unwrap() {
        material[key] = value.clone();
    }
    json!([material])
}

pub(crate) fn base_color(color: [f64; 4]) -> Value {
    json!({ "baseColorFactor": color })
}
