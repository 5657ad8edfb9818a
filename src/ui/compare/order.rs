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

    /// The places of rows in this order. Those without figures come last; what is no number comes first.
    pub(super) fn places<R>(
        self,
        rows: &[R],
        figures: impl Fn(&R) -> Option<[f32; 2]>,
    ) -> Vec<usize> {
        let mut places: Vec<_> = (0..rows.len()).collect();
        let column = match self {
            Self::Both => return places,
            Self::Turned => 0,
            Self::Away => 1,
        };
        let key = |place: &usize| figures(&rows[*place]).map_or(-1.0, |both| both[column].abs());
        places.sort_by(|a, b| key(b).total_cmp(&key(a)));
        places
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greatest_figure_is_first_and_rows_without_are_last() {
        let rows = [
            None,
            Some([1.0, 9.0]),
            Some([5.0, 0.0]),
            Some([3.0, f32::NAN]),
        ];
        let places = |order: Order| order.places(&rows, |row| *row);
        assert_eq!(places(Order::Both), [0, 1, 2, 3], "as they are given");
        assert_eq!(places(Order::Turned), [2, 3, 1, 0]);
        assert_eq!(places(Order::Away), [3, 1, 2, 0]);
    }
}
