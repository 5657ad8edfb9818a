//! The list of keys, from the same table that acts on them.

use egui::{Align, Color32, Id, Layout, Modal, RichText, ScrollArea, Ui, vec2};

use super::icons::Icon;
use super::keys::{self, Action, written};
use super::theme::palette;
use super::widgets::{self, IconButton};
use super::{Command, Panel};

/// Width of a column of keys, and the gap between two.
const COLUMN_WIDTH: f32 = 330.0;
const COLUMN_GAP: f32 = 36.0;

/// Draws the list in front of everything; a click outside closes it.
pub fn key_list_ui(ui: &Ui, commands: &mut Vec<Command>) {
    let window = ui.ctx().content_rect().size();
    let has_two_columns = window.x >= 2.0 * COLUMN_WIDTH + COLUMN_GAP + 80.0;
    let wanted = if has_two_columns {
        2.0 * COLUMN_WIDTH + COLUMN_GAP
    } else {
        COLUMN_WIDTH
    };
    let size = vec2(wanted.min(window.x - 60.0), window.y - 40.0).max(vec2(40.0, 20.0));
    let id = Id::unique("rigscope_keys");
    let shade = if ui.visuals().dark_mode { 130 } else { 80 };
    let frame = egui::Frame::popup(ui.style()).inner_margin(18);
    let modal = Modal::new(id)
        .area(Modal::default_area(id).default_size(size))
        .frame(frame)
        .backdrop_color(Color32::from_black_alpha(shade))
        .show(ui.ctx(), |ui| {
            ui.set_width(size.x);
            ui.set_max_height((size.y - 36.0).max(20.0));
            heading_ui(ui, commands);
            ui.add_space(2.0);
            ScrollArea::vertical()
                .max_height((size.y - 90.0).max(20.0))
                .auto_shrink([false, true])
                .show(ui, |ui| list_ui(ui, has_two_columns));
        });
    if modal.backdrop_response.clicked() {
        commands.push(Command::TogglePanel(Panel::Keys));
    }
}

fn heading_ui(ui: &mut Ui, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        ui.heading(RichText::new("Keys").color(palette(ui).strong));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let close = IconButton::new(Icon::Cross, "Close").keys(written(Action::Close, 0));
            if close.side(24.0).show(ui).clicked() {
                commands.push(Command::TogglePanel(Panel::Keys));
            }
        });
    });
}

fn list_ui(ui: &mut Ui, has_two_columns: bool) {
    if !has_two_columns {
        groups_ui(ui, keys::TABLE);
        pointer_ui(ui);
        return;
    }
    let gap = std::mem::replace(&mut ui.spacing_mut().item_spacing.x, COLUMN_GAP);
    ui.columns(2, |columns| {
        for column in columns.iter_mut() {
            column.spacing_mut().item_spacing.x = gap;
        }
        groups_ui(&mut columns[0], &keys::TABLE[..3]);
        groups_ui(&mut columns[1], &keys::TABLE[3..]);
        pointer_ui(&mut columns[1]);
    });
}

fn caption_ui(ui: &mut Ui, words: &str) {
    ui.add_space(8.0);
    ui.label(RichText::new(words).color(palette(ui).accent).small());
}

fn groups_ui(ui: &mut Ui, groups: &[(&str, &[keys::Binding])]) {
    for (name, bindings) in groups {
        caption_ui(ui, name);
        for binding in *bindings {
            line_ui(ui, binding.description, |ui| caps_ui(ui, binding));
        }
    }
}

/// What something does, and at the end of the line how; `how` draws from right to left.
fn line_ui(ui: &mut Ui, what: &str, how: impl FnOnce(&mut Ui)) {
    ui.spacing_mut().item_spacing.y = 2.0;
    ui.horizontal(|ui| {
        ui.set_min_height(22.0);
        ui.label(what);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 3.0;
            how(ui);
        });
    });
}

/// Right to left.
fn caps_ui(ui: &mut Ui, binding: &keys::Binding) {
    let listed = &binding.keys[..binding.listed];
    let is_range = listed.len() > 4;
    for (place, shortcut) in listed.iter().enumerate().rev() {
        let is_inside = is_range && place > 0 && place + 1 < listed.len();
        if is_inside {
            if place == 1 {
                ui.weak("…");
            }
            continue;
        }
        let caps = shortcut.written();
        // Modifiers that several keys share are written once.
        let skipped = if place > 0 { caps.len() - 1 } else { 0 };
        for cap in caps[skipped..].iter().rev() {
            widgets::key_cap(ui, cap);
        }
    }
}

fn pointer_ui(ui: &mut Ui) {
    caption_ui(ui, "Pointer");
    for (what, how) in [
        ("Turn", "drag"),
        ("Move sideways", "Shift + drag, right or middle drag"),
        ("Nearer or farther", "wheel, pinch"),
        ("Fill the view with the model", "double click"),
        ("Next control; press it", "Tab; Enter"),
    ] {
        line_ui(ui, what, |ui| {
            ui.weak(how);
        });
    }
}
