//! How fast a clip goes over the ground, as a number: what a game moves its character by.

use egui::{Align, Ui};

use crate::ui::{View, theme::colors_of, widgets};

/// Draws the ground speed of the motion that is shown, if it has one.
pub fn ground_speed_ui(ui: &mut Ui, view: &View<'_>) {
    let Some(speed) = view.timeline.ground_speed else {
        return;
    };
    ui.add_space(10.0);
    let words = speed.words();
    let weak = colors_of(ui).weak;
    let label = widgets::steady_label(ui, &words, (Align::Min, ""), weak);
    label.on_hover_ui(|ui| {
        ui.label(format!("{words} {}", speed.meaning()));
        ui.weak("Units of glTF are metres");
    });
}
