//! The picture of a WebP file by itself, before it is decoded (WebP Image Format, RFC 9649). The decoder gets nothing but
//! that: what it takes is what is counted here, whatever else stands in a file.

mod code;
mod stream;

#[cfg(test)]
mod tests;

use super::broken_picture;
use crate::import::base::diagnostics::Fault;

/// Width and height, in pixels.
type Size = (u32, u32);

/// The flags of a file with alpha, and of one that moves (RFC 9649 §2.7).
const ALPHA: u8 = 0x10;
const ANIMATION: u8 = 0x02;
/// What comes in a frame before its chunks (§2.7.1.1).
const FRAME_HEAD: usize = 16;

/// A picture: `VP8L`, coded without loss, or `VP8 `, with loss and perhaps with alpha in a chunk of its own.
#[derive(Debug, Clone, Copy)]
struct Picture<'f> {
    kind: [u8; 4],
    data: &'f [u8],
    alpha: Option<&'f [u8]>,
}

/// The first frame of a file that moves.
#[derive(Debug, Clone, Copy)]
struct Frame<'f> {
    head: &'f [u8; FRAME_HEAD],
    /// What stands behind the first one, and how often it is shown.
    animation: &'f [u8],
}

/// What a file shows first.
#[derive(Debug, Clone, Copy)]
pub(in crate::import) struct Shown<'f> {
    canvas: Size,
    has_alpha: bool,
    picture: Picture<'f>,
    frame: Option<Frame<'f>>,
}

/// Finds what a file shows first, if that has the size that the file states.
pub(in crate::import) fn find(file: &[u8]) -> Result<Shown<'_>, Fault> {
    // Behind the header of the file (§2.4).
    let chunks = file.get(12..).unwrap_or_default();
    let shown = shown(chunks).ok_or_else(|| broken_picture("it has no picture that is whole"))?;
    let stated = match shown.frame {
        Some(frame) => frame_size(frame.head),
        None => Some(shown.canvas),
    };
    let found = shown.picture.size();
    let (Some((width, height)), Some(size)) = (stated, found) else {
        return Err(broken_picture("its picture has no size"));
    };
    if size != (width, height) {
        let message = format!(
            "its picture has {} × {} pixels, not {width} × {height}",
            size.0, size.1
        );
        return Err(broken_picture(&message));
    }
    Ok(shown)
}

impl Shown<'_> {
    /// How many bytes the decoder takes for the prefix codes of its lossless stream, or of its lossless alpha; beyond `most`
    /// they are not counted. Nothing is said of streams that end too soon, which the decoder does.
    pub(in crate::import) fn codes_memory(&self, most: usize) -> Result<usize, Fault> {
        let Picture { kind, data, alpha } = self.picture;
        let size = self.picture.size().unwrap_or_default();
        // One after the other is decoded.
        let picture = match &kind {
            b"VP8L" => stream::of_picture(data, size, most),
            _ => Some(0),
        };
        let alpha = match alpha {
            Some(data) => stream::of_alpha(data, size, most),
            None => Some(0),
        };
        let codes = picture.zip(alpha);
        let codes = codes.map(|(picture, alpha)| picture.max(alpha));
        codes.ok_or_else(|| broken_picture("its prefix codes, or its alpha, are broken"))
    }

    /// How many bytes [`Self::alone`] has at most.
    pub(in crate::import) fn length(&self) -> usize {
        /// Headers of the file and of its chunks.
        const HEADS: usize = 128;
        let alpha = self.picture.alpha.map_or(0, <[u8]>::len);
        let data = self.picture.data.len().saturating_add(alpha);
        data.saturating_add(HEADS)
    }

    /// A file with this and nothing else.
    pub(in crate::import) fn alone(&self) -> Vec<u8> {
        let Picture { kind, data, alpha } = self.picture;
        let mut picture = Vec::with_capacity(self.length());
        if let Some(alpha) = alpha {
            push(&mut picture, *b"ALPH", &[alpha]);
        }
        push(&mut picture, kind, &[data]);
        let animation = if self.frame.is_some() { ANIMATION } else { 0 };
        let flags = if self.has_alpha { ALPHA } else { 0 } | animation;
        let sides = [self.canvas.0, self.canvas.1].map(|side| side.saturating_sub(1).to_le_bytes());
        let [[a, b, c, _], [d, e, f, _]] = sides;
        let mut file = Vec::with_capacity(self.length());
        // The length of all that follows has its place.
        file.extend_from_slice(b"RIFF\0\0\0\0WEBP");
        push(&mut file, *b"VP8X", &[&[flags, 0, 0, 0, a, b, c, d, e, f]]);
        match self.frame {
            Some(frame) => {
                push(&mut file, *b"ANIM", &[frame.animation]);
                push(&mut file, *b"ANMF", &[frame.head, &picture]);
            }
            None => file.extend_from_slice(&picture),
        }
        let length = u32::try_from(file.len().saturating_sub(8)).unwrap_or(u32::MAX);
        if let Some(place) = file.get_mut(4..8) {
            place.copy_from_slice(&length.to_le_bytes());
        }
        file
    }
}

impl<'f> Picture<'f> {
    /// The picture among chunks, as the decoder finds it.
    fn find(chunks: &'f [u8]) -> Option<Self> {
        if let Some(data) = find_chunk(chunks, *b"VP8L") {
            return Some(Self::of(*b"VP8L", data));
        }
        let data = find_chunk(chunks, *b"VP8 ")?;
        let alpha = find_chunk(chunks, *b"ALPH");
        let alone = Self::of(*b"VP8 ", data);
        Some(Self { alpha, ..alone })
    }

    /// The picture that these chunks begin with.
    fn first(chunks: &'f [u8]) -> Option<Self> {
        let (kind, data, rest) = chunk(chunks)?;
        match &kind {
            b"VP8 " | b"VP8L" => Some(Self::of(kind, data)),
            b"ALPH" => {
                let alpha = Some(data);
                let (kind, data, _) = chunk(rest)?;
                let alone = Self::of(kind, data);
                (kind == *b"VP8 ").then_some(Self { alpha, ..alone })
            }
            _ => None,
        }
    }

    fn of(kind: [u8; 4], data: &'f [u8]) -> Self {
        let alpha = None;
        Self { kind, data, alpha }
    }

    /// What its own header says.
    fn size(&self) -> Option<Size> {
        if self.kind == *b"VP8L" {
            return stream::size(self.data);
        }
        // A key frame begins with these (RFC 6386 §9.1); the upper two bits of each side are a scale.
        let head: &[u8; 10] = self.data.first_chunk()?;
        let &[first, _, _, 0x9d, 0x01, 0x2a, a, b, c, d] = head else {
            return None;
        };
        let side = |bytes| Some(u32::from(u16::from_le_bytes(bytes) & 0x3fff)).filter(|&it| it > 0);
        let size = (side([a, b])?, side([c, d])?);
        (first & 1 == 0).then_some(size)
    }

    /// What a lossless one says itself (§3.4).
    fn has_alpha_within(&self) -> bool {
        // Behind the two sides.
        self.kind == *b"VP8L" && self.data.get(4).is_some_and(|byte| byte & 0x10 != 0)
    }
}

fn shown(chunks: &[u8]) -> Option<Shown<'_>> {
    let (kind, content, _) = chunk(chunks)?;
    if kind != *b"VP8X" {
        let picture = Picture::of(kind, content);
        let is_known = matches!(&kind, b"VP8 " | b"VP8L");
        return Some(Shown {
            canvas: picture.size().filter(|_| is_known)?,
            has_alpha: picture.has_alpha_within(),
            picture,
            frame: None,
        });
    }
    let canvas = (side(content, 4)?, side(content, 7)?);
    let flags = *content.first()?;
    let has_alpha = flags & ALPHA != 0;
    if flags & ANIMATION == 0 {
        let found = Picture::find(chunks)?;
        let alpha = found.alpha.filter(|_| has_alpha);
        return Some(Shown {
            canvas,
            has_alpha: has_alpha && (found.kind == *b"VP8L" || alpha.is_some()),
            picture: Picture { alpha, ..found },
            frame: None,
        });
    }
    let (head, inner) = find_chunk(chunks, *b"ANMF")?.split_first_chunk()?;
    let animation = find_chunk(chunks, *b"ANIM")?.get(..6)?;
    Some(Shown {
        canvas,
        has_alpha,
        picture: Picture::first(inner)?,
        frame: Some(Frame { head, animation }),
    })
}

/// The kind of the first chunk, its content as far as it is there, and the chunks behind it (RFC 9649 §2.3).
fn chunk(chunks: &[u8]) -> Option<([u8; 4], &[u8], &[u8])> {
    let (kind, rest) = chunks.split_first_chunk()?;
    let (length, rest) = rest.split_first_chunk()?;
    let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
    // They begin at even places.
    let next = length.checked_next_multiple_of(2)?;
    let content = rest.get(..length).unwrap_or(rest);
    Some((*kind, content, rest.get(next..).unwrap_or_default()))
}

/// The content of the first chunk of a kind.
fn find_chunk(mut chunks: &[u8], wanted: [u8; 4]) -> Option<&[u8]> {
    loop {
        let (kind, content, rest) = chunk(chunks)?;
        if kind == wanted {
            return Some(content);
        }
        chunks = rest;
    }
}

fn push(file: &mut Vec<u8>, kind: [u8; 4], parts: &[&[u8]]) {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    file.extend_from_slice(&kind);
    file.extend_from_slice(&u32::try_from(length).unwrap_or(u32::MAX).to_le_bytes());
    for part in parts {
        file.extend_from_slice(part);
    }
    if !length.is_multiple_of(2) {
        file.push(0);
    }
}

/// The size of a frame (RFC 9649 §2.7.1.1).
fn frame_size(head: &[u8]) -> Option<Size> {
    Some((side(head, 6)?, side(head, 9)?))
}

/// A side in three bytes, which is one more than they say.
fn side(bytes: &[u8], at: usize) -> Option<u32> {
    let [a, b, c] = *bytes.get(at..)?.first_chunk()?;
    u32::from_le_bytes([a, b, c, 0]).checked_add(1)
}
