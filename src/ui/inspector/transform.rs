//! Where the chosen node is, in figures.

use egui::{Align2, FontId, Rect, Sense, Ui, pos2, vec2};

use crate::ui::theme::{Palette, palette};
use crate::ui::{View, text};

/// Draws the figures.
pub fn transform_ui(ui: &mut Ui, view: &View<'_>) {
    let at = view.selection;
    let size = view.statistics.size.into_iter().fold(0.0, f32::max);
    let length = |value: f32| text::length(value, size);
    let colours = palette(ui);
    ui.spacing_mut().item_spacing.y = 2.0;
    ui.add_space(2.0);
    values(
        ui,
        "Translation",
        &["X", "Y", "Z"],
        at.map(|at| at.translation.map(length)),
        colours,
    );
    let degrees = |angle: f32| format!("{}°", text::fixed(angle, 2));
    let euler = at.map(|at| text::euler_degrees(at.rotation).map(degrees));
    values(ui, "Rotation", &["X", "Y", "Z"], euler, colours);
    values(
        ui,
        "Quaternion",
        &["X", "Y", "Z", "W"],
        at.map(|at| at.rotation.map(|part| text::fixed(part, 4))),
        colours,
    );
    values(
        ui,
        "Scale",
        &["X", "Y", "Z"],
        at.map(|at| at.scale.map(text::number)),
        colours,
    );
    values(
        ui,
        "World position",
        &["X", "Y", "Z"],
        at.map(|at| at.world_position.map(length)),
        colours,
    );
}

/// A caption, and figures below it in equal columns.
fn values<const N: usize>(
    ui: &mut Ui,
    caption: &str,
    letters: &[&str; N],
    figures: Option<[String; N]>,
    colours: &Palette,
) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 36.0), Sense::hover());
    let painter = ui.painter();
    painter.text(
        rect.min,
        Align2::LEFT_TOP,
        caption,
        FontId::proportional(11.5),
        colours.weak,
    );
    let field = Rect::from_min_max(
        pos2(rect.left(), rect.top() + 15.0),
        pos2(rect.right(), rect.bottom() - 2.0),
    );
    let gap = 4.0;
    let width = (field.width() - gap * (N - 1) as f32) / N as f32;
    for place in 0..N {
        let left = field.left() + place as f32 * (width + gap);
        let cell = Rect::from_min_size(pos2(left, field.top()), vec2(width, field.height()));
        painter.rect_filled(cell, 3.0, colours.sunken);
        let axis = colours.axes.get(place).copied().unwrap_or(colours.weak);
        // Four columns of a quaternion leave no room for letters.
        if N <= 3 {
            let letter = cell.left_center() + vec2(5.0, 0.0);
            painter.text(
                letter,
                Align2::LEFT_CENTER,
                letters[place],
                FontId::proportional(11.0),
                axis,
            );
        }
        let (figure, colour) = match &figures {
            Some(figures) => (figures[place].as_str(), colours.text),
            None => ("–", colours.disabled),
        };
        let end = cell.right_center() - vec2(4.0, 0.0);
        painter.with_clip_rect(cell.intersect(ui.clip_rect())).text(
            end,
            Align2::RIGHT_CENTER,
            figure,
            FontId::proportional(12.0),
            colour,
        );
    }
    let words = figures.map(|figures| figures.join("  "));
    response.widget_info(|| {
        let words = words.as_deref().unwrap_or("none");
        egui::WidgetInfo::labeled(egui::Role::Label, true, format!("{caption}: {words}"))
    });
}
