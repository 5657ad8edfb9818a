//! What is drawn besides meshes: backdrop, ground, grid, and the overlay's shapes and lines.

use super::{
    Renderer,
    pipelines::{ColorKind, FrameShapePipeline, LinePipeline, OverlayPipeline},
};

/// Its pipelines, for scenes that hold light alone, or shown colours beside it.
#[derive(Debug)]
pub(super) struct Furnishings {
    colors: ColorKind,
    pub(super) grid: FrameShapePipeline,
    pub(super) ground: FrameShapePipeline,
    /// There once a frame shows the environment.
    pub(super) backdrop: Option<FrameShapePipeline>,
    pub(super) shapes: OverlayPipeline,
    pub(super) lines: LinePipeline,
}

impl Furnishings {
    pub(super) fn new(
        device: &wgpu::Device,
        frame_layout: &wgpu::BindGroupLayout,
        colors: ColorKind,
    ) -> Self {
        Self {
            colors,
            grid: FrameShapePipeline::grid(device, frame_layout, colors),
            ground: FrameShapePipeline::ground(device, frame_layout, colors),
            backdrop: None,
            shapes: OverlayPipeline::new(device, frame_layout, colors),
            lines: LinePipeline::new(device, frame_layout, colors),
        }
    }

    /// Makes the backdrop's pipeline unless it is there.
    pub(super) fn prepare_backdrop(
        &mut self,
        device: &wgpu::Device,
        frame_layout: &wgpu::BindGroupLayout,
    ) {
        let make = || FrameShapePipeline::backdrop(device, frame_layout, self.colors);
        self.backdrop.get_or_insert_with(make);
    }
}

impl Renderer {
    /// Those for such scenes; they must be prepared.
    pub(super) fn furnishings(&self, is_beside: bool) -> &Furnishings {
        let beside = self.furnishings_beside.as_ref().filter(|_| is_beside);
        beside.unwrap_or(&self.furnishings)
    }

    /// Makes them unless they are there.
    pub(super) fn prepare_furnishings(
        &mut self,
        device: &wgpu::Device,
        is_beside: bool,
    ) -> &mut Furnishings {
        if !is_beside {
            return &mut self.furnishings;
        }
        let layout = &self.frame_bindings.layout;
        let make = || Furnishings::new(device, layout, ColorKind::LightBeside);
        self.furnishings_beside.get_or_insert_with(make)
    }
}
