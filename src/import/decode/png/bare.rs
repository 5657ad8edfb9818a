//! What of a damaged PNG its picture is made of (PNG, third edition, §5): no chunk more, those that there are with their
//! checksums, and an end.

use flate2::Crc;

use super::chunks::SIGNATURE;

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
