//! How much there is of everything, and what the last frame cost.

use egui::{Align2, FontId, Sense, Ui, vec2};

use crate::ui::theme::palette;
use crate::ui::{View, text};

/// Draws the figures.
pub fn statistics_ui(ui: &mut Ui, view: &View<'_>) {
    if let Some(words) = view.instead_of_model() {
        ui.weak(words);
        return;
    }
    let numbers = &view.statistics;
    let count = |count: usize| text::thousands(count as u64);
    let [x, y, z] = numbers.size.map(text::number);
    let size = match numbers.crowd {
        Some(_) => "Size of all",
        None => "Size in the own pose",
    };
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
        (size, format!("{x} × {y} × {z}")),
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
        figure_ui(ui, "Culled", &count(all.saturating_sub(in_sight)));
        let joints = in_sight * numbers.crowd_joints;
        if joints > 0 {
            // Of a crowd that stands still, what its last motion took.
            let nanos = 1e3 * numbers.pose_micros / joints as f32;
            figure_ui(ui, "Pose of a joint", &format!("{nanos:.1} ns"));
        }
        let [bytes, full] = numbers.palette_bytes;
        if bytes < full {
            let figure = format!("{} of {}", text::bytes(bytes), text::bytes(full));
            figure_ui(ui, "Compact palette", &figure);
        } else {
            figure_ui(ui, "Palette", &text::bytes(bytes));
        }
    } else {
        figure_ui(ui, "Instances", "1");
    }
    for (name, figure) in of_frame {
        figure_ui(ui, name, &figure);
    }
    ui.add_space(6.0);
    super::costs::costs_ui(ui, view.costs);
}

fn figure_ui(ui: &mut Ui, name: &str, figure: &str) {
    let colors = palette(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 18.0), Sense::hover());
    let font = FontId::proportional(12.5);
    ui.painter().text(
        rect.left_center(),
        Align2::LEFT_CENTER,
        name,
        font.clone(),
        colors.weak,
    );
    ui.painter().text(
        rect.right_center(),
        Align2::RIGHT_CENTER,
        figure,
        font,
        colors.text,
    );
    response.widget_info(|| {
        egui::WidgetInfo::labeled(egui::Role::Label, true, format!("{name}: {figure}"))
    });
}
