//! A second subject beside the shown one: what is compared, its menu, the line between both, and which is which.

mod clip_list;
mod difference_plot;
mod differences;
mod labels;
mod menu;

pub use clip_list::{ClipDifferenceRow, ClipListView};
pub use differences::{DifferenceRow, DifferencesView, differences_ui, gutter};
pub use menu::MENU_AREA;

use egui::{Rect, Ui};

use super::{
    Command, CompareCommand, CompareWith, View,
    keys::{Action, written},
};
use crate::scene::{Split, SplitWay};

/// What the interface shows of comparing.
#[derive(Debug, Clone, Copy, Default)]
pub struct CompareView<'a> {
    /// Whether two subjects are shown.
    pub is_on: bool,
    /// How they share the picture, or would.
    pub split: Split,
    /// What the model is compared with, or was last.
    pub with: Option<CompareWith>,
    /// What A and B are.
    pub names: [&'a str; 2],
    /// What else there is to say of B, such as that its clip is shorter.
    pub note: &'a str,
    /// The file that can be compared with, if one was read.
    pub file: Option<&'a str>,
    /// How the other way of skinning is called; none where nothing is skinned.
    pub other_skinning: Option<&'a str>,
    /// Whether clips of different lengths begin and end together.
    pub by_phase: bool,
    /// How far the two lie apart, if that is shown.
    pub differences: Option<DifferencesView<'a>>,
    /// The distance that the view of the skinning difference draws in the last of its colours.
    pub difference_scale: f32,
}

impl CompareView<'_> {
    /// Where A and B are drawn.
    pub fn drawn(&self, viewport: Rect) -> [Rect; 2] {
        if self.is_on && self.split.way == SplitWay::SideBySide {
            self.seen(viewport)
        } else {
            [viewport; 2]
        }
    }

    /// Where A and B are seen.
    pub fn seen(&self, viewport: Rect) -> [Rect; 2] {
        if !self.is_on || self.split.way == SplitWay::Overlay {
            return [viewport; 2];
        }
        let x = self.line_x(viewport);
        let parts = [viewport.with_max_x(x), viewport.with_min_x(x)];
        let [left, right] = parts;
        if self.split.is_swapped {
            [right, left]
        } else {
            parts
        }
    }

    /// Whether a point belongs to B's picture and not to A's.
    pub fn is_in_second(&self, viewport: Rect, at: egui::Pos2) -> bool {
        let [first, second] = self.seen(viewport);
        self.is_on && second.contains(at) && !first.contains(at)
    }

    fn line_x(&self, viewport: Rect) -> f32 {
        viewport.left() + self.split.line() * viewport.width()
    }
}

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
