//! Where the chosen node is, in figures: relative to its parent, or in the world.

use egui::{
    Align, Align2, FontId, Layout, Rect, Response, RichText, Role, Sense, TextStyle, Ui,
    WidgetInfo, pos2, vec2,
};

use crate::anim::PosingPart;
use crate::ui::{
    Command, DragCommand, InspectCommand, Placement, PosingCommand, Selection, View,
    keys::{Action, written},
    text,
    theme::colors_of,
    widgets::{self, IconButton, icons::Icon, numbers},
};

const XYZ: [&str; 3] = ["X", "Y", "Z"];
const FONT: FontId = FontId::proportional(12.0);

/// A part of a transform in figures.
struct Figures<'a> {
    part: PosingPart,
    caption: &'a str,
    numbers: [f32; 3],
    /// As they are shown, without the unit.
    written: &'a dyn Fn(f32) -> String,
    unit: &'a str,
    /// How far a point of a drag goes, or a key.
    step: f64,
}

/// Draws the figures. Those relative to the parent can be dragged and typed.
pub fn transform_ui(
    ui: &mut Ui,
    view: &View<'_>,
    selection: &Selection,
    commands: &mut Vec<Command>,
) {
    let in_world = view.shown.world_figures;
    // Where it is in the other space stands below, so that nothing moves when they are switched.
    let (at, beside, other) = if in_world {
        (&selection.world, "Local translation", &selection.local)
    } else {
        (&selection.local, "World position", &selection.world)
    };
    ui.spacing_mut().item_spacing.y = 2.0;
    ui.add_space(4.0);
    heading_ui(ui, in_world, at, commands);
    let size = view.statistics.size.into_iter().fold(0.0, f32::max);
    let length = |value: f32| text::length(value, size);
    let unit = if size > 0.0 { f64::from(size) } else { 1.0 };
    let translation = Figures {
        part: PosingPart::Translation,
        caption: "Translation",
        numbers: at.translation,
        written: &length,
        unit: "",
        step: 0.002 * unit,
    };
    let rotation = Figures {
        part: PosingPart::Rotation,
        caption: "Rotation",
        numbers: at.rotation_degrees,
        written: &|angle| text::fixed(angle, 2),
        unit: "°",
        step: 0.5,
    };
    let scale = Figures {
        part: PosingPart::Scale,
        caption: if at.is_sheared {
            "Scale (skewed besides, by a parent's)"
        } else {
            "Scale"
        },
        numbers: at.scale,
        written: &text::number,
        unit: "",
        step: 0.005,
    };
    let takes_numbers = view.posing.takes_numbers && !in_world;
    // What is typed belongs to this node.
    ui.push_id((view.model.generation, view.nodes.selected), |ui| {
        let mut figures_ui = |ui: &mut Ui, figures: &Figures<'_>| {
            if takes_numbers {
                fields_ui(ui, figures, commands);
            } else {
                let words = figures
                    .numbers
                    .map(|number| (figures.written)(number) + figures.unit);
                values_ui(ui, figures.caption, &XYZ, words);
            }
        };
        figures_ui(ui, &translation);
        figures_ui(ui, &rotation);
        let parts = at.rotation.map(|part| text::fixed(part, 4));
        values_ui(ui, "Quaternion", &["X", "Y", "Z", "W"], parts);
        figures_ui(ui, &scale);
        values_ui(ui, beside, &XYZ, other.translation.map(length));
    });
}

/// Which figures are shown, and what copies them.
fn heading_ui(ui: &mut Ui, in_world: bool, at: &Placement, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        let spaces = [
            (false, "Local", "Relative to its parent"),
            (true, "World", "In the world"),
        ];
        for (is_world, name, hint) in spaces {
            let is_chosen = is_world == in_world;
            let words = RichText::new(name).size(12.0);
            let button = widgets::radio(ui, is_chosen, words, &format!("Figures: {name}"));
            let keys = written(Action::FigureSpace, 0);
            let button = widgets::tooltip(button, hint, &keys);
            if button.clicked() && !is_chosen {
                commands.push(Command::Inspect(InspectCommand::SwitchSpace));
            }
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let label = "Copy the figures as text";
            let copy = IconButton::new(Icon::Copy, label).side(20.0);
            if copy.show(ui).clicked() {
                ui.copy_text(as_text(at, in_world));
            }
        });
    });
}

/// All figures in full, a line each.
fn as_text(at: &Placement, in_world: bool) -> String {
    let space = if in_world { "world" } else { "local" };
    let [tx, ty, tz] = at.translation;
    let [x, y, z] = at.rotation_degrees;
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
fn values_ui<const N: usize>(
    ui: &mut Ui,
    caption: &str,
    letters: &[&str; N],
    figures: [String; N],
) {
    let (response, cells) = cells_ui::<N>(ui, caption, Sense::click());
    let colors = colors_of(ui);
    let painter = ui.painter();
    let is_lit = response.hovered() || response.has_focus();
    let ground = if is_lit { colors.raised } else { colors.sunken };
    for (place, cell) in cells.into_iter().enumerate() {
        painter.rect_filled(cell, 3.0, ground);
        // Four columns of a quaternion leave no room for letters.
        if N <= 3 {
            paint_letter(ui, cell, place, letters[place]);
        }
        let end = cell.right_center() - vec2(numbers::MARGIN, 0.0);
        painter.with_clip_rect(cell.intersect(ui.clip_rect())).text(
            end,
            Align2::RIGHT_CENTER,
            figures[place].as_str(),
            FONT,
            colors.text,
        );
    }
    let words = figures.join("  ");
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("{caption}: {words}")));
    if response.clicked() {
        // What is read as a number elsewhere has another minus sign, and no degrees.
        let plain = words.replace('−', "-").replace('°', "");
        ui.copy_text(plain.replace("  ", " "));
    }
    response.on_hover_text("Click to copy");
}

/// A caption, and numbers to drag or to type below it: they change the pose.
fn fields_ui(ui: &mut Ui, figures: &Figures<'_>, commands: &mut Vec<Command>) {
    let (_, cells) = cells_ui::<3>(ui, figures.caption, Sense::hover());
    let colors = colors_of(ui);
    ui.style_mut().text_styles.insert(TextStyle::Button, FONT);
    let mut ask = |command| commands.push(Command::Posing(command));
    for (axis, cell) in cells.into_iter().enumerate() {
        ui.painter().rect_filled(cell, 3.0, colors.sunken);
        let name = format!("{} {}", figures.caption, XYZ[axis]);
        let number = figures.numbers[axis];
        let seen = (figures.written)(number).replace('−', "-");
        let now = seen.parse().unwrap_or_else(|_| f64::from(number));
        let (response, wanted) = numbers::moving_number(ui, &name, now, |ui, drag| {
            let drag = drag
                .speed(figures.step)
                .suffix(figures.unit)
                .custom_formatter(|number, _| (figures.written)(number as f32));
            numbers::number_in(ui, drag, cell, colors.text)
        });
        paint_letter(ui, cell, axis, XYZ[axis]);
        if response.drag_started() {
            ask(PosingCommand::BeginDrag);
        }
        if let Some(wanted) = wanted
            .map(|wanted| wanted as f32)
            .filter(|it| it.is_finite())
        {
            ask(PosingCommand::Drag(DragCommand::Place(
                figures.part,
                axis,
                wanted,
            )));
        }
        if response.drag_stopped() {
            ask(PosingCommand::EndDrag);
        }
        response.on_hover_text(format!(
            "{name}: drag, or click to type. It changes the pose, and not the file."
        ));
    }
}

/// A caption, and where figures go below it: equal columns.
fn cells_ui<const N: usize>(ui: &mut Ui, caption: &str, sense: Sense) -> (Response, [Rect; N]) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 36.0), sense);
    let font = FontId::proportional(11.5);
    let weak = colors_of(ui).weak;
    ui.painter()
        .text(rect.min, Align2::LEFT_TOP, caption, font, weak);
    let gap = 4.0;
    let width = (rect.width() - gap * (N - 1) as f32) / N as f32;
    let cells = std::array::from_fn(|place| {
        let left = rect.left() + place as f32 * (width + gap);
        Rect::from_min_max(
            pos2(left, rect.top() + 15.0),
            pos2(left + width, rect.bottom() - 2.0),
        )
    });
    (response, cells)
}

/// The letter of an axis at the left of its figure.
fn paint_letter(ui: &Ui, cell: Rect, axis: usize, letter: &str) {
    let color = colors_of(ui).axes[axis];
    let at = cell.left_center() + vec2(5.0, 0.0);
    let font = FontId::proportional(11.0);
    ui.painter()
        .text(at, Align2::LEFT_CENTER, letter, font, color);
}
