//! KTX2 with Basis Universal data (ETC1S or UASTC) → texels that can be sampled. The transcoding itself is that of
//! `basisu`; what it would take on trust is checked here first.
//!
//! Only the first layer and face are decoded.

use basisu::{DecodeFlags, SourceFormat, TargetFormat, Transcoder};

use super::{Complaint, invalid, too_short, unsupported_picture};
use crate::{
    import::{budget::Budget, diagnostics::Fault},
    model::{BlockFormats, Image, TexelFormat},
};

/// The first bytes of every file of this kind.
pub(in crate::import) const MAGIC: &[u8] = b"\xabKTX 20\xbb\r\n\x1a\n";

/// The numbers at the start of a file that matter here (KTX 2.0 §3).
#[derive(Debug, Clone, Copy)]
struct Header {
    format: u32,
    width: u32,
    height: u32,
    /// Layers and faces: there should be one.
    pictures: u64,
    levels: u32,
    supercompression: u32,
    /// Where the data that all levels share begin, and how many bytes they have.
    global: (u64, u64),
}

/// Decodes all mip levels, into blocks if `sampled` has a format that suits. No side may be longer than `longest`. What
/// is wrong with smaller levels comes back beside the others.
pub(in crate::import) fn decode(
    bytes: &[u8],
    longest: u32,
    sampled: BlockFormats,
    budget: &Budget,
) -> Result<(Image, Vec<Complaint>), Fault> {
    let header = Header::read(bytes).ok_or_else(too_short)?;
    let unpacked = header.check(bytes, longest)?;
    // Of several pictures all are unpacked.
    let _others = match header.pictures {
        1 => None,
        _ => Some(budget.hold_loaded(unpacked)?),
    };
    check_codebooks(bytes, header, budget)?;
    let Header { width, height, .. } = header;
    // The blocks and the codebooks that texels are made of, which go again.
    let texels = TexelFormat::Rgba8.size(width, height);
    budget.check(texels.saturating_mul(2))?;
    let failed = |error: basisu::Error| invalid(format!("it cannot be decoded: {error:?}"));
    let transcoder = Transcoder::new(bytes).map_err(failed)?;
    let source = transcoder.source_format();
    let is_known = matches!(source, SourceFormat::Etc1s | SourceFormat::UastcLdr);
    if !is_known || transcoder.base_dimensions() != (width, height) {
        return Err(unsupported_picture(&format!("KTX2 with {source:?}")));
    }
    let levels = header
        .levels
        .clamp(1, width.max(height).ilog2().saturating_add(1));
    let mut image = Image {
        width,
        height,
        format: suitable(source, sampled, header),
        ..Image::default()
    };
    let read_level = |image: &mut Image, level: u32| -> Result<(), Fault> {
        let (width, height) = image.level_size(image.levels.len());
        let size = image.format.size(width, height);
        budget.charge(size, 1)?;
        let target = target(image.format);
        // Normals and roughness are no colours, and what blocks say of these is not smoothed either.
        let flags = DecodeFlags::NO_ETC1S_CHROMA_FILTERING;
        let texels = transcoder.transcode_image(level, 0, 0, target, flags);
        let texels = texels.map_err(failed)?;
        if texels.len() != size {
            return Err(invalid("it has not the size that it should have"));
        }
        image.levels.push(texels);
        Ok(())
    };
    read_level(&mut image, 0)?;
    for level in 1..levels {
        if let Err(fault) = read_level(&mut image, level) {
            // Without levels of its own it gets some that are made of the first, which blocks do not allow.
            image.levels.truncate(1);
            if image.format != TexelFormat::Rgba8 {
                image.format = TexelFormat::Rgba8;
                image.levels.clear();
                read_level(&mut image, 0)?;
            }
            let complaint = Complaint::new(fault, "smaller levels are made of the first");
            return Ok((image, vec![complaint]));
        }
    }
    Ok((image, Vec::new()))
}

/// The format that loses least: blocks of ETC1S are blocks of ETC2, those of UASTC become ASTC without loss. GPUs want
/// whole blocks, and smaller levels can be made of plain texels only: an image without any would flicker.
fn suitable(source: SourceFormat, sampled: BlockFormats, header: Header) -> TexelFormat {
    let Header {
        width,
        height,
        levels,
        ..
    } = header;
    let BlockFormats { bc7, etc2, astc } = sampled;
    let bc7 = (bc7, TexelFormat::Bc7);
    let etc2 = (etc2, TexelFormat::Etc2);
    let astc = (astc, TexelFormat::Astc);
    let order = match source {
        SourceFormat::Etc1s => [etc2, bc7, astc],
        _ => [astc, bc7, etc2],
    };
    let is_whole = width.is_multiple_of(4) && height.is_multiple_of(4);
    let best = order.into_iter().find(|(is_sampled, _)| *is_sampled);
    best.filter(|_| is_whole && levels > 1)
        .map_or(TexelFormat::Rgba8, |(_, format)| format)
}

fn target(format: TexelFormat) -> TargetFormat {
    match format {
        TexelFormat::Rgba8 | TexelFormat::Rgb8 | TexelFormat::Grey8 => TargetFormat::Rgba32,
        TexelFormat::Bc7 => TargetFormat::Bc7Rgba,
        TexelFormat::Etc2 => TargetFormat::Etc2Rgba,
        TexelFormat::Astc => TargetFormat::Astc4x4Rgba,
    }
}

impl Header {
    fn read(bytes: &[u8]) -> Option<Self> {
        Some(Self {
            format: number(bytes, 12)?,
            width: number(bytes, 20)?,
            height: number(bytes, 24)?,
            pictures: u64::from(number(bytes, 32)?.max(1))
                .saturating_mul(number(bytes, 36)?.max(1).into()),
            levels: number(bytes, 40)?,
            supercompression: number(bytes, 44)?,
            global: (wide(bytes, 64)?, wide(bytes, 72)?),
        })
    }

    /// Checks what memory and time depend on; the result is how many bytes all levels have when they are unpacked.
    fn check(self, bytes: &[u8], longest: u32) -> Result<usize, Fault> {
        if self.format != 0 {
            let message = format!("KTX2 of Vulkan format {}", self.format);
            return Err(unsupported_picture(&message));
        }
        // None, BasisLZ and Zstandard.
        if self.supercompression > 2 {
            let message = format!("KTX2 of supercompression scheme {}", self.supercompression);
            return Err(unsupported_picture(&message));
        }
        let (width, height) = (self.width, self.height);
        if !(1..=longest).contains(&width) || !(1..=longest).contains(&height) {
            return Err(invalid(format!(
                "its size of {width} × {height} is out of range"
            )));
        }
        let (offset, length) = self.global;
        let available = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        if offset.checked_add(length).is_none_or(|end| end > available) {
            return Err(too_short());
        }
        let blocks = u64::from(width.div_ceil(4)).saturating_mul(height.div_ceil(4).into());
        let blocks = blocks.saturating_mul(self.pictures);
        let mut all = 0_u64;
        for level in 0..self.levels.min(32) {
            let entry = usize::try_from(level).map_or(usize::MAX, |level| level.saturating_mul(24));
            let entry = entry.saturating_add(80);
            let field =
                |place: usize| wide(bytes, entry.saturating_add(place)).ok_or_else(too_short);
            let (offset, length, unpacked) = (field(0)?, field(8)?, field(16)?);
            if offset.checked_add(length).is_none_or(|end| end > available) {
                return Err(too_short());
            }
            // A block of UASTC has 16 bytes; Zstandard is unpacked to as many as the file says.
            if unpacked > blocks.saturating_mul(16) {
                return Err(invalid(format!(
                    "level {level} would have {unpacked} bytes"
                )));
            }
            all = all.saturating_add(unpacked);
        }
        Ok(usize::try_from(all).unwrap_or(usize::MAX))
    }
}

/// Checks and pays for the codebooks of `BasisLZ`, which are made before anything is known of the texels (KTX 2.0 §3.12.2).
fn check_codebooks(bytes: &[u8], header: Header, budget: &Budget) -> Result<(), Fault> {
    const BASIS_LZ: u32 = 1;
    /// What one takes while it is made.
    const ENTRY: usize = 16;
    if header.supercompression != BASIS_LZ {
        return Ok(());
    }
    let (offset, length) = header.global;
    let offset = usize::try_from(offset).map_err(|_| too_short())?;
    let count = |place: usize| {
        let chunk = bytes.get(offset.checked_add(place)?..)?.first_chunk()?;
        Some(u16::from_le_bytes(*chunk))
    };
    let (endpoints, selectors) = count(0).zip(count(2)).ok_or_else(too_short)?;
    let entries = u64::from(endpoints).saturating_add(selectors.into());
    // Each takes a bit at least.
    if entries > length.saturating_mul(8) {
        return Err(invalid(format!(
            "{length} bytes cannot hold {entries} entries of codebooks"
        )));
    }
    budget.charge_loaded(usize::try_from(entries).map_or(usize::MAX, |it| it.saturating_mul(ENTRY)))
}

fn number(bytes: &[u8], offset: usize) -> Option<u32> {
    let chunk = bytes.get(offset..)?.first_chunk()?;
    Some(u32::from_le_bytes(*chunk))
}

fn wide(bytes: &[u8], offset: usize) -> Option<u64> {
    let chunk = bytes.get(offset..)?.first_chunk()?;
    Some(u64::from_le_bytes(*chunk))
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLORS: [[u8; 4]; 4] = [
        [10, 200, 77, 128],
        [255, 0, 0, 255],
        [0, 255, 0, 255],
        [0, 0, 255, 64],
    ];

    /// A file of 8 × 4 pixels in UASTC, each level all of one colour.
    fn solid(supercompression: u32, level_count: u32) -> Vec<u8> {
        let levels = (0..level_count).zip(COLORS).map(|(level, color)| {
            // Mode 8 of UASTC: the code 10111, then the colour.
            let color = u128::from(u32::from_le_bytes(color));
            let count = if level == 0 { 2 } else { 1 };
            let blocks = (0b10111 | (color << 5)).to_le_bytes().repeat(count);
            let unpacked = blocks.len() as u64;
            if supercompression == 2 {
                // A Zstandard frame of one segment with one raw block (RFC 8878).
                let size = blocks.len() as u8;
                let head = (u32::from(size) << 3 | 1).to_le_bytes();
                let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0x20, size];
                frame.extend(&head[..3]);
                frame.extend(&blocks);
                (frame, unpacked)
            } else {
                (blocks, unpacked)
            }
        });
        let levels: Vec<_> = levels.collect();
        let mut bytes = MAGIC.to_vec();
        let data_format = 80 + 24 * level_count;
        for number in [
            0,
            1,
            8,
            4,
            0,
            0,
            1,
            level_count,
            supercompression,
            data_format,
            44,
            0,
            0,
            0,
            0,
            0,
            0,
        ] {
            bytes.extend(number.to_le_bytes());
        }
        let mut offset = u64::from(data_format) + 44;
        for (level, unpacked) in &levels {
            for number in [offset, level.len() as u64, *unpacked] {
                bytes.extend(number.to_le_bytes());
            }
            offset += level.len() as u64;
        }
        // The data format: UASTC with alpha, sRGB.
        for number in [
            44,
            0,
            2 | (40 << 16),
            166 | (1 << 8) | (2 << 16),
            0x0303,
            16,
            0,
            3 << 24,
        ] {
            bytes.extend(u32::to_le_bytes(number));
        }
        bytes.resize(data_format as usize + 44, 0);
        bytes.extend(levels.into_iter().flat_map(|(level, _)| level));
        bytes
    }

    const NONE: BlockFormats = BlockFormats {
        bc7: false,
        etc2: false,
        astc: false,
    };

    #[test]
    fn reads_uastc_with_all_its_levels() {
        for supercompression in [0, 2] {
            for level_count in 1..=4 {
                let bytes = solid(supercompression, level_count);
                let (image, complaint) = decode(&bytes, 64, NONE, &Budget::default()).unwrap();
                assert_eq!(complaint, []);
                assert_eq!((image.width, image.height), (8, 4));
                let texels = [32, 8, 2, 1].into_iter().zip(COLORS);
                let texels = texels.map(|(count, color)| color.repeat(count));
                let expected: Vec<_> = texels.take(level_count as usize).collect();
                assert_eq!(image.levels, expected);
            }
        }
    }

    /// The decoder unpacks them all, though only the first is shown.
    #[test]
    fn all_layers_count_as_loaded() {
        let mut bytes = solid(2, 1);
        // 64 layers of 1,024 × 1,024 pixels, which have a megabyte each.
        for (place, number) in [(20, 1024_u32), (24, 1024), (32, 64)] {
            bytes[place..place + 4].copy_from_slice(&number.to_le_bytes());
        }
        bytes[96..104].copy_from_slice(&(64_u64 << 20).to_le_bytes());
        let budget = Budget::default();
        let code = || decode(&bytes, 1024, NONE, &budget).unwrap_err().code;
        assert_ne!(code(), "MEMORY_BUDGET_EXCEEDED");
        let mut others = (0..4).map(|_| code());
        assert!(others.any(|code| code == "MEMORY_BUDGET_EXCEEDED"));
    }

    #[test]
    fn hands_out_blocks_that_are_sampled() {
        for (sampled, expected) in [
            (BlockFormats { bc7: true, ..NONE }, TexelFormat::Bc7),
            (BlockFormats { etc2: true, ..NONE }, TexelFormat::Etc2),
            (
                BlockFormats {
                    bc7: true,
                    etc2: true,
                    astc: true,
                },
                TexelFormat::Astc,
            ),
        ] {
            let (image, _) = decode(&solid(0, 4), 64, sampled, &Budget::default()).unwrap();
            assert_eq!(image.format, expected);
            let sizes: Vec<_> = image.levels.iter().map(Vec::len).collect();
            assert_eq!(sizes, [32, 16, 16, 16]);
        }
        let all = BlockFormats {
            bc7: true,
            etc2: true,
            astc: true,
        };
        let best = |width, levels| {
            let mut header = Header::read(&solid(0, levels)).unwrap();
            header.width = width;
            suitable(SourceFormat::Etc1s, all, header)
        };
        assert_eq!(best(8, 2), TexelFormat::Etc2);
        assert_eq!(best(6, 2), TexelFormat::Rgba8);
        assert_eq!(best(8, 1), TexelFormat::Rgba8);
    }

    #[test]
    fn goes_without_smaller_levels_that_are_broken() {
        let mut bytes = solid(2, 3);
        let third = bytes.len() - 25;
        // No Zstandard frame any more.
        bytes[third] ^= 1;
        let (image, complaint) = decode(&bytes, 64, NONE, &Budget::default()).unwrap();
        assert_eq!(complaint[0].fault.code, "COMPRESSED_DATA_INVALID");
        assert_eq!(image.levels, [COLORS[0].repeat(32)]);
        // Smaller levels cannot be made of blocks.
        let sampled = BlockFormats { bc7: true, ..NONE };
        let (image, complaint) = decode(&bytes, 64, sampled, &Budget::default()).unwrap();
        assert_eq!(image.format, TexelFormat::Rgba8);
        assert_eq!(image.levels, [COLORS[0].repeat(32)]);
        assert_eq!(complaint.len(), 1);
    }

    #[test]
    fn names_damage() {
        for (supercompression, level_count) in [(0, 1), (2, 1), (2, 4)] {
            let bytes = solid(supercompression, level_count);
            for length in 0..bytes.len() {
                let decoded = decode(&bytes[..length], 64, NONE, &Budget::default());
                assert!(decoded.is_err(), "{length}");
            }
            for bit in 0..bytes.len() * 8 {
                let mut bytes = bytes.clone();
                bytes[bit / 8] ^= 1 << (bit % 8);
                if let Ok((image, _)) = decode(&bytes, 64, NONE, &Budget::default()) {
                    for (level, texels) in image.levels.iter().enumerate() {
                        let (width, height) = image.level_size(level);
                        assert_eq!(texels.len() as u32, width * height * 4);
                    }
                }
            }
        }
    }

    #[test]
    fn takes_the_first_of_several_layers() {
        let mut bytes = solid(0, 1);
        bytes[32] = 2;
        let start = bytes.len() - 32;
        bytes[88] *= 2;
        bytes[96] *= 2;
        bytes.extend(bytes[start..].to_vec());
        let (image, complaint) = decode(&bytes, 64, NONE, &Budget::default()).unwrap();
        assert_eq!(image.levels, [COLORS[0].repeat(32)]);
        assert_eq!(complaint, []);
    }

    #[test]
    fn refuses_what_would_cost_much() {
        let budget = Budget::default();
        let mut bytes = solid(2, 1);
        bytes[80 + 16 + 6] = 1;
        assert!(decode(&bytes, 64, NONE, &budget).is_err());
        // Codebooks beyond the file, and more entries than their bytes have bits.
        let mut bytes = solid(0, 1);
        bytes[44] = 1;
        bytes[64..72].copy_from_slice(&0xffff_ffff_ffff_fff0_u64.to_le_bytes());
        assert!(decode(&bytes, 64, NONE, &budget).is_err());
        bytes[64..72].copy_from_slice(&80_u64.to_le_bytes());
        bytes[72] = 8;
        bytes[80..84].fill(0xff);
        let fault = decode(&bytes, 64, NONE, &budget).unwrap_err();
        assert_eq!(fault.code, "COMPRESSED_DATA_INVALID");
        let mut bytes = solid(0, 1);
        bytes[20..28].copy_from_slice(&[0, 128, 0, 0, 0, 128, 0, 0]);
        let fault = decode(&bytes, 32_768, NONE, &budget).unwrap_err();
        assert_eq!(fault.code, "MEMORY_BUDGET_EXCEEDED");
    }
}
