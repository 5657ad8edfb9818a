//! What the last frames cost, as bars: processor time by stage, and GPU time where it is known.

use egui::{
    Align2, Color32, FontId, Mesh, Rect, Role, Sense, Shape, Stroke, Ui, WidgetInfo, pos2, vec2,
};

use crate::ui::theme::palette;

/// Frames that are shown.
pub const MOST_FRAMES: usize = 120;

/// What a frame cost, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct FrameCost {
    /// Sampling, world matrices, the palette.
    pub pose: f32,
    /// The panels, and their triangles.
    pub interface: f32,
    /// Telling the GPU what to draw.
    pub drawing: f32,
    /// The passes on the GPU; none where it tells nothing.
    pub gpu: Option<f32>,
}

/// The stages of the processor, from the bottom: names, and colours that colour-blind eyes tell apart (Okabe and Ito 2008).
const STAGES: [(&str, Color32); 3] = [
    ("Pose", Color32::from_rgb(230, 159, 0)),
    ("Interface", Color32::from_rgb(86, 180, 233)),
    ("Drawing", Color32::from_rgb(0, 158, 115)),
];
const GPU_COLOR: Color32 = Color32::from_rgb(204, 121, 167);

/// The graph goes up to the least of these that holds all bars: in steps, so that it seldom changes.
const TOPS_MILLIS: [f32; 9] = [2.0, 4.0, 8.0, 20.0, 40.0, 100.0, 200.0, 1000.0, 10_000.0];
const HEIGHT: f32 = 56.0;

impl FrameCost {
    fn stages(&self) -> [f32; 3] {
        [self.pose, self.interface, self.drawing].map(|millis| millis.max(0.0))
    }

    fn total(&self) -> f32 {
        self.stages().iter().sum()
    }
}

/// Draws the graph, and what its colours stand for.
pub fn costs_ui(ui: &mut Ui, costs: &[FrameCost]) {
    let colours = palette(ui);
    let costs = &costs[costs.len().saturating_sub(MOST_FRAMES)..];
    let has_gpu = costs.iter().any(|cost| cost.gpu.is_some());
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::hover());
    let most = costs
        .iter()
        .map(|cost| cost.total().max(cost.gpu.unwrap_or(0.0)));
    let most = most.fold(0.0, f32::max);
    let mean = costs.iter().map(FrameCost::total).sum::<f32>() / costs.len().max(1) as f32;
    response.widget_info(|| {
        let words = format!(
            "Processor time of the last {} frames: {mean:.1} ms in the mean, {most:.1} ms at most",
            costs.len()
        );
        WidgetInfo::labeled(Role::Image, true, words)
    });
    response.on_hover_text(format!(
        "Processor time of the last {} frames, by what it went to: {mean:.1} ms in the mean, {most:.1} ms at most",
        costs.len()
    ));
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 3.0, colours.sunken);
    let top = TOPS_MILLIS.into_iter().find(|top| most <= *top);
    let top = top.unwrap_or(most).max(f32::MIN_POSITIVE);
    let y_of = |millis: f32| rect.bottom() - rect.height() * (millis / top).min(1.0);
    let width = rect.width() / MOST_FRAMES as f32;
    let first = MOST_FRAMES - costs.len();
    let mut bars = Mesh::default();
    let mut gpu = Vec::new();
    for (place, cost) in (first..).zip(costs) {
        let left = rect.left() + width * place as f32;
        let mut below = 0.0;
        for (millis, (_, colour)) in cost.stages().into_iter().zip(STAGES) {
            let (from, to) = (y_of(below), y_of(below + millis));
            let bar = Rect::from_min_max(pos2(left, to), pos2(left + width, from));
            bars.add_colored_rect(bar, colour);
            below += millis;
        }
        gpu.extend(
            cost.gpu
                .map(|millis| pos2(left + 0.5 * width, y_of(millis))),
        );
    }
    painter.add(Shape::mesh(bars));
    painter.add(Shape::line(gpu, Stroke::new(1.5, GPU_COLOR)));
    let words = format!("{top} ms");
    let at = rect.left_top() + vec2(4.0, 2.0);
    painter.text(
        at,
        Align2::LEFT_TOP,
        words,
        FontId::proportional(10.5),
        colours.weak,
    );
    ui.add_space(3.0);
    let last = costs.last().copied().unwrap_or_default();
    let stages = STAGES.into_iter().zip(last.stages());
    let mut lines: Vec<_> = stages
        .map(|((name, colour), millis)| (name, colour, millis))
        .collect();
    if has_gpu {
        lines.push(("GPU", GPU_COLOR, last.gpu.unwrap_or_default()));
    }
    for (name, colour, millis) in lines {
        line_ui(ui, name, colour, millis);
    }
}

fn line_ui(ui: &mut Ui, name: &str, colour: Color32, millis: f32) {
    let colours = palette(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 18.0), Sense::hover());
    let figure = format!("{millis:.2} ms");
    let font = FontId::proportional(12.5);
    let painter = ui.painter();
    let key = Rect::from_center_size(rect.left_center() + vec2(5.0, 0.0), vec2(9.0, 9.0));
    painter.rect_filled(key, 2.0, colour);
    let at = rect.left_center() + vec2(16.0, 0.0);
    painter.text(at, Align2::LEFT_CENTER, name, font.clone(), colours.weak);
    painter.text(
        rect.right_center(),
        Align2::RIGHT_CENTER,
        &figure,
        font,
        colours.text,
    );
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{name}: {figure}")));
}
