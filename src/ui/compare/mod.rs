//! A second subject beside the shown one: what is compared, its menu, the line between both, and which is which.

mod clip_list;
mod difference_plot;
mod differences;
mod labels;
mod menu;
mod order;

pub use differences::{differences_ui, gutter};
pub use menu::MENU_AREA;

use egui::{Rect, Ui};

use super::{
    Command, CompareCommand, View,
    keys::{Action, written},
};

/// Draws the menu, the labels and the line; returns what they leave of the upper left corner's room.
pub fn compare_ui(
    ui: &mut Ui,
    view: &View<'_>,
    viewport: Rect,
    commands: &mut Vec<Command>,
) -> Rect {
    let Some(bar) = menu::menu_ui(ui, view, viewport, commands) else {
        return viewport;
    };
    let mut bottom = bar.bottom();
    if view.compare.is_on {
        labels::line_ui(ui, view, viewport, bar, commands);
        bottom = labels::labels_ui(ui, view, viewport, bar);
    }
    viewport.with_min_y((bottom - 2.0).min(viewport.bottom()))
}

/// What a line of the table of keys does.
pub fn by_key(action: Action, view: &View<'_>) -> Option<Command> {
    Some(Command::Compare(match action {
        Action::Compare => CompareCommand::Step,
        Action::SwapCompared if !view.compare.is_on => return None,
        Action::SwapCompared => CompareCommand::Swap,
        _ => return None,
    }))
}

/// The key of an action, written out.
fn key(action: Action) -> String {
    written(action, 0)
}
