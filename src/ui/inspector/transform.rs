//! Where the chosen node is, in figures: relative to its parent, or in the world.

use egui::{
    Align, Align2, FontId, Layout, Rect, RichText, Role, Sense, Ui, WidgetInfo, pos2, vec2,
};

use crate::ui::details::InspectCommand;
use crate::ui::icons::Icon;
use crate::ui::keys::{Action, written};
use crate::ui::theme::{Palette, palette};
use crate::ui::widgets::IconButton;
use crate::ui::{Command, Placement, View, text, widgets};

const XYZ: [&str; 3] = ["X", "Y", "Z"];

/// Draws the figures.
pub fn transform_ui(ui: &mut Ui, view: &View<'_>, commands: &mut Vec<Command>) {
    let in_world = view.shown.world_figures;
    let shown = view
        .selection
        .map(|at| if in_world { at.world } else { at.local });
    ui.spacing_mut().item_spacing.y = 2.0;
    ui.add_space(4.0);
    heading_ui(ui, in_world, shown.as_ref(), commands);
    let size = view.statistics.size.into_iter().fold(0.0, f32::max);
    let length = |value: f32| text::length(value, size);
    let colours = palette(ui);
    let lengths = shown.map(|at| at.translation.map(length));
    values(ui, "Translation", &XYZ, lengths, colours);
    let degrees = |angle: f32| format!("{}°", text::fixed(angle, 2));
    let euler = shown.map(|at| text::euler_degrees(at.rotation).map(degrees));
    values(ui, "Rotation", &XYZ, euler, colours);
    let parts = shown.map(|at| at.rotation.map(|part| text::fixed(part, 4)));
    values(ui, "Quaternion", &["X", "Y", "Z", "W"], parts, colours);
    let scale = shown.map(|at| at.scale.map(text::number));
    let is_sheared = shown.is_some_and(|at| at.is_sheared);
    let caption = if is_sheared {
        "Scale (skewed besides, by a parent's)"
    } else {
        "Scale"
    };
    values(ui, caption, &XYZ, scale, colours);
    // Where it is in the other space, so that nothing below moves when they are switched.
    let (caption, other) = match view.selection {
        Some(at) if in_world => ("Local translation", Some(at.local)),
        None if in_world => ("Local translation", None),
        at => ("World position", at.map(|at| at.world)),
    };
    let lengths = other.map(|at| at.translation.map(length));
    values(ui, caption, &XYZ, lengths, colours);
}

/// Which figures are shown, and what copies them.
fn heading_ui(ui: &mut Ui, in_world: bool, shown: Option<&Placement>, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        let spaces = [
            (false, "Local", "Relative to its parent"),
            (true, "World", "In the world"),
        ];
        for (is_world, name, hint) in spaces {
            let is_chosen = is_world == in_world;
            let words = RichText::new(name).size(12.0);
            let button = ui.selectable_label(is_chosen, words);
            button.widget_info(|| {
                let words = format!("Figures: {name}");
                WidgetInfo::selected(Role::RadioButton, true, is_chosen, words)
            });
            let keys = written(Action::FigureSpace, 0);
            let button = widgets::tooltip(button, hint, &keys);
            if button.clicked() && !is_chosen {
                commands.push(Command::Inspect(InspectCommand::SwitchSpace));
            }
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let label = "Copy the figures as text";
            let copy = IconButton::new(Icon::Copy, label).enabled(shown.is_some());
            if copy.side(20.0).show(ui).clicked()
                && let Some(shown) = shown
            {
                ui.copy_text(as_text(shown, in_world));
            }
        });
    });
}

/// All figures in full, a line each.
fn as_text(at: &Placement, in_world: bool) -> String {
    let space = if in_world { "world" } else { "local" };
    let [tx, ty, tz] = at.translation;
    let [x, y, z] = text::euler_degrees(at.rotation);
    let [qx, qy, qz, qw] = at.rotation;
    let [sx, sy, sz] = at.scale;
    format!(
        "{space} translation {tx} {ty} {tz}\n\
         {space} rotation XYZ degrees {x} {y} {z}\n\
         {space} rotation quaternion XYZW {qx} {qy} {qz} {qw}\n\
         {space} scale {sx} {sy} {sz}\n"
    )
}

/// A caption, and figures below it in equal columns; a click copies them.
fn values<const N: usize>(
    ui: &mut Ui,
    caption: &str,
    letters: &[&str; N],
    figures: Option<[String; N]>,
    colours: &Palette,
) {
    let sense = if figures.is_some() {
        Sense::click()
    } else {
        Sense::hover()
    };
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 36.0), sense);
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
    let is_lit = figures.is_some() && (response.hovered() || response.has_focus());
    for place in 0..N {
        let left = field.left() + place as f32 * (width + gap);
        let cell = Rect::from_min_size(pos2(left, field.top()), vec2(width, field.height()));
        let ground = if is_lit {
            colours.raised
        } else {
            colours.sunken
        };
        painter.rect_filled(cell, 3.0, ground);
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
    let role = if words.is_some() {
        Role::Button
    } else {
        Role::Label
    };
    response.widget_info(|| {
        let words = words.as_deref().unwrap_or("none");
        WidgetInfo::labeled(role, true, format!("{caption}: {words}"))
    });
    if let Some(words) = words {
        if response.clicked() {
            // What is read as a number elsewhere has another minus sign, and no degrees.
            let plain = words.replace('−', "-").replace('°', "");
            ui.copy_text(plain.replace("  ", " "));
        }
        response.on_hover_text("Click to copy");
    }
}
