//! Mip levels: each drawn from the next larger one.

use std::sync::OnceLock;

use super::texture_entry;
use crate::render::{Gpu, shaders, targets::scene::SCENE_FORMAT};

/// Fills the mip levels of textures.
#[derive(Debug)]
pub(in crate::render) struct MipmapPipeline {
    bind_layout: wgpu::BindGroupLayout,
    layout: wgpu::PipelineLayout,
    module: wgpu::ShaderModule,
    srgb: wgpu::RenderPipeline,
    linear: wgpu::RenderPipeline,
    /// For copies of the scene; there once a model lets light pass.
    scene: OnceLock<wgpu::RenderPipeline>,
}

impl MipmapPipeline {
    pub(in crate::render) fn new(device: &wgpu::Device) -> Self {
        let bind_layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("MipmapPipeline::bind_layout"),
            entries: &[texture_entry(0, false)],
        });
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("MipmapPipeline::layout"),
            bind_group_layouts: &[Some(&bind_layout)],
            ..Default::default()
        });
        let module = shaders::MIPMAPS.module(device);
        let make = |format| pipeline(device, &layout, &module, format);
        Self {
            srgb: make(wgpu::TextureFormat::Rgba8UnormSrgb),
            linear: make(wgpu::TextureFormat::Rgba8Unorm),
            scene: OnceLock::new(),
            layout,
            module,
            bind_layout,
        }
    }

    /// Fills all levels of `texture` below the first.
    pub(in crate::render) fn generate(&self, gpu: &Gpu, texture: &wgpu::Texture) {
        if texture.mip_level_count() < 2 {
            return;
        }
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        self.chain(gpu, texture).record(&mut encoder);
        gpu.queue.submit([encoder.finish()]);
    }

    /// What it takes to fill the levels of `texture` below the first, as often as it changes. Its format is one of those
    /// that textures of 8 bits are uploaded in, or the scene's.
    pub(in crate::render) fn chain(&self, gpu: &Gpu, texture: &wgpu::Texture) -> MipChain {
        let device = &gpu.device;
        let pipeline = match texture.format() {
            wgpu::TextureFormat::Rgba8UnormSrgb => self.srgb.clone(),
            wgpu::TextureFormat::Rgba8Unorm => self.linear.clone(),
            _ => self.scene_pipeline(device).clone(),
        };
        let step = |level| {
            let larger = Self::level_view(texture, level - 1);
            let bind_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("MipmapPipeline::bind_group"),
                layout: &self.bind_layout,
                entries: &[wgpu::BindGroupEntry {
                    binding: 0,
                    resource: wgpu::BindingResource::TextureView(&larger),
                }],
            });
            (bind_group, Self::level_view(texture, level))
        };
        MipChain {
            pipeline,
            steps: (1..texture.mip_level_count()).map(step).collect(),
        }
    }

    fn scene_pipeline(&self, device: &wgpu::Device) -> &wgpu::RenderPipeline {
        let make = || pipeline(device, &self.layout, &self.module, SCENE_FORMAT);
        self.scene.get_or_init(make)
    }

    /// A view of one level.
    pub(in crate::render) fn level_view(texture: &wgpu::Texture, level: u32) -> wgpu::TextureView {
        texture.create_view(&wgpu::TextureViewDescriptor {
            base_mip_level: level,
            mip_level_count: Some(1),
            ..Default::default()
        })
    }
}

/// Fills the levels of one texture.
#[derive(Debug)]
pub(in crate::render) struct MipChain {
    pipeline: wgpu::RenderPipeline,
    /// For each level but the first what shows the next larger one, and the level.
    steps: Vec<(wgpu::BindGroup, wgpu::TextureView)>,
}

impl MipChain {
    /// Fills them from the first.
    pub(in crate::render) fn record(&self, encoder: &mut wgpu::CommandEncoder) {
        self.record_timed(encoder, |_| None);
    }

    /// Fills them from the first, with the timestamps of each pass, by whether it is the first and whether it is the last.
    pub(in crate::render) fn record_timed<'t>(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        times: impl Fn([bool; 2]) -> Option<wgpu::RenderPassTimestampWrites<'t>>,
    ) {
        for (index, (larger, level)) in self.steps.iter().enumerate() {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("MipChain::record"),
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view: level,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations {
                        load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT),
                        store: wgpu::StoreOp::Store,
                    },
                })],
                timestamp_writes: times([index == 0, index + 1 == self.steps.len()]),
                ..Default::default()
            });
            pass.set_pipeline(&self.pipeline);
            pass.set_bind_group(0, larger, &[]);
            pass.draw(0..3, 0..1);
        }
    }
}

fn pipeline(
    device: &wgpu::Device,
    layout: &wgpu::PipelineLayout,
    module: &wgpu::ShaderModule,
    format: wgpu::TextureFormat,
) -> wgpu::RenderPipeline {
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("MipmapPipeline::pipeline"),
        layout: Some(layout),
        vertex: wgpu::VertexState {
            module,
            entry_point: Some("vs_mipmap"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            buffers: &[],
        },
        primitive: wgpu::PrimitiveState::default(),
        depth_stencil: None,
        multisample: wgpu::MultisampleState::default(),
        fragment: Some(wgpu::FragmentState {
            module,
            entry_point: Some("fs_mipmap"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            targets: &[Some(format.into())],
        }),
        multiview_mask: None,
        cache: None,
    })
}
