//! How far each clip of A lies from that of another file: the worst first, each leads to where it is worst.

use egui::{Align2, FontId, Rect, Role, ScrollArea, Sense, Ui, WidgetInfo, pos2, vec2};

use super::{
    differences::{LINE, Places},
    order::Order,
};
use crate::ui::{
    ClipDifferenceRow, ClipListView, Command, TimelineCommand, View, keys::focus, text,
    theme::colors_of, widgets,
};

/// Draws the list below its head.
pub(super) fn list_ui(
    ui: &mut Ui,
    view: &View<'_>,
    list: &ClipListView<'_>,
    commands: &mut Vec<Command>,
) {
    if let Some(error) = list.error {
        ui.label(error);
        return;
    }
    let Some(rows) = list.rows else {
        ui.label("Comparing the clips…");
        return;
    };
    if rows.is_empty() {
        ui.label("Neither has clips.");
        return;
    }
    let order = Order::chosen(ui);
    ScrollArea::vertical()
        .id_salt("compared_clips")
        .auto_shrink([false, false])
        .show_rows(ui, LINE, rows.len(), |ui, range| {
            let seen = range.filter_map(|place| order.row_at(list.by_figure, place));
            for row in seen.filter_map(|row| rows.get(row)) {
                row_ui(ui, view, row, commands);
            }
        });
}

/// Kept for the name where there are many words.
const NAME_WIDTH: f32 = 110.0;

fn row_ui(ui: &mut Ui, view: &View<'_>, row: &ClipDifferenceRow, commands: &mut Vec<Command>) {
    let colors = colors_of(ui);
    let width = ui.available_width();
    let can_go = row.clip.is_some();
    let sense = if can_go {
        Sense::click()
    } else {
        Sense::hover()
    };
    let (rect, response) = ui.allocate_exact_size(vec2(width, LINE), sense);
    let name = text::clean_name(&row.name);
    let said = said(&name, row);
    let is_chosen = can_go && view.clips.chosen == row.clip;
    response.widget_info(|| match can_go {
        true => WidgetInfo::selected(Role::Button, true, is_chosen, &said),
        false => WidgetInfo::labeled(Role::Label, true, &said),
    });
    focus::follow(ui, &response, rect);
    if is_chosen {
        ui.painter().rect_filled(rect, 3.0, colors.accent_soft);
    } else if can_go && response.hovered() {
        ui.painter().rect_filled(rect, 3.0, colors.hovered);
    }
    let places = Places::of(width);
    let text_at = |x: f32, words: String, color| {
        let at = pos2(rect.left() + x, rect.center().y);
        let font = FontId::proportional(12.5);
        ui.painter()
            .text(at, Align2::RIGHT_CENTER, words, font, color)
    };
    let end = match &row.worst {
        // Numbers that are all 0 would say that nothing differs.
        Some(worst) if worst.is_off() || row.words.is_empty() => {
            text_at(
                places.degrees,
                format!("{:.2}°", worst.degrees),
                colors.text,
            );
            text_at(places.units, text::number(worst.units), colors.text);
            rect.left() + places.degrees - 58.0
        }
        _ => {
            // The name can be read beside them; all of the words are in the tooltip.
            let words = widgets::shortened(ui, &row.words, places.units - NAME_WIDTH);
            text_at(places.units, words, colors.weak).left() - 6.0
        }
    };
    let named = Rect::from_x_y_ranges(rect.left() + 4.0..=end, rect.y_range());
    widgets::paint_name(ui, named, &row.name, colors.strong);
    let hint = if can_go { ". Click: go there" } else { "" };
    let is_clicked = response.on_hover_text(format!("{said}{hint}")).clicked();
    let Some(clip) = row.clip.filter(|_| is_clicked) else {
        return;
    };
    if view.clips.chosen != Some(clip) {
        commands.push(Command::SelectClip(Some(clip)));
    }
    if let Some(worst) = row.worst.as_ref().filter(|worst| worst.is_off()) {
        commands.push(Command::Timeline(TimelineCommand::StopAt {
            time_secs: worst.worst_at_secs(),
            node: Some(worst.node),
        }));
    }
}

fn said(name: &str, row: &ClipDifferenceRow) -> String {
    let mut words = Vec::new();
    if let Some(worst) = row.worst.as_ref().filter(|worst| worst.is_off()) {
        words.push(format!(
            "{} is worst: {}",
            text::clean_name(&worst.name),
            worst.words()
        ));
    }
    if !row.words.is_empty() {
        words.push(row.words.clone());
    }
    if words.is_empty() {
        words.push("the same".to_owned());
    }
    format!("{name}: {}", words.join("; "))
}
