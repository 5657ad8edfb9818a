//! The menu of views for inspection, in a corner of the picture, and what the colours of a view mean.

use egui::{
    Align2, Area, Button, Checkbox, Color32, CornerRadius, FontId, Frame, Id, Margin, Mesh, Order,
    Rect, RichText, Sense, Stroke, TextWrapMode, Ui,
    containers::menu::{MenuButton, SubMenuButton},
    pos2, vec2,
};

use super::{bones, camera, motion::motion_rows_ui, posing};
use crate::ui::{
    Command, NodeKind, PictureCommand, View, compare,
    keys::{Action, written},
    text,
    theme::colors_of,
    widgets,
};
use crate::{
    model::Keyed as _,
    scene::{ViewMode, WeightColors},
};

/// Smaller pictures have no room for the menu, and those less wide than the second no room for legends.
const MIN_SIZE: egui::Vec2 = vec2(150.0, 90.0);
const MIN_LEGEND_WIDTH: f32 = 260.0;
/// Narrower ones have no room for the name of the view beside the other menus.
pub const MIN_LABEL_WIDTH: f32 = 480.0;
/// What legends leave of the width, with the frames on both sides: to one of the menus of camera and light, which lie above one
/// another then, or to both side by side.
const BESIDE_WIDTHS: [f32; 2] = [108.0, 180.0];

/// What the rows take as they stand in high windows.
const ENOUGH_HEIGHT: f32 = 868.0;

/// The name of the area of the menus.
pub const AREA: &str = "rigscope_view_menu";

/// After which views of [`ViewMode::ALL`] the menu has a line.
const GROUP_ENDS: [ViewMode; 4] = [
    ViewMode::Faces,
    ViewMode::Anisotropy,
    ViewMode::Uv,
    ViewMode::SkinningDifference,
];

/// Draws the menu and the legend; returns the rectangle of the menu's button.
pub fn view_menu_ui(
    ui: &Ui,
    view: &View<'_>,
    viewport: Rect,
    commands: &mut Vec<Command>,
) -> Option<Rect> {
    if viewport.width() < MIN_SIZE.x || viewport.height() < MIN_SIZE.y {
        return None;
    }
    let place = Align2::LEFT_BOTTOM;
    let button = corner_ui(ui, AREA, viewport, place, |ui| {
        let is_narrow = viewport.width() < camera::MIN_WIDE;
        if view.surfaces.mode != ViewMode::Lit && viewport.width() >= MIN_LEGEND_WIDTH {
            let taken = BESIDE_WIDTHS[usize::from(!is_narrow)];
            ui.scope(|ui| {
                ui.style_mut().wrap_mode = None;
                legend_ui(ui, view, viewport.width() - taken, commands);
            });
        }
        ui.horizontal(|ui| {
            if is_narrow {
                ui.spacing_mut().item_spacing.x = 4.0;
            }
            let button = button_ui(ui, view, viewport.width(), commands);
            bones::bones_menu_ui(ui, view, commands);
            posing::posing_menu_ui(ui, view, is_narrow, commands);
            button
        })
        .inner
    });
    Some(button)
}

/// Where the menus in the corners of the picture were in the frame before.
pub fn corner_rects(ui: &Ui) -> Vec<Rect> {
    let areas = [AREA, camera::AREA, compare::MENU_AREA];
    ui.memory(|memory| {
        let rects = areas
            .into_iter()
            .map(|area| memory.area_rect(Id::unique(area)));
        rects.flatten().collect()
    })
}

/// A framed area in a corner of the picture, as wide as the words in it: an area is offered the width of the frame before,
/// when it may have held less.
pub fn corner_ui<R>(
    ui: &Ui,
    name: &'static str,
    viewport: Rect,
    corner: Align2,
    contents: impl FnOnce(&mut Ui) -> R,
) -> R {
    let colors = colors_of(ui);
    let area = Area::new(Id::unique(name))
        .order(Order::Middle)
        .fixed_pos(corner.pos_in_rect(&viewport.shrink(8.0)))
        .pivot(corner)
        .constrain(false)
        .movable(false);
    let frame = Frame::NONE
        .fill(colors.panel.gamma_multiply(0.9))
        .stroke(Stroke::new(1.0, colors.line))
        .corner_radius(CornerRadius::same(6))
        .inner_margin(Margin::same(4));
    let shown = area.show(ui.ctx(), |ui| {
        ui.style_mut().wrap_mode = Some(TextWrapMode::Extend);
        frame.show(ui, contents).inner
    });
    shown.inner
}

fn button_ui(
    ui: &mut Ui,
    view: &View<'_>,
    viewport_width: f32,
    commands: &mut Vec<Command>,
) -> Rect {
    // In narrow pictures the legend above says which view it is.
    let label = if viewport_width < MIN_LABEL_WIDTH {
        "View".to_owned()
    } else {
        format!("View: {}", view.surfaces.mode.label())
    };
    let menu = MenuButton::new(label).config(widgets::menu_config());
    let response = widgets::menu_button(ui, menu, |ui| {
        ui.set_min_width(220.0);
        // In low windows it scrolls, with its frame and what is beside it in sight.
        let height = room(ui);
        close_up(ui);
        egui::ScrollArea::vertical()
            .max_height(height)
            // Menus are offered 400 points, which is too little for all of it.
            .min_scrolled_height(height)
            .show(ui, |ui| {
                rows_ui(ui, view, commands);
                ui.separator();
                lines_ui(ui, view, commands);
                ui.separator();
                motion_rows_ui(ui, view.motion, commands);
            });
    });
    let keys = written(Action::ViewStep, 1);
    let hint = format!("What is drawn of surfaces ({keys}: the next)");
    response.on_hover_text(hint).rect
}

fn room(ui: &Ui) -> f32 {
    ui.ctx().content_rect().height() - 52.0
}

/// Rows stand closer where that brings all of them into sight.
fn close_up(ui: &mut Ui) {
    if room(ui) < ENOUGH_HEIGHT {
        ui.spacing_mut().item_spacing.y = 0.0;
        ui.spacing_mut().button_padding.y = 1.0;
        ui.spacing_mut().interact_size.y = 20.0;
    }
}

fn rows_ui(ui: &mut Ui, view: &View<'_>, commands: &mut Vec<Command>) {
    let mut has_layers = false;
    for &mode in ViewMode::ALL {
        if !mode.is_about_layers() {
            row_ui(ui, mode, view, commands);
        } else if !std::mem::replace(&mut has_layers, true) {
            layers_ui(ui, view, commands);
        }
        if GROUP_ENDS.contains(&mode) {
            ui.separator();
        }
    }
}

/// Why there is nothing to see in a view; none if there is.
pub fn why_not(mode: ViewMode, view: &View<'_>) -> Option<&'static str> {
    let is_lacking = !view.surfaces.inspectable.has(mode);
    is_lacking.then(|| why_lacking(view, "No material has this layer"))
}

fn row_ui(ui: &mut Ui, mode: ViewMode, view: &View<'_>, commands: &mut Vec<Command>) {
    let (is_chosen, why_not) = (mode == view.surfaces.mode, why_not(mode, view));
    let row = Button::selectable(is_chosen, mode.label());
    let row = ui.add_enabled(why_not.is_none(), row);
    let row = row.on_disabled_hover_text(why_not.unwrap_or_default());
    if row.on_hover_text(mode.explanation()).clicked() {
        commands.push(Command::Picture(PictureCommand::SetViewMode(mode)));
        ui.close();
    }
}

/// The views of layers, in a menu of their own: few materials have many.
fn layers_ui(ui: &mut Ui, view: &View<'_>, commands: &mut Vec<Command>) {
    let row = Button::selectable(view.surfaces.mode.is_about_layers(), "Layers")
        .right_text(SubMenuButton::arrow_atom(None));
    let menu = SubMenuButton::from_button(row).config(widgets::menu_config());
    menu.ui(ui, |ui| {
        ui.set_min_width(200.0);
        close_up(ui);
        for &mode in ViewMode::ALL.iter().filter(|mode| mode.is_about_layers()) {
            row_ui(ui, mode, view, commands);
        }
    });
}

/// Why there is nothing to see: no model, or what it lacks.
fn why_lacking(view: &View<'_>, words: &'static str) -> &'static str {
    view.instead_of_model().unwrap_or(words)
}

/// Why there are no edges to draw.
pub const NO_EDGES: &str = "The file has no triangles";
/// Why there are no normals to draw.
pub const NO_NORMALS: &str = "The file has no normals";

/// Lines over the surface, whichever view it is.
fn lines_ui(ui: &mut Ui, view: &View<'_>, commands: &mut Vec<Command>) {
    let (lines, inspectable) = (view.shown.lines, view.surfaces.inspectable);
    let rows = [
        (
            lines.wires,
            "Edges of triangles",
            "As lines over the surface",
            (inspectable.lacks_edges, NO_EDGES),
            Action::Wires,
        ),
        (
            lines.normals,
            "Normals of vertices",
            "As lines: which way the file's normals point, as they are posed",
            (inspectable.lacks_normals, NO_NORMALS),
            Action::Normals,
        ),
    ];
    for (is_shown, words, hint, (is_lacking, why_not), action) in rows {
        let mut is_checked = is_shown;
        let box_ = Checkbox::new(&mut is_checked, words);
        // What is on can be switched off in any model.
        let box_ = ui.add_enabled(is_shown || !is_lacking, box_);
        let hint = if is_lacking {
            why_lacking(view, why_not)
        } else {
            hint
        };
        if widgets::tooltip(box_, hint, &written(action, 0)).clicked() {
            commands.extend(lines_by_key(action, view));
        }
    }
}

/// What the key of lines asks for.
pub fn lines_by_key(action: Action, view: &View<'_>) -> Option<Command> {
    let (lines, inspectable) = (view.shown.lines, view.surfaces.inspectable);
    let (is_shown, is_lacking, command) = match action {
        Action::Wires => (
            lines.wires,
            inspectable.lacks_edges,
            PictureCommand::ToggleWires,
        ),
        Action::Normals => (
            lines.normals,
            inspectable.lacks_normals,
            PictureCommand::ToggleNormals,
        ),
        _ => return None,
    };
    (is_shown || !is_lacking).then_some(Command::Picture(command))
}

/// What the view's colours mean.
fn legend_ui(ui: &mut Ui, view: &View<'_>, width: f32, commands: &mut Vec<Command>) {
    let colors = colors_of(ui);
    ui.set_max_width(width.min(340.0));
    ui.spacing_mut().item_spacing.y = 4.0;
    match view.surfaces.mode {
        ViewMode::Weights => {
            let chosen = view
                .nodes
                .selected
                .and_then(|node| view.nodes.rows.get(node));
            const PROMPT: &str = "Click the model, or a joint in the list";
            let words = match chosen {
                // What no skin deforms moves as its own node does.
                Some(node) if matches!(node.kind, NodeKind::Joint | NodeKind::Mesh) => {
                    text::clean_name(&node.name).into_owned()
                }
                Some(node) => {
                    let name = text::clean_name(&node.name);
                    format!("{name} is no joint of the mesh. {PROMPT}")
                }
                None => PROMPT.to_owned(),
            };
            ui.label(RichText::new(words).color(colors.strong));
            ui.horizontal_wrapped(|ui| {
                let words = "Weight of the joint at a vertex";
                scale_ui(ui, view.surfaces.weight_colors, words, "1");
                let other = match view.surfaces.weight_colors {
                    WeightColors::Heat => (WeightColors::Viridis, "For colour-blind eyes"),
                    WeightColors::Viridis => (WeightColors::Heat, "Blue to red"),
                };
                let button = ui.small_button(other.1);
                if button.on_hover_text("Other colours for weights").clicked() {
                    commands.push(Command::Picture(PictureCommand::SetWeightColors(other.0)));
                }
            });
        }
        ViewMode::SkinningDifference => {
            ui.label(RichText::new(view.surfaces.mode.explanation()).color(colors.strong));
            let most = format!(
                "{} units or more",
                text::number(view.compare.difference_scale)
            );
            ui.horizontal_wrapped(|ui| {
                scale_ui(ui, WeightColors::Viridis, "Distance of both places", &most);
            });
        }
        ViewMode::Influences | ViewMode::Faces => swatches_ui(ui, view.surfaces.mode.swatches()),
        mode => {
            ui.label(RichText::new(mode.explanation()).color(colors.weak));
            if let Some(words) = lacking(view) {
                ui.label(RichText::new(words).color(colors.warning));
            }
        }
    }
}

/// What the materials or the meshes lack that the view is about.
fn lacking(view: &View<'_>) -> Option<String> {
    if let Some(words) = why_not(view.surfaces.mode, view) {
        return Some(words.to_owned());
    }
    let statistics = &view.statistics;
    let (count, what) = match view.surfaces.mode {
        ViewMode::Tangent => (statistics.without_tangents, "tangents"),
        ViewMode::Uv => (statistics.without_tex_coords, "texture coordinates"),
        ViewMode::VertexColor => (statistics.without_colors, "colours"),
        _ => return None,
    };
    let parts = statistics.parts;
    (count > 0).then(|| match parts {
        1 => format!("This mesh has no {what}"),
        _ if count == parts => format!("These meshes have no {what}"),
        _ => format!("{count} of {parts} parts of meshes have no {what}"),
    })
}

fn screen_color(color: [f32; 3]) -> Color32 {
    let [red, green, blue] = color.map(|channel| (channel * 255.0).round() as u8);
    Color32::from_rgb(red, green, blue)
}

/// The colours from 0 to the most.
fn scale_ui(ui: &mut Ui, weights: WeightColors, words: &str, most: &str) {
    let colors = colors_of(ui);
    let figure = |ui: &mut Ui, figure: &str| {
        ui.label(
            RichText::new(figure)
                .font(FontId::proportional(12.0))
                .color(colors.text),
        );
    };
    figure(ui, "0");
    let (rect, response) = ui.allocate_exact_size(vec2(130.0, 12.0), Sense::hover());
    response.on_hover_text(words);
    let mut mesh = Mesh::default();
    for (place, stop) in weights.stops().into_iter().enumerate() {
        let x = rect.left() + rect.width() * place as f32 / 4.0;
        for y in [rect.top(), rect.bottom()] {
            mesh.colored_vertex(pos2(x, y), screen_color(stop));
        }
        if let Some(first) = (2 * place as u32).checked_sub(2) {
            mesh.add_triangle(first, first + 1, first + 2);
            mesh.add_triangle(first + 1, first + 2, first + 3);
        }
    }
    ui.painter().add(mesh);
    figure(ui, most);
}

fn swatches_ui(ui: &mut Ui, swatches: &[(&str, [f32; 3])]) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 5.0;
        for &(name, color) in swatches {
            let (rect, _) = ui.allocate_exact_size(vec2(12.0, 12.0), Sense::hover());
            ui.painter().rect_filled(rect, 2.0, screen_color(color));
            ui.label(RichText::new(name).color(colors_of(ui).text));
        }
    });
}
