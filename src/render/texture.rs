//! Textures and samplers: upload with mip levels, each image once for each way its colours are meant.

use std::collections::HashMap;

use super::{Gpu, pipelines::MipmapPipeline};
use crate::model::{Filter, Image, MipFilter, Model, Sampler, TextureRef, Wrap};

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
    images: HashMap<(usize, ColorSpace), wgpu::TextureView>,
    samplers: HashMap<Sampler, wgpu::Sampler>,
    white: wgpu::TextureView,
    bytes: u64,
}

impl Textures {
    /// No textures yet, but one white texel that stands where a material has none.
    pub(super) fn new(gpu: &Gpu, mipmaps: &MipmapPipeline) -> Self {
        let white = Image {
            width: 1,
            height: 1,
            rgba8: vec![255; 4],
            ..Image::default()
        };
        let (white, bytes) = upload(gpu, mipmaps, &white, ColorSpace::Linear);
        Self {
            images: HashMap::new(),
            samplers: HashMap::new(),
            white,
            bytes,
        }
    }

    /// Uploads the image that `texture` refers to, unless that was done before.
    pub(super) fn prepare(
        &mut self,
        gpu: &Gpu,
        mipmaps: &MipmapPipeline,
        model: &Model,
        texture: Option<TextureRef>,
        space: ColorSpace,
    ) {
        let found = texture.and_then(|texture| model.textures.get(texture.texture));
        let sampler = found.map_or_else(Sampler::default, |texture| texture.sampler);
        self.samplers
            .entry(sampler)
            .or_insert_with(|| make_sampler(gpu, sampler));
        let Some((index, image)) = found.and_then(|texture| {
            model
                .images
                .get(texture.image)
                .map(|image| (texture.image, image))
        }) else {
            return;
        };
        self.images.entry((index, space)).or_insert_with(|| {
            let (view, bytes) = upload(gpu, mipmaps, image, space);
            self.bytes += bytes;
            view
        });
    }

    /// What a material binds for `texture`: its view and sampler, prepared before, or white.
    pub(super) fn binding(
        &self,
        model: &Model,
        texture: Option<TextureRef>,
        space: ColorSpace,
    ) -> (&wgpu::TextureView, Option<&wgpu::Sampler>) {
        let found = texture.and_then(|texture| model.textures.get(texture.texture));
        let view = found.and_then(|texture| self.images.get(&(texture.image, space)));
        let sampler = found.map_or_else(Sampler::default, |texture| texture.sampler);
        (view.unwrap_or(&self.white), self.samplers.get(&sampler))
    }

    /// Bytes of all texels.
    pub(super) fn bytes(&self) -> u64 {
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
            0.0
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

/// Uploads an image with all mip levels; also the number of bytes.
fn upload(
    gpu: &Gpu,
    mipmaps: &MipmapPipeline,
    image: &Image,
    space: ColorSpace,
) -> (wgpu::TextureView, u64) {
    let largest = gpu.device.limits().max_texture_dimension_2d;
    let halved;
    let (width, height, rgba8) = if image.width.max(image.height) > largest {
        halved = halve_until(image, largest);
        log::warn!(
            "image \"{}\" ({} × {}) is larger than the adapter's {largest}: shown at {} × {}",
            image.name,
            image.width,
            image.height,
            halved.0,
            halved.1
        );
        (halved.0, halved.1, &halved.2)
    } else {
        (image.width, image.height, &image.rgba8)
    };
    let size = wgpu::Extent3d {
        width,
        height,
        depth_or_array_layers: 1,
    };
    let format = match space {
        ColorSpace::Srgb => wgpu::TextureFormat::Rgba8UnormSrgb,
        ColorSpace::Linear => wgpu::TextureFormat::Rgba8Unorm,
    };
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("Textures::images"),
        size,
        mip_level_count: size.max_mips(wgpu::TextureDimension::D2),
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::TEXTURE_BINDING
            | wgpu::TextureUsages::COPY_DST
            | wgpu::TextureUsages::RENDER_ATTACHMENT,
        view_formats: &[],
    });
    gpu.queue.write_texture(
        texture.as_image_copy(),
        rgba8,
        wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(4 * width),
            rows_per_image: Some(height),
        },
        size,
    );
    mipmaps.generate(gpu, &texture);
    let bytes = 4 * u64::from(width) * u64::from(height) * 4 / 3;
    (
        texture.create_view(&wgpu::TextureViewDescriptor::default()),
        bytes,
    )
}

/// The image at half size, again and again until neither side exceeds `largest`: width, height, texels.
fn halve_until(image: &Image, largest: u32) -> (u32, u32, Vec<u8>) {
    let (mut width, mut height) = (image.width as usize, image.height as usize);
    let mut texels = image.rgba8.clone();
    while width.max(height) > largest as usize {
        let (next_width, next_height) = ((width / 2).max(1), (height / 2).max(1));
        let mut next = Vec::with_capacity(4 * next_width * next_height);
        for y in 0..next_height {
            for x in 0..next_width {
                for channel in 0..4 {
                    let texel = |dx: usize, dy: usize| {
                        let x = (2 * x + dx).min(width - 1);
                        let y = (2 * y + dy).min(height - 1);
                        u32::from(texels[4 * (y * width + x) + channel])
                    };
                    let sum = texel(0, 0) + texel(1, 0) + texel(0, 1) + texel(1, 1);
                    next.push(((sum + 2) / 4) as u8);
                }
            }
        }
        (width, height, texels) = (next_width, next_height, next);
    }
    (width as u32, height as u32, texels)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halving_averages() {
        let image = Image {
            width: 4,
            height: 1,
            rgba8: vec![0, 0, 0, 255, 100, 0, 0, 255, 10, 20, 30, 40, 10, 20, 30, 40],
            ..Image::default()
        };
        let halved = halve_until(&image, 2);
        assert_eq!(halved, (2, 1, vec![50, 0, 0, 255, 10, 20, 30, 40]));
    }
}
