//! What a file refers to that is not there: an object that is added must not become what a damaged file named in vain.

use serde_json::{Map, Value};

/// References of a file to buffers, views and accessors, whichever object or extension makes them.
#[derive(Debug, Default)]
pub(super) struct References {
    /// Lists, and indices in them.
    found: Vec<(&'static str, u64)>,
    /// How far into the first buffer anything reaches, in bytes.
    first_buffer_bytes: u64,
}

impl References {
    /// Looks through an object that stands under `key`.
    pub(super) fn look_through(&mut self, key: &str, value: &Value) {
        match value {
            Value::Array(list) => list.iter().for_each(|it| self.look_through(key, it)),
            Value::Object(members) => self.look_through_members(key, members),
            _ => {}
        }
    }

    fn look_through_members(&mut self, key: &str, members: &Map<String, Value>) {
        let number = |key: &str| members.get(key).and_then(whole);
        if number("buffer") == Some(0) {
            let [start, length] = ["byteOffset", "byteLength"].map(|key| number(key).unwrap_or(0));
            let end = start.saturating_add(length);
            self.first_buffer_bytes = self.first_buffer_bytes.max(end);
        }
        for (name, member) in members {
            let list = match name.as_str() {
                // What applications say for themselves is no reference.
                "extras" => continue,
                // Numbers within the compressed data.
                "attributes" if key == "KHR_draco_mesh_compression" => continue,
                "buffer" => Some("buffers"),
                "bufferView" => Some("bufferViews"),
                "accessor" | "indices" | "input" | "inverseBindMatrices" | "output" => {
                    Some("accessors")
                }
                _ if matches!(key, "attributes" | "targets") => Some("accessors"),
                _ => None,
            };
            match (list, whole(member)) {
                (Some(list), Some(index)) => self.found.push((list, index)),
                _ => self.look_through(name, member),
            }
        }
    }

    /// Forgets references to what is there: the first `count` of a list.
    pub(super) fn forget_met(&mut self, list: &str, count: usize) {
        self.found
            .retain(|&(of, index)| of != list || index >= count as u64);
    }

    /// A reference to one of the first `count` of a list, unless it was forgotten.
    pub(super) fn within(&self, list: &str, count: usize) -> Option<u64> {
        let mut found = self.found.iter();
        let found = found.find(|&&(of, index)| of == list && index < count as u64);
        found.map(|&(_, index)| index)
    }

    /// How far into the first buffer anything reaches, in bytes.
    pub(super) fn first_buffer_bytes(&self) -> u64 {
        self.first_buffer_bytes
    }
}

/// A number that can be an index, however it is written.
pub(super) fn whole(value: &Value) -> Option<u64> {
    let written_as_real = || {
        let number = value.as_f64()?;
        (number.fract() == 0.0 && (0.0..1e15).contains(&number)).then_some(number as u64)
    };
    value.as_u64().or_else(written_as_real)
}
