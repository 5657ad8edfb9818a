//! Pictures of usual PNGs and JPEGs, which decoders of our own read.

use super::{LONGEST_SIDE, of_one_level};
use crate::{
    import::{
        base::{
            budget::{Budget, EXCEEDED},
            diagnostics::Fault,
            parallel::Busy,
        },
        decode::{
            Complaint,
            jpeg::{self, Odd},
            png,
        },
        files::bytes::Bytes,
    },
    model::{Image, TexelFormat},
};

/// Decoding so many bytes takes as long as loading one.
const EASIER: usize = 2;

/// How many bytes the texels of a flat picture take, by the first bytes of its file; none if it is not flat, or of another
/// kind: the others have a decoder that takes no less than what it decodes, and so are read whole or not at all.
pub(super) fn size_of_flat(bytes: Bytes<'_>) -> Option<usize> {
    let png = png::open(bytes)?;
    let png::Shape { width, height, .. } = png.shape();
    let size = format_of(&png).size(width, height);
    Budget::is_flat(size, bytes.len()).then_some(size)
}

/// The picture of a usual PNG, of a file without bringing it into memory; none of an unusual one, and where anything is
/// wrong. If there is no room for it, it comes at half of its size, a quarter and so on.
pub(super) fn png<'b>(
    bytes: Bytes<'_>,
    budget: &Budget,
    free_core: &dyn Fn() -> Option<Busy<'b>>,
) -> Result<Option<(Image, Vec<Complaint>)>, Fault> {
    let Some(png) = png::open(bytes) else {
        return Ok(None);
    };
    let png::Shape { width, height, .. } = png.shape();
    let format = format_of(&png);
    if width.max(height) > LONGEST_SIDE {
        return Ok(None);
    }
    let size = format.size(width, height);
    let is_flat = Budget::is_flat(size, bytes.len());
    let has_room = !is_flat || size <= budget.left_for_flat();
    let Some(held) = has_room.then(|| budget.hold(size).ok()).flatten() else {
        let smaller = smaller_png(png, format, budget)?;
        return Ok(smaller.map(|(image, complaint)| (image, vec![complaint])));
    };
    let Some(texels) = png.decode(free_core) else {
        budget.charge_work(size / EASIER)?;
        return Ok(None);
    };
    held.keep();
    let image = of_one_level((width, height), format, texels);
    Ok(Some((image, Vec::new())))
}

/// The format that holds what a PNG has.
pub(super) fn format_of(png: &png::Opened<'_>) -> TexelFormat {
    match png.shape().channels {
        1 => TexelFormat::Grey8,
        3 => TexelFormat::Rgb8,
        _ => TexelFormat::Rgba8,
    }
}

/// A PNG at the greatest fraction of its size for which there is room; none where anything is wrong with it.
fn smaller_png(
    png: png::Opened<'_>,
    format: TexelFormat,
    budget: &Budget,
) -> Result<Option<(Image, Complaint)>, Fault> {
    /// Nothing is kept of most of the bytes.
    const EASIER: usize = 4;
    let png::Shape { width, height, .. } = png.shape();
    let of = |halvings: u32| {
        let side = |side: u32| side.checked_shr(halvings).unwrap_or(0).max(1);
        format.size(side(width), side(height))
    };
    let most = budget.left_for_flat();
    let message = format!("there is not enough memory for {width} × {height} texels");
    let found = (1..=png::MAX_HALVINGS).find_map(|halvings| {
        let size = of(halvings);
        let held = (size <= most).then(|| budget.hold(size).ok()).flatten()?;
        Some((halvings, held))
    });
    let (halvings, held) = found.ok_or_else(|| Fault::new(EXCEEDED, &*message))?;
    let work = budget.charge_loaded(format.size(width, height) / EASIER);
    work.map_err(|_| Fault::new(EXCEEDED, &*message))?;
    let Some(smaller) = png.smaller(halvings) else {
        return Ok(None);
    };
    let size = smaller.size();
    Ok(smaller.decode().map(|texels| {
        held.keep();
        let action = format!("it is read at {} × {}", size.0, size.1);
        let complaint = Complaint::new(Fault::warning(EXCEEDED, message), action);
        (of_one_level(size, format, texels), complaint)
    }))
}

/// The picture of a usual JPEG, or why it is left to others.
pub(super) fn jpeg<'b>(
    bytes: &[u8],
    budget: &Budget,
    free_core: &dyn Fn() -> Option<Busy<'b>>,
) -> Result<Result<Image, Odd>, Fault> {
    /// Making a byte of tables takes as long as loading so many.
    const HARDER: usize = 16;
    let tables = jpeg::length_of_tables(bytes).min(jpeg::MAX_CODED);
    budget.charge_work(tables.saturating_mul(HARDER))?;
    let Some(jpeg) = jpeg::open(bytes) else {
        return Ok(Err(Odd::Unusual));
    };
    let (width, height) = jpeg.size();
    if width.max(height) > LONGEST_SIDE {
        return Ok(Err(Odd::Unusual));
    }
    let (format, working) = (TexelFormat::Rgb8, jpeg.working_memory());
    let size = format.size(width, height);
    let held = budget.hold(size).and_then(|held| {
        let working = budget.hold(working)?;
        Ok((held, working))
    });
    let Ok((held, _working)) = held else {
        return Ok(Err(Odd::Unusual));
    };
    let marked = match jpeg.read_markers() {
        Ok(marked) => marked,
        Err(odd) => return Ok(Err(odd)),
    };
    match marked.decode(free_core) {
        Ok(texels) => {
            held.keep();
            Ok(Ok(of_one_level((width, height), format, texels)))
        }
        Err(odd) => {
            // Pixels that were made in vain count.
            budget.charge_work(size / EASIER)?;
            Ok(Err(odd))
        }
    }
}
