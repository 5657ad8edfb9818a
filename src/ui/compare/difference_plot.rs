//! How far A and B lie apart over time, as two curves.

use egui::{
    Align2, Color32, FontId, Pos2, Rangef, Rect, Role, Sense, Shape, Stroke, Ui, WidgetInfo, pos2,
    vec2,
};

use super::differences::CLOSE_SIDE;
use crate::scene::GHOST_COLOR;
use crate::ui::{
    Command, DifferencesView, View, text,
    theme::colors_of,
    timeline::{
        self,
        axis::{Axis, ticks},
        label_step,
    },
    widgets,
};

/// What the values at the ends of the chart's axes are written in.
const AXIS_FONT: FontId = FontId::proportional(10.5);

/// Above the curves, for those that stand at the top.
const HEAD_ROOM: f32 = 16.0;
/// Widths of the lines of B's distance and of the angle: where the upper one covers the lower, this is still seen at both sides.
const WIDTHS: [f32; 2] = [4.0, 2.0];
/// Of the upper line, and of what it leaves out: there the lower one is seen as it is.
const DASH: f32 = 6.0;
const GAP: f32 = 5.0;

/// Draws the chart.
pub(super) fn plot_ui(
    ui: &Ui,
    view: &View<'_>,
    differences: &DifferencesView<'_>,
    room: Rect,
    commands: &mut Vec<Command>,
) {
    let colors = colors_of(ui);
    let painter = ui.painter().with_clip_rect(room.expand(1.0));
    let head = room.with_max_y(room.top() + 16.0);
    let plot = room.with_min_y(head.bottom() + 2.0);
    painter.rect_filled(plot, 4.0, colors.sunken);
    let [degrees, units] = differences.least;
    let curves = [
        Curve::new(differences.units, units, curve_color(view.shown.dark)),
        Curve::new(differences.degrees, degrees, colors.accent),
    ];
    let name = differences.node.and_then(|node| view.nodes.rows.get(node));
    let name = name.map(|node| text::clean_name(&node.name));
    // Beside the button that closes it all.
    let legend = head.with_max_x(head.right() - CLOSE_SIDE - 6.0);
    legend_ui(ui, name.as_deref(), &curves, legend);
    let span = view.timeline.span;
    let axis = Axis::new(plot.x_range(), span, view.playback.duration_secs);
    grid_ui(ui, view, &axis, plot);
    let painter_in_plot = painter.with_clip_rect(plot);
    let [below, above] = curves
        .each_ref()
        .map(|curve| curve.points(differences.times_secs, &axis, plot));
    let [wide, narrow] = [0, 1].map(|index| Stroke::new(WIDTHS[index], curves[index].color));
    painter_in_plot.line(below, wide);
    // Only what is seen is cut into dashes: far in, a clip is a million points wide.
    let above = part_within(&above, plot.x_range().expand(DASH + GAP));
    painter_in_plot.extend(Shape::dashed_line(&above, narrow, DASH, GAP));
    let x = axis.x_at(view.playback.time_secs);
    if plot.x_range().contains(x) {
        painter.vline(x, plot.y_range(), Stroke::new(1.0, colors.strong));
    }
    ends_ui(ui, &curves, plot);
    let id = ui.scope_id().with("difference_plot");
    let response = ui.interact(plot, id, Sense::CLICK | Sense::DRAG);
    let whose = name.as_deref().unwrap_or("all joints");
    let label = format!("Difference over time of {whose}");
    response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, &*label));
    if (response.clicked() || response.dragged())
        && let Some(pointer) = response.interact_pointer_pos()
    {
        let most = view.playback.duration_secs;
        let time = axis.time_at_any(pointer.x).clamp(0.0, most);
        timeline::seek(view, time, commands);
    }
    response.on_hover_text("Each curve by its own greatest value. Click or drag: go to that time");
}

/// Values over time.
struct Curve<'v> {
    values: &'v [f32],
    /// The greatest that is finite; 0 if it is no more than rounding, which would fill the height as any other.
    most: f32,
    color: Color32,
}

impl<'v> Curve<'v> {
    fn new(values: &'v [f32], least: f32, color: Color32) -> Self {
        let finite = values.iter().copied().filter(|it| it.is_finite());
        let most = finite.fold(0.0, f32::max);
        Self {
            values,
            most: if most > least { most } else { 0.0 },
            color,
        }
    }

    /// It fills the height, below what stands in the upper corners.
    fn points(&self, times_secs: &[f64], axis: &Axis, plot: Rect) -> Vec<Pos2> {
        let height = plot.height() - 4.0 - HEAD_ROOM;
        let point = |(time, value): (&f64, &f32)| {
            let part = if self.most > 0.0 && value.is_finite() {
                value / self.most
            } else {
                0.0
            };
            pos2(axis.x_at(*time), plot.bottom() - 4.0 - height * part)
        };
        times_secs.iter().zip(self.values).map(point).collect()
    }
}

/// The part of a curve, whose points go to the right, that lies within a range.
fn part_within(curve: &[Pos2], range: Rangef) -> Vec<Pos2> {
    let mut part = Vec::new();
    for pair in curve.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let [first, last] = [from.x, to.x].map(|x| range.clamp(x));
        if to.x < range.min || from.x > range.max || from.x >= to.x {
            continue;
        }
        let at = |x: f32| from.lerp(to, (x - from.x) / (to.x - from.x));
        part.extend([at(first), at(last)]);
    }
    part.dedup();
    part
}

/// Whose curves they are, those of all joints where no name is given, and how far they go.
fn legend_ui(ui: &Ui, name: Option<&str>, [units, degrees]: &[Curve<'_>; 2], room: Rect) {
    // A joint that is turned stays where it is: what hangs on it goes elsewhere.
    let (name, origin) = match name {
        Some(name) => (name, "origin"),
        None => ("All joints", "origins"),
    };
    let turned = match degrees.most {
        0.0 => "not turned   ".to_owned(),
        most => format!("turned by up to {most:.2}°   "),
    };
    let away = match units.most {
        0.0 => format!("{origin} in place"),
        most => format!("{origin} up to {} units away", text::number(most)),
    };
    let painter = ui.painter_at(room);
    let font = FontId::proportional(12.0);
    let mut x = room.left();
    for (words, color) in [
        (format!("{}: ", text::clean(name, 40)), colors_of(ui).weak),
        (turned, degrees.color),
        (away, units.color),
    ] {
        let at = pos2(x, room.center().y);
        x = painter
            .text(at, Align2::LEFT_CENTER, words, font.clone(), color)
            .right();
    }
}

/// Each curve fills the height: its greatest value stands on its own side.
fn ends_ui(ui: &Ui, [units, degrees]: &[Curve<'_>; 2], plot: Rect) {
    let colors = colors_of(ui);
    let inside = plot.shrink2(vec2(4.0, 2.0));
    for (curve, most, [above, below]) in [
        (
            degrees,
            format!("{:.2}°", degrees.most),
            [Align2::LEFT_TOP, Align2::LEFT_BOTTOM],
        ),
        (
            units,
            text::number(units.most),
            [Align2::RIGHT_TOP, Align2::RIGHT_BOTTOM],
        ),
    ] {
        // One that is nowhere above 0 has no height.
        let most = (curve.most > 0.0).then_some((above, most, curve.color));
        let least = (below, "0".to_owned(), colors.weak);
        for (align, words, color) in most.into_iter().chain([least]) {
            let painter = ui.painter();
            let galley = painter.layout_no_wrap(words, AXIS_FONT, color);
            let place = align.align_size_within_rect(galley.size(), inside);
            widgets::paint_on_ground(painter, place.min, galley, [color, colors.sunken]);
        }
    }
}

/// A line at each time that the timeline below writes out.
fn grid_ui(ui: &Ui, view: &View<'_>, axis: &Axis, plot: Rect) {
    let colors = colors_of(ui);
    let painter = ui.painter_at(plot);
    for time in ticks(axis, label_step(axis, view.playback.frames_per_sec)) {
        let x = axis.x_at(time).round() + 0.5;
        painter.vline(x, plot.y_range(), Stroke::new(1.0, colors.line));
    }
}

/// The colour of B, dark enough on light.
fn curve_color(is_dark: bool) -> Color32 {
    let factor = if is_dark { 1.0 } else { 0.66 };
    let [red, green, blue, _] = GHOST_COLOR.map(|channel| (255.0 * factor * channel) as u8);
    Color32::from_rgb(red, green, blue)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::TimeSpan;

    /// Far in, next to nothing of a long clip is cut into dashes.
    #[test]
    fn a_curve_is_cut_to_what_is_seen() {
        let curve: Vec<_> = (0..5)
            .map(|at| pos2(100.0 * at as f32, at as f32))
            .collect();
        let part = part_within(&curve, Rangef::new(150.0, 220.0));
        assert_eq!(part, [pos2(150.0, 1.5), pos2(200.0, 2.0), pos2(220.0, 2.2)]);
        let far = Rangef::new(1000.0, 1100.0);
        assert!(part_within(&curve, far).is_empty());
    }

    #[test]
    fn curves_stay_below_the_figures_and_both_are_seen() {
        let plot = Rect::from_min_max(pos2(0.0, 100.0), pos2(400.0, 180.0));
        let span = TimeSpan {
            from_secs: 0.0,
            to_secs: 1.0,
        };
        let axis = Axis::new(plot.x_range(), span, 1.0);
        let curve = Curve::new(&[0.0, 2.0, 1.0], 0.1, Color32::WHITE);
        let points = curve.points(&[0.0, 0.5, 1.0], &axis, plot);
        let height_of_figures = AXIS_FONT.size * 1.3;
        let at = |point: usize| points[point].y - plot.top();
        assert!(at(1) - WIDTHS[0] / 2.0 >= height_of_figures, "{points:?}");
        assert_eq!(at(0), 76.0);
        assert_eq!(at(2), (at(0) + at(1)) / 2.0);
        const { assert!(WIDTHS[0] >= WIDTHS[1] + 2.0) };
        // Where both go the same way, each is seen in its own colour for some of it.
        let dashes = Shape::dashed_line(&points, Stroke::new(1.0, Color32::WHITE), DASH, GAP);
        let length = |points: &[Pos2]| -> f32 {
            let pieces = points.windows(2);
            pieces.map(|ends| ends[0].distance(ends[1])).sum()
        };
        let drawn: f32 = dashes
            .iter()
            .map(|shape| match shape {
                Shape::LineSegment { points, .. } => length(points),
                other => panic!("{other:?}"),
            })
            .sum();
        let part = drawn / length(&points);
        assert!((0.4..0.65).contains(&part), "{part}");
    }
}
