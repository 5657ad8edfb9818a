//! The scene: opaque meshes and the grid, then those that light passes through, then what is transparent, far to near.
//!
//! What light passes through shows a blurred copy of all that is opaque, and of what blends behind it: if there is any, the
//! scene takes two passes, and the copy is made between them. What is transparent may also be summed up in no order, in passes
//! of its own.

use glam::Affine3A;

use super::{
    Gpu, Pass, Renderer, SceneTarget,
    layout::{FrameUniform, material_flags},
    mesh::{Edges, GpuPrimitive},
    model::is_near,
    overlay_pass::needs_scene_depth,
    pipelines::{Blending, ColorKind, MeshKey},
    scene_copy::SceneCopy,
    target::PassUse,
    weighted,
};
use crate::{
    model::{Aabb, Model, Primitive},
    scene::{Background, CameraView, Draw, Frame, OrientedBox, ShadowFit},
};

/// A primitive of a placement: one draw call for all instances and copies, but those that mirror have one of their own.
#[derive(Debug, Clone, Copy)]
pub(super) struct PrimitiveDraw {
    /// The first of its records, and the one behind the last.
    records: (u32, u32),
    mesh: usize,
    primitive: usize,
    material: usize,
    pub(super) key: MeshKey,
    place: Place,
}

/// Where a primitive is, seen from the eye.
#[derive(Debug, Clone, Copy)]
struct Place {
    /// Distance of its middle; of several copies that of the first.
    distance: f32,
    /// Distances of the nearest and the farthest point of its box in the world; of several copies they are not known.
    range: [f32; 2],
    /// Its box, if there is one copy alone and it is known: joints and morph targets move it out of the box it has at rest.
    oriented: Option<OrientedBox>,
}

impl PrimitiveDraw {
    fn is_glass(&self) -> bool {
        self.key.features.flags & material_flags::TRANSMISSION != 0
    }

    /// Whether nothing of it can be seen through `glass`.
    fn is_before(&self, glass: &Self, camera: &CameraView) -> bool {
        let (this, glass) = (&self.place, &glass.place);
        let boxes = this.oriented.zip(glass.oriented);
        this.range[1] <= glass.range[0]
            || boxes.is_some_and(|(this, glass)| this.is_before(&glass, camera))
    }

    /// The same, drawn by another of its pipelines.
    pub(super) fn blended_as(&self, blending: Blending) -> Self {
        Self {
            key: MeshKey {
                blending,
                ..self.key
            },
            ..*self
        }
    }
}

/// The draw calls of a frame, in the order in which they are drawn.
#[derive(Debug, Default)]
pub(super) struct DrawLists {
    /// In no order.
    pub(super) opaque: Vec<PrimitiveDraw>,
    /// Far to near.
    pub(super) transmissive: Vec<PrimitiveDraw>,
    /// Far to near.
    pub(super) transparent: Vec<PrimitiveDraw>,
    /// Of the transparent ones those that may be seen through glass, if there is any.
    behind_glass: Vec<PrimitiveDraw>,
}

impl DrawLists {
    /// All of them.
    pub(super) fn all(&self) -> impl Iterator<Item = &PrimitiveDraw> {
        let opaque = self.opaque.iter();
        opaque.chain(&self.transmissive).chain(&self.transparent)
    }

    fn clear(&mut self) {
        self.opaque.clear();
        self.transmissive.clear();
        self.transparent.clear();
        self.behind_glass.clear();
    }

    /// Finds what blends and may lie behind glass: what is not wholly in front of all of it.
    fn find_behind_glass(&mut self, camera: &CameraView) {
        // Glass may blend, too.
        let both = self.transmissive.iter().chain(&self.transparent);
        let glass = both.filter(|draw| draw.is_glass());
        let blended = self.transparent.iter().filter(|draw| !draw.is_glass());
        let is_behind =
            |draw: &&PrimitiveDraw| !glass.clone().all(|glass| draw.is_before(glass, camera));
        self.behind_glass.extend(blended.filter(is_behind));
    }

    fn shows_copy(&self) -> bool {
        let mut behind = self.transmissive.iter().chain(&self.transparent);
        behind.any(PrimitiveDraw::is_glass)
    }
}

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

    /// The draw calls of a frame, opaque and transparent, of which some may write beside the scene's light; makes pipelines
    /// that mirrored matrices ask for.
    pub(super) fn collect(
        &mut self,
        gpu: &Gpu,
        model: &Model,
        frame: &Frame<'_>,
        may_write_beside: bool,
    ) -> DrawLists {
        let mut lists = std::mem::take(&mut self.lists);
        lists.clear();
        let Some(uploaded) = &self.model else {
            return lists;
        };
        let placements = frame.layout.placements().iter().zip(frame.draws);
        let instances = frame.palette.instance_count() as u32;
        let mut lights = frame.lighting.lights.iter();
        let has_near_lights = lights.any(|light| is_near(light.kind));
        for (index, (place, draw)) in placements.enumerate() {
            if draw.is_hidden {
                continue;
            }
            let primitives = model.meshes[place.mesh].primitives.iter();
            for (within, (primitive, on_gpu)) in
                primitives.zip(&uploaded.meshes[place.mesh]).enumerate()
            {
                let Some(on_gpu) = on_gpu else { continue };
                let is_skinned = place.skin.is_some() && on_gpu.sets_of_four > 0;
                let (sets_of_four, is_mirrored) = if is_skinned {
                    (on_gpu.sets_of_four, draw.is_skin_mirrored)
                } else {
                    (0, draw.is_node_mirrored)
                };
                let is_dual = is_skinned && frame.palette.is_dual();
                let straight = place.copies - place.mirrored_copies;
                for (first, count, is_mirrored) in [
                    (0, straight, is_mirrored),
                    (straight, place.mirrored_copies, !is_mirrored),
                ] {
                    if count == 0 {
                        continue;
                    }
                    let first = (place.first_record + first) * instances;
                    let material = primitive.material_in(frame.variant);
                    let deformed = on_gpu.deformed_box.as_ref();
                    let deformed =
                        deformed.and_then(|it| it.in_world(frame.palette, index, is_skinned));
                    let mut place_seen = match deformed {
                        Some(bounds) => Place::of(&bounds, &Affine3A::IDENTITY, frame),
                        None => place_at_rest(primitive, draw, is_skinned, frame),
                    };
                    if count * instances != 1 {
                        place_seen.range = [0.0, f32::INFINITY];
                        place_seen.oriented = None;
                    }
                    for key in uploaded.keys(primitive, material, sets_of_four, is_mirrored) {
                        let key = MeshKey {
                            is_dual,
                            has_near_lights: key.has_near_lights || has_near_lights,
                            colors: if may_write_beside {
                                key.colors
                            } else {
                                ColorKind::Light
                            },
                            ..key
                        };
                        self.meshes.prepare(&gpu.device, key);
                        let list = match key.blending {
                            Blending::Opaque | Blending::Masked => &mut lists.opaque,
                            Blending::Transmissive => &mut lists.transmissive,
                            Blending::Alpha | Blending::Weighted | Blending::DepthAlone => {
                                &mut lists.transparent
                            }
                        };
                        list.push(PrimitiveDraw {
                            records: (first, first + count * instances),
                            mesh: place.mesh,
                            primitive: within,
                            material,
                            key,
                            place: place_seen,
                        });
                    }
                }
            }
        }
        for list in [&mut lists.transmissive, &mut lists.transparent] {
            list.sort_by(|a, b| b.place.distance.total_cmp(&a.place.distance));
        }
        lists
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
        pass.set_bind_group(2, &uploaded.materials[draw.material].bind_group, &[]);
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

impl Place {
    /// The place of the image of `bounds`.
    fn of(bounds: &Aabb, world_from_bounds: &Affine3A, frame: &Frame<'_>) -> Self {
        let middle = world_from_bounds.transform_point3(bounds.center());
        let in_world = bounds.transformed(world_from_bounds);
        Self {
            distance: frame.camera.distance(middle),
            range: frame.camera.distances(&in_world),
            oriented: Some(OrientedBox::new(bounds, world_from_bounds)),
        }
    }
}

/// The place of a primitive that nothing deforms; of others about that.
fn place_at_rest(primitive: &Primitive, draw: &Draw, is_skinned: bool, frame: &Frame<'_>) -> Place {
    let world_from_mesh = if is_skinned {
        &draw.world_from_skin
    } else {
        &draw.world_from_rigid
    };
    let is_rigid = !is_skinned && primitive.targets.is_empty();
    let place = Place::of(&primitive.rest_bounds, world_from_mesh, frame);
    Place {
        oriented: place.oriented.filter(|_| is_rigid),
        ..place
    }
}
