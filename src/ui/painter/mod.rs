//! Between egui and the machine: events in, triangles out. The only folder of the interface that names winit or wgpu.

mod held_keys;
mod screen_readers;

use std::fmt;
use std::time::Duration;

use egui::{Pos2, RawInput, Rect, TexturesDelta, Ui, ViewportId};
use winit::event::WindowEvent;
use winit::window::Window;

pub use screen_readers::{ScreenReaderEvent, ScreenReaders};

/// Runs the interface and draws it over the picture. Drop it before its window, whose display the clipboard uses.
pub struct Painter {
    ctx: egui::Context,
    input: egui_winit::State,
    held_keys: held_keys::HeldKeys,
    renderer: egui_wgpu::Renderer,
    /// Changes of textures that no frame has drawn yet. They wait here, not in the [`PaintJob`], because a frame whose
    /// surface is lost is never drawn, and the letters that it brought would be missing for good.
    textures: TexturesDelta,
    repaint_after: Duration,
    has_readers: bool,
}

/// What one frame of the interface looks like.
pub struct PaintJob {
    triangles: Vec<egui::ClippedPrimitive>,
    screen: egui_wgpu::ScreenDescriptor,
}

impl Painter {
    /// A painter for a window, and for targets of one format.
    pub fn new(
        window: &Window,
        device: &wgpu::Device,
        target_format: wgpu::TextureFormat,
        readers: ScreenReaders,
    ) -> Self {
        let ctx = egui::Context::default();
        super::theme::fonts::use_system_fonts(&ctx);
        let mut input = egui_winit::State::new(
            ctx.clone(),
            ViewportId::ROOT,
            window,
            Some(window.scale_factor() as f32),
            None,
            Some(device.limits().max_texture_dimension_2d as usize),
        );
        let has_readers = readers.attach(&ctx, &mut input);
        Self {
            ctx,
            input,
            held_keys: held_keys::HeldKeys::default(),
            has_readers,
            renderer: renderer(device, target_format),
            textures: TexturesDelta::default(),
            repaint_after: Duration::MAX,
        }
    }

    /// egui's own state, for the theme and the scale of the interface (`set_zoom_factor`).
    pub fn context(&self) -> &egui::Context {
        &self.ctx
    }

    /// Takes note of an event. The pointer over the picture is egui's too: it comes back as commands.
    pub fn on_window_event(
        &mut self,
        window: &Window,
        event: &WindowEvent,
    ) -> egui_winit::EventResponse {
        self.input.on_window_event(window, event)
    }

    /// Whether files are held over the window.
    pub fn has_files_over_it(&self) -> bool {
        !self.input.egui_input().hovered_files.is_empty()
    }

    /// The text on the clipboard.
    pub fn clipboard_text(&mut self) -> Option<String> {
        self.input.clipboard_text()
    }

    /// Runs the interface for one frame of a window of this size, so many seconds after any moment that stays the same.
    ///
    /// `contents` may be called twice, the second time without input, when something had to be measured first: gather
    /// its commands, don't replace them.
    pub fn run(
        &mut self,
        window: &Window,
        size_in_pixels: [u32; 2],
        scale_factor: f64,
        time_secs: f64,
        contents: impl FnMut(&mut Ui),
    ) -> PaintJob {
        let input = self.take_input(size_in_pixels, scale_factor, time_secs);
        let output = self.ctx.run_ui(input, contents);
        self.input
            .handle_platform_output(window, output.platform_output);
        self.textures.append(output.textures_delta);
        self.repaint_after = output
            .viewport_output
            .get(&ViewportId::ROOT)
            .map_or(Duration::MAX, |viewport| viewport.repaint_delay);
        PaintJob {
            triangles: self.ctx.tessellate(output.shapes, output.pixels_per_point),
            screen: egui_wgpu::ScreenDescriptor {
                size_in_pixels: size_in_pixels.map(|side| side.max(1)),
                pixels_per_point: output.pixels_per_point,
            },
        }
    }

    /// What `egui_winit::State::take_egui_input` does, except that it asks the window for its size: on X11, winit 0.30
    /// then asks the server and waits for the answer, in every frame.
    fn take_input(
        &mut self,
        size_in_pixels: [u32; 2],
        scale_factor: f64,
        time_secs: f64,
    ) -> RawInput {
        let native_pixels_per_point = scale_factor.max(0.1) as f32;
        let pixels_per_point = native_pixels_per_point * self.ctx.zoom_factor();
        let [width, height] = size_in_pixels.map(|side| side.max(1) as f32 / pixels_per_point);
        let input = self.input.egui_input_mut();
        input.time = Some(time_secs);
        input.screen_rect = Some(Rect::from_min_size(Pos2::ZERO, egui::vec2(width, height)));
        input.viewport_id = ViewportId::ROOT;
        let viewport = input.viewports.entry(ViewportId::ROOT).or_default();
        viewport.native_pixels_per_point = Some(native_pixels_per_point);
        let mut input = input.take();
        self.held_keys.follow(&mut input.events);
        input
    }

    /// Draws a frame of the interface over what `target` shows already.
    pub fn paint(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        job: &PaintJob,
    ) {
        paint(
            &mut self.renderer,
            &mut self.textures,
            device,
            queue,
            encoder,
            target,
            job,
        );
    }

    /// After how long the interface wants to be drawn again although nothing happens; `Duration::MAX` for never.
    pub fn repaint_after(&self) -> Duration {
        self.repaint_after
    }
}

impl Drop for Painter {
    fn drop(&mut self) {
        // egui panics about changes that were never applied; at the end that is as it should be.
        self.textures.clear();
    }
}

impl fmt::Debug for Painter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Painter")
            .field("repaint_after", &self.repaint_after)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for PaintJob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PaintJob")
            .field("parts", &self.triangles.len())
            .finish_non_exhaustive()
    }
}

fn renderer(device: &wgpu::Device, target_format: wgpu::TextureFormat) -> egui_wgpu::Renderer {
    let options = egui_wgpu::RendererOptions {
        msaa_samples: 1,
        depth_stencil_format: None,
        // The panels have flat colours, which noise would only blur.
        dithering: false,
        predictable_texture_filtering: false,
    };
    egui_wgpu::Renderer::new(device, target_format, options)
}

fn paint(
    renderer: &mut egui_wgpu::Renderer,
    textures: &mut TexturesDelta,
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    encoder: &mut wgpu::CommandEncoder,
    target: &wgpu::TextureView,
    job: &PaintJob,
) {
    for (id, changes) in textures.set.drain() {
        for change in &changes {
            renderer.update_texture(device, queue, id, change);
        }
    }
    // What it returns are the command buffers of paint callbacks, and we have none.
    renderer.update_buffers(device, queue, encoder, &job.triangles, &job.screen);
    let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("Painter::pass"),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view: target,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations {
                load: wgpu::LoadOp::Load,
                store: wgpu::StoreOp::Store,
            },
        })],
        ..Default::default()
    });
    renderer.render(&mut pass.forget_lifetime(), &job.triangles, &job.screen);
    // A texture that is freed in the frame that still draws it must live until here.
    for id in textures.free.drain() {
        renderer.free_texture(&id);
    }
}
