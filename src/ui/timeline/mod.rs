//! The timeline: a ruler of seconds, marks for keys, the part that loops, and the playhead, which can be dragged anywhere.
//!
//! Its axis shows all of the clip or a part of it; the sheet above it has the same one.

pub mod axis;
pub mod markers;
mod overview;
mod range;
mod reader;
mod ruler;
pub mod runs;
mod whose;

use egui::{
    Align2, Color32, Event, FontId, Painter, PointerButton, Pos2, Rect, Response, Sense, Shape,
    Stroke, Ui, pos2, vec2,
};

use super::{
    Command, PlaybackCommand, TimelineCommand, View,
    keys::focus,
    sheet, text,
    theme::{Colors, colors_of},
    widgets::{drag, wheel},
};
use axis::Axis;
use reader::asked_value;
pub use ruler::label_step;

const RULER_HEIGHT: f32 = 24.0;
/// Of the keys.
const TRACK_HEIGHT: f32 = 34.0;
/// Where keys are, from the top of the track.
const KEYS_Y: f32 = 12.0;
/// Height of the whole.
pub const HEIGHT: f32 = RULER_HEIGHT + TRACK_HEIGHT + overview::HEIGHT;

/// Draws the timeline over the whole width; returns its rectangle, with x from the first to the last time.
pub fn timeline_ui(ui: &mut Ui, view: &View<'_>, commands: &mut Vec<Command>) -> Rect {
    let (whole, _) = ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::empty());
    // Beside the names of the sheet, so that times stand below one another.
    let gutter = sheet::gutter(ui, view, whole.width());
    let beside = whole.with_max_x(whole.left() + gutter);
    let whole = whole.with_min_x(whole.left() + gutter);
    let outer = whole.with_max_y(whole.bottom() - overview::HEIGHT);
    let response = ui.interact(
        outer,
        ui.scope_id().with("timeline"),
        Sense::click_and_drag(),
    );
    let playback = &view.playback;
    let duration = playback.duration_secs;
    let is_usable = duration > 0.0 && duration.is_finite();
    response.widget_info(|| egui::WidgetInfo::slider(is_usable, playback.time_secs, "Time"));
    let axis = Axis::new(outer.x_range(), view.timeline.span, duration);
    let named = Rect::from_x_y_ranges(axis.x, outer.y_range());
    let strip = Strip {
        axis: &axis,
        outer,
        track: outer.with_min_y(outer.top() + RULER_HEIGHT),
        painter: ui.painter_at(outer),
        colors: colors_of(ui),
    };
    let (track, colors) = (strip.track, strip.colors);
    strip.painter.rect_filled(track, 6.0, colors.sunken);
    if !is_usable {
        strip.painter.text(
            track.center(),
            Align2::CENTER_CENTER,
            instead_of_time(view),
            FontId::proportional(12.0),
            colors.weak,
        );
        return named;
    }

    let input = input(ui, view, &strip, &response, commands);
    strip.paint(view, &input, response.hovered());
    if gutter == 0.0 && whose::is_of_node(view) {
        whose::whose_ui(ui, view, &axis, track);
    }
    markers::markers_ui(ui, view, &axis, track, commands);
    overview::overview_ui(ui, &axis, whole, input.now_secs, commands);
    if gutter > 0.0 {
        beside_ui(ui, view, beside, track);
    }
    if response.has_focus() {
        let edge = Stroke::new(1.0, colors.accent);
        let inside = egui::StrokeKind::Inside;
        strip.painter.rect_stroke(track, 6.0, edge, inside);
    }
    if let Some(end) = input.grip.focused {
        focus::paint_outline(ui, end);
    }
    if input.is_held() || response.hovered() {
        ui.set_cursor_icon(egui::CursorIcon::ResizeHorizontal);
    }
    strip.paint_under_pointer(&input, response.hover_pos(), playback.frames_per_sec);
    named
}

/// What the user does to the timeline in a frame.
struct Input {
    /// The time that is shown, or was asked for.
    now_secs: f64,
    /// The playhead under the hand.
    drag: Option<drag::Drag>,
    /// An end of the part that loops.
    grip: range::Grip,
}

impl Input {
    fn is_held(&self) -> bool {
        self.drag.is_some()
    }
}

/// Takes what the user does to ends, axis and playhead.
fn input(
    ui: &mut Ui,
    view: &View<'_>,
    strip: &Strip<'_>,
    response: &Response,
    commands: &mut Vec<Command>,
) -> Input {
    let axis = strip.axis;
    let grip = range::grip_ui(ui, view, axis, strip.track, commands);
    let drag = drag::drag(ui, response).filter(|_| !grip.is_held);
    navigate(ui, axis, response, drag, Wheel::Axis, commands);
    let drag = drag.filter(|drag| drag.button == PointerButton::Primary);
    let playback = &view.playback;
    let mut now_secs = playback.time_secs;
    let frame_secs = playback.frames_per_sec.max(1.0).recip();
    let to_frame = |time: f64| (time / frame_secs).round() * frame_secs;
    let steps = (frame_secs, to_frame);
    let times = 0.0..=playback.duration_secs;
    if let Some(asked) = asked_value(ui, response, now_secs, times, steps) {
        now_secs = asked;
        seek(view, now_secs, commands);
    }
    if let Some(drag) = drag {
        now_secs = axis.time_at(drag.pos.x);
        seek(view, now_secs, commands);
    }
    Input {
        now_secs,
        drag,
        grip,
    }
}

/// Where the timeline is painted, and with what.
struct Strip<'a> {
    axis: &'a Axis,
    /// Ruler and track.
    outer: Rect,
    /// Where the keys are.
    track: Rect,
    painter: Painter,
    colors: &'a Colors,
}

impl Strip<'_> {
    /// What is played, the ruler, keys, the part that loops, and the playhead.
    fn paint(&self, view: &View<'_>, input: &Input, is_hovered: bool) {
        let Self {
            axis,
            outer,
            track,
            painter,
            colors,
        } = self;
        let (now, rate) = (input.now_secs, view.playback.frames_per_sec);
        let is_pointed_at = is_hovered || input.is_held();
        let is_lively = is_pointed_at || input.grip.is_held;
        played(painter, axis, *track, view, now, colors);
        ruler::paint(painter, axis, *outer, rate, colors);
        key_marks(
            painter,
            axis,
            *track,
            view.timeline.key_times_secs,
            now,
            colors,
        );
        range::paint(painter, axis, *track, view, is_lively, colors);
        playhead(painter, axis, *outer, now, is_pointed_at, colors);
    }

    /// The time under the pointer, be it over the timeline or drag something of it.
    fn paint_under_pointer(&self, input: &Input, hover: Option<Pos2>, frames_per_sec: f64) {
        let pointer = input.drag.map(|drag| drag.pos).or(hover);
        let Some(pointer) = pointer.or(input.grip.pos) else {
            return;
        };
        under_pointer(
            &self.painter,
            self.axis,
            self.outer,
            pointer.x,
            frames_per_sec,
            !input.is_held() && input.grip.pos.is_none(),
            self.colors,
        );
    }
}

/// Why there is no time to show.
fn instead_of_time(view: &View<'_>) -> &'static str {
    let clip = view.timeline.clip.map(|clip| view.clips.rows.get(clip));
    match (view.instead_of_model(), clip) {
        (Some(words), _) => words,
        (None, _) if view.clips.rows.is_empty() => text::NO_ANIMATION,
        (None, None) if view.playback.can_play => {
            "The crowd plays all clips: select one to see its keys"
        }
        (None, None) => "The file's own pose: select a clip to play",
        (None, Some(Some(clip))) if clip.key_count == 0 => view.instead_of_keys(),
        (None, Some(_)) => "This clip is a single pose",
    }
}

/// Asks for the time where a button is held. Held still it asks again while time runs, so that the playhead stays under the
/// pointer; else there is nothing new to ask for, nor to draw.
pub fn seek(view: &View<'_>, time_secs: f64, commands: &mut Vec<Command>) {
    let playback = &view.playback;
    if playback.is_playing || time_secs != playback.time_secs {
        commands.push(Command::Playback(PlaybackCommand::Seek(time_secs)));
    }
}

/// Whose keys are marked, below the names of the sheet.
fn beside_ui(ui: &Ui, view: &View<'_>, beside: Rect, track: Rect) {
    let words = if whose::is_of_node(view) {
        "Keys of the node"
    } else {
        "All keys"
    };
    ui.painter_at(beside).text(
        pos2(beside.left() + 6.0, track.top() + KEYS_Y),
        Align2::LEFT_CENTER,
        words,
        FontId::proportional(11.5),
        colors_of(ui).weak,
    );
}

/// Zooms and moves what an axis shows: Ctrl and the wheel, or two fingers, zoom at the pointer; the wheel and the middle
/// button move; a double click shows all of the clip.
pub fn navigate(
    ui: &Ui,
    axis: &Axis,
    response: &Response,
    drag: Option<drag::Drag>,
    wheel: Wheel,
    commands: &mut Vec<Command>,
) {
    let mut show = |span| commands.push(Command::Timeline(TimelineCommand::Show(span)));
    let (span, duration) = (axis.span, axis.duration_secs);
    if let Some(drag) = drag.filter(|drag| drag.button == PointerButton::Middle) {
        let by_secs = -f64::from(drag.moved.x) * axis.secs_per_point();
        if by_secs != 0.0 && !axis.is_whole() {
            show(span.moved(by_secs, duration));
        }
        ui.set_cursor_icon(egui::CursorIcon::Grabbing);
    }
    if response.double_clicked_by(PointerButton::Primary) && !axis.is_whole() {
        show(None);
    }
    let Some(pointer) = ui.input(|input| input.pointer.latest_pos()) else {
        return;
    };
    if !response.contains_pointer() {
        return;
    }
    let (factor, points) = scrolled(ui, wheel);
    if factor != 1.0 {
        show(span.zoomed(factor, axis.time_at(pointer.x), duration));
    } else if points != 0.0 && !axis.is_whole() {
        show(span.moved(f64::from(points) * axis.secs_per_point(), duration));
    }
}

/// What the wheel turns without Ctrl.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wheel {
    /// The time axis.
    Axis,
    /// Rows, or with Shift, or sideways, the time axis.
    Sheet,
}

/// What wheel and fingers ask for in this frame: by what to multiply what is shown, and by how many points to move it.
fn scrolled(ui: &Ui, wheel: Wheel) -> (f64, f32) {
    /// What is left of what was shown after a notch.
    const NOTCH: f64 = 0.8;
    /// Points that a notch moves by.
    const MOVED: f32 = 60.0;
    let (mut factor, mut points) = (1.0, 0.0);
    ui.input(|input| {
        for event in &input.events {
            match event {
                Event::MouseWheel {
                    unit,
                    delta,
                    modifiers,
                    ..
                } => {
                    let notches = wheel::notches(*unit, *delta);
                    if modifiers.command {
                        factor *= NOTCH.powf(f64::from(notches.y));
                    } else {
                        // Down is to the right, as in a page.
                        let upright = wheel == Wheel::Axis || modifiers.shift;
                        let upright = if upright { notches.y } else { 0.0 };
                        points -= (notches.x + upright) * MOVED;
                    }
                }
                Event::Zoom(magnified) if *magnified > 0.0 => factor /= f64::from(*magnified),
                _ => {}
            }
        }
    });
    let is_sane = factor.is_finite() && factor > 0.0 && points.is_finite();
    if is_sane {
        (factor, points)
    } else {
        (1.0, 0.0)
    }
}

/// What has been played, of the part that loops.
fn played(painter: &Painter, axis: &Axis, track: Rect, view: &View<'_>, now: f64, colors: &Colors) {
    let from = view
        .timeline
        .range
        .map_or(track.left(), |range| axis.x_at(range.from_secs));
    let done = track
        .with_min_x(from.max(track.left()))
        .with_max_x(axis.x_at(now).min(track.right()));
    if done.width() <= 0.0 {
        return;
    }
    let left = if done.left() <= track.left() { 6 } else { 0 };
    painter.rect_filled(
        done,
        egui::CornerRadius {
            nw: left,
            sw: left,
            ne: 0,
            se: 0,
        },
        colors.accent_soft,
    );
}

/// Marks for keys: diamonds where they are apart, a band where they are not.
fn key_marks(
    painter: &Painter,
    axis: &Axis,
    track: Rect,
    times: &[f32],
    now: f64,
    colors: &Colors,
) {
    const RADIUS: f32 = 3.5;
    let y = track.top() + KEYS_Y;
    let x_now = axis.x_at(now);
    runs::key_runs(axis, times, runs::GAP, |run| {
        let (center, half) = ((run.left + run.right) / 2.0, (run.right - run.left) / 2.0);
        let is_now = (x_now - center).abs() <= half + 1.0;
        let color = if is_now { colors.accent } else { colors.weak };
        if run.is_single() {
            painter.add(diamond(pos2(run.left, y), RADIUS, color));
        } else {
            let band = Rect::from_x_y_ranges(run.left - 2.0..=run.right + 2.0, y - 2.5..=y + 2.5);
            painter.rect_filled(band, 2.5, colors.weak.gamma_multiply(0.75));
        }
    });
}

/// A square on its corner.
pub fn diamond(center: Pos2, radius: f32, color: Color32) -> Shape {
    let corners = [(-radius, 0.0), (0.0, -radius), (radius, 0.0), (0.0, radius)];
    let corners = corners.map(|(dx, dy)| center + vec2(dx, dy));
    Shape::convex_polygon(corners.to_vec(), color, Stroke::NONE)
}

fn playhead(
    painter: &Painter,
    axis: &Axis,
    outer: Rect,
    now: f64,
    is_lively: bool,
    colors: &Colors,
) {
    let x = axis.x_at(now);
    let (top, bottom) = (outer.top(), outer.bottom());
    painter.vline(x, top + 14.0..=bottom, Stroke::new(1.5, colors.accent));
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
        colors.accent,
        Stroke::new(1.0, colors.panel),
    ));
}

/// A hairline and the time under the pointer.
fn under_pointer(
    painter: &Painter,
    axis: &Axis,
    outer: Rect,
    x: f32,
    frames_per_sec: f64,
    line: bool,
    colors: &Colors,
) {
    let time = axis.time_at(x);
    let x = axis.x_at(time);
    if line {
        let hairline = Stroke::new(1.0, colors.text.gamma_multiply(0.6));
        painter.vline(x, outer.top() + RULER_HEIGHT..=outer.bottom(), hairline);
    }
    let words = sheet::when(time, frames_per_sec);
    let galley = painter.layout_no_wrap(words, FontId::proportional(12.0), colors.strong);
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
        colors.raised,
        Stroke::new(1.0, colors.line),
        egui::StrokeKind::Inside,
    );
    let place = Align2::CENTER_CENTER.align_size_within_rect(galley.size(), chip);
    painter.galley(place.min, galley, Color32::PLACEHOLDER);
}
