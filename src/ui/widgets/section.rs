//! Parts of panels that fold.

use std::collections::BTreeSet;

use egui::{Align2, FontId, Role, Sense, Ui, WidgetInfo, vec2};

use super::icons::{self, Icon};
use crate::ui::{keys::focus, theme::colors_of};

/// Titles of the parts that are folded.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Folds(pub BTreeSet<String>);

/// The heading of a part of a panel, with a figure at its end; a click opens or closes the part.
pub fn section<R>(
    ui: &mut Ui,
    folds: &mut Folds,
    (title, figure): (&str, &str),
    contents: impl FnOnce(&mut Ui) -> R,
) -> Option<R> {
    let mut is_open = !folds.0.contains(title);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 26.0), Sense::click());
    if response.clicked() {
        if is_open {
            folds.0.insert(title.to_owned());
        } else {
            folds.0.remove(title);
        }
        is_open = !is_open;
    }
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, title));
    ui.ctx()
        .accesskit_node_builder(response.id, |builder| builder.set_expanded(is_open));
    focus::outline(ui, &response, rect);
    focus::follow(ui, &response, rect);
    let colors = colors_of(ui);
    let color = if response.hovered() || response.has_focus() {
        colors.strong
    } else {
        colors.text
    };
    let painter = ui.painter();
    let chevron = if is_open {
        Icon::ChevronDown
    } else {
        Icon::ChevronRight
    };
    icons::paint_sized(
        painter,
        egui::pos2(rect.left() + 6.0, rect.center().y),
        12.0,
        chevron,
        colors.weak,
    );
    painter.text(
        egui::pos2(rect.left() + 18.0, rect.center().y),
        Align2::LEFT_CENTER,
        title,
        FontId::proportional(13.5),
        color,
    );
    painter.text(
        rect.right_center(),
        Align2::RIGHT_CENTER,
        figure,
        FontId::proportional(12.0),
        colors.weak,
    );
    is_open.then(|| contents(ui))
}
