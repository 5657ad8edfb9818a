//! Lines over the scene: each an instance, drawn as a strip of two triangles.

use std::ops::Range;

use super::{ColorKind, ScenePipeline};
use crate::render::{layout, shaders};

/// Draws lines.
#[derive(Debug)]
pub(in crate::render) struct LinePipeline {
    tested: wgpu::RenderPipeline,
    /// Of lines that nothing hides.
    untested: wgpu::RenderPipeline,
}

impl LinePipeline {
    pub(in crate::render) fn new(
        device: &wgpu::Device,
        frame_layout: &wgpu::BindGroupLayout,
        colors: ColorKind,
    ) -> Self {
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("LinePipeline::layout"),
            bind_group_layouts: &[Some(frame_layout)],
            ..Default::default()
        });
        let module = shaders::OVERLAY_LINES.module(device);
        let buffers = layout::line_buffers();
        let pipeline = |label, depth_compare| ScenePipeline {
            label,
            layout: &layout,
            module: &module,
            vertex: "vs_line",
            fragment: colors.entry(["fs_line", "fs_line_colors"]),
            constants: &[],
            buffers: &buffers,
            primitive: wgpu::PrimitiveState {
                topology: wgpu::PrimitiveTopology::TriangleStrip,
                ..Default::default()
            },
            colors,
            blend: Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
            depth_compare,
            writes_depth: false,
        };
        let nearer = wgpu::CompareFunction::GreaterEqual;
        let tested = pipeline("LinePipeline::tested", nearer);
        let untested = pipeline("LinePipeline::untested", wgpu::CompareFunction::Always);
        Self {
            tested: tested.create(device),
            untested: untested.create(device),
        }
    }

    /// Draws some of the lines into a pass whose group 0 is bound; `is_tested` is whether what is nearer hides them.
    pub(in crate::render) fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        instances: &wgpu::Buffer,
        range: Range<u32>,
        is_tested: bool,
    ) {
        pass.set_pipeline(if is_tested {
            &self.tested
        } else {
            &self.untested
        });
        pass.set_vertex_buffer(0, instances.slice(..));
        pass.draw(0..4, range);
    }
}
