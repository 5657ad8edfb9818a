//! By which figure joints and clips are listed, and the heads of the columns, where that is chosen.

use egui::{Button, Layout, Rect, RichText, Ui, vec2};

use super::differences::Places;
use crate::ui::{
    theme::colors_of,
    widgets::icons::{self, Icon},
};

/// What comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Order {
    /// What is worst by both figures together, as the rows are given.
    #[default]
    Both,
    /// What is turned most.
    Turned,
    /// What is farthest away.
    Away,
}

impl Order {
    /// The one that the user has chosen.
    pub(super) fn chosen(ui: &Ui) -> Self {
        let id = egui::Id::unique(ID);
        ui.data(|data| data.get_temp(id)).unwrap_or_default()
    }

    fn words(self) -> &'static str {
        match self {
            Self::Both => "by both figures together",
            Self::Turned => "by turns alone",
            Self::Away => "by distances alone",
        }
    }

    /// Which row stands at a place of the list, where these are the places of rows by each figure.
    pub(super) fn row_at(self, by_figure: [&[usize]; 2], place: usize) -> Option<usize> {
        let places = match self {
            Self::Both => return Some(place),
            Self::Turned => by_figure[0],
            Self::Away => by_figure[1],
        };
        places.get(place).copied()
    }
}

const ID: &str = "rigscope_difference_order";

/// Draws the heads of both columns: a sign beside those that rows are sorted by. A click chooses one, or again both.
pub(super) fn heads_ui(ui: &mut Ui, head: Rect) {
    const PADDING: f32 = 3.0;
    let colors = colors_of(ui);
    let chosen = Order::chosen(ui);
    let places = Places::of(head.width());
    for (order, x, word) in [
        (Order::Turned, places.degrees, "turned"),
        (Order::Away, places.units, "away"),
    ] {
        let right = head.left() + x;
        let room = Rect::from_x_y_ranges(right - 50.0..=right + PADDING, head.y_range());
        let layout = Layout::right_to_left(egui::Align::Center);
        let builder = egui::UiBuilder::new().max_rect(room).layout(layout);
        let is_sorted_by = chosen == Order::Both || chosen == order;
        let response = ui.scope_builder(builder, |ui| {
            ui.spacing_mut().button_padding = vec2(PADDING, 0.0);
            ui.spacing_mut().interact_size.y = head.height();
            let words = RichText::new(word).size(11.5).color(colors.weak);
            ui.add(Button::new(words).frame_when_inactive(false))
        });
        if is_sorted_by {
            let center = egui::pos2(right + PADDING + 3.0, head.center().y + 0.5);
            icons::paint_sized(ui.painter(), center, 9.0, Icon::ChevronDown, colors.weak);
        }
        let next = if chosen == order { Order::Both } else { order };
        let [now, then] = [chosen, next].map(Order::words);
        let words = format!("Listed {now}: the worst first. Click: {then}");
        if response.inner.on_hover_text(words).clicked() {
            ui.data_mut(|data| data.insert_temp(egui::Id::unique(ID), next));
        }
    }
}
