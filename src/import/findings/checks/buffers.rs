//! Buffers, views and accessors: offsets, strides and alignment (glTF 2.0 §3.6.2.4).

use gltf::json::accessor::ComponentType::{F32, U32};

use crate::import::{
    base::{
        diagnostics::Severity,
        wording::{counted, shorten},
    },
    files::sandbox::DataUri,
    json::document::{Document, Section},
    numbers::components::rows_of,
};

use super::{
    Report,
    facts::{AccessorFacts, ELEMENT_ARRAY_BUFFER, Facts, ViewFacts, objects},
    fields::{Fields, Pointer},
};

pub(super) fn check(document: &Document<'_>, facts: &Facts<'_>, report: &mut Report<'_>) {
    let root = Pointer::Root;
    let buffers = &root.key(Section::Buffers.name());
    let mut lengths = Vec::new();
    for (index, buffer) in objects(document, Section::Buffers).enumerate() {
        check_buffer(&buffer, &buffers.item(index), report);
        lengths.push(buffer.integer("byteLength").unwrap_or(u64::MAX));
    }
    let views = &root.key(Section::BufferViews.name());
    for (index, view) in facts.views().enumerate() {
        check_view(&view, &lengths, &views.item(index), report);
    }
    let accessors = &root.key(Section::Accessors.name());
    for (index, accessor) in facts.accessors().enumerate() {
        check_accessor(index, &accessor, facts, &accessors.item(index), report);
    }
}

fn check_buffer(buffer: &Fields<'_>, at: &Pointer<'_>, report: &mut Report<'_>) {
    const ALLOWED: [&str; 2] = ["application/octet-stream", "application/gltf-buffer"];
    let Some(uri) = buffer.text("uri") else {
        return;
    };
    let at = &at.key("uri");
    let data = report.uri(&uri, at);
    let Some(data) = data.filter(|data| !data.lacks_media_type()) else {
        return;
    };
    let media = data.media_type();
    if !ALLOWED.contains(&&*media) {
        let media = shorten(&media);
        let message = format!("the media type {media} is not one of {ALLOWED:?}");
        report.error("BUFFER_DATA_URI_MIME_TYPE_INVALID", at, message);
    }
}

impl Report<'_> {
    /// Says what breaks the rules of URIs; gives the parts of a `data:` URI.
    pub(super) fn uri<'u>(&mut self, uri: &'u str, at: &Pointer<'_>) -> Option<DataUri<'u>> {
        const CODE: &str = "INVALID_URI";
        match DataUri::of(uri) {
            None => {
                // On some systems they part folders, and some exporters leave them in.
                if uri.contains('\\') {
                    let message = "backslashes do not part folders (RFC 3986 §3.3)";
                    self.error(CODE, at, message);
                }
                None
            }
            Some(Err(message)) => {
                self.error(CODE, at, message);
                None
            }
            Some(Ok(data)) => {
                if self.is_glb {
                    let message = "the data could be in the binary chunk, and take less there";
                    self.add(Severity::Hint, "DATA_URI_GLB", at, message);
                }
                if let Some(message) = data.complaint() {
                    self.error(CODE, at, message);
                } else if data.lacks_padding() {
                    // The validator adds it without a word.
                    let message = "the base64 text is not padded as it must be";
                    self.add(Severity::Warning, CODE, at, message);
                }
                Some(data)
            }
        }
    }
}

fn check_view(view: &ViewFacts, lengths: &[u64], at: &Pointer<'_>, report: &mut Report<'_>) {
    // The view itself may never be read where its data are compressed, so its buffer is checked here.
    report.reference(view.buffer, "buffers", lengths.len(), &at.key("buffer"));
    let available = view.buffer.and_then(|buffer| lengths.get(buffer).copied());
    let end = view.offset.saturating_add(view.length);
    if let Some(available) = available
        && end > available
    {
        let message = format!("it ends at byte {end} of a buffer of {available}");
        report.error("BUFFER_VIEW_TOO_LONG", &at.key("byteLength"), message);
    }
    let Some(stride) = view.stride else {
        return;
    };
    let at = &at.key("byteStride");
    if stride > view.length {
        let length = view.length;
        let stride = counted(stride, "byte", "bytes");
        let message = format!("the stride of {stride} is longer than the view, {length}");
        report.error("BUFFER_VIEW_TOO_BIG_BYTE_STRIDE", at, message);
    }
    if view.target == Some(ELEMENT_ARRAY_BUFFER) {
        let message = "only vertex attributes may have a stride, and this is for indices";
        report.error("BUFFER_VIEW_INVALID_BYTE_STRIDE", at, message);
    }
}

fn check_accessor(
    index: usize,
    found: &AccessorFacts,
    facts: &Facts<'_>,
    at: &Pointer<'_>,
    report: &mut Report<'_>,
) {
    if found.normalized && matches!(found.component, Some(F32 | U32)) {
        let message = "only integers of 8 and 16 bits can be normalised";
        report.error(
            "ACCESSOR_NORMALIZED_INVALID",
            &at.key("normalized"),
            message,
        );
    }
    if found.view.is_none() && found.offset.is_some() {
        let message = "there is an offset and no bufferView that it could be in";
        report.error("UNSATISFIED_DEPENDENCY", &at.key("byteOffset"), message);
    }
    let offset = found.offset.unwrap_or(0);
    let size = found.component_size();
    let Some(view) = facts.view_of(found).filter(|_| size > 0) else {
        return;
    };
    check_offset(offset, size, &view, at, report);
    let here = &at.key("byteOffset");
    if found.shape.and_then(rows_of).is_some() && !offset.is_multiple_of(4) {
        let message = "matrices must start at a multiple of 4 bytes";
        report.error("ACCESSOR_MATRIX_ALIGNMENT", here, message);
    }
    check_extent(index, found, &view, at, report);
}

/// Whether components of `size` bytes lie at multiples of it; `at` has the `byteOffset`.
pub(super) fn check_offset(
    offset: u64,
    size: u64,
    view: &ViewFacts,
    at: &Pointer<'_>,
    report: &mut Report<'_>,
) {
    if !offset.is_multiple_of(size) {
        let message = format!("{offset} is no multiple of the component's {size} bytes");
        report.error("ACCESSOR_OFFSET_ALIGNMENT", &at.key("byteOffset"), message);
    }
    if !offset.saturating_add(view.offset).is_multiple_of(size) {
        let message = format!(
            "its offset and that of the view, {}, make no multiple of the component's {size} bytes",
            view.offset
        );
        report.error("ACCESSOR_TOTAL_OFFSET_ALIGNMENT", at, message);
    }
}

/// What the loader has complained of where it was asked for is not said again.
fn check_extent(
    index: usize,
    found: &AccessorFacts,
    view: &ViewFacts,
    at: &Pointer<'_>,
    report: &mut Report<'_>,
) {
    // A view whose length cannot be read has been reported.
    if view.length == 0 {
        return;
    }
    let element = found.element_size();
    let stride = view.stride.unwrap_or(element);
    let mut say = |code: &'static str, at: &Pointer<'_>, message: String| {
        if !report
            .diagnostics
            .mentions(code, &format!("accessor {index}:"))
        {
            report.error(code, at, message);
        }
    };
    if stride < element {
        let message = format!("its elements of {element} bytes do not fit a stride of {stride}");
        say("ACCESSOR_SMALL_BYTESTRIDE", at, message);
        return;
    }
    // Of none, that alone is wrong.
    let Some(last) = found.count.checked_sub(1) else {
        return;
    };
    let last = last.saturating_mul(stride);
    let end = last
        .saturating_add(found.used_size())
        .saturating_add(found.offset.unwrap_or(0));
    if end > view.length {
        let message = format!("it ends at byte {end} of a view of {}", view.length);
        say("ACCESSOR_TOO_LONG", &at.key("byteOffset"), message);
    }
}
