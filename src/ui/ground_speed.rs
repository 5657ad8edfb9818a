//! How fast a clip goes over the ground, as a number: what a game moves its character by.

use egui::{Align, Ui};

use super::camera_menu::figure;
use super::theme::colors_of;
use super::{View, widgets};

/// How fast a clip goes over the ground.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GroundSpeed {
    /// The clip's index.
    pub clip: usize,
    /// The mean of a loop.
    pub units_per_sec: f32,
    /// Whether it stays on the spot, and its feet push the ground away.
    pub on_the_spot: bool,
    /// The least and the most that its feet say, if those of both sides do not say the same.
    pub of_sides: Option<[f32; 2]>,
}

impl GroundSpeed {
    /// The number.
    pub fn words(self) -> String {
        match self.of_sides {
            Some([least, most]) => format!("{} to {} units/s", figure(least), figure(most)),
            None => format!("{} units/s", figure(self.units_per_sec)),
        }
    }

    /// What the number is.
    pub fn meaning(self) -> &'static str {
        if self.of_sides.is_some() {
            "over the ground, by its feet, of which one slides: left and right do not go alike"
        } else if self.on_the_spot {
            "over the ground, by its feet: the clip itself stays on the spot"
        } else {
            "over the ground: so fast the clip takes its root along"
        }
    }
}

/// Draws that of the motion that is shown, if it has one.
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
