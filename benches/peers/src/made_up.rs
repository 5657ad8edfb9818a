//! A file of two million triangles and four images of 2048 × 2048 pixels.

use std::{fs, path::PathBuf};

use image::{ExtendedColorType, ImageEncoder as _, codecs::png::PngEncoder};
use serde_json::json;

use crate::Outcome;

/// Quads along a side of the ground.
const SIDE: usize = 1000;
const IMAGE_SIDE: u32 = 2048;

/// Writes the file, if it is not there yet.
pub fn file() -> Outcome<PathBuf> {
    let path = std::env::temp_dir().join("rigscope-two-million-triangles.glb");
    if path.exists() {
        return Ok(path);
    }
    let (mut bin, mut views, mut accessors) = (Vec::new(), Vec::new(), Vec::new());
    let mut add = |kind: &str, component: u32, count: usize, data: Vec<u8>| {
        views.push(json!({"buffer": 0, "byteOffset": bin.len(), "byteLength": data.len()}));
        bin.extend(data);
        if count > 0 {
            let accessor = json!({"bufferView": views.len() - 1, "componentType": component, "type": kind, "count": count});
            accessors.push(accessor);
        }
        bin.resize(bin.len().next_multiple_of(4), 0);
    };
    let across = SIDE + 1;
    let grid = || {
        (0..across * across).map(|i| {
            (
                (i % across) as f32 / SIDE as f32,
                (i / across) as f32 / SIDE as f32,
            )
        })
    };
    let height = |x: f32, z: f32| 0.05 * (x * 40.0).sin() * (z * 30.0).cos();
    let to_bytes = |numbers: &mut dyn Iterator<Item = f32>| {
        numbers.flat_map(f32::to_le_bytes).collect::<Vec<_>>()
    };
    let heights: Vec<f32> = grid().map(|(x, z)| height(x, z)).collect();
    let count = across * across;
    add(
        "VEC3",
        5126,
        count,
        to_bytes(&mut grid().flat_map(|(x, z)| [x, height(x, z), z])),
    );
    let normal = |x: f32, z: f32| {
        let slope = [
            2.0 * (x * 40.0).cos() * (z * 30.0).cos(),
            -1.5 * (x * 40.0).sin() * (z * 30.0).sin(),
        ];
        let length = (slope[0] * slope[0] + slope[1] * slope[1] + 1.0).sqrt();
        [-slope[0] / length, 1.0 / length, -slope[1] / length]
    };
    add(
        "VEC3",
        5126,
        count,
        to_bytes(&mut grid().flat_map(|(x, z)| normal(x, z))),
    );
    add(
        "VEC2",
        5126,
        count,
        to_bytes(&mut grid().flat_map(|(x, z)| [x, z])),
    );
    let corners = (0..SIDE * SIDE).flat_map(|quad| {
        let first = (quad / SIDE * across + quad % SIDE) as u32;
        let below = first + across as u32;
        [first, below, first + 1, first + 1, below, below + 1]
    });
    let indices: Vec<u8> = corners.flat_map(u32::to_le_bytes).collect();
    add("SCALAR", 5125, 6 * SIDE * SIDE, indices);
    for image in 0..4 {
        add("", 0, 0, png(image)?);
    }
    let lowest = heights.iter().copied().fold(f32::MAX, f32::min);
    let highest = heights.iter().copied().fold(f32::MIN, f32::max);
    accessors[0]["min"] = json!([0.0, lowest, 0.0]);
    accessors[0]["max"] = json!([1.0, highest, 1.0]);
    let document = json!({
        "asset": {"version": "2.0"},
        "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{
            "attributes": {"POSITION": 0, "NORMAL": 1, "TEXCOORD_0": 2}, "indices": 3, "material": 0,
        }]}],
        "materials": [{
            "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}, "metallicRoughnessTexture": {"index": 1}},
            "occlusionTexture": {"index": 2}, "emissiveTexture": {"index": 3},
        }],
        "textures": [{"source": 0}, {"source": 1}, {"source": 2}, {"source": 3}],
        "images": (4..8).map(|view| json!({"bufferView": view, "mimeType": "image/png"})).collect::<Vec<_>>(),
        "accessors": accessors, "bufferViews": views, "buffers": [{"byteLength": bin.len()}],
    });
    let mut text = document.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut bytes = b"glTF\x02\0\0\0".to_vec();
    bytes.extend(((28 + text.len() + bin.len()) as u32).to_le_bytes());
    for (kind, data) in [(b"JSON", &text), (b"BIN\0", &bin)] {
        bytes.extend((data.len() as u32).to_le_bytes());
        bytes.extend(kind);
        bytes.extend(data);
    }
    fs::write(&path, bytes)?;
    Ok(path)
}

/// A picture that compresses about as well as a painted texture: smooth, with a little noise.
fn png(seed: u32) -> Outcome<Vec<u8>> {
    let mut state = seed + 1;
    let mut noise = move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 29) as f32
    };
    let mut pixels = Vec::new();
    for y in 0..IMAGE_SIDE {
        for x in 0..IMAGE_SIDE {
            let (u, v) = (x as f32 / 128.0, y as f32 / 128.0);
            let wave = |shift: f32| 127.0 + 110.0 * (u + shift).sin() * (v * 0.7 + shift).cos();
            pixels.extend([0.0, 2.0, 4.0].map(|shift| (wave(shift) + noise()) as u8));
        }
    }
    let mut png = Vec::new();
    PngEncoder::new(&mut png).write_image(
        &pixels,
        IMAGE_SIDE,
        IMAGE_SIDE,
        ExtendedColorType::Rgb8,
    )?;
    Ok(png)
}
