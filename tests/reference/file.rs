//! glTF files as JSON values and decoded accessors: GLB or text, data URIs, neighbouring files.

use std::path::Path;

use base64::Engine as _;
use serde_json::Value;

pub struct File {
    pub json: Value,
    buffers: Vec<Result<Vec<u8>, String>>,
}

/// What is missing where an extension or an application is meant to put a buffer's data: legal, but nothing to compare.
pub const PLACEHOLDER: &str = "a buffer without data";

/// An accessor's elements one after the other, `width` numbers each.
#[derive(Clone, Default)]
pub struct Elements {
    pub width: usize,
    pub values: Vec<f64>,
}

impl Elements {
    pub fn len(&self) -> usize {
        self.values.len() / self.width
    }

    pub fn get(&self, i: usize) -> &[f64] {
        &self.values[i * self.width..(i + 1) * self.width]
    }

    pub fn vec3(&self) -> Result<Vec<[f64; 3]>, String> {
        if self.width != 3 {
            return Err(format!("{} components where 3 are asked for", self.width));
        }
        Ok(self
            .values
            .chunks_exact(3)
            .map(|c| [c[0], c[1], c[2]])
            .collect())
    }
}

/// An index or count; JSON may write an integer as `1.0`.
pub fn int(value: &Value) -> Option<usize> {
    value
        .as_f64()
        .filter(|x| *x >= 0.0 && x.fract() == 0.0)
        .map(|x| x as usize)
}

pub fn array(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

pub fn numbers(value: &Value) -> Option<Vec<f64>> {
    value.as_array()?.iter().map(Value::as_f64).collect()
}

impl File {
    pub fn open(path: &Path) -> Result<Self, String> {
        let bytes = std::fs::read(path).map_err(|e| e.to_string())?;
        let (text, bin) = if bytes.starts_with(b"glTF") {
            chunks(&bytes)?
        } else {
            (bytes.as_slice(), None)
        };
        let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
        let json: Value = serde_json::from_slice(text).map_err(|e| e.to_string())?;
        Ok(Self::from_json(
            json,
            bin,
            path.parent().unwrap_or(Path::new(".")),
        ))
    }

    /// A file of JSON alone, or with the GLB's BIN chunk.
    pub fn from_json(json: Value, bin: Option<&[u8]>, folder: &Path) -> Self {
        let buffers = array(&json["buffers"]).iter().enumerate();
        let buffers = buffers
            .map(|(i, buffer)| match buffer["uri"].as_str() {
                Some(uri) => resource(uri, folder),
                None => (bin.filter(|_| i == 0).map(<[u8]>::to_vec))
                    .ok_or_else(|| PLACEHOLDER.to_owned()),
            })
            .collect();
        Self { json, buffers }
    }

    /// `count` elements of `width` components from a buffer view; zeros when there is none (glTF 2.0 §3.6.2.4).
    fn read(
        &self,
        place: &Value,
        component: u64,
        kind: Kind,
        count: usize,
    ) -> Result<Vec<f64>, String> {
        let Some(view) = int(&place["bufferView"]) else {
            return Ok(vec![0.0; count * kind.width()]);
        };
        let view = &self.json["bufferViews"][view];
        let buffer = int(&view["buffer"])
            .and_then(|b| self.buffers.get(b))
            .ok_or("no such buffer")?;
        let buffer = buffer.as_ref().map_err(Clone::clone)?;
        let start = int(&view["byteOffset"]).unwrap_or(0);
        let end = start + int(&view["byteLength"]).ok_or("buffer view without length")?;
        let bytes = buffer
            .get(start..end)
            .ok_or("buffer view outside its buffer")?;
        let size = component_size(component)?;
        // Matrix columns start at multiples of four bytes.
        let column = if kind.columns > 1 {
            (kind.rows * size).next_multiple_of(4)
        } else {
            kind.rows * size
        };
        let stride = int(&view["byteStride"]).unwrap_or(column * kind.columns);
        let offset = int(&place["byteOffset"]).unwrap_or(0);
        let mut values = Vec::with_capacity(count * kind.width());
        for element in 0..count {
            for c in 0..kind.width() {
                let at = offset + element * stride + c / kind.rows * column + c % kind.rows * size;
                values.push(component_at(
                    bytes
                        .get(at..at + size)
                        .ok_or("accessor outside its view")?,
                    component,
                ));
            }
        }
        Ok(values)
    }

    pub fn accessor(&self, index: usize) -> Result<Elements, String> {
        let accessor = self.json["accessors"]
            .get(index)
            .ok_or("no such accessor")?;
        let component = accessor["componentType"]
            .as_u64()
            .ok_or("accessor without component type")?;
        let kind =
            Kind::named(accessor["type"].as_str().unwrap_or("")).ok_or("accessor without type")?;
        let count = int(&accessor["count"])
            .filter(|n| *n > 0)
            .ok_or("accessor without elements")?;
        let mut values = self.read(accessor, component, kind, count)?;
        if let Some(sparse) = accessor["sparse"].as_object() {
            let n = int(&sparse["count"]).ok_or("sparse accessor without count")?;
            let index_type = sparse["indices"]["componentType"]
                .as_u64()
                .ok_or("sparse indices without type")?;
            let scalar = Kind {
                columns: 1,
                rows: 1,
            };
            let indices = self.read(&sparse["indices"], index_type, scalar, n)?;
            let replaced = self.read(&sparse["values"], component, kind, n)?;
            for (i, new) in indices.iter().zip(replaced.chunks_exact(kind.width())) {
                let at = *i as usize * kind.width();
                values
                    .get_mut(at..at + kind.width())
                    .ok_or("sparse index out of range")?
                    .copy_from_slice(new);
            }
        }
        if accessor["normalized"].as_bool() == Some(true) {
            // glTF 2.0 §3.11, equations of the integer to float conversion.
            let (scale, least) = match component {
                5120 => (127.0, -1.0),
                5121 => (255.0, 0.0),
                5122 => (32767.0, -1.0),
                5123 => (65535.0, 0.0),
                _ => (1.0, f64::MIN),
            };
            values.iter_mut().for_each(|v| *v = (*v / scale).max(least));
        }
        Ok(Elements {
            width: kind.width(),
            values,
        })
    }
}

#[derive(Clone, Copy)]
struct Kind {
    columns: usize,
    rows: usize,
}

impl Kind {
    fn named(name: &str) -> Option<Self> {
        let (columns, rows) = match name {
            "SCALAR" => (1, 1),
            "VEC2" => (1, 2),
            "VEC3" => (1, 3),
            "VEC4" => (1, 4),
            "MAT2" => (2, 2),
            "MAT3" => (3, 3),
            "MAT4" => (4, 4),
            _ => return None,
        };
        Some(Self { columns, rows })
    }

    fn width(self) -> usize {
        self.columns * self.rows
    }
}

fn component_size(component: u64) -> Result<usize, String> {
    match component {
        5120 | 5121 => Ok(1),
        5122 | 5123 => Ok(2),
        5125 | 5126 => Ok(4),
        other => Err(format!("component type {other}")),
    }
}

fn component_at(b: &[u8], component: u64) -> f64 {
    match component {
        5120 => f64::from(b[0] as i8),
        5121 => f64::from(b[0]),
        5122 => f64::from(i16::from_le_bytes([b[0], b[1]])),
        5123 => f64::from(u16::from_le_bytes([b[0], b[1]])),
        5125 => f64::from(u32::from_le_bytes([b[0], b[1], b[2], b[3]])),
        _ => f64::from(f32::from_le_bytes([b[0], b[1], b[2], b[3]])),
    }
}

/// The JSON chunk and the first BIN chunk of a GLB (glTF 2.0 §4.4).
fn chunks(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), String> {
    let u32_at = |at: usize| {
        bytes
            .get(at..at + 4)
            .map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
    };
    let (mut json, mut bin, mut at) = (None, None, 12);
    while let (Some(length), Some(kind)) = (u32_at(at), u32_at(at + 4)) {
        let data = bytes
            .get(at + 8..at + 8 + length as usize)
            .ok_or("chunk outside the file")?;
        match kind {
            0x4E4F_534A => json = json.or(Some(data)),
            0x004E_4942 => bin = bin.or(Some(data)),
            _ => {}
        }
        at += 8 + length as usize;
    }
    Ok((json.ok_or("GLB without JSON")?, bin))
}

fn resource(uri: &str, folder: &Path) -> Result<Vec<u8>, String> {
    if let Some(data) = uri.strip_prefix("data:") {
        let (_, text) = data
            .split_once(";base64,")
            .ok_or("data URI without base64")?;
        let engine = base64::engine::general_purpose::STANDARD_NO_PAD;
        return engine
            .decode(text.trim_end_matches('='))
            .map_err(|e| e.to_string());
    }
    std::fs::read(folder.join(percent_decoded(uri))).map_err(|e| format!("{uri}: {e}"))
}

fn percent_decoded(uri: &str) -> String {
    let (bytes, mut out, mut i) = (uri.as_bytes(), Vec::new(), 0);
    while i < bytes.len() {
        let code = uri
            .get(i + 1..i + 3)
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match (bytes[i], code) {
            (b'%', Some(code)) => {
                out.push(code);
                i += 3;
            }
            (byte, _) => {
                out.push(byte);
                i += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}
