//! The scene in a view for inspection: all meshes opaque, whatever their materials say, then the grid.

use super::{furnishings::Furnished, overlay::needs_scene_depth, surface_lines::has_lines};
use crate::{
    model::Model,
    render::{
        Gpu, Pass, Renderer,
        draw_lists::PrimitiveDraw,
        layout::FrameUniform,
        pipelines::{LastAsked, ViewKey, ViewPass},
        room::portions::finish,
        targets::scene::{PassBeginning, SceneSamples},
    },
    scene::{Frame, ViewMode, WeightColors},
};

impl Renderer {
    pub(in crate::render) fn inspection_pass(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        model: &Model,
        frame: &Frame<'_>,
        samples: SceneSamples<'_>,
    ) {
        let target = samples.target;
        let lists = self.collect(gpu, model, frame, target.size(), true);
        self.set_line_width(gpu, frame, &lists, target.size());
        let mode = frame.inspection.mode;
        let has_edges = mode == ViewMode::Wireframe;
        if let Some(uploaded) = self.model.as_mut().filter(|_| has_edges) {
            uploaded.make_edges(gpu, model, lists.all());
        }
        let surface = ViewPass::Surface(mode);
        let passes: &[ViewPass] = if has_edges {
            &[surface, ViewPass::Edges]
        } else {
            &[surface]
        };
        for &pass in passes {
            let keys = lists.all();
            let keys = keys.filter_map(|draw| ViewKey::of(draw.key, pass));
            self.views.prepare_all(gpu, &self.meshes, keys);
        }
        let drawn = (lists.all()).filter(|draw| ViewKey::of(draw.key, surface).is_some());
        self.counts.draws = drawn.count();
        let furnished = Furnished::of(frame, false);
        self.prepare_furnishings(&gpu.device, false, furnished);
        let portions = if has_edges {
            self.portions_of_edges(gpu, lists.all())
        } else {
            self.portions(gpu, lists.all())
        };
        let goes_on = !portions.is_empty();
        let is_drawn_over = needs_scene_depth(frame) || has_lines(frame, &lists);
        let stores_depth = goes_on || is_drawn_over || target.is_depth_read();
        let beginning = PassBeginning {
            label: "Renderer::inspection_pass",
            is_fresh: true,
            resolved: None,
            stores_depth,
            times: self.timestamps(Pass::Scene),
        };
        let mut pass = samples.begin_pass(encoder, beginning);
        self.bind_frame(&mut pass, &self.frame.group);
        for &of in passes {
            if !goes_on {
                self.draw_view(&mut pass, lists.all(), of);
            }
            for portion in &portions {
                drop(pass);
                finish(gpu, encoder);
                pass = samples.resume_pass(encoder, "Renderer::portion", true, None);
                self.bind_frame(&mut pass, &self.frame.group);
                self.draw_view(&mut pass, portion, of);
            }
        }
        let grid = self.furnishings(false).grid.as_ref();
        let shows_grid = frame.grid.is_some() && mode != ViewMode::Overdraw;
        if let Some(grid) = grid.filter(|_| shows_grid) {
            grid.draw(&mut pass);
        }
        drop(pass);
        self.lists = lists;
    }

    /// Draws one pass of a view; its pipelines must be there.
    pub(super) fn draw_view<'d>(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        draws: impl IntoIterator<Item = &'d PrimitiveDraw>,
        of: ViewPass,
    ) {
        let mut last = LastAsked::default();
        for draw in draws {
            let key = ViewKey::of(draw.key, of);
            let pipeline = last.answer(key, || self.views.get(key?));
            match (pipeline, of) {
                (Some(pipeline), ViewPass::Surface(mode)) => {
                    let width = self.width_of(draw, mode == ViewMode::Overdraw);
                    self.draw_primitive(pass, draw, pipeline, width);
                }
                (Some(pipeline), ViewPass::Edges | ViewPass::Wires(_)) => {
                    self.draw_edges(pass, draw, pipeline);
                }
                // Normals are drawn within a budget: `surface_lines.rs`.
                (Some(_), ViewPass::Normals(_)) | (None, _) => {}
            }
        }
    }
}

/// The part of the frame's uniform that views read.
pub(in crate::render) fn write_inspection(uniform: &mut FrameUniform, frame: &Frame<'_>) {
    let inspection = &frame.inspection;
    let [near, far] = inspection.depth_range;
    let ranges = inspection.joint.ranges();
    uniform.depth_range = [near, (far - near).max(f32::MIN_POSITIVE)];
    uniform.weight_colors = match inspection.mode {
        ViewMode::SkinningDifference => WeightColors::Viridis as u32,
        _ => inspection.colors as u32,
    };
    uniform.difference_scale = inspection.difference_scale.max(f32::MIN_POSITIVE);
    uniform.normal_length = inspection.normal_length;
    uniform.matrices_per_instance = frame.layout.matrices_per_instance() as u32;
    uniform.chosen_count = ranges.len() as u32;
    let slots = uniform.chosen.as_flattened_mut();
    for (slot, &place) in slots.iter_mut().zip(ranges.as_flattened()) {
        *slot = place;
    }
}
