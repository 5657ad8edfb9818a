//! The chunks of a PNG (PNG, third edition, §5): finds the compressed data, if all of them are as usual.

use flate2::Crc;

use super::Shape;

const SIGNATURE: &[u8; 8] = b"\x89PNG\r\n\x1a\n";

/// The compressed data, part by part; none if anything is unusual up to their end.
pub(super) fn data(bytes: &[u8], shape: Shape) -> Option<Vec<&[u8]>> {
    let mut rest = bytes.strip_prefix(SIGNATURE)?;
    let (kind, header) = next(&mut rest)?;
    (kind == *b"IHDR" && header == expected_header(shape)?).then_some(())?;
    let mut data = Vec::new();
    let mut is_seen = false;
    loop {
        // Without an end there may be data missing.
        let (kind, content) = next(&mut rest)?;
        match &kind {
            b"IDAT" => {
                is_seen = true;
                // To keep an empty one would take more memory than it has in the file.
                data.extend(Some(content).filter(|content| !content.is_empty()));
            }
            // What `image` would decode otherwise.
            b"tRNS" | b"acTL" | b"fcTL" | b"fdAT" | b"PLTE" | b"IHDR" => return None,
            _ if is_seen => return Some(data),
            // Without this bit it must be known (§5.4).
            [first, ..] if first & 0x20 == 0 => return None,
            _ => {}
        }
    }
}

/// The header of such a picture with 8 bits a channel, not interlaced (§11.2.1).
fn expected_header(shape: Shape) -> Option<[u8; 13]> {
    let colour = match shape.channels {
        3 => 2,
        4 => 6,
        _ => return None,
    };
    let [w0, w1, w2, w3] = shape.width.to_be_bytes();
    let [h0, h1, h2, h3] = shape.height.to_be_bytes();
    Some([w0, w1, w2, w3, h0, h1, h2, h3, 8, colour, 0, 0, 0])
}

/// Takes a chunk off the front, if its checksum is right.
fn next<'b>(rest: &mut &'b [u8]) -> Option<([u8; 4], &'b [u8])> {
    let (length, after) = rest.split_first_chunk::<4>()?;
    let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
    let (checked, after) = after.split_at_checked(length.checked_add(4)?)?;
    let (sum, after) = after.split_first_chunk::<4>()?;
    let mut crc = Crc::new();
    crc.update(checked);
    (crc.sum() == u32::from_be_bytes(*sum)).then_some(())?;
    *rest = after;
    let (kind, content) = checked.split_first_chunk::<4>()?;
    Some((*kind, content))
}
