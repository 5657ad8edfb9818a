//! Files that are dropped, and the modifier keys that are held meanwhile: they say what becomes of the files.

use std::path::PathBuf;

use super::stage::Stage;
use crate::ui::LoadKind;

/// Files that were dropped since the last turn of the event loop: the system names them one by one.
#[derive(Debug, Default)]
pub(super) struct Dropped {
    files: Vec<PathBuf>,
    /// What was held as the first of them was.
    held: HeldKeys,
}

impl Dropped {
    pub(super) fn push(&mut self, file: PathBuf, stage: &Stage) {
        if self.files.is_empty() {
            self.held = stage.held_keys();
        }
        self.files.push(file);
    }

    /// All of them, and what they are to be read for.
    pub(super) fn take(&mut self) -> Option<(Vec<PathBuf>, LoadKind)> {
        let files = std::mem::take(&mut self.files);
        (!files.is_empty()).then(|| (files, self.held.kind()))
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct HeldKeys {
    shift: bool,
    /// Ctrl, or ⌘ on macOS.
    command: bool,
}

impl HeldKeys {
    fn kind(self) -> LoadKind {
        if self.command {
            LoadKind::Compared
        } else if self.shift {
            LoadKind::Clips
        } else {
            LoadKind::Model
        }
    }
}

impl Stage {
    /// For what the files are read that are held over the window, if they are dropped now.
    pub(in crate::app) fn drop_kind(&self) -> LoadKind {
        // Without any nobody reads it, and to ask has a price.
        if self.painter.has_files_over_it() {
            self.held_keys().kind()
        } else {
            LoadKind::Model
        }
    }

    /// What is held now.
    fn held_keys(&self) -> HeldKeys {
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
