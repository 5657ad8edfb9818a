//! What a file refers to: an object that is added must not become what a damaged file named in vain, bytes that move must be
//! found, and so must other files.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

/// Extensions by which a view has a range of a buffer more.
pub(super) const COMPRESSIONS: [&str; 2] = ["EXT_meshopt_compression", "KHR_meshopt_compression"];

/// References of a file to buffers, views and accessors, whichever object or extension makes them.
#[derive(Debug, Default)]
pub(super) struct References {
    /// Lists, and indices in them.
    found: Vec<(&'static str, u64)>,
    /// How far into each buffer anything reaches, in bytes.
    ends: BTreeMap<u64, u64>,
    /// Whether other objects than views may name buffers.
    may_name_buffers_elsewhere: bool,
    /// Relative URIs that extensions name.
    files: BTreeSet<String>,
}

impl References {
    /// Looks through an object that stands under `key`.
    pub(super) fn look_through(&mut self, key: &str, value: &Value) {
        self.visit(key, value, false);
    }

    /// [`Self::look_through`] of what may be part of an extension.
    fn visit(&mut self, key: &str, value: &Value, is_extension: bool) {
        match value {
            Value::Array(list) => list.iter().for_each(|it| self.visit(key, it, is_extension)),
            Value::Object(members) => {
                self.visit_members(key, members, is_extension || key == "extensions");
            }
            Value::String(text) => self.may_name_buffers_elsewhere |= text.starts_with("/buffers/"),
            _ => {}
        }
    }

    fn visit_members(&mut self, key: &str, members: &Map<String, Value>, is_extension: bool) {
        let is_view = COMPRESSIONS.contains(&key) || (key == "bufferViews" && !is_extension);
        let number = |key: &str| members.get(key).and_then(whole);
        if let Some(buffer) = number("buffer") {
            let [start, length] = ["byteOffset", "byteLength"].map(|key| number(key).unwrap_or(0));
            let end = start.saturating_add(length);
            let known = self.ends.entry(buffer).or_default();
            *known = end.max(*known);
        }
        for (name, member) in members {
            if may_name_buffers(name) && !(is_view && name == "buffer") {
                self.may_name_buffers_elsewhere = true;
            }
            if let Value::String(uri) = member
                && is_extension
                && name == "uri"
                && is_relative(uri)
            {
                self.files.insert(uri.clone());
            }
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
                _ => self.visit(name, member, is_extension),
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

    /// How far into a buffer anything reaches, in bytes.
    pub(super) fn end_in_buffer(&self, buffer: u64) -> u64 {
        self.ends.get(&buffer).copied().unwrap_or(0)
    }

    /// Whether other objects than views, and the compressed data beside these, may name buffers.
    pub(super) fn may_name_buffers_elsewhere(&self) -> bool {
        self.may_name_buffers_elsewhere
    }

    /// The relative URIs that extensions name.
    pub(super) fn files(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(String::as_str)
    }
}

/// Whether a member of this name may hold the index of a buffer, in extensions of which nothing is known.
fn may_name_buffers(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.contains("buffer") && !name.contains("bufferview")
}

/// Whether a URI is relative to the file that names it (RFC 3986 §4.2), and no path from the root.
fn is_relative(uri: &str) -> bool {
    let first = uri.split(['/', '?', '#']).next();
    first.is_some_and(|first| !first.is_empty() && !first.contains(':'))
}

/// A number that can be an index, however it is written.
pub(super) fn whole(value: &Value) -> Option<u64> {
    let written_as_real = || {
        let number = value.as_f64()?;
        (number.fract() == 0.0 && (0.0..1e15).contains(&number)).then_some(number as u64)
    };
    value.as_u64().or_else(written_as_real)
}
