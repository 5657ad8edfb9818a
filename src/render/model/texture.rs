//! Textures and samplers: upload with mip levels, each image once for each way its colours are meant.

use std::{
    borrow::Cow,
    collections::{HashMap, hash_map::Entry},
};

use super::{
    halving::halve_until,
    samplers::{Bindings, Combinations, TextureKind},
    slots::Map,
    waiting::Waiting,
};
use crate::{
    model::{
        BlockFormats, Filter, Image, MipFilter, Model, Sampler, TexelFormat, Texture, TextureRef,
        Wrap, rgba_of_grey, rgba_of_rgb,
    },
    render::{Gpu, pipelines::MipmapPipeline},
};

/// How an image's numbers are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum ColorSpace {
    /// Colours: decoded to linear light when sampled.
    Srgb,
    /// Data: normals, roughness, occlusion.
    Linear,
}

/// The textures and samplers of a model.
#[derive(Debug)]
pub(super) struct Textures {
    /// By where their texels are, which images may share.
    images: HashMap<(usize, ColorSpace), wgpu::TextureView>,
    samplers: HashMap<Sampler, wgpu::Sampler>,
    combinations: Combinations,
    /// Whether it was said that samplers are not those of the file.
    is_reduction_said: bool,
    white: wgpu::TextureView,
    bytes: u64,
    waiting: Waiting,
}

impl Textures {
    /// No textures yet, but one white texel that stands where a material has none.
    pub(in crate::render) fn new(gpu: &Gpu, mipmaps: &MipmapPipeline) -> Self {
        let white = Levels {
            width: 1,
            height: 1,
            format: TexelFormat::Rgba8,
            texels: Cow::Owned(vec![vec![255; 4]]),
        };
        let mut waiting = Waiting::default();
        let (white, bytes) = white.upload(gpu, mipmaps, ColorSpace::Linear, &mut waiting);
        Self {
            images: HashMap::new(),
            samplers: HashMap::new(),
            combinations: Combinations::new(gpu.is_software()),
            is_reduction_said: false,
            white,
            bytes,
            waiting,
        }
    }

    /// Uploads the image that `texture` refers to, unless that was done before.
    pub(in crate::render) fn prepare(
        &mut self,
        gpu: &Gpu,
        mipmaps: &MipmapPipeline,
        model: &Model,
        texture: Option<TextureRef>,
        space: ColorSpace,
    ) {
        let Some(image) = image_of(model, texture) else {
            return;
        };
        if let Entry::Vacant(entry) = self.images.entry((image.place_of_texels(), space))
            && let Some(levels) = Levels::of(image, gpu, space)
        {
            let (view, bytes) = levels.upload(gpu, mipmaps, space, &mut self.waiting);
            self.bytes += bytes;
            entry.insert(view);
        }
    }

    /// What a material binds for `texture`: its view, prepared before, or white.
    pub(in crate::render) fn view(
        &self,
        model: &Model,
        texture: Option<TextureRef>,
        space: ColorSpace,
    ) -> &wgpu::TextureView {
        let found = image_of(model, texture);
        let view = found.and_then(|image| self.images.get(&(image.place_of_texels(), space)));
        view.unwrap_or(&self.white)
    }

    /// The samplers of a material's textures, and of slots without one as many as make `count`; and which materials bind alike.
    pub(in crate::render) fn samplers(
        &mut self,
        gpu: &Gpu,
        model: &Model,
        textures: &[Map],
        count: usize,
    ) -> (Vec<wgpu::Sampler>, Bindings) {
        let found = textures.iter();
        let found = found.map(|(texture, _)| model.textures.get((*texture)?.texture));
        let sampler = |texture: Option<&Texture>| texture.map(|it| it.sampler).unwrap_or_default();
        let mut samplers: Vec<_> = found.map(sampler).collect();
        if self.combinations.reduce(&mut samplers)
            && !std::mem::replace(&mut self.is_reduction_said, true)
        {
            log::warn!(
                "\"{}\" combines too many samplers for a driver without hardware: not all textures are filtered and wrapped as \
                 they should be",
                model.name
            );
        }
        let views = textures.iter();
        let views = views.map(|&(texture, space)| self.view(model, texture, space));
        let kinds = views.map(|view| TextureKind::of(view.texture()));
        let bound = samplers.iter().copied().zip(kinds).collect();
        let bindings = self.combinations.number(bound);
        samplers.resize(count, Sampler::default());
        let made = samplers.into_iter().map(|sampler| {
            let entry = self.samplers.entry(sampler);
            entry.or_insert_with(|| make_sampler(gpu, sampler)).clone()
        });
        (made.collect(), bindings)
    }

    /// Bytes of all texels.
    pub(in crate::render) fn bytes(&self) -> u64 {
        self.bytes
    }
}

fn make_sampler(gpu: &Gpu, sampler: Sampler) -> wgpu::Sampler {
    let wrap = |wrap| match wrap {
        Wrap::Repeat => wgpu::AddressMode::Repeat,
        Wrap::MirroredRepeat => wgpu::AddressMode::MirrorRepeat,
        Wrap::ClampToEdge => wgpu::AddressMode::ClampToEdge,
    };
    let filter = |filter| match filter {
        Filter::Nearest => wgpu::FilterMode::Nearest,
        Filter::Linear => wgpu::FilterMode::Linear,
    };
    let is_trilinear = (sampler.magnify, sampler.minify, sampler.mip)
        == (Filter::Linear, Filter::Linear, MipFilter::Linear);
    gpu.device.create_sampler(&wgpu::SamplerDescriptor {
        label: Some("Textures::samplers"),
        address_mode_u: wrap(sampler.wrap_u),
        address_mode_v: wrap(sampler.wrap_v),
        mag_filter: filter(sampler.magnify),
        min_filter: filter(sampler.minify),
        mipmap_filter: match sampler.mip {
            MipFilter::Linear => wgpu::MipmapFilterMode::Linear,
            MipFilter::None | MipFilter::Nearest => wgpu::MipmapFilterMode::Nearest,
        },
        lod_max_clamp: if sampler.mip == MipFilter::None {
            // The first level alone, and yet what is smaller than it is minified: with 0 Vulkan and Direct3D magnify always
            // (Vulkan, VkSamplerCreateInfo: how to say GL_NEAREST and GL_LINEAR).
            0.25
        } else {
            32.0
        },
        // Costs nothing to speak of on hardware and a great deal without.
        anisotropy_clamp: if is_trilinear && !gpu.is_software() {
            8
        } else {
            1
        },
        ..Default::default()
    })
}

/// The image that `texture` refers to.
fn image_of(model: &Model, texture: Option<TextureRef>) -> Option<&Image> {
    let texture = model.textures.get(texture?.texture)?;
    model.images.get(texture.image)
}

/// The mip levels of an image that the adapter can take.
struct Levels<'i> {
    width: u32,
    height: u32,
    format: TexelFormat,
    texels: Cow<'i, [Vec<u8>]>,
}

impl<'i> Levels<'i> {
    /// Those of `image`; none if all are too large, which is logged.
    fn of(image: &'i Image, gpu: &Gpu, space: ColorSpace) -> Option<Self> {
        let largest = gpu.device.limits().max_texture_dimension_2d;
        let Image { name, format, .. } = image;
        // The largest level of a texture of blocks must be made of whole ones.
        let is_plain = is_plain(*format);
        let is_whole = |side: u32| is_plain || side.is_multiple_of(4);
        let fits = |(width, height): (u32, u32)| {
            width.max(height) <= largest && is_whole(width) && is_whole(height)
        };
        let first = (0..image.levels.len()).find(|&level| fits(image.level_size(level)));
        if !is_sampled(*format, gpu) {
            // It was loaded for an adapter that has gone.
            log::error!(
                "image \"{name}\" is in a format that the adapter does not have: not shown"
            );
            return None;
        }
        let mut format = *format;
        let (width, height, texels) = match first {
            Some(first) => {
                let (width, height) = image.level_size(first);
                (width, height, Cow::Borrowed(&image.levels[first..]))
            }
            None if is_plain => {
                let (width, height, texels) = halve_until(image, largest, space);
                format = TexelFormat::Rgba8;
                (width, height, Cow::Owned(vec![texels]))
            }
            None => {
                log::error!(
                    "image \"{name}\" has no level of whole blocks within the adapter's {largest}: not shown"
                );
                return None;
            }
        };
        if (width, height) != (image.width, image.height) {
            let why = if image.width.max(image.height) > largest {
                format!("is larger than the adapter's {largest}")
            } else {
                "is not made of whole blocks".to_owned()
            };
            log::warn!(
                "image \"{name}\" ({} × {}) {why}: shown at {width} × {height}",
                image.width,
                image.height,
            );
        }
        Some(Self {
            width,
            height,
            format,
            texels,
        })
    }

    /// Uploads them, and makes those that are missing; also the number of bytes.
    fn upload(
        &self,
        gpu: &Gpu,
        mipmaps: &MipmapPipeline,
        space: ColorSpace,
        waiting: &mut Waiting,
    ) -> (wgpu::TextureView, u64) {
        let size = wgpu::Extent3d {
            width: self.width,
            height: self.height,
            depth_or_array_layers: 1,
        };
        // Who brings smaller levels along knows best how they should look.
        let makes_levels = self.texels.len() == 1 && is_plain(self.format);
        let mut usage = wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST;
        let mut level_count = self.texels.len() as u32;
        if makes_levels {
            usage |= wgpu::TextureUsages::RENDER_ATTACHMENT;
            level_count = size.max_mips(wgpu::TextureDimension::D2);
        }
        let format = texture_format(self.format, space);
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("Textures::images"),
            size,
            mip_level_count: level_count,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage,
            view_formats: &[],
        });
        let (_, block_height) = format.block_dimensions();
        let mut bytes = 0;
        for (mip_level, texels) in (0..).zip(self.texels.iter()) {
            // Blocks reach beyond the edge.
            let size = size
                .mip_level_size(mip_level, wgpu::TextureDimension::D2)
                .physical_size(format);
            let rows = size.height / block_height;
            let level = wgpu::TexelCopyTextureInfo {
                mip_level,
                ..texture.as_image_copy()
            };
            let spread: Option<Spread> = match self.format {
                TexelFormat::Rgb8 => Some((3, rgba_of_rgb)),
                TexelFormat::Grey8 => Some((1, rgba_of_grey)),
                _ => None,
            };
            if let Some(spread) = spread {
                bytes += upload_opaque(gpu, level, texels, spread, size, waiting);
                continue;
            }
            bytes += texels.len() as u64;
            gpu.queue.write_texture(
                level,
                texels,
                wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(texels.len() as u32 / rows),
                    rows_per_image: Some(rows),
                },
                size,
            );
            waiting.add(gpu, texels.len() as u64);
        }
        if makes_levels {
            mipmaps.generate(gpu, &texture);
            bytes = bytes * 4 / 3;
        }
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        (view, bytes)
    }
}

/// How many bytes a texel has, and what makes four of them.
type Spread = (usize, fn(&[u8]) -> Vec<u8>);

/// Uploads texels of fewer than four bytes, for which adapters have no format that says the same, some rows at a time: all at
/// once they would lie in memory twice. Returns how many bytes they became.
fn upload_opaque(
    gpu: &Gpu,
    level: wgpu::TexelCopyTextureInfo<'_>,
    texels: &[u8],
    (bytes, spread): Spread,
    size: wgpu::Extent3d,
    waiting: &mut Waiting,
) -> u64 {
    const TOGETHER: usize = 4 << 20;
    let row = bytes * size.width as usize;
    let rows = (TOGETHER / row).max(1);
    let mut first_row = 0;
    for texels in texels.chunks(rows * row) {
        let height = (texels.len() / row) as u32;
        gpu.queue.write_texture(
            wgpu::TexelCopyTextureInfo {
                origin: wgpu::Origin3d {
                    y: first_row,
                    ..level.origin
                },
                ..level
            },
            &spread(texels),
            wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(4 * size.width),
                rows_per_image: Some(height),
            },
            wgpu::Extent3d { height, ..size },
        );
        first_row += height;
        waiting.add(gpu, 4 * u64::from(size.width) * u64::from(height));
    }
    4 * u64::from(size.width) * u64::from(size.height)
}

/// Whether texels are no blocks, so that smaller levels can be made of them.
fn is_plain(format: TexelFormat) -> bool {
    matches!(
        format,
        TexelFormat::Rgba8 | TexelFormat::Rgb8 | TexelFormat::Grey8
    )
}

fn is_sampled(format: TexelFormat, gpu: &Gpu) -> bool {
    let BlockFormats { bc7, etc2, astc } = gpu.block_formats();
    match format {
        TexelFormat::Rgba8 | TexelFormat::Rgb8 | TexelFormat::Grey8 => true,
        TexelFormat::Bc7 => bc7,
        TexelFormat::Etc2 => etc2,
        TexelFormat::Astc => astc,
    }
}

fn texture_format(format: TexelFormat, space: ColorSpace) -> wgpu::TextureFormat {
    use wgpu::{AstcBlock, AstcChannel, TextureFormat};
    let linear = match format {
        TexelFormat::Rgba8 | TexelFormat::Rgb8 | TexelFormat::Grey8 => TextureFormat::Rgba8Unorm,
        TexelFormat::Bc7 => TextureFormat::Bc7RgbaUnorm,
        TexelFormat::Etc2 => TextureFormat::Etc2Rgba8Unorm,
        TexelFormat::Astc => TextureFormat::Astc {
            block: AstcBlock::B4x4,
            channel: AstcChannel::Unorm,
        },
    };
    match space {
        ColorSpace::Srgb => linear.add_srgb_suffix(),
        ColorSpace::Linear => linear,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Textures that bring their levels are copied by nobody else before the model is drawn.
    #[test]
    fn few_texels_wait_to_be_copied() {
        let Some(gpu) = Gpu::for_test() else { return };
        let mipmaps = MipmapPipeline::new(&gpu.device);
        let with_levels = || Image {
            width: 2048,
            height: 2048,
            levels: vec![vec![7; 4 << 22], vec![7; 4 << 20]].into(),
            ..Image::default()
        };
        let opaque = Image {
            format: TexelFormat::Grey8,
            levels: vec![vec![7; 1 << 22]].into(),
            ..with_levels()
        };
        let first = with_levels();
        let images = vec![first.clone(), first, with_levels(), opaque];
        let textures = (0..images.len()).map(|image| Texture {
            image,
            sampler: Sampler::default(),
        });
        let model = Model {
            textures: textures.collect(),
            images: images.into(),
            ..Model::default()
        };
        let mut textures = Textures::new(&gpu, &mipmaps);
        let mib = |bytes: u64| bytes >> 20;
        // The second shares its texels; of the third the first level was more than may wait; then the rest.
        for (texture, waiting) in [20, 20, 4, 20].into_iter().enumerate() {
            let texture = Some(TextureRef {
                texture,
                ..TextureRef::default()
            });
            textures.prepare(&gpu, &mipmaps, &model, texture, ColorSpace::Srgb);
            assert_eq!(mib(textures.waiting.bytes()), waiting);
        }
        assert_eq!(textures.images.len(), 3);
    }
}
