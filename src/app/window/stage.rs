//! What a window needs to be drawn on: device, surface, renderer, painter.

use std::{sync::Arc, time::Instant};

use anyhow::Context as _;
use winit::{
    dpi::{LogicalSize, PhysicalSize},
    event::WindowEvent,
    event_loop::{ActiveEventLoop, EventLoopProxy, OwnedDisplayHandle},
    window::Window,
};

use super::UserEvent;
use crate::{
    app::settings::Settings,
    render::{Gpu, GpuKind, Renderer, SceneTarget, WindowSurface},
    ui::{Painter, PanelLayout, ScreenReaders},
};

/// A window and everything that draws on it.
///
/// Fields are dropped in this order, and the window must go last: surface and clipboard use its connection
/// (egui #7369, wgpu #5781).
pub(in crate::app) struct Stage {
    pub(in crate::app) painter: Painter,
    pub(in crate::app) renderer: Renderer,
    pub(in crate::app) target: SceneTarget,
    pub(in crate::app) surface: WindowSurface,
    pub(in crate::app) gpu: Gpu,
    /// Which model the renderer has.
    pub(in crate::app) uploaded: Option<u64>,
    /// Which model it has for the second of two subjects.
    pub(in crate::app) uploaded_second_file: Option<u64>,
    /// Which environment it has.
    pub(in crate::app) environment: u64,
    /// Where the parts of the interface were last.
    pub(in crate::app) layout: Option<PanelLayout>,
    /// Since when the painter's time runs.
    pub(in crate::app) started: Instant,
    /// Whether a frame was shown.
    pub(in crate::app) is_ready: bool,
    /// Kept from the window's events: on X11 winit 0.30 asks the server, and waits, whenever it is asked for the size.
    pub(in crate::app) size: [u32; 2],
    pub(in crate::app) scale_factor: f64,
    is_hidden: bool,
    is_surface_lost: bool,
    display: OwnedDisplayHandle,
    pub(in crate::app) window: Arc<Window>,
}

/// What title bars and the system's own bars may take of a screen's height, in points.
const BARS_HEIGHT: f64 = 96.0;

/// The size of the screen that windows open on, in points, where the system says it.
fn screen_size(event_loop: &ActiveEventLoop) -> Option<[f64; 2]> {
    let first = || event_loop.available_monitors().next();
    let screen = event_loop.primary_monitor().or_else(first)?;
    let size = screen.size().to_logical::<f64>(screen.scale_factor());
    (size.width > 0.0 && size.height > 0.0).then_some([size.width, size.height])
}

/// As much of a window's size as a screen has room for.
fn fitting([width, height]: [f64; 2], screen: Option<[f64; 2]>) -> [f64; 2] {
    let Some([screen_width, screen_height]) = screen else {
        return [width, height];
    };
    [
        width.min(screen_width),
        height.min((screen_height - BARS_HEIGHT).max(0.5 * screen_height)),
    ]
}

impl Stage {
    /// Opens a window.
    pub(super) fn open(
        event_loop: &ActiveEventLoop,
        settings: &Settings,
        proxy: EventLoopProxy<UserEvent>,
    ) -> anyhow::Result<Self> {
        let [width, height] = fitting(settings.window_size(), screen_size(event_loop));
        let attributes = Window::default_attributes()
            .with_title("rigscope")
            .with_inner_size(LogicalSize::new(width, height))
            .with_min_inner_size(PhysicalSize::new(1, 1))
            // Screen readers must be told of a window before it is shown.
            .with_visible(false);
        let window = event_loop
            .create_window(attributes)
            .context("no window can be opened")?;
        let readers = ScreenReaders::of_window(event_loop, &window, move |event| {
            // Without an event loop nobody reads any more.
            let _ = proxy.send_event(UserEvent::ScreenReader(event));
        });
        window.set_visible(true);
        if settings.window_is_maximized() {
            // Window managers of X11 do not listen to windows that are not shown.
            window.set_maximized(true);
        }
        let display = event_loop.owned_display_handle();
        let this = Self::new(display, Arc::new(window), readers, GpuKind::Hardware)?;
        this.painter.context().set_zoom_factor(settings.ui_scale());
        Ok(this)
    }

    /// This window with everything else made anew, after its device was lost.
    pub(super) fn rebuild(mut self, preferred: GpuKind) -> anyhow::Result<Self> {
        let (display, window) = (self.display.clone(), Arc::clone(&self.window));
        let zoom = self.painter.context().zoom_factor();
        let readers = self.painter.take_screen_readers();
        // The interface goes by moments that it has seen.
        let started = self.started;
        drop(self);
        let this = Self::new(display, window, readers, preferred)?;
        this.painter.context().set_zoom_factor(zoom);
        Ok(Self { started, ..this })
    }

    fn new(
        display: OwnedDisplayHandle,
        window: Arc<Window>,
        readers: ScreenReaders,
        preferred: GpuKind,
    ) -> anyhow::Result<Self> {
        let size = window.inner_size().into();
        let (gpu, surface) = Gpu::with_surface(
            || Box::new(display.clone()),
            || wgpu::SurfaceTarget::from(Arc::clone(&window)),
            preferred,
        )?;
        let surface = WindowSurface::new(&gpu, surface, size)?;
        Ok(Self {
            painter: Painter::new(&window, &gpu.device, surface.format(), readers),
            renderer: Renderer::new(&gpu, surface.format()),
            target: SceneTarget::new(&gpu, size),
            surface,
            gpu,
            uploaded: None,
            uploaded_second_file: None,
            environment: 0,
            layout: None,
            started: Instant::now(),
            is_ready: false,
            size,
            scale_factor: window.scale_factor(),
            is_hidden: false,
            is_surface_lost: false,
            display,
            window,
        })
    }

    pub(in crate::app) fn request_redraw(&self) {
        self.window.request_redraw();
    }

    pub(in crate::app) fn set_title(&self, name: &str) {
        self.window.set_title(&format!("{name} - rigscope"));
    }

    /// Whether device or surface have gone.
    pub(in crate::app) fn is_lost(&self) -> bool {
        self.is_surface_lost || self.gpu.is_lost()
    }

    /// Takes note that the surface has gone; the next frame makes everything anew.
    pub(in crate::app) fn mark_lost(&mut self) {
        self.is_surface_lost = true;
        self.request_redraw();
    }

    /// Pixels of the surface for a point of the interface.
    pub(in crate::app) fn pixels_per_point(&self) -> f32 {
        self.scale_factor as f32 * self.painter.context().zoom_factor()
    }

    /// Whether there is nothing to draw on: minimised, or covered.
    pub(in crate::app) fn is_hidden(&self) -> bool {
        self.is_hidden || self.size.contains(&0)
    }

    /// Makes the interface larger or smaller by steps of 10 %, or 100 % with 0.
    pub(super) fn scale_ui(&self, steps: i32) {
        let context = self.painter.context();
        let zoom = if steps == 0 {
            1.0
        } else {
            (context.zoom_factor() + 0.1 * steps as f32).clamp(0.5, 4.0)
        };
        context.set_zoom_factor(zoom);
        self.request_redraw();
    }

    pub(super) fn clipboard_text(&mut self) -> Option<String> {
        self.painter.clipboard_text()
    }

    /// Takes note of an event. True if the window should be drawn again.
    pub(super) fn on_window_event(&mut self, event: &WindowEvent) -> bool {
        let response = self.painter.on_window_event(&self.window, event);
        match event {
            WindowEvent::Resized(size) => {
                self.size = (*size).into();
                self.surface.resize(&self.gpu, self.size);
                true
            }
            WindowEvent::ScaleFactorChanged { scale_factor, .. } => {
                self.scale_factor = *scale_factor;
                true
            }
            WindowEvent::Occluded(is_hidden) => {
                self.is_hidden = *is_hidden;
                !is_hidden
            }
            WindowEvent::RedrawRequested => false,
            _ => response.repaint,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_is_no_larger_than_the_screen() {
        let wanted = [1280.0, 800.0];
        assert_eq!(fitting(wanted, None), wanted);
        assert_eq!(fitting(wanted, Some([1920.0, 1080.0])), wanted);
        assert_eq!(fitting(wanted, Some([1366.0, 768.0])), [1280.0, 672.0]);
        assert_eq!(fitting(wanted, Some([640.0, 160.0])), [640.0, 80.0]);
    }
}
