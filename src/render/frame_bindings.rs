//! Group 0: what all passes of a frame share.

use super::{
    Gpu,
    pipelines::{sampler_entry, texture_entry, uniform_entry},
};

/// The layout of group 0, and what never changes in it.
#[derive(Debug)]
pub(super) struct FrameBindings {
    pub(super) layout: wgpu::BindGroupLayout,
    /// Smooth, also between levels; beyond the edge is the edge.
    smooth: wgpu::Sampler,
}

impl FrameBindings {
    pub(super) fn new(device: &wgpu::Device) -> Self {
        let both = wgpu::ShaderStages::VERTEX_FRAGMENT;
        Self {
            layout: device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
                label: Some("FrameBindings::layout"),
                entries: &[
                    uniform_entry(0, both),
                    texture_entry(8, true),
                    sampler_entry(9),
                ],
            }),
            smooth: device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some("FrameBindings::smooth"),
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                mipmap_filter: wgpu::MipmapFilterMode::Linear,
                ..Default::default()
            }),
        }
    }

    /// A group that shows this copy of the scene.
    pub(super) fn group(
        &self,
        gpu: &Gpu,
        uniform: &wgpu::Buffer,
        scene_copy: &wgpu::TextureView,
    ) -> wgpu::BindGroup {
        gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("FrameBindings::group"),
            layout: &self.layout,
            entries: &[
                wgpu::BindGroupEntry {
                    binding: 0,
                    resource: uniform.as_entire_binding(),
                },
                wgpu::BindGroupEntry {
                    binding: 8,
                    resource: wgpu::BindingResource::TextureView(scene_copy),
                },
                wgpu::BindGroupEntry {
                    binding: 9,
                    resource: wgpu::BindingResource::Sampler(&self.smooth),
                },
            ],
        })
    }
}
