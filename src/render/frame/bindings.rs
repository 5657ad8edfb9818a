//! Group 0: what all passes of a frame share: its uniform, the environment, the table of shares, shadows, a copy of the scene.

use bytemuck::Zeroable as _;
use wgpu::util::DeviceExt as _;

use super::environment::Environment;
use crate::render::{
    Gpu,
    layout::FrameUniform,
    pipelines::{sampler_entry, texture_entry, uniform_entry},
};

/// What lobes return of light from everywhere, made by `examples/make_assets`.
const SHARES: &[u8] = include_bytes!("../../../assets/shares.bin");
const SHARES_SIDE: u32 = 32;

/// The layout of group 0, and what is in it in every pass.
#[derive(Debug)]
pub(in crate::render) struct FrameBindings {
    pub(in crate::render) layout: wgpu::BindGroupLayout,
    /// A [`FrameUniform`].
    pub(super) uniform: wgpu::Buffer,
    cube: wgpu::TextureView,
    /// Smooth, also between levels; beyond the edge is the edge.
    smooth: wgpu::Sampler,
    shares: wgpu::TextureView,
    shadow_map: wgpu::TextureView,
    comparing: wgpu::Sampler,
}

impl FrameBindings {
    pub(super) fn new(
        gpu: &Gpu,
        environment: &Environment,
        shadow_map: &wgpu::TextureView,
    ) -> Self {
        let sampler = |label, compare| {
            gpu.device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some(label),
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                mipmap_filter: wgpu::MipmapFilterMode::Linear,
                compare,
                ..Default::default()
            })
        };
        Self {
            layout: layout(&gpu.device),
            uniform: gpu
                .device
                .create_buffer_init(&wgpu::util::BufferInitDescriptor {
                    label: Some("FrameBindings::uniform"),
                    contents: bytemuck::bytes_of(&FrameUniform::zeroed()),
                    usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
                }),
            cube: environment.cube.clone(),
            smooth: sampler("FrameBindings::smooth", None),
            shares: shares(gpu),
            shadow_map: shadow_map.clone(),
            comparing: sampler(
                "FrameBindings::comparing",
                Some(wgpu::CompareFunction::LessEqual),
            ),
        }
    }

    /// Another environment, for groups that are made from now on.
    pub(super) fn set_environment(&mut self, environment: &Environment) {
        self.cube = environment.cube.clone();
    }

    /// A group that shows this copy of the scene.
    pub(in crate::render) fn group(
        &self,
        gpu: &Gpu,
        scene_copy: &wgpu::TextureView,
    ) -> wgpu::BindGroup {
        use wgpu::BindingResource::{Sampler, TextureView};
        let resources = [
            (0, self.uniform.as_entire_binding()),
            (1, TextureView(&self.cube)),
            (2, Sampler(&self.smooth)),
            (3, TextureView(&self.shares)),
            (4, TextureView(&self.shadow_map)),
            (5, Sampler(&self.comparing)),
            (8, TextureView(scene_copy)),
            (9, Sampler(&self.smooth)),
        ];
        gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("FrameBindings::group"),
            layout: &self.layout,
            entries: &resources
                .map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource }),
        })
    }
}

fn layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    use wgpu::{BindingType, SamplerBindingType, TextureSampleType, TextureViewDimension};
    let fragment = |binding, ty| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::FRAGMENT,
        ty,
        count: None,
    };
    let texture = |sample_type, view_dimension| BindingType::Texture {
        sample_type,
        view_dimension,
        multisampled: false,
    };
    let float = TextureSampleType::Float { filterable: true };
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("FrameBindings::layout"),
        entries: &[
            uniform_entry(0, wgpu::ShaderStages::VERTEX_FRAGMENT),
            fragment(1, texture(float, TextureViewDimension::Cube)),
            sampler_entry(2),
            texture_entry(3, true),
            fragment(
                4,
                texture(TextureSampleType::Depth, TextureViewDimension::D2),
            ),
            fragment(5, BindingType::Sampler(SamplerBindingType::Comparison)),
            texture_entry(8, true),
            sampler_entry(9),
        ],
    })
}

fn shares(gpu: &Gpu) -> wgpu::TextureView {
    let texture = gpu.device.create_texture_with_data(
        &gpu.queue,
        &wgpu::TextureDescriptor {
            label: Some("FrameBindings::shares"),
            size: wgpu::Extent3d {
                width: SHARES_SIDE,
                height: SHARES_SIDE,
                depth_or_array_layers: 1,
            },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::Rgba16Float,
            usage: wgpu::TextureUsages::TEXTURE_BINDING,
            view_formats: &[],
        },
        wgpu::util::TextureDataOrder::LayerMajor,
        SHARES,
    );
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}
