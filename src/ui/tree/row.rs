//! A row of the scene tree: fold, icon, name, and what the clip in force does to it.

use egui::{Align2, FontId, Pos2, Rect, Sense, Stroke, Ui, pos2, vec2};

use crate::ui::{
    Command, NodeKind, NodeRow, NodesCommand, Sight, View,
    keys::{Action, written},
    text,
    theme::{self, colors_of},
    widgets::{
        self,
        icons::{self, Icon},
    },
};

/// Part of the panel's width that indents may take from names.
pub const INDENTED_PART: f32 = 0.36;

/// Width of the eye.
const EYE_SIDE: f32 = 20.0;

/// A row of the tree.
pub struct Row {
    /// Place in the hierarchy.
    pub index: usize,
    /// Whether what is below it is hidden.
    pub is_folded: bool,
    /// Of a level.
    pub indent: f32,
    /// Why it is among the rows.
    pub search: RowSearch,
}

/// What a search has to do with a row.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum RowSearch {
    /// There is no search.
    None,
    /// It found the row.
    Found,
    /// It found something below the row.
    OnTheWay,
}

/// Draws a row; returns whether its fold was clicked.
pub fn node_row(ui: &mut Ui, row: Row, view: &View<'_>, commands: &mut Vec<Command>) -> bool {
    let Row {
        index,
        is_folded,
        indent,
        search,
    } = row;
    let Some(node) = view.nodes.rows.get(index) else {
        return false;
    };
    let selected = view.nodes.selected == Some(index);
    let (rect, response) = widgets::row(ui, selected, || text::clean_name(&node.name).into_owned());
    let can_fold = node.descendants > 0 && search == RowSearch::None;
    ui.ctx().accesskit_node_builder(response.id, |builder| {
        builder.set_role(egui::Role::TreeItem);
        builder.set_level(node.depth + 1);
        if can_fold {
            builder.set_expanded(!is_folded);
        }
    });
    let sight = view.nodes.hiding.of(index);
    let is_seen = node.in_scene && sight == Sight::Shown;
    let colors = colors_of(ui);
    let indented = (node.depth as f32 * indent).min(rect.width() * INDENTED_PART);
    let left = rect.left() + 2.0 + indented;
    if !selected {
        guides(ui, rect, left, indent);
    }

    let mut was_toggled = can_fold && was_folded_by_key(ui, &response, is_folded);
    if can_fold {
        let place = pos2(left + 8.0, rect.center().y);
        was_toggled |= fold_ui(ui, place, &response, (node, is_folded));
    }
    let icon_center = pos2(left + 25.0, rect.center().y);
    icons::paint_sized(
        ui.painter(),
        icon_center,
        13.0,
        icon(node.kind),
        icon_color(node, is_seen, colors),
    );

    let mut right = rect.right() - 4.0;
    if eye_ui(ui, rect, &response, (index, node, sight), commands) {
        right -= EYE_SIDE;
    }
    right = marks_ui(ui, pos2(right, rect.center().y), node, is_folded);
    let color = match search {
        _ if selected => colors.strong,
        _ if !is_seen => colors.disabled,
        RowSearch::OnTheWay => colors.weak,
        RowSearch::Found => colors.strong,
        RowSearch::None => colors.text,
    };
    let name_rect = Rect::from_min_max(
        pos2(left + 36.0, rect.top()),
        pos2(right.max(left + 37.0), rect.bottom()),
    );
    widgets::paint_name(ui, name_rect, &node.name, color);
    if response.clicked() {
        commands.push(Command::SelectNode((!selected).then_some(index)));
    }
    widgets::row_tooltip(&response, |ui| hover_ui(ui, node, sight));
    was_toggled
}

/// What folds and unfolds a row; returns whether it was clicked.
fn fold_ui(
    ui: &Ui,
    center: Pos2,
    row: &egui::Response,
    (node, is_folded): (&NodeRow, bool),
) -> bool {
    let fold = Rect::from_center_size(center, vec2(16.0, theme::ROW_HEIGHT));
    // Not reached by Tab: that would double the stops on the way through the tree.
    let response = ui.interact(fold, row.id.with("fold"), Sense::CLICK);
    response.widget_info(|| {
        let act = if is_folded { "Unfold" } else { "Fold" };
        let label = format!("{act} {}", text::clean_name(&node.name));
        egui::WidgetInfo::labeled(egui::Role::DisclosureTriangle, true, label)
    });
    ui.ctx()
        .accesskit_node_builder(response.id, |builder| builder.set_expanded(!is_folded));
    let icon = if is_folded {
        Icon::ChevronRight
    } else {
        Icon::ChevronDown
    };
    let color = if response.hovered() {
        colors_of(ui).strong
    } else {
        colors_of(ui).weak
    };
    icons::paint_sized(ui.painter(), fold.center(), 11.0, icon, color);
    response.clicked()
}

/// Marks that end at a point: that the clip moves the node, and how many nodes are folded into it. Returns where they begin.
fn marks_ui(ui: &Ui, end: Pos2, node: &NodeRow, is_folded: bool) -> f32 {
    let (painter, colors) = (ui.painter(), colors_of(ui));
    let mut right = end.x;
    if node.is_animated {
        let center = pos2(right - 4.0, end.y);
        icons::paint_sized(painter, center, 9.0, Icon::Key, colors.accent);
        right -= 14.0;
    }
    if is_folded {
        let hidden = painter.text(
            pos2(right, end.y),
            Align2::RIGHT_CENTER,
            format!("+{}", text::thousands(node.descendants as u64)),
            FontId::proportional(11.5),
            colors.weak,
        );
        right = hidden.left() - 6.0;
    }
    right
}

/// Left and right fold and unfold the row that has the focus.
fn was_folded_by_key(ui: &Ui, response: &egui::Response, is_folded: bool) -> bool {
    if !response.has_focus() {
        return false;
    }
    let filter = egui::EventFilter {
        horizontal_arrows: true,
        ..Default::default()
    };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    let key = if is_folded {
        egui::Key::ArrowRight
    } else {
        egui::Key::ArrowLeft
    };
    ui.input_mut(|input| input.consume_key(egui::Modifiers::NONE, key))
}

/// The eye at the end of a row, while the pointer is over the row or the node is hidden; returns whether it is there.
fn eye_ui(
    ui: &Ui,
    rect: Rect,
    row: &egui::Response,
    (index, node, sight): (usize, &NodeRow, Sight),
    commands: &mut Vec<Command>,
) -> bool {
    let is_hovered = ui.rect_contains_pointer(rect);
    if !is_hovered && sight != Sight::Hidden {
        return false;
    }
    let colors = colors_of(ui);
    let center = rect.right_center() - vec2(4.0 + EYE_SIDE / 2.0, 0.0);
    let place = Rect::from_center_size(center, vec2(EYE_SIDE, theme::ROW_HEIGHT));
    // Like the fold, no stop for Tab: the key hides the chosen node.
    let eye = ui.interact(place, row.id.with("eye"), Sense::CLICK);
    let (icon, label) = match sight {
        Sight::Hidden => (Icon::EyeOff, "Show"),
        Sight::Shown | Sight::UnderHidden => (Icon::Eye, "Hide"),
    };
    eye.widget_info(|| {
        let name = format!("{label} {}", text::clean_name(&node.name));
        egui::WidgetInfo::selected(egui::Role::Switch, true, sight == Sight::Hidden, name)
    });
    let color = if eye.hovered() {
        colors.strong
    } else {
        colors.weak
    };
    icons::paint_sized(ui.painter(), center, 14.0, icon, color);
    if eye.clicked() {
        commands.push(Command::Nodes(NodesCommand::ToggleHidden(index)));
    }
    let keys = written(Action::HideNode, 0);
    widgets::tooltip(eye, label, &keys);
    true
}

fn hover_ui(ui: &mut Ui, node: &NodeRow, sight: Sight) {
    ui.label(egui::RichText::new(text::clean_name(&node.name)).color(colors_of(ui).strong));
    let kind = node.kind.label();
    let mut facts = format!("node {} · {kind}", node.file_index);
    if node.descendants > 0 {
        facts += &format!(" · {} below it", text::thousands(node.descendants as u64));
    }
    ui.weak(facts);
    if node.is_animated {
        ui.weak("moved by the clip in force");
    }
    match sight {
        Sight::Shown => {}
        Sight::Hidden => {
            ui.weak("hidden by you");
        }
        Sight::UnderHidden => {
            ui.weak("under a node that you have hidden");
        }
    }
    if !node.in_scene {
        ui.weak("not in the scene that is shown");
    }
}

/// Hairlines under the icons of the nodes above.
fn guides(ui: &Ui, rect: Rect, left: f32, indent: f32) {
    let stroke = Stroke::new(1.0, colors_of(ui).line);
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
        NodeKind::Light => Icon::Light,
    }
}

fn icon_color(node: &NodeRow, is_seen: bool, colors: &theme::Colors) -> egui::Color32 {
    match node.kind {
        _ if !is_seen => colors.disabled,
        NodeKind::Group => colors.weak,
        NodeKind::Joint => colors.warning,
        NodeKind::Mesh | NodeKind::SkinnedMesh => colors.info,
        NodeKind::Camera | NodeKind::Light => colors.text,
    }
}
