//! The timeline: a ruler of seconds, marks for keys, and the playhead, which can be dragged anywhere.

use egui::{
    Align2, Color32, FontId, Painter, PointerButton, Rect, Sense, Shape, Stroke, Ui, pos2, vec2,
};

use super::theme::{Palette, palette};
use super::{Command, View, drag, text};

/// Height of the whole.
pub const HEIGHT: f32 = 52.0;
const RULER_HEIGHT: f32 = 24.0;
/// Room at both ends for the handle and for half a label.
const MARGIN: f32 = 14.0;
/// Closest that two labels may come, from start to start.
const LABEL_GAP: f32 = 64.0;
/// Closest that two marks may come.
const TICK_GAP: f32 = 6.0;

/// Draws the timeline over the whole width; returns its rectangle, with x from the first to the last time.
pub fn timeline_ui(ui: &mut Ui, view: &View<'_>, commands: &mut Vec<Command>) -> Rect {
    let (outer, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::click_and_drag());
    let playback = &view.playback;
    let duration = playback.duration_secs;
    let is_usable = duration > 0.0 && duration.is_finite();
    response.widget_info(|| egui::WidgetInfo::slider(is_usable, playback.time_secs, "Time"));
    let scale = Scale {
        rect: Rect::from_x_y_ranges(
            outer.left() + MARGIN..=(outer.right() - MARGIN).max(outer.left() + MARGIN + 1.0),
            outer.y_range(),
        ),
        duration,
    };
    let colours = palette(ui);
    let painter = ui.painter_at(outer);
    let track = Rect::from_min_max(pos2(outer.left(), outer.top() + RULER_HEIGHT), outer.max);
    painter.rect_filled(track, 6.0, colours.sunken);
    if !is_usable {
        let words = if view.clips.is_empty() {
            "No animation in this file"
        } else if view.clip.is_none() {
            "The file's own pose: choose a clip to play"
        } else {
            "This clip is a single pose"
        };
        painter.text(
            track.center(),
            Align2::CENTER_CENTER,
            words,
            FontId::proportional(12.0),
            colours.weak,
        );
        return scale.rect;
    }

    let drag = drag::drag(ui, &response).filter(|drag| drag.button == PointerButton::Primary);
    let held = drag.is_some();
    let mut now = playback.time_secs;
    if let Some(drag) = drag {
        // Asked for again while it is held still: the playhead stays under the pointer although time runs.
        now = scale.time_at(drag.pos.x);
        commands.push(Command::Seek(now));
    }
    played(&painter, &scale, track, now, colours);
    ruler(&painter, &scale, playback.frames_per_sec, colours);
    key_marks(&painter, &scale, track, view.key_times_secs, now, colours);
    playhead(&painter, &scale, now, held || response.hovered(), colours);
    if response.has_focus() {
        painter.rect_stroke(
            track,
            6.0,
            Stroke::new(1.0, colours.accent),
            egui::StrokeKind::Inside,
        );
    }
    if held || response.hovered() {
        ui.set_cursor_icon(egui::CursorIcon::ResizeHorizontal);
    }
    let pointer = drag.map(|drag| drag.pos).or(response.hover_pos());
    if let Some(pointer) = pointer {
        under_pointer(
            &painter,
            &scale,
            outer,
            pointer.x,
            playback.frames_per_sec,
            held,
            colours,
        );
    }
    scale.rect
}

/// Where times lie.
struct Scale {
    rect: Rect,
    duration: f64,
}

impl Scale {
    fn x_at(&self, time_secs: f64) -> f32 {
        let fraction = (time_secs / self.duration).clamp(0.0, 1.0) as f32;
        self.rect.left() + fraction * self.rect.width()
    }

    fn time_at(&self, x: f32) -> f64 {
        let fraction = ((x - self.rect.left()) / self.rect.width()).clamp(0.0, 1.0);
        f64::from(fraction) * self.duration
    }
}

fn played(painter: &Painter, scale: &Scale, track: Rect, now: f64, colours: &Palette) {
    let done = track.with_max_x(scale.x_at(now));
    painter.rect_filled(
        done,
        egui::CornerRadius {
            nw: 6,
            sw: 6,
            ne: 0,
            se: 0,
        },
        colours.accent_soft,
    );
}

fn ruler(painter: &Painter, scale: &Scale, frames_per_sec: f64, colours: &Palette) {
    let steps = steps(scale.duration, scale.rect.width(), frames_per_sec);
    let bottom = scale.rect.top() + RULER_HEIGHT - 2.0;
    let decimals = (-(steps.major + 1e-9).log10().floor()).max(0.0) as usize;
    for (step, height, colour) in [
        (steps.minor, 3.0, colours.line),
        (steps.major, 5.0, colours.weak),
    ] {
        for place in 0..=(scale.duration / step + 1e-6) as u32 {
            let x = scale.x_at(f64::from(place) * step).round() + 0.5;
            painter.vline(x, bottom - height..=bottom, Stroke::new(1.0, colour));
        }
    }
    for place in 0..=(scale.duration / steps.major + 1e-6) as u32 {
        let time = f64::from(place) * steps.major;
        let label = if steps.major >= 60.0 || scale.duration >= 120.0 {
            format!("{}:{:02}", time as u64 / 60, time as u64 % 60)
        } else {
            format!("{time:.decimals$}")
        };
        painter.text(
            pos2(scale.x_at(time), scale.rect.top()),
            Align2::CENTER_TOP,
            label,
            FontId::proportional(11.0),
            colours.weak,
        );
    }
}

/// Distances of marks in seconds.
#[derive(Debug, PartialEq)]
struct Steps {
    /// With labels.
    major: f64,
    /// Between them: frames where there is room, else simple parts of `major`.
    minor: f64,
}

fn steps(duration: f64, width: f32, frames_per_sec: f64) -> Steps {
    let points_per_sec = f64::from(width.max(1.0)) / duration;
    let least = f64::from(LABEL_GAP) / points_per_sec;
    let steps = [1.0, 2.0, 5.0, 10.0];
    let major = if least > 5.0 {
        // Beyond a few seconds people count in fives, quarters and minutes.
        let steps = [10.0, 15.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1800.0, 3600.0];
        let nice = steps.into_iter().find(|step| *step >= least);
        nice.unwrap_or((least / 3600.0).ceil() * 3600.0)
    } else {
        let decade = 10_f64.powf(least.max(1e-6).log10().floor());
        let nice = steps
            .into_iter()
            .map(|step| step * decade)
            .find(|step| *step >= least * 0.999);
        nice.unwrap_or(decade * 10.0)
    };
    let gap = |step: f64| step * points_per_sec;
    let frame = 1.0 / frames_per_sec.max(1e-3);
    let minor = if gap(frame) >= f64::from(TICK_GAP) && frame < major {
        frame
    } else {
        [10.0, 5.0, 4.0, 2.0, 1.0]
            .into_iter()
            .map(|parts| major / parts)
            .find(|step| gap(*step) >= f64::from(TICK_GAP))
            .unwrap_or(major)
    };
    Steps { major, minor }
}

/// Marks for keys: diamonds where they are apart, a band where they are not.
fn key_marks(
    painter: &Painter,
    scale: &Scale,
    track: Rect,
    times: &[f32],
    now: f64,
    colours: &Palette,
) {
    const DIAMOND: f32 = 3.5;
    let y = track.center().y;
    for (left, right) in key_runs(scale, times) {
        let is_now = (scale.x_at(now) - (left + right) / 2.0).abs() <= (right - left) / 2.0 + 1.0;
        let colour = if is_now { colours.accent } else { colours.weak };
        if right - left < 0.5 {
            let diamond = [
                (-DIAMOND, 0.0),
                (0.0, -DIAMOND),
                (DIAMOND, 0.0),
                (0.0, DIAMOND),
            ]
            .map(|(dx, dy)| pos2(left + dx, y + dy));
            painter.add(Shape::convex_polygon(
                diamond.to_vec(),
                colour,
                Stroke::NONE,
            ));
        } else {
            let band = Rect::from_min_max(pos2(left - 2.0, y - 2.5), pos2(right + 2.0, y + 2.5));
            painter.rect_filled(band, 2.5, colours.weak.gamma_multiply(0.75));
        }
    }
}

/// Places of keys, those too close for a mark each joined into runs.
fn key_runs(scale: &Scale, times: &[f32]) -> Vec<(f32, f32)> {
    const GAP: f32 = 8.0;
    let mut runs: Vec<(f32, f32)> = Vec::new();
    for time in times {
        let x = scale.x_at(f64::from(*time));
        match runs.last_mut() {
            Some((_, right)) if x - *right < GAP => *right = x.max(*right),
            _ => runs.push((x, x)),
        }
    }
    runs
}

fn playhead(painter: &Painter, scale: &Scale, now: f64, is_lively: bool, colours: &Palette) {
    let x = scale.x_at(now);
    let (top, bottom) = (scale.rect.top(), scale.rect.bottom());
    painter.vline(x, top + 14.0..=bottom, Stroke::new(1.5, colours.accent));
    let half = if is_lively { 6.5 } else { 5.5 };
    // Below the labels, so that it hides none of them.
    let handle = [
        (-half, -11.0),
        (half, -11.0),
        (half, -5.0),
        (0.0, half - 5.0),
        (-half, -5.0),
    ]
    .map(|(dx, dy)| pos2(x + dx, top + RULER_HEIGHT + dy));
    painter.add(Shape::convex_polygon(
        handle.to_vec(),
        colours.accent,
        Stroke::new(1.0, colours.panel),
    ));
}

/// A hairline and the time under the pointer.
fn under_pointer(
    painter: &Painter,
    scale: &Scale,
    outer: Rect,
    x: f32,
    frames_per_sec: f64,
    held: bool,
    colours: &Palette,
) {
    let time = scale.time_at(x);
    let x = scale.x_at(time);
    if !held {
        let hairline = Stroke::new(1.0, colours.text.gamma_multiply(0.6));
        painter.vline(x, outer.top() + RULER_HEIGHT..=outer.bottom(), hairline);
    }
    let words = format!(
        "{time:.3} s  ·  frame {}",
        text::frame_at(time, frames_per_sec)
    );
    let galley = painter.layout_no_wrap(words, FontId::proportional(12.0), colours.strong);
    let size = galley.size() + vec2(14.0, 4.0);
    // Beside the pointer, so that it hides neither the handle nor the marks below.
    let gap = 12.0;
    let left = if x + gap + size.x <= outer.right() {
        x + gap
    } else {
        (x - gap - size.x).max(outer.left())
    };
    let chip = Rect::from_min_size(pos2(left, outer.top()), size);
    painter.rect(
        chip,
        4.0,
        colours.raised,
        Stroke::new(1.0, colours.line),
        egui::StrokeKind::Inside,
    );
    let place = Align2::CENTER_CENTER.align_size_within_rect(galley.size(), chip);
    painter.galley(place.min, galley, Color32::PLACEHOLDER);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_stand_at_nice_times() {
        assert_eq!(
            steps(2.0, 1000.0, 30.0),
            Steps {
                major: 0.2,
                minor: 1.0 / 30.0
            }
        );
        assert_eq!(steps(60.0, 1000.0, 30.0).major, 5.0);
        assert_eq!(steps(600.0, 1000.0, 30.0).major, 60.0);
        assert_eq!(steps(0.01, 600.0, 30.0).major, 0.002);
        for duration in [1e-6, 1e-3, 0.1, 1.0, 7.3, 100.0, 4000.0, 1e6, 1e9] {
            for width in [1.0, 40.0, 300.0, 4000.0] {
                let steps = steps(duration, width, 30.0);
                assert!(
                    duration / steps.minor <= f64::from(width) / 2.0 + 2.0,
                    "{duration} {width} {steps:?}"
                );
            }
        }
    }

    #[test]
    fn close_keys_become_a_band() {
        let scale = Scale {
            rect: Rect::from_min_max(pos2(0.0, 0.0), pos2(100.0, 10.0)),
            duration: 10.0,
        };
        assert_eq!(
            key_runs(&scale, &[0.0, 5.0, 5.1, 5.2, 10.0]),
            [(0.0, 0.0), (50.0, 52.0), (100.0, 100.0)]
        );
        let dense: Vec<f32> = (0..1000).map(|place| place as f32 / 100.0).collect();
        assert_eq!(key_runs(&scale, &dense).len(), 1);
    }
}
