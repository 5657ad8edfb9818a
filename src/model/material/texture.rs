//! Textures: images, and how they are sampled.

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
    /// When magnified.
    pub magnify: Filter,
    /// When minified.
    pub minify: Filter,
    /// Between mip levels.
    pub mip: MipFilter,
    /// Beyond 0..1 in u.
    pub wrap_u: Wrap,
    /// Beyond 0..1 in v.
    pub wrap_v: Wrap,
}

/// How texels are mixed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Filter {
    /// The nearest alone.
    Nearest,
    /// By distance.
    #[default]
    Linear,
}

/// How mip levels are mixed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum MipFilter {
    /// Only the full-size level is used.
    None,
    /// The nearest alone.
    Nearest,
    /// By distance.
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
    /// as far as the file has them. If it has the first level only, smaller ones are to be made of it.
    pub levels: Vec<Vec<u8>>,
    /// Whether this is a checkerboard that stands for an image that could not be read.
    pub is_placeholder: bool,
}

impl Image {
    /// Width and height of a mip level: half of those of the level before, rounded down, but at least 1.
    pub fn level_size(&self, level: usize) -> (u32, u32) {
        let halve = |side: u32| {
            u32::try_from(level).map_or(0, |level| side.checked_shr(level).unwrap_or(0))
        };
        (halve(self.width).max(1), halve(self.height).max(1))
    }
}

/// How texels are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum TexelFormat {
    /// A byte each for red, green, blue and alpha.
    #[default]
    Rgba8,
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
            Self::Bc7 | Self::Etc2 | Self::Astc => {
                product(width.div_ceil(4), height.div_ceil(4)).saturating_mul(16)
            }
        }
    }
}

/// Formats of texels in blocks that whoever shows an image can sample; it can always sample [`TexelFormat::Rgba8`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BlockFormats {
    /// [`TexelFormat::Bc7`].
    pub bc7: bool,
    /// [`TexelFormat::Etc2`].
    pub etc2: bool,
    /// [`TexelFormat::Astc`].
    pub astc: bool,
}
