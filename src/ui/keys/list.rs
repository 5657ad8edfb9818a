//! The list of keys, from the same table that acts on them.

use egui::{Align, Color32, Id, Layout, Modal, RichText, ScrollArea, Ui, vec2};

use super::{Action, focus, written};
use crate::ui::{
    Command, Panel, keys,
    theme::colors_of,
    widgets::{self, IconButton, icons::Icon},
};

/// Least and greatest widths of a column of keys, and the gap between two.
const COLUMN_WIDTH: f32 = 330.0;
const MAX_COLUMN_WIDTH: f32 = 410.0;
const COLUMN_GAP: f32 = 36.0;
/// More are not read as columns any more.
const MAX_COLUMNS: usize = 3;

/// Draws the list in front of everything; a click outside closes it.
pub fn key_list_ui(ui: &Ui, commands: &mut Vec<Command>) {
    let window = ui.ctx().content_rect().size();
    let columns = (1..=MAX_COLUMNS).rev();
    let mut columns = columns.filter(|columns| width_of(*columns) + 80.0 <= window.x);
    let columns = columns.next().unwrap_or(1);
    let widest = width_of(columns) + columns as f32 * (MAX_COLUMN_WIDTH - COLUMN_WIDTH);
    // Beside it there is something left to click on.
    let least = width_of(columns).min(window.x - 60.0);
    let width = widest.min(window.x - 120.0).max(least);
    let size = vec2(width, window.y - 40.0).max(vec2(40.0, 20.0));
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
                .show(ui, |ui| {
                    list_ui(ui, columns);
                    focus::scroll_by_keys(ui);
                });
        });
    if modal.backdrop_response.clicked() {
        commands.push(Command::TogglePanel(Panel::Keys));
    }
}

fn heading_ui(ui: &mut Ui, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        ui.heading(RichText::new("Keys").color(colors_of(ui).strong));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let close = IconButton::new(Icon::Cross, "Close").keys(written(Action::Close, 0));
            if close.side(24.0).show(ui).clicked() {
                commands.push(Command::TogglePanel(Panel::Keys));
            }
        });
    });
}

/// Width of so many columns.
fn width_of(columns: usize) -> f32 {
    columns as f32 * (COLUMN_WIDTH + COLUMN_GAP) - COLUMN_GAP
}

fn list_ui(ui: &mut Ui, count: usize) {
    let gap = std::mem::replace(&mut ui.spacing_mut().item_spacing.x, COLUMN_GAP);
    ui.columns(count, |columns| {
        let mut rest = keys::TABLE;
        for (place, column) in columns.iter_mut().enumerate() {
            column.spacing_mut().item_spacing.x = gap;
            let (groups, others) = rest.split_at(fill(rest, count - place));
            groups_ui(column, groups);
            rest = others;
        }
        if let Some(last) = columns.last_mut() {
            words_ui(last, "Pointer", &POINTER);
            words_ui(last, "Keyboard focus", &FOCUS);
        }
    });
}

/// How many of the groups the next of so many columns holds, so that all are about as long.
fn fill(groups: &[(&str, &[keys::Binding])], columns: usize) -> usize {
    if columns <= 1 {
        return groups.len();
    }
    // The heading counts as a line and a half.
    let length = |lines: usize| lines as f32 + 1.5;
    let lengths = groups.iter().map(|(_, lines)| length(lines.len()));
    let all = lengths.clone().sum::<f32>() + length(POINTER.len()) + length(FOCUS.len());
    let wanted = all / columns as f32;
    let (mut filled, mut count) = (0.0, 0);
    for length in lengths {
        if count > 0 && filled + 0.5 * length > wanted {
            break;
        }
        filled += length;
        count += 1;
    }
    count
}

fn caption_ui(ui: &mut Ui, words: &str) {
    ui.add_space(8.0);
    ui.label(RichText::new(words).color(colors_of(ui).accent).small());
}

fn groups_ui(ui: &mut Ui, groups: &[(&str, &[keys::Binding])]) {
    for (name, bindings) in groups {
        caption_ui(ui, name);
        for binding in *bindings {
            line_ui(ui, binding.description, |ui| caps_ui(ui, binding));
        }
    }
}

/// What something does, and at the end of the line how; `how` draws from right to left. What has no room is left out, and
/// shown under the pointer.
fn line_ui(ui: &mut Ui, what: &str, how: impl FnOnce(&mut Ui)) {
    ui.spacing_mut().item_spacing.y = 2.0;
    let size = vec2(ui.available_width(), 22.0);
    ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = 3.0;
        how(ui);
        ui.add_space(6.0);
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            ui.add(egui::Label::new(what).truncate());
        });
    });
}

/// Right to left.
fn caps_ui(ui: &mut Ui, binding: &keys::Binding) {
    let listed = &binding.keys[..binding.listed];
    let is_range = listed.len() > 4;
    let first = listed.first().map(keys::Shortcut::written);
    let first = first.unwrap_or_default();
    let shared = first
        .split_last()
        .map_or(&[][..], |(_, modifiers)| modifiers);
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
        let is_shared = caps.len() == shared.len() + 1 && caps.starts_with(shared);
        let skipped = if place > 0 && is_shared {
            shared.len()
        } else {
            0
        };
        for cap in caps[skipped..].iter().rev() {
            widgets::key_cap(ui, cap);
        }
        if place > 0 && !is_shared {
            ui.weak("/");
        }
    }
}

/// What the pointer does.
const POINTER: [(&str, &str); 7] = [
    ("Select a joint or a mesh", "click it"),
    ("Mix a clip with the one that plays", MIX_CLICK),
    ("Zoom the time axis", ZOOM_WHEEL),
    ("Orbit", "drag"),
    ("Pan", "Shift + drag, right or middle drag"),
    ("Zoom", "wheel, pinch"),
    ("Frame the model", "double click"),
];

/// What keys do with the control that has the focus.
const FOCUS: [(&str, &str); 5] = [
    ("Next or previous control", "Tab, Shift + Tab"),
    ("Press it", "Enter, Space"),
    ("Control beside it", "arrows"),
    ("Fold or unfold a row of the tree", "Left, Right"),
    ("Scroll the inspector", "Page Up, Page Down"),
];

const MIX_CLICK: &str = if cfg!(target_os = "macos") {
    "Cmd + click its row"
} else {
    "Ctrl + click its row"
};
const ZOOM_WHEEL: &str = if cfg!(target_os = "macos") {
    "Cmd + wheel over it"
} else {
    "Ctrl + wheel over it"
};

/// What is done otherwise than by one key.
fn words_ui(ui: &mut Ui, caption: &str, lines: &[(&str, &str)]) {
    caption_ui(ui, caption);
    for (what, how) in lines {
        line_ui(ui, what, |ui| {
            ui.weak(*how);
        });
    }
}
