//! A thin bar below the timeline: all of the clip, and which part of it the time axis shows.

use egui::{Rect, Sense, Ui, WidgetInfo};

use super::{axis::Axis, reader::asked_value};
use crate::ui::{
    Command, TimelineCommand,
    theme::colors_of,
    widgets::{drag, tooltip},
};

/// Its height, with the gap above it.
pub const HEIGHT: f32 = 8.0;
/// The least width of the part that is shown.
const MIN_WIDTH: f32 = 12.0;

/// Draws the bar at the bottom of `whole`, if there is anything to be seen that the axis does not show.
pub fn overview_ui(ui: &mut Ui, axis: &Axis, whole: Rect, now: f64, commands: &mut Vec<Command>) {
    if axis.is_whole() {
        return;
    }
    let bar = whole.with_min_y(whole.bottom() - HEIGHT + 2.0);
    let response = ui.interact(
        bar.expand2(egui::vec2(0.0, 2.0)),
        ui.scope_id().with("overview"),
        Sense::click_and_drag(),
    );
    let (span, duration) = (axis.span, axis.duration_secs);
    response.widget_info(|| WidgetInfo::slider(true, span.from_secs, "What the time axis shows"));
    let secs_per_point = duration / f64::from(bar.width().max(1.0));
    let x_at = |time_secs: f64| bar.left() + (time_secs / secs_per_point) as f32;
    let mut thumb = Rect::from_x_y_ranges(x_at(span.from_secs)..=x_at(span.to_secs), bar.y_range());
    if thumb.width() < MIN_WIDTH {
        let center = thumb.center().x.clamp(
            bar.left() + MIN_WIDTH / 2.0,
            (bar.right() - MIN_WIDTH / 2.0).max(bar.left() + MIN_WIDTH / 2.0),
        );
        thumb = Rect::from_center_size(
            egui::pos2(center, bar.center().y),
            egui::vec2(MIN_WIDTH, bar.height()),
        );
    }
    let mut by_secs = 0.0;
    let drag = drag::drag(ui, &response);
    if let Some(drag) = drag {
        if drag.is_move {
            by_secs = f64::from(drag.moved.x) * secs_per_point;
        } else if !thumb.contains(egui::pos2(drag.pos.x, bar.center().y)) {
            let there = f64::from(drag.pos.x - bar.left()) * secs_per_point;
            by_secs = there - (span.from_secs + span.to_secs) / 2.0;
        }
    }
    let last = duration - span.length_secs();
    let step = span.length_secs() / 10.0;
    if let Some(from_secs) = asked_value(
        ui,
        &response,
        span.from_secs,
        0.0..=last,
        (step, |time| time),
    ) {
        by_secs = from_secs - span.from_secs;
    }
    if by_secs != 0.0 {
        let span = span.moved(by_secs, duration);
        commands.push(Command::Timeline(TimelineCommand::Show(span)));
    }
    if response.double_clicked() {
        commands.push(Command::Timeline(TimelineCommand::Show(None)));
    }
    let colors = colors_of(ui);
    let painter = ui.painter();
    painter.rect_filled(bar, 3.0, colors.sunken);
    let is_lively = response.hovered() || drag.is_some();
    let color = if is_lively {
        colors.weak
    } else {
        colors.disabled
    };
    painter.rect_filled(thumb, 3.0, color);
    let x = x_at(now).clamp(bar.left(), bar.right());
    painter.vline(x, bar.y_range(), egui::Stroke::new(1.5, colors.accent));
    tooltip(
        response,
        "What the time axis shows: drag, or double-click for all of the clip",
        "",
    );
}
