//! What is drawn besides meshes: backdrop, ground, grid, and the overlay's shapes and lines.

use super::overlay::drawn_bones;
use crate::{
    render::{
        Renderer,
        pipelines::{ColorKind, FrameShapePipeline, LinePipeline, OverlayPipeline},
    },
    scene::{Background, Frame, Overlay, ViewMode},
};

/// Its pipelines, for scenes that hold light alone, or shown colours beside it. Each is there once a frame has shown it.
#[derive(Debug)]
pub(super) struct Furnishings {
    colors: ColorKind,
    pub(super) grid: Option<FrameShapePipeline>,
    pub(super) ground: Option<FrameShapePipeline>,
    pub(super) backdrop: Option<FrameShapePipeline>,
    pub(super) shapes: Option<OverlayPipeline>,
    pub(super) lines: Option<LinePipeline>,
}

/// [`Furnishings`] of both kinds of scenes.
#[derive(Debug)]
pub(in crate::render) struct BothFurnishings {
    /// For scenes that hold light alone.
    light: Furnishings,
    /// For scenes that hold shown colours beside light.
    beside: Furnishings,
}

/// Which of it a frame shows.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Furnished {
    grid: bool,
    ground: bool,
    backdrop: bool,
    shapes: bool,
    lines: bool,
}

impl Furnished {
    pub(super) fn of(frame: &Frame<'_>, has_ground_shadow: bool) -> Self {
        let is_lit = frame.inspection.mode == ViewMode::Lit;
        let shows_environment = matches!(frame.background, Background::Environment { .. });
        let has_shapes = |it: &Overlay| !(drawn_bones(it).is_empty() && it.joints.is_empty());
        let has_lines = |it: &Overlay| !(it.lines.is_empty() && it.top_lines.is_empty());
        Self {
            grid: frame.grid.is_some(),
            ground: has_ground_shadow,
            backdrop: is_lit && shows_environment,
            shapes: frame.overlay.is_some_and(has_shapes),
            lines: frame.overlay.is_some_and(has_lines),
        }
    }
}

impl Default for BothFurnishings {
    fn default() -> Self {
        Self {
            light: Furnishings::new(ColorKind::Light),
            beside: Furnishings::new(ColorKind::LightBeside),
        }
    }
}

impl BothFurnishings {
    /// Those for such scenes.
    fn of(&self, is_beside: bool) -> &Furnishings {
        if is_beside { &self.beside } else { &self.light }
    }
}

impl Furnishings {
    fn new(colors: ColorKind) -> Self {
        Self {
            colors,
            grid: None,
            ground: None,
            backdrop: None,
            shapes: None,
            lines: None,
        }
    }

    /// Makes the pipelines of what is shown unless they are there.
    fn prepare(
        &mut self,
        device: &wgpu::Device,
        frame_layout: &wgpu::BindGroupLayout,
        shown: Furnished,
    ) {
        let colors = self.colors;
        if shown.grid {
            let make = || FrameShapePipeline::grid(device, frame_layout, colors);
            self.grid.get_or_insert_with(make);
        }
        if shown.ground {
            let make = || FrameShapePipeline::ground(device, frame_layout, colors);
            self.ground.get_or_insert_with(make);
        }
        if shown.backdrop {
            let make = || FrameShapePipeline::backdrop(device, frame_layout, colors);
            self.backdrop.get_or_insert_with(make);
        }
        if shown.shapes {
            let make = || OverlayPipeline::new(device, frame_layout, colors);
            self.shapes.get_or_insert_with(make);
        }
        if shown.lines {
            let make = || LinePipeline::new(device, frame_layout, colors);
            self.lines.get_or_insert_with(make);
        }
    }
}

impl Renderer {
    /// Those for scenes that hold shown colours beside light, or light alone.
    pub(super) fn furnishings(&self, is_beside: bool) -> &Furnishings {
        self.furnishings.of(is_beside)
    }

    /// Makes what is to be shown of them unless it is there.
    pub(super) fn prepare_furnishings(
        &mut self,
        device: &wgpu::Device,
        is_beside: bool,
        shown: Furnished,
    ) {
        let layout = &self.frame.bindings.layout;
        let furnishings = if is_beside {
            &mut self.furnishings.beside
        } else {
            &mut self.furnishings.light
        };
        furnishings.prepare(device, layout, shown);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::{Gpu, Picture};

    #[test]
    fn only_what_is_shown_is_made() {
        let Some(gpu) = Gpu::for_test() else { return };
        let mut renderer = Renderer::new(&gpu, Picture::FORMAT);
        let made = |renderer: &Renderer, is_beside| {
            let it = renderer.furnishings(is_beside);
            let shapes = [&it.grid, &it.ground, &it.backdrop].map(Option::is_some);
            (shapes, it.shapes.is_some(), it.lines.is_some())
        };
        let none = ([false; 3], false, false);
        renderer.prepare_furnishings(&gpu.device, false, Furnished::default());
        assert_eq!([false, true].map(|it| made(&renderer, it)), [none; 2]);
        let bones = Furnished {
            shapes: true,
            ..Furnished::default()
        };
        renderer.prepare_furnishings(&gpu.device, true, bones);
        assert_eq!(made(&renderer, false), none);
        assert_eq!(made(&renderer, true), ([false; 3], true, false));
        let grid = Furnished {
            grid: true,
            ..Furnished::default()
        };
        renderer.prepare_furnishings(&gpu.device, false, grid);
        assert_eq!(made(&renderer, false), ([true, false, false], false, false));
    }
}
