//! Files with something long that a careless loader would go through, copy or unfold for each of many objects.

use serde_json::{Value, json};

use super::bombs::{Bomb, document, glb};

/// All of them.
pub fn all() -> Vec<Bomb> {
    vec![
        ("fallback_buffers", fallback_buffers(100_000, 65_000)),
        ("moved_material", moved_material(6_000_000, 8_000)),
        ("names_of_nodes", names_of_nodes(8_000_000, 6_000)),
        ("zeros_of_textures", zeros_of_textures(15_000_000)),
        ("zeros_of_layers", zeros_of_layers(15_000_000)),
        ("zeros_of_versions", zeros_of_versions(15_000_000)),
        ("names_of_targets", names_of_targets(15_000_000)),
    ]
}

/// Compressed views that cannot be decoded, and buffers that their uncompressed data may be in, which have none.
fn fallback_buffers(views: usize, buffers: usize) -> Vec<u8> {
    const NAME: &str = "EXT_meshopt_compression";
    let stream = json!({
        "buffer": 0, "byteLength": 9, "byteStride": 4, "count": 1, "mode": "ATTRIBUTES",
    });
    let view = json!({"buffer": 1, "byteLength": 4, "extensions": {NAME: stream}}).to_string();
    let data = r#"{"byteLength":4,"uri":"data:application/octet-stream;base64,AAAAAA=="}"#;
    let others = r#",{"byteLength":4}"#.repeat(buffers);
    let views = vec![view; views].join(",");
    format!(
        r#"{{"asset":{{"version":"2.0"}},"extensionsUsed":["{NAME}"],"buffers":[{data}{others}],"bufferViews":[{views}]}}"#
    )
    .into_bytes()
}

/// Clips that each move numbers of a material with a long name.
fn moved_material(length: usize, clips: usize) -> Vec<u8> {
    let channel = |property: &str| {
        let pointer = format!("/materials/0/pbrMetallicRoughness/{property}");
        let target = json!({"KHR_animation_pointer": {"pointer": pointer}});
        json!({"sampler": 0, "target": {"path": "pointer", "extensions": target}})
    };
    let channels = ["metallicFactor", "roughnessFactor"].map(channel);
    let clip = json!({"channels": channels, "samplers": [{"input": 0, "output": 0}]});
    let mut document = document();
    document["extensionsUsed"] = json!(["KHR_animation_pointer"]);
    document["materials"] = json!([{"name": "a".repeat(length)}]);
    document["animations"] = vec![clip; clips].into();
    document["bufferViews"] = json!([{"buffer": 0, "byteLength": 4}]);
    document["accessors"] = json!([
        {"bufferView": 0, "componentType": 5126, "type": "SCALAR", "count": 1, "min": [0], "max": [0]},
    ]);
    glb(document, &[0; 4])
}

/// Clips that are each told about with the long name of a node.
fn names_of_nodes(length: usize, clips: usize) -> Vec<u8> {
    let channel =
        |node: usize| json!({"sampler": node, "target": {"node": node, "path": "translation"}});
    let sampler = |input: usize| json!({"input": input, "output": 2});
    let clip = json!({"channels": [channel(0), channel(1)], "samplers": [sampler(0), sampler(1)]});
    let times = [0.0_f32, 1.0, 1.0, 2.0].into_iter();
    let mut bin: Vec<u8> = times.flat_map(f32::to_le_bytes).collect();
    bin.extend([0; 24]);
    let accessor = |offset: usize, kind: &str| json!({"bufferView": 0, "byteOffset": offset, "componentType": 5126, "type": kind, "count": 2});
    let mut document = document();
    document["nodes"] = json!([{}, {"name": "b".repeat(length)}]);
    document["animations"] = vec![clip; clips].into();
    document["bufferViews"] = json!([{"buffer": 0, "byteLength": bin.len()}]);
    document["accessors"] = json!([
        accessor(0, "SCALAR"),
        accessor(8, "SCALAR"),
        accessor(16, "VEC3"),
    ]);
    for (time, first) in [(0, 0), (1, 1)] {
        document["accessors"][time]["min"] = json!([first]);
        document["accessors"][time]["max"] = json!([first + 1]);
    }
    glb(document, &bin)
}

/// A list of zeros, instead of the text that stands for it.
fn with_zeros(document: &Value, count: usize) -> Vec<u8> {
    let zeros = format!("[0{}]", ",0".repeat(count));
    document
        .to_string()
        .replace("\"zeros\"", &zeros)
        .into_bytes()
}

/// Extras of a texture that is moved.
fn zeros_of_textures(count: usize) -> Vec<u8> {
    const NAME: &str = "KHR_texture_transform";
    let mut document = document();
    document["extensionsUsed"] = json!([NAME]);
    document["textures"] = json!([{}]);
    let texture = json!({
        "index": 0, "extensions": {NAME: {"rotation": 1}}, "extras": "zeros",
    });
    document["materials"] = json!([{"emissiveTexture": texture}]);
    with_zeros(&document, count)
}

/// Extras of an extension of a material.
fn zeros_of_layers(count: usize) -> Vec<u8> {
    const NAME: &str = "KHR_materials_clearcoat";
    let mut document = document();
    document["extensionsUsed"] = json!([NAME]);
    let layer = json!({"clearcoatFactor": 1, "extras": "zeros"});
    document["materials"] = json!([{"extensions": {NAME: layer}}]);
    with_zeros(&document, count)
}

/// What should be a version.
fn zeros_of_versions(count: usize) -> Vec<u8> {
    with_zeros(&json!({"asset": {"version": "zeros"}}), count)
}

/// What should be the names of morph targets.
fn names_of_targets(count: usize) -> Vec<u8> {
    let mut document = document();
    let primitive = json!({"attributes": {}, "targets": [{"COLOR_0": -1}]});
    document["meshes"] = json!([{"primitives": [primitive], "extras": {"targetNames": "zeros"}}]);
    with_zeros(&document, count)
}
