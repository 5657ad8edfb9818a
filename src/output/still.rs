//! One picture in a file.

use std::path::Path;

use anyhow::Context as _;
use image::ImageEncoder as _;

use super::{Animation, AnimationWriter, Kind, PartFile};
use crate::render::Picture;

/// Writes one picture. JPEG has no alpha: what is transparent is drawn on black.
pub fn write_still(path: &Path, kind: Kind, picture: &Picture) -> anyhow::Result<()> {
    if matches!(kind, Kind::Gif | Kind::Apng) {
        let animation = Animation {
            size: [picture.width, picture.height],
            frames: 1,
            fps: 1.0,
            is_transparent: picture.rgba8.as_chunks::<4>().0.iter().any(|p| p[3] < 255),
            repeats: true,
        };
        let samples = std::slice::from_ref(picture);
        let mut writer = AnimationWriter::create(path, kind, animation, samples)?;
        writer.push(picture)?;
        return writer.finish();
    }
    let file = PartFile::create(path)?;
    let (sink, width, height) = (file.sink(), picture.width, picture.height);
    let rgba = image::ExtendedColorType::Rgba8;
    let written = match kind {
        Kind::Jpeg => {
            let mut rgb = Vec::with_capacity(picture.rgba8.len() / 4 * 3);
            for &[red, green, blue, alpha] in picture.rgba8.as_chunks::<4>().0 {
                let dim = |signal: u8| (u16::from(signal) * u16::from(alpha) / 255) as u8;
                rgb.extend([red, green, blue].map(dim));
            }
            let encoder = image::codecs::jpeg::JpegEncoder::new_with_quality(sink, 92);
            encoder.write_image(&rgb, width, height, image::ExtendedColorType::Rgb8)
        }
        Kind::WebP => image::codecs::webp::WebPEncoder::new_lossless(sink).write_image(
            &picture.rgba8,
            width,
            height,
            rgba,
        ),
        Kind::Png | Kind::Gif | Kind::Apng => image::codecs::png::PngEncoder::new(sink)
            .write_image(&picture.rgba8, width, height, rgba),
    };
    written.with_context(|| format!("{} cannot be written", path.display()))?;
    file.finish()
}
