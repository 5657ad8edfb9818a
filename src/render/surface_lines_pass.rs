//! Lines over surfaces: the edges of triangles and the normals of vertices, hidden by what is before them.

use super::{
    Gpu, Renderer,
    draw_lists::{DrawLists, PrimitiveDraw},
    layout::GpuInstance,
    pipelines::{ColorKind, LastAsked, ViewKey, ViewPass},
    target::SceneSamples,
    vertices::RECORDS_SLOT,
};
use crate::{
    model::Model,
    scene::{Frame, ViewMode},
};

/// How many normals a frame still draws, of its surfaces in the order in which they are drawn.
#[derive(Debug)]
struct NormalBudget {
    normals: u32,
    /// Each record of a surface takes one.
    draw_calls: u32,
}

impl NormalBudget {
    /// That of a frame.
    const WHOLE: Self = Self {
        normals: 4_000_000,
        draw_calls: 20_000,
    };

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

/// The kinds of lines that a frame asks for, in scenes of such colours.
fn asked_for(frame: &Frame<'_>, colors: ColorKind) -> impl Iterator<Item = ViewPass> + use<> {
    let inspection = &frame.inspection;
    // The view of edges has its own.
    let has_wires = inspection.lines.wires && inspection.mode != ViewMode::Wireframe;
    let kinds = [
        has_wires.then_some(ViewPass::Wires(colors)),
        (inspection.lines.normals).then_some(ViewPass::Normals(colors)),
    ];
    kinds.into_iter().flatten()
}

/// Whether any of what is drawn has lines of a kind.
fn has_any(lists: &DrawLists, of: ViewPass) -> bool {
    lists.all().any(|draw| ViewKey::of(draw.key, of).is_some())
}

/// Whether lines are drawn over any of what is drawn: then its depth must be stored.
pub(super) fn has_lines(frame: &Frame<'_>, lists: &DrawLists) -> bool {
    asked_for(frame, ColorKind::Light).any(|of| has_any(lists, of))
}

impl Renderer {
    /// Draws the lines that a frame asks for over its scene, whose depth must have been stored if it [`has_lines`], and whose
    /// draw calls are those that were last collected.
    pub(super) fn surface_lines_pass(
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
        let mut budget = NormalBudget::WHOLE;
        for of in asked_for(frame, colors).filter(|&of| has_any(&lists, of)) {
            if matches!(of, ViewPass::Wires(_)) {
                self.make_edges(gpu, model);
            }
            let keys = lists.all();
            let keys = keys.filter_map(|draw| ViewKey::of(draw.key, of));
            self.views.prepare_all(gpu, &self.meshes, keys);
            self.in_portions(gpu, encoder, lists.all(), |encoder, portion| {
                let label = "Renderer::surface_lines_pass";
                let mut pass = samples.resume_pass(encoder, label, true, None);
                self.bind_frame(&mut pass, &self.frame_group);
                if matches!(of, ViewPass::Normals(_)) {
                    self.draw_all_normals(&mut pass, portion.draws, of, &mut budget);
                } else {
                    self.draw_view(&mut pass, portion.draws, of);
                }
            });
        }
        self.lists = lists;
    }

    /// Draws the normals of surfaces one after the other until the budget is spent.
    fn draw_all_normals<'d>(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        draws: impl Iterator<Item = &'d PrimitiveDraw>,
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

    /// The normals of its vertices, as instances of a line. So all instances of the primitive take a call each.
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
        let Some(on_gpu) = on_gpu.filter(|on_gpu| on_gpu.has_normals) else {
            return;
        };
        let (first, end) = draw.records;
        for record in first..end {
            let count = budget.take(on_gpu.vertices.count());
            if count == 0 {
                return;
            }
            let from = u64::from(record) * size_of::<GpuInstance>() as u64;
            pass.set_vertex_buffer(RECORDS_SLOT, self.palette.records().slice(from..));
            pass.draw(0..2, 0..count);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_draws_so_many_normals_by_so_many_calls() {
        let mut budget = NormalBudget {
            normals: 1000,
            draw_calls: 4,
        };
        let taken = [400, 500, 300, 1].map(|wanted| budget.take(wanted));
        assert_eq!(taken, [400, 500, 100, 0]);
        assert!(budget.is_spent());
        let mut budget = NormalBudget {
            normals: 1000,
            draw_calls: 2,
        };
        let taken = [1; 3].map(|wanted| budget.take(wanted));
        assert_eq!((taken, budget.normals), ([1, 1, 0], 998));
        assert!(budget.is_spent());
    }
}
