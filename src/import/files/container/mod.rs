//! GLB, the binary container: finds the JSON text and the binary chunk in it (glTF 2.0 §4).

mod foreign;

use crate::import::base::{diagnostics::Diagnostics, refusal::Refusal, wording::counted};

use super::{bytes::Bytes, sandbox::FileRange};

pub(super) use foreign::{LFS_POINTER, is_lfs_pointer};
pub use foreign::{POSE_LOOKED_AT, is_pose_text};

const MAGIC: &[u8; 4] = b"glTF";
const JSON: [u8; 4] = *b"JSON";
const BIN: [u8; 4] = *b"BIN\0";
const BYTE_ORDER_MARK: &[u8; 3] = b"\xef\xbb\xbf";

/// What a file is made of, borrowed from its bytes.
#[derive(Debug)]
pub(in crate::import) struct Container<'a> {
    /// The JSON text.
    pub json: &'a [u8],
    /// The binary chunk of a GLB.
    pub bin: Option<Bytes<'a>>,
    /// Further chunks of a GLB, which belong to extensions, in their order: the first [`MAX_OTHERS`].
    pub others: Vec<Chunk<'a>>,
    /// Whether the file is a GLB.
    pub is_glb: bool,
}

/// So many further chunks are kept: each has a cost beside its bytes, of which it may have none.
pub(in crate::import) const MAX_OTHERS: usize = 1000;

/// A chunk of a GLB by its kind.
pub(in crate::import) type Chunk<'a> = ([u8; 4], &'a [u8]);

/// Takes `bytes` apart, whether they are a GLB or plain JSON.
pub(in crate::import) fn split<'a>(
    bytes: &'a [u8],
    diagnostics: &mut Diagnostics,
) -> anyhow::Result<Container<'a>> {
    if bytes.is_empty() {
        return Err(Refusal::new("INVALID_JSON", "", "the file is empty").into());
    }
    let mut container = if bytes.starts_with(MAGIC) {
        split_glb(bytes, diagnostics)?
    } else if bytes.get(4..8) == Some(&[2, 0, 0, 0]) && bytes.get(16..20) == Some(&JSON) {
        let message = "it is like a GLB container, and does not begin with \"glTF\"";
        return Err(Refusal::new("GLB_INVALID_MAGIC", "", message).into());
    } else if let Some(what) = foreign::foreign(bytes) {
        return Err(Refusal::new("FILE_FORMAT_UNKNOWN", "", what).into());
    } else {
        Container {
            json: bytes,
            bin: None,
            others: Vec::new(),
            is_glb: false,
        }
    };
    check_text(&mut container, diagnostics)?;
    Ok(container)
}

/// A GLB whose JSON text was read, and whose binary chunk was not.
pub(in crate::import) fn of_parts<'a>(
    json: &'a [u8],
    bin: &'a FileRange,
    diagnostics: &mut Diagnostics,
) -> Result<Container<'a>, Refusal> {
    let mut container = Container {
        json,
        bin: Some(Bytes::of_file(bin)),
        // What has further chunks is read as a whole.
        others: Vec::new(),
        is_glb: true,
    };
    check_text(&mut container, diagnostics)?;
    Ok(container)
}

/// Sees to it that there is some JSON text, and skips the mark that may stand before it.
fn check_text(container: &mut Container<'_>, diagnostics: &mut Diagnostics) -> Result<(), Refusal> {
    if container.is_glb && container.json.is_empty() {
        let message = "the JSON chunk of the GLB container is empty";
        return Err(Refusal::new("GLB_EMPTY_CHUNK", "", message));
    }
    // RFC 8259 §8.1: a parser may ignore the mark.
    if let Some(rest) = container.json.strip_prefix(BYTE_ORDER_MARK) {
        diagnostics.error(
            "INVALID_JSON",
            "",
            "the JSON text starts with a byte order mark",
            "it was skipped",
        );
        container.json = rest;
    }
    Ok(())
}

fn split_glb<'a>(bytes: &'a [u8], diagnostics: &mut Diagnostics) -> anyhow::Result<Container<'a>> {
    let mut rest = bytes.get(MAGIC.len()..).unwrap_or_default();
    let (Some(version), Some(length)) = (take_u32(&mut rest), take_u32(&mut rest)) else {
        let message = "the file ends within the header of the GLB container";
        return Err(Refusal::new("GLB_UNEXPECTED_END_OF_HEADER", "", message).into());
    };
    if version != 2 {
        let message = match version {
            1 => "this is glTF 1.0; only glTF 2.0 is supported".to_owned(),
            _ => format!("GLB container version {version} is not supported, only version 2 is"),
        };
        return Err(Refusal::new("GLB_INVALID_VERSION", "", message).into());
    }
    if rest.is_empty() {
        let message = "the file ends after the header of the GLB container: it has no chunks";
        return Err(Refusal::new("GLB_LENGTH_TOO_SMALL", "", message).into());
    }
    let length = usize::try_from(length).unwrap_or(usize::MAX);
    check_length(length, bytes.len(), diagnostics);
    let said = length;
    let mut json = None;
    let mut bin = None;
    let mut others = Vec::new();
    let mut place = 0_usize;
    let is_length_usable = said > 12 && said <= bytes.len();
    let chunks = bytes.get(12..said).filter(|_| is_length_usable);
    let are_all_kept = count_unknown(chunks.unwrap_or(rest)) <= MAX_OTHERS;
    while !rest.is_empty() {
        let read = bytes.len().saturating_sub(rest.len());
        if is_length_usable && read >= said && json.is_some() {
            break;
        }
        let (Some(length), Some(kind)) = (take_u32(&mut rest), take(&mut rest)) else {
            diagnostics.error(
                "GLB_UNEXPECTED_END_OF_CHUNK_HEADER",
                "",
                "the file ends within the header of a chunk",
                "it was ignored",
            );
            break;
        };
        let chunk = take_chunk(&mut rest, length, diagnostics);
        if kind == JSON
            && json.is_none()
            && usize::try_from(length).is_ok_and(|it| it > chunk.len())
        {
            let message = format!(
                "the file is truncated: its JSON should have {}, and the file ends after {}",
                counted(length, "byte", "bytes"),
                chunk.len()
            );
            return Err(Refusal::new("GLB_UNEXPECTED_END_OF_CHUNK_DATA", "", message).into());
        }
        let read = bytes.len().saturating_sub(rest.len());
        if is_length_usable && read > said {
            diagnostics.error(
                "GLB_CHUNK_TOO_BIG",
                "",
                format!("chunk {place} ends at byte {read}, beyond the length in the header"),
                "it is read to its end",
            );
        }
        if matches!(kind, JSON | BIN) {
            sort_chunk(kind, chunk, place, (&mut json, &mut bin), diagnostics);
        } else {
            report_unknown(kind, place, are_all_kept, diagnostics);
            if others.len() < MAX_OTHERS {
                others.push((kind, chunk));
            }
        }
        place = place.saturating_add(1);
    }
    let Some(json) = json else {
        let message = "the GLB container has no JSON chunk";
        return Err(Refusal::new("GLB_UNEXPECTED_FIRST_CHUNK", "", message).into());
    };
    Ok(Container {
        json,
        bin: bin.map(Bytes::Memory),
        others,
        is_glb: true,
    })
}

/// Whether the header says how long the file is.
fn check_length(said: usize, length: usize, diagnostics: &mut Diagnostics) {
    let to_its_end = "the file was read to its end";
    let bytes = counted(said, "byte", "bytes");
    let message = format!("the header says {bytes}, the file has {length}");
    if said <= 12 {
        let message = format!("the header says {bytes}, too few for a chunk");
        diagnostics.error("GLB_LENGTH_TOO_SMALL", "", message, to_its_end);
    } else if said < length {
        let action = "bytes beyond the last chunk are ignored";
        diagnostics.warning("GLB_EXTRA_DATA", "", message, action);
    } else if said != length {
        diagnostics.error("GLB_LENGTH_MISMATCH", "", message, to_its_end);
    }
}

/// How many of these chunks are of no known kind.
fn count_unknown(mut chunks: &[u8]) -> usize {
    let mut count = 0_usize;
    while let (Some(length), Some(kind)) = (take_u32(&mut chunks), take(&mut chunks)) {
        count = count.saturating_add(usize::from(!matches!(kind, JSON | BIN)));
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        chunks = chunks.get(length..).unwrap_or_default();
    }
    count
}

/// Says that a chunk is of a kind that must be ignored (glTF 2.0 §4.4.3), and whether all such are kept for who saves the file.
fn report_unknown(kind: [u8; 4], place: usize, are_all_kept: bool, diagnostics: &mut Diagnostics) {
    let is_printable = |byte: &u8| byte.is_ascii_graphic() || *byte == b' ';
    let named = if kind.iter().all(is_printable) {
        format!("\"{}\"", String::from_utf8_lossy(&kind))
    } else {
        format!("{:#010x}", u32::from_le_bytes(kind))
    };
    diagnostics.warning(
        "GLB_UNKNOWN_CHUNK_TYPE",
        "",
        format!("chunk {place} is of the unknown kind {named}"),
        if are_all_kept {
            "it is not read".to_owned()
        } else {
            format!("it is not read; saved again are the first {MAX_OTHERS} such chunks")
        },
    );
    if place == 0 {
        diagnostics.error(
            "GLB_UNEXPECTED_FIRST_CHUNK",
            "",
            "the first chunk is not JSON",
            "the first JSON chunk is used",
        );
    }
}

/// Keeps the first chunk of either known kind.
fn sort_chunk<'a>(
    kind: [u8; 4],
    chunk: &'a [u8],
    place: usize,
    (json, bin): (&mut Option<&'a [u8]>, &mut Option<&'a [u8]>),
    diagnostics: &mut Diagnostics,
) {
    let kept = if kind == JSON { json } else { bin };
    if kept.is_some() {
        diagnostics.error(
            "GLB_DUPLICATE_CHUNK",
            "",
            format!("chunk {place} is the second of its kind"),
            "it was ignored",
        );
        return;
    }
    *kept = Some(chunk);
    if kind == BIN && place != 1 {
        let code = match place {
            0 => "GLB_UNEXPECTED_FIRST_CHUNK",
            _ => "GLB_UNEXPECTED_BIN_CHUNK",
        };
        diagnostics.error(
            code,
            "",
            format!("the binary chunk is chunk {place}; it should follow the JSON at once"),
            "it is used all the same",
        );
    }
}

fn take_chunk<'a>(rest: &mut &'a [u8], length: u32, diagnostics: &mut Diagnostics) -> &'a [u8] {
    if !length.is_multiple_of(4) {
        diagnostics.error(
            "GLB_CHUNK_LENGTH_UNALIGNED",
            "",
            format!("the length of a chunk, {length}, is no multiple of 4"),
            "the chunk is read as long as it says",
        );
    }
    let length = usize::try_from(length).unwrap_or(usize::MAX);
    match rest.split_at_checked(length) {
        Some((chunk, tail)) => {
            *rest = tail;
            chunk
        }
        None => {
            diagnostics.error(
                "GLB_UNEXPECTED_END_OF_CHUNK_DATA",
                "",
                format!(
                    "a chunk of {} has {} before the file ends",
                    counted(length, "byte", "bytes"),
                    rest.len()
                ),
                "it was cut there",
            );
            std::mem::take(rest)
        }
    }
}

fn take_u32(rest: &mut &[u8]) -> Option<u32> {
    take(rest).map(u32::from_le_bytes)
}

fn take(rest: &mut &[u8]) -> Option<[u8; 4]> {
    let (first, tail) = rest.split_first_chunk()?;
    *rest = tail;
    Some(*first)
}
