//! KTX2 with Basis Universal data (ETC1S or UASTC) → texels that can be sampled. The transcoding itself is that of
//! `basisu`; what it would take on trust is checked here first. `plain` reads texels that are in no blocks.
//!
//! Only the first layer and face are decoded.

mod metadata;
mod packed;
mod plain;

use std::sync::Arc;

use basisu::{DecodeFlags, SourceFormat, TargetFormat, Transcoder};

use super::{Complaint, invalid, too_short, unsupported_picture};
use crate::{
    import::{
        base::{
            budget::{Budget, EXCEEDED, Held},
            diagnostics::Fault,
            wording::counted,
        },
        files::magic,
    },
    model::{BlockFormats, Image, TexelFormat},
};

pub(in crate::import) use metadata::{Transfer, transfer};

/// Where some numbers of the header are.
const DEPTH: usize = 28;
const LAYERS: usize = 32;
const FACES: usize = 36;
const LEVELS: usize = 40;

/// How many bytes a block of UASTC has.
const UASTC_BLOCK: u64 = 16;

/// The numbers at the start of a file that matter here (KTX 2.0 §3).
#[derive(Debug, Clone, Copy)]
struct Header {
    format: u32,
    width: u32,
    height: u32,
    /// How deep it is, how many layers it has, and how many faces: of a plain picture there are none, none, and one.
    depth: u32,
    layers: u32,
    faces: u32,
    levels: u32,
    supercompression: u32,
    /// Where the data that all levels share begin, and how many bytes they have.
    global: (u64, u64),
}

/// Width and height by the header.
pub(in crate::import) fn stated_size(bytes: &[u8]) -> Option<(u32, u32)> {
    Header::read(bytes).map(|header| (header.width, header.height))
}

/// Decodes all mip levels, into blocks if `sampled` has a format that suits. No side may be longer than `longest`. What
/// is wrong with smaller levels, or with the kind of picture, comes back beside the others.
pub(in crate::import) fn decode(
    bytes: &[u8],
    longest: u32,
    sampled: BlockFormats,
    budget: &Budget,
) -> Result<(Image, Vec<Complaint>), Fault> {
    let header = Header::read(bytes).ok_or_else(too_short)?;
    if let Some(channels) = plain::channels(header) {
        header.check_size(longest)?;
        return plain::decode(bytes, header, channels, budget);
    }
    header.check(bytes, longest)?;
    let mut complaints = header.wrong_kind();
    let decoded = match transcode(bytes, header, sampled, budget) {
        Err(fault) if !complaints.is_empty() && fault.code != EXCEEDED => {
            // There may be a single picture all the same.
            let _held = budget.hold_loaded(bytes.len())?;
            transcode(&as_single(bytes), header, sampled, budget).map_err(|_| fault)
        }
        decoded => decoded,
    };
    let (image, complaint) = match (decoded, complaints.pop()) {
        // The decoder knows less well what is wrong.
        (Err(fault), Some(Complaint { fault: known, .. })) if fault.code != EXCEEDED => {
            return Err(known);
        }
        (decoded, known) => {
            complaints.extend(known);
            decoded?
        }
    };
    complaints.extend(header.wrong_size());
    complaints.extend(metadata::wrong(bytes));
    complaints.extend(complaint);
    Ok((image, complaints))
}

/// The bytes of a KTX2 file with a header of a single picture that has a level.
fn as_single(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for (place, least, most) in [
        (DEPTH, 0, 0),
        (LAYERS, 0, 0),
        (FACES, 1, 1),
        (LEVELS, 1, u32::MAX),
    ] {
        let number = number(&bytes, place).unwrap_or(0).clamp(least, most);
        let place = bytes.get_mut(place..).and_then(<[u8]>::first_chunk_mut);
        if let Some(place) = place {
            *place = number.to_le_bytes();
        }
    }
    bytes
}

fn transcode(
    bytes: &[u8],
    header: Header,
    sampled: BlockFormats,
    budget: &Budget,
) -> Result<(Image, Option<Complaint>), Fault> {
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
        let texels = if header.supercompression == packed::ZSTANDARD {
            let (single, _held) = unpacked_level(bytes, (header, level), [width, height], budget)?;
            let transcoder = Transcoder::new(&single).map_err(failed)?;
            transcoder.transcode_image(0, 0, 0, target, flags)
        } else {
            transcoder.transcode_image(level, 0, 0, target, flags)
        };
        let texels = texels.map_err(failed)?;
        if texels.len() != size {
            return Err(invalid("it has not the size that it should have"));
        }
        Arc::make_mut(&mut image.levels).push(texels);
        Ok(())
    };
    read_level(&mut image, 0)?;
    for level in 1..levels {
        if let Err(fault) = read_level(&mut image, level) {
            // Without levels of its own it gets some that are made of the first, which blocks do not allow.
            Arc::make_mut(&mut image.levels).truncate(1);
            if image.format != TexelFormat::Rgba8 {
                image.format = TexelFormat::Rgba8;
                Arc::make_mut(&mut image.levels).clear();
                read_level(&mut image, 0)?;
            }
            let complaint = Complaint::new(fault, "smaller levels are made of the first");
            return Ok((image, Some(complaint)));
        }
    }
    Ok((image, None))
}

/// A KTX2 file of the first picture of a level of UASTC alone, unpacked: `basisu` would unpack whatever a file makes of it. It
/// has so many pixels; its memory is held until the second is dropped.
fn unpacked_level<'b>(
    bytes: &[u8],
    (header, level): (Header, u32),
    [width, height]: [u32; 2],
    budget: &'b Budget,
) -> Result<(Vec<u8>, Held<'b>), Fault> {
    /// The most bytes that a data format descriptor of UASTC has.
    const LONGEST: usize = 60;
    /// Where the descriptor is: after the header and the index of one level.
    const DESCRIPTOR: u32 = 104;
    let (data, all) = Header::level(bytes, level)?;
    let size = Header::blocks(width, height).saturating_mul(UASTC_BLOCK);
    let taken = usize::try_from(size).unwrap_or(usize::MAX);
    let (texels, held) = packed::unpack(header.supercompression, data, all, taken, budget)?;
    let described = |place: usize| {
        let number = number(bytes, place).ok_or_else(too_short)?;
        usize::try_from(number).map_err(|_| too_short())
    };
    let (start, length) = (described(48)?, described(52)?);
    let end = start.saturating_add(length.min(LONGEST));
    let descriptor = bytes.get(start..end).ok_or_else(too_short)?;
    let length = u32::try_from(descriptor.len()).unwrap_or(u32::MAX);
    let mut single = magic::KTX2.to_vec();
    let of_one_level = [0, 1, width, height, 0, 0, 1, 1, 0, DESCRIPTOR, length];
    // Neither keys nor data that all levels share.
    for number in of_one_level.into_iter().chain([0; 6]) {
        single.extend(number.to_le_bytes());
    }
    let start = u64::from(DESCRIPTOR.saturating_add(length));
    // Levels begin at multiples of the size of a block.
    let start = start.next_multiple_of(UASTC_BLOCK);
    for number in [start, size, size] {
        single.extend(number.to_le_bytes());
    }
    single.extend(descriptor);
    single.resize(usize::try_from(start).unwrap_or(usize::MAX), 0);
    single.extend(texels);
    Ok((single, held))
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
    /// How many pictures a level has.
    fn pictures(self) -> u64 {
        let numbers = [self.depth, self.layers, self.faces].map(|it| u64::from(it.max(1)));
        numbers.into_iter().fold(1, u64::saturating_mul)
    }

    /// What is wrong with the kind of the picture, so that a decoder may refuse it.
    fn wrong_kind(self) -> Vec<Complaint> {
        let mut wrong = Vec::new();
        let Self {
            depth,
            layers,
            faces,
            levels,
            ..
        } = self;
        if (depth, layers, faces) != (0, 0, 1) {
            let message = format!(
                "KHR_texture_basisu allows 2D pictures only (pixelDepth 0, layerCount 0, faceCount 1), and this one has \
                 pixelDepth {depth}, layerCount {layers}, faceCount {faces}"
            );
            wrong.push(Complaint::new(
                invalid(message),
                "its first picture is shown",
            ));
        }
        if levels == 0 {
            let message =
                "its levelCount is 0, which KTX 2.0 does not allow where texels are in blocks";
            wrong.push(Complaint::new(invalid(message), "its first level is shown"));
        }
        wrong
    }

    /// What is wrong with its size.
    fn wrong_size(self) -> Option<Complaint> {
        let Self { width, height, .. } = self;
        let is_whole = width.is_multiple_of(4) && height.is_multiple_of(4);
        let message = format!(
            "KHR_texture_basisu allows only sizes that are multiples of 4, and this one is {width} × {height}"
        );
        let complaint = || Complaint::new(invalid(message), "it is shown all the same");
        (!is_whole).then(complaint)
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        Some(Self {
            format: number(bytes, 12)?,
            width: number(bytes, 20)?,
            height: number(bytes, 24)?,
            depth: number(bytes, DEPTH)?,
            layers: number(bytes, LAYERS)?,
            faces: number(bytes, FACES)?,
            levels: number(bytes, LEVELS)?,
            supercompression: number(bytes, 44)?,
            global: (wide(bytes, 64)?, wide(bytes, 72)?),
        })
    }

    /// Where the data of a level are, and how many bytes it has when it is unpacked.
    fn level(bytes: &[u8], level: u32) -> Result<(&[u8], u64), Fault> {
        let entry = usize::try_from(level).map_or(usize::MAX, |level| level.saturating_mul(24));
        let entry = entry.saturating_add(80);
        let field = |place: usize| wide(bytes, entry.saturating_add(place)).ok_or_else(too_short);
        let (offset, length, unpacked) = (field(0)?, field(8)?, field(16)?);
        let part = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let end = part(offset).saturating_add(part(length));
        let data = bytes.get(part(offset)..end).ok_or_else(too_short)?;
        Ok((data, unpacked))
    }

    /// Checks how long its sides are.
    fn check_size(self, longest: u32) -> Result<(), Fault> {
        let (width, height) = (self.width, self.height);
        if !(1..=longest).contains(&width) || !(1..=longest).contains(&height) {
            return Err(invalid(format!(
                "its size of {width} × {height} is out of range"
            )));
        }
        Ok(())
    }

    /// How many blocks a picture of so many pixels has.
    fn blocks(width: u32, height: u32) -> u64 {
        u64::from(width.div_ceil(4)).saturating_mul(height.div_ceil(4).into())
    }

    /// Checks what memory and time depend on.
    fn check(self, bytes: &[u8], longest: u32) -> Result<(), Fault> {
        if self.format != 0 {
            let message = format!("KTX2 of Vulkan format {}", self.format);
            return Err(unsupported_picture(&message));
        }
        // Known are 0 for none, 1 for BasisLZ and 2 for Zstandard.
        if self.supercompression > packed::ZSTANDARD {
            let message = format!("KTX2 of supercompression scheme {}", self.supercompression);
            return Err(unsupported_picture(&message));
        }
        self.check_size(longest)?;
        let (offset, length) = self.global;
        let available = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        if offset.checked_add(length).is_none_or(|end| end > available) {
            return Err(too_short());
        }
        let blocks = Self::blocks(self.width, self.height).saturating_mul(self.pictures());
        for level in 0..self.levels.clamp(1, 32) {
            let (_, unpacked) = Self::level(bytes, level)?;
            // Zstandard is unpacked to as many bytes as the file says.
            if unpacked > blocks.saturating_mul(UASTC_BLOCK) {
                return Err(invalid(format!(
                    "level {level} would have {unpacked} bytes"
                )));
            }
        }
        Ok(())
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
            "{} cannot hold {entries} entries of codebooks",
            counted(length, "byte", "bytes")
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
mod tests;
