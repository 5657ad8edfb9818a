//! The part of the clip that loops: its ends can be dragged, and what lies outside is dimmed.

use egui::{Painter, Pos2, Rect, Sense, Stroke, Ui, WidgetInfo, vec2};

use super::{axis::Axis, reader::asked_value};
use crate::ui::{
    Command, TimeSpan, TimelineCommand, View,
    keys::{Action, written},
    theme::Colors,
    widgets::{drag, tooltip},
};

/// How far from an end it is still caught.
const REACH: f32 = 6.0;
/// Height of the part of the track in which ends are caught that are the clip's own.
const LOWER: f32 = 13.0;

/// An end of what loops.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum End {
    First,
    Last,
}

/// What the pointer does with the ends.
#[derive(Debug, Clone, Copy, Default)]
pub struct Grip {
    /// Whether one is being dragged.
    pub is_held: bool,
    /// Where the pointer is that drags it.
    pub pos: Option<Pos2>,
    /// Where the end is that has the focus.
    pub focused: Option<Rect>,
}

/// Lets both ends be dragged.
pub fn grip_ui(
    ui: &mut Ui,
    view: &View<'_>,
    axis: &Axis,
    track: Rect,
    commands: &mut Vec<Command>,
) -> Grip {
    let mut grip = Grip::default();
    let range = range_of(view, axis);
    let id = ui.scope_id().with("range");
    // No shorter than a frame, so that the ends never meet.
    let frame_secs = view.playback.frames_per_sec.max(1.0).recip();
    let least = frame_secs.min(axis.duration_secs / 2.0);
    let is_set = view.timeline.range.is_some();
    for (end, label, action) in [
        (End::First, "Loop from here on", Action::MarkIn),
        (End::Last, "Loop up to here", Action::MarkOut),
    ] {
        let time = match end {
            End::First => range.from_secs,
            End::Last => range.to_secs,
        };
        let place = hold_rect(axis, track, end, time, is_set);
        let is_seen = track.expand2(vec2(1.0, 0.0)).contains(place.center());
        let held_id = id.with((end, "held"));
        let was_held = ui
            .data(|data| data.get_temp::<bool>(held_id))
            .unwrap_or_default();
        if !is_seen && !was_held {
            continue;
        }
        let response = ui.interact(place, id.with(end), Sense::click_and_drag());
        response.widget_info(|| WidgetInfo::slider(true, time, label));
        if response.has_focus() {
            grip.focused = Some(place.intersect(track));
        }
        let drag =
            drag::drag(ui, &response).filter(|drag| drag.button == egui::PointerButton::Primary);
        ui.data_mut(|data| data.insert_temp(held_id, drag.is_some()));
        if let Some(drag) = drag {
            grip.is_held = true;
            grip.pos = drag.is_move.then_some(drag.pos).or(grip.pos);
        }
        let limits = match end {
            End::First => 0.0..=(range.to_secs - least).max(0.0),
            End::Last => (range.from_secs + least).min(axis.duration_secs)..=axis.duration_secs,
        };
        let dragged = drag.filter(|drag| drag.is_move).map(|drag| {
            let frame = snapped(axis.time_at(drag.pos.x), frame_secs, axis.duration_secs);
            frame.clamp(*limits.start(), *limits.end())
        });
        let to_frame = |time| snapped(time, frame_secs, axis.duration_secs);
        let asked = asked_value(ui, &response, time, limits, (frame_secs, to_frame));
        if let Some(wanted) = dragged.or(asked) {
            let [from_secs, to_secs] = match end {
                End::First => [wanted, range.to_secs],
                End::Last => [range.from_secs, wanted],
            };
            let range = Some(TimeSpan { from_secs, to_secs });
            commands.push(Command::Timeline(TimelineCommand::SetRange(range)));
        }
        if response.hovered() || drag.is_some() {
            ui.set_cursor_icon(egui::CursorIcon::ResizeColumn);
        }
        tooltip(response, label, &written(action, 0));
    }
    grip
}

/// The nearest frame, or the clip's own end where that is nearer: it need not be a frame.
fn snapped(time_secs: f64, frame_secs: f64, duration_secs: f64) -> f64 {
    let frame = (time_secs / frame_secs).round() * frame_secs;
    let is_end_nearer = (duration_secs - time_secs) < (frame - time_secs).abs();
    if is_end_nearer { duration_secs } else { frame }
}

/// What loops.
fn range_of(view: &View<'_>, axis: &Axis) -> TimeSpan {
    view.timeline.range.unwrap_or(TimeSpan {
        from_secs: 0.0,
        to_secs: axis.duration_secs,
    })
}

/// Where an end is caught: outside of the range rather than within, where keys are.
fn hold_rect(axis: &Axis, track: Rect, end: End, time_secs: f64, is_set: bool) -> Rect {
    let x = axis.x_at(time_secs);
    let (before, after) = match end {
        End::First => (REACH + 2.0, REACH / 2.0),
        End::Last => (REACH / 2.0, REACH + 2.0),
    };
    let top = if is_set {
        track.top()
    } else {
        track.bottom() - LOWER
    };
    Rect::from_x_y_ranges(x - before..=x + after, top..=track.bottom())
}

/// Dims what does not loop, and draws the ends.
pub fn paint(
    painter: &Painter,
    axis: &Axis,
    track: Rect,
    view: &View<'_>,
    is_lively: bool,
    colors: &Colors,
) {
    let range = range_of(view, axis);
    let is_set = view.timeline.range.is_some();
    if !is_set && !is_lively {
        return;
    }
    let [left, right] = [range.from_secs, range.to_secs].map(|time| axis.x_at(time));
    if is_set {
        let dim = colors.panel.gamma_multiply(0.72);
        painter.rect_filled(track.with_max_x(left.max(track.left())), 0.0, dim);
        painter.rect_filled(track.with_min_x(right.min(track.right())), 0.0, dim);
    }
    let color = if is_set { colors.accent } else { colors.weak };
    for (x, inwards) in [(left, 1.0), (right, -1.0)] {
        let top = if is_set {
            track.top()
        } else {
            track.bottom() - LOWER
        };
        // A bracket, open towards what loops.
        let stroke = Stroke::new(2.0, color);
        let x = x - inwards;
        painter.vline(x, top..=track.bottom(), stroke);
        let foot = x..=x + 5.0;
        let foot = if inwards > 0.0 { foot } else { x - 5.0..=x };
        painter.hline(foot.clone(), track.bottom() - 1.0, stroke);
        if is_set {
            painter.hline(foot, track.top() + 1.0, stroke);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Clips seldom end with a frame.
    #[test]
    fn an_end_snaps_to_frames_and_to_that_of_the_clip() {
        let at = |time| snapped(time, 1.0 / 30.0, 1.01);
        assert_eq!(at(0.49), 0.5);
        assert_eq!(at(1.004), 1.0);
        for time in [1.006, 1.01, 1.3] {
            assert_eq!(at(time), 1.01);
        }
        assert!(at(-0.3) <= 0.0);
    }
}
