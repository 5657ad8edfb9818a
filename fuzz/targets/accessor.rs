//! Views and accessors with any numbers in them, in every place that reads some.

#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};

#[derive(Debug, Arbitrary)]
struct Input<'a> {
    views: Vec<View>,
    accessors: Vec<Accessor>,
    /// Which accessor each place reads.
    places: [u8; 20],
    mode: u8,
    is_quantized: bool,
    bytes: &'a [u8],
}

#[derive(Debug, Arbitrary)]
struct View {
    offset: Size,
    length: Size,
    stride: Option<u8>,
}

#[derive(Debug, Arbitrary)]
struct Accessor {
    view: Option<u8>,
    offset: Size,
    count: Size,
    component: u8,
    shape: u8,
    normalized: bool,
    sparse: Option<Sparse>,
}

#[derive(Debug, Arbitrary)]
struct Sparse {
    count: Size,
    indices: (u8, Size, u8),
    values: (u8, Size),
}

/// A size: small ones are likely, and all are possible.
#[derive(Debug, Arbitrary)]
enum Size {
    Byte(u8),
    Short(u16),
    Any(u64),
}

impl Size {
    fn number(&self) -> u64 {
        match *self {
            Self::Byte(number) => number.into(),
            Self::Short(number) => number.into(),
            Self::Any(number) => number,
        }
    }
}

const SHAPES: [&str; 7] = ["SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4"];

fn component(code: u8) -> u32 {
    5120 + u32::from(code % 7)
}

fn accessor(accessor: &Accessor) -> Value {
    let mut object = json!({
        "byteOffset": accessor.offset.number(),
        "count": accessor.count.number(),
        "componentType": component(accessor.component),
        "type": SHAPES[usize::from(accessor.shape) % SHAPES.len()],
        "normalized": accessor.normalized,
    });
    if let Some(view) = accessor.view {
        object["bufferView"] = view.into();
    }
    if let Some(Sparse {
        count,
        indices,
        values,
    }) = &accessor.sparse
    {
        object["sparse"] = json!({
            "count": count.number(),
            "indices": {
                "bufferView": indices.0, "byteOffset": indices.1.number(), "componentType": component(indices.2),
            },
            "values": {"bufferView": values.0, "byteOffset": values.1.number()},
        });
    }
    object
}

fuzz_target!(|input: Input<'_>| {
    let views = input.views.iter().map(|view| {
        let mut object = json!({
            "buffer": 0, "byteOffset": view.offset.number(), "byteLength": view.length.number(),
        });
        if let Some(stride) = view.stride {
            object["byteStride"] = stride.into();
        }
        object
    });
    let count = input.accessors.len().max(1);
    let at = |place: usize| usize::from(input.places[place]) % count;
    let mut document = json!({
        "asset": {"version": "2.0"},
        "buffers": [{"byteLength": input.bytes.len()}],
        "bufferViews": views.collect::<Vec<_>>(),
        "accessors": input.accessors.iter().map(accessor).collect::<Vec<_>>(),
        "meshes": [{"primitives": [{
            "mode": input.mode % 8,
            "indices": at(0),
            "attributes": {
                "POSITION": at(1), "NORMAL": at(2), "TANGENT": at(3), "TEXCOORD_0": at(4), "TEXCOORD_1": at(5),
                "COLOR_0": at(6), "JOINTS_0": at(7), "WEIGHTS_0": at(8), "JOINTS_1": at(9), "WEIGHTS_1": at(10),
            },
            "targets": [{"POSITION": at(11), "NORMAL": at(12), "TANGENT": at(13)}],
        }, {
            "attributes": {"POSITION": at(1)},
        }]}],
        "nodes": [{"mesh": 0, "skin": 0, "children": [1]}, {}],
        "skins": [{"joints": [0, 1], "inverseBindMatrices": at(14)}],
        "animations": [{
            "samplers": [
                {"input": at(15), "output": at(16), "interpolation": "LINEAR"},
                {"input": at(15), "output": at(17), "interpolation": "CUBICSPLINE"},
                {"input": at(15), "output": at(18), "interpolation": "STEP"},
                {"input": at(15), "output": at(19)},
            ],
            "channels": [
                {"sampler": 0, "target": {"node": 1, "path": "translation"}},
                {"sampler": 1, "target": {"node": 1, "path": "rotation"}},
                {"sampler": 2, "target": {"node": 1, "path": "scale"}},
                {"sampler": 3, "target": {"node": 0, "path": "weights"}},
            ],
        }],
        "scenes": [{"nodes": [0]}],
    });
    if input.is_quantized {
        document["extensionsUsed"] = json!(["KHR_mesh_quantization"]);
    }
    if let Some(model) = rigscope::load(&rigscope::glb(&document, input.bytes)) {
        rigscope::play(&model, &[0.5]);
    }
});
