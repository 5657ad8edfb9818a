//! One picture in a file.

use std::{io::Write, path::Path};

use anyhow::Context as _;
use image::{ExtendedColorType, ImageEncoder as _};

use super::{Animation, AnimationWriter, Kind, PartFile};
use crate::render::Picture;

/// Writes one picture. JPEG has no alpha: what is transparent is drawn on black.
pub fn write_still(path: &Path, kind: Kind, picture: &Picture) -> anyhow::Result<()> {
    kind.check_size([picture.width, picture.height])?;
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
    let written = encode(file.sink(), kind, picture);
    written.with_context(|| format!("{} cannot be written", path.display()))?;
    file.finish()
}

fn encode(sink: impl Write, kind: Kind, picture: &Picture) -> anyhow::Result<()> {
    let (width, height) = (picture.width, picture.height);
    match kind {
        Kind::Jpeg => {
            let mut rgb = Vec::with_capacity(picture.rgba8.len() / 4 * 3);
            for &[red, green, blue, alpha] in picture.rgba8.as_chunks::<4>().0 {
                let dim = |signal: u8| (u16::from(signal) * u16::from(alpha) / 255) as u8;
                rgb.extend([red, green, blue].map(dim));
            }
            let encoder = image::codecs::jpeg::JpegEncoder::new_with_quality(sink, 92);
            encoder.write_image(&rgb, width, height, ExtendedColorType::Rgb8)?;
        }
        Kind::WebP => {
            let encoder = image::codecs::webp::WebPEncoder::new_lossless(sink);
            encoder.write_image(&picture.rgba8, width, height, ExtendedColorType::Rgba8)?;
        }
        // image keeps of an error only the words, and not that the disk is full.
        Kind::Png | Kind::Gif | Kind::Apng => {
            let mut encoder = png::Encoder::new(sink, width, height);
            encoder.set_color(png::ColorType::Rgba);
            encoder.set_depth(png::BitDepth::Eight);
            encoder.set_compression(png::Compression::Fast);
            encoder.set_filter(png::Filter::Adaptive);
            let mut writer = encoder.write_header()?;
            writer.write_image_data(&picture.rgba8)?;
            writer.finish()?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    /// A disk without room.
    struct Full;

    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn encoders_keep_what_went_wrong_with_the_file() {
        let picture = Picture {
            width: 2,
            height: 2,
            rgba8: vec![9; 16],
        };
        for kind in [Kind::Png, Kind::Jpeg, Kind::WebP] {
            let error = encode(Full, kind, &picture).unwrap_err();
            let of_png = match error.downcast_ref() {
                Some(png::EncodingError::IoError(error)) => Some(error),
                _ => None,
            };
            let of_image = match error.downcast_ref() {
                Some(image::ImageError::IoError(error)) => Some(error),
                _ => None,
            };
            let found = of_png.or(of_image).map(io::Error::kind);
            assert_eq!(found, Some(io::ErrorKind::StorageFull), "{kind:?}");
        }
    }
}
