//! Lines over the scene: each an instance, drawn as a strip of two triangles.

use super::ScenePipeline;
use crate::render::{layout, shaders};

/// Draws lines.
#[derive(Debug)]
pub(in crate::render) struct LinePipeline {
    pipeline: wgpu::RenderPipeline,
}

impl LinePipeline {
    pub(in crate::render) fn new(
        device: &wgpu::Device,
        frame_layout: &wgpu::BindGroupLayout,
    ) -> Self {
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("LinePipeline::layout"),
            bind_group_layouts: &[Some(frame_layout)],
            ..Default::default()
        });
        let pipeline = ScenePipeline {
            label: "LinePipeline::pipeline",
            layout: &layout,
            module: &shaders::OVERLAY_LINES.module(device),
            vertex: "vs_line",
            fragment: "fs_line",
            constants: &[],
            buffers: &layout::line_buffers(),
            primitive: wgpu::PrimitiveState {
                topology: wgpu::PrimitiveTopology::TriangleStrip,
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
    pub(in crate::render) fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        instances: &wgpu::Buffer,
        count: u32,
    ) {
        pass.set_pipeline(&self.pipeline);
        pass.set_vertex_buffer(0, instances.slice(..));
        pass.draw(0..4, 0..count);
    }
}
