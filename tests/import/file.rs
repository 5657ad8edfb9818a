//! A glTF file under construction: JSON, and a buffer that goes into a data URI.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use rigscope::import::{self, Import, Progress, Severity};
use serde_json::{Value, json};

use super::invariants;

pub(crate) const BYTE: u32 = 5120;
pub(crate) const UNSIGNED_BYTE: u32 = 5121;
pub(crate) const SHORT: u32 = 5122;
pub(crate) const UNSIGNED_SHORT: u32 = 5123;
pub(crate) const UNSIGNED_INT: u32 = 5125;
pub(crate) const FLOAT: u32 = 5126;

pub(crate) struct File {
    pub(crate) json: Value,
    pub(crate) bin: Vec<u8>,
}

impl File {
    /// A file with nothing in it.
    pub(crate) fn empty() -> Self {
        let json = json!({"asset": {"version": "2.0"}});
        Self {
            json,
            bin: Vec::new(),
        }
    }

    /// A node with a mesh of one triangle; its positions are accessor 0.
    pub(crate) fn triangle() -> Self {
        let mut file = Self::empty();
        file.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
        file.json["meshes"] = json!([{"primitives": [{"attributes": {"POSITION": 0}}]}]);
        file.json["nodes"] = json!([{"mesh": 0}]);
        file.json["scenes"] = json!([{"nodes": [0]}]);
        file
    }

    /// A triangle that hangs on two joints: nodes 1 and 2, skin 0.
    pub(crate) fn skinned(joints: &[u8], weights: &[f32]) -> Self {
        let mut file = Self::triangle();
        let joints = file.accessor("VEC4", UNSIGNED_BYTE, 3, joints);
        let weights = file.floats("VEC4", weights);
        let attributes = &mut file.json["meshes"][0]["primitives"][0]["attributes"];
        attributes["JOINTS_0"] = joints.into();
        attributes["WEIGHTS_0"] = weights.into();
        file.json["skins"] = json!([{"joints": [1, 2]}]);
        file.json["nodes"] = json!([{"mesh": 0, "skin": 0}, {"children": [2]}, {}]);
        file.json["scenes"] = json!([{"nodes": [0, 1]}]);
        file
    }

    /// A triangle whose node a clip moves: accessors 1 (times) and 2 (values).
    pub(crate) fn animated(path: &str, kind: &str, times: &[f32], values: &[f32]) -> Self {
        let mut file = Self::triangle();
        file.floats("SCALAR", times);
        file.floats(kind, values);
        file.json["animations"] = json!([{
            "channels": [{"sampler": 0, "target": {"node": 0, "path": path}}],
            "samplers": [{"input": 1, "output": 2}],
        }]);
        file
    }

    fn push(&mut self, list: &str, object: Value) -> usize {
        if self.json[list].is_null() {
            self.json[list] = json!([]);
        }
        let list = self.json[list].as_array_mut().unwrap();
        list.push(object);
        list.len() - 1
    }

    pub(crate) fn view(&mut self, bytes: &[u8]) -> usize {
        while !self.bin.len().is_multiple_of(4) {
            self.bin.push(0);
        }
        let offset = self.bin.len();
        self.bin.extend_from_slice(bytes);
        let view = json!({"buffer": 0, "byteOffset": offset, "byteLength": bytes.len()});
        self.push("bufferViews", view)
    }

    pub(crate) fn accessor(
        &mut self,
        kind: &str,
        component: u32,
        count: usize,
        bytes: &[u8],
    ) -> usize {
        let view = self.view(bytes);
        let accessor =
            json!({"bufferView": view, "componentType": component, "type": kind, "count": count});
        self.push("accessors", accessor)
    }

    pub(crate) fn floats(&mut self, kind: &str, values: &[f32]) -> usize {
        let components = match kind {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            "MAT4" => 16,
            _ => panic!("{kind}"),
        };
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        let index = self.accessor(kind, FLOAT, values.len() / components, &bytes);
        let bound = |of: fn(f32, f32) -> f32| -> Vec<f32> {
            let column = |c| values.iter().copied().skip(c).step_by(components);
            (0..components)
                .filter_map(|c| column(c).reduce(of))
                .collect()
        };
        self.json["accessors"][index]["min"] = bound(f32::min).into();
        self.json["accessors"][index]["max"] = bound(f32::max).into();
        index
    }

    pub(crate) fn shorts(&mut self, values: &[u16]) -> usize {
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        self.accessor("SCALAR", UNSIGNED_SHORT, values.len(), &bytes)
    }

    /// The primitive of the mesh.
    pub(crate) fn primitive(&mut self) -> &mut Value {
        &mut self.json["meshes"][0]["primitives"][0]
    }

    pub(crate) fn to_text(&self) -> String {
        let mut json = self.json.clone();
        if !self.bin.is_empty() {
            let uri = format!(
                "data:application/octet-stream;base64,{}",
                STANDARD.encode(&self.bin)
            );
            json["buffers"] = json!([{"byteLength": self.bin.len(), "uri": uri}]);
        }
        json.to_string()
    }

    pub(crate) fn to_glb(&self) -> Vec<u8> {
        let mut json = self.json.clone();
        json["buffers"] = json!([{"byteLength": self.bin.len()}]);
        let mut text = json.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let mut bin = self.bin.clone();
        bin.resize(bin.len().next_multiple_of(4), 0);
        glb(&[(b"JSON", &text), (b"BIN\0", &bin)])
    }

    #[track_caller]
    pub(crate) fn load(&self) -> Import {
        load(self.to_text().as_bytes())
    }
}

/// A GLB of the given chunks.
pub(crate) fn glb(chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
    let mut bytes = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
    for (kind, data) in chunks {
        bytes.extend_from_slice(&u32::try_from(data.len()).unwrap().to_le_bytes());
        bytes.extend_from_slice(*kind);
        bytes.extend_from_slice(data);
    }
    let length = u32::try_from(bytes.len()).unwrap();
    bytes[8..12].copy_from_slice(&length.to_le_bytes());
    bytes
}

/// What came of a file: a model that is as it must be, or what a user is told. A panic that was caught is neither.
#[track_caller]
pub(crate) fn loaded_or_refused(result: anyhow::Result<Import>) -> Result<Import, String> {
    match result {
        Ok(import) => {
            invariants::check(&import.model);
            Ok(import)
        }
        Err(error) => {
            let error = format!("{error:#}");
            assert!(!error.contains("made a mistake"), "{error}");
            Err(error)
        }
    }
}

#[test]
#[should_panic(expected = "made a mistake")]
fn a_panic_that_was_caught_is_no_refusal() {
    let caught = anyhow::anyhow!("the program made a mistake; please report it");
    let _ = loaded_or_refused(Err(caught));
}

#[track_caller]
pub(crate) fn load(bytes: &[u8]) -> Import {
    let result = import::load_bytes("test", bytes, &Progress::default());
    loaded_or_refused(result).unwrap()
}

/// The error that a file gives.
#[track_caller]
pub(crate) fn refusal(bytes: &[u8]) -> String {
    let result = import::load_bytes("test", bytes, &Progress::default());
    loaded_or_refused(result).unwrap_err()
}

/// Checks that this was found, and at this place.
#[track_caller]
pub(crate) fn assert_found(import: &Import, severity: Severity, code: &str, pointer: &str) {
    let mut diagnostics = import.diagnostics.iter();
    let is_it = diagnostics.any(|diagnostic| {
        (diagnostic.severity, diagnostic.code, &*diagnostic.pointer) == (severity, code, pointer)
    });
    assert!(is_it, "no {code} at {pointer} in {}", listed(import));
}

#[track_caller]
pub(crate) fn assert_error(import: &Import, code: &str, pointer: &str) {
    assert_found(import, Severity::Error, code, pointer);
}

/// Checks that nothing was found.
#[track_caller]
pub(crate) fn assert_clean(import: &Import) {
    assert!(import.diagnostics.is_empty(), "{}", listed(import));
}

/// Checks that nothing was found but what is worth knowing.
#[track_caller]
pub(crate) fn assert_sound(import: &Import) {
    let mut diagnostics = import.diagnostics.iter();
    let is_sound = diagnostics.all(|found| found.severity > Severity::Warning);
    assert!(is_sound, "{}", listed(import));
}

fn listed(import: &Import) -> String {
    let lines = import
        .diagnostics
        .iter()
        .map(|found| format!("\n  {found}"));
    lines.collect()
}

/// A GLB of the corpus with another JSON text.
pub(super) fn changed(file: &[u8], change: impl Fn(&mut Value)) -> Import {
    let length = u32::from_le_bytes(*file[12..].first_chunk().unwrap()) as usize;
    let mut json: Value = serde_json::from_slice(&file[20..20 + length]).unwrap();
    change(&mut json);
    let mut text = json.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let bin = &file[28 + length..];
    load(&glb(&[(b"JSON", &text), (b"BIN\0", bin)]))
}

/// The words of the first finding with this code.
#[track_caller]
pub(crate) fn message<'i>(import: &'i Import, code: &str) -> &'i str {
    let mut found = import.diagnostics.iter();
    &found.find(|found| found.code == code).unwrap().message
}

/// The node, by its index in the file, and the moment in seconds that the first finding with this code is about.
#[track_caller]
pub(crate) fn place(import: &Import, code: &str) -> (Option<usize>, Option<f64>) {
    let mut found = import.diagnostics.iter();
    let place = found.find(|found| found.code == code).unwrap().place;
    (place.node_index, place.time_secs)
}
