//! Buffers that hold what compressed views say uncompressed, and must hold nothing else (`EXT_meshopt_compression`,
//! "Fallback buffers"); and views and buffers with both names of that compression (`KHR_meshopt_compression`,
//! "Exclusions").

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
    if NAMES.iter().all(|name| used.contains(name)) {
        for section in [Section::BufferViews, Section::Buffers] {
            check_names(document, section, report);
        }
    }
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

/// Finds views or buffers with both names: nothing tells which of them counts.
fn check_names(document: &Document<'_>, section: Section, report: &mut Report<'_>) {
    let at = &Pointer::Root.key(section.name());
    for (index, object) in objects(document, section).enumerate() {
        let extensions = object.object("extensions");
        if NAMES.iter().all(|name| extensions.has(name)) {
            let message = format!(
                "it has both {}, and may have one alone",
                NAMES.join(" and ")
            );
            let at = &at.item(index);
            report.error("ONE_OF_MISMATCH", &at.key("extensions"), message);
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
