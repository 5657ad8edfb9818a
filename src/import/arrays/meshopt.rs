//! `EXT_meshopt_compression` and `KHR_meshopt_compression`: which views of buffers are compressed, and which buffers
//! hold no more than what is there for those who cannot decode them.

use gltf::json::{self, Index};
use serde::Deserialize;

use crate::import::{
    base::{diagnostics::Diagnostics, extension},
    decode::meshopt::{Filter, Layout, Mode},
    json::{
        document::{Document, Section},
        extensions::ObjectExtensions,
        fields::Fields,
    },
};

/// The extension is the same by both names, but that the second one knows more.
const NAMES: [&str; 2] = [
    extension::KHR_MESHOPT_COMPRESSION,
    extension::EXT_MESHOPT_COMPRESSION,
];

/// Where the compressed data of a view lie, and what they are.
#[derive(Debug, Clone, Copy)]
pub(super) struct CompressedView {
    /// The name of the extension.
    pub extension: &'static str,
    /// The buffer of the compressed data.
    pub buffer: usize,
    /// The first byte in it.
    pub offset: u64,
    /// The number of bytes.
    pub length: u64,
    /// What they are.
    pub layout: Layout,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Object {
    buffer: Index<json::Buffer>,
    #[serde(default)]
    byte_offset: u64,
    byte_length: u64,
    byte_stride: usize,
    count: usize,
    mode: Mode,
    #[serde(default)]
    filter: Filter,
}

/// All compressed views, by their index; empty if the file has none.
pub(super) fn views(
    document: &Document<'_>,
    diagnostics: &mut Diagnostics,
) -> Vec<Option<CompressedView>> {
    let count = document.count(Section::BufferViews);
    if (0..count).all(|index| document.is_plain(Section::BufferViews, index)) {
        return Vec::new();
    }
    let views = (0..count).map(|index| view(document, index, diagnostics));
    let views: Vec<_> = views.collect();
    if views.iter().any(Option::is_some) {
        views
    } else {
        Vec::new()
    }
}

fn view(
    document: &Document<'_>,
    index: usize,
    diagnostics: &mut Diagnostics,
) -> Option<CompressedView> {
    let extensions = ObjectExtensions::of(document.text(Section::BufferViews, index));
    let extension = NAMES.into_iter().find(|name| extensions.has(name))?;
    let text = extensions.text(extension)?;
    let pointer = format_args!("/bufferViews/{index}/extensions/{extension}");
    let action = "the uncompressed data are used, if there are any";
    let object: Object = document.read(text, pointer, action, diagnostics)?;
    let pointer = format_args!("/bufferViews/{index}/extensions/{extension}/buffer");
    let buffer = document.reference(
        Section::Buffers,
        object.buffer,
        pointer,
        action,
        diagnostics,
    )?;
    Some(CompressedView {
        extension,
        buffer,
        offset: object.byte_offset,
        length: object.byte_length,
        layout: Layout {
            count: object.count,
            stride: object.byte_stride,
            mode: object.mode,
            filter: object.filter,
        },
    })
}

/// Whether the uncompressed data of any compressed view are there.
pub(super) fn has_fallback_bytes(
    document: &Document<'_>,
    views: &[Option<CompressedView>],
    has_bin: bool,
) -> bool {
    let count = document.count(Section::Buffers);
    let buffers = (0..count).map(|index| {
        let buffer = Fields::of(document.text(Section::Buffers, index)).unwrap_or_default();
        let uri = buffer.get("uri");
        uri.is_some_and(|uri| uri.starts_with('"')) || (index == 0 && has_bin)
    });
    let has_bytes: Vec<_> = buffers.collect();
    let compressed = (0..).zip(views).filter(|(_, view)| view.is_some());
    let mut parents = compressed.map(|(index, _)| parent_buffer(document, index));
    parents.any(|buffer| buffer.and_then(|buffer| has_bytes.get(buffer)) == Some(&true))
}

/// Which buffers views refer to, or compressed data lie in.
pub(super) fn used_buffers(document: &Document<'_>) -> Vec<bool> {
    let mut used = vec![false; document.count(Section::Buffers)];
    for index in 0..document.count(Section::BufferViews) {
        let view = Fields::of(document.text(Section::BufferViews, index)).unwrap_or_default();
        let compressed = NAMES.map(|name| view.extension(name)?.index("buffer"));
        let buffers = compressed.into_iter().chain([view.index("buffer")]);
        for buffer in buffers.flatten() {
            if let Some(used) = used.get_mut(buffer) {
                *used = true;
            }
        }
    }
    used
}

/// The buffer that a view's uncompressed data lie in.
fn parent_buffer(document: &Document<'_>, view: usize) -> Option<usize> {
    #[derive(Default, Deserialize)]
    struct Parent {
        buffer: Option<usize>,
    }
    let text = document.text(Section::BufferViews, view);
    document.read_silently::<Parent>(text)?.buffer
}

/// Which buffers need not be read as long as all compressed views can be decoded: those that hold what all of them say
/// uncompressed, and nothing else.
pub(super) fn fallback_buffers(
    document: &Document<'_>,
    views: &[Option<CompressedView>],
) -> Vec<bool> {
    let count = document.count(Section::Buffers);
    let mut has_compressed = vec![false; count];
    let mut has_other = vec![false; count];
    for (index, view) in views.iter().enumerate() {
        let parent = parent_buffer(document, index);
        let mark = |marks: &mut Vec<bool>, buffer: Option<usize>| {
            if let Some(mark) = buffer.and_then(|buffer| marks.get_mut(buffer)) {
                *mark = true;
            }
        };
        match view {
            Some(view) => {
                mark(&mut has_compressed, parent);
                mark(&mut has_other, Some(view.buffer));
            }
            None => mark(&mut has_other, parent),
        }
    }
    let pairs = has_compressed.into_iter().zip(has_other);
    pairs
        .map(|(compressed, other)| compressed && !other)
        .collect()
}
