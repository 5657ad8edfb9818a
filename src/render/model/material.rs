//! Materials on the GPU: numbers, features and textures, one bind group each.

use glam::{Vec3, Vec4};
use wgpu::util::DeviceExt as _;

use super::{
    samplers::Bindings,
    slots::{Slots, maps, without},
    texture::{ColorSpace, Textures},
};
use crate::{
    model::{
        AlphaMode, Material, MaterialProperty, Model, SeenLayers, TextureRef, TextureSlot,
        dimmed_to,
    },
    render::{
        Gpu,
        layout::{MAP_COUNT, MAP_SLOTS, MaterialUniform, material_flags as flags, texture_slots},
        pipelines::{Blending, MipmapPipeline},
    },
};

/// A material's bind group, and what it asks of the pipeline.
#[derive(Debug)]
pub(in crate::render) struct GpuMaterial {
    /// Group 2.
    pub(in crate::render) bind_group: wgpu::BindGroup,
    uniform: wgpu::Buffer,
    /// What is in the uniform buffer.
    written: MaterialUniform,
    pub(in crate::render) blending: Blending,
    pub(super) is_double_sided: bool,
    /// What the shader is fixed to.
    pub(in crate::render) features: Features,
    /// What it binds.
    pub(in crate::render) bindings: Bindings,
    /// Which maps had no room.
    pub(in crate::render) lost: Vec<TextureSlot>,
    /// The texture for whose coordinates it needs tangents.
    pub(super) tangent_texture: Option<TextureRef>,
}

/// What a material's pipeline is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::render) struct Features {
    /// Bits, see [`flags`].
    pub(in crate::render) flags: u32,
    /// In which slot the texture of each map is, or [`crate::render::layout::NO_SLOT`].
    pub(in crate::render) slots: [u8; MAP_COUNT],
}

impl Features {
    /// Values of the shader's override constants.
    pub(in crate::render) fn constants(&self) -> Vec<(&'static str, f64)> {
        let slots = MAP_SLOTS.into_iter().zip(self.slots);
        let slots = slots.map(|(name, slot)| (name, f64::from(slot)));
        slots.chain([("FEATURES", f64::from(self.flags))]).collect()
    }
}

impl GpuMaterial {
    /// Uploads the material with this index, and those of its textures that are seen and not there yet.
    pub(super) fn new(
        gpu: &Gpu,
        layout: &wgpu::BindGroupLayout,
        mipmaps: &MipmapPipeline,
        model: &Model,
        (index, seen): (usize, &SeenLayers),
        uploaded: &mut Textures,
    ) -> Self {
        let room = texture_slots(&gpu.device.limits());
        let material = &model.materials[index];
        let features =
            |material: &Material| feature_flags(material, |layer| seen.has(index, material, layer));
        let Slots {
            mut textures,
            of_maps,
            lost,
        } = Slots::new(model, material, features(material), room);
        let material = &*without(material, &lost);
        let flags = features(material);
        for &(texture, space) in &textures {
            uploaded.prepare(gpu, mipmaps, model, texture, space);
        }
        let (samplers, bindings) = uploaded.samplers(gpu, model, &textures, room);
        textures.resize(room, (None, ColorSpace::Linear));
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
        for (slot, (&(texture, space), sampler)) in (0..).zip(textures.iter().zip(&samplers)) {
            let view = uploaded.view(model, texture, space);
            entries.push(wgpu::BindGroupEntry {
                binding: 2 * slot + 1,
                resource: wgpu::BindingResource::TextureView(view),
            });
            entries.push(wgpu::BindGroupEntry {
                binding: 2 * slot + 2,
                resource: wgpu::BindingResource::Sampler(sampler),
            });
        }
        Self {
            bind_group: gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("GpuMaterial::bind_group"),
                layout,
                entries: &entries,
            }),
            blending: blending(material, flags),
            is_double_sided: material.double_sided,
            features: Features {
                flags,
                slots: of_maps,
            },
            bindings,
            tangent_texture: material.tangent_texture(),
            lost,
            uniform,
            written,
        }
    }

    /// Brings the factors up to date, which is all of a material that a clip can move.
    pub(super) fn update(&mut self, gpu: &Gpu, material: &Material) {
        let material = &*without(material, &self.lost);
        self.tangent_texture = material.tangent_texture();
        let uniform = MaterialUniform::from(material);
        if bytemuck::bytes_of(&uniform) != bytemuck::bytes_of(&self.written) {
            gpu.queue
                .write_buffer(&self.uniform, 0, bytemuck::bytes_of(&uniform));
            self.written = uniform;
        }
    }
}

fn blending(material: &Material, features: u32) -> Blending {
    match material.alpha_mode {
        AlphaMode::Blend => Blending::Alpha,
        _ if features & flags::TRANSMISSION != 0 => Blending::Transmissive,
        AlphaMode::Mask { .. } => Blending::Masked,
        AlphaMode::Opaque => Blending::Opaque,
    }
}

/// What a material's shader is fixed to; `is_seen` says which of its layers ever are.
fn feature_flags(material: &Material, is_seen: impl Fn(MaterialProperty) -> bool) -> u32 {
    use MaterialProperty as P;
    let alpha = match material.alpha_mode {
        AlphaMode::Opaque => 0,
        AlphaMode::Mask { .. } => flags::ALPHA_MASK,
        AlphaMode::Blend => flags::ALPHA_BLEND,
    };
    if material.unlit {
        return alpha | flags::UNLIT;
    }
    let passes = is_seen(P::Transmission);
    let is_spread = is_seen(P::DiffuseTransmission);
    let is_volume = material.volume.is_some();
    let layers = [
        (
            material.specular_glossiness.is_some(),
            flags::SPECULAR_GLOSSINESS,
        ),
        (material.specular.is_some(), flags::SPECULAR),
        (is_seen(P::Clearcoat), flags::CLEARCOAT),
        (is_seen(P::SheenColor), flags::SHEEN),
        (passes, flags::TRANSMISSION),
        // An inside that light does not get into is not seen.
        (is_volume && (passes || is_spread), flags::VOLUME),
        (
            passes && is_volume && is_seen(P::Dispersion),
            flags::DISPERSION,
        ),
        (is_seen(P::Iridescence), flags::IRIDESCENCE),
        (is_seen(P::AnisotropyStrength), flags::ANISOTROPY),
        (is_spread, flags::DIFFUSE_TRANSMISSION),
    ];
    let layers = layers.into_iter().filter(|(is_there, _)| *is_there);
    alpha | layers.map(|(_, flag)| flag).sum::<u32>()
}

/// What a surface may give off before its texture is looked at: far more than can be stored, which the shader sees to once all
/// light is added up, and little enough that no sum overflows.
const MAX_EMISSION: f32 = 1e30;

impl From<&Material> for MaterialUniform {
    fn from(material: &Material) -> Self {
        let surface = material.specular_glossiness;
        let emissive = material.emissive * material.emissive_strength;
        let specular = material.specular.unwrap_or_default();
        let clearcoat = material.clearcoat.unwrap_or_default();
        let coat_scale = clearcoat.normal_texture.map_or(1.0, |normal| normal.scale);
        let sheen = material.sheen.unwrap_or_default();
        let iridescence = material.iridescence.unwrap_or_default();
        let anisotropy = material.anisotropy.unwrap_or_default();
        let (sin, cos) = anisotropy.rotation_radians.sin_cos();
        let through = material.diffuse_transmission.unwrap_or_default();
        let bits = (0..)
            .zip(maps(material))
            .map(|(map, (texture, _))| match texture {
                Some(texture) if texture.tex_coord == 1 => 1 << map,
                _ => 0,
            });
        Self {
            base_color: surface
                .map_or(material.base_color, |surface| surface.diffuse)
                .to_array(),
            emissive: dimmed_to(emissive, MAX_EMISSION).extend(0.0).to_array(),
            specular_glossiness: surface
                .map_or(Vec4::ZERO, |surface| {
                    surface.specular.extend(surface.glossiness)
                })
                .to_array(),
            specular: specular.color.extend(specular.factor).to_array(),
            clearcoat: [clearcoat.factor, clearcoat.roughness, coat_scale, 0.0],
            sheen: sheen.color.extend(sheen.roughness).to_array(),
            iridescence: [
                iridescence.factor,
                iridescence.ior,
                iridescence.thickness_min_nm,
                iridescence.thickness_max_nm,
            ],
            anisotropy: [anisotropy.strength, cos, sin, 0.0],
            diffuse_transmission: through.color.extend(through.factor).to_array(),
            volume: volume(material),
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
            ior: material.ior,
            dispersion: material.dispersion,
            transmission: material.transmission.unwrap_or_default().factor,
            tex_coord_bits: bits.sum(),
            tangent_map: material.tangent_map().map_or(0, |(map, _)| map as u32),
            padding_0: 0,
            padding_1: 0,
            tex_coord_rows: maps(material).map(|(texture, _)| {
                let rows = texture.unwrap_or_default().transform.rows();
                rows.map(|row| row.extend(0.0).to_array())
            }),
        }
    }
}

/// What is lost a metre, such that white has the attenuation colour after the attenuation distance
/// (`KHR_materials_volume`, "Attenuation"), and the thickness.
fn volume(material: &Material) -> [f32; 4] {
    let volume = material.volume.unwrap_or_default();
    // Black would be lost at once, which is no number.
    let color = volume.attenuation_color.clamp(Vec3::splat(1e-6), Vec3::ONE);
    let distance = volume.attenuation_distance.max(1e-6);
    let lost = -color.map(f32::ln) / distance;
    lost.extend(volume.thickness).to_array()
}
