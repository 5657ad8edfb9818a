//! The list of clips, and of scenes where there are several.

pub mod mix;
mod row;
mod sign;

use egui::{ScrollArea, Ui};

use super::{
    BorrowedRow, Command, LoadKind, View, WindowCommand,
    keys::{self, focus, front},
    text, theme,
    widgets::{
        self,
        scroll::{Extent, Scroll},
        search,
        section::{Folds, section},
    },
};
use row::{Columns, clip_row, file_row, own_pose_row};

/// From how many clips on the list can be searched.
const SEARCHED_FROM: usize = 9;
/// How much of a high panel the list takes at most; the rest is the tree's.
const SHARE: f32 = 0.48;
/// What a clip beside the chosen one takes, with the button that confines it to a node.
const MIX_HEIGHT: f32 = 250.0;
/// How many are shown in the lowest windows.
const MIN_ROWS: f32 = 3.5;
/// The list has at least this height in points.
const MIN_HEIGHT: f32 = 64.0;
/// What headings, searches and buttons take of a panel, and a few rows of the tree.
const BESIDE_HEIGHT: f32 = 250.0;

/// What the list itself remembers.
#[derive(Debug, Default)]
pub struct ClipsState {
    query: String,
    /// The clip in force when the list was last drawn, to bring a new one into sight.
    last_clip: Option<usize>,
    scroll: Scroll,
    /// How many lines it had then.
    line_count: usize,
    /// Which file all this is about.
    document: u64,
    /// Whether clips were searched for then.
    was_searching: bool,
    /// Whether Enter has asked for a match, and the keyboard is back with the window: the next one goes on from there.
    goes_on: bool,
    listed: Listed,
}

/// The lines of the list, kept until they are others.
#[derive(Debug, Default)]
struct Listed {
    /// Model, clips, files whose clips were added, and what is searched.
    of: Option<(u64, usize, usize, String)>,
    lines: Vec<Line>,
    found: usize,
    /// Of the longest name of all clips.
    letters: Option<usize>,
}

impl Listed {
    fn update(&mut self, view: &View<'_>, query: &str) {
        let of = self.of.as_ref();
        let (clips, files) = (view.clips.rows.len(), view.mix.borrowed.len());
        let counts = (view.model.generation, clips, files);
        let is_same = of.is_some_and(|(model, clips, files, asked)| {
            (*model, *clips, *files) == counts && asked == query
        });
        if !is_same {
            self.of = Some((view.model.generation, clips, files, query.to_owned()));
            let found = found(view, query);
            self.lines = lines(query.trim().is_empty(), view.mix.borrowed, &found);
            self.found = found.len();
            let names = (0..view.clips.rows.len()).filter_map(|clip| view.clips.name(clip));
            let letters = names.map(|name| name.chars().count());
            self.letters = letters.max();
        }
    }
}

/// Draws clips and scenes; `height` is that of the whole panel.
pub fn clips_ui(
    ui: &mut Ui,
    (state, folds): (&mut ClipsState, &mut Folds),
    view: &View<'_>,
    height: f32,
    commands: &mut Vec<Command>,
) {
    if std::mem::replace(&mut state.document, view.files.document) != view.files.document {
        state.last_clip = None;
        state.scroll.start_at_top();
    }
    let all = text::thousands(view.clips.rows.len() as u64);
    let figure = match &state.listed.of {
        Some((.., asked)) if !asked.trim().is_empty() => {
            let found = text::thousands(state.listed.found as u64);
            format!("{found} of {all}")
        }
        _ => all,
    };
    section(ui, folds, ("Clips", &figure), |ui| {
        if view.clips.rows.len() >= SEARCHED_FROM {
            let field = widgets::search_field(ui, &mut state.query, "Search clips");
            let entered = search::enter(ui, &field);
            let again = (state.goes_on && entered.is_none() && !front::is_covered(view))
                .then(|| search::enter_again(ui, &field));
            let entered = entered.or(again.flatten());
            state.goes_on = (state.goes_on || entered.is_some())
                && !field.has_focus()
                && !state.query.is_empty();
            if let Some(back) = entered {
                let next = next_found(view, &state.query, back);
                commands.extend(next.map(|clip| Command::SelectClip(Some(clip))));
            }
            ui.add_space(2.0);
        } else {
            state.query.clear();
        }
        state.listed.update(view, &state.query);
        let columns = Columns::of(ui, state.listed.letters);
        columns.heading_ui(ui);
        list(ui, state, columns, view, height, commands);
    });
    mix::mix_ui(ui, folds, view, commands);
    if view.model.scenes.len() > 1 {
        ui.add_space(6.0);
        scenes(ui, view, commands);
    }
    if !view.model.variants.is_empty() {
        ui.add_space(6.0);
        variants(ui, view, commands);
    }
}

fn list(
    ui: &mut Ui,
    state: &mut ClipsState,
    columns: Columns,
    view: &View<'_>,
    height: f32,
    commands: &mut Vec<Command>,
) {
    if let Some(words) = view.instead_of_model() {
        ui.weak(words);
        return;
    }
    let row_height = theme::ROW_HEIGHT + ui.spacing().item_spacing.y;
    let room = room(ui, view, height, row_height);
    let is_new_choice = state.follow_choice(view);
    let bringing = state.scroll.bringing(ui, is_new_choice, room);
    let line = view.clips.chosen.map_or(Line::OwnPose, Line::Clip);
    let place = state.listed.lines.iter().position(|known| *known == line);
    // From the top of the list to that row.
    let top = place.map(|place| place as f32 * row_height);
    let lines = &state.listed.lines;
    let rows = lines.len() as f32 * row_height;
    let extent = Extent { rows, room };
    let scroll = &mut state.scroll;
    let offset = scroll.offset_by_least(ui, bringing, top, extent);
    let mut area = ScrollArea::vertical()
        .id_salt("clips")
        .max_height(room)
        .min_scrolled_height(MIN_HEIGHT)
        .auto_shrink([false, true]);
    if let Some(offset) = offset {
        area = area.vertical_scroll_offset(offset);
    }
    let output = area.show_rows(ui, theme::ROW_HEIGHT, lines.len(), |ui, rows| {
        for line in &lines[rows] {
            match *line {
                Line::OwnPose => own_pose_row(ui, view, commands),
                Line::File(file) => file_row(ui, file, view, commands),
                Line::Clip(clip) => clip_row(ui, clip, columns, view, commands),
            }
        }
    });
    scroll.finish(ui, bringing, top, offset, &output);
    if lines.is_empty() {
        ui.weak("No clip of that name");
    } else if view.clips.rows.is_empty() {
        ui.weak(text::NO_ANIMATION);
    }
    let hint =
        "Add the clips of other files, by the names of their nodes: drop them here with Shift";
    let button = egui::Button::new(egui::RichText::new("Add clips from files…").size(12.0));
    let keys = keys::written(keys::Action::AddClips, 0);
    if widgets::tooltip(ui.add(button), hint, &keys).clicked() {
        commands.push(Command::Window(WindowCommand::OpenDialog(LoadKind::Clips)));
    }
}

/// What the rows of the list take of a panel of this height, at most.
fn room(ui: &Ui, view: &View<'_>, height: f32, row_height: f32) -> f32 {
    // A list of clips leaves most of a low window to the tree.
    let mix = if view.mix.clips.is_empty() {
        0.0
    } else {
        MIX_HEIGHT
    };
    let room = (height * SHARE).min(height - BESIDE_HEIGHT - mix);
    // A row that is cut in half says that there are more.
    let rows = (room / row_height - 0.5).floor() + 0.5;
    let room = rows.max(MIN_ROWS) * row_height;
    // In a low panel, where clips and nodes scroll together, it is lower.
    room.min(ui.available_height().max(MIN_HEIGHT))
}

impl ClipsState {
    /// Whether the clip in force is another one, or stands elsewhere.
    fn follow_choice(&mut self, view: &View<'_>) -> bool {
        let is_searching = !self.query.trim().is_empty();
        // When the search ends, all clips are listed again, and that in force stands elsewhere; so it does when others come.
        let search_ends = std::mem::replace(&mut self.was_searching, is_searching) && !is_searching;
        let lines = self.listed.lines.len();
        let count = std::mem::replace(&mut self.line_count, lines);
        std::mem::replace(&mut self.last_clip, view.clips.chosen) != view.clips.chosen
            || search_ends
            || count != lines && !is_searching
    }
}

/// A line of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    OwnPose,
    /// The name of a file whose clips follow.
    File(usize),
    Clip(usize),
}

/// The lines of what was found. The file's own pose, which is no clip, comes first where nothing is searched.
fn lines(has_own_pose: bool, files: &[BorrowedRow], found: &[usize]) -> Vec<Line> {
    let mut lines = Vec::with_capacity(1 + files.len() + found.len());
    lines.extend(has_own_pose.then_some(Line::OwnPose));
    let mut files = files.iter().enumerate().peekable();
    for &clip in found {
        let mut last = None;
        while let Some((file, _)) = files.next_if(|(_, row)| row.first <= clip) {
            last = Some(file);
        }
        lines.extend(last.map(Line::File));
        lines.push(Line::Clip(clip));
    }
    lines
}

fn found(view: &View<'_>, query: &str) -> Vec<usize> {
    let query = text::folded(query.trim());
    let is_found = |clip: &usize| {
        let name = view.clips.searched_name(*clip, query.chars());
        query.is_empty() || text::folded(&name).contains(&query)
    };
    (0..view.clips.rows.len()).filter(is_found).collect()
}

/// The clip that a search goes on to from the one in force; the first one (or the last) if that was not searched for.
fn next_found(view: &View<'_>, query: &str, back: bool) -> Option<usize> {
    if query.trim().is_empty() {
        return None;
    }
    let found = found(view, query);
    let is_found = |clip: usize| found.binary_search(&clip).is_ok();
    let current = view.clips.chosen.filter(|clip| is_found(*clip));
    let next = search::next_match(view.clips.rows.len(), current, back, is_found);
    // What plays already goes on.
    next.filter(|clip| view.clips.chosen != Some(*clip))
}

fn scenes(ui: &mut Ui, view: &View<'_>, commands: &mut Vec<Command>) {
    let action = keys::Action::SceneStep;
    let hint = "Scene of the file that is shown";
    let names = view.model.scenes.iter().map(|name| &**name);
    if let Some(scene) = choice(ui, "Scene", names, view.model.scene, action, hint) {
        commands.push(Command::SelectScene(scene));
    }
}

fn variants(ui: &mut Ui, view: &View<'_>, commands: &mut Vec<Command>) {
    let names = view.model.variants.iter().map(|name| &**name);
    let names = std::iter::once("The file's own").chain(names);
    let shown = view.model.variant.map_or(0, |variant| variant + 1);
    let action = keys::Action::VariantStep;
    let hint = "Variant of the materials that is shown";
    if let Some(variant) = choice(ui, "Variant", names, shown, action, hint) {
        commands.push(Command::SelectVariant(variant.checked_sub(1)));
    }
}

/// A list to choose from; returns the choice when it is made.
fn choice<'a>(
    ui: &mut Ui,
    label: &str,
    names: impl Iterator<Item = &'a str> + Clone,
    shown: usize,
    action: keys::Action,
    hint: &str,
) -> Option<usize> {
    let chosen_name = names.clone().nth(shown).unwrap_or_default();
    let mut chosen = None;
    ui.horizontal(|ui| {
        ui.weak(label);
        let width = ui.available_width();
        let list = egui::ComboBox::from_id_salt(label)
            .width(width)
            .selected_text(widgets::shortened(
                ui,
                chosen_name,
                width - widgets::COMBO_ROOM,
            ))
            .truncate()
            .show_ui(ui, |ui| {
                for (index, name) in names.enumerate() {
                    let name = text::clean(name, 40);
                    if ui.selectable_label(index == shown, name).clicked() {
                        chosen = Some(index);
                    }
                }
            });
        let keys = format!(
            "{} / {}",
            keys::written(action, 0),
            keys::written(action, 1)
        );
        focus::note_menu(ui.ctx(), &list.response);
        list.response.widget_info(|| {
            let mut info = egui::WidgetInfo::labeled(egui::Role::ComboBox, true, label);
            info.current_text_value = Some(text::clean(chosen_name, 40).into_owned());
            info
        });
        widgets::tooltip(list.response, hint, &keys);
    });
    chosen
}
