//! `EXT_meshopt_compression` and `KHR_meshopt_compression`: which views of buffers are compressed, and which buffers
//! hold no more than what is there for those who cannot decode them.

use gltf::json::{self, Index};
use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, Error as _, IntoDeserializer as _, value::Error},
};

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
struct Object<F> {
    buffer: Index<json::Buffer>,
    #[serde(default)]
    byte_offset: u64,
    byte_length: u64,
    byte_stride: usize,
    count: usize,
    mode: Mode,
    #[serde(default)]
    filter: F,
}

/// A filter of `EXT_meshopt_compression`: that of colours is none of its own, and read all the same.
#[derive(Debug, Default)]
struct OlderFilter(Filter);

impl<'de> Deserialize<'de> for OlderFilter {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        const KNOWN: &[&str] = &["NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL"];
        let name = String::deserialize(deserializer)?;
        let filter: Result<_, Error> = Filter::deserialize(name.as_str().into_deserializer());
        filter
            .map(Self)
            .map_err(|_| D::Error::unknown_variant(&name, KNOWN))
    }
}

impl From<OlderFilter> for Filter {
    fn from(OlderFilter(filter): OlderFilter) -> Self {
        filter
    }
}

/// All compressed views, by their index; empty if the file has none. `have_bytes` are buffers, as of [`buffers_with_bytes`].
pub(super) fn views(
    document: &Document<'_>,
    have_bytes: &[bool],
    diagnostics: &mut Diagnostics,
) -> Vec<Option<CompressedView>> {
    let count = document.count(Section::BufferViews);
    if (0..count).all(|index| document.is_plain(Section::BufferViews, index)) {
        return Vec::new();
    }
    let views = (0..count).map(|index| view(document, index, have_bytes, diagnostics));
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
    have_bytes: &[bool],
    diagnostics: &mut Diagnostics,
) -> Option<CompressedView> {
    let extensions = ObjectExtensions::of(document.text(Section::BufferViews, index));
    let extension = NAMES.into_iter().find(|name| extensions.has(name))?;
    let text = extensions.text(extension)?;
    let action = loss(document, index, have_bytes);
    match extension {
        extension::EXT_MESHOPT_COMPRESSION => {
            read::<OlderFilter>(document, index, (extension, text), action, diagnostics)
        }
        _ => read::<Filter>(document, index, (extension, text), action, diagnostics),
    }
}

/// Reads what an extension says of a view; `action` says what it costs where that fails.
fn read<F: DeserializeOwned + Default + Into<Filter>>(
    document: &Document<'_>,
    index: usize,
    (extension, text): (&'static str, &str),
    action: &str,
    diagnostics: &mut Diagnostics,
) -> Option<CompressedView> {
    let pointer = format_args!("/bufferViews/{index}/extensions/{extension}");
    let object: Object<F> = document.read(text, pointer, action, diagnostics)?;
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
            filter: object.filter.into(),
        },
    })
}

/// Which buffers have bytes, as far as the file says; `has_bin` is whether it has a binary chunk, which the first may lie in.
pub(super) fn buffers_with_bytes(document: &Document<'_>, has_bin: bool) -> Vec<bool> {
    let buffers = (0..document.count(Section::Buffers)).map(|index| {
        let buffer = Fields::of(document.text(Section::Buffers, index)).unwrap_or_default();
        let uri = buffer.get("uri");
        uri.is_some_and(|uri| uri.starts_with('"')) || (index == 0 && has_bin)
    });
    buffers.collect()
}

/// Whether the uncompressed data of a compressed view are there.
fn has_fallback(document: &Document<'_>, view: usize, have_bytes: &[bool]) -> bool {
    let buffer = parent_buffer(document, view).and_then(|buffer| have_bytes.get(buffer));
    buffer == Some(&true)
}

/// Whether the uncompressed data of any compressed view are there.
pub(super) fn has_any_fallback(
    document: &Document<'_>,
    views: &[Option<CompressedView>],
    have_bytes: &[bool],
) -> bool {
    let mut compressed = (0..).zip(views).filter(|(_, view)| view.is_some());
    compressed.any(|(index, _)| has_fallback(document, index, have_bytes))
}

/// What becomes of a compressed view that cannot be decoded.
pub(super) fn loss(document: &Document<'_>, view: usize, have_bytes: &[bool]) -> &'static str {
    if has_fallback(document, view, have_bytes) {
        "the uncompressed data are used"
    } else {
        "what lies in the view is lost: there are no uncompressed data"
    }
}

/// Which buffers must have data: those that compressed data lie in, and whatever other views refer to. What compressed views
/// say uncompressed need not be there.
pub(super) fn needed_buffers(document: &Document<'_>) -> Vec<bool> {
    let mut used = vec![false; document.count(Section::Buffers)];
    for index in 0..document.count(Section::BufferViews) {
        let view = Fields::of(document.text(Section::BufferViews, index)).unwrap_or_default();
        let extensions = view.object("extensions");
        let compressed = NAMES.map(|name| Fields::of(extensions.get(name)?)?.index("buffer"));
        let is_compressed = NAMES.iter().any(|name| extensions.has(name));
        let own = view.index("buffer").filter(|_| !is_compressed);
        for buffer in compressed.into_iter().chain([own]).flatten() {
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
