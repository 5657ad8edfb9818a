//! The scene tree: all nodes of the file, folded, searched and chosen.

mod folds;
mod row;

use std::collections::HashSet;

use egui::{ScrollArea, Ui, vec2};

use super::{
    Command, NodeRow, NodesCommand, Panel, PoseTool, View,
    keys::front,
    palette::picker,
    panels::Arrangement,
    text, theme,
    widgets::{
        self, IconButton,
        icons::Icon,
        scroll::{Extent, Scroll},
        search,
        section::{Folds, section},
    },
};
use folds::{unfold_to, unfolded_rows};
use row::{INDENTED_PART, Row, RowSearch, node_row};

/// The heading above the tree.
const TITLE: &str = "Nodes";
/// Indent of a level, where there is room for it.
const MAX_INDENT: f32 = 14.0;
/// The least by which a level is set off; deeper trees than fit so go on at the same place.
const MIN_INDENT: f32 = 4.0;

/// Side of the button that shows all again, and the height of the search.
const SHOW_ALL_SIDE: f32 = 26.0;

/// What the tree itself remembers.
#[derive(Debug, Default)]
pub struct TreeState {
    query: String,
    /// Nodes whose descendants are hidden.
    folded: HashSet<usize>,
    /// Depth of the deepest node.
    max_depth: usize,
    /// The choice when the tree was last drawn, to bring a new one into sight.
    last_selected: Option<usize>,
    scroll: Scroll,
    /// Whether nodes were searched for when the tree was last drawn.
    was_searching: bool,
    /// Whether Enter goes on to the next match, though the search has not the focus.
    goes_on: bool,
    /// Which file all this is about, and which model of it.
    file: (u64, u64),
    listed: Listed,
    /// Counts what was folded and unfolded.
    folds: u64,
    /// Whether the keyboard is to be put into the search.
    wants_focus: bool,
}

impl TreeState {
    /// Whether the search is to get the focus and has not got it yet.
    pub fn awaits_focus(&self) -> bool {
        self.wants_focus
    }
}

/// The nodes that are listed, kept until others are.
#[derive(Debug, Default)]
struct Listed {
    /// Model, changes of folds, and what is searched.
    of: Option<(u64, u64, String)>,
    rows: Vec<usize>,
    /// How many of them were searched for.
    hits: usize,
}

impl Listed {
    fn update(&mut self, view: &View<'_>, query: &str, folded: &HashSet<usize>, folds: u64) {
        // What is searched is found wherever it is folded away.
        let folds = if query.is_empty() { folds } else { 0 };
        let now = (view.model.generation, folds);
        let asked = match &self.of {
            Some((model, old, asked)) if (*model, *old) == now => Some(&**asked),
            _ => None,
        };
        if asked == Some(query) {
            return;
        }
        (self.rows, self.hits) = match asked {
            _ if query.is_empty() => {
                let rows = unfolded_rows(view.nodes.rows, folded);
                let count = rows.len();
                (rows, count)
            }
            // What is typed on is in names that had what was typed before.
            Some(asked) if !asked.is_empty() && query.contains(asked) => {
                found(view.nodes.rows, self.rows.iter().copied(), query)
            }
            _ => found(view.nodes.rows, 0..view.nodes.rows.len(), query),
        };
        self.of = Some((now.0, now.1, query.to_owned()));
    }
}

/// Goes along with the model, be the tree shown or not: what is folded goes with its nodes when the file is read again.
pub fn follow(state: &mut TreeState, view: &View<'_>) {
    let file = (view.files.document, view.model.generation);
    if state.file == file {
        return;
    }
    if state.file.0 == file.0 {
        let (since, moved) = view.files.moved_nodes;
        let moved = if since == state.file.1 { moved } else { &[] };
        state.folded = folds::moved(&state.folded, moved);
        state.folds += 1;
        let last = state.last_selected;
        state.last_selected = last.and_then(|node| *moved.get(node)?);
    } else {
        // Another file is seen from its top.
        *state = TreeState {
            query: std::mem::take(&mut state.query),
            wants_focus: state.wants_focus,
            ..TreeState::default()
        };
        state.scroll.start_at_top();
    }
    state.file = file;
    state.max_depth = view
        .nodes
        .rows
        .iter()
        .map(|node| node.depth)
        .max()
        .unwrap_or(0);
}

/// Draws the tree, down to `bottom`.
pub fn tree_ui(
    ui: &mut Ui,
    (state, folds): (&mut TreeState, &mut Folds),
    view: &View<'_>,
    bottom: f32,
    commands: &mut Vec<Command>,
) {
    let all = text::thousands(view.nodes.rows.len() as u64);
    let figure = if state.was_searching {
        let hits = text::thousands(state.listed.hits as u64);
        format!("{hits} of {all}")
    } else {
        all
    };
    section(ui, folds, (TITLE, &figure), |ui| {
        if view.nodes.rows.is_empty() {
            state.wants_focus = false;
            let words = view.instead_of_model();
            ui.weak(words.unwrap_or("This file has no nodes"));
            return;
        }
        search_ui(ui, state, view, commands);
        ui.add_space(2.0);
        let room = (bottom - ui.cursor().top()).max(theme::ROW_HEIGHT);
        rows_ui(ui, state, view, room, commands);
    });
}

/// The search, and at its end what brings all that is hidden back.
fn search_ui(ui: &mut Ui, state: &mut TreeState, view: &View<'_>, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let width = ui.available_width() - SHOW_ALL_SIDE - 4.0;
        // Typed before the field has the focus, it is meant for it.
        if state.wants_focus {
            picker::take_text(ui.ctx(), &mut state.query);
        }
        let field = ui.allocate_ui(vec2(width, SHOW_ALL_SIDE), |ui| {
            widgets::search_field(ui, &mut state.query, "Search nodes")
        });
        let field = field.inner;
        if std::mem::take(&mut state.wants_focus) {
            widgets::type_on(&field, &state.query);
        }
        let entered = search::enter(ui, &field);
        let again = (state.goes_on && entered.is_none() && !front::is_covered(view))
            .then(|| search::enter_again(ui, &field));
        let entered = entered.or(again.flatten());
        state.goes_on =
            (state.goes_on || entered.is_some()) && !field.has_focus() && !state.query.is_empty();
        if !field.has_focus() && !state.query.is_empty() && closes_nothing_else(view) {
            let count = commands.len();
            commands.retain(|command| *command != Command::CloseFront);
            if commands.len() < count {
                state.query.clear();
            }
        }
        if let Some(back) = entered {
            let query = text::folded(state.query.trim());
            let found = next_match(view.nodes.rows, &query, view.nodes.selected, back);
            commands.extend(found.map(|node| Command::SelectNode(Some(node))));
        }
        let count = view.nodes.hiding.count;
        let label = match count {
            0 => "No node is hidden".to_owned(),
            1 => "Show the hidden node again".to_owned(),
            count => format!("Show all {count} hidden nodes again"),
        };
        let icon = if count > 0 { Icon::EyeOff } else { Icon::Eye };
        let button = IconButton::new(icon, &label).side(SHOW_ALL_SIDE);
        if button.enabled(count > 0).show(ui).clicked() {
            commands.push(Command::Nodes(NodesCommand::ShowAll));
        }
    });
}

/// Whether Escape would close nothing that lies in front of the tree, and stop nothing: then it ends the search.
fn closes_nothing_else(view: &View<'_>) -> bool {
    let is_posing = view.posing.tool != PoseTool::Off;
    let is_busy = !view.loading.files.is_empty() || view.saving.can_stop();
    !front::is_covered(view) && !is_posing && view.message.is_none() && !is_busy
}

/// Takes the wish to search out of the commands: it is the tree's own affair.
pub fn take_focus(
    ctx: &egui::Context,
    (state, folds): (&mut TreeState, &mut Folds),
    panels: &Arrangement,
    commands: &mut Vec<Command>,
) {
    let wish = Command::Nodes(NodesCommand::FocusSearch);
    let count = commands.len();
    commands.retain(|command| *command != wish);
    // Where there is no room for the tree, the wish is not kept for later: who types then means something else.
    if commands.len() < count && panels.has_room {
        state.wants_focus = true;
        picker::take_text(ctx, &mut state.query);
        folds.0.remove(TITLE);
        if !panels.scene {
            commands.push(Command::TogglePanel(Panel::Scene));
        }
        ctx.request_repaint();
    }
}

/// The next node that a search finds after the chosen one (or the one before), going round at the ends.
fn next_match(
    nodes: &[NodeRow],
    query: &str,
    selected: Option<usize>,
    back: bool,
) -> Option<usize> {
    if query.is_empty() {
        return None;
    }
    search::next_match(nodes.len(), selected, back, |place| {
        is_match(&nodes[place], query)
    })
}

fn rows_ui(
    ui: &mut Ui,
    state: &mut TreeState,
    view: &View<'_>,
    room: f32,
    commands: &mut Vec<Command>,
) {
    let query = text::folded(state.query.trim());
    let is_new_choice = state.update_list(ui, view, &query);
    let rows = &state.listed.rows;
    if rows.is_empty() {
        ui.weak("No node of that name or kind");
        return;
    }
    ui.spacing_mut().item_spacing.y = 0.0;
    let place = view
        .nodes
        .selected
        .and_then(|node| rows.binary_search(&node).ok());
    // From the top of the list to that row.
    let top = place.map(|place| place as f32 * theme::ROW_HEIGHT);
    let extent = Extent {
        rows: rows.len() as f32 * theme::ROW_HEIGHT,
        room,
    };
    let scroll = &mut state.scroll;
    let bringing = scroll.bringing(ui, is_new_choice, room);
    let offset = scroll.offset_to_middle(ui, bringing, top, extent);
    let mut area = ScrollArea::vertical()
        .id_salt("nodes")
        .max_height(room)
        // In a low panel, where clips and nodes scroll together, it is as high as that, too.
        .min_scrolled_height(room)
        .auto_shrink([false, false]);
    if let Some(offset) = offset {
        area = area.vertical_scroll_offset(offset);
    }
    let indent = (ui.available_width() * INDENTED_PART / state.max_depth.max(1) as f32)
        .clamp(MIN_INDENT, MAX_INDENT);
    let mut toggled = None;
    let output = area.show_rows(ui, theme::ROW_HEIGHT, rows.len(), |ui, range| {
        for place in range {
            let index = rows[place];
            let row = Row {
                index,
                is_folded: state.folded.contains(&index) && query.is_empty(),
                indent,
                search: search_of(view.nodes.rows.get(index), &query),
            };
            if node_row(ui, row, view, commands) {
                toggled = Some(index);
            }
        }
    });
    scroll.finish(ui, bringing, top, None, &output);
    if let Some(index) = toggled {
        state.toggle(index);
    }
}

impl TreeState {
    /// Lists what is searched for and not folded; returns whether the choice is a new one.
    fn update_list(&mut self, ui: &Ui, view: &View<'_>, query: &str) -> bool {
        let is_searching = !query.is_empty();
        let before = (self.was_searching, self.listed.hits);
        let is_new_choice = self.follow_choice(view, is_searching);
        self.listed.update(view, query, &self.folded, self.folds);
        if before != (is_searching, self.listed.hits) {
            // The heading says how many.
            ui.ctx().request_repaint();
        }
        is_new_choice
    }

    /// Unfolds what a new choice lies in; returns whether it is one.
    fn follow_choice(&mut self, view: &View<'_>, is_searching: bool) -> bool {
        // When the search ends, all nodes are listed again, and the choice stands elsewhere.
        let search_ends = std::mem::replace(&mut self.was_searching, is_searching) && !is_searching;
        let is_new_choice = self.last_selected != view.nodes.selected || search_ends;
        self.last_selected = view.nodes.selected;
        if is_new_choice && let Some(selected) = view.nodes.selected {
            let count = self.folded.len();
            unfold_to(&mut self.folded, view.nodes.rows, selected);
            self.folds += u64::from(self.folded.len() != count);
        }
        is_new_choice
    }

    fn toggle(&mut self, index: usize) {
        self.folds += 1;
        if !self.folded.remove(&index) {
            self.folded.insert(index);
        }
    }
}

fn search_of(node: Option<&NodeRow>, query: &str) -> RowSearch {
    if query.is_empty() {
        RowSearch::None
    } else if node.is_some_and(|node| is_match(node, query)) {
        RowSearch::Found
    } else {
        RowSearch::OnTheWay
    }
}

/// Those nodes of `among` whose names contain the query, with all nodes above them, and how many contain it. All above a node
/// are in `among`, before it.
fn found(
    nodes: &[NodeRow],
    among: impl Iterator<Item = usize>,
    query: &str,
) -> (Vec<usize>, usize) {
    let (mut rows, mut hits) = (Vec::new(), 0);
    // Nodes above the current one, and how many of them are among the rows already.
    let mut path: Vec<usize> = Vec::new();
    let mut shown_of_path = 0;
    for index in among {
        let node = &nodes[index];
        while path
            .last()
            .is_some_and(|above| nodes[*above].depth >= node.depth)
        {
            path.pop();
        }
        shown_of_path = shown_of_path.min(path.len());
        path.push(index);
        if is_match(node, query) {
            hits += 1;
            rows.extend_from_slice(&path[shown_of_path..]);
            shown_of_path = path.len();
        }
    }
    (rows, hits)
}

fn is_match(node: &NodeRow, query: &str) -> bool {
    text::folded(&text::clean_name(&node.name)).contains(query) || node.kind.label().contains(query)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::ui::NodeKind;

    pub(in crate::ui) fn nodes(depths_and_names: &[(usize, &str)]) -> Vec<NodeRow> {
        let below = |index: usize| {
            depths_and_names[index + 1..]
                .iter()
                .take_while(|(depth, _)| *depth > depths_and_names[index].0)
                .count()
        };
        depths_and_names
            .iter()
            .enumerate()
            .map(|(index, (depth, name))| NodeRow {
                name: (*name).to_owned(),
                has_namesake: false,
                file_index: index,
                depth: *depth,
                descendants: below(index),
                kind: NodeKind::Group,
                is_animated: false,
                in_scene: true,
            })
            .collect()
    }

    #[test]
    fn the_next_match_goes_round() {
        let nodes = nodes(&[(0, "root"), (1, "arm"), (2, "Arm.R"), (0, "hat")]);
        assert_eq!(next_match(&nodes, "arm", None, false), Some(1));
        assert_eq!(next_match(&nodes, "arm", Some(1), false), Some(2));
        assert_eq!(next_match(&nodes, "arm", Some(2), false), Some(1));
        assert_eq!(next_match(&nodes, "arm", Some(1), true), Some(2));
        assert_eq!(next_match(&nodes, "arm", None, true), Some(2));
        assert_eq!(
            next_match(&nodes, "group", Some(3), false),
            Some(0),
            "kinds count"
        );
        assert_eq!(next_match(&nodes, "x", Some(0), false), None);
        assert_eq!(next_match(&nodes, "", Some(0), false), None);
    }

    #[test]
    fn searching_shows_the_way_to_what_it_found() {
        let nodes = nodes(&[
            (0, "root"),
            (1, "arm"),
            (2, "hand"),
            (2, "Hand.R"),
            (1, "leg"),
            (0, "hat"),
        ]);
        let all = |query: &str| found(&nodes, 0..nodes.len(), query);
        assert_eq!(all("hand"), (vec![0, 1, 2, 3], 2));
        assert_eq!(all("leg"), (vec![0, 4], 1));
        assert_eq!(all("h"), (vec![0, 1, 2, 3, 5], 3));
        assert_eq!(all("x"), (Vec::new(), 0));
        // Typed on, it is looked for where the letters before were found.
        for (before, query) in [("h", "ha"), ("ha", "hand"), ("a", "at"), ("e", "leg")] {
            let (rows, _) = all(before);
            let among = rows.iter().copied();
            assert_eq!(found(&nodes, among, query), all(query), "{query}");
        }
    }
}
