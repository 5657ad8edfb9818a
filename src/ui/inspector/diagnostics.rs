//! What is wrong with the file.

use egui::{RichText, Sense, Ui, vec2};

use crate::ui::icons::{self, Icon};
use crate::ui::theme::{Palette, palette};
use crate::ui::{DiagnosticRow, MessageKind, text};

/// Diagnostics that are listed; `rigscope check` prints all.
const MAX_LISTED: usize = 200;

/// Draws the list.
pub fn diagnostics_ui(ui: &mut Ui, rows: &[DiagnosticRow]) {
    let colours = palette(ui);
    if rows.is_empty() {
        ui.horizontal(|ui| {
            let (rect, _) = ui.allocate_exact_size(vec2(16.0, 18.0), Sense::hover());
            icons::paint_sized(
                ui.painter(),
                rect.center(),
                14.0,
                Icon::Check,
                colours.accent,
            );
            ui.weak("Nothing to complain about");
        });
        return;
    }
    ui.horizontal(|ui| {
        for kind in [MessageKind::Error, MessageKind::Warning, MessageKind::Info] {
            let count = rows.iter().filter(|row| row.severity == kind).count();
            if count > 0 {
                let (icon, colour) = severity(kind, colours);
                let (rect, _) = ui.allocate_exact_size(vec2(14.0, 18.0), Sense::hover());
                icons::paint_sized(ui.painter(), rect.center(), 13.0, icon, colour);
                let one = if count == 1 { "" } else { "s" };
                let words = match kind {
                    MessageKind::Error => format!("{count} error{one}"),
                    MessageKind::Warning => format!("{count} warning{one}"),
                    MessageKind::Info => format!("{count} note{one}"),
                };
                ui.label(RichText::new(words).color(colours.text).small());
                ui.add_space(4.0);
            }
        }
    });
    for row in rows.iter().take(MAX_LISTED) {
        diagnostic_ui(ui, row);
    }
    if rows.len() > MAX_LISTED {
        ui.weak(format!(
            "… and {} more",
            text::thousands((rows.len() - MAX_LISTED) as u64)
        ));
    }
}

fn diagnostic_ui(ui: &mut Ui, row: &DiagnosticRow) {
    let colours = palette(ui);
    let (icon, colour) = severity(row.severity, colours);
    ui.add_space(2.0);
    ui.horizontal_top(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(14.0, 18.0), Sense::hover());
        icons::paint_sized(ui.painter(), rect.center(), 13.0, icon, colour);
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing.y = 1.0;
            selectable(
                ui,
                RichText::new(text::clean(&row.message, 400)).color(colours.text),
            );
            if !row.action.is_empty() {
                selectable(
                    ui,
                    RichText::new(text::clean(&row.action, 400)).color(colours.weak),
                );
            }
            let place = format!(
                "{}  {}",
                text::clean(&row.code, 60),
                text::clean(&row.pointer, 120)
            );
            selectable(
                ui,
                RichText::new(place)
                    .color(colours.weak)
                    .monospace()
                    .size(10.5),
            );
        });
    });
}

fn selectable(ui: &mut Ui, words: RichText) {
    ui.add(egui::Label::new(words).selectable(true).wrap());
}

/// Icon and colour of a severity.
pub fn severity(kind: MessageKind, colours: &Palette) -> (Icon, egui::Color32) {
    match kind {
        MessageKind::Error => (Icon::Error, colours.error),
        MessageKind::Warning => (Icon::Warning, colours.warning),
        MessageKind::Info => (Icon::Info, colours.info),
    }
}
