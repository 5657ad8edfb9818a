//! How much there is of everything, and what the last frame cost.

use egui::{Align2, FontId, Sense, Ui, vec2};

use crate::ui::theme::colors_of;
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
        None => "Size of own pose",
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
        ("GPU memory", gpu_memory(numbers.gpu_bytes)),
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
    super::costs::costs_ui(ui, view.statistics.costs);
}

/// What the adapter holds, no more precisely than anybody has use for.
fn gpu_memory(bytes: u64) -> String {
    match bytes {
        0 => "0 KiB".to_owned(),
        1..1024 => "below 1 KiB".to_owned(),
        more => text::bytes(more),
    }
}

/// A line, or two where name and figure do not fit into one.
fn figure_ui(ui: &mut Ui, name: &str, figure: &str) {
    const LINE: f32 = 18.0;
    let colors = colors_of(ui);
    let galley = |words: &str, color| {
        let font = FontId::proportional(12.5);
        ui.painter().layout_no_wrap(words.to_owned(), font, color)
    };
    let (name_text, figure_text) = (galley(name, colors.weak), galley(figure, colors.text));
    let width = ui.available_width();
    let is_wide = name_text.size().x + 8.0 + figure_text.size().x > width;
    let height = if is_wide { 2.0 * LINE } else { LINE };
    let (rect, response) = ui.allocate_exact_size(vec2(width, height), Sense::hover());
    let (top, bottom) = (
        rect.with_max_y(rect.top() + LINE),
        rect.with_min_y(rect.bottom() - LINE),
    );
    let at = Align2::LEFT_CENTER.align_size_within_rect(name_text.size(), top);
    ui.painter().galley(at.min, name_text, colors.weak);
    let at = Align2::RIGHT_CENTER.align_size_within_rect(figure_text.size(), bottom);
    ui.painter().galley(at.min, figure_text, colors.text);
    response.widget_info(|| {
        egui::WidgetInfo::labeled(egui::Role::Label, true, format!("{name}: {figure}"))
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_bytes_of_the_adapter_are_not_counted() {
        let told = [0, 5, 1023, 12_800].map(gpu_memory);
        assert_eq!(told, ["0 KiB", "below 1 KiB", "below 1 KiB", "12.5 KiB"]);
    }
}
