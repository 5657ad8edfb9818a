//! What a file notes on objects, as it is written there.

use egui::{RichText, ScrollArea, Ui};

use crate::ui::{
    NoteText,
    theme::colors_of,
    widgets::{IconButton, icons::Icon},
};

/// Height of a note before it scrolls.
const MAX_HEIGHT: f32 = 180.0;

/// Draws the notes.
pub fn notes_ui(ui: &mut Ui, notes: &[NoteText]) {
    for (place, note) in notes.iter().enumerate() {
        let colors = colors_of(ui);
        ui.horizontal(|ui| {
            ui.label(RichText::new(&note.title).color(colors.weak).small());
            let label = format!("Copy: {}", note.title);
            if IconButton::new(Icon::Copy, &label)
                .side(20.0)
                .show(ui)
                .clicked()
            {
                ui.copy_text(note.text.clone());
            }
        });
        egui::Frame::NONE
            .fill(colors.sunken)
            .corner_radius(4)
            .inner_margin(6)
            .show(ui, |ui| {
                ScrollArea::both()
                    .id_salt(("note", place))
                    .max_height(MAX_HEIGHT)
                    .auto_shrink([false, true])
                    .show(ui, |ui| {
                        let words = RichText::new(note.text.trim_end())
                            .monospace()
                            .size(11.0)
                            .color(colors.text);
                        ui.add(egui::Label::new(words).selectable(true).extend());
                    });
            });
        ui.add_space(4.0);
    }
}
