//! Environments from files: equirectangular pictures in Radiance's .hdr and in `OpenEXR`.

use std::{
    io::{Cursor, Read as _},
    path::Path,
};

use anyhow::{Context as _, bail};
use exr::{
    image::read::{image::ReadLayers as _, layers::ReadChannels as _, read},
    math::Vec2,
    meta::{BlockDescription, MetaData, attribute::Text, header::Header},
};
use glam::Vec3;
use image::{ImageDecoder as _, ImageFormat, codecs::hdr::HdrDecoder};

use crate::{
    import::{
        base::{barrier, progress::Progress},
        files::sandbox,
    },
    model::{HalvingPanorama, Panorama},
};

/// Wider and higher pictures are halved until they are neither: a sharp reflection needs no more.
const WIDEST: usize = 2048;
/// Longer sides are refused.
const LONGEST_SIDE: usize = 16_384;
/// The most bytes of a file.
const LARGEST_FILE: u64 = 1 << 30;
/// What the texels of a picture may take as they are stored: enough for 8192 × 4096.
const LARGEST_PICTURE: usize = 512 << 20;
/// Rows that are decoded at once.
const ROWS: usize = 16;
const UNREADABLE: &str = "the picture cannot be read";

/// Reads an environment from a .hdr or .exr file; which of them it is, its first bytes say. It can be stopped before the
/// picture is decoded.
pub fn read_panorama(path: &Path, progress: &Progress) -> anyhow::Result<Panorama> {
    let read = || {
        progress.set_stage("reading the file", 0.0);
        let bytes = sandbox::read_regular(path, None, LARGEST_FILE, progress)?;
        progress.check()?;
        progress.set_stage("decoding the picture", 0.3);
        barrier::catch_panic(|| decode(&bytes))
    };
    read().with_context(|| path.display().to_string())
}

/// Extensions of environments.
pub const PANORAMA_EXTENSIONS: [&str; 2] = ["hdr", "exr"];

/// Whether a path is named like an environment.
pub fn is_panorama(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    PANORAMA_EXTENSIONS
        .iter()
        .any(|known| extension.eq_ignore_ascii_case(known))
}

fn decode(bytes: &[u8]) -> anyhow::Result<Panorama> {
    let mut panorama = match image::guess_format(bytes) {
        Ok(ImageFormat::Hdr) => read_hdr(bytes)?,
        Ok(ImageFormat::OpenExr) => read_exr(bytes)?,
        _ => bail!("this is neither a Radiance (.hdr) nor an OpenEXR (.exr) picture"),
    };
    while is_wide(panorama.width(), panorama.height()) {
        match panorama.halved() {
            Some(halved) => panorama = halved,
            None => break,
        }
    }
    Ok(panorama)
}

fn is_wide(width: usize, height: usize) -> bool {
    width.max(height) > WIDEST
}

/// Refuses sizes that no picture should have.
fn check_size(width: usize, height: usize, bytes_per_pixel: usize) -> anyhow::Result<()> {
    let bytes = width.saturating_mul(height).saturating_mul(bytes_per_pixel);
    if width.max(height) > LONGEST_SIDE || bytes > LARGEST_PICTURE {
        bail!("the picture is too large: it has {width} × {height} texels");
    }
    Ok(())
}

/// A picture whose texels come. One that is too wide is never there as a whole: it would take hundreds of megabytes.
#[derive(Debug)]
enum Coming {
    Whole {
        width: usize,
        height: usize,
        texels: Vec<Vec3>,
    },
    Halved(HalvingPanorama),
}

impl Coming {
    fn new(width: usize, height: usize) -> anyhow::Result<Self> {
        check_size(width, height, size_of::<Vec3>())?;
        let halving = HalvingPanorama::new(width, height).filter(|_| is_wide(width, height));
        Ok(halving.map_or_else(
            || Self::Whole {
                width,
                height,
                texels: vec![Vec3::ZERO; width.saturating_mul(height)],
            },
            Self::Halved,
        ))
    }

    /// Adds a texel; those outside are left out.
    fn add(&mut self, at: [usize; 2], texel: Vec3) {
        match self {
            Self::Whole { width, texels, .. } => {
                let row = at[1].saturating_mul(*width);
                let slot = texels.get_mut(row.saturating_add(at[0]));
                if let Some(slot) = slot.filter(|_| at[0] < *width) {
                    *slot = texel;
                }
            }
            Self::Halved(halving) => halving.add(at, texel),
        }
    }

    fn panorama(self) -> anyhow::Result<Panorama> {
        match self {
            Self::Whole {
                width,
                height,
                texels,
            } => Panorama::new(width, height, texels).context("the picture is empty"),
            Self::Halved(halving) => Ok(halving.halved()),
        }
    }
}

/// Radiance's format, a few rows at a time: rows are coded each by itself, so that some of them are a picture, too.
fn read_hdr(bytes: &[u8]) -> anyhow::Result<Panorama> {
    let mut bytes = Cursor::new(bytes);
    let whole = HdrDecoder::new(&mut bytes).context(UNREADABLE)?;
    let (width, height) = whole.dimensions();
    let (width, height) = (usize::try_from(width)?, usize::try_from(height)?);
    let mut coming = Coming::new(width, height)?;
    if width == 0 {
        return coming.panorama();
    }
    let mut numbers = Vec::new();
    for first in (0..height).step_by(ROWS) {
        let count = height.saturating_sub(first).min(ROWS);
        let head = format!("#?RADIANCE\n\n-Y {count} +X {width}\n");
        let rows = HdrDecoder::new(head.as_bytes().chain(&mut bytes)).context(UNREADABLE)?;
        numbers.resize(usize::try_from(rows.total_bytes())?, 0);
        rows.read_image(&mut numbers).context(UNREADABLE)?;
        let floats = numbers
            .as_chunks()
            .0
            .iter()
            .copied()
            .map(f32::from_ne_bytes);
        let floats: Vec<f32> = floats.collect();
        let rows = floats.as_chunks().0.chunks_exact(width);
        for (y, row) in (first..).zip(rows) {
            for (x, texel) in row.iter().enumerate() {
                coming.add([x, y], Vec3::from_array(*texel));
            }
        }
    }
    coming.panorama()
}

/// The first layer of an `OpenEXR` file that has red, green and blue, as far as it is in the display window.
fn read_exr(bytes: &[u8]) -> anyhow::Result<Panorama> {
    let meta = MetaData::read_from_buffered(bytes, false).context(UNREADABLE)?;
    check_windows(&meta)?;
    let has = |header: &Header, name: &str| {
        let channel = header.channels.find_index_of_channel(&Text::from(name));
        channel.is_some()
    };
    let is_rgb =
        |header: &&Header| !header.deep && ["R", "G", "B"].iter().all(|it| has(header, it));
    let mut headers = meta.headers.iter();
    let header = (headers.find(is_rgb)).context("the picture has no red, green and blue")?;
    let window = header.shared_attributes.display_window;
    let Vec2(width, height) = window.size;
    // Where the pixels begin in the window.
    let from = header.own_attributes.layer_position;
    let (left, top) = (i64::from(from.0), i64::from(from.1));
    let left = left.saturating_sub(window.position.0.into());
    let top = top.saturating_sub(window.position.1.into());
    let place = |first: i64, at: usize| {
        let at = first.saturating_add(i64::try_from(at).ok()?);
        usize::try_from(at).ok()
    };
    // What is made of it is made by a closure that cannot fail.
    check_size(width, height, size_of::<Vec3>())?;
    let image = read()
        .no_deep_data()
        .largest_resolution_level()
        .rgb_channels(
            move |_, _| Coming::new(width, height).ok(),
            move |coming, Vec2(x, y), (red, green, blue): (f32, f32, f32)| {
                let at = place(left, x).zip(place(top, y));
                if let (Some(coming), Some((x, y))) = (coming.as_mut(), at) {
                    coming.add([x, y], Vec3::new(red, green, blue));
                }
            },
        )
        .first_valid_layer()
        .all_attributes()
        .from_buffered(Cursor::new(bytes))
        .context(UNREADABLE)?;
    let coming = image.layer_data.channel_data.pixels;
    coming.context(UNREADABLE)?.panorama()
}

/// Refuses `OpenEXR` files with blocks or layers that are too large: what the decoder allocates follows the data window and
/// the tiles ("Technical Introduction to `OpenEXR`", overview).
fn check_windows(meta: &MetaData) -> anyhow::Result<()> {
    for header in &meta.headers {
        let mut sizes = vec![header.layer_size];
        if let BlockDescription::Tiles(tiles) = header.blocks {
            sizes.push(tiles.tile_size);
        }
        for Vec2(width, height) in sizes {
            check_size(width, height, header.channels.bytes_per_pixel)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An `OpenEXR` file without pixels, compressed by 16 lines: its display window has 2 × 1.
    fn exr(width: i32, height: i32, tile: Option<u32>) -> Vec<u8> {
        let mut file = vec![0x76, 0x2f, 0x31, 0x01, 2, 0, 0, 0];
        if tile.is_some() {
            file[5] = 2;
        }
        let mut add = |name: &str, kind: &str, value: &[u8]| {
            file.extend([name.as_bytes(), &[0], kind.as_bytes(), &[0]].concat());
            file.extend((value.len() as u32).to_le_bytes());
            file.extend(value);
        };
        let window = |width: i32, height: i32| {
            let corners = [0, 0, width - 1, height - 1];
            corners.map(i32::to_le_bytes).concat()
        };
        let mut channels = Vec::new();
        for name in [b'B', b'G', b'R'] {
            channels.extend([name, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
        }
        channels.push(0);
        add("channels", "chlist", &channels);
        add("compression", "compression", &[3]);
        add("dataWindow", "box2i", &window(width, height));
        add("displayWindow", "box2i", &window(2, 1));
        add("lineOrder", "lineOrder", &[0]);
        add("pixelAspectRatio", "float", &1.0_f32.to_le_bytes());
        add("screenWindowCenter", "v2f", &[0; 8]);
        add("screenWindowWidth", "float", &1.0_f32.to_le_bytes());
        if let Some(side) = tile {
            let side = side.to_le_bytes();
            add("tiles", "tiledesc", &[&side[..], &side, &[0]].concat());
        }
        file.push(0);
        file
    }

    #[test]
    fn what_is_stored_counts_and_not_what_is_shown() {
        let check = |width, height, tile, is_too_large: bool| {
            let error = format!("{:#}", decode(&exr(width, height, tile)).unwrap_err());
            let says = error.contains("too large");
            assert_eq!(says, is_too_large, "{width} × {height}, {tile:?}: {error}");
        };
        // There are no pixels, which is another error.
        check(2, 1, None, false);
        check(8192, 4096, None, false);
        check(1_000_000_000, 16, None, true);
        check(2, 1_000_000_000, None, true);
        check(16_384, 16_384, None, true);
        check(2, 1, Some(64), false);
        check(2, 1, Some(1_000_000_000), true);
    }
}
