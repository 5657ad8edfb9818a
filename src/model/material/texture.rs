//! Textures: images, and how they are sampled.

use std::{borrow::Cow, sync::Arc};

/// An image and how to sample it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Texture {
    /// Index into [`crate::model::Model::images`].
    pub image: usize,
    /// How to sample it.
    pub sampler: Sampler,
}

/// How to sample an image (glTF 2.0 §3.8.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Sampler {
    /// The filter where texels are magnified.
    pub magnify: Filter,
    /// The filter where texels are made smaller.
    pub minify: Filter,
    /// The filter between mip levels.
    pub mip: MipFilter,
    /// Beyond 0..1 in u.
    pub wrap_u: Wrap,
    /// Beyond 0..1 in v.
    pub wrap_v: Wrap,
}

/// How texels are mixed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Filter {
    /// The nearest texel alone.
    Nearest,
    /// Neighbours are weighted by distance.
    #[default]
    Linear,
}

/// How mip levels are mixed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum MipFilter {
    /// Only the full-size level is used.
    None,
    /// The nearest level alone.
    Nearest,
    /// The two nearest are weighted by distance.
    #[default]
    Linear,
}

/// What lies beyond the edge of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Wrap {
    /// The image again.
    #[default]
    Repeat,
    /// The image again, mirrored each time.
    MirroredRepeat,
    /// The edge, drawn out.
    ClampToEdge,
}

/// A decoded image.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Image {
    /// The image's name, or its file name, or empty.
    pub name: String,
    /// Pixels in a row, at least 1.
    pub width: u32,
    /// Rows, at least 1.
    pub height: u32,
    /// How its texels are stored.
    pub format: TexelFormat,
    /// The texels row by row from the top, alpha not premultiplied: in full size first, then at half the size and so on,
    /// as far as the file has them. If it has the first level only, smaller ones are to be made of it. Images of the file
    /// that have the very bytes of another share its texels: such have one size and one format.
    pub levels: Arc<Vec<Vec<u8>>>,
    /// Whether this is a checkerboard that stands for an image that could not be read.
    pub is_placeholder: bool,
}

impl Image {
    /// A number that images have in common if they share their texels, and that no two others have at a time.
    pub fn place_of_texels(&self) -> usize {
        Arc::as_ptr(&self.levels).addr()
    }

    /// Width and height of a mip level: half of those of the level before, rounded down, but at least 1.
    pub fn level_size(&self, level: usize) -> (u32, u32) {
        let halve = |side: u32| {
            u32::try_from(level).map_or(0, |level| side.checked_shr(level).unwrap_or(0))
        };
        (halve(self.width).max(1), halve(self.height).max(1))
    }

    /// The texels of a mip level as [`TexelFormat::Rgba8`]; none if they are in blocks, or there is no such level.
    pub fn rgba8(&self, level: usize) -> Option<Cow<'_, [u8]>> {
        let texels = self.levels.get(level)?;
        match self.format {
            TexelFormat::Rgba8 => Some(Cow::Borrowed(texels)),
            TexelFormat::Rgb8 => Some(Cow::Owned(rgba_of_rgb(texels))),
            TexelFormat::Grey8 => Some(Cow::Owned(rgba_of_grey(texels))),
            TexelFormat::Bc7 | TexelFormat::Etc2 | TexelFormat::Astc => None,
        }
    }
}

/// Texels of three bytes, each with an alpha of 255 behind it.
pub fn rgba_of_rgb(rgb: &[u8]) -> Vec<u8> {
    const ALPHA: u32 = 0xff00_0000;
    let mut rgba = vec![u8::MAX; rgb.len() / 3 * 4];
    // Four at a time: three words become four, which is several times as fast as byte by byte.
    let (blocks, rest) = rgb.as_chunks::<12>();
    let (spread, spread_rest) = rgba.as_chunks_mut::<16>();
    for (block, spread) in blocks.iter().zip(spread) {
        let [a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3] = *block;
        let a = u32::from_le_bytes([a0, a1, a2, a3]);
        let b = u32::from_le_bytes([b0, b1, b2, b3]);
        let c = u32::from_le_bytes([c0, c1, c2, c3]);
        let texels = [a, (a >> 24) | (b << 8), (b >> 16) | (c << 16), c >> 8];
        let (words, _) = spread.as_chunks_mut::<4>();
        for (word, texel) in words.iter_mut().zip(texels) {
            *word = (texel | ALPHA).to_le_bytes();
        }
    }
    let (texels, _) = rest.as_chunks::<3>();
    let (spread, _) = spread_rest.as_chunks_mut::<4>();
    for ([red, green, blue, _], texel) in spread.iter_mut().zip(texels) {
        [*red, *green, *blue] = *texel;
    }
    rgba
}

/// Texels of a byte for red, green and blue alike, with an alpha of 255.
pub fn rgba_of_grey(grey: &[u8]) -> Vec<u8> {
    let mut rgba = vec![u8::MAX; grey.len() * 4];
    for (texel, grey) in rgba.as_chunks_mut().0.iter_mut().zip(grey) {
        *texel = [*grey, *grey, *grey, u8::MAX];
    }
    rgba
}

/// How texels are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum TexelFormat {
    /// A byte each for red, green, blue and alpha.
    #[default]
    Rgba8,
    /// A byte each for red, green and blue: what has no alpha takes less memory so.
    Rgb8,
    /// A byte for red, green and blue alike: what many maps of occlusion, roughness or metal have.
    Grey8,
    /// 16 bytes for 4 × 4 texels: BC7, which most desktops sample.
    Bc7,
    /// 16 bytes for 4 × 4 texels: ETC2 with EAC alpha, which most telephones sample.
    Etc2,
    /// 16 bytes for 4 × 4 texels: ASTC.
    Astc,
}

impl TexelFormat {
    /// Bytes of an image of this size.
    pub fn size(self, width: u32, height: u32) -> usize {
        let product = |a: u32, b: u32| (a as usize).saturating_mul(b as usize);
        match self {
            Self::Rgba8 => product(width, height).saturating_mul(4),
            Self::Rgb8 => product(width, height).saturating_mul(3),
            Self::Grey8 => product(width, height),
            Self::Bc7 | Self::Etc2 | Self::Astc => {
                product(width.div_ceil(4), height.div_ceil(4)).saturating_mul(16)
            }
        }
    }
}

/// Formats of texels in blocks that whoever shows an image can sample; it can always show the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BlockFormats {
    /// [`TexelFormat::Bc7`].
    pub bc7: bool,
    /// [`TexelFormat::Etc2`].
    pub etc2: bool,
    /// [`TexelFormat::Astc`].
    pub astc: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn puts_alpha_behind_three_bytes() {
        for count in 0..40_u8 {
            let rgb: Vec<u8> = (0..3 * count).map(|byte| byte.wrapping_mul(7)).collect();
            let texels = rgb.chunks(3);
            let rgba: Vec<u8> = texels.flat_map(|it| [it[0], it[1], it[2], 255]).collect();
            assert_eq!(rgba_of_rgb(&rgb), rgba, "{count}");
        }
        let image = Image {
            format: TexelFormat::Rgb8,
            levels: vec![vec![1, 2, 3]].into(),
            ..Image::default()
        };
        assert_eq!(image.rgba8(0).as_deref(), Some(&[1, 2, 3, 255][..]));
        assert_eq!(image.rgba8(1), None);
        let grey = Image {
            format: TexelFormat::Grey8,
            ..image.clone()
        };
        let spread = [1, 1, 1, 255, 2, 2, 2, 255, 3, 3, 3, 255];
        assert_eq!(grey.rgba8(0).as_deref(), Some(&spread[..]));
        let blocks = Image {
            format: TexelFormat::Bc7,
            ..image
        };
        assert_eq!(blocks.rgba8(0), None);
    }
}
