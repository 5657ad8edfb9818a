//! Buffers and the views into them (glTF 2.0 §3.6.1).

use std::rc::Rc;

use gltf::json;

use super::{
    budget::Budget,
    container::Container,
    diagnostics::{Diagnostics, Fault, Severity},
    document::{Document, Section},
    progress::{Cancelled, Progress},
    sandbox::{self, Folder},
};

/// The bytes of all buffers, and where views lie in them; or how bad it is that there are none.
#[derive(Debug)]
pub(super) struct Buffers<'a> {
    buffers: Vec<Result<Bytes<'a>, Severity>>,
    views: Vec<Result<View, Severity>>,
}

/// The bytes of a buffer, wherever they come from; the binary chunk of a GLB is never copied.
#[derive(Debug)]
enum Bytes<'a> {
    Borrowed(&'a [u8]),
    Decoded(Vec<u8>),
    File(Rc<[u8]>),
}

impl Bytes<'_> {
    fn as_slice(&self) -> &[u8] {
        match self {
            Self::Borrowed(bytes) => bytes,
            Self::Decoded(bytes) => bytes,
            Self::File(bytes) => bytes,
        }
    }
}

/// A range of a buffer, which lies within the bytes that the buffer has.
#[derive(Debug, Clone, Copy)]
struct View {
    buffer: usize,
    offset: usize,
    length: usize,
    stride: Option<usize>,
}

impl<'a> Buffers<'a> {
    /// Opens all buffers of a document. A buffer that cannot be read is named, and so is what needs it, later.
    pub(super) fn read(
        document: &Document<'_>,
        container: &Container<'a>,
        folder: Option<&Folder>,
        budget: &Budget,
        progress: &Progress,
        diagnostics: &mut Diagnostics,
    ) -> Result<Self, Cancelled> {
        let mut buffers = Vec::new();
        for index in 0..document.count(Section::Buffers) {
            progress.check()?;
            let object = document.object::<json::Buffer>(Section::Buffers, index, diagnostics);
            let bytes = object.ok_or(Severity::Error).and_then(|object| {
                let bytes = open(index, object.uri.as_deref(), container, folder);
                let bytes = match bytes {
                    Ok(bytes) => bytes,
                    Err(fault) => {
                        let severity = fault.severity;
                        let pointer = format_args!("/buffers/{index}");
                        diagnostics.fault(fault, pointer, "what lies in the buffer is lost");
                        return Err(severity);
                    }
                };
                if !matches!(bytes, Bytes::Borrowed(_)) {
                    budget.allow_for(bytes.as_slice().len());
                }
                check_length(
                    index,
                    object.byte_length.0,
                    bytes.as_slice().len(),
                    diagnostics,
                );
                Ok(bytes)
            });
            buffers.push(bytes);
        }
        let mut buffers = Self {
            buffers,
            views: Vec::new(),
        };
        for index in 0..document.count(Section::BufferViews) {
            let view = buffers.read_view(document, index, diagnostics);
            buffers.views.push(view);
        }
        Ok(buffers)
    }

    fn read_view(
        &self,
        document: &Document<'_>,
        index: usize,
        diagnostics: &mut Diagnostics,
    ) -> Result<View, Severity> {
        let object: json::buffer::View = document
            .object(Section::BufferViews, index, diagnostics)
            .ok_or(Severity::Error)?;
        let pointer = format_args!("/bufferViews/{index}/buffer");
        let loss = "what lies in the view is lost";
        let buffer = document
            .reference(Section::Buffers, object.buffer, pointer, loss, diagnostics)
            .ok_or(Severity::Error)?;
        let bytes = self.bytes(buffer)?;
        let offset = object.byte_offset.unwrap_or_default().0;
        let length = object.byte_length.0;
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
            let message =
                format!("{length} bytes from byte {offset} on reach past the buffer's {available}");
            diagnostics.error(
                "BUFFER_VIEW_TOO_LONG",
                format_args!("/bufferViews/{index}"),
                message,
                "it was cut at the buffer's end",
            );
        }
        let offset = offset.min(available);
        let length = length.min(available.saturating_sub(offset));
        Ok(View {
            buffer,
            offset: usize::try_from(offset).map_err(|_| Severity::Error)?,
            length: usize::try_from(length).map_err(|_| Severity::Error)?,
            stride: object.byte_stride.map(|stride| stride.0).filter(|&s| s > 0),
        })
    }

    /// The bytes of a view, and the distance between its elements where it says one.
    pub(super) fn view(&self, index: usize) -> Result<(&[u8], Option<usize>), Fault> {
        let view = self
            .views
            .get(index)
            .copied()
            .unwrap_or(Err(Severity::Error));
        let bytes = view.and_then(|view| {
            let bytes = self.bytes(view.buffer)?.get(view.offset..);
            let bytes = bytes.and_then(|bytes| bytes.get(..view.length));
            Ok((bytes.ok_or(Severity::Error)?, view.stride))
        });
        bytes.map_err(|severity| Fault {
            severity,
            code: "BUFFER_VIEW_UNREADABLE",
            message: format!("buffer view {index} has no data"),
        })
    }

    /// Bytes of all buffers together.
    pub(super) fn total_length(&self) -> usize {
        let buffers = self.buffers.iter().flatten();
        buffers.fold(0, |sum, bytes| sum.saturating_add(bytes.as_slice().len()))
    }

    fn bytes(&self, buffer: usize) -> Result<&[u8], Severity> {
        match self.buffers.get(buffer) {
            Some(Ok(bytes)) => Ok(bytes.as_slice()),
            Some(Err(severity)) => Err(*severity),
            None => Err(Severity::Error),
        }
    }
}

fn open<'a>(
    index: usize,
    uri: Option<&str>,
    container: &Container<'a>,
    folder: Option<&Folder>,
) -> Result<Bytes<'a>, Fault> {
    let Some(uri) = uri else {
        return match container.bin {
            Some(bin) if index == 0 => Ok(Bytes::Borrowed(bin)),
            _ if container.is_glb && index == 0 => {
                let message = "the GLB container has no binary chunk for it";
                Err(Fault::new("BUFFER_MISSING_GLB_DATA", message))
            }
            // glTF 2.0 §3.6.1.1 leaves it open where such data come from.
            _ => Err(Fault::warning("BUFFER_WITHOUT_DATA", "it has no uri")),
        };
    };
    if let Some(decoded) = sandbox::data_uri(uri) {
        return decoded.map(Bytes::Decoded);
    }
    match folder {
        Some(folder) => folder.read(uri).map(Bytes::File),
        None => {
            let message = format!(
                "there is no folder to look for \"{}\" in",
                sandbox::shorten(uri)
            );
            Err(Fault::new("IO_ERROR", message))
        }
    }
}

fn check_length(index: usize, said: u64, found: usize, diagnostics: &mut Diagnostics) {
    let found = u64::try_from(found).unwrap_or(u64::MAX);
    if said > found {
        diagnostics.error(
            "BUFFER_BYTE_LENGTH_MISMATCH",
            format_args!("/buffers/{index}/byteLength"),
            format!("it says {said} bytes, and there are {found}"),
            "what lies beyond is lost",
        );
    }
}
