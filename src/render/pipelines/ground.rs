//! The ground where shadows fall.

use super::ScenePipeline;
use crate::render::shaders;

/// Darkens the ground by the key light's shadow.
#[derive(Debug)]
pub(in crate::render) struct GroundPipeline {
    pipeline: wgpu::RenderPipeline,
}

impl GroundPipeline {
    pub(in crate::render) fn new(
        device: &wgpu::Device,
        frame_layout: &wgpu::BindGroupLayout,
    ) -> Self {
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("GroundPipeline::layout"),
            bind_group_layouts: &[Some(frame_layout)],
            ..Default::default()
        });
        let pipeline = ScenePipeline {
            label: "GroundPipeline::pipeline",
            layout: &layout,
            module: &shaders::GROUND_SHADOW.module(device),
            vertex: "vs_ground",
            fragment: "fs_ground",
            constants: &[],
            buffers: &[],
            primitive: wgpu::PrimitiveState {
                cull_mode: Some(wgpu::Face::Back),
                ..Default::default()
            },
            blend: Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
            depth_compare: wgpu::CompareFunction::GreaterEqual,
            writes_depth: false,
        };
        Self {
            pipeline: pipeline.create(device),
        }
    }

    /// Draws into a pass whose group 0 is bound.
    pub(in crate::render) fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_pipeline(&self.pipeline);
        pass.draw(0..6, 0..1);
    }
}
