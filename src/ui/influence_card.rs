//! A card beside the pointer: the joints that move the vertex under it, with their weights.

use egui::{Align2, Area, FontId, Frame, Id, Margin, Order, Rect, Sense, Stroke, Ui, vec2};

use super::theme::colors_of;
use super::{View, text, widgets};

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
    let joint = card.moved_by.and_then(|joint| view.nodes.get(joint));
    let least = if joint.is_some() { 2 } else { 1 };
    let rows = card.rows.len().max(least) as f32;
    let size = vec2(WIDTH, (rows + 1.0) * ROW_HEIGHT) + vec2(16.0, 12.0);
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
            row_ui(ui, None, &format!("Vertex {vertex}"), "");
            match joint {
                Some(joint) => {
                    row_ui(ui, None, "Moved as a whole by", "");
                    row_ui(ui, None, &joint.name, "");
                }
                None if card.rows.is_empty() => row_ui(ui, None, "No joint moves it", ""),
                None => {}
            }
            for row in card.rows {
                let name = view.nodes.get(row.node).map_or("", |node| &node.name);
                row_ui(ui, Some(row.color), name, &text::fixed(row.weight, 3));
            }
        });
    });
}

fn row_ui(ui: &mut Ui, color: Option<[f32; 3]>, name: &str, figure: &str) {
    let colors = colors_of(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(WIDTH, ROW_HEIGHT), Sense::hover());
    let mut left = rect.left();
    if let Some(color) = color {
        let [red, green, blue] = color.map(|channel| (channel * 255.0).round() as u8);
        let swatch = Rect::from_center_size(
            egui::pos2(rect.left() + 6.0, rect.center().y),
            vec2(11.0, 11.0),
        );
        let fill = egui::Color32::from_rgb(red, green, blue);
        ui.painter().rect_filled(swatch, 2.0, fill);
        left += 18.0;
    }
    let figure_rect = ui.painter().text(
        rect.right_center(),
        Align2::RIGHT_CENTER,
        figure,
        FontId::proportional(12.0),
        colors.strong,
    );
    let most = (figure_rect.left() - 8.0).min(rect.right());
    let name_rect = Rect::from_min_max(
        egui::pos2(left, rect.top()),
        egui::pos2(most, rect.bottom()),
    );
    let color = if color.is_some() {
        colors.text
    } else {
        colors.weak
    };
    widgets::paint_name(ui, name_rect, name, color);
    let words = format!("{} {figure}", text::clean_name(name));
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, words.trim()));
}
