//! Surroundings from files: equirectangular pictures in Radiance's .hdr and in `OpenEXR`.

use std::{io::Cursor, path::Path};

use anyhow::{Context as _, bail};
use glam::Vec3;
use image::{ImageFormat, ImageReader, Limits};

use super::{Progress, barrier, sandbox};
use crate::model::Panorama;

/// Wider pictures are halved until they are no wider: a sharp reflection needs no more.
const WIDEST: usize = 2048;
/// Longer sides are refused.
const LONGEST_SIDE: u32 = 16_384;
/// The most bytes of a file.
const LARGEST_FILE: u64 = 1 << 30;
/// What a decoder may allocate.
const MOST_ALLOCATED: u64 = 2 << 30;

/// Reads surroundings from a .hdr or .exr file; which of them it is, its first bytes say.
pub fn read_panorama(path: &Path) -> anyhow::Result<Panorama> {
    let read = || {
        let bytes = sandbox::read_regular(path, None, LARGEST_FILE, &Progress::default())?;
        barrier::catch_panic(|| decode(&bytes))
    };
    read().with_context(|| path.display().to_string())
}

/// Whether a path is named like surroundings.
pub fn is_panorama(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    ["hdr", "exr"]
        .iter()
        .any(|known| extension.eq_ignore_ascii_case(known))
}

fn decode(bytes: &[u8]) -> anyhow::Result<Panorama> {
    let format = image::guess_format(bytes).ok();
    let format = format.filter(|format| matches!(format, ImageFormat::Hdr | ImageFormat::OpenExr));
    let Some(format) = format else {
        bail!("this is neither a Radiance (.hdr) nor an OpenEXR (.exr) picture");
    };
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::no_limits();
    limits.max_image_width = Some(LONGEST_SIDE);
    limits.max_image_height = Some(LONGEST_SIDE);
    limits.max_alloc = Some(MOST_ALLOCATED);
    reader.limits(limits);
    let picture = reader
        .decode()
        .context("the picture cannot be read")?
        .into_rgb32f();
    let (width, height) = (picture.width() as usize, picture.height() as usize);
    let texels = picture.pixels().map(|pixel| Vec3::from_array(pixel.0));
    let panorama = Panorama::new(width, height, texels.collect());
    let mut panorama = panorama.context("the picture is empty")?;
    while panorama.width() > WIDEST {
        match panorama.halved() {
            Some(halved) => panorama = halved,
            None => break,
        }
    }
    Ok(panorama)
}
