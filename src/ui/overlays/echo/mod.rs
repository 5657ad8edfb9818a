//! Says for a moment what a key or a line of the palette has done where that is not seen at once, or why it did nothing.

mod model;
mod words;

use egui::{Rect, Ui};

use crate::ui::{
    View, keys::Action, menus, overlays, palette::keyless::Keyless, panels::Arrangement, sheet,
    viewport::flight,
};

/// For how long it stays.
const SECS: f64 = 1.8;
/// How long it takes to vanish at the end of that.
const VANISHING_SECS: f64 = 0.3;

/// A line of the table of keys that was chosen, or one of the palette that has no key.
#[derive(Debug, Clone, Copy)]
pub enum Pressed {
    /// One with a key.
    Line(Line),
    /// One without.
    Keyless(&'static Keyless),
    /// Something that puts text on the clipboard, which shows nothing.
    Copied,
    /// Something of which this is said.
    Words(&'static str),
}

/// Why a line of the table of keys does nothing now, for one that does nothing; empty where there is nothing to say.
pub fn why_not(action: Action, which: usize, view: &View<'_>) -> String {
    words::why_not(action, which, view).unwrap_or_default()
}

/// Whether something was put on the clipboard in this frame.
pub fn copied(ctx: &egui::Context) -> Option<Pressed> {
    let is_copied = ctx.output(|output| {
        let mut commands = output.commands.iter();
        commands.any(|command| matches!(command, egui::OutputCommand::CopyText(_)))
    });
    is_copied.then_some(Pressed::Copied)
}

/// A line of the table of keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    /// What it does.
    pub action: Action,
    /// Which of its keys it was.
    pub which: usize,
    /// Whether there was something to do.
    pub is_done: bool,
}

/// What is said.
#[derive(Debug, Default)]
pub struct EchoState {
    /// And since when, once it has been seen: frames may be long.
    said: Option<(Pressed, Option<f64>)>,
}

impl EchoState {
    /// Takes note of what was chosen last: it is said from the next frame on, whose view holds what came of it.
    pub fn take_note(&mut self, ui: &Ui, pressed: Option<Pressed>) {
        if let Some(pressed) = pressed {
            self.said = Some((pressed, None));
            ui.request_repaint();
        }
    }
}

/// What the window has room for, and how large everything is in it.
#[derive(Debug, Clone, Copy)]
pub struct WindowRoom {
    /// Which panels are drawn.
    pub panels: Arrangement,
    /// Whether it is high enough for the sheet.
    pub has_sheet: bool,
    /// Whether the menu of views says which one it is.
    pub names_view: bool,
    /// The scale of the interface.
    pub scale: f32,
}

/// Draws what is said, in place of the hints of tools. True if there was something.
pub fn echo_ui(
    ui: &Ui,
    state: &mut EchoState,
    view: &View<'_>,
    viewport: Rect,
    panels: &Arrangement,
) -> bool {
    let Some((pressed, since)) = &mut state.said else {
        return false;
    };
    let (pressed, now) = (*pressed, ui.input(|input| input.time));
    let left = SECS - (now - *since.get_or_insert(now));
    if left <= 0.0 {
        state.said = None;
        return false;
    }
    let is_small = viewport.width() < 200.0 || viewport.height() < 100.0;
    let place = WindowRoom {
        panels: *panels,
        has_sheet: sheet::has_room(ui),
        names_view: viewport.width() >= menus::view::MIN_LABEL_WIDTH,
        scale: ui.ctx().zoom_factor(),
    };
    let words = match pressed {
        Pressed::Line(line) => words::of_line(line, view, &place),
        Pressed::Keyless(line) => (line.said)(view),
        Pressed::Copied => Some("Copied".to_owned()),
        Pressed::Words(words) => Some(words.to_owned()),
    };
    let words = words.filter(|_| !is_small && !flight::is_on(ui.ctx(), view));
    let Some(words) = words else {
        return false;
    };
    let strength = ((left / VANISHING_SECS) as f32).clamp(0.0, 1.0);
    overlays::hint_ui(ui, viewport, &words, strength);
    let next = if strength < 1.0 {
        0.02
    } else {
        left - VANISHING_SECS
    };
    ui.request_repaint_after(std::time::Duration::from_secs_f64(next.max(0.02)));
    true
}
