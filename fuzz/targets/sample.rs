//! Clips with any keys, sampled at any times.

#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};

#[derive(Debug, Arbitrary)]
struct Input {
    channels: Vec<Channel>,
    /// The parent of each node, before it.
    parents: [u8; 6],
    rest: [f32; 10],
    times_secs: Vec<f64>,
}

#[derive(Debug, Arbitrary)]
struct Channel {
    node: u8,
    path: u8,
    interpolation: u8,
    times: Vec<f32>,
    values: Vec<f32>,
    /// Whether times are put in order, as they should be.
    is_sorted: bool,
}

const PATHS: [(&str, &str, usize); 4] = [
    ("translation", "VEC3", 3),
    ("rotation", "VEC4", 4),
    ("scale", "VEC3", 3),
    ("weights", "SCALAR", 2),
];

#[derive(Default)]
struct File {
    bin: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl File {
    fn floats(&mut self, shape: &str, width: usize, values: impl Iterator<Item = f32>) -> usize {
        let offset = self.bin.len();
        self.bin.extend(values.flat_map(f32::to_le_bytes));
        let length = self.bin.len() - offset;
        let view = self.views.len();
        self.views
            .push(json!({"buffer": 0, "byteOffset": offset, "byteLength": length}));
        let count = length / 4 / width;
        self.accessors.push(
            json!({"bufferView": view, "componentType": 5126, "type": shape, "count": count}),
        );
        self.accessors.len() - 1
    }
}

fuzz_target!(|input: Input| {
    let mut file = File::default();
    let triangle = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let positions = file.floats("VEC3", 3, triangle.into_iter());
    let (mut samplers, mut channels) = (Vec::new(), Vec::new());
    for channel in &input.channels {
        let (path, shape, width) = PATHS[usize::from(channel.path) % PATHS.len()];
        let interpolation =
            ["LINEAR", "STEP", "CUBICSPLINE"][usize::from(channel.interpolation) % 3];
        let mut times = channel.times.clone();
        if channel.is_sorted {
            times.sort_by(f32::total_cmp);
        }
        let per_key = if interpolation == "CUBICSPLINE" {
            3 * width
        } else {
            width
        };
        // As many values as it takes, the same again and again; now and then one more or less.
        let count = (per_key * times.len() + usize::from(channel.node >> 6)).saturating_sub(1);
        let values = channel
            .values
            .iter()
            .copied()
            .chain([0.0])
            .cycle()
            .take(count);
        let component_count = if shape == "SCALAR" { 1 } else { width };
        let output = file.floats(shape, component_count, values);
        let input = file.floats("SCALAR", 1, times.into_iter());
        channels.push(
            json!({"sampler": samplers.len(), "target": {"node": channel.node & 7, "path": path}}),
        );
        samplers.push(json!({"input": input, "output": output, "interpolation": interpolation}));
    }
    let [x, y, z, ..] = input.rest;
    let rotation: Vec<f32> = input.rest[3..7].to_vec();
    let scale: Vec<f32> = input.rest[7..].to_vec();
    let mut nodes = vec![
        json!({"mesh": 0, "skin": 0, "translation": [x, y, z], "rotation": rotation, "scale": scale}),
    ];
    nodes.extend((0..6).map(|_| json!({"mesh": 1})));
    for (index, &parent) in input.parents.iter().enumerate() {
        let parent = &mut nodes[usize::from(parent) % (index + 1)];
        let mut children = parent["children"].as_array().cloned().unwrap_or_default();
        children.push((index + 1).into());
        parent["children"] = children.into();
    }
    let target = json!([{"POSITION": positions}, {"POSITION": positions}]);
    let document = json!({
        "asset": {"version": "2.0"},
        "buffers": [{"byteLength": file.bin.len()}],
        "bufferViews": file.views,
        "accessors": file.accessors,
        "meshes": [
            {"primitives": [{"attributes": {"POSITION": positions}}]},
            {"primitives": [{"attributes": {"POSITION": positions}, "targets": target}]},
        ],
        "skins": [{"joints": [0, 1, 2]}],
        "nodes": nodes,
        "animations": [{"samplers": samplers, "channels": channels}],
        "scenes": [{"nodes": [0]}],
    });
    if let Some(model) = rigscope::load(&rigscope::glb(&document, &file.bin)) {
        rigscope::play(&model, &input.times_secs);
    }
});
