//! Mip levels: each drawn from the next larger one.

use super::{sampler_entry, texture_entry};
use crate::render::{Gpu, shaders};

/// Fills the mip levels of textures.
#[derive(Debug)]
pub(in crate::render) struct MipmapPipeline {
    bind_layout: wgpu::BindGroupLayout,
    sampler: wgpu::Sampler,
    srgb: wgpu::RenderPipeline,
    linear: wgpu::RenderPipeline,
}

impl MipmapPipeline {
    pub(in crate::render) fn new(device: &wgpu::Device) -> Self {
        let bind_layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("MipmapPipeline::bind_layout"),
            entries: &[texture_entry(0, true), sampler_entry(1)],
        });
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("MipmapPipeline::layout"),
            bind_group_layouts: &[Some(&bind_layout)],
            ..Default::default()
        });
        let module = shaders::MIPMAPS.module(device);
        let pipeline = |format: wgpu::TextureFormat| {
            device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: Some("MipmapPipeline::pipeline"),
                layout: Some(&layout),
                vertex: wgpu::VertexState {
                    module: &module,
                    entry_point: Some("vs_mipmap"),
                    compilation_options: wgpu::PipelineCompilationOptions::default(),
                    buffers: &[],
                },
                primitive: wgpu::PrimitiveState::default(),
                depth_stencil: None,
                multisample: wgpu::MultisampleState::default(),
                fragment: Some(wgpu::FragmentState {
                    module: &module,
                    entry_point: Some("fs_mipmap"),
                    compilation_options: wgpu::PipelineCompilationOptions::default(),
                    targets: &[Some(format.into())],
                }),
                multiview_mask: None,
                cache: None,
            })
        };
        Self {
            sampler: device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some("MipmapPipeline::sampler"),
                min_filter: wgpu::FilterMode::Linear,
                mag_filter: wgpu::FilterMode::Linear,
                ..Default::default()
            }),
            srgb: pipeline(wgpu::TextureFormat::Rgba8UnormSrgb),
            linear: pipeline(wgpu::TextureFormat::Rgba8Unorm),
            bind_layout,
        }
    }

    /// Fills all levels of `texture` below the first.
    pub(in crate::render) fn generate(&self, gpu: &Gpu, texture: &wgpu::Texture) {
        if texture.mip_level_count() < 2 {
            return;
        }
        let pipeline = if texture.format().is_srgb() {
            &self.srgb
        } else {
            &self.linear
        };
        let level_view = |level| {
            texture.create_view(&wgpu::TextureViewDescriptor {
                base_mip_level: level,
                mip_level_count: Some(1),
                ..Default::default()
            })
        };
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let mut larger = level_view(0);
        for level in 1..texture.mip_level_count() {
            let smaller = level_view(level);
            let bind_group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("MipmapPipeline::bind_group"),
                layout: &self.bind_layout,
                entries: &[
                    wgpu::BindGroupEntry {
                        binding: 0,
                        resource: wgpu::BindingResource::TextureView(&larger),
                    },
                    wgpu::BindGroupEntry {
                        binding: 1,
                        resource: wgpu::BindingResource::Sampler(&self.sampler),
                    },
                ],
            });
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("MipmapPipeline::pass"),
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view: &smaller,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations {
                        load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT),
                        store: wgpu::StoreOp::Store,
                    },
                })],
                ..Default::default()
            });
            pass.set_pipeline(pipeline);
            pass.set_bind_group(0, &bind_group, &[]);
            pass.draw(0..3, 0..1);
            drop(pass);
            larger = smaller;
        }
        gpu.queue.submit([encoder.finish()]);
    }
}
