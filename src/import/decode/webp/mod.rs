//! What the prefix codes of a WebP picture take while it is decoded. A few bytes may state a table of many kilobytes, a
//! small file thousands of them, and the decoder makes all that a file states (WebP Image Format, RFC 9649).

mod code;
mod stream;

#[cfg(test)]
mod tests;

/// Width and height, in pixels.
type Size = (u32, u32);

/// How many bytes the decoder takes for the prefix codes of a file whose header states the size of its picture: those of
/// its lossless stream, or of its lossless alpha (RFC 9649 §2.7.1.2). Beyond `most` they are not counted.
pub(in crate::import) fn codes_memory(file: &[u8], canvas: Size, most: usize) -> usize {
    // Behind the header of the file (RFC 9649 §2.4).
    let chunks = file.get(12..).unwrap_or_default();
    // The first frame of an animation is a box of chunks.
    let frame = find(chunks, *b"ANMF").unwrap_or_default();
    let frame_chunks = frame.get(16..).unwrap_or_default();
    let places = [
        (chunks, Some(canvas)),
        (frame_chunks, Some(canvas)),
        (
            frame_chunks,
            frame_size(frame).filter(|&size| fits(size, canvas)),
        ),
    ];
    // One after the other is decoded.
    let taken = places.iter().map(|&(chunks, size)| {
        let size = size?;
        let picture = find(chunks, *b"VP8L").map(|data| stream::of_picture(data, size, most));
        let alpha = find(chunks, *b"ALPH").map(|data| stream::of_alpha(data, size, most));
        picture.max(alpha)
    });
    taken.max().flatten().unwrap_or(0)
}

/// The content of the first chunk of a kind, as much as there is of it (RFC 9649 §2.3).
fn find(mut chunks: &[u8], wanted: [u8; 4]) -> Option<&[u8]> {
    loop {
        let (kind, rest) = chunks.split_first_chunk()?;
        let (length, rest) = rest.split_first_chunk()?;
        let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
        if *kind == wanted {
            return Some(rest.get(..length).unwrap_or(rest));
        }
        // They begin at even places.
        chunks = rest.get(length.checked_next_multiple_of(2)?..)?;
    }
}

fn fits((width, height): Size, (most_width, most_height): Size) -> bool {
    width <= most_width && height <= most_height
}

/// The size of a frame (RFC 9649 §2.7.1.1).
fn frame_size(frame: &[u8]) -> Option<Size> {
    let side = |at: usize| {
        let [a, b, c] = *frame.get(at..)?.first_chunk()?;
        u32::from_le_bytes([a, b, c, 0]).checked_add(1)
    };
    Some((side(6)?, side(9)?))
}
