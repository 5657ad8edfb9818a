//! The menu in the upper left corner of the picture: what the model is compared with, and how both are shown.

use std::sync::Arc;

use egui::{Align2, Id, Key, Rect, RichText, Ui};

use super::{differences, key};
use crate::model::Keyed as _;
use crate::scene::SplitWay;
use crate::ui::{
    Command, CompareCommand, CompareWith, LoadKind, View, WindowCommand,
    keys::{Action, COMMAND},
    menus::view::corner_ui,
    text,
    theme::colors_of,
    widgets::{self, icons::Icon, search},
};

/// Smaller pictures have no room for it, but, down to the second size, for the button that ends it.
const MIN_SIZE: egui::Vec2 = egui::vec2(200.0, 130.0);
const MIN_END_SIZE: egui::Vec2 = egui::vec2(150.0, 48.0);
/// From how many clips on the list can be searched, as that of the panel.
const SEARCHED_FROM: usize = 9;
/// The menu's greatest width: the search would take all that there is.
const MAX_WIDTH: f32 = 320.0;
/// Narrower ones have none for all of it in a row.
const MIN_FOR_A_ROW: f32 = 400.0;

/// The name of the bar's area.
pub const MENU_AREA: &str = "rigscope_compare_menu";

/// Draws the bar with the menu; returns where it is.
pub(super) fn menu_ui(
    ui: &Ui,
    view: &View<'_>,
    viewport: Rect,
    commands: &mut Vec<Command>,
) -> Option<Rect> {
    let corner = Align2::LEFT_TOP;
    let is_on = view.compare.is_on;
    let fits = |least: egui::Vec2| viewport.width() >= least.x && viewport.height() >= least.y;
    if !fits(MIN_SIZE) {
        let has_end = is_on && fits(MIN_END_SIZE);
        return has_end
            .then(|| corner_ui(ui, MENU_AREA, viewport, corner, |ui| end_ui(ui, commands)));
    }
    // What lies in the upper right corner is not to be covered: then there are two rows.
    let is_narrow = viewport.width() < MIN_FOR_A_ROW;
    let rect = corner_ui(ui, MENU_AREA, viewport, corner, |ui| {
        let rows = ui.vertical(|ui| {
            ui.horizontal(|ui| {
                button_ui(ui, view, commands);
                if is_on && !is_narrow {
                    switches_ui(ui, view, commands);
                }
                if is_on {
                    close_ui(ui, commands);
                }
            });
            if is_on && is_narrow {
                ui.horizontal(|ui| switches_ui(ui, view, commands));
            }
        });
        rows.response.rect
    });
    Some(rect)
}

fn switches_ui(ui: &mut Ui, view: &View<'_>, commands: &mut Vec<Command>) {
    let swap = ui.button("Swap");
    let keys = key(Action::SwapCompared);
    if widgets::tooltip(swap, "A and B change places", &keys).clicked() {
        commands.push(Command::Compare(CompareCommand::Swap));
    }
    let has_room = differences::has_room(ui);
    let is_on = view.compare.differences.is_some();
    let button = egui::Button::selectable(is_on, "Differences");
    let button = ui.add_enabled(has_room || is_on, button);
    let hint = match (has_room, is_on) {
        (true, _) => "How far the joints lie apart, below the picture; bones in its colours",
        // The colours of the bones are there without it.
        (false, true) => "The window is too small for their panel; bones are in its colours",
        (false, false) => "The window is too small for the differences",
    };
    let button = button.on_hover_text(hint).on_disabled_hover_text(hint);
    if button.clicked() {
        commands.push(Command::Compare(CompareCommand::ToggleDifferences));
    }
}

/// The name of the button that ends it.
const END: &str = "Stop comparing";

/// What there is in small pictures; returns where it is.
fn end_ui(ui: &mut Ui, commands: &mut Vec<Command>) -> Rect {
    let button = ui.button(END);
    if button.clicked() {
        commands.push(Command::Compare(CompareCommand::Show(None)));
    }
    button.rect
}

fn close_ui(ui: &mut Ui, commands: &mut Vec<Command>) {
    let close = widgets::IconButton::new(Icon::Cross, END);
    if close.side(22.0).show(ui).clicked() {
        commands.push(Command::Compare(CompareCommand::Show(None)));
    }
}

fn button_ui(ui: &mut Ui, view: &View<'_>, commands: &mut Vec<Command>) {
    let compare = &view.compare;
    let label = if compare.is_on {
        compare.split.way.label()
    } else {
        "Compare"
    };
    let response = widgets::menu(ui, egui::Button::new(label), 232.0, |ui| {
        contents_ui(ui, view, commands);
    });
    let keys = key(Action::Compare);
    widgets::tooltip(
        response,
        "Two clips, skinnings or files in one picture",
        &keys,
    );
}

fn contents_ui(ui: &mut Ui, view: &View<'_>, commands: &mut Vec<Command>) {
    ui.spacing_mut().item_spacing.y = 4.0;
    ui.set_max_width(MAX_WIDTH);
    let compare = &view.compare;
    caption(ui, "Show A and B");
    let mut way = |ui: &mut Ui, way: Option<SplitWay>, label: &str, hint: &str| {
        let current = compare.is_on.then_some(compare.split.way);
        let row = ui.selectable_label(current == way, label);
        if widgets::tooltip(row, hint, &key(Action::Compare)).clicked() {
            commands.push(Command::Compare(CompareCommand::Show(way)));
        }
    };
    way(ui, None, "A alone", "One subject, as it is shown else");
    for &each in SplitWay::ALL {
        way(ui, Some(each), each.label(), each.explanation());
    }
    ui.separator();
    let mut by_phase = compare.by_phase;
    let hint = "Else they share the clock second by second, and the shorter one waits at its end";
    let phase = ui.checkbox(&mut by_phase, "Clips begin and end together");
    if phase.on_hover_text(hint).clicked() {
        commands.push(Command::Compare(CompareCommand::TogglePhase));
    }
    ui.separator();
    // Last, since there may be many clips.
    caption(ui, "B is");
    with_ui(ui, view, commands);
}

fn with_ui(ui: &mut Ui, view: &View<'_>, commands: &mut Vec<Command>) {
    let compare = &view.compare;
    let mut chosen = None;
    let mut row = |ui: &mut Ui, with: CompareWith, words: &str, hint: &str| {
        // Lines of a list are as high as one another: what is too long is cut in its middle.
        let padding = 2.0 * ui.spacing().button_padding.x;
        let shown = widgets::shortened(ui, words, ui.available_width() - padding);
        let is_whole = shown == text::clean_name(words);
        let button = egui::Button::selectable(compare.with == Some(with), shown).truncate();
        let row = ui.add(button);
        row.widget_info(|| {
            let words = text::clean_name(words);
            let is_on = compare.with == Some(with);
            egui::WidgetInfo::selected(egui::Role::Button, true, is_on, words)
        });
        let row = if is_whole {
            row.on_hover_text(hint)
        } else {
            row.on_hover_text(format!("{hint}: {}", text::clean_name(words)))
        };
        if row.clicked() {
            chosen = Some(CompareCommand::With(with));
        }
        row
    };
    if let Some(file) = compare.file {
        let hint = "The file that was opened to compare with";
        row(ui, CompareWith::File, file, hint);
    }
    let open = ui.button("Another file…");
    let keys = key(Action::CompareFile);
    let hint = format!("Such as an older version of this model; or drop it with {COMMAND}");
    if widgets::tooltip(open, &hint, &keys).clicked() {
        commands.push(Command::Window(WindowCommand::OpenDialog(
            LoadKind::Compared,
        )));
        ui.close();
    }
    if let Some(skinning) = compare.other_skinning {
        let words = format!("The same pose, {skinning}");
        row(ui, CompareWith::Skinning, &words, "Skinned the other way");
    }
    let (found, way_out) = searched_ui(ui, view);
    widgets::rows_in_sight(ui, found.len(), |ui, place| {
        let clip = found[place];
        if let Some(name) = view.clips.name(clip) {
            let words = format!("Clip {}", text::clean_name(name));
            let hint = "Another clip of this model";
            let row = row(ui, CompareWith::Clip(clip), &words, hint);
            if place == 0 && way_out == Some(WayOut::Down) {
                row.request_focus();
            }
        }
    });
    let first = found.first().filter(|_| way_out == Some(WayOut::Enter));
    let first = first.map(|clip| CompareCommand::With(CompareWith::Clip(*clip)));
    commands.extend(chosen.or(first).map(Command::Compare));
}

/// How the keyboard leaves the search.
#[derive(Debug, Clone, Copy, PartialEq)]
enum WayOut {
    /// Into the list.
    Down,
    /// With the first that was found.
    Enter,
}

/// What is searched for in the list of clips, and what was found: until something else is asked.
#[derive(Debug, Clone, Default)]
struct Searched {
    query: String,
    of: Option<(u64, usize, Option<usize>, String)>,
    found: Arc<[usize]>,
}

/// Draws the search, if there are so many clips that one is looked for. Returns the clips that are listed: all that were found
/// but the one in force, and how the keyboard has left the search.
fn searched_ui(ui: &mut Ui, view: &View<'_>) -> (Arc<[usize]>, Option<WayOut>) {
    let id = Id::unique("rigscope_compared_clips");
    let mut searched: Searched = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    let mut way_out = None;
    if view.clips.rows.len() >= SEARCHED_FROM {
        ui.add_space(2.0);
        let field = widgets::search_field(ui, &mut searched.query, "Search clips to compare with");
        search::take_keyboard(ui, &field);
        let is_down = ui.input(|input| input.key_pressed(Key::ArrowDown));
        if field.has_focus() && is_down {
            way_out = Some(WayOut::Down);
        } else if search::enter(ui, &field).is_some() && !searched.query.is_empty() {
            way_out = Some(WayOut::Enter);
        }
        ui.add_space(2.0);
    } else {
        searched.query.clear();
    }
    let query = text::folded(searched.query.trim());
    let of = (
        view.model.generation,
        view.clips.rows.len(),
        view.clips.chosen,
        query,
    );
    if searched.of.as_ref() != Some(&of) {
        let query = &of.3;
        let found = (0..view.clips.rows.len()).filter(|clip| {
            let name = view.clips.searched_name(*clip, query.chars());
            view.clips.chosen != Some(*clip)
                && (query.is_empty() || text::folded(&name).contains(query))
        });
        searched.found = found.collect();
        searched.of = Some(of);
    }
    if searched.found.is_empty() && !searched.query.is_empty() {
        ui.weak("No clip of that name");
    }
    let found = Arc::clone(&searched.found);
    ui.data_mut(|data| data.insert_temp(id, searched));
    (found, way_out)
}

fn caption(ui: &mut Ui, words: &str) {
    let weak = colors_of(ui).weak;
    ui.label(RichText::new(words).size(11.5).color(weak));
}
