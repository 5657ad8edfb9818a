//! Lines over surfaces: the edges of triangles and the normals of vertices, hidden by what is before them.

use std::ops::Range;

use super::{line_width::LineWidth, overlay::needs_scene_depth, times::PassPart};
use crate::{
    model::{Model, Topology},
    render::{
        Gpu, Pass, Renderer,
        draw_lists::{DrawLists, PrimitiveDraw},
        layout::GpuInstance,
        model::vertices::RECORDS_SLOT,
        pipelines::{ColorKind, LastAsked, ViewKey, ViewPass},
        room::portions::finish,
        targets::scene::SceneSamples,
    },
    scene::{Frame, ViewMode},
};

/// How many normals a frame still draws, of its surfaces in the order in which they are drawn.
#[derive(Debug)]
struct NormalBudget {
    /// How wide they are: each is drawn as often as that takes.
    width: LineWidth,
    normals: u32,
    /// Each record of a surface takes one for each of its stretches of vertices.
    draw_calls: u32,
}

impl NormalBudget {
    /// That of a frame whose lines are a pixel wide.
    const WHOLE: Self = Self {
        width: LineWidth::PIXEL,
        normals: 4_000_000,
        draw_calls: 20_000,
    };

    /// That of a frame whose normals are so wide.
    fn of(width: LineWidth) -> Self {
        let copies = width.copies(Topology::Lines) as u32;
        Self {
            width,
            normals: Self::WHOLE.normals / copies,
            draw_calls: Self::WHOLE.draw_calls / copies,
        }
    }

    fn is_spent(&self) -> bool {
        self.normals == 0 || self.draw_calls == 0
    }

    /// How many are drawn of the next draw call's.
    fn take(&mut self, wanted: u32) -> u32 {
        if self.is_spent() {
            return 0;
        }
        let taken = wanted.min(self.normals);
        self.normals -= taken;
        self.draw_calls -= 1;
        taken
    }
}

/// The kinds of lines that a frame asks for, in scenes of such colours: those of which any are drawn over what is drawn.
fn kinds(frame: &Frame<'_>, lists: &DrawLists, colors: ColorKind) -> [Option<ViewPass>; 2] {
    let inspection = &frame.inspection;
    // The view of edges has its own.
    let has_wires = inspection.lines.wires && inspection.mode != ViewMode::Wireframe;
    let kinds = [
        has_wires.then_some(ViewPass::Wires(colors)),
        (inspection.lines.normals).then_some(ViewPass::Normals(colors)),
    ];
    kinds.map(|of| of.filter(|&of| has_any(lists, of)))
}

/// Whether any of what is drawn has lines of a kind.
fn has_any(lists: &DrawLists, of: ViewPass) -> bool {
    lists.all().any(|draw| ViewKey::of(draw.key, of).is_some())
}

/// Whether lines are drawn over any of what is drawn: then its depth must be stored.
pub(super) fn has_lines(frame: &Frame<'_>, lists: &DrawLists) -> bool {
    let kinds = kinds(frame, lists, ColorKind::Light);
    kinds.iter().any(Option::is_some)
}

impl Renderer {
    /// Draws the lines that a frame asks for over its scene, whose depth must have been stored if it [`has_lines`], and whose
    /// draw calls are those that were last collected.
    pub(in crate::render) fn surface_lines_pass(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        model: &Model,
        frame: &Frame<'_>,
        samples: SceneSamples<'_>,
    ) {
        let colors = if samples.shown.is_some() {
            ColorKind::LightBeside
        } else {
            ColorKind::Light
        };
        let lists = std::mem::take(&mut self.lists);
        let kinds = kinds(frame, &lists, colors);
        if kinds.iter().any(Option::is_some) {
            self.prepare_lines(gpu, model, &lists, kinds);
            self.record_lines(gpu, encoder, frame, samples, (&lists, kinds));
        }
        self.lists = lists;
    }

    /// Makes what lines of these kinds are drawn by, unless it is there.
    fn prepare_lines(
        &mut self,
        gpu: &Gpu,
        model: &Model,
        lists: &DrawLists,
        kinds: [Option<ViewPass>; 2],
    ) {
        for of in kinds.into_iter().flatten() {
            let has_edges = matches!(of, ViewPass::Wires(_));
            if let Some(uploaded) = self.model.as_mut().filter(|_| has_edges) {
                uploaded.make_edges(gpu, model, lists.all());
            }
            let keys = lists.all();
            let keys = keys.filter_map(|draw| ViewKey::of(draw.key, of));
            self.views.prepare_all(gpu, &self.meshes, keys);
        }
    }

    /// Records one pass for both kinds; where the scene is drawn in portions, one for each kind and portion.
    fn record_lines(
        &self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        frame: &Frame<'_>,
        samples: SceneSamples<'_>,
        (lists, kinds): (&DrawLists, [Option<ViewPass>; 2]),
    ) {
        let kinds = kinds.iter().flatten().copied();
        let portions = self.portions_of_edges(gpu, lists.all());
        let passes = kinds.clone().count() * portions.len();
        // Lines leave no depth of their own: it stays for what comes later. Ghosts have read it before.
        let stores_depth = needs_scene_depth(frame);
        let width = self.width_of_normals(lists);
        let mut budget = NormalBudget::of(width);
        if portions.is_empty() {
            let mut pass = self.begin_lines(encoder, samples, stores_depth, [true; 2]);
            for of in kinds {
                self.draw_lines(&mut pass, lists.all(), of, &mut budget);
            }
            return;
        }
        // Normals lie over all edges, as they do in one pass.
        let parts = kinds.flat_map(|of| portions.iter().map(move |portion| (of, portion)));
        for (index, (of, portion)) in parts.enumerate() {
            if index > 0 {
                finish(gpu, encoder);
            }
            let ends @ [_, is_last] = [index == 0, index + 1 == passes];
            let stores_depth = stores_depth || !is_last;
            let mut pass = self.begin_lines(encoder, samples, stores_depth, ends);
            self.draw_lines(&mut pass, portion, of, &mut budget);
        }
    }

    /// How wide normals are: as all lines, or as much of it as lets all of them be drawn.
    fn width_of_normals(&self, lists: &DrawLists) -> LineWidth {
        let (mut normals, mut draw_calls) = (0, 0);
        for draw in lists.all().filter(|draw| draw.indices.0 == 0) {
            let uploaded = self.model.as_ref();
            let on_gpu = uploaded.and_then(|it| it.meshes[draw.mesh][draw.primitive].as_ref());
            let stretches = on_gpu.map_or(&[][..], |on_gpu| &on_gpu.normal_stretches);
            let records = u64::from(draw.records.1 - draw.records.0);
            let of_one = stretches.iter().map(|it| u64::from(it.end - it.start));
            normals += records * of_one.sum::<u64>();
            draw_calls += records * stretches.len() as u64;
        }
        let left = |whole: u32, wanted| u64::from(whole).saturating_sub(wanted);
        let whole = NormalBudget::WHOLE;
        self.line_width
            .within(left(whole.normals, normals), [0, normals])
            .within(left(whole.draw_calls, draw_calls), [0, draw_calls])
    }

    /// Begins a pass of lines, which may be the first and the last of the frame.
    fn begin_lines<'e>(
        &self,
        encoder: &'e mut wgpu::CommandEncoder,
        samples: SceneSamples<'_>,
        stores_depth: bool,
        [is_first, is_last]: [bool; 2],
    ) -> wgpu::RenderPass<'e> {
        let times = self.timestamps_within(Pass::Lines, PassPart { is_first, is_last });
        let label = "Renderer::surface_lines_pass";
        let mut pass = samples.resume_pass(encoder, label, stores_depth, times);
        self.bind_frame(&mut pass, &self.frame.group);
        pass
    }

    /// Draws the lines of one kind; their pipelines must be there.
    fn draw_lines<'d>(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        draws: impl IntoIterator<Item = &'d PrimitiveDraw>,
        of: ViewPass,
        budget: &mut NormalBudget,
    ) {
        if matches!(of, ViewPass::Normals(_)) {
            self.draw_all_normals(pass, draws, of, budget);
        } else {
            self.draw_view(pass, draws, of);
        }
    }

    /// Draws the normals of surfaces one after the other until the budget is spent.
    fn draw_all_normals<'d>(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        draws: impl IntoIterator<Item = &'d PrimitiveDraw>,
        of: ViewPass,
        budget: &mut NormalBudget,
    ) {
        let mut last = LastAsked::default();
        for draw in draws {
            if budget.is_spent() {
                return;
            }
            let key = ViewKey::of(draw.key, of);
            if let Some(pipeline) = last.answer(key, || self.views.get(key?)) {
                self.draw_normals(pass, draw, pipeline, budget);
            }
        }
    }

    /// The normals of the vertices that are drawn of it, as instances of a line. So all instances of the primitive take a call
    /// each, and several where others part these vertices.
    fn draw_normals(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        draw: &PrimitiveDraw,
        pipeline: &wgpu::RenderPipeline,
        budget: &mut NormalBudget,
    ) {
        let (first_index, _) = draw.indices;
        // Of what is drawn in parts, the first has them all.
        if first_index > 0 {
            return;
        }
        pass.set_pipeline(pipeline);
        let on_gpu = self.bind_primitive(pass, draw);
        let stretches = on_gpu.map_or(&[][..], |on_gpu| &on_gpu.normal_stretches);
        if stretches.is_empty() {
            return;
        }
        let (first, end) = draw.records;
        for record in first..end {
            let from = u64::from(record) * size_of::<GpuInstance>() as u64;
            pass.set_vertex_buffer(RECORDS_SLOT, self.palette.records().slice(from..));
            for &Range { start, end } in stretches {
                let taken = budget.take(end - start);
                if taken == 0 {
                    return;
                }
                budget.width.draw(pass, Topology::Lines, |pass| {
                    pass.draw(0..2, start..start + taken);
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_draws_so_many_normals_by_so_many_calls() {
        let mut budget = NormalBudget {
            width: LineWidth::PIXEL,
            normals: 1000,
            draw_calls: 4,
        };
        let taken = [400, 500, 300, 1].map(|wanted| budget.take(wanted));
        assert_eq!(taken, [400, 500, 100, 0]);
        assert!(budget.is_spent());
        let mut budget = NormalBudget {
            width: LineWidth::PIXEL,
            normals: 1000,
            draw_calls: 2,
        };
        let taken = [1; 3].map(|wanted| budget.take(wanted));
        assert_eq!((taken, budget.normals), ([1, 1, 0], 998));
        assert!(budget.is_spent());
    }
}
