//! The scene: opaque meshes and the grid, then those that light passes through, then what is transparent, far to near.
//!
//! What light passes through shows a blurred copy of all that is opaque, and of what blends behind it: if there is any, the
//! scene takes two passes, and the copy is made between them. What is transparent may also be summed up in no order, in passes
//! of its own. [`ScenePlan`] decides that, what it asks for is made ready, and then the passes are recorded.

use super::{
    furnishings::Furnished,
    line_width::LineWidth,
    overlay::needs_scene_depth,
    plan::{KeptDepth, SceneFacts, ScenePlan},
    scene_copy::SceneCopy,
    surface_lines::has_lines,
    weighted,
};
use crate::{
    model::{Model, Topology},
    render::{
        Gpu, Pass, Renderer, SceneTarget, Viewport,
        draw_lists::{DrawLists, PrimitiveDraw},
        frame::uniform::shown_as,
        layout::FrameUniform,
        model::mesh::{GpuPrimitive, GpuVertices},
        pipelines::{Blending, LastAsked, ToneWay},
        room::portions::finish,
        targets::scene::{PassBeginning, SceneSamples},
    },
    scene::{Background, Frame, ShadowFit},
};

/// What else there is of a scene that was drawn.
#[derive(Debug, Default)]
pub(in crate::render) struct DrawnScene {
    /// Whether the depth of what is opaque was kept, since other surfaces have left theirs.
    pub(in crate::render) is_depth_kept: bool,
    /// The samples beside the scene's, if it holds colours that are shown as they are.
    pub(in crate::render) shown: Option<wgpu::TextureView>,
}

/// A scene whose passes can be recorded: all that its plan asks for is there.
pub(super) struct ReadyScene<'a> {
    pub(super) plan: ScenePlan,
    pub(in crate::render) frame: &'a Frame<'a>,
    pub(in crate::render) lists: DrawLists,
    target: &'a SceneTarget,
    /// The samples beside those of `target`.
    shown: Option<wgpu::TextureView>,
    /// What of it is drawn, if not all is.
    drawn: Option<Viewport>,
    /// What light for glass is made of, if it is made.
    pub(in crate::render) light_group: Option<wgpu::BindGroup>,
    has_ground_shadow: bool,
}

/// What of a scene is drawn, and where.
pub(in crate::render) struct WantedScene<'a> {
    pub(in crate::render) samples: SceneSamples<'a>,
    /// Whether colours that are to be seen as they are become light, too.
    pub(in crate::render) is_light_alone: bool,
}

impl ReadyScene<'_> {
    pub(in crate::render) fn samples(&self) -> SceneSamples<'_> {
        SceneSamples {
            target: self.target,
            shown: self.shown.as_ref(),
            drawn: self.drawn,
        }
    }
}

impl Renderer {
    /// Draws the scene, as light alone or as the model asks.
    pub(in crate::render) fn scene_pass(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        model: &Model,
        frame: &Frame<'_>,
        shadow: Option<(&FrameUniform, &ShadowFit)>,
        wanted: WantedScene<'_>,
    ) -> DrawnScene {
        let WantedScene {
            samples,
            is_light_alone,
        } = wanted;
        let target = samples.target;
        let uploaded = self.model.as_ref().filter(|_| !is_light_alone);
        let quality = frame.lighting.settings.quality;
        let is_beside = uploaded.is_some_and(|uploaded| uploaded.shown_apart.at(quality));
        let mut lists = self.collect(gpu, model, frame, target.size(), is_beside);
        self.set_line_width(gpu, frame, &lists, target.size());
        self.prepare_lit(gpu, &mut lists);
        let has_glass = lists.shows_copy();
        if has_glass {
            lists.find_behind_glass(&frame.camera);
        }
        let plan = ScenePlan::new(SceneFacts {
            is_beside,
            has_glass,
            has_solid_glass: !lists.transmissive.is_empty(),
            has_blended: !lists.transparent.is_empty(),
            has_behind: !lists.behind_glass.is_empty(),
            has_background: matches!(
                frame.background,
                Background::Gradient { .. } | Background::Plain(_)
            ),
            sums_blended: weighted::is_weighted(gpu, frame),
            hides_overlay: needs_scene_depth(frame),
            has_lines: has_lines(frame, &lists),
            is_depth_read: target.is_depth_read(),
            is_one_pixel: target.size() == [1, 1],
        });
        let depth_alone = lists.transparent.len() * usize::from(plan.has_blended_depth);
        self.counts.draws = lists.all().count() + lists.behind_glass.len() + depth_alone;
        if let Some((uniform, fit)) = shadow {
            let casters = lists.opaque.iter().chain(&lists.transparent);
            self.shadow_pass(gpu, encoder, uniform, fit, casters);
        }
        let mut scene = ReadyScene {
            plan,
            frame,
            lists,
            target,
            shown: None,
            // Glass may show what is beside it.
            drawn: samples.drawn.filter(|_| plan.copy.is_none()),
            light_group: None,
            has_ground_shadow: shadow.is_some_and(|(_, fit)| fit.ground != [0.0; 4]),
        };
        self.make_ready(gpu, &mut scene);
        self.record_scene(gpu, encoder, &scene);
        self.lists = scene.lists;
        DrawnScene {
            is_depth_kept: plan.kept_depth.is_some(),
            shown: scene.shown,
        }
    }

    /// Makes what the plan of a scene asks for, unless it is there.
    fn make_ready(&mut self, gpu: &Gpu, scene: &mut ReadyScene<'_>) {
        let (plan, target, size) = (scene.plan, scene.target, scene.target.size());
        let furnished = Furnished::of(scene.frame, scene.has_ground_shadow);
        self.prepare_furnishings(&gpu.device, plan.is_beside, furnished);
        scene.shown = plan.is_beside.then(|| self.shown_samples(gpu, target));
        if let Some(copy) = plan.copy {
            self.prepare_scene_copy(gpu, size);
            if copy.has_background {
                let (curve, _) = shown_as(scene.frame);
                let way = ToneWay::BackgroundAsLight;
                self.tone.pipeline.prepare(&gpu.device, curve, way);
            }
            if copy.draws_behind {
                self.prepare_behind(gpu, target, plan.is_beside);
            }
            if let Some(shown) = &scene.shown {
                scene.light_group = Some(self.prepare_light(gpu, scene.frame, target, shown, copy));
            }
        }
        let blended = &scene.lists.transparent;
        if plan.is_summed {
            self.prepare_weighted(gpu, size, blended, plan.is_beside);
        }
        if plan.has_blended_depth {
            self.prepare_meshes_as(gpu, blended, Blending::DepthAlone);
        }
        if plan.kept_depth.is_some() {
            self.prepare_opaque_depth(gpu, size);
        }
    }

    /// Records the passes of a scene, step by step as its plan has them.
    fn record_scene(&self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder, scene: &ReadyScene<'_>) {
        let ReadyScene { plan, target, .. } = *scene;
        let (lists, samples) = (&scene.lists, scene.samples());
        let copy = self.intermediates.scene_copy.get().zip(plan.copy);
        let frame_group = copy.map_or(&self.frame.group, |(copy, _)| copy.frame_group());
        let sorted = if plan.is_summed {
            &[]
        } else {
            &lists.transparent[..]
        };
        let portions = self.portions(gpu, lists.transmissive.iter().chain(sorted));
        let goes_on = !portions.is_empty();
        let mut pass = self.opaque_pass(gpu, encoder, scene, goes_on);
        if let Some((copy, how)) = copy {
            drop(pass);
            if plan.kept_depth == Some(KeptDepth::BeforeGlass) {
                self.keep_opaque_depth(encoder, target);
            }
            self.copy_for_glass(gpu, encoder, scene, (copy, how));
            let times = self.timestamps(Pass::Through);
            let label = "Renderer::second_pass";
            let stores_depth = plan.stores_depth || goes_on;
            pass = samples.resume_pass(encoder, label, stores_depth, times);
            self.bind_frame(&mut pass, frame_group);
        }
        if portions.is_empty() {
            self.draw_meshes(&mut pass, &lists.transmissive);
            self.draw_meshes(&mut pass, sorted);
        }
        drop(pass);
        for portion in &portions {
            finish(gpu, encoder);
            let mut pass = samples.resume_pass(encoder, "Renderer::portion", true, None);
            self.bind_frame(&mut pass, frame_group);
            self.draw_meshes(&mut pass, portion);
        }
        if plan.is_summed {
            self.weighted_passes(gpu, encoder, samples, frame_group, &lists.transparent);
        }
        if plan.kept_depth == Some(KeptDepth::BeforeBlended) {
            self.keep_opaque_depth(encoder, target);
        }
        if plan.has_blended_depth {
            let label = "Renderer::depth_pass";
            let of_light = samples.beside(None);
            let mut pass = of_light.resume_pass(encoder, label, plan.stores_depth, None);
            self.bind_frame(&mut pass, frame_group);
            self.draw_meshes_as(&mut pass, &lists.transparent, Blending::DepthAlone);
        }
    }

    /// Draws what is opaque, the environment behind it, the grid, and the shadow on the ground. The pass stays open; `goes_on`
    /// is whether others over the scene follow it.
    fn opaque_pass<'e>(
        &self,
        gpu: &Gpu,
        encoder: &'e mut wgpu::CommandEncoder,
        scene: &ReadyScene<'_>,
        goes_on: bool,
    ) -> wgpu::RenderPass<'e> {
        let (plan, frame) = (scene.plan, scene.frame);
        let copy = self.intermediates.scene_copy.get();
        let resolved = copy.filter(|_| plan.opaque_resolves());
        let resolved = resolved.map(SceneCopy::first_level);
        let label = "Renderer::scene_pass";
        let (samples, opaque) = (scene.samples(), &scene.lists.opaque);
        let portions = self.portions(gpu, opaque.iter());
        let (last, before) = match portions.split_last() {
            Some((last, before)) => (last, before),
            None => (opaque, &[][..]),
        };
        for (index, portion) in before.iter().enumerate() {
            let beginning = PassBeginning {
                label,
                is_fresh: index == 0,
                resolved: None,
                stores_depth: true,
                times: None,
            };
            let mut pass = samples.begin_pass(encoder, beginning);
            self.bind_frame(&mut pass, &self.frame.group);
            self.draw_meshes(&mut pass, portion);
            drop(pass);
            finish(gpu, encoder);
        }
        let beginning = PassBeginning {
            label,
            is_fresh: before.is_empty(),
            resolved,
            stores_depth: plan.opaque_stores_depth || goes_on,
            times: self.timestamps(Pass::Scene),
        };
        let mut pass = samples.begin_pass(encoder, beginning);
        self.bind_frame(&mut pass, &self.frame.group);
        self.draw_meshes(&mut pass, last);
        let furnishings = self.furnishings(plan.is_beside);
        if let (Background::Environment { .. }, Some(backdrop)) =
            (frame.background, &furnishings.backdrop)
        {
            backdrop.draw(&mut pass);
        }
        if let (Some(_), Some(grid)) = (frame.grid, &furnishings.grid) {
            grid.draw(&mut pass);
        }
        // Over the grid: lines lie in the shadow, too.
        if let (true, Some(ground)) = (scene.has_ground_shadow, &furnishings.ground) {
            ground.draw(&mut pass);
        }
        pass
    }

    /// Binds what all meshes of a pass share: `frame_group`, and where they are.
    pub(super) fn bind_frame(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        frame_group: &wgpu::BindGroup,
    ) {
        pass.set_bind_group(0, frame_group, &[]);
        pass.set_bind_group(1, self.palette.bind_group(), &[]);
    }

    pub(super) fn draw_meshes<'d>(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        draws: impl IntoIterator<Item = &'d PrimitiveDraw>,
    ) {
        for draw in draws {
            if let Some(pipeline) = self.meshes.at(draw.pipeline) {
                let width = self.width_of(draw, draw.key.blending == Blending::Alpha);
                self.draw_primitive(pass, draw, pipeline, width);
            }
        }
    }

    /// How wide its points and lines are. Lines that are mixed with what is behind them would lie over themselves.
    pub(super) fn width_of(&self, draw: &PrimitiveDraw, is_mixed: bool) -> LineWidth {
        if draw.key.topology == Topology::Lines && is_mixed {
            LineWidth::PIXEL
        } else {
            self.line_width
        }
    }

    /// Makes the pipelines for meshes that meet what is behind them in another way than their own.
    pub(super) fn prepare_meshes_as(
        &mut self,
        gpu: &Gpu,
        draws: &[PrimitiveDraw],
        blending: Blending,
    ) {
        let keys = draws.iter().map(|draw| draw.key_as(blending));
        self.meshes.prepare_all(gpu, keys);
    }

    /// Draws meshes in that way; their pipelines must be there.
    pub(super) fn draw_meshes_as<'d>(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        draws: impl IntoIterator<Item = &'d PrimitiveDraw>,
        blending: Blending,
    ) {
        let mut last = LastAsked::default();
        for draw in draws {
            let key = draw.key_as(blending);
            if let Some(pipeline) = last.answer(key, || self.meshes.get(key)) {
                let width = self.width_of(draw, draw.key.blending == Blending::Alpha);
                self.draw_primitive(pass, draw, pipeline, width);
            }
        }
    }

    /// Draws a primitive; its points and lines are as wide as that.
    pub(super) fn draw_primitive(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        draw: &PrimitiveDraw,
        pipeline: &wgpu::RenderPipeline,
        width: LineWidth,
    ) {
        pass.set_pipeline(pipeline);
        if let Some(on_gpu) = self.bind_primitive(pass, draw) {
            pass.set_index_buffer(on_gpu.indices.buffer.slice(..), on_gpu.index_format);
            let (first, end) = draw.records;
            let (first_index, end_index) = draw.indices;
            width.draw(pass, draw.key.topology, |pass| {
                pass.draw_indexed(first_index..end_index, 0, first..end);
            });
        }
    }

    /// The edges of its triangles, if they were made.
    pub(super) fn draw_edges(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        draw: &PrimitiveDraw,
        pipeline: &wgpu::RenderPipeline,
    ) {
        pass.set_pipeline(pipeline);
        if let Some(on_gpu) = self.bind_primitive(pass, draw)
            && let Some(Some(edges)) = on_gpu.indices.edges.get()
        {
            pass.set_index_buffer(edges.slice(..), wgpu::IndexFormat::Uint32);
            let (first, end) = draw.records;
            let (first_index, end_index) = draw.indices;
            self.line_width.draw(pass, Topology::Lines, |pass| {
                pass.draw_indexed(2 * first_index..2 * end_index, 0, first..end);
            });
        }
    }

    /// Binds what a primitive is drawn from but for its indices.
    pub(super) fn bind_primitive(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        draw: &PrimitiveDraw,
    ) -> Option<&GpuPrimitive> {
        let uploaded = self.model.as_ref()?;
        let on_gpu = uploaded.meshes[draw.mesh][draw.primitive].as_ref()?;
        let material = uploaded.materials[draw.material].as_ref()?;
        pass.set_bind_group(2, &material.bind_group, &[]);
        pass.set_bind_group(3, on_gpu.bind_group(material), &[]);
        // As in `MeshBuffers::layouts`.
        let influences = (on_gpu.influences.as_ref()).filter(|_| draw.key.sets_of_four > 0);
        let GpuVertices { positions, rest } = &on_gpu.vertices;
        let buffers = [Some(positions), Some(self.palette.records()), influences];
        let buffers = buffers.into_iter().chain([rest.as_ref()]).flatten();
        for (slot, buffer) in (0..).zip(buffers) {
            pass.set_vertex_buffer(slot, buffer.slice(..));
        }
        Some(on_gpu)
    }
}
