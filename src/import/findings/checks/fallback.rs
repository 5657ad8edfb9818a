//! Buffers that hold what compressed views say uncompressed, and must hold nothing else (`EXT_meshopt_compression`,
//! "Fallback buffers").

use std::collections::HashSet;

use crate::import::{
    base::extension,
    json::document::{Document, Section},
};

use super::{
    Report,
    facts::objects,
    fields::{Fields, Pointer},
};

const NAMES: [&str; 2] = [
    extension::KHR_MESHOPT_COMPRESSION,
    extension::EXT_MESHOPT_COMPRESSION,
];
const CODE: &str = "BUFFER_FALLBACK_MISUSED";

pub(super) fn check(document: &Document<'_>, used: &HashSet<&str>, report: &mut Report<'_>) {
    for name in NAMES.into_iter().filter(|name| used.contains(name)) {
        let is_fallback = |buffer: Fields<'_>| {
            let extension = buffer.extension(name);
            extension.is_some_and(|it| it.get("fallback") == Some("true"))
        };
        let are_fallback = objects(document, Section::Buffers).map(is_fallback);
        let are_fallback: Vec<bool> = are_fallback.collect();
        if are_fallback.contains(&true) {
            check_views(document, name, &are_fallback, report);
        }
    }
}

fn check_views(
    document: &Document<'_>,
    name: &'static str,
    are_fallback: &[bool],
    report: &mut Report<'_>,
) {
    let is_fallback = |object: &Fields<'_>| {
        let buffer = object.index("buffer");
        buffer.and_then(|buffer| are_fallback.get(buffer)) == Some(&true)
    };
    let at = &Pointer::Root.key(Section::BufferViews.name());
    for (index, view) in objects(document, Section::BufferViews).enumerate() {
        let at = &at.item(index);
        match view.extension(name) {
            None if is_fallback(&view) => {
                let message = "the buffer is said to be a fallback, and the view is not compressed";
                report.error(CODE, &at.key("buffer"), message);
            }
            Some(compressed) if is_fallback(&compressed) => {
                let at = &at.key("extensions");
                let at = &at.key(name);
                let message = "compressed data lie in a buffer that is said to be a fallback";
                report.error(CODE, &at.key("buffer"), message);
            }
            _ => {}
        }
    }
}
