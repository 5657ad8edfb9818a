//! The scene: opaque meshes and the grid, then those that light passes through, then what is transparent, far to near.
//!
//! What light passes through shows a blurred copy of all that is opaque, and of what blends behind it: if there is any, the
//! scene takes two passes, and the copy is made between them. What is transparent may also be summed up in no order, in passes
//! of its own.

use super::{
    Gpu, Pass, Renderer, SceneTarget,
    draw_lists::PrimitiveDraw,
    layout::FrameUniform,
    mesh::{Edges, GpuPrimitive},
    overlay_pass::needs_scene_depth,
    pipelines::Blending,
    scene_copy::SceneCopy,
    target::PassUse,
    weighted,
};
use crate::{
    model::Model,
    scene::{Background, Frame, ShadowFit},
};

/// What else there is of a scene that was drawn.
#[derive(Debug, Default)]
pub(super) struct DrawnScene {
    /// Whether the depth of what is opaque was kept, since other surfaces have left theirs.
    pub(super) is_depth_kept: bool,
    /// The samples beside the scene's, if it holds colours that are shown as they are.
    pub(super) shown: Option<wgpu::TextureView>,
}

impl Renderer {
    /// Draws the scene, as light alone or as the model asks.
    pub(super) fn scene_pass(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        model: &Model,
        frame: &Frame<'_>,
        shadow: Option<(&FrameUniform, &ShadowFit)>,
        (target, is_light_alone): (&SceneTarget, bool),
    ) -> DrawnScene {
        self.meshes.set_quality(frame.lighting.settings.quality);
        let uploaded = self.model.as_ref().filter(|_| !is_light_alone);
        let is_beside = uploaded.is_some_and(|uploaded| uploaded.has_shown_colors);
        let mut lists = self.collect(gpu, model, frame, is_beside);
        if let Some((uniform, fit)) = shadow {
            let casters = lists.opaque.iter().chain(&lists.transparent);
            self.shadow_pass(gpu, encoder, uniform, fit, casters);
        }
        let layout = self.frame_bindings.layout.clone();
        let furnishings = self.prepare_furnishings(&gpu.device, is_beside);
        if matches!(frame.background, Background::Surroundings { .. }) {
            furnishings.prepare_backdrop(&gpu.device, &layout);
        }
        let shown = is_beside.then(|| self.shown_samples(gpu, target));
        let shown_samples = shown.as_ref();
        let is_copied = lists.shows_copy();
        if is_copied {
            self.prepare_scene_copy(gpu, target.size());
        }
        let is_weighted = !lists.transparent.is_empty() && weighted::is_weighted(gpu, frame);
        if is_weighted {
            self.prepare_weighted(gpu, target.size(), &lists.transparent, is_beside);
        }
        if is_copied {
            lists.find_behind_glass(&frame.camera);
        }
        // A second scene that lies over this one, and that under such a one, say where blended surfaces are, too.
        let has_blended_depth = target.is_depth_read();
        for draw in lists.transparent.iter().filter(|_| has_blended_depth) {
            let key = draw.blended_as(Blending::DepthAlone).key;
            self.meshes.prepare(&gpu.device, key);
        }
        let has_glass_depth = !lists.transmissive.is_empty();
        let is_depth_kept = needs_scene_depth(frame)
            && (has_glass_depth || has_blended_depth && !lists.transparent.is_empty());
        if is_depth_kept {
            self.prepare_opaque_depth(gpu, target.size());
        }
        let behind = &lists.behind_glass;
        let depth_alone = lists.transparent.len() * usize::from(has_blended_depth);
        self.draw_count = lists.all().count() + behind.len() + depth_alone;
        // Borrowed apart from the renderer, which draws into it.
        let mut copy = self.intermediates.scene_copy.take_if(|_| is_copied);
        let resolved = (copy.as_ref()).filter(|_| behind.is_empty() && !is_beside);
        let resolved = resolved.map(SceneCopy::first_level);
        let keeps_depth = needs_scene_depth(frame) || is_weighted;
        let label = "Renderer::scene_pass";
        let with = PassUse {
            shown: shown_samples,
            keeps_depth: keeps_depth || is_copied,
            times: self.timestamps(Pass::Scene),
        };
        let mut pass = target.begin_scene_pass(encoder, label, resolved, with);
        pass.set_bind_group(0, &self.frame_group, &[]);
        pass.set_bind_group(1, self.palette.bind_group(), &[]);
        for draw in &lists.opaque {
            self.draw_mesh(&mut pass, draw);
        }
        let furnishings = self.furnishings(is_beside);
        if let (Background::Surroundings { .. }, Some(backdrop)) =
            (frame.background, &furnishings.backdrop)
        {
            backdrop.draw(&mut pass);
        }
        if frame.grid.is_some() {
            furnishings.grid.draw(&mut pass);
        }
        // Over the grid: lines lie in the shadow, too.
        if shadow.is_some_and(|(_, fit)| fit.ground != [0.0; 4]) {
            furnishings.ground.draw(&mut pass);
        }
        if let Some(copy) = &mut copy {
            drop(pass);
            if is_depth_kept && has_glass_depth {
                self.keep_opaque_depth(encoder, target);
            }
            let is_one_level = copy.is_one_level();
            let has_behind = !behind.is_empty();
            if has_behind {
                let is_last = is_one_level && !is_beside;
                let times = self.timestamps_within(Pass::Copy, true, is_last);
                copy.add_behind(gpu, encoder, (target, shown_samples), times, |pass| {
                    pass.set_bind_group(0, &self.frame_group, &[]);
                    pass.set_bind_group(1, self.palette.bind_group(), &[]);
                    for draw in behind {
                        self.draw_mesh(pass, draw);
                    }
                });
            }
            if let Some(shown) = shown_samples {
                let of_behind = copy.behind().filter(|_| has_behind);
                let samples = of_behind.unwrap_or([&target.samples, shown]);
                let (into, parts) = (copy.first_level(), [!has_behind, is_one_level]);
                self.make_light(gpu, encoder, frame, samples, into, parts);
            }
            self.blur_copy(encoder, copy, has_behind || is_beside);
            let with = PassUse {
                shown: shown_samples,
                keeps_depth,
                times: self.timestamps(Pass::Through),
            };
            pass = target.resume_scene_pass(encoder, "Renderer::second_pass", with);
            pass.set_bind_group(0, copy.frame_group(), &[]);
            pass.set_bind_group(1, self.palette.bind_group(), &[]);
        }
        let frame_group = (copy.as_ref()).map_or(&self.frame_group, SceneCopy::frame_group);
        for draw in &lists.transmissive {
            self.draw_mesh(&mut pass, draw);
        }
        if is_weighted {
            drop(pass);
            let into = (target, shown_samples);
            self.weighted_passes(encoder, into, frame_group, &lists.transparent);
        } else {
            for draw in &lists.transparent {
                self.draw_mesh(&mut pass, draw);
            }
            drop(pass);
        }
        if depth_alone > 0 {
            if is_depth_kept && !has_glass_depth {
                self.keep_opaque_depth(encoder, target);
            }
            let label = "Renderer::depth_pass";
            let with = PassUse {
                keeps_depth,
                ..PassUse::default()
            };
            let mut pass = target.resume_scene_pass(encoder, label, with);
            pass.set_bind_group(0, frame_group, &[]);
            pass.set_bind_group(1, self.palette.bind_group(), &[]);
            for draw in &lists.transparent {
                self.draw_mesh(&mut pass, &draw.blended_as(Blending::DepthAlone));
            }
        }
        if copy.is_some() {
            self.intermediates.scene_copy = copy;
        }
        self.lists = lists;
        DrawnScene {
            is_depth_kept,
            shown,
        }
    }

    pub(super) fn draw_mesh(&self, pass: &mut wgpu::RenderPass<'_>, draw: &PrimitiveDraw) {
        if let Some(pipeline) = self.meshes.get(draw.key) {
            self.draw_primitive(pass, draw, pipeline);
        }
    }

    pub(super) fn draw_primitive(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        draw: &PrimitiveDraw,
        pipeline: &wgpu::RenderPipeline,
    ) {
        pass.set_pipeline(pipeline);
        if let Some(on_gpu) = self.bind_primitive(pass, draw) {
            pass.set_index_buffer(on_gpu.indices.slice(..), on_gpu.index_format);
            let (first, end) = draw.records;
            pass.draw_indexed(0..on_gpu.index_count, 0, first..end);
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
            && let Edges::Made(edges) = &on_gpu.edges
        {
            pass.set_index_buffer(edges.slice(..), wgpu::IndexFormat::Uint32);
            let (first, end) = draw.records;
            pass.draw_indexed(0..2 * on_gpu.index_count, 0, first..end);
        }
    }

    fn bind_primitive(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        draw: &PrimitiveDraw,
    ) -> Option<&GpuPrimitive> {
        let uploaded = self.model.as_ref()?;
        let on_gpu = uploaded.meshes[draw.mesh][draw.primitive].as_ref()?;
        let material = uploaded.materials[draw.material].as_ref()?;
        pass.set_bind_group(2, &material.bind_group, &[]);
        pass.set_bind_group(3, &on_gpu.bind_group, &[]);
        pass.set_vertex_buffer(0, on_gpu.vertices.slice(..));
        pass.set_vertex_buffer(1, self.palette.records().slice(..));
        if draw.key.sets_of_four > 0
            && let Some(influences) = &on_gpu.influences
        {
            pass.set_vertex_buffer(2, influences.slice(..));
        }
        Some(on_gpu)
    }
}
