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

use wgpu::util::DeviceExt as _;

pub use device::{
    gpu::{Gpu, GpuError, GpuKind},
    surface::{Acquired, WindowSurface},
};
pub use model::vertices;
pub use passes::times::{Pass, PassMillis};
pub use pose_vertices::PoseVertices;
pub use room::{LeftOut, NoRoom, Pace};
pub use split::{Pair, Subject};
pub use targets::{readback::Picture, scene::SceneTarget};

use self::{
    draw_lists::DrawLists,
    frame::{
        bindings::FrameBindings,
        environment::Environment,
        palette::{PaletteBuffers, Writer},
        uniform,
    },
    layout::{FrameUniform, OutputUniform},
    model::GpuModel,
    passes::{
        furnishings::Furnishings,
        ghost::GhostLayer,
        inspection,
        line_width::LineWidth,
        overlay::Overlays,
        scene::{DrawnScene, WantedScene},
        scene_copy,
        shadow::{self, Shadows},
        times::PassTimes,
    },
    pipelines::{
        ColorKind, Expected, LayerPipeline, MeshPipelines, MipmapPipeline, PrefilterPipeline,
        ToneWay, TonemapPipeline, ViewPipelines,
    },
    split::{Half, SplitKeeper},
    targets::{intermediates::Intermediates, kept::Keeps as _, readback::Canvas},
};
use crate::{
    model::{Model, Panorama},
    scene::{Frame, Quality, ShadowFit, ViewMode, studio},
};

/// Draws frames of one model at a time.
#[derive(Debug)]
pub struct Renderer {
    meshes: MeshPipelines,
    views: ViewPipelines,
    furnishings: Furnishings,
    /// [`Furnishings`] for scenes that hold shown colours beside light.
    furnishings_beside: Furnishings,
    overlay: Overlays,
    mipmaps: MipmapPipeline,
    tonemap: TonemapPipeline,
    model: Option<GpuModel>,
    split: SplitKeeper,
    palette: PaletteBuffers,
    shadows: Shadows,
    prefilter: PrefilterPipeline,
    environment: Environment,
    frame_bindings: FrameBindings,
    frame_uniform: wgpu::Buffer,
    frame_group: wgpu::BindGroup,
    intermediates: Intermediates,
    /// Up to the last picture.
    made_count: usize,
    /// There once a picture was read back, which takes it away while it draws: pictures that go elsewhere let go of it.
    canvas: Option<Canvas>,
    /// There once blended surfaces were summed up.
    weighted_layer: Option<LayerPipeline>,
    /// There once blended surfaces were summed up beside shown colours.
    weighted_colors_layer: Option<LayerPipeline>,
    /// There once a second scene lay over the first.
    ghost: Option<GhostLayer>,
    /// The draw calls of the last frame, whose memory the next one takes.
    lists: DrawLists,
    /// That of the scene that is drawn.
    line_width: LineWidth,
    output_uniform: wgpu::Buffer,
    output_format: wgpu::TextureFormat,
    draw_count: usize,
    times: Option<PassTimes>,
    pace: Pace,
}

/// Where in a target texture the picture goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Viewport {
    /// Left edge in pixels.
    pub x: u32,
    /// Upper edge in pixels.
    pub y: u32,
    /// Width in pixels, at least 1.
    pub width: u32,
    /// Height in pixels, at least 1.
    pub height: u32,
}

/// What a frame is drawn into.
#[derive(Debug, Clone, Copy)]
pub struct Destination<'a> {
    /// Light and depth, of the viewport's size.
    pub scene: &'a SceneTarget,
    /// The picture, in the format that the renderer was made for.
    pub output: &'a wgpu::TextureView,
    /// Where in `output` the picture goes; what lies outside is cleared.
    pub viewport: Viewport,
}

/// From where to where light becomes colours.
struct Tones<'a> {
    into: Destination<'a>,
    /// Colours that have samples of their own beside those of light.
    beside: Option<&'a wgpu::TextureView>,
    /// Where in the output they go.
    shown: Viewport,
    /// What becomes of what was there.
    load: wgpu::LoadOp<wgpu::Color>,
}

impl Renderer {
    /// A renderer for targets of `output_format`.
    pub fn new(gpu: &Gpu, output_format: wgpu::TextureFormat) -> Self {
        let device = &gpu.device;
        let uniform = |label, contents: &[u8]| {
            device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
                label: Some(label),
                contents,
                usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            })
        };
        let zero_frame: FrameUniform = bytemuck::Zeroable::zeroed();
        let zero_output: OutputUniform = bytemuck::Zeroable::zeroed();
        let frame_uniform = uniform("Renderer::frame_uniform", bytemuck::bytes_of(&zero_frame));
        let output_uniform = uniform("Renderer::output_uniform", bytemuck::bytes_of(&zero_output));
        let prefilter = PrefilterPipeline::new(device);
        let environment = Environment::new(gpu, &prefilter, &studio());
        let shadow_map = shadow::map(gpu);
        let frame_bindings = FrameBindings::new(gpu, &frame_uniform, &environment, &shadow_map);
        let frame_group = frame_bindings.group(gpu, &scene_copy::no_copy(gpu));
        let meshes = MeshPipelines::new(device, &frame_bindings.layout);
        Self {
            shadows: Shadows::new(gpu, &meshes, shadow_map),
            palette: PaletteBuffers::new(gpu, &meshes.pose_layout),
            meshes,
            views: ViewPipelines::default(),
            furnishings: Furnishings::new(ColorKind::Light),
            furnishings_beside: Furnishings::new(ColorKind::LightBeside),
            times: None,
            overlay: Overlays::new(gpu),
            mipmaps: MipmapPipeline::new(device),
            tonemap: TonemapPipeline::new(device, output_format, &output_uniform),
            model: None,
            split: SplitKeeper::default(),
            prefilter,
            environment,
            frame_bindings,
            frame_uniform,
            frame_group,
            intermediates: Intermediates::default(),
            made_count: 0,
            canvas: None,
            weighted_layer: None,
            weighted_colors_layer: None,
            ghost: None,
            lists: DrawLists::default(),
            line_width: LineWidth::PIXEL,
            output_uniform,
            output_format,
            draw_count: 0,
            pace: Pace::default(),
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
        self.environment = Environment::new(gpu, &self.prefilter, panorama);
        self.frame_bindings.set_environment(&self.environment);
        self.frame_group = self.frame_bindings.group(gpu, &scene_copy::no_copy(gpu));
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
        self.draw_count
    }

    /// Pipelines that are kept for meshes of the last models.
    pub fn pipeline_count(&self) -> usize {
        self.meshes.len() + self.views.len()
    }

    /// How often targets and bind groups were made that are kept from frame to frame: frames of the same sizes make none.
    pub fn made_count(&self) -> usize {
        self.made_count
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
        self.made_count += self.intermediates.end_picture();
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
        let mut frame_uniform = uniform::of(frame, &self.environment, fit.as_ref());
        inspection::write_inspection(&mut frame_uniform, frame);
        frame_uniform.counts[2..].copy_from_slice(&[viewport.width, viewport.height]);
        gpu.queue
            .write_buffer(&self.frame_uniform, 0, bytemuck::bytes_of(&frame_uniform));
        let is_encoded = self.output_format.is_srgb();
        let output_uniform = uniform::of_output(frame, viewport, is_encoded);
        gpu.queue
            .write_buffer(&self.output_uniform, 0, bytemuck::bytes_of(&output_uniform));
        if let Some(model) = &mut self.model {
            model.update_materials(gpu, frame);
        }
        if let Some(overlay) = frame.overlay {
            self.overlay.write(gpu, overlay);
        }
        (frame_uniform, fit)
    }

    fn tonemap_pass(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        frame: &Frame<'_>,
        tones: Tones<'_>,
    ) {
        let Tones {
            into,
            beside,
            shown,
            load,
        } = tones;
        let (curve, _) = uniform::shown_as(frame);
        let way = match beside {
            Some(_) => ToneWay::Colors,
            None => ToneWay::Light,
        };
        self.tonemap.prepare(&gpu.device, curve, way);
        let (kept, uniform) = (&mut self.intermediates, &self.output_uniform);
        let samples = &into.scene.samples;
        let bind_group = match beside {
            Some(beside) => {
                let layout = &self.tonemap.colors_bind_layout;
                let group = &mut kept.tone_colors_group;
                group.of(&gpu.device, layout, uniform, [samples, beside])
            }
            None => {
                let layout = &self.tonemap.bind_layout;
                let group = &mut kept.tone_group;
                group.of(&gpu.device, layout, uniform, [samples])
            }
        };
        let bind_group = bind_group.clone();
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("Renderer::tonemap_pass"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: into.output,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load,
                    store: wgpu::StoreOp::Store,
                },
            })],
            timestamp_writes: self.timestamps(Pass::Tone),
            ..Default::default()
        });
        let Viewport {
            x,
            y,
            width,
            height,
        } = shown;
        pass.set_scissor_rect(x, y, width, height);
        self.tonemap.draw(&mut pass, curve, way, &bind_group);
    }
}
