//! Materials on the GPU: factors, flags and textures, one bind group each.

use glam::{Vec3, Vec4};
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
    uniform: wgpu::Buffer,
    /// What is in the uniform buffer.
    written: MaterialUniform,
    pub(super) blending: Blending,
    pub(super) is_double_sided: bool,
    /// Its flags, which the shader is fixed to.
    pub(super) features: u32,
}

/// The textures of a material in the order of their bindings.
fn textures(material: &Material) -> [(Option<TextureRef>, ColorSpace); 5] {
    let [base_color, metallic_roughness] = match &material.specular_glossiness {
        Some(surface) => [
            (surface.diffuse_texture, ColorSpace::Srgb),
            (surface.texture, ColorSpace::Srgb),
        ],
        None => [
            (material.base_color_texture, ColorSpace::Srgb),
            (material.metallic_roughness_texture, ColorSpace::Linear),
        ],
    };
    let normal = material.normal_texture.map(|normal| normal.texture);
    let occlusion = material.occlusion_texture;
    let occlusion = occlusion.map(|occlusion| occlusion.texture);
    [
        base_color,
        metallic_roughness,
        (normal, ColorSpace::Linear),
        (occlusion, ColorSpace::Linear),
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
        let written = MaterialUniform::from(material);
        let uniform = gpu
            .device
            .create_buffer_init(&wgpu::util::BufferInitDescriptor {
                label: Some("GpuMaterial::uniform"),
                contents: bytemuck::bytes_of(&written),
                usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
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
            features: features(material),
            uniform,
            written,
        }
    }

    /// Brings the factors up to date, which is all of a material that a clip can move.
    pub(super) fn update(&mut self, gpu: &Gpu, material: &Material) {
        let uniform = MaterialUniform::from(material);
        if bytemuck::bytes_of(&uniform) != bytemuck::bytes_of(&self.written) {
            gpu.queue
                .write_buffer(&self.uniform, 0, bytemuck::bytes_of(&uniform));
            self.written = uniform;
        }
    }
}

/// Half of what the scene's 16-bit floats hold. Beyond that, some adapters store infinity, and what is blended over it is
/// no number any more.
const BRIGHTEST: Vec3 = Vec3::splat(32_768.0);

/// What the material's pipeline is made for.
fn features(material: &Material) -> u32 {
    let alpha = match material.alpha_mode {
        AlphaMode::Opaque => 0,
        AlphaMode::Mask { .. } => flags::ALPHA_MASK,
        AlphaMode::Blend => flags::ALPHA_BLEND,
    };
    let light = if material.unlit { flags::UNLIT } else { 0 };
    let surface = material
        .specular_glossiness
        .map_or(0, |_| flags::SPECULAR_GLOSSINESS);
    let textures = (0..)
        .zip(textures(material))
        .filter(|(_, (texture, _))| texture.is_some())
        .map(|(slot, _)| flags::HAS_FIRST_TEXTURE << slot);
    alpha | light | surface | textures.sum::<u32>()
}

impl From<&Material> for MaterialUniform {
    fn from(material: &Material) -> Self {
        let surface = material.specular_glossiness;
        let emissive = material.emissive * material.emissive_strength;
        let bits = (0..)
            .zip(textures(material))
            .map(|(slot, (texture, _))| match texture {
                Some(texture) if texture.tex_coord == 1 => 1 << slot,
                _ => 0,
            });
        Self {
            base_color: surface
                .map_or(material.base_color, |surface| surface.diffuse)
                .to_array(),
            emissive: emissive.min(BRIGHTEST).extend(0.0).to_array(),
            specular_glossiness: surface
                .map_or(Vec4::ZERO, |surface| {
                    surface.specular.extend(surface.glossiness)
                })
                .to_array(),
            metallic: material.metallic,
            roughness: material.roughness,
            normal_scale: material.normal_texture.map_or(1.0, |normal| normal.scale),
            occlusion_strength: material
                .occlusion_texture
                .map_or(0.0, |occlusion| occlusion.strength),
            alpha_cutoff: match material.alpha_mode {
                AlphaMode::Mask { cutoff } => cutoff,
                AlphaMode::Opaque | AlphaMode::Blend => 0.0,
            },
            tex_coord_bits: bits.sum(),
            padding: [0; 2],
            tex_coord_rows: textures(material).map(|(texture, _)| {
                let rows = texture.unwrap_or_default().transform.rows();
                rows.map(|row| row.extend(0.0).to_array())
            }),
        }
    }
}
