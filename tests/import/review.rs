//! What reviews found, each made small.

use std::fs;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use glam::Vec2;
use image::{DynamicImage, ImageFormat};
use rigscope::{
    import::Severity,
    model::{NodeId, Track},
};
use serde_json::{Value, json};

use super::{
    corpus::folder,
    file::{File, assert_clean, assert_error, assert_found, load},
};

fn data_uri(bytes: &[u8]) -> String {
    format!("data:;base64,{}", STANDARD.encode(bytes))
}

/// A file of the corpus with its buffers inside, if the corpus is there.
fn of_corpus(name: &str) -> Option<Value> {
    let path = folder("RIGSCOPE_CORPUS", "corpus")?
        .join("files")
        .join(name);
    let mut json: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    for buffer in json["buffers"].as_array_mut().unwrap() {
        if let Some(uri) = buffer["uri"].as_str() {
            let bytes = fs::read(path.with_file_name(uri)).unwrap();
            let uri = data_uri(&bytes);
            buffer["uri"] = uri.replace("data:", "data:application/octet-stream").into();
        }
    }
    Some(json)
}

/// Writes integers as `1.0`, which glTF 2.0 §2.3.1 allows.
fn make_whole_float(value: &mut Value) {
    *value = value.as_f64().unwrap().into();
}

#[test]
fn whole_floats_are_sets_of_coordinates_in_texture_transforms() {
    let mut file = File::triangle();
    file.json["extensionsUsed"] = json!(["KHR_texture_transform"]);
    file.json["textures"] = json!([{}]);
    file.json["materials"] = json!([{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0, "extensions": {
        "KHR_texture_transform": {"offset": [0.25, 0.5], "texCoord": 1.0},
    }}}}]);
    let texture = file.load().model.materials[0].base_color_texture.unwrap();
    assert_eq!(texture.tex_coord, 1);
    assert_eq!(texture.transform.offset, Vec2::new(0.25, 0.5));
}

#[test]
fn whole_floats_are_images_of_extensions() {
    let mut dots = [ImageFormat::Png, ImageFormat::WebP]
        .into_iter()
        .map(|format| {
            let mut bytes = std::io::Cursor::new(Vec::new());
            let dot = DynamicImage::new_rgba8(1, 1);
            dot.write_to(&mut bytes, format).unwrap();
            json!({"uri": data_uri(bytes.get_ref())})
        });
    let mut file = File::triangle();
    file.json["images"] = json!([dots.next(), dots.next()]);
    file.json["extensionsUsed"] = json!(["EXT_texture_webp"]);
    file.json["textures"] =
        json!([{"source": 0, "extensions": {"EXT_texture_webp": {"source": 1.0}}}]);
    assert_eq!(file.load().model.textures[0].image, 1);
}

#[test]
fn whole_floats_are_accessors_of_compressed_primitives() {
    let Some(mut json) = of_corpus("khronos-samples/Box/glTF-Draco/Box.gltf") else {
        return;
    };
    let primitive = &mut json["meshes"][0]["primitives"][0];
    for pointer in [
        "/attributes/POSITION",
        "/mode",
        "/indices",
        "/extensions/KHR_draco_mesh_compression/bufferView",
        "/extensions/KHR_draco_mesh_compression/attributes/POSITION",
    ] {
        make_whole_float(primitive.pointer_mut(pointer).unwrap());
    }
    let import = load(json.to_string().as_bytes());
    assert_eq!(import.model.meshes[0].primitives[0].indices.len(), 36);
}

#[test]
fn whole_floats_are_buffers_of_compressed_views() {
    let name = "gltf-pipeline/extensions/EXT_meshopt_compression/meshopt-no-fallback/meshopt-no-fallback.gltf";
    let Some(mut json) = of_corpus(name) else {
        return;
    };
    assert_clean(&load(json.to_string().as_bytes()));
    for view in json["bufferViews"].as_array_mut().unwrap() {
        make_whole_float(&mut view["buffer"]);
        let extension = view.pointer_mut("/extensions/EXT_meshopt_compression/buffer");
        make_whole_float(extension.unwrap());
    }
    assert_clean(&load(json.to_string().as_bytes()));
}

/// A JPEG that ends where its only scan begins: three components, `in_scan` of them in the scan.
fn jpeg(frame: u8, side: u16, in_scan: u8) -> Vec<u8> {
    let [high, low] = side.to_be_bytes();
    let mut bytes = vec![0xff, 0xd8, 0xff, frame, 0, 17, 8, high, low, high, low, 3];
    bytes.extend([1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]);
    bytes.extend([0xff, 0xda, 0, 6 + 2 * in_scan, in_scan]);
    bytes.extend((1..=in_scan).flat_map(|component| [component, 0]));
    bytes.extend([0, 63, 0, 0xff, 0xd9]);
    bytes
}

/// A lossless WebP that ends after its header.
fn webp(side: u32) -> Vec<u8> {
    let mut bytes = b"RIFF\x12\0\0\0WEBPVP8L\x05\0\0\0\x2f".to_vec();
    bytes.extend(((side - 1) | (side - 1) << 14).to_le_bytes());
    bytes.push(0);
    bytes
}

#[test]
fn pays_for_what_decoders_take_while_they_work() {
    // What comes out would be allowed.
    for (encoded, is_dear) in [
        (jpeg(0xc0, 6_000, 3), false),
        (jpeg(0xc0, 6_000, 1), true),
        (jpeg(0xc2, 6_000, 3), true),
        (webp(6_000), true),
        (webp(2_000), false),
    ] {
        let mut file = File::triangle();
        file.json["images"] = json!([{"uri": data_uri(&encoded)}]);
        let import = file.load();
        let code = if is_dear {
            "MEMORY_BUDGET_EXCEEDED"
        } else {
            "IMAGE_DATA_INVALID"
        };
        assert_error(&import, code, "/images/0");
    }
}

#[test]
fn a_channel_of_a_node_counts_more_than_one_of_its_mesh() {
    let mut file = File::animated("weights", "SCALAR", &[0.0, 1.0], &[0.25, 0.75]);
    file.primitive()["targets"] = json!([{"POSITION": 0}]);
    file.json["nodes"] = json!([{"mesh": 0}, {"mesh": 0}]);
    file.json["scenes"] = json!([{"nodes": [0, 1]}]);
    file.json["extensionsUsed"] = json!(["KHR_animation_pointer"]);
    let pointer = json!({"KHR_animation_pointer": {"pointer": "/meshes/0/weights"}});
    let channels = &mut file.json["animations"][0]["channels"];
    let of_mesh = json!({"sampler": 0, "target": {"path": "pointer", "extensions": pointer}});
    channels.as_array_mut().unwrap().push(of_mesh);
    let import = file.load();
    let weights = import.model.clips[0].weights();
    let moved: Vec<_> = weights.iter().map(Track::node).collect();
    assert_eq!(moved, [NodeId(0), NodeId(1)]);
    assert_found(
        &import,
        Severity::Info,
        "ANIMATION_DUPLICATE_TARGETS",
        "/animations/0/channels/1",
    );
}
