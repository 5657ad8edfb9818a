//! From a [`Frame`] to pixels, with wgpu.
//!
//! A [`Renderer`] lives as long as its device: it holds pipelines, the uploaded model and the buffers of the frame.
//! [`Renderer::draw`] records the passes of a picture: the scene (meshes, grid, what is transparent), the skeleton over
//! it with depth of its own, and the tone curve into the target.

mod device;
mod draw_lists;
mod frame;
pub mod layout;
mod model;
mod passes;
mod pipelines;
mod pose_vertices;
mod room;
pub mod shaders;
mod split;
mod targets;

pub use device::{
    gpu::{Gpu, GpuError, GpuKind},
    surface::{Acquired, WindowSurface},
};
pub use model::vertices;
pub use passes::times::{Pass, PassMillis};
pub use pose_vertices::PoseVertices;
pub use room::{LeftOut, NoRoom, Pace};
pub use split::{Pair, Subject};
pub use targets::{
    Destination, Viewport,
    readback::{Picture, PictureTooLarge},
    scene::SceneTarget,
};

use self::{
    draw_lists::DrawLists,
    frame::{
        FrameResources,
        palette::{PaletteBuffers, Writer},
        uniform,
    },
    layout::FrameUniform,
    model::GpuModel,
    passes::{
        furnishings::BothFurnishings,
        ghost::GhostLayer,
        inspection,
        line_width::LineWidth,
        overlay::Overlays,
        scene::{DrawnScene, WantedScene},
        shadow::{self, Shadows},
        times::PassTimes,
        tone::{ToneMapping, Tones},
        weighted::WeightedLayers,
    },
    pipelines::{Expected, MeshPipelines, MipmapPipeline, ViewPipelines},
    split::{Half, SplitKeeper},
    targets::{intermediates::Intermediates, kept::Keeps as _, readback::Canvas},
};
use crate::{
    model::{Model, Panorama},
    scene::{Frame, Quality, ShadowFit, ViewMode},
};

/// Draws frames of one model at a time.
#[derive(Debug)]
pub struct Renderer {
    meshes: MeshPipelines,
    views: ViewPipelines,
    mipmaps: MipmapPipeline,
    model: Option<GpuModel>,
    split: SplitKeeper,
    palette: PaletteBuffers,
    frame: FrameResources,
    /// The draw calls of the last frame, whose memory the next one takes.
    lists: DrawLists,
    /// That of the scene that is drawn.
    line_width: LineWidth,
    shadows: Shadows,
    furnishings: BothFurnishings,
    weighted: WeightedLayers,
    overlay: Overlays,
    /// There once a second scene lay over the first.
    ghost: Option<GhostLayer>,
    tone: ToneMapping,
    intermediates: Intermediates,
    /// There once a picture was read back, which takes it away while it draws: pictures that go elsewhere let go of it.
    canvas: Option<Canvas>,
    times: Option<PassTimes>,
    pace: Pace,
    counts: Counts,
}

/// What is counted.
#[derive(Debug, Default)]
struct Counts {
    /// Draw calls of the last frame.
    draws: usize,
    /// What was made that is kept from picture to picture, up to the last picture.
    made: usize,
}

impl Renderer {
    /// A renderer for targets of `output_format`.
    pub fn new(gpu: &Gpu, output_format: wgpu::TextureFormat) -> Self {
        let device = &gpu.device;
        let shadow_map = shadow::map(gpu);
        let frame = FrameResources::new(gpu, &shadow_map);
        let meshes = MeshPipelines::new(device, &frame.bindings.layout);
        Self {
            shadows: Shadows::new(gpu, &meshes, shadow_map),
            palette: PaletteBuffers::new(gpu, &meshes.pose_layout),
            meshes,
            views: ViewPipelines::default(),
            mipmaps: MipmapPipeline::new(device),
            model: None,
            split: SplitKeeper::default(),
            frame,
            lists: DrawLists::default(),
            line_width: LineWidth::PIXEL,
            furnishings: BothFurnishings::default(),
            weighted: WeightedLayers::default(),
            overlay: Overlays::new(gpu),
            ghost: None,
            tone: ToneMapping::new(gpu, output_format),
            intermediates: Intermediates::default(),
            canvas: None,
            times: None,
            pace: Pace::default(),
            counts: Counts::default(),
        }
    }

    /// Says what frames will probably ask for, so that a model's pipelines are made once, and no others: before
    /// [`Renderer::set_model`]. `is_dual` is whether joints are blended as dual quaternions.
    pub fn prepare_for(&mut self, quality: Quality, is_dual: bool, view: ViewMode) {
        self.meshes.expected = Expected::of(quality, is_dual, view);
    }

    /// Says how soon pictures are wanted from now on.
    pub fn set_pace(&mut self, pace: Pace) {
        self.pace = pace;
    }

    /// Uploads the model that frames are about from now on.
    pub fn set_model(&mut self, gpu: &Gpu, model: &Model) {
        // First let go of the old one: the two need not fit side by side.
        self.model = None;
        // What it needed besides goes once a picture is drawn without.
        self.next_model();
        uniform::warn_of_many_lights(model);
        self.model = Some(GpuModel::new(gpu, &mut self.meshes, &self.mipmaps, model));
    }

    /// Another model comes.
    fn next_model(&mut self) {
        self.meshes.next_model();
        self.views.next_model();
        self.shadows.next_model();
    }

    /// Puts the model into another environment.
    pub fn set_environment(&mut self, gpu: &Gpu, panorama: &Panorama) {
        self.frame.set_environment(gpu, panorama);
        // They bind the old ones; the next frame that needs them makes them anew.
        self.intermediates.scene_copy.let_go();
        self.split.intermediates.scene_copy.let_go();
    }

    /// Bytes that the model holds in buffers and textures.
    pub fn model_bytes(&self) -> u64 {
        self.model.as_ref().map_or(0, GpuModel::bytes)
    }

    /// Materials of the model (indices) with more textures than the adapter has room for, and what those are for that are left
    /// out.
    pub fn textures_left_out(&self) -> impl Iterator<Item = (usize, Vec<&'static str>)> + '_ {
        self.model.iter().flat_map(GpuModel::textures_left_out)
    }

    /// The first primitive that there is no room for, as far as pictures of the model have shown.
    pub fn left_out(&self) -> Option<LeftOut> {
        self.model.as_ref()?.left_out()
    }

    /// Draw calls of the last frame.
    pub fn draw_count(&self) -> usize {
        self.counts.draws
    }

    /// Pipelines that are kept for meshes of the last models.
    pub fn pipeline_count(&self) -> usize {
        self.meshes.len() + self.views.len()
    }

    /// How often targets and bind groups were made that are kept from frame to frame: frames of the same sizes make none.
    pub fn made_count(&self) -> usize {
        self.counts.made
    }

    /// Brings the matrices, morphs and records of `frame` to the GPU, for [`Renderer::draw_written`]. A crowd is posed here:
    /// straight into memory that the GPU's copy is made from.
    pub fn write_palette(&mut self, gpu: &Gpu, model: &Model, frame: &Frame<'_>) {
        self.write_subject(gpu, model, frame, frame.crowd.is_some());
    }

    /// [`Renderer::write_palette`] of one subject of a picture; `has_crowd` is whether any of them is a crowd.
    fn write_subject(&mut self, gpu: &Gpu, model: &Model, frame: &Frame<'_>, has_crowd: bool) {
        let writer = frame.crowd.map(|crowd| Writer {
            crowd,
            model,
            layout: frame.layout,
        });
        let layout = &self.meshes.pose_layout;
        self.palette
            .write(gpu, layout, frame.palette, writer, has_crowd);
    }

    /// Draws `frame`, which must be about `model`, the one last given to [`Renderer::set_model`].
    pub fn draw(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        model: &Model,
        frame: &Frame<'_>,
        into: Destination<'_>,
    ) {
        self.write_palette(gpu, model, frame);
        self.draw_written(gpu, encoder, model, frame, into);
    }

    /// [`Renderer::draw`] after [`Renderer::write_palette`] of this frame, for those who look at what each takes.
    pub fn draw_written(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        model: &Model,
        frame: &Frame<'_>,
        into: Destination<'_>,
    ) {
        self.let_go_of_pairs();
        self.canvas = None;
        let part = Half::whole(into.viewport);
        self.draw_part(gpu, encoder, model, frame, into, part);
        self.counts.made += self.intermediates.end_picture();
    }

    /// Draws `frame`, whose palette is written, and shows some of it.
    fn draw_part(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        model: &Model,
        frame: &Frame<'_>,
        into: Destination<'_>,
        part: Half<'_>,
    ) {
        let (uniform, fit) = self.write_buffers(gpu, frame, into.viewport);
        let samples = part.samples(into);
        let drawn = if frame.inspection.mode == ViewMode::Lit {
            let shadow = fit.as_ref().map(|fit| (&uniform, fit));
            let wanted = WantedScene {
                samples,
                // Of what becomes a ghost nothing but form and brightness is seen.
                is_light_alone: part.shown.is_none(),
            };
            self.scene_pass(gpu, encoder, model, frame, shadow, wanted)
        } else {
            self.inspection_pass(gpu, encoder, model, frame, samples);
            DrawnScene::default()
        };
        let samples = samples.beside(drawn.shown.as_ref());
        if let Some(ghost) = part.ghost {
            self.ghost_pass(gpu, encoder, ghost, samples);
        }
        self.surface_lines_pass(gpu, encoder, model, frame, samples);
        if let Some(overlay) = frame.overlay {
            let kept = self.intermediates.opaque_depth.get();
            let depth = kept.filter(|_| drawn.is_depth_kept).map(|kept| &kept.view);
            let depth = depth.unwrap_or(&into.scene.depth);
            self.overlay_pass(encoder, overlay, samples, depth);
        }
        if let Some(shown) = part.shown {
            let tones = Tones {
                into,
                beside: drawn.shown.as_ref(),
                shown,
                load: part.load,
            };
            self.tonemap_pass(gpu, encoder, frame, tones);
        }
        if let Some(times) = &mut self.times {
            times.record(encoder, part.goes_on);
        }
    }

    /// Brings the frame's own data to the GPU; returns its uniform, and the fit of its shadow if there is one.
    fn write_buffers(
        &mut self,
        gpu: &Gpu,
        frame: &Frame<'_>,
        viewport: Viewport,
    ) -> (FrameUniform, Option<ShadowFit>) {
        let fit = frame.lighting.shadow_fit(shadow::SIDE, frame.camera.eye);
        let mut frame_uniform = uniform::of(frame, &self.frame.environment, fit.as_ref());
        inspection::write_inspection(&mut frame_uniform, frame);
        frame_uniform.counts[2..].copy_from_slice(&[viewport.width, viewport.height]);
        self.frame.write(gpu, &frame_uniform);
        self.tone.write(gpu, frame, viewport);
        if let Some(model) = &mut self.model {
            model.update_materials(gpu, frame);
        }
        if let Some(overlay) = frame.overlay {
            self.overlay.write(gpu, overlay);
        }
        (frame_uniform, fit)
    }
}
