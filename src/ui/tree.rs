//! The scene tree: all nodes of the file, folded, searched and chosen.

use std::collections::HashSet;

use egui::{Align2, FontId, Rect, ScrollArea, Sense, Stroke, Ui, pos2, vec2};

use super::icons::{self, Icon};
use super::theme::{self, palette};
use super::{Command, NodeKind, NodeRow, View, text, widgets};

/// Indent of a level, where there is room for it.
const MAX_INDENT: f32 = 14.0;
/// The least by which a level is set off; deeper trees than fit so go on at the same place.
const MIN_INDENT: f32 = 4.0;
/// Part of the panel's width that indents may take from names.
const INDENTED_PART: f32 = 0.36;

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
    /// Which file all this is about.
    file: (u64, usize),
    search: Search,
}

/// Rows that a search found, kept until the question changes.
#[derive(Debug, Default)]
struct Search {
    query: String,
    rows: Vec<usize>,
}

/// Draws the tree, down to `bottom`.
pub fn tree_ui(
    ui: &mut Ui,
    state: &mut TreeState,
    view: &View<'_>,
    bottom: f32,
    commands: &mut Vec<Command>,
) {
    let file = (view.model_generation, view.nodes.len());
    if state.file != file {
        *state = TreeState {
            file,
            max_depth: view.nodes.iter().map(|node| node.depth).max().unwrap_or(0),
            query: std::mem::take(&mut state.query),
            ..TreeState::default()
        };
    }
    let figure = text::thousands(view.nodes.len() as u64);
    widgets::section(ui, "Nodes", &figure, |ui| {
        if view.nodes.is_empty() {
            ui.weak("This file has no nodes");
            return;
        }
        widgets::search_field(ui, &mut state.query, "Search nodes");
        ui.add_space(2.0);
        let room = (bottom - ui.cursor().top()).max(theme::ROW_HEIGHT);
        rows_ui(ui, state, view, room, commands);
    });
}

fn rows_ui(
    ui: &mut Ui,
    state: &mut TreeState,
    view: &View<'_>,
    room: f32,
    commands: &mut Vec<Command>,
) {
    let query = state.query.trim().to_lowercase();
    let is_searching = !query.is_empty();
    let is_new_choice = state.last_selected != view.selected_node;
    state.last_selected = view.selected_node;
    if is_new_choice && let Some(selected) = view.selected_node {
        unfold_to(&mut state.folded, view.nodes, selected);
    }
    let unfolded;
    let rows: &[usize] = if is_searching {
        if state.search.query != query {
            state.search.rows = found(view.nodes, &query);
            state.search.query = query;
        }
        &state.search.rows
    } else {
        state.search = Search::default();
        unfolded = unfolded_rows(view.nodes, &state.folded);
        &unfolded
    };
    if rows.is_empty() {
        ui.weak("No node of that name");
        return;
    }
    ui.spacing_mut().item_spacing.y = 0.0;
    let mut area = ScrollArea::vertical()
        .id_salt("nodes")
        .max_height(room)
        .auto_shrink([false, false]);
    if is_new_choice
        && let Some(place) = view
            .selected_node
            .and_then(|node| rows.binary_search(&node).ok())
        && !is_in_sight(ui, place, room)
    {
        area =
            area.vertical_scroll_offset((place as f32 * theme::ROW_HEIGHT - room / 2.0).max(0.0));
    }
    let indent = (ui.available_width() * INDENTED_PART / state.max_depth.max(1) as f32)
        .clamp(MIN_INDENT, MAX_INDENT);
    let mut toggled = None;
    let output = area.show_rows(ui, theme::ROW_HEIGHT, rows.len(), |ui, range| {
        for place in range {
            let index = rows[place];
            let row = Row {
                index,
                is_folded: state.folded.contains(&index) && !is_searching,
                indent,
            };
            if node_row(ui, row, view, commands) {
                toggled = Some(index);
            }
        }
    });
    let seen = (output.state.clamped_offset().y, output.inner_rect.height());
    ui.data_mut(|data| data.insert_temp(seen_id(), seen));
    if let Some(index) = toggled
        && !state.folded.remove(&index)
    {
        state.folded.insert(index);
    }
}

fn seen_id() -> egui::Id {
    egui::Id::unique("rigscope_tree_seen")
}

/// Whether a row was in sight when the tree was last drawn.
fn is_in_sight(ui: &Ui, place: usize, room: f32) -> bool {
    let (top, height) = ui
        .data(|data| data.get_temp::<(f32, f32)>(seen_id()))
        .unwrap_or((0.0, room));
    let y = place as f32 * theme::ROW_HEIGHT;
    y >= top && y + theme::ROW_HEIGHT <= top + height
}

fn unfolded_rows(nodes: &[NodeRow], folded: &HashSet<usize>) -> Vec<usize> {
    if folded.is_empty() {
        return (0..nodes.len()).collect();
    }
    let mut rows = Vec::new();
    let mut index = 0;
    while let Some(node) = nodes.get(index) {
        rows.push(index);
        index += if folded.contains(&index) {
            node.descendants + 1
        } else {
            1
        };
    }
    rows
}

/// Nodes whose names contain the query, with all nodes above them.
fn found(nodes: &[NodeRow], query: &str) -> Vec<usize> {
    let mut rows = Vec::new();
    // Nodes above the current one, and how many of them are among the rows already.
    let mut path: Vec<usize> = Vec::new();
    let mut shown_of_path = 0;
    for (index, node) in nodes.iter().enumerate() {
        while path
            .last()
            .is_some_and(|above| nodes[*above].depth >= node.depth)
        {
            path.pop();
        }
        shown_of_path = shown_of_path.min(path.len());
        path.push(index);
        if text::clean_name(&node.name).to_lowercase().contains(query) {
            rows.extend_from_slice(&path[shown_of_path..]);
            shown_of_path = path.len();
        }
    }
    rows
}

fn unfold_to(folded: &mut HashSet<usize>, nodes: &[NodeRow], selected: usize) {
    folded.retain(|above| {
        let below = nodes.get(*above).map_or(0, |node| node.descendants);
        !(*above < selected && selected <= above + below)
    });
}

/// A row of the tree.
struct Row {
    /// Place in the hierarchy.
    index: usize,
    is_folded: bool,
    /// Of a level.
    indent: f32,
}

/// Draws a row; returns whether its fold was clicked.
fn node_row(ui: &mut Ui, row: Row, view: &View<'_>, commands: &mut Vec<Command>) -> bool {
    let Row {
        index,
        is_folded,
        indent,
    } = row;
    let Some(node) = view.nodes.get(index) else {
        return false;
    };
    let selected = view.selected_node == Some(index);
    let (rect, response) = widgets::row(ui, selected, || text::clean_name(&node.name).into_owned());
    let colours = palette(ui);
    let indented = (node.depth as f32 * indent).min(rect.width() * INDENTED_PART);
    let left = rect.left() + 2.0 + indented;
    if !selected {
        guides(ui, rect, left, indent);
    }

    let mut was_toggled = false;
    if node.descendants > 0 {
        let fold = Rect::from_center_size(
            pos2(left + 8.0, rect.center().y),
            vec2(16.0, theme::ROW_HEIGHT),
        );
        // Not reached by Tab: that would double the stops on the way through the tree.
        let fold_response = ui.interact(fold, response.id.with("fold"), Sense::CLICK);
        fold_response.widget_info(|| {
            egui::WidgetInfo::labeled(egui::Role::DisclosureTriangle, true, "Fold")
        });
        let icon = if is_folded {
            Icon::ChevronRight
        } else {
            Icon::ChevronDown
        };
        let colour = if fold_response.hovered() {
            colours.strong
        } else {
            colours.weak
        };
        icons::paint_sized(ui.painter(), fold.center(), 11.0, icon, colour);
        was_toggled = fold_response.clicked();
    }
    let icon_center = pos2(left + 25.0, rect.center().y);
    icons::paint_sized(
        ui.painter(),
        icon_center,
        13.0,
        icon(node.kind),
        icon_colour(node, colours),
    );

    let mut right = rect.right() - 8.0;
    if node.is_animated {
        icons::paint_sized(
            ui.painter(),
            pos2(right - 4.0, rect.center().y),
            9.0,
            Icon::Key,
            colours.accent,
        );
        right -= 14.0;
    }
    if is_folded {
        let hidden = ui.painter().text(
            pos2(right, rect.center().y),
            Align2::RIGHT_CENTER,
            format!("+{}", text::thousands(node.descendants as u64)),
            FontId::proportional(11.5),
            colours.weak,
        );
        right = hidden.left() - 6.0;
    }
    let colour = match (selected, node.in_scene) {
        (true, _) => colours.strong,
        (false, true) => colours.text,
        (false, false) => colours.disabled,
    };
    let name_rect = Rect::from_min_max(
        pos2(left + 36.0, rect.top()),
        pos2(right.max(left + 37.0), rect.bottom()),
    );
    widgets::paint_name(ui, name_rect, &node.name, colour);
    if response.clicked() {
        commands.push(Command::SelectNode((!selected).then_some(index)));
    }
    response.on_hover_ui(|ui| hover_ui(ui, node));
    was_toggled
}

fn hover_ui(ui: &mut Ui, node: &NodeRow) {
    ui.label(egui::RichText::new(text::clean_name(&node.name)).color(palette(ui).strong));
    let kind = match node.kind {
        NodeKind::Group => "group",
        NodeKind::Joint => "joint",
        NodeKind::Mesh => "mesh",
        NodeKind::SkinnedMesh => "skinned mesh",
        NodeKind::Camera => "camera",
    };
    let mut facts = format!("node {} · {kind}", node.file_index);
    if node.descendants > 0 {
        facts += &format!(" · {} below it", text::thousands(node.descendants as u64));
    }
    ui.weak(facts);
    if node.is_animated {
        ui.weak("moved by the clip in force");
    }
    if !node.in_scene {
        ui.weak("not in the scene that is shown");
    }
}

/// Hairlines under the icons of the nodes above.
fn guides(ui: &Ui, rect: Rect, left: f32, indent: f32) {
    let stroke = Stroke::new(1.0, palette(ui).line);
    let mut x = rect.left() + 2.0 + 8.0;
    while x < left {
        ui.painter().vline(x.round() + 0.5, rect.y_range(), stroke);
        x += indent;
    }
}

fn icon(kind: NodeKind) -> Icon {
    match kind {
        NodeKind::Group => Icon::Group,
        NodeKind::Joint => Icon::Joint,
        NodeKind::Mesh => Icon::Mesh,
        NodeKind::SkinnedMesh => Icon::SkinnedMesh,
        NodeKind::Camera => Icon::Camera,
    }
}

fn icon_colour(node: &NodeRow, colours: &theme::Palette) -> egui::Color32 {
    match node.kind {
        _ if !node.in_scene => colours.disabled,
        NodeKind::Group => colours.weak,
        NodeKind::Joint => colours.warning,
        NodeKind::Mesh | NodeKind::SkinnedMesh => colours.info,
        NodeKind::Camera => colours.text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nodes(depths_and_names: &[(usize, &str)]) -> Vec<NodeRow> {
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
    fn folding_hides_what_is_below() {
        let nodes = nodes(&[(0, "a"), (1, "b"), (2, "c"), (1, "d"), (0, "e")]);
        assert_eq!(unfolded_rows(&nodes, &HashSet::from([1])), [0, 1, 3, 4]);
        assert_eq!(unfolded_rows(&nodes, &HashSet::from([0, 1])), [0, 4]);
        let mut folded = HashSet::from([0, 1, 4]);
        unfold_to(&mut folded, &nodes, 2);
        assert_eq!(folded, HashSet::from([4]));
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
        assert_eq!(found(&nodes, "hand"), [0, 1, 2, 3]);
        assert_eq!(found(&nodes, "leg"), [0, 4]);
        assert_eq!(found(&nodes, "h"), [0, 1, 2, 3, 5]);
        assert!(found(&nodes, "x").is_empty());
    }
}
