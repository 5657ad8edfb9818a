//! The surroundings behind everything.

use super::ScenePipeline;
use crate::render::shaders;

/// Draws the surroundings where nothing else is.
#[derive(Debug)]
pub(in crate::render) struct BackdropPipeline {
    pipeline: wgpu::RenderPipeline,
}

impl BackdropPipeline {
    pub(in crate::render) fn new(
        device: &wgpu::Device,
        frame_layout: &wgpu::BindGroupLayout,
    ) -> Self {
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("BackdropPipeline::layout"),
            bind_group_layouts: &[Some(frame_layout)],
            ..Default::default()
        });
        let pipeline = ScenePipeline {
            label: "BackdropPipeline::pipeline",
            layout: &layout,
            module: &shaders::BACKDROPS.module(device),
            vertex: "vs_backdrop",
            fragment: "fs_backdrop",
            constants: &[],
            buffers: &[],
            primitive: wgpu::PrimitiveState::default(),
            blend: None,
            depth_compare: wgpu::CompareFunction::GreaterEqual,
            writes_depth: false,
        };
        Self {
            pipeline: pipeline.create(device),
        }
    }

    /// Draws into a pass whose group 0 is bound, behind what is opaque.
    pub(in crate::render) fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_pipeline(&self.pipeline);
        pass.draw(0..3, 0..1);
    }
}
