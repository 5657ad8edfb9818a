//! Materials on the GPU: factors, flags and textures, one bind group each.

use wgpu::util::DeviceExt as _;

use super::{
    Gpu,
    layout::{MaterialUniform, material_flags as flags},
    pipelines::{Blending, MipmapPipeline},
    texture::{ColorSpace, Textures},
};
use crate::model::{AlphaMode, Material, Model, TextureRef};

/// A material's bind group, and what it asks of the pipeline.
#[derive(Debug)]
pub(super) struct GpuMaterial {
    /// Group 2.
    pub(super) bind_group: wgpu::BindGroup,
    pub(super) blending: Blending,
    pub(super) is_double_sided: bool,
    /// Its flags, which the shader is fixed to.
    pub(super) features: u32,
}

/// The textures of a material in the order of their bindings.
fn textures(material: &Material) -> [(Option<TextureRef>, ColorSpace); 5] {
    [
        (material.base_color_texture, ColorSpace::Srgb),
        (material.metallic_roughness_texture, ColorSpace::Linear),
        (
            material.normal_texture.map(|normal| normal.texture),
            ColorSpace::Linear,
        ),
        (
            material
                .occlusion_texture
                .map(|occlusion| occlusion.texture),
            ColorSpace::Linear,
        ),
        (material.emissive_texture, ColorSpace::Srgb),
    ]
}

impl GpuMaterial {
    /// Uploads a material and those of its textures that are not there yet.
    pub(super) fn new(
        gpu: &Gpu,
        layout: &wgpu::BindGroupLayout,
        mipmaps: &MipmapPipeline,
        model: &Model,
        material: &Material,
        uploaded: &mut Textures,
    ) -> Self {
        let textures = textures(material);
        for (texture, space) in textures {
            uploaded.prepare(gpu, mipmaps, model, texture, space);
        }
        let uniform_data = uniform(material);
        let uniform = gpu
            .device
            .create_buffer_init(&wgpu::util::BufferInitDescriptor {
                label: Some("GpuMaterial::uniform"),
                contents: bytemuck::bytes_of(&uniform_data),
                usage: wgpu::BufferUsages::UNIFORM,
            });
        let mut entries = vec![wgpu::BindGroupEntry {
            binding: 0,
            resource: uniform.as_entire_binding(),
        }];
        for (slot, (texture, space)) in (0..).zip(textures) {
            let (view, sampler) = uploaded.binding(model, texture, space);
            entries.push(wgpu::BindGroupEntry {
                binding: 2 * slot + 1,
                resource: wgpu::BindingResource::TextureView(view),
            });
            if let Some(sampler) = sampler {
                entries.push(wgpu::BindGroupEntry {
                    binding: 2 * slot + 2,
                    resource: wgpu::BindingResource::Sampler(sampler),
                });
            }
        }
        Self {
            bind_group: gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("GpuMaterial::bind_group"),
                layout,
                entries: &entries,
            }),
            blending: match material.alpha_mode {
                AlphaMode::Opaque | AlphaMode::Mask { .. } => Blending::Opaque,
                AlphaMode::Blend => Blending::Alpha,
            },
            is_double_sided: material.double_sided,
            features: uniform_data.flags,
        }
    }
}

fn uniform(material: &Material) -> MaterialUniform {
    let (alpha_flag, alpha_cutoff) = match material.alpha_mode {
        AlphaMode::Opaque => (0, 0.0),
        AlphaMode::Mask { cutoff } => (flags::ALPHA_MASK, cutoff),
        AlphaMode::Blend => (flags::ALPHA_BLEND, 0.0),
    };
    let texture_flags = (0..)
        .zip(textures(material))
        .filter(|(_, (texture, _))| texture.is_some())
        .map(|(slot, _)| flags::HAS_FIRST_TEXTURE << slot);
    let bits = (0..)
        .zip(textures(material))
        .map(|(slot, (texture, _))| match texture {
            Some(texture) if texture.tex_coord == 1 => 1 << slot,
            _ => 0,
        });
    MaterialUniform {
        base_color: material.base_color.to_array(),
        emissive: material.emissive.extend(0.0).to_array(),
        metallic: material.metallic,
        roughness: material.roughness,
        normal_scale: material.normal_texture.map_or(1.0, |normal| normal.scale),
        occlusion_strength: material
            .occlusion_texture
            .map_or(0.0, |occlusion| occlusion.strength),
        alpha_cutoff,
        flags: alpha_flag
            | if material.unlit { flags::UNLIT } else { 0 }
            | texture_flags.sum::<u32>(),
        tex_coord_bits: bits.sum(),
        padding: 0,
        tex_coord_rows: textures(material).map(|(texture, _)| {
            let rows = texture.unwrap_or_default().transform.rows();
            rows.map(|row| row.extend(0.0).to_array())
        }),
    }
}
