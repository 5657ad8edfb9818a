//! KTX2 with Basis Universal data (ETC1S or UASTC) → pixels. The transcoding itself is that of `basisu`; what it would
//! take on trust is checked here first.
//!
//! Only the first image of the largest level is decoded; smaller levels that the file brings along are ignored.

use basisu::{DecodeFlags, SourceFormat, TargetFormat, Transcoder};

use super::{invalid, too_short};
use crate::import::{budget::Budget, diagnostics::Fault};

/// The first bytes of every file of this kind.
pub(in crate::import) const MAGIC: &[u8] = b"\xabKTX 20\xbb\r\n\x1a\n";

/// The numbers at the start of a file that matter here (KTX 2.0 §3).
#[derive(Debug, Clone, Copy)]
struct Header {
    format: u32,
    width: u32,
    height: u32,
    levels: u32,
    supercompression: u32,
}

/// Decodes to width, height and RGBA in bytes. No side may be longer than `longest`.
pub(in crate::import) fn decode(
    bytes: &[u8],
    longest: u32,
    budget: &Budget,
) -> Result<(u32, u32, Vec<u8>), Fault> {
    let header = Header::read(bytes).ok_or_else(too_short)?;
    header.check(bytes, longest, budget)?;
    let failed = |error: basisu::Error| invalid(format!("it cannot be decoded: {error:?}"));
    let transcoder = Transcoder::new(bytes).map_err(failed)?;
    let is_known = matches!(
        transcoder.source_format(),
        SourceFormat::Etc1s | SourceFormat::UastcLdr
    );
    if !is_known || transcoder.base_dimensions() != (header.width, header.height) {
        let format = transcoder.source_format();
        return Err(unsupported(&format!("KTX2 with {format:?}")));
    }
    let pixels = transcoder
        .transcode_image(0, 0, 0, TargetFormat::Rgba32, DecodeFlags::NONE)
        .map_err(failed)?;
    Ok((header.width, header.height, pixels))
}

impl Header {
    fn read(bytes: &[u8]) -> Option<Self> {
        Some(Self {
            format: number(bytes, 12)?,
            width: number(bytes, 20)?,
            height: number(bytes, 24)?,
            levels: number(bytes, 40)?,
            supercompression: number(bytes, 44)?,
        })
    }

    /// Checks what memory and time depend on.
    fn check(self, bytes: &[u8], longest: u32, budget: &Budget) -> Result<(), Fault> {
        if self.format != 0 {
            let message = format!("KTX2 of Vulkan format {}", self.format);
            return Err(unsupported(&message));
        }
        // None, BasisLZ and Zstandard.
        if self.supercompression > 2 {
            let message = format!("KTX2 of supercompression scheme {}", self.supercompression);
            return Err(unsupported(&message));
        }
        let (width, height) = (self.width, self.height);
        if !(1..=longest).contains(&width) || !(1..=longest).contains(&height) {
            return Err(invalid(format!(
                "its size of {width} × {height} is out of range"
            )));
        }
        let blocks = u64::from(width.div_ceil(4)).saturating_mul(height.div_ceil(4).into());
        let available = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
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
        }
        // The pixels; and the blocks that they are made of, which go again.
        let pixels = usize::try_from(u64::from(width).saturating_mul(height.into()));
        let pixels = pixels.unwrap_or(usize::MAX);
        budget.check(pixels.saturating_mul(6))?;
        budget.charge(pixels, 4)
    }
}

fn unsupported(what: &str) -> Fault {
    Fault::warning("IMAGE_FORMAT_UNSUPPORTED", format!("{what} cannot be read"))
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

    const COLOR: [u8; 4] = [10, 200, 77, 128];

    /// A file of 8 × 4 pixels in UASTC, all of one colour.
    fn solid(supercompression: u32) -> Vec<u8> {
        // Mode 8 of UASTC: the code 10111, then the colour.
        let color = u128::from(u32::from_le_bytes(COLOR));
        let blocks = (0b10111 | (color << 5)).to_le_bytes().repeat(2);
        let level = if supercompression == 2 {
            // A Zstandard frame of one segment with one raw block (RFC 8878).
            let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0x20, 32, 1, 1, 0];
            frame.extend(&blocks);
            frame
        } else {
            blocks
        };
        let mut bytes = MAGIC.to_vec();
        for number in [
            0,
            1,
            8,
            4,
            0,
            0,
            1,
            1,
            supercompression,
            104,
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
        for number in [148, level.len() as u64, 32] {
            bytes.extend(number.to_le_bytes());
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
        bytes.resize(148, 0);
        bytes.extend(level);
        bytes
    }

    #[test]
    fn reads_uastc() {
        for supercompression in [0, 2] {
            let decoded = decode(&solid(supercompression), 64, &Budget::default()).unwrap();
            assert_eq!(decoded, (8, 4, COLOR.repeat(32)));
        }
    }

    #[test]
    fn names_damage() {
        for supercompression in [0, 2] {
            let bytes = solid(supercompression);
            for length in 0..bytes.len() {
                assert!(
                    decode(&bytes[..length], 64, &Budget::default()).is_err(),
                    "{length}"
                );
            }
            for bit in 0..bytes.len() * 8 {
                let mut bytes = bytes.clone();
                bytes[bit / 8] ^= 1 << (bit % 8);
                if let Ok((width, height, pixels)) = decode(&bytes, 64, &Budget::default()) {
                    assert_eq!(pixels.len() as u32, width * height * 4);
                }
            }
        }
    }

    #[test]
    fn refuses_what_would_cost_much() {
        let mut bytes = solid(2);
        bytes[80 + 16 + 6] = 1;
        assert!(decode(&bytes, 64, &Budget::default()).is_err());
        let mut bytes = solid(0);
        bytes[20..28].copy_from_slice(&[0, 128, 0, 0, 0, 128, 0, 0]);
        let fault = decode(&bytes, 32_768, &Budget::default()).unwrap_err();
        assert_eq!(fault.code, "MEMORY_BUDGET_EXCEEDED");
    }
}
