//! What the last frames cost, as bars: processor time by stage, and GPU time where it is known.

use egui::{
    Align2, Color32, FontId, Mesh, Rect, Role, Sense, Shape, Stroke, Ui, WidgetInfo, pos2, vec2,
};

use crate::ui::{FrameCost, theme::colors_of};

/// Frames that are shown.
pub const MAX_FRAMES: usize = 120;

/// The stages of the processor, from the bottom: names, and colours that colour-blind eyes tell apart (Okabe and Ito 2008).
const STAGES: [(&str, Color32); 3] = [
    ("Pose", Color32::from_rgb(230, 159, 0)),
    ("Interface", Color32::from_rgb(86, 180, 233)),
    ("Drawing", Color32::from_rgb(0, 158, 115)),
];
const GPU_COLOR: Color32 = Color32::from_rgb(204, 121, 167);

/// A graph goes up to the least of these that holds all of it: in steps, so that it seldom changes.
const TOPS_MILLIS: [f32; 10] = [
    2.0, 4.0, 8.0, 20.0, 40.0, 100.0, 200.0, 500.0, 1000.0, 10_000.0,
];
const HEIGHT: f32 = 44.0;
const GPU_HEIGHT: f32 = 26.0;

impl FrameCost {
    fn stages(&self) -> [f32; 3] {
        [self.pose, self.interface, self.drawing].map(|millis| millis.max(0.0))
    }

    fn total(&self) -> f32 {
        self.stages().iter().sum()
    }
}

/// Draws a graph for the processor and one for the GPU, each to its own scale, and what their colours stand for.
pub fn costs_ui(ui: &mut Ui, costs: &[FrameCost]) {
    let costs = &costs[costs.len().saturating_sub(MAX_FRAMES)..];
    let last = costs.last().copied().unwrap_or_default();
    let totals: Vec<_> = costs.iter().map(|cost| Some(cost.total())).collect();
    let graph = Graph::new(ui, "Processor", HEIGHT, &totals);
    graph.bars(ui, costs);
    ui.add_space(3.0);
    for ((name, color), millis) in STAGES.into_iter().zip(last.stages()) {
        line_ui(ui, name, color, millis);
    }
    let of_gpu: Vec<_> = costs.iter().map(|cost| cost.gpu).collect();
    if let Some(known) = of_gpu.iter().rev().find_map(|millis| *millis) {
        ui.add_space(3.0);
        let graph = Graph::new(ui, "GPU", GPU_HEIGHT, &of_gpu);
        graph.line(ui, &of_gpu);
        ui.add_space(3.0);
        line_ui(ui, "GPU", GPU_COLOR, known);
    }
}

/// Where a graph is, and the figure at its upper edge.
struct Graph {
    rect: Rect,
    top_millis: f32,
    /// The place of the oldest frame.
    first: usize,
}

impl Graph {
    /// Takes room for it, and says in words what it shows of `millis`, the latest last.
    fn new(ui: &mut Ui, of: &str, height: f32, millis: &[Option<f32>]) -> Self {
        let room = vec2(ui.available_width(), height);
        let (rect, response) = ui.allocate_exact_size(room, Sense::hover());
        let known = || millis.iter().flatten();
        let most = known().copied().fold(0.0, f32::max);
        let mean = known().sum::<f32>() / known().count().max(1) as f32;
        let words = || {
            let frames = known().count();
            format!(
                "{of} time of the last {frames} frames: {mean:.1} ms in the mean, {most:.1} ms at most"
            )
        };
        response.widget_info(|| WidgetInfo::labeled(Role::Image, true, words()));
        response.on_hover_ui(|ui| {
            ui.label(words());
        });
        ui.painter().rect_filled(rect, 3.0, colors_of(ui).sunken);
        let top = TOPS_MILLIS.into_iter().find(|top| most <= *top);
        Self {
            rect,
            top_millis: top.unwrap_or(most).max(f32::MIN_POSITIVE),
            first: MAX_FRAMES.saturating_sub(millis.len()),
        }
    }

    fn x_of(&self, place: f32) -> f32 {
        self.rect.left() + self.rect.width() * place / MAX_FRAMES as f32
    }

    fn y_of(&self, millis: f32) -> f32 {
        self.rect.bottom() - self.rect.height() * (millis / self.top_millis).min(1.0)
    }

    fn bars(&self, ui: &Ui, costs: &[FrameCost]) {
        let mut bars = Mesh::default();
        for (place, cost) in (self.first..).zip(costs) {
            let x = [0.0, 1.0].map(|beside| self.x_of(place as f32 + beside));
            let mut below = 0.0;
            for (millis, (_, color)) in cost.stages().into_iter().zip(STAGES) {
                let y = [below + millis, below].map(|millis| self.y_of(millis));
                let bar = Rect::from_min_max(pos2(x[0], y[0]), pos2(x[1], y[1]));
                bars.add_colored_rect(bar, color);
                below += millis;
            }
        }
        self.paint(ui, Shape::mesh(bars));
    }

    fn line(&self, ui: &Ui, millis: &[Option<f32>]) {
        let points = (self.first..).zip(millis).filter_map(|(place, millis)| {
            Some(pos2(self.x_of(place as f32 + 0.5), self.y_of((*millis)?)))
        });
        let line = Shape::line(points.collect(), Stroke::new(1.5, GPU_COLOR));
        self.paint(ui, line);
    }

    fn paint(&self, ui: &Ui, shape: Shape) {
        let painter = ui.painter_at(self.rect);
        painter.add(shape);
        painter.text(
            self.rect.left_top() + vec2(4.0, 2.0),
            Align2::LEFT_TOP,
            format!("{} ms", self.top_millis),
            FontId::proportional(10.5),
            colors_of(ui).weak,
        );
    }
}

fn line_ui(ui: &mut Ui, name: &str, color: Color32, millis: f32) {
    let colors = colors_of(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 18.0), Sense::hover());
    let figure = format!("{millis:.2} ms");
    let font = FontId::proportional(12.5);
    let painter = ui.painter();
    let key = Rect::from_center_size(rect.left_center() + vec2(5.0, 0.0), vec2(9.0, 9.0));
    painter.rect_filled(key, 2.0, color);
    let at = rect.left_center() + vec2(16.0, 0.0);
    painter.text(at, Align2::LEFT_CENTER, name, font.clone(), colors.weak);
    painter.text(
        rect.right_center(),
        Align2::RIGHT_CENTER,
        &figure,
        font,
        colors.text,
    );
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{name}: {figure}")));
}
