//! Those who use the interface without seeing it: what the system's screen readers ask for, and what they are told.
//!
//! As long as there is none, nothing is described and nothing is woken: the adapter waits for the system to say that one has
//! come.

use std::fmt;

use egui::accesskit::{
    ActionHandler, ActionRequest, ActivationHandler, DeactivationHandler, TreeUpdate,
};
use egui_winit::accesskit_winit::Adapter;
use winit::{event_loop::ActiveEventLoop, window::Window};

use super::Painter;

/// A window's tie to the system's screen readers. A window has one for as long as it lives.
#[derive(Default)]
pub struct ScreenReaders {
    adapter: Option<Adapter>,
    /// Whether there is anybody to tell.
    is_active: bool,
}

/// What a screen reader asks for.
#[derive(Debug)]
pub struct ScreenReaderEvent(Asked);

#[derive(Debug)]
enum Asked {
    /// All that there is: somebody has come.
    Everything,
    /// To do something.
    Act(ActionRequest),
    /// Nothing any more: the last one has gone.
    Nothing,
}

impl ScreenReaders {
    /// Those of a window that was not shown yet. What they ask for is handed to `tell`, on any thread.
    pub fn of_window(
        event_loop: &ActiveEventLoop,
        window: &Window,
        tell: impl Fn(ScreenReaderEvent) + Clone + Send + 'static,
    ) -> Self {
        let [activation, action, deactivation] = [(); 3].map(|()| Messenger(tell.clone()));
        let adapter =
            Adapter::with_direct_handlers(event_loop, window, activation, action, deactivation);
        Self {
            adapter: Some(adapter),
            is_active: false,
        }
    }

    /// Ties them to an interface. True if there are any.
    pub(super) fn attach(self, ctx: &egui::Context, input: &mut egui_winit::State) -> bool {
        input.accesskit = self.adapter;
        if self.is_active {
            ctx.enable_accesskit();
        }
        self.is_active
    }
}

impl fmt::Debug for ScreenReaders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScreenReaders")
            .field("is_active", &self.is_active)
            .finish_non_exhaustive()
    }
}

impl Painter {
    /// Does what a screen reader asks for; the window should be drawn again then.
    pub fn on_screen_reader_event(&mut self, event: ScreenReaderEvent) {
        match event.0 {
            Asked::Everything => {
                self.has_readers = true;
                self.ctx.enable_accesskit();
            }
            Asked::Act(request) => self.input.on_accesskit_action_request(request),
            Asked::Nothing => {
                self.has_readers = false;
                self.ctx.disable_accesskit();
            }
        }
    }

    /// Takes the screen readers along to another painter of the same window.
    pub fn take_screen_readers(&mut self) -> ScreenReaders {
        ScreenReaders {
            adapter: self.input.accesskit.take(),
            is_active: self.has_readers,
        }
    }
}

/// Hands on what the system asks for. The interface answers with its next frame.
struct Messenger<F>(F);

impl<F: Fn(ScreenReaderEvent)> ActivationHandler for Messenger<F> {
    fn request_initial_tree(&mut self) -> Option<TreeUpdate> {
        (self.0)(ScreenReaderEvent(Asked::Everything));
        None
    }
}

impl<F: Fn(ScreenReaderEvent)> ActionHandler for Messenger<F> {
    fn do_action(&mut self, request: ActionRequest) {
        (self.0)(ScreenReaderEvent(Asked::Act(request)));
    }
}

impl<F: Fn(ScreenReaderEvent)> DeactivationHandler for Messenger<F> {
    fn deactivate_accessibility(&mut self) {
        (self.0)(ScreenReaderEvent(Asked::Nothing));
    }
}
