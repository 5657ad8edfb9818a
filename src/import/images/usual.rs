//! Pictures of usual PNGs and JPEGs, which decoders of our own read.

use super::{LONGEST_SIDE, of_one_level};
use crate::{
    import::{
        budget::Budget,
        bytes::Bytes,
        decode::{
            jpeg::{self, Odd},
            png,
        },
        diagnostics::Fault,
        parallel::Busy,
    },
    model::{Image, TexelFormat},
};

/// Decoding so many bytes takes as long as loading one.
const EASIER: usize = 2;

/// The picture of a usual PNG, of a file without bringing it into memory; none of an unusual one, and where anything is wrong.
pub(super) fn png<'b>(
    bytes: Bytes<'_>,
    budget: &Budget,
    free_core: &dyn Fn() -> Option<Busy<'b>>,
) -> Result<Option<Image>, Fault> {
    let Some(png) = png::open(bytes) else {
        return Ok(None);
    };
    let png::Shape {
        width,
        height,
        channels,
    } = png.shape();
    let format = if channels == 3 {
        TexelFormat::Rgb8
    } else {
        TexelFormat::Rgba8
    };
    let decode = || png.decode(free_core).ok_or(Odd::Unusual);
    let decoded = decode_usual((width, height), format, 0, budget, || Ok(decode));
    decoded.map(Result::ok)
}

/// The picture of a usual JPEG, or why it is left to others.
pub(super) fn jpeg<'b>(
    bytes: &[u8],
    budget: &Budget,
    free_core: &dyn Fn() -> Option<Busy<'b>>,
) -> Result<Result<Image, Odd>, Fault> {
    let Some(jpeg) = jpeg::open(bytes) else {
        return Ok(Err(Odd::Unusual));
    };
    let (size, working) = (jpeg.size(), jpeg.working_memory());
    let begin = || {
        let marked = jpeg.read_markers()?;
        Ok(move || marked.decode(free_core))
    };
    decode_usual(size, TexelFormat::Rgb8, working, budget, begin)
}

/// What comes out of a decoder that begins and then makes pixels, if there is the memory for these and for its work. Pixels that
/// it made in vain count.
fn decode_usual<D: FnOnce() -> Result<Vec<u8>, Odd>>(
    (width, height): (u32, u32),
    format: TexelFormat,
    working: usize,
    budget: &Budget,
    begin: impl FnOnce() -> Result<D, Odd>,
) -> Result<Result<Image, Odd>, Fault> {
    if width.max(height) > LONGEST_SIDE {
        return Ok(Err(Odd::Unusual));
    }
    let size = format.size(width, height);
    let held = budget.hold(size).and_then(|held| {
        let working = budget.hold(working)?;
        Ok((held, working))
    });
    let Ok((held, _working)) = held else {
        return Ok(Err(Odd::Unusual));
    };
    let decode = match begin() {
        Ok(decode) => decode,
        Err(odd) => return Ok(Err(odd)),
    };
    match decode() {
        Ok(texels) => {
            held.keep();
            Ok(Ok(of_one_level((width, height), format, texels)))
        }
        Err(odd) => {
            budget.charge_work(size / EASIER)?;
            Ok(Err(odd))
        }
    }
}
