//! Textures: images, and how they are sampled.

/// An image and how to sample it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Texture {
    /// Index into [`super::Model::images`].
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
    /// `4 * width * height` bytes, row by row from the top: red, green, blue, alpha, not premultiplied.
    pub rgba8: Vec<u8>,
    /// Whether this is a checkerboard that stands for an image that could not be read.
    pub is_placeholder: bool,
}
