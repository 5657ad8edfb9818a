//! Pictures of all kinds, by the `image` crate. Of JPEG and WebP it gets what the picture is made of and nothing else, since
//! other parts of a file may cost it more than that, and what is counted here is what it sees.

use std::io::Cursor;

use image::{
    ColorType, DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, ImageResult,
    Limits,
};

use super::{Decoded, LONGEST_SIDE, of_one_level, usual};
use crate::{
    import::{
        base::{
            budget::{Budget, Held},
            diagnostics::Fault,
        },
        decode::{BROKEN, Complaint, UNDECODED, UNSUPPORTED, jpeg, png, webp},
        files::bytes::Bytes,
    },
    model::{Image, TexelFormat},
};

/// What one decoder may allocate.
const MAX_ALLOCATED: u64 = 1 << 30;
const MAX_FOR_PNG: u64 = 8 << 20;

/// How many components a JPEG has whose colours are those of print.
const PRINTED: u8 = 4;

/// Bits a channel of PNGs that lose some: texels have 8.
const DEEP: u8 = 16;

/// The code of what is said of these.
pub(super) const BIT_DEPTH_REDUCED: &str = "IMAGE_BIT_DEPTH_REDUCED";

/// Width and height by the header of a picture of a known format.
pub(super) fn stated_size(
    format: ImageFormat,
    bytes: &[u8],
    budget: &Budget,
) -> Option<(u32, u32)> {
    let bare = Bare::of(format, bytes, budget).ok()?;
    reader(format, &bare).into_dimensions().ok()
}

/// Decodes a picture of a known format. A PNG that is damaged gives what can be read of it.
pub(super) fn decode(format: ImageFormat, bytes: &[u8], budget: &Budget) -> Decoded {
    let bare = Bare::of(format, bytes, budget)?;
    let mut complaints = Vec::new();
    if bare.components() == PRINTED {
        let message = "it has the four colours of print (CMYK), which glTF does not know";
        let fault = Fault::warning(BROKEN, message);
        complaints.push(Complaint::new(
            fault,
            "red, green and blue are made of them",
        ));
    }
    if png::bit_depth(bytes) == Some(DEEP) {
        let message = "it has 16 bits a channel";
        let fault = Fault::info(BIT_DEPTH_REDUCED, message);
        complaints.push(Complaint::new(fault, "it is shown with 8"));
    }
    let image = match read(format, &bare, false, budget) {
        Err(fault) if format == ImageFormat::Png && fault.code == BROKEN => {
            let image = salvage(bytes, budget)?.ok_or_else(|| fault.clone())?;
            let what = fault.message.strip_prefix(UNDECODED);
            complaints.push(Complaint::salvaged(what.unwrap_or(&fault.message)));
            image
        }
        image => image?,
    };
    Ok((image, complaints))
}

/// What there is of a damaged PNG.
fn salvage(bytes: &[u8], budget: &Budget) -> Result<Option<Image>, Fault> {
    let _held = budget.hold_loaded(png::longest(bytes))?;
    let Some(bare) = png::bare(bytes) else {
        return Ok(None);
    };
    if let Some(png) = png::open(Bytes::Memory(&bare)) {
        let (shape, format) = (png.shape(), usual::format_of(&png));
        let (width, height) = (shape.width, shape.height);
        if width.max(height) > LONGEST_SIDE {
            return Ok(None);
        }
        let held = budget.hold(format.size(width, height))?;
        let texels = png.salvage();
        return Ok(texels.map(|texels| {
            held.keep();
            of_one_level((width, height), format, texels)
        }));
    }
    match read(ImageFormat::Png, &Bare::Saved(bare), true, budget) {
        Err(fault) if fault.code != BROKEN => Err(fault),
        image => Ok(image.ok()),
    }
}

fn read(
    format: ImageFormat,
    bare: &Bare<'_>,
    is_damaged: bool,
    budget: &Budget,
) -> Result<Image, Fault> {
    /// Decoding so many bytes in vain takes as long as loading one.
    const EASIER: usize = 2;
    let invalid = |error: ImageError| {
        let message = format!("{UNDECODED}{error}");
        match error {
            ImageError::Unsupported(_) => Fault::warning(UNSUPPORTED, message),
            _ => Fault::new(BROKEN, message),
        }
    };
    let decoder = reader(format, bare).into_decoder().map_err(invalid)?;
    let (width, height) = decoder.dimensions();
    let color_type = decoder.color_type();
    let texel_format = match color_type {
        ColorType::L8 | ColorType::L16 => TexelFormat::Grey8,
        _ if color_type.has_alpha() => TexelFormat::Rgba8,
        _ => TexelFormat::Rgb8,
    };
    let size = texel_format.size(width, height);
    let held = budget.hold(size)?;
    let _working = bare.hold_work((width, height), budget)?;
    // What comes out is kept beside what it becomes for a moment.
    let converted = match color_type {
        ColorType::L8 | ColorType::Rgb8 | ColorType::Rgba8 => 0,
        _ => usize::try_from(decoder.total_bytes()).unwrap_or(usize::MAX),
    };
    let _converted = budget.hold(converted)?;
    let decoder = Patient {
        decoder,
        is_damaged,
    };
    let decoded = match DynamicImage::from_decoder(decoder) {
        Ok(decoded) => decoded,
        Err(error) => {
            budget.charge_work(size / EASIER)?;
            return Err(invalid(error));
        }
    };
    held.keep();
    // Brings 16 bits a channel to 8, and grey with alpha to colour.
    let texels = match texel_format {
        TexelFormat::Rgba8 => decoded.into_rgba8().into_raw(),
        TexelFormat::Grey8 => decoded.into_luma8().into_raw(),
        _ => decoded.into_rgb8().into_raw(),
    };
    Ok(of_one_level((width, height), texel_format, texels))
}

fn reader<'b>(format: ImageFormat, bare: &'b Bare<'_>) -> ImageReader<Cursor<&'b [u8]>> {
    let mut reader = ImageReader::with_format(Cursor::new(bare.bytes()), format);
    let mut limits = Limits::no_limits();
    limits.max_image_width = Some(LONGEST_SIDE);
    limits.max_image_height = Some(LONGEST_SIDE);
    let most = match format {
        // Rows, and what chunks unpack to.
        ImageFormat::Png => MAX_FOR_PNG,
        _ => MAX_ALLOCATED,
    };
    limits.max_alloc = Some(most);
    reader.limits(limits);
    reader
}

/// A decoder of a picture that may be damaged: then the rows that it made before it failed count, and the others are black,
/// or transparent.
struct Patient<D> {
    decoder: D,
    is_damaged: bool,
}

impl<D: ImageDecoder> ImageDecoder for Patient<D> {
    fn dimensions(&self) -> (u32, u32) {
        self.decoder.dimensions()
    }

    fn color_type(&self) -> ColorType {
        self.decoder.color_type()
    }

    fn read_image(self, rows: &mut [u8]) -> ImageResult<()> {
        let color_type = self.decoder.color_type();
        let read = self.decoder.read_image(rows);
        if !self.is_damaged || read.is_ok() || rows.iter().all(|byte| *byte == 0) {
            return read;
        }
        if color_type.bytes_per_pixel() > color_type.channel_count() {
            // Numbers are brought into this machine's order when all are there.
            for number in rows.as_chunks_mut().0 {
                *number = u16::from_be_bytes(*number).to_ne_bytes();
            }
        }
        Ok(())
    }

    fn read_image_boxed(self: Box<Self>, rows: &mut [u8]) -> ImageResult<()> {
        (*self).read_image(rows)
    }
}

/// What a decoder gets.
enum Bare<'b> {
    Whole(&'b [u8]),
    /// What could be saved of a damaged PNG.
    Saved(Vec<u8>),
    /// A PNG without its colour profile.
    Png {
        bytes: Vec<u8>,
        _held: Held<'b>,
    },
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
            ImageFormat::Png => {
                let _held = budget.hold(bytes.len())?;
                Ok(match png::without_profiles(bytes) {
                    Some(bytes) => Self::Png { bytes, _held },
                    None => Self::Whole(bytes),
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
            Self::Saved(bytes) | Self::Png { bytes, .. } => bytes,
            Self::Jpeg { jpeg, .. } => &jpeg.bytes,
            Self::WebP { alone, .. } => alone,
        }
    }

    /// How many a JPEG has.
    fn components(&self) -> u8 {
        match self {
            Self::Jpeg { jpeg, .. } => jpeg.components,
            _ => 0,
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
            Self::Whole(_) | Self::Saved(_) | Self::Png { .. } => Ok((hold(0)?, None)),
            Self::Jpeg { jpeg, .. } => {
                budget.charge_work(jpeg.unusual_work / EASIER)?;
                let kept = jpeg.kept_components.saturating_mul(size_of::<i16>());
                Ok((hold(kept)?, None))
            }
            // Lossless ones a picture more, animated ones a canvas and a frame.
            Self::WebP { shown, .. } => {
                // Their codes lie behind pictures of a sixteenth of the size, of which each pixel is as much work as loading
                // two bytes.
                budget.charge_work(pixels / 8)?;
                Ok((hold(8)?, Some(hold_codes(shown, budget)?)))
            }
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
    // Codes that are refused were counted too.
    let work = budget.charge_work(codes / EASIER);
    let held = budget.hold(codes)?;
    work.map(|()| held)
}
