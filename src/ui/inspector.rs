//! The right panel: the chosen node, what is wrong with the file, and how much there is of everything.

use egui::{Align2, FontId, Rect, RichText, ScrollArea, Sense, Ui, pos2, vec2};

use super::icons::{self, Icon};
use super::morphs::{self, MorphsState};
use super::theme::{Palette, palette};
use super::{Command, DiagnosticRow, MessageKind, View, text, widgets};

/// Diagnostics that are listed; `rigscope check` prints all.
const MAX_LISTED: usize = 200;

/// Draws the panel.
pub fn inspector_ui(
    ui: &mut Ui,
    morphs: &mut MorphsState,
    view: &View<'_>,
    commands: &mut Vec<Command>,
) {
    ScrollArea::vertical()
        .id_salt("inspector")
        .auto_shrink([false, false])
        .show(ui, |ui| {
            let name = view.selected_node.and_then(|node| view.nodes.get(node));
            widgets::section(ui, "Node", "", |ui| {
                let colours = palette(ui);
                let (rect, response) =
                    ui.allocate_exact_size(vec2(ui.available_width(), 20.0), Sense::hover());
                match name {
                    Some(node) => {
                        if widgets::paint_name(ui, rect, &node.name, colours.strong) {
                            response.on_hover_text(text::clean_name(&node.name));
                        }
                    }
                    None => {
                        widgets::paint_name(ui, rect, "Choose a node in the tree", colours.weak);
                    }
                }
                transform_ui(ui, view);
            });
            ui.add_space(8.0);
            morphs::morphs_ui(ui, morphs, view, commands);
            widgets::section(ui, "Diagnostics", "", |ui| {
                diagnostics_ui(ui, view.diagnostics);
            });
            ui.add_space(8.0);
            widgets::section(ui, "Statistics", "", |ui| statistics_ui(ui, view));
            ui.add_space(8.0);
        });
}

fn transform_ui(ui: &mut Ui, view: &View<'_>) {
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

fn diagnostics_ui(ui: &mut Ui, rows: &[DiagnosticRow]) {
    let colours = palette(ui);
    if rows.is_empty() {
        ui.horizontal(|ui| {
            let (rect, _) = ui.allocate_exact_size(vec2(16.0, 18.0), Sense::hover());
            icons::paint_sized(
                ui.painter(),
                rect.center(),
                14.0,
                Icon::Check,
                colours.accent,
            );
            ui.weak("Nothing to complain about");
        });
        return;
    }
    ui.horizontal(|ui| {
        for kind in [MessageKind::Error, MessageKind::Warning, MessageKind::Info] {
            let count = rows.iter().filter(|row| row.severity == kind).count();
            if count > 0 {
                let (icon, colour) = severity(kind, colours);
                let (rect, _) = ui.allocate_exact_size(vec2(14.0, 18.0), Sense::hover());
                icons::paint_sized(ui.painter(), rect.center(), 13.0, icon, colour);
                let one = if count == 1 { "" } else { "s" };
                let words = match kind {
                    MessageKind::Error => format!("{count} error{one}"),
                    MessageKind::Warning => format!("{count} warning{one}"),
                    MessageKind::Info => format!("{count} note{one}"),
                };
                ui.label(RichText::new(words).color(colours.text).small());
                ui.add_space(4.0);
            }
        }
    });
    for row in rows.iter().take(MAX_LISTED) {
        diagnostic_ui(ui, row);
    }
    if rows.len() > MAX_LISTED {
        ui.weak(format!(
            "… and {} more",
            text::thousands((rows.len() - MAX_LISTED) as u64)
        ));
    }
}

fn diagnostic_ui(ui: &mut Ui, row: &DiagnosticRow) {
    let colours = palette(ui);
    let (icon, colour) = severity(row.severity, colours);
    ui.add_space(2.0);
    ui.horizontal_top(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(14.0, 18.0), Sense::hover());
        icons::paint_sized(ui.painter(), rect.center(), 13.0, icon, colour);
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing.y = 1.0;
            selectable(
                ui,
                RichText::new(text::clean(&row.message, 400)).color(colours.text),
            );
            if !row.action.is_empty() {
                selectable(
                    ui,
                    RichText::new(text::clean(&row.action, 400)).color(colours.weak),
                );
            }
            let place = format!(
                "{}  {}",
                text::clean(&row.code, 60),
                text::clean(&row.pointer, 120)
            );
            selectable(
                ui,
                RichText::new(place)
                    .color(colours.weak)
                    .monospace()
                    .size(10.5),
            );
        });
    });
}

fn selectable(ui: &mut Ui, words: RichText) {
    ui.add(egui::Label::new(words).selectable(true).wrap());
}

/// Icon and colour of a severity.
pub fn severity(kind: MessageKind, colours: &Palette) -> (Icon, egui::Color32) {
    match kind {
        MessageKind::Error => (Icon::Error, colours.error),
        MessageKind::Warning => (Icon::Warning, colours.warning),
        MessageKind::Info => (Icon::Info, colours.info),
    }
}

fn statistics_ui(ui: &mut Ui, view: &View<'_>) {
    let numbers = &view.statistics;
    let count = |count: usize| text::thousands(count as u64);
    let [x, y, z] = numbers.size.map(text::number);
    let of_file = [
        ("Triangles", count(numbers.triangles)),
        ("Vertices", count(numbers.vertices)),
        ("Meshes", count(numbers.meshes)),
        ("Nodes", count(numbers.nodes)),
        ("Skins", count(numbers.skins)),
        ("Joints", count(numbers.joints)),
        ("Morph targets", count(numbers.morph_targets)),
        ("Materials", count(numbers.materials)),
        ("Textures", count(numbers.textures)),
        ("Size", format!("{x} × {y} × {z}")),
    ];
    let of_frame = [
        ("Draw calls", count(numbers.draws)),
        ("GPU memory", text::bytes(numbers.gpu_bytes)),
        ("Pose", format!("{:.0} µs", numbers.pose_micros)),
        ("Frame", format!("{:.1} ms", numbers.frame_millis)),
        ("Frames a second", format!("{:.0}", numbers.frames_per_sec)),
        ("Loaded in", format!("{:.0} ms", numbers.load_millis)),
    ];
    ui.spacing_mut().item_spacing.y = 0.0;
    for (name, figure) in of_file {
        figure_ui(ui, name, &figure);
    }
    ui.add_space(6.0);
    if let Some((in_sight, all)) = numbers.crowd {
        let figure = format!("{} of {}", count(in_sight), count(all));
        figure_ui(ui, "In sight", &figure);
    }
    for (name, figure) in of_frame {
        figure_ui(ui, name, &figure);
    }
}

fn figure_ui(ui: &mut Ui, name: &str, figure: &str) {
    let colours = palette(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 18.0), Sense::hover());
    let font = FontId::proportional(12.5);
    ui.painter().text(
        rect.left_center(),
        Align2::LEFT_CENTER,
        name,
        font.clone(),
        colours.weak,
    );
    ui.painter().text(
        rect.right_center(),
        Align2::RIGHT_CENTER,
        figure,
        font,
        colours.text,
    );
    response.widget_info(|| {
        egui::WidgetInfo::labeled(egui::Role::Label, true, format!("{name}: {figure}"))
    });
}
