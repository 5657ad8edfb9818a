//! A card beside the pointer: the joints that move the vertex under it, with their weights.

use egui::{Align2, Area, FontId, Frame, Id, Margin, Order, Rect, Sense, Stroke, Ui, vec2};

use crate::ui::{InfluenceRow, View, text, theme::colors_of, widgets};

/// Room between the pointer and the card.
const FROM_POINTER: egui::Vec2 = vec2(18.0, 18.0);
const WIDTH: f32 = 220.0;
const ROW_HEIGHT: f32 = 18.0;

/// Draws the card, if there is anything under the pointer.
pub fn influence_card_ui(ui: &Ui, view: &View<'_>, viewport: Rect) {
    let pointer = ui.input(|input| input.pointer.hover_pos());
    let (Some(card), Some(pointer)) = (view.skeleton.influences, pointer) else {
        return;
    };
    if !viewport.contains(pointer) || viewport.width() < WIDTH + 20.0 {
        return;
    }
    let joint = card.moved_by.and_then(|joint| view.nodes.rows.get(joint));
    let least = if joint.is_some() { 2 } else { 1 };
    let is_still = card.rows.iter().all(|row| row.weight == 0.0);
    let lines = card.rows.len() + if is_still { least } else { 0 };
    let size = vec2(WIDTH, (lines as f32 + 1.0) * ROW_HEIGHT) + vec2(16.0, 12.0);
    // On the other side of the pointer where there is no room on this one.
    let mut place = pointer + FROM_POINTER;
    if place.x + size.x > viewport.right() {
        place.x = pointer.x - FROM_POINTER.x - size.x;
    }
    if place.y + size.y > viewport.bottom() {
        place.y = pointer.y - FROM_POINTER.y - size.y;
    }
    let colors = colors_of(ui);
    let area = Area::new(Id::unique("rigscope_influences"))
        .order(Order::Tooltip)
        .fixed_pos(place.max(viewport.min).round())
        .constrain(false)
        .interactable(false);
    let frame = Frame::NONE
        .fill(colors.panel.gamma_multiply(0.95))
        .stroke(Stroke::new(1.0, colors.line))
        .corner_radius(6)
        .inner_margin(Margin::symmetric(8, 6));
    area.show(ui.ctx(), |ui| {
        frame.show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            ui.set_width(WIDTH);
            let vertex = text::thousands(u64::from(card.vertex));
            said_ui(ui, &format!("Vertex {vertex}"));
            match joint {
                Some(joint) => {
                    said_ui(ui, "Moved as a whole by");
                    said_ui(ui, &joint.name);
                }
                None if is_still => said_ui(ui, "No joint moves it"),
                None => {}
            }
            for row in card.rows {
                let name = view.nodes.rows.get(row.node).map_or("", |node| &node.name);
                joint_ui(ui, row, name);
            }
        });
    });
}

/// A joint with its weight, and the colour that stands for it.
fn joint_ui(ui: &mut Ui, row: &InfluenceRow, name: &str) {
    const SQUARE: f32 = 11.0;
    let inner = line_ui(ui, 18.0, name, &text::fixed(row.weight, 3));
    if let Some(color) = row.color {
        let [red, green, blue] = color.map(|channel| (channel * 255.0).round() as u8);
        let center = egui::pos2(inner.left() + 6.0, inner.center().y);
        let square = Rect::from_center_size(center, vec2(SQUARE, SQUARE));
        let fill = egui::Color32::from_rgb(red, green, blue);
        ui.painter().rect_filled(square, 2.0, fill);
    }
}

/// Words about the vertex.
fn said_ui(ui: &mut Ui, words: &str) {
    line_ui(ui, 0.0, words, "");
}

/// A line with a figure at its right, its words so far from the left; returns where it is.
fn line_ui(ui: &mut Ui, indent: f32, name: &str, figure: &str) -> Rect {
    let colors = colors_of(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(WIDTH, ROW_HEIGHT), Sense::hover());
    let figure_rect = ui.painter().text(
        rect.right_center(),
        Align2::RIGHT_CENTER,
        figure,
        FontId::proportional(12.0),
        colors.strong,
    );
    let most = (figure_rect.left() - 8.0).min(rect.right());
    let name_rect = Rect::from_min_max(
        egui::pos2(rect.left() + indent, rect.top()),
        egui::pos2(most, rect.bottom()),
    );
    let color = if figure.is_empty() {
        colors.weak
    } else {
        colors.text
    };
    widgets::paint_name(ui, name_rect, name, color);
    let words = format!("{} {figure}", text::clean_name(name));
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, words.trim()));
    rect
}
