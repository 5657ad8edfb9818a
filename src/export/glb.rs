//! A .glb file in the making: bytes, views and accessors on one side, JSON on the other (glTF 2.0 §3.6, §4.4).

use anyhow::Context as _;
use serde_json::{Value, json};

use super::noted::Root;

/// `bufferView.target` of vertex attributes and of indices (glTF 2.0 §5.11.5).
const ARRAY_BUFFER: u32 = 34962;
const ELEMENT_ARRAY_BUFFER: u32 = 34963;
/// `accessor.componentType`s (glTF 2.0 §3.6.2.2).
pub(super) const UNSIGNED_BYTE: u32 = 5121;
const UNSIGNED_SHORT: u32 = 5123;
const UNSIGNED_INT: u32 = 5125;
pub(super) const FLOAT: u32 = 5126;

/// Collects what goes into the binary chunk, and says where it lies.
#[derive(Debug, Default)]
pub(super) struct GlbWriter {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl GlbWriter {
    /// Adds a vertex attribute of `N` floats an element; the index of its accessor. Positions must say their bounds
    /// (glTF 2.0 §3.7.2.1), which costs others nothing.
    pub(super) fn add_floats<const N: usize>(&mut self, elements: &[[f32; N]]) -> usize {
        let (mut least, mut greatest) = ([f32::INFINITY; N], [f32::NEG_INFINITY; N]);
        let start = self.begin();
        self.bytes.reserve(size_of_val(elements));
        for element in elements {
            for (place, &value) in element.iter().enumerate() {
                // What morphing has driven to infinity no reader takes.
                let value = if value.is_finite() { value } else { 0.0 };
                least[place] = least[place].min(value);
                greatest[place] = greatest[place].max(value);
                self.bytes.extend_from_slice(&value.to_le_bytes());
            }
        }
        let view = self.end(start, Some(ARRAY_BUFFER));
        let kind = ["SCALAR", "VEC2", "VEC3", "VEC4"][N - 1];
        self.accessors.push(json!({
            "bufferView": view,
            "componentType": FLOAT,
            "count": elements.len(),
            "type": kind,
            "min": least.as_slice(),
            "max": greatest.as_slice(),
        }));
        self.accessors.len() - 1
    }

    /// Adds indices, in two bytes each where that is enough; the greatest of each size would mean a restart.
    pub(super) fn add_indices(&mut self, indices: &[u32]) -> usize {
        let is_short = indices.iter().all(|&index| index < u32::from(u16::MAX));
        let start = self.begin();
        for &index in indices {
            match u16::try_from(index) {
                Ok(index) if is_short => self.bytes.extend_from_slice(&index.to_le_bytes()),
                _ => self.bytes.extend_from_slice(&index.to_le_bytes()),
            }
        }
        let view = self.end(start, Some(ELEMENT_ARRAY_BUFFER));
        self.accessors.push(json!({
            "bufferView": view,
            "componentType": if is_short { UNSIGNED_SHORT } else { UNSIGNED_INT },
            "count": indices.len(),
            "type": "SCALAR",
        }));
        self.accessors.len() - 1
    }

    /// Adds the bytes of an encoded image; the index of their view.
    pub(super) fn add_file(&mut self, file: &[u8]) -> usize {
        let start = self.begin();
        self.bytes.extend_from_slice(file);
        self.end(start, None)
    }

    /// Everything begins at a multiple of four bytes (glTF 2.0 §3.6.2.4).
    fn begin(&mut self) -> usize {
        let start = self.bytes.len().next_multiple_of(4);
        self.bytes.resize(start, 0);
        start
    }

    fn end(&mut self, start: usize, target: Option<u32>) -> usize {
        let mut view = json!({
            "buffer": 0,
            "byteOffset": start,
            "byteLength": self.bytes.len() - start,
        });
        if let Some(target) = target {
            view["target"] = json!(target);
        }
        self.views.push(view);
        self.views.len() - 1
    }

    /// The file: `root` with buffers, views and accessors added, and the bytes.
    pub(super) fn finish(self, mut root: Root<'_>) -> anyhow::Result<Vec<u8>> {
        let length = self.bytes.len();
        root.insert("buffers", json!([{ "byteLength": length }]).into());
        root.insert("bufferViews", Value::Array(self.views).into());
        root.insert("accessors", Value::Array(self.accessors).into());
        assemble(serde_json::to_vec(&root)?, &self.bytes, &[])
    }
}

/// A file of its JSON text, its binary chunk and others by their kinds; there is no binary chunk without bytes
/// (glTF 2.0 §4.4).
pub(super) fn assemble(
    mut text: Vec<u8>,
    bytes: &[u8],
    others: &[([u8; 4], Vec<u8>)],
) -> anyhow::Result<Vec<u8>> {
    text.resize(text.len().next_multiple_of(4), b' ');
    let bin = (!bytes.is_empty()).then_some((*b"BIN\0", bytes));
    let others = others.iter().map(|(kind, chunk)| (*kind, &**chunk));
    let chunks: Vec<_> = std::iter::once((*b"JSON", &*text))
        .chain(bin)
        .chain(others)
        .collect();
    let sizes = chunks.iter();
    let sizes = sizes.map(|(_, chunk)| 8 + chunk.len().next_multiple_of(4));
    let total = 12 + sizes.sum::<usize>();
    let total = u32::try_from(total).context("a .glb file holds at most 4 GiB")?;
    let mut file = Vec::with_capacity(total as usize);
    file.extend_from_slice(b"glTF");
    for number in [2, total] {
        file.extend_from_slice(&number.to_le_bytes());
    }
    for (kind, chunk) in chunks {
        // No chunk is longer than the file, whose length fits.
        let length = chunk.len().next_multiple_of(4);
        file.extend_from_slice(&(length as u32).to_le_bytes());
        file.extend_from_slice(&kind);
        file.extend_from_slice(chunk);
        file.resize(file.len().next_multiple_of(4), 0);
    }
    Ok(file)
}
