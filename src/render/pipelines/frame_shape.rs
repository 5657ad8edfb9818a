//! What the shader makes of the frame's uniform alone, without vertex buffers: the backdrop, the ground's shadow, the grid.

use super::{ColorKind, ScenePipeline};
use crate::render::shaders::{self, Shader};

/// Corners of the polygon around the grid: `CORNERS` in `shaders/grid.wgsl`.
const GRID_CORNERS: u32 = 24;

/// Draws one such shape.
#[derive(Debug)]
pub(in crate::render) struct FrameShapePipeline {
    pipeline: wgpu::RenderPipeline,
    vertex_count: u32,
}

/// What tells the shapes apart.
struct FrameShape {
    label: &'static str,
    shader: Shader,
    vertex: &'static str,
    /// Entry points for light alone, and beside colours that are shown as they are.
    fragments: [&'static str; 2],
    vertex_count: u32,
    cull_mode: Option<wgpu::Face>,
    blend: Option<wgpu::BlendState>,
}

impl FrameShapePipeline {
    /// The environment, behind all that is opaque.
    pub(in crate::render) fn backdrop(
        device: &wgpu::Device,
        frame_layout: &wgpu::BindGroupLayout,
        colors: ColorKind,
    ) -> Self {
        let shape = FrameShape {
            label: "FrameShapePipeline::backdrop",
            shader: shaders::BACKDROPS,
            vertex: "vs_backdrop",
            fragments: ["fs_backdrop", "fs_backdrop_colors"],
            vertex_count: 3,
            cull_mode: None,
            blend: None,
        };
        shape.pipeline(device, frame_layout, colors)
    }

    /// Darkens the ground, seen from above, by the key light's shadow.
    pub(in crate::render) fn ground(
        device: &wgpu::Device,
        frame_layout: &wgpu::BindGroupLayout,
        colors: ColorKind,
    ) -> Self {
        let shape = FrameShape {
            label: "FrameShapePipeline::ground",
            shader: shaders::GROUND_SHADOW,
            vertex: "vs_ground",
            fragments: ["fs_ground", "fs_ground_colors"],
            vertex_count: 6,
            cull_mode: Some(wgpu::Face::Back),
            blend: Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
        };
        shape.pipeline(device, frame_layout, colors)
    }

    /// The ground grid.
    pub(in crate::render) fn grid(
        device: &wgpu::Device,
        frame_layout: &wgpu::BindGroupLayout,
        colors: ColorKind,
    ) -> Self {
        let shape = FrameShape {
            label: "FrameShapePipeline::grid",
            shader: shaders::GROUND_GRID,
            vertex: "vs_grid",
            fragments: ["fs_grid", "fs_grid_colors"],
            vertex_count: 3 * GRID_CORNERS,
            cull_mode: None,
            blend: Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
        };
        shape.pipeline(device, frame_layout, colors)
    }

    /// Draws into a pass whose group 0 is bound.
    pub(in crate::render) fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_pipeline(&self.pipeline);
        pass.draw(0..self.vertex_count, 0..1);
    }
}

impl FrameShape {
    fn pipeline(
        &self,
        device: &wgpu::Device,
        frame_layout: &wgpu::BindGroupLayout,
        colors: ColorKind,
    ) -> FrameShapePipeline {
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(self.label),
            bind_group_layouts: &[Some(frame_layout)],
            ..Default::default()
        });
        let pipeline = ScenePipeline {
            label: self.label,
            layout: &layout,
            module: &self.shader.module(device),
            vertex: self.vertex,
            fragment: colors.entry(self.fragments),
            constants: &[],
            buffers: &[],
            primitive: wgpu::PrimitiveState {
                cull_mode: self.cull_mode,
                ..Default::default()
            },
            colors,
            blend: self.blend,
            depth_compare: wgpu::CompareFunction::GreaterEqual,
            writes_depth: false,
        };
        FrameShapePipeline {
            pipeline: pipeline.create(device),
            vertex_count: self.vertex_count,
        }
    }
}
