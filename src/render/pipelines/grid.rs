//! The ground grid.

use super::ScenePipeline;
use crate::render::shaders;

/// Draws the grid that the frame's uniform describes.
#[derive(Debug)]
pub(in crate::render) struct GridPipeline {
    pipeline: wgpu::RenderPipeline,
}

impl GridPipeline {
    pub(in crate::render) fn new(
        device: &wgpu::Device,
        frame_layout: &wgpu::BindGroupLayout,
    ) -> Self {
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("GridPipeline::layout"),
            bind_group_layouts: &[Some(frame_layout)],
            ..Default::default()
        });
        let pipeline = ScenePipeline {
            label: "GridPipeline::pipeline",
            layout: &layout,
            module: &shaders::GROUND_GRID.module(device),
            vertex: "vs_grid",
            fragment: "fs_grid",
            constants: &[],
            buffers: &[],
            primitive: wgpu::PrimitiveState::default(),
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
        pass.draw(0..3, 0..1);
    }
}
