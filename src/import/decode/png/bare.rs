//! What of a damaged PNG its picture is made of (PNG, third edition, §5): no chunk more, those that there are with their
//! checksums, and an end.

use flate2::Crc;

use fearless_simd::Level;

use super::{Opened, Picture, chunks::SIGNATURE, inflate::Inflating};

/// A file that has nothing but the picture, as far as it goes; none of what is no PNG.
pub(in crate::import) fn bare(file: &[u8]) -> Option<Vec<u8>> {
    let mut rest = file.strip_prefix(&SIGNATURE)?;
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(longest(file)).ok()?;
    bytes.extend_from_slice(&SIGNATURE);
    let mut before = Vec::new();
    while let Some((&[l0, l1, l2, l3, kind @ ..], after)) = rest.split_first_chunk::<8>() {
        let length = usize::try_from(u32::from_be_bytes([l0, l1, l2, l3])).ok()?;
        let (content, after) = after.split_at_checked(length).unwrap_or((after, &[]));
        rest = after.get(4..).unwrap_or_default();
        let is_kept = match &kind {
            b"IDAT" => true,
            // One each, and before the data.
            b"IHDR" | b"PLTE" | b"tRNS" => !before.contains(&kind) && !before.contains(b"IDAT"),
            b"IEND" => break,
            _ => false,
        };
        if is_kept {
            write(kind, content, &mut bytes)?;
            if before.last() != Some(&kind) {
                before.push(kind);
            }
        }
    }
    write(*b"IEND", &[], &mut bytes)?;
    Some(bytes)
}

/// The file without colour profiles, which nobody asks for and which take long to unpack; none if there is none before the
/// data.
pub(in crate::import) fn without_profiles(file: &[u8]) -> Option<Vec<u8>> {
    let mut rest = file.strip_prefix(&SIGNATURE)?;
    let mut bytes = SIGNATURE.to_vec();
    let mut is_found = false;
    while let Some(&[l0, l1, l2, l3, ref kind @ ..]) = rest.first_chunk::<8>()
        && kind != b"IDAT"
    {
        let length = usize::try_from(u32::from_be_bytes([l0, l1, l2, l3])).ok()?;
        // Length and kind stand before what a chunk has, and its checksum behind.
        let (chunk, after) = rest.split_at_checked(length.checked_add(12)?)?;
        if kind == b"iCCP" {
            is_found = true;
        } else {
            bytes.extend_from_slice(chunk);
        }
        rest = after;
    }
    bytes.extend_from_slice(if is_found { rest } else { &[] });
    is_found.then_some(bytes)
}

impl Opened<'_> {
    /// The pixels of all rows that are there, and zeros for the others; none if there is no row.
    pub(in crate::import) fn salvage(self) -> Option<Vec<u8>> {
        let width = usize::try_from(self.shape.width).ok()?;
        let height = usize::try_from(self.shape.height).ok()?;
        let length = width.checked_mul(self.shape.channels)?;
        let (zeros, row) = (vec![0; length], length.checked_add(1)?);
        let mut pixels = vec![0; length.checked_mul(height)?];
        let mut picture = Picture {
            level: Level::new(),
            channels: self.shape.channels,
            above: &zeros,
            rows: &mut pixels,
        };
        let mut inflating = Inflating::new(self.chunks, row, height);
        let mut count = 0_usize;
        let mut add = |rows: &[u8]| {
            rows.chunks_exact(row).all(|row| {
                let is_added = picture.add(row).is_some();
                count = count.saturating_add(is_added.into());
                is_added
            })
        };
        let mut is_sound = true;
        while is_sound && let Some((part, is_last)) = inflating.next() {
            is_sound = add(part.rows()?) && !is_last;
            inflating.give_back(part);
        }
        if is_sound && let Some(part) = inflating.into_broken() {
            add(part.rows()?);
        }
        (count > 0).then_some(pixels)
    }
}

/// How many bytes may come out.
pub(in crate::import) fn longest(file: &[u8]) -> usize {
    // The last chunk may have no checksum, and there may be no end.
    file.len().saturating_add(16)
}

fn write(kind: [u8; 4], content: &[u8], bytes: &mut Vec<u8>) -> Option<()> {
    let mut sum = Crc::new();
    sum.update(&kind);
    sum.update(content);
    bytes.extend(u32::try_from(content.len()).ok()?.to_be_bytes());
    bytes.extend(kind);
    bytes.extend_from_slice(content);
    bytes.extend(sum.sum().to_be_bytes());
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profiles_are_left_out_wherever_they_stand_before_the_data() {
        let mut file = SIGNATURE.to_vec();
        let chunks = [*b"IHDR", *b"teXt", *b"PLTE", *b"IDAT", *b"iCCP", *b"IEND"];
        for kind in chunks {
            write(kind, b"IDAT of no chunk", &mut file).unwrap();
        }
        assert_eq!(without_profiles(&file), None);
        for place in 1..=3 {
            let mut with = SIGNATURE.to_vec();
            for (index, kind) in chunks.into_iter().enumerate() {
                if index == place {
                    write(*b"iCCP", b"a profile", &mut with).unwrap();
                }
                write(kind, b"IDAT of no chunk", &mut with).unwrap();
            }
            assert_eq!(without_profiles(&with).unwrap(), file, "{place}");
        }
    }
}
