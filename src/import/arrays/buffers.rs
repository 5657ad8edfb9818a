//! Buffers and the views into them (glTF 2.0 §3.6.1).

use gltf::json::{self, Index};

use crate::import::{
    base::{
        budget::{Budget, EXCEEDED},
        diagnostics::{Diagnostics, Fault, OF_LOST_BUFFERS as CODE, Severity},
        extension,
        progress::Cancelled,
        scope::Scope,
        wording::{counted, of_count, there_are},
    },
    decode::{
        Compression,
        meshopt::{self, Filter},
    },
    files::{
        bytes::{Bytes, Kept},
        container::Container,
        sandbox::{self, Files, Terms},
    },
    json::document::{Document, Section},
};

use super::{
    lost::{Lost, without},
    meshopt::{
        CompressedView, buffers_with_bytes, fallback_buffers, has_any_fallback, loss,
        needed_buffers, views as compressed_views,
    },
};

/// The bytes of all buffers, and where views lie in them; or how bad it is that there are none.
#[derive(Debug, Default)]
pub(in crate::import) struct Buffers<'a> {
    buffers: Vec<Buffer<'a>>,
    views: Vec<Result<View, Lost>>,
    /// Whether a compressed view has uncompressed data beside it that were not looked at.
    has_unread_fallback: bool,
    /// Whether the file has a binary chunk, which the first buffer needs no URI for.
    has_chunk: bool,
    /// Whether the file is a GLB.
    is_glb: bool,
}

/// What became of a buffer.
#[derive(Debug)]
enum Buffer<'a> {
    /// It was opened; the binary chunk of a GLB is never copied.
    Open(Kept<'a>),
    /// It cannot be opened, and how bad that is.
    Lost(Severity),
    /// Its views are there in compressed form, too: it is opened when it is needed.
    LeftOut,
}

/// Where a view says that it lies.
struct StatedRange {
    buffer: Index<json::Buffer>,
    offset: u64,
    length: u64,
    stride: Option<usize>,
}

/// A range of a buffer, which lies within the bytes that the buffer has.
#[derive(Debug, Clone, Copy)]
struct View {
    buffer: usize,
    offset: usize,
    length: usize,
    stride: Option<usize>,
    compression: Compression,
}

impl<'a> Buffers<'a> {
    /// Opens all buffers of a document. A buffer that cannot be read is named, and so is what needs it, later.
    pub(in crate::import) fn read(
        document: &Document<'_>,
        container: &Container<'a>,
        scope: Scope,
        files: &Files,
        terms: Terms<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Result<Self, Cancelled> {
        let Terms { budget, progress } = terms;
        let has_chunk = container.bin.is_some();
        let have_bytes = buffers_with_bytes(document, has_chunk);
        let compressed = match scope {
            Scope::Uncompressed => Vec::new(),
            Scope::Shown | Scope::Posed | Scope::Compared | Scope::Clips => {
                compressed_views(document, &have_bytes, diagnostics)
            }
        };
        let is_fallback = fallback_buffers(document, &compressed);
        let mut opener = Opener {
            document,
            container,
            files,
            terms,
            needed: None,
            diagnostics,
        };
        let mut buffers = Self {
            buffers: Vec::new(),
            views: Vec::new(),
            has_unread_fallback: has_any_fallback(document, &compressed, &have_bytes),
            has_chunk,
            is_glb: container.is_glb,
        };
        let mut left_out = Vec::new();
        for index in 0..document.count(Section::Buffers) {
            progress.check()?;
            let is_fallback = is_fallback.get(index) == Some(&true);
            let buffer = if is_fallback {
                left_out.push(index);
                Buffer::LeftOut
            } else {
                opener.read(index)
            };
            buffers.buffers.push(buffer);
        }
        for index in 0..document.count(Section::BufferViews) {
            progress.check()?;
            let compressed = compressed.get(index).copied().flatten();
            let decoded = compressed.and_then(|compressed| {
                let view = (index, compressed, &*have_bytes);
                buffers.decode(document, view, budget, opener.diagnostics)
            });
            let view = match decoded {
                Some(view) => Ok(view),
                None => {
                    if compressed.is_some() {
                        buffers.open_left_out(&mut opener, std::mem::take(&mut left_out));
                    }
                    buffers.read_view(document, index, opener.diagnostics)
                }
            };
            buffers.views.push(view);
        }
        Ok(buffers)
    }

    /// Decodes a compressed view into a buffer of its own; none, once it is said why, if that fails. `have_bytes` are buffers,
    /// as of [`buffers_with_bytes`].
    fn decode(
        &mut self,
        document: &Document<'_>,
        (index, compressed, have_bytes): (usize, CompressedView, &[bool]),
        budget: &Budget,
        diagnostics: &mut Diagnostics,
    ) -> Option<View> {
        let CompressedView {
            extension, layout, ..
        } = compressed;
        let parent: json::buffer::View =
            document.object(Section::BufferViews, index, diagnostics)?;
        let pointer = format_args!("/bufferViews/{index}/extensions/{extension}");
        let range = || {
            let offset = usize::try_from(compressed.offset).ok()?;
            let end = offset.checked_add(usize::try_from(compressed.length).ok()?)?;
            let bytes = self.bytes(compressed.buffer);
            bytes.map(|bytes| bytes.get(offset..end)).transpose()
        };
        let mut is_newer = false;
        let decoded = match range() {
            Some(Ok(bytes)) => {
                let bytes = bytes.load(budget);
                bytes.and_then(|bytes| {
                    is_newer = meshopt::is_newer(&bytes, layout);
                    meshopt::decode(&bytes, layout, budget)
                })
            }
            Some(Err(severity)) => Err(without(compressed.buffer, severity)),
            None => {
                let message = "the compressed data reach past the end of their buffer";
                Err(Fault::new("BUFFER_VIEW_TOO_LONG", message))
            }
        };
        let decoded = match decoded {
            Ok(decoded) => decoded,
            Err(fault) => {
                diagnostics.fault(fault, pointer, loss(document, index, have_bytes));
                return None;
            }
        };
        if is_newer && extension == extension::EXT_MESHOPT_COMPRESSION {
            let message =
                "they are of version 1 of the codec, which KHR_meshopt_compression alone has";
            let action = "it is decoded; other programs may refuse it";
            diagnostics.error("COMPRESSED_DATA_INVALID", pointer, message, action);
        }
        let length = decoded.len();
        budget.allow_data_for(length);
        if u64::try_from(length) != Ok(parent.byte_length.0) {
            let bytes = there_are(length, "byte of it", "bytes of it");
            let message = format!("{bytes}, and the view says {}", parent.byte_length.0);
            let action = "all that were decoded are used";
            diagnostics.error("COMPRESSED_LENGTH_MISMATCH", pointer, message, action);
        }
        let stated = parent.byte_stride.map(|stride| stride.0).filter(|&s| s > 0);
        if let Some(stated) = stated
            && stated != layout.stride
        {
            let message = format!(
                "elements have {} bytes in it, and {stated} in the view",
                layout.stride
            );
            let action = "they are as long as was decoded";
            diagnostics.error("COMPRESSED_STRIDE_MISMATCH", pointer, message, action);
        }
        Some(View {
            buffer: self.add_buffer(decoded),
            offset: 0,
            length,
            stride: stated.map(|_| layout.stride),
            compression: match layout.filter {
                Filter::None => Compression::Lossless,
                _ => Compression::Lossy,
            },
        })
    }

    fn add_buffer(&mut self, bytes: Vec<u8>) -> usize {
        let index = self.buffers.len();
        self.buffers.push(Buffer::Open(Kept::Here(bytes)));
        index
    }

    /// Adds a view of numbers that were decoded, and may differ a little from the original ones.
    pub(super) fn add(&mut self, bytes: Vec<u8>) -> usize {
        let index = self.views.len();
        let length = bytes.len();
        let buffer = self.add_buffer(bytes);
        self.views.push(Ok(View {
            buffer,
            offset: 0,
            length,
            stride: None,
            compression: Compression::Lossy,
        }));
        index
    }

    /// Opens the buffers that were left out.
    fn open_left_out(&mut self, opener: &mut Opener<'_, 'a>, left_out: Vec<usize>) {
        for index in left_out {
            if let Some(buffer) = self.buffers.get_mut(index) {
                *buffer = opener.read(index);
            }
        }
    }

    fn read_view(
        &self,
        document: &Document<'_>,
        index: usize,
        diagnostics: &mut Diagnostics,
    ) -> Result<View, Lost> {
        let place = match document.plain().view(index) {
            Some(plain) => StatedRange {
                buffer: Index::new(plain.buffer),
                offset: plain.offset.into(),
                length: plain.length.into(),
                stride: plain.stride.map(usize::from),
            },
            None => {
                let object: json::buffer::View = document
                    .object(Section::BufferViews, index, diagnostics)
                    .ok_or(Lost::BY_ITSELF)?;
                StatedRange {
                    buffer: object.buffer,
                    offset: object.byte_offset.unwrap_or_default().0,
                    length: object.byte_length.0,
                    stride: object.byte_stride.map(|stride| stride.0).filter(|&s| s > 0),
                }
            }
        };
        let StatedRange { offset, length, .. } = place;
        let pointer = format_args!("/bufferViews/{index}/buffer");
        let loss = "what lies in the view is lost";
        let buffer = document
            .reference(Section::Buffers, place.buffer, pointer, loss, diagnostics)
            .ok_or(Lost::BY_ITSELF)?;
        let lost = |severity| Lost::with(buffer, severity);
        let bytes = self.bytes(buffer).map_err(lost)?;
        if length == 0 {
            diagnostics.error(
                "VALUE_NOT_IN_RANGE",
                format_args!("/bufferViews/{index}/byteLength"),
                "the view is empty",
                "",
            );
        }
        let available = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        let fits = offset
            .checked_add(length)
            .is_some_and(|end| end <= available);
        if !fits {
            let bytes = counted(length, "byte", "bytes");
            let reach = of_count(length, "reaches", "reach");
            let message =
                format!("{bytes} from byte {offset} on {reach} past the buffer's {available}");
            diagnostics.error(
                "BUFFER_VIEW_TOO_LONG",
                format_args!("/bufferViews/{index}/byteLength"),
                message,
                "it was cut at the buffer's end",
            );
        }
        let offset = offset.min(available);
        let length = length.min(available.saturating_sub(offset));
        Ok(View {
            buffer,
            offset: usize::try_from(offset).map_err(|_| Lost::BY_ITSELF)?,
            length: usize::try_from(length).map_err(|_| Lost::BY_ITSELF)?,
            stride: place.stride,
            compression: Compression::None,
        })
    }

    /// What compression did to the numbers in a view.
    pub(in crate::import) fn compression(&self, view: usize) -> Compression {
        let view = self.views.get(view).and_then(|view| view.as_ref().ok());
        view.map_or(Compression::None, |view| view.compression)
    }

    /// The bytes of a view, and the distance between its elements where it says one.
    pub(in crate::import) fn view(
        &self,
        index: usize,
    ) -> Result<(Bytes<'_>, Option<usize>), Fault> {
        let view = self.views.get(index).copied();
        let bytes = view.unwrap_or(Err(Lost::BY_ITSELF)).and_then(|view| {
            let end = view.offset.checked_add(view.length);
            let range = view.offset..end.ok_or(Lost::BY_ITSELF)?;
            let lost = |severity| Lost::with(view.buffer, severity);
            let bytes = self.bytes(view.buffer).map_err(lost)?.get(range);
            Ok((bytes.ok_or(Lost::BY_ITSELF)?, view.stride))
        });
        bytes.map_err(|Lost { severity, buffer }| match buffer {
            Some(buffer) => without(buffer, severity),
            None => Fault::new(CODE, format!("buffer view {index} has no data")),
        })
    }

    /// Whether a compressed view has uncompressed data beside it that were not looked at.
    pub(in crate::import) fn has_unread_fallback(&self) -> bool {
        self.has_unread_fallback
    }

    /// Whether the file has a binary chunk, which the first buffer needs no URI for.
    pub(in crate::import) fn has_chunk(&self) -> bool {
        self.has_chunk
    }

    /// Whether the file is a GLB.
    pub(in crate::import) fn is_glb(&self) -> bool {
        self.is_glb
    }

    /// Bytes of all buffers together.
    pub(in crate::import) fn total_length(&self) -> usize {
        let lengths = self.buffers.iter().map(|buffer| match buffer {
            Buffer::Open(bytes) => bytes.bytes().len(),
            Buffer::Lost(_) | Buffer::LeftOut => 0,
        });
        lengths.fold(0, usize::saturating_add)
    }

    fn bytes(&self, buffer: usize) -> Result<Bytes<'_>, Severity> {
        match self.buffers.get(buffer) {
            Some(Buffer::Open(bytes)) => Ok(bytes.bytes()),
            Some(Buffer::Lost(severity)) => Err(*severity),
            Some(Buffer::LeftOut) => Err(Severity::Info),
            None => Err(Severity::Error),
        }
    }
}

/// Opens buffers.
struct Opener<'o, 'a> {
    document: &'o Document<'o>,
    container: &'o Container<'a>,
    files: &'o Files,
    terms: Terms<'o>,
    /// Which buffers must have data, once anybody asks.
    needed: Option<Vec<bool>>,
    diagnostics: &'o mut Diagnostics,
}

/// The code of a buffer that nobody says where it is.
const WITHOUT_DATA: &str = "BUFFER_WITHOUT_DATA";

impl<'a> Opener<'_, 'a> {
    fn read(&mut self, index: usize) -> Buffer<'a> {
        match self.read_bytes(index) {
            Ok(bytes) => Buffer::Open(bytes),
            Err(severity) => Buffer::Lost(severity),
        }
    }

    fn read_bytes(&mut self, index: usize) -> Result<Kept<'a>, Severity> {
        let document = self.document;
        let object: json::Buffer = document
            .object(Section::Buffers, index, self.diagnostics)
            .ok_or(Severity::Error)?;
        let bytes = self.open(index, object.uri.as_deref());
        if let Some(uri) = &object.uri {
            let pointer = format_args!("/buffers/{index}/uri");
            self.files.report_letters(uri, pointer, self.diagnostics);
        }
        let bytes = bytes.map_err(|fault| {
            let severity = fault.severity;
            // What nothing needs may lack data.
            if fault.code == WITHOUT_DATA && !self.is_needed(index) {
                return severity;
            }
            // What is named is at fault, but where memory runs out.
            let place = match &object.uri {
                Some(_) if fault.code != EXCEEDED => "/uri",
                _ => "",
            };
            let pointer = format_args!("/buffers/{index}{place}");
            let action = "what lies in the buffer is lost";
            self.diagnostics.fault(fault, pointer, action);
            severity
        })?;
        let length = bytes.bytes().len();
        if matches!(bytes, Kept::Here(_)) {
            self.terms.budget.allow_for(length);
        }
        let stated = object.byte_length.0;
        check_length(index, stated, length, self.diagnostics);
        let is_chunk = object.uri.is_none() && self.container.bin.is_some();
        let beyond = u64::try_from(length).unwrap_or(0).saturating_sub(stated);
        // Up to three bytes make the chunk a multiple of four (glTF 2.0 §4.4.3.3).
        if is_chunk && beyond > 3 {
            self.diagnostics.info(
                "BUFFER_GLB_CHUNK_TOO_BIG",
                format_args!("/buffers/{index}"),
                format!("the binary chunk of the GLB has {beyond} bytes more"),
                "",
            );
        }
        Ok(bytes)
    }

    /// Whether a buffer must have data.
    fn is_needed(&mut self, index: usize) -> bool {
        let document = self.document;
        let needed = self.needed.get_or_insert_with(|| needed_buffers(document));
        needed.get(index) == Some(&true)
    }

    fn open(&self, index: usize, uri: Option<&str>) -> Result<Kept<'a>, Fault> {
        let container = self.container;
        let Some(uri) = uri else {
            return match container.bin {
                Some(bin) if index == 0 => Ok(Kept::Elsewhere(bin)),
                _ if container.is_glb && index == 0 => {
                    let message = "the GLB container has no binary chunk for it";
                    Err(Fault::new("BUFFER_MISSING_GLB_DATA", message))
                }
                // glTF 2.0 §3.6.1.1 leaves it open where such data come from.
                _ => Err(Fault::warning(WITHOUT_DATA, "it has no uri")),
            };
        };
        if let Some(decoded) = sandbox::data_uri(uri) {
            return decoded.map(Kept::Here);
        }
        let accessors = u64::try_from(self.document.count(Section::Accessors));
        let opened = self.files.open(uri, self.terms)?;
        // What the file states says nothing about what is there.
        let length = u64::try_from(opened.len()).unwrap_or(u64::MAX);
        if accessors.unwrap_or(u64::MAX).saturating_mul(MIN_IN_PARTS) > length {
            return self.files.read(uri, self.terms).map(Kept::Shared);
        }
        Ok(Kept::from(opened))
    }
}

/// How many bytes an accessor must have on average for parts to be read one by one: thousands of small ones would take
/// longer than memory for all of them.
const MIN_IN_PARTS: u64 = 1 << 12;

fn check_length(index: usize, said: u64, found: usize, diagnostics: &mut Diagnostics) {
    let found = u64::try_from(found).unwrap_or(u64::MAX);
    if said > found {
        diagnostics.error(
            "BUFFER_BYTE_LENGTH_MISMATCH",
            format_args!("/buffers/{index}"),
            format!(
                "{} stated, and there are {found}",
                counted(said, "byte is", "bytes are")
            ),
            "what lies beyond is lost",
        );
    }
}
