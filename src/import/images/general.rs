//! Pictures of all kinds, by the `image` crate. Of JPEG and WebP it gets what the picture is made of and nothing else, since
//! other parts of a file may cost it more than that, and what is counted here is what it sees.

use std::io::Cursor;

use image::{
    ColorType, DynamicImage, ImageDecoder as _, ImageError, ImageFormat, ImageReader, Limits,
};

use super::{LONGEST_SIDE, of_one_level};
use crate::{
    import::{
        budget::{Budget, Held},
        decode::{jpeg, webp},
        diagnostics::Fault,
    },
    model::{Image, TexelFormat},
};

/// What one decoder may allocate.
const MOST_ALLOCATED: u64 = 1 << 30;
const MOST_FOR_PNG: u64 = 8 << 20;

/// Decodes a picture of a known format.
pub(super) fn decode(format: ImageFormat, bytes: &[u8], budget: &Budget) -> Result<Image, Fault> {
    let invalid = |error: ImageError| {
        let message = format!("it cannot be decoded: {error}");
        match error {
            ImageError::Unsupported(_) => Fault::warning("IMAGE_FORMAT_UNSUPPORTED", message),
            _ => Fault::new("IMAGE_DATA_INVALID", message),
        }
    };
    let bare = Bare::of(format, bytes, budget)?;
    let mut reader = ImageReader::with_format(Cursor::new(bare.bytes()), format);
    let mut limits = Limits::no_limits();
    limits.max_image_width = Some(LONGEST_SIDE);
    limits.max_image_height = Some(LONGEST_SIDE);
    let most = match format {
        // Colour profiles, which are unpacked before anything is known of the picture, and rows.
        ImageFormat::Png => MOST_FOR_PNG,
        _ => MOST_ALLOCATED,
    };
    limits.max_alloc = Some(most);
    reader.limits(limits);
    let decoder = reader.into_decoder().map_err(invalid)?;
    let (width, height) = decoder.dimensions();
    let color_type = decoder.color_type();
    let texel_format = if color_type.has_alpha() {
        TexelFormat::Rgba8
    } else {
        TexelFormat::Rgb8
    };
    budget.charge(texel_format.size(width, height), 1)?;
    let _working = bare.hold_work((width, height), budget)?;
    // What comes out is kept beside what it becomes for a moment.
    let converted = match color_type {
        ColorType::Rgb8 | ColorType::Rgba8 => 0,
        _ => usize::try_from(decoder.total_bytes()).unwrap_or(usize::MAX),
    };
    let _held = budget.hold(converted)?;
    let decoded = DynamicImage::from_decoder(decoder).map_err(invalid)?;
    // Brings 16 bits a channel to 8 and grey to colour.
    let texels = match texel_format {
        TexelFormat::Rgba8 => decoded.into_rgba8().into_raw(),
        _ => decoded.into_rgb8().into_raw(),
    };
    Ok(of_one_level((width, height), texel_format, texels))
}

/// What a decoder gets.
enum Bare<'b> {
    Whole(&'b [u8]),
    Jpeg {
        jpeg: jpeg::Bare,
        _held: Held<'b>,
    },
    WebP {
        shown: webp::Shown<'b>,
        alone: Vec<u8>,
        _held: Held<'b>,
    },
}

impl<'b> Bare<'b> {
    fn of(format: ImageFormat, bytes: &'b [u8], budget: &'b Budget) -> Result<Self, Fault> {
        match format {
            ImageFormat::Jpeg => {
                // It is there twice while it is made, and while the decoder has a copy.
                let _held = budget.hold(bytes.len().saturating_mul(2))?;
                Ok(Self::Jpeg {
                    jpeg: jpeg::bare(bytes)?,
                    _held,
                })
            }
            ImageFormat::WebP => {
                let shown = webp::find(bytes)?;
                let _held = budget.hold(shown.length().saturating_mul(2))?;
                Ok(Self::WebP {
                    alone: shown.alone(),
                    shown,
                    _held,
                })
            }
            _ => Ok(Self::Whole(bytes)),
        }
    }

    fn bytes(&self) -> &[u8] {
        match self {
            Self::Whole(bytes) => bytes,
            Self::Jpeg { jpeg, .. } => &jpeg.bytes,
            Self::WebP { alone, .. } => alone,
        }
    }

    /// Takes what the decoder needs while it works, beside what comes out, until the result is dropped. For what comes out
    /// must be paid before, since that is how many pixels are looked at here.
    fn hold_work(
        &self,
        (width, height): (u32, u32),
        budget: &'b Budget,
    ) -> Result<(Held<'b>, Option<Held<'b>>), Fault> {
        /// Looking at so many coefficients in vain is as much work as loading a byte.
        const EASIER: usize = 2;
        let pixels = u64::from(width).saturating_mul(height.into());
        let pixels = usize::try_from(pixels).unwrap_or(usize::MAX);
        let hold = |each_pixel| budget.hold(pixels.saturating_mul(each_pixel));
        match self {
            Self::Whole(_) => Ok((hold(0)?, None)),
            Self::Jpeg { jpeg, .. } => {
                budget.charge_work(jpeg.unusual_work / EASIER)?;
                let kept = jpeg.kept_components.saturating_mul(size_of::<i16>());
                Ok((hold(kept)?, None))
            }
            // Lossless ones a picture more, animated ones a canvas and a frame.
            Self::WebP { shown, .. } => Ok((hold(8)?, Some(hold_codes(shown, budget)?))),
        }
    }
}

/// Takes memory for the prefix codes of a WebP picture until they are dropped.
fn hold_codes<'b>(shown: &webp::Shown<'_>, budget: &'b Budget) -> Result<Held<'b>, Fault> {
    /// Making so many bytes of them is as much work as loading one.
    const EASIER: usize = 4;
    let [memory, loads] = budget.left();
    let most = memory.min(loads.saturating_mul(EASIER));
    let codes = shown.codes_memory(most)?;
    // Those that are refused were counted too.
    let work = budget.charge_work(codes / EASIER);
    let held = budget.hold(codes)?;
    work.map(|()| held)
}
