//! A second scene as a ghost over the first.

use super::uniform_entry;
use crate::render::{
    shaders,
    target::{SAMPLE_COUNT, SCENE_FORMAT},
};

/// Blends it into the scene's samples.
#[derive(Debug)]
pub(in crate::render) struct GhostPipeline {
    /// Group 0: light and depth of the ghost, depth of the scene, a [`crate::render::layout::GhostUniform`].
    pub(in crate::render) bind_layout: wgpu::BindGroupLayout,
    pipeline: wgpu::RenderPipeline,
}

impl GhostPipeline {
    pub(in crate::render) fn new(device: &wgpu::Device) -> Self {
        let samples = |binding, sample_type| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::FRAGMENT,
            ty: wgpu::BindingType::Texture {
                sample_type,
                view_dimension: wgpu::TextureViewDimension::D2,
                multisampled: true,
            },
            count: None,
        };
        let bind_layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("GhostPipeline::bind_layout"),
            entries: &[
                samples(0, wgpu::TextureSampleType::Float { filterable: false }),
                samples(1, wgpu::TextureSampleType::Depth),
                samples(2, wgpu::TextureSampleType::Depth),
                uniform_entry(3, wgpu::ShaderStages::FRAGMENT),
            ],
        });
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("GhostPipeline::layout"),
            bind_group_layouts: &[Some(&bind_layout)],
            ..Default::default()
        });
        let module = shaders::GHOSTS.module(device);
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("GhostPipeline::pipeline"),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("vs_ghost"),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                buffers: &[],
            },
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil: None,
            multisample: wgpu::MultisampleState {
                count: SAMPLE_COUNT,
                ..Default::default()
            },
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("fs_ghost"),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                targets: &[Some(wgpu::ColorTargetState {
                    format: SCENE_FORMAT,
                    blend: Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
                    write_mask: wgpu::ColorWrites::ALL,
                })],
            }),
            multiview_mask: None,
            cache: None,
        });
        Self {
            bind_layout,
            pipeline,
        }
    }

    pub(in crate::render) fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        bind_group: &wgpu::BindGroup,
    ) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, bind_group, &[]);
        pass.draw(0..3, 0..1);
    }
}
