//! The sheet: keys or curves of what moves, above the timeline and on its time axis.

mod chip;
mod curve;
mod curves;
mod dope;
mod value_axis;

use std::ops::RangeInclusive;

use egui::{Frame, Margin, Rect, Role, Stroke, Ui, WidgetInfo, vec2};

pub use chip::when;

use super::{
    Between, Command, NumberKind, SheetKind, SheetRow, SheetView, TimelineCommand, View, bars,
    keys::{Action, written},
    theme::{Colors, colors_of},
    timeline::axis::{Axis, ticks},
    widgets::{self, IconButton, icons::Icon, radio, tooltip},
};

/// Heights of the panel: the least, and the one that it begins with.
const HEIGHTS: (f32, f32) = (96.0, 190.0);
/// The picture keeps at least this height: the more, the higher the window.
const MIN_PICTURE: std::ops::Range<f32> = 90.0..180.0;
/// The least heights of the panel and of the picture in windows that are lower.
const LOW_HEIGHTS: [f32; 2] = [76.0, 44.0];
const HEADER_HEIGHT: f32 = 26.0;
/// Height of a row.
const ROW_HEIGHT: f32 = 20.0;
/// How far from a key the pointer is on it.
const KEY_REACH: f32 = 6.0;

/// What the sheet itself remembers.
#[derive(Debug, Default)]
pub struct SheetState {
    /// The name of the row whose curves are shown, if there is one of that name.
    channel: String,
    /// For which clip and node that was found to move most; none if the user has chosen it.
    found_for: Option<(Option<usize>, Option<usize>)>,
    /// Height of the panel as the user drew it, in points; none for the one that it begins with.
    pub height: Option<f32>,
    /// The least, the greatest and the usual height when it was last drawn.
    room: [f32; 3],
    /// How high it was then, if nobody has drawn it higher or lower since.
    drawn: f32,
}

impl SheetState {
    /// Between which heights the user may draw the panel. While the room for it changes it has the height that is wanted, as
    /// far as there is room: egui would keep what was left of it.
    fn range(&mut self, room: [f32; 3]) -> RangeInclusive<f32> {
        let [least, most, usual] = room;
        if std::mem::replace(&mut self.room, room) == room {
            return least..=most;
        }
        let height = self.height.unwrap_or(usual).clamp(least, most);
        self.drawn = height;
        height..=height
    }

    /// Takes note of the height: another than it had in the same room was drawn by the user.
    fn follow(&mut self, height: f32) {
        if (height - self.drawn).abs() > 0.5 {
            (self.height, self.drawn) = (Some(height), height);
        }
    }
}

/// The least and the greatest height of the panel where picture and sheet have this height together; none if that is too low.
fn heights(height: f32) -> Option<[f32; 2]> {
    // However high the sheet was drawn in a larger window: what is posed is to be seen.
    let picture = (0.42 * height).clamp(MIN_PICTURE.start, MIN_PICTURE.end);
    let pairs = [
        [HEIGHTS.0, picture],
        [HEIGHTS.0, MIN_PICTURE.start],
        LOW_HEIGHTS,
    ];
    let mut pairs = pairs.into_iter();
    pairs.find_map(|[least, picture]| {
        let most = height - picture;
        (most >= least).then_some([least, most])
    })
}

/// Whether the window is high enough for the sheet.
pub fn has_room(ui: &Ui) -> bool {
    let window = ui.ctx().content_rect().height();
    heights(window - bars::top::HEIGHT - bars::transport::HEIGHT - 2.0).is_some()
}

/// Width of what stands beside the time axis, for a panel of this width: the names of the sheet and the values of curves, or
/// the table of differences.
pub fn gutter(ui: &Ui, view: &View<'_>, width: f32) -> f32 {
    if let Some(gutter) = super::compare::gutter(ui, view, width) {
        return gutter;
    }
    match view.timeline.sheet {
        Some(_) if !has_room(ui) => 0.0,
        Some(sheet) => {
            let labels = match sheet.kind {
                SheetKind::Curves => curves::LABELS_WIDTH,
                SheetKind::Dope => 0.0,
            };
            (0.17 * width).clamp(96.0 + labels, 190.0).min(width / 2.0)
        }
        None => 0.0,
    }
}

/// Draws the panel, if the sheet is open and there is room; returns where times are.
pub fn panel_ui(
    ui: &mut Ui,
    state: &mut SheetState,
    view: &View<'_>,
    commands: &mut Vec<Command>,
) -> Option<Rect> {
    let sheet = view.timeline.sheet.as_ref()?;
    if !has_room(ui) {
        return None;
    }
    let [least, most] = heights(ui.available_height())?;
    let frame = Frame::NONE.fill(colors_of(ui).panel).inner_margin(Margin {
        left: 10,
        right: 10,
        top: 4,
        bottom: 2,
    });
    let usual = HEIGHTS.1.min(0.42 * ui.available_height()).max(least);
    let range = state.range([least, most, usual]);
    let shown = egui::Panel::bottom("sheet")
        .resizable(true)
        .default_size(state.height.unwrap_or(usual))
        .size_range(range)
        .frame(frame)
        .show(ui, |ui| {
            let gutter = gutter(ui, view, ui.available_width());
            if sheet.kind == SheetKind::Curves {
                curves::choose_channel(state, view, sheet);
            }
            header_ui(ui, state, sheet, commands);
            let body = ui.available_rect_before_wrap();
            let outer = body.with_min_x(body.left() + gutter);
            let axis = Axis::new(
                outer.x_range(),
                view.timeline.span,
                view.playback.duration_secs,
            );
            if sheet.rows.is_empty() {
                nothing_ui(ui, view);
            } else if sheet.kind == SheetKind::Dope {
                dope::dope_ui(ui, state, view, sheet, (outer, &axis), commands);
            } else {
                curves::curves_ui(ui, state, view, sheet, (outer, &axis), commands);
            }
            ui.advance_cursor_after_rect(body);
            outer
        });
    state.follow(shown.response.rect.height());
    Some(shown.inner)
}

fn nothing_ui(ui: &Ui, view: &View<'_>) {
    let words = if let Some(words) = view.instead_of_model() {
        words
    } else if view.clips.rows.is_empty() {
        super::text::NO_ANIMATION
    } else if view.timeline.clip.is_none() {
        "Select a clip to see its keys"
    } else {
        view.instead_of_keys()
    };
    let font = egui::FontId::proportional(12.0);
    let center = ui.available_rect_before_wrap().center();
    let color = colors_of(ui).weak;
    ui.painter()
        .text(center, egui::Align2::CENTER_CENTER, words, font, color);
}

/// Whether rotations are shown, which are degrees or quaternions.
fn shows_turns(state: &SheetState, sheet: &SheetView<'_>) -> bool {
    let turns =
        |row: &SheetRow| matches!(row.numbers, NumberKind::Degrees | NumberKind::Quaternion);
    match sheet.kind {
        SheetKind::Curves => curves::chosen_row(state, sheet).is_some_and(|(_, row)| turns(row)),
        SheetKind::Dope => sheet.rows.iter().any(turns),
    }
}

fn header_ui(ui: &mut Ui, state: &SheetState, sheet: &SheetView<'_>, commands: &mut Vec<Command>) {
    let mut ask = |command| commands.push(Command::Timeline(command));
    let row = vec2(ui.available_width(), HEADER_HEIGHT);
    let layout = egui::Layout::right_to_left(egui::Align::Center);
    ui.allocate_ui_with_layout(row, layout, |ui| {
        ui.set_min_height(row.y);
        ui.spacing_mut().item_spacing.x = 2.0;
        let close = IconButton::new(Icon::Cross, "Close the sheet").side(22.0);
        if close.keys(written(Action::Sheet, 0)).show(ui).clicked() {
            ask(TimelineCommand::ShowSheet(None));
        }
        ui.add_space(8.0);
        // Where nothing moves there are neither keys nor curves.
        let kinds = [
            (SheetKind::Curves, "Curves"),
            (SheetKind::Dope, "Dope sheet"),
        ];
        let has_any = !sheet.rows.is_empty();
        for (kind, name) in kinds.into_iter().filter(|_| has_any) {
            let is_on = sheet.kind == kind;
            let response = radio(ui, is_on, name, name);
            if tooltip(
                response,
                "Keys, or values over time",
                &written(Action::OtherSheet, 0),
            )
            .clicked()
            {
                ask(TimelineCommand::ShowSheet(Some(kind)));
            }
        }
        if shows_turns(state, sheet) {
            ui.add_space(10.0);
            for (quaternions, name, hint) in [
                (
                    true,
                    "xyzw",
                    "Rotations as quaternions, as the file has them",
                ),
                (
                    false,
                    "°",
                    "Rotations as degrees about X, Y and Z, in that order",
                ),
            ] {
                let is_on = sheet.quaternions == quaternions;
                let response = radio(ui, is_on, name, hint);
                if response.on_hover_text(hint).clicked() {
                    ask(TimelineCommand::SetQuaternions(quaternions));
                }
            }
        }
        ui.add_space(8.0);
        let room = ui.available_rect_before_wrap();
        widgets::paint_name(ui, room, sheet.title, colors_of(ui).strong);
    });
}

/// Vertical lines where the ruler has labels, what does not loop, and the current time.
fn paint_times(ui: &Ui, view: &View<'_>, axis: &Axis, plot: Rect, colors: &Colors) {
    let painter = ui.painter_at(plot);
    for time in ticks(
        axis,
        super::timeline::label_step(axis, view.playback.frames_per_sec),
    ) {
        let x = axis.x_at(time).round() + 0.5;
        painter.vline(x, plot.y_range(), Stroke::new(1.0, colors.line));
    }
    if let Some(range) = view.timeline.range {
        let dim = colors.panel.gamma_multiply(0.6);
        let [from, to] = [range.from_secs, range.to_secs].map(|time| axis.x_at(time));
        painter.rect_filled(
            plot.with_max_x(from.clamp(plot.left(), plot.right())),
            0.0,
            dim,
        );
        painter.rect_filled(
            plot.with_min_x(to.clamp(plot.left(), plot.right())),
            0.0,
            dim,
        );
    }
}

fn paint_now(ui: &Ui, now: f64, axis: &Axis, plot: Rect, colors: &Colors) {
    let painter = ui.painter_at(plot);
    painter.vline(
        axis.x_at(now),
        plot.y_range(),
        Stroke::new(1.5, colors.accent),
    );
}

/// The pointer over the plot: it drags the current time, a click goes to the key under it. Returns where it is, and the key
/// of `times` there.
fn scrub_ui(
    ui: &Ui,
    view: &View<'_>,
    axis: &Axis,
    plot: Rect,
    times_at: impl Fn(egui::Pos2) -> Option<(usize, f64)>,
    commands: &mut Vec<Command>,
) -> (egui::Response, Option<egui::Pos2>) {
    let response = ui.interact(
        plot,
        ui.scope_id().with("sheet_plot"),
        egui::Sense::CLICK | egui::Sense::DRAG,
    );
    response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, "Sheet"));
    let drag = widgets::drag::drag(ui, &response);
    super::timeline::navigate(
        ui,
        axis,
        &response,
        drag,
        super::timeline::Wheel::Sheet,
        commands,
    );
    let drag = drag.filter(|drag| drag.button == egui::PointerButton::Primary);
    if let Some(drag) = drag {
        let key = times_at(drag.pos).filter(|_| !drag.is_move);
        let time = key.map_or_else(|| axis.time_at(drag.pos.x), |(_, time)| time);
        super::timeline::seek(view, time, commands);
    }
    let pos = drag.map(|drag| drag.pos).or(response.hover_pos());
    (response, pos)
}

/// The key of a timeline that is under the pointer, and its time.
fn key_near(axis: &Axis, times: &[f32], x: f32) -> Option<(usize, f64)> {
    let key = times.partition_point(|time| f64::from(*time) < axis.time_at_any(x));
    let near = [key.checked_sub(1), Some(key)].into_iter().flatten();
    near.filter_map(|key| Some((key, f64::from(*times.get(key)?))))
        .map(|(key, time)| (key, time, (axis.x_at(time) - x).abs()))
        .filter(|(.., way)| *way <= KEY_REACH)
        .min_by(|a, b| a.2.total_cmp(&b.2))
        .map(|(key, time, _)| (key, time))
}

/// A mark for a key, by how values follow it: a diamond for straight lines, a square for steps, a disc for splines.
fn key_mark(center: egui::Pos2, between: Between, color: egui::Color32) -> egui::Shape {
    match between {
        Between::Step => {
            let rect = Rect::from_center_size(center, vec2(6.0, 6.0));
            egui::Shape::rect_filled(rect, 0.0, color)
        }
        Between::Cubic => egui::Shape::circle_filled(center, 3.4, color),
        Between::Linear | Between::Mixed => super::timeline::diamond(center, 4.0, color),
    }
}
