//! Surroundings from files: equirectangular pictures in Radiance's .hdr and in `OpenEXR`.

use std::{io::Cursor, path::Path};

use anyhow::{Context as _, bail};
use exr::{
    math::Vec2,
    meta::{BlockDescription, MetaData},
};
use glam::Vec3;
use image::{ImageFormat, ImageReader, Limits};

use crate::{
    import::{
        base::{barrier, progress::Progress},
        files::sandbox,
    },
    model::Panorama,
};

/// Wider and higher pictures are halved until they are neither: a sharp reflection needs no more.
const WIDEST: usize = 2048;
/// Longer sides are refused.
const LONGEST_SIDE: u32 = 16_384;
/// The most bytes of a file.
const LARGEST_FILE: u64 = 1 << 30;
/// What a decoder may allocate, of several copies each: enough for 8192 × 4096.
const MAX_ALLOCATED: u64 = 512 << 20;

/// Reads surroundings from a .hdr or .exr file; which of them it is, its first bytes say. It can be stopped before the
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

/// Extensions of surroundings.
pub const PANORAMA_EXTENSIONS: [&str; 2] = ["hdr", "exr"];

/// Whether a path is named like surroundings.
pub fn is_panorama(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    PANORAMA_EXTENSIONS
        .iter()
        .any(|known| extension.eq_ignore_ascii_case(known))
}

fn decode(bytes: &[u8]) -> anyhow::Result<Panorama> {
    let format = image::guess_format(bytes).ok();
    let format = format.filter(|format| matches!(format, ImageFormat::Hdr | ImageFormat::OpenExr));
    let Some(format) = format else {
        bail!("this is neither a Radiance (.hdr) nor an OpenEXR (.exr) picture");
    };
    if format == ImageFormat::OpenExr {
        check_windows(bytes)?;
    }
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::no_limits();
    limits.max_image_width = Some(LONGEST_SIDE);
    limits.max_image_height = Some(LONGEST_SIDE);
    limits.max_alloc = Some(MAX_ALLOCATED);
    reader.limits(limits);
    let picture = reader
        .decode()
        .context("the picture cannot be read")?
        .into_rgb32f();
    let (width, height) = (picture.width() as usize, picture.height() as usize);
    let texels = picture.pixels().map(|pixel| Vec3::from_array(pixel.0));
    let panorama = Panorama::new(width, height, texels.collect());
    let mut panorama = panorama.context("the picture is empty")?;
    while panorama.width().max(panorama.height()) > WIDEST {
        match panorama.halved() {
            Some(halved) => panorama = halved,
            None => break,
        }
    }
    Ok(panorama)
}

/// Refuses `OpenEXR` files with blocks or layers that are too large. The decoder's own limits see the display window alone,
/// and what it allocates follows the data window and the tiles ("Technical Introduction to `OpenEXR`", overview).
fn check_windows(bytes: &[u8]) -> anyhow::Result<()> {
    let meta = MetaData::read_from_buffered(bytes, false);
    let meta = meta.context("the picture cannot be read")?;
    let longest = usize::try_from(LONGEST_SIDE).unwrap_or(usize::MAX);
    for header in &meta.headers {
        let mut sizes = vec![header.layer_size];
        if let BlockDescription::Tiles(tiles) = header.blocks {
            sizes.push(tiles.tile_size);
        }
        for Vec2(width, height) in sizes {
            let allocated = width
                .saturating_mul(height)
                .saturating_mul(header.channels.bytes_per_pixel);
            let is_too_large = u64::try_from(allocated).is_ok_and(|bytes| bytes > MAX_ALLOCATED);
            if width.max(height) > longest || is_too_large {
                bail!("the picture is too large: it has {width} × {height} texels");
            }
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
