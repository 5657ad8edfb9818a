//! KTX2 with texels of 8 bits a channel that are in no blocks. `KHR_texture_basisu` does not allow them; converters write
//! them, and other viewers show them.

use std::sync::Arc;

use super::{Header, packed};
use crate::{
    import::{
        base::{budget::Budget, diagnostics::Fault},
        decode::{Complaint, UNSUPPORTED, invalid, too_short},
    },
    model::{Image, TexelFormat},
};

/// Which channel of red, green, blue and alpha each byte of a texel is (Vulkan 1.0, `VkFormat`); none if they are stored in
/// some other way.
pub(super) fn channels(header: Header) -> Option<&'static [usize]> {
    let is_known = matches!(
        header.supercompression,
        0 | packed::ZSTANDARD | packed::ZLIB
    );
    if !is_known {
        return None;
    }
    match header.format {
        9 | 15 => Some(&[0]),
        16 | 22 => Some(&[0, 1]),
        23 | 29 => Some(&[0, 1, 2]),
        30 | 36 => Some(&[2, 1, 0]),
        37 | 43 => Some(&[0, 1, 2, 3]),
        44 | 50 => Some(&[2, 1, 0, 3]),
        _ => None,
    }
}

/// Decodes all mip levels of a picture whose size was checked.
pub(super) fn decode(
    bytes: &[u8],
    header: Header,
    channels: &[usize],
    budget: &Budget,
) -> Result<(Image, Vec<Complaint>), Fault> {
    let Header {
        format,
        width,
        height,
        levels,
        ..
    } = header;
    let mut image = Image {
        width,
        height,
        format: TexelFormat::Rgba8,
        ..Image::default()
    };
    let message = format!(
        "KHR_texture_basisu allows Basis Universal alone, and this one has texels of Vulkan format {format}"
    );
    let action = match header.pictures() {
        1 => "it is shown all the same",
        _ => "its first picture is shown",
    };
    let fault = Fault::warning(UNSUPPORTED, message);
    let mut complaints = vec![Complaint::new(fault, action)];
    // Of none, which stands for levels that are to be made, the first is there.
    let levels = levels.clamp(1, width.max(height).ilog2().saturating_add(1));
    for level in 0..levels {
        match texels(bytes, (header, level), &image, channels, budget) {
            Ok(texels) => Arc::make_mut(&mut image.levels).push(texels),
            Err(fault) if level == 0 => return Err(fault),
            Err(fault) => {
                Arc::make_mut(&mut image.levels).truncate(1);
                complaints.push(Complaint::new(
                    fault,
                    "smaller levels are made of the first",
                ));
                break;
            }
        }
    }
    Ok((image, complaints))
}

/// The next level of an image. Channels that are not there are as Vulkan has them (1.0, §16.4.3): colours 0, alpha 1.
fn texels(
    bytes: &[u8],
    (header, level): (Header, u32),
    image: &Image,
    channels: &[usize],
    budget: &Budget,
) -> Result<Vec<u8>, Fault> {
    let (data, all) = Header::level(bytes, level)?;
    let (width, height) = image.level_size(image.levels.len());
    let size = image.format.size(width, height);
    let stored = size.div_euclid(4).saturating_mul(channels.len());
    // Rows and pictures follow one another without padding (KTX 2.0, `levelImages`).
    let unpacked;
    let data = if header.supercompression == 0 {
        let data = data.get(..stored).ok_or_else(too_short)?;
        budget.charge(size, 1)?;
        data
    } else {
        let most = u64::try_from(stored).unwrap_or(u64::MAX);
        if all > most.saturating_mul(header.pictures()) {
            return Err(invalid(format!("level {level} would have {all} bytes")));
        }
        // Before any work is done.
        budget.charge(size, 1)?;
        unpacked = packed::unpack(header.supercompression, data, all, stored, budget)?;
        unpacked.0.as_slice()
    };
    let texel = |stored: &[u8]| {
        let mut texel = [0, 0, 0, u8::MAX];
        for (channel, byte) in channels.iter().zip(stored) {
            if let Some(part) = texel.get_mut(*channel) {
                *part = *byte;
            }
        }
        texel
    };
    Ok(data.chunks_exact(channels.len()).flat_map(texel).collect())
}
