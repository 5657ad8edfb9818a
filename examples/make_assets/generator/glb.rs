//! Writes a binary glTF 2.0 file: JSON on one side, one buffer on the other.

use serde_json::{Map, Value, json};

/// What a buffer view is for (glTF 2.0 §5.11.5); views for animation and skins have none.
#[derive(Clone, Copy)]
pub enum Target {
    /// Vertex attributes.
    Attributes = 34962,
    /// Triangle indices.
    Indices = 34963,
}

/// `FLOAT`, `UNSIGNED_BYTE` and `UNSIGNED_SHORT` of glTF 2.0 §3.6.2.2.
const FLOAT: u32 = 5126;
const UNSIGNED_BYTE: u32 = 5121;
const UNSIGNED_SHORT: u32 = 5123;

/// A glTF document under construction. The top-level arrays are filled by name, so a part can be added in any order.
#[derive(Default)]
pub struct Glb {
    root: Map<String, Value>,
    buffer: Vec<u8>,
    /// All key times and values share one view: hundreds of short tracks would double the size of the JSON.
    tracks: Vec<u8>,
}

impl Glb {
    /// Appends to a top-level array ("nodes", "meshes", ...) and returns the index.
    pub fn push(&mut self, array: &str, value: Value) -> usize {
        let entry = self.root.entry(array).or_insert_with(|| json!([]));
        let Value::Array(items) = entry else {
            unreachable!("{array} is an array")
        };
        items.push(value);
        items.len() - 1
    }

    /// Sets a top-level property that is no array.
    pub fn set(&mut self, key: &str, value: Value) {
        self.root.insert(key.into(), value);
    }

    fn view(&mut self, bytes: &[u8], target: Option<Target>) -> usize {
        self.buffer.resize(self.buffer.len().next_multiple_of(4), 0);
        let mut view =
            json!({ "buffer": 0, "byteOffset": self.buffer.len(), "byteLength": bytes.len() });
        if let Some(target) = target {
            view["target"] = json!(target as u32);
        }
        self.buffer.extend_from_slice(bytes);
        self.push("bufferViews", view)
    }

    /// A vertex attribute of three floats; positions carry the bounds that glTF 2.0 §3.7.2.1 demands.
    pub fn vec3s(&mut self, values: &[[f32; 3]], bounds: bool) -> usize {
        let view = self.view(
            &float_bytes(values.as_flattened()),
            Some(Target::Attributes),
        );
        let mut accessor = json!({ "bufferView": view, "componentType": FLOAT, "count": values.len(), "type": "VEC3" });
        if bounds {
            set_bounds(&mut accessor, values.as_flattened(), 3);
        }
        self.push("accessors", accessor)
    }

    /// Three floats per vertex that are mostly zero: a sparse accessor over nothing (glTF 2.0 §3.6.2.3) when that is
    /// smaller.
    pub fn sparse_vec3s(&mut self, values: &[[f32; 3]], bounds: bool) -> usize {
        let used: Vec<usize> = (0..values.len())
            .filter(|&i| values[i] != [0.0; 3])
            .collect();
        if used.len() * 14 >= values.len() * 12 {
            return self.vec3s(values, bounds);
        }
        let mut accessor = json!({ "componentType": FLOAT, "count": values.len(), "type": "VEC3" });
        // A sparse accessor must displace at least one element; without any, the accessor is plain zeros.
        if !used.is_empty() {
            let indices: Vec<u8> = used
                .iter()
                .flat_map(|&i| (i as u16).to_le_bytes())
                .collect();
            let displaced: Vec<f32> = used.iter().flat_map(|&i| values[i]).collect();
            let index_view = self.view(&indices, None);
            let value_view = self.view(&float_bytes(&displaced), None);
            accessor["sparse"] = json!({
                "count": used.len(),
                "indices": { "bufferView": index_view, "componentType": UNSIGNED_SHORT },
                "values": { "bufferView": value_view },
            });
        }
        if bounds {
            set_bounds(&mut accessor, values.as_flattened(), 3);
        }
        self.push("accessors", accessor)
    }

    /// A vertex attribute of four bytes: joint indices as they are, weights and colours normalised.
    pub fn bytes4(&mut self, values: &[[u8; 4]], normalized: bool) -> usize {
        let view = self.view(values.as_flattened(), Some(Target::Attributes));
        let mut accessor = json!({ "bufferView": view, "componentType": UNSIGNED_BYTE, "count": values.len(), "type": "VEC4" });
        if normalized {
            accessor["normalized"] = json!(true);
        }
        self.push("accessors", accessor)
    }

    /// Triangle indices, 16 bits each.
    pub fn indices(&mut self, triangles: &[[u16; 3]]) -> usize {
        let bytes: Vec<u8> = triangles
            .as_flattened()
            .iter()
            .flat_map(|i| i.to_le_bytes())
            .collect();
        let view = self.view(&bytes, Some(Target::Indices));
        self.push(
            "accessors",
            json!({ "bufferView": view, "componentType": UNSIGNED_SHORT, "count": triangles.len() * 3, "type": "SCALAR" }),
        )
    }

    /// One inverse bind matrix per joint.
    pub fn matrices(&mut self, values: &[[f32; 16]]) -> usize {
        let view = self.view(&float_bytes(values.as_flattened()), None);
        let accessor = json!({ "bufferView": view, "componentType": FLOAT, "count": values.len(), "type": "MAT4" });
        self.push("accessors", accessor)
    }

    /// Key times, with their bounds (glTF 2.0 §5.8).
    pub fn key_times(&mut self, values: &[f32]) -> usize {
        let mut accessor = self.track(values, "SCALAR", 1);
        set_bounds(&mut accessor, values, 1);
        self.push("accessors", accessor)
    }

    /// Key values; `kind` is the accessor type.
    pub fn key_values(&mut self, values: &[f32], kind: &str) -> usize {
        let width = match kind {
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 1,
        };
        let accessor = self.track(values, kind, width);
        self.push("accessors", accessor)
    }

    /// An accessor into the shared view. The view's index is not known before the end; `finish` fills it in.
    fn track(&mut self, values: &[f32], kind: &str, width: usize) -> Value {
        let offset = self.tracks.len();
        self.tracks.extend(float_bytes(values));
        json!({
            "bufferView": null, "byteOffset": offset,
            "componentType": FLOAT, "count": values.len() / width, "type": kind,
        })
    }

    /// The whole file: header, JSON chunk, binary chunk (glTF 2.0 §4.4).
    pub fn finish(mut self) -> Vec<u8> {
        let tracks = std::mem::take(&mut self.tracks);
        let view = self.view(&tracks, None);
        if let Some(Value::Array(accessors)) = self.root.get_mut("accessors") {
            for accessor in accessors
                .iter_mut()
                .filter(|a| a.get("bufferView").is_some_and(Value::is_null))
            {
                accessor["bufferView"] = json!(view);
            }
        }
        self.buffer.resize(self.buffer.len().next_multiple_of(4), 0);
        self.push("buffers", json!({ "byteLength": self.buffer.len() }));
        let mut text = Value::Object(self.root).to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');

        let length = 12 + 8 + text.len() + 8 + self.buffer.len();
        let mut file = Vec::with_capacity(length);
        for word in [
            0x4654_6C67,
            2,
            length as u32,
            text.len() as u32,
            0x4E4F_534A,
        ] {
            file.extend(word.to_le_bytes());
        }
        file.extend(text);
        for word in [self.buffer.len() as u32, 0x004E_4942] {
            file.extend(word.to_le_bytes());
        }
        file.extend(self.buffer);
        file
    }
}

fn float_bytes(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

fn set_bounds(accessor: &mut Value, values: &[f32], width: usize) {
    let fold = |start: f32, pick: fn(f32, f32) -> f32| -> Vec<f64> {
        (0..width)
            .map(|axis| {
                f64::from(
                    values
                        .iter()
                        .skip(axis)
                        .step_by(width)
                        .copied()
                        .fold(start, pick),
                )
            })
            .collect()
    };
    accessor["min"] = json!(fold(f32::INFINITY, f32::min));
    accessor["max"] = json!(fold(f32::NEG_INFINITY, f32::max));
}
