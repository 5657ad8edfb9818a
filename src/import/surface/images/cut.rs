//! Images that end before their pictures begin: the validator has another name for them than for data that are wrong.

/// The validator's name for an image that ends too early.
pub(super) const UNEXPECTED_END: &str = "IMAGE_UNEXPECTED_EOS";

/// Longer ones have begun.
pub(super) const MOST: usize = 1 << 16;

/// Whether an image that is no longer than these bytes ends before its size and what it holds are told.
pub(super) fn is_cut(bytes: &[u8]) -> bool {
    if let Some(chunks) = bytes.strip_prefix(b"\x89PNG\r\n\x1a\n") {
        is_cut_png(chunks)
    } else if let Some(segments) = bytes.strip_prefix(&[0xff, 0xd8]) {
        is_cut_jpeg(segments)
    } else {
        // The head of a file, of its first chunk, and of a picture.
        let head = match bytes.get(12..16) {
            Some(b"VP8L") => 12 + 8 + 5,
            _ => 12 + 8 + 10,
        };
        bytes.starts_with(b"RIFF") && bytes.len() < head
    }
}

/// Whether there is no chunk of data, and none that is not whole.
fn is_cut_png(mut chunks: &[u8]) -> bool {
    /// The bytes of the checksum behind the data of a chunk.
    const CHECKSUM: usize = 4;
    loop {
        let Some((length, rest)) = chunks.split_first_chunk() else {
            return true;
        };
        let Some((kind, rest)) = rest.split_first_chunk::<4>() else {
            return true;
        };
        if matches!(kind, b"IDAT" | b"IEND") {
            return false;
        }
        let length = usize::try_from(u32::from_be_bytes(*length)).unwrap_or(usize::MAX);
        let Some(rest) = rest.get(length.saturating_add(CHECKSUM)..) else {
            return true;
        };
        chunks = rest;
    }
}

/// Whether there is no segment that tells the size.
fn is_cut_jpeg(mut segments: &[u8]) -> bool {
    loop {
        let (marker, rest) = match *segments {
            [] | [0xff] => return true,
            [0xff, 0xff, ..] => {
                segments = segments.get(1..).unwrap_or_default();
                continue;
            }
            [0xff, marker, ref rest @ ..] => (marker, rest),
            _ => return false,
        };
        // From here on there are no more segments.
        if matches!(marker, 0xd9 | 0xda) {
            return false;
        }
        let Some(length) = rest.first_chunk() else {
            return true;
        };
        let length = usize::from(u16::from_be_bytes(*length));
        let Some(rest) = rest.get(length..) else {
            return true;
        };
        let is_frame = matches!(marker, 0xc0..=0xcf) && !matches!(marker, 0xc4 | 0xc8 | 0xcc);
        if is_frame || length < 2 {
            return false;
        }
        segments = rest;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many bytes there must be.
    fn least(whole: &[u8]) -> usize {
        assert!(!is_cut(whole));
        let mut cut = (12..whole.len()).filter(|&end| !is_cut(&whole[..end]));
        let least = cut.next().unwrap();
        assert!(cut.eq(least + 1..whole.len()));
        least
    }

    #[test]
    fn what_ends_in_its_head_is_told_from_what_is_wrong() {
        let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
        for (kind, length) in [(b"IHDR", 13_u8), (b"gAMA", 4), (b"IDAT", 9)] {
            png.extend([0, 0, 0, length]);
            png.extend(kind);
            png.extend(vec![7; usize::from(length) + 4]);
        }
        assert_eq!(least(&png), 8 + 25 + 16 + 8);

        let mut jpeg = vec![0xff, 0xd8];
        for (marker, length) in [(0xe0, 16_u8), (0xdb, 67), (0xc2, 17), (0xda, 12)] {
            jpeg.extend([0xff, 0xff, marker, 0, length]);
            jpeg.extend(vec![7; usize::from(length) - 2]);
        }
        assert_eq!(least(&jpeg), 2 + 3 * 3 + 16 + 67 + 17);
        // What is none is not cut.
        for wrong in [
            &[0xff, 0xd8, 0xff, 0xe0, 0, 0, 1][..],
            &[0xff, 0xd8, 7],
            b"GIF8",
        ] {
            assert!(!is_cut(wrong));
        }

        for (kind, head) in [(b"VP8 ", 30), (b"VP8L", 25), (b"VP8X", 30)] {
            let webp = [&b"RIFF\x30\0\0\0WEBP"[..], kind, &[7; 40]].concat();
            assert_eq!(least(&webp), head);
        }
    }
}
