//! Which modifier keys are held as files are dropped.

use super::stage::Stage;

/// Those that say what becomes of the files.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct HeldKeys {
    pub(super) shift: bool,
    /// Ctrl, or ⌘ on macOS.
    pub(super) command: bool,
}

impl Stage {
    /// What is held now.
    pub(super) fn held_keys(&self) -> HeldKeys {
        #[cfg(target_os = "linux")]
        if let Some(held) = x11::held_keys(&self.window) {
            return held;
        }
        let modifiers = self.painter.context().input(|input| input.modifiers);
        HeldKeys {
            shift: modifiers.shift,
            command: modifiers.command,
        }
    }
}

/// While files are dragged here, the program that they come from has the keyboard: X11 tells a window of keys only while it
/// has the keyboard itself.
#[cfg(target_os = "linux")]
mod x11 {
    use winit::{
        raw_window_handle::{HasDisplayHandle as _, RawDisplayHandle},
        window::Window,
    };
    use x11rb::{
        connection::Connection as _,
        protocol::xproto::{ConnectionExt as _, KeyButMask},
    };

    use super::HeldKeys;

    /// What the server says; none where there is none, or it does not answer.
    pub(super) fn held_keys(window: &Window) -> Option<HeldKeys> {
        let display = window.display_handle().ok()?.as_raw();
        let is_x11 = matches!(
            display,
            RawDisplayHandle::Xlib(_) | RawDisplayHandle::Xcb(_)
        );
        // A connection of its own, to the same server: that of the window is reached through pointers alone.
        is_x11.then(ask)?
    }

    fn ask() -> Option<HeldKeys> {
        let (connection, screen) = x11rb::connect(None)
            .inspect_err(|error| log::debug!("the X server is not asked for keys: {error}"))
            .ok()?;
        let root = connection.setup().roots.get(screen)?.root;
        let held = connection.query_pointer(root).ok()?.reply().ok()?.mask;
        Some(HeldKeys {
            shift: held.contains(KeyButMask::SHIFT),
            command: held.contains(KeyButMask::CONTROL),
        })
    }
}
