//! Curves: the values of a channel over time, as they are played.

use std::sync::Arc;

use egui::{
    Align2, Color32, FontId, Galley, Rect, ScrollArea, Sense, Shape, Stroke, Ui, pos2, vec2,
};

use super::{
    ROW_HEIGHT, SheetState,
    chip::{self, lane_color},
    curve,
    dope::label_ui,
    key_mark, key_near, paint_now, paint_times, scrub_ui,
    value_axis::ValueAxis,
};
use crate::ui::{
    Command, NumberKind, SheetRow, SheetView, View,
    theme::{Colors, colors_of},
    timeline::{axis::Axis, runs},
};

/// Keys that are closer together have no marks, and no handles.
const MARK_GAP: f32 = 7.0;
const HANDLE_GAP: f32 = 26.0;
/// Width of the values left of the curves.
pub const LABELS_WIDTH: f32 = 44.0;
/// Between values and curves.
const LABELS_GAP: f32 = 5.0;

/// Draws the list of channels and the curves of one; times are in `outer`, as `axis` says.
pub fn curves_ui(
    ui: &mut Ui,
    state: &mut SheetState,
    view: &View<'_>,
    sheet: &SheetView<'_>,
    (outer, axis): (Rect, &Axis),
    commands: &mut Vec<Command>,
) {
    let beside = ui.available_rect_before_wrap().with_max_x(outer.left());
    let chosen = chosen_row(state, sheet);
    let values = chosen.map(|row| value_axis(sheet, row, outer));
    let widest = values.zip(chosen).map_or(0.0, |(values, (_, row))| {
        let widths = labels(ui, &values, row.numbers.unit());
        let widths = widths.map(|(_, words)| words.size().x + 2.0 * LABELS_GAP);
        widths.fold(0.0, f32::max)
    });
    let labels_width = LABELS_WIDTH.max(widest).min(0.4 * beside.width());
    let names = beside.with_max_x(beside.right() - labels_width);
    channels_ui(ui, state, names, (view, sheet), commands);

    let colors = colors_of(ui);
    ui.painter().rect_filled(outer, 6.0, colors.sunken);
    paint_times(ui, view, axis, outer, colors);
    let times = chosen.and_then(|(_, row)| sheet.numbers.times_secs(*row.timelines.first()?));
    let (Some(row), Some(values), Some(times)) = (chosen, values, times) else {
        paint_instead(ui, view, sheet, outer);
        scrub_ui(ui, view, axis, outer, |_| None, commands);
        return;
    };
    let plot = Plot {
        axis,
        values,
        outer,
        names_right: names.right(),
        row,
        times,
        sheet,
        colors,
    };
    plot.paint_values(ui);
    plot.paint_curves(ui);
    paint_now(ui, view.playback.time_secs, axis, outer, colors);
    plot.pointer_ui(ui, view, commands);
}

/// The channel whose curves are shown, and its place.
pub(super) fn chosen_row<'a>(
    state: &SheetState,
    sheet: &SheetView<'a>,
) -> Option<(usize, &'a SheetRow)> {
    let rows = sheet.rows.iter().enumerate();
    let mut rows = rows.filter(|(_, row)| has_numbers(row));
    rows.find(|(_, row)| row.label == state.channel)
}

fn has_numbers(row: &SheetRow) -> bool {
    !row.numbers.names().is_empty()
}

/// Chooses a channel where none is chosen that the sheet has, and where the sheet is about another clip or node.
pub(super) fn choose_channel(state: &mut SheetState, view: &View<'_>, sheet: &SheetView<'_>) {
    let mut known = sheet.rows.iter().filter(|row| has_numbers(row));
    let now = (view.timeline.clip, view.nodes.selected);
    let is_other = state.found_for.is_some_and(|found_for| found_for != now);
    if is_other || !known.any(|row| row.label == state.channel) {
        let size = view.statistics.size.into_iter().fold(0.0, f32::max);
        state.channel = moves_most(size, sheet).map_or_else(String::new, |row| row.label.clone());
        state.found_for = Some(now);
    }
}

/// The list of channels.
fn channels_ui(
    ui: &mut Ui,
    state: &mut SheetState,
    place: Rect,
    (view, sheet): (&View<'_>, &SheetView<'_>),
    commands: &mut Vec<Command>,
) {
    let mut list = ui.new_child(egui::UiBuilder::new().max_rect(place));
    list.spacing_mut().item_spacing.y = 0.0;
    ScrollArea::vertical()
        // Else it would reach below a low panel.
        .min_scrolled_height(0.0)
        .id_salt("channels")
        .auto_shrink([false, false])
        .show_rows(&mut list, ROW_HEIGHT, sheet.rows.len(), |ui, range| {
            for index in range {
                let size = vec2(ui.available_width(), ROW_HEIGHT);
                let (rect, _) = ui.allocate_exact_size(size, Sense::empty());
                if let Some(row) = sheet.rows.get(index) {
                    label_ui(ui, state, rect, row, (view, index), commands);
                }
            }
        });
}

/// Why there are no curves.
fn paint_instead(ui: &Ui, view: &View<'_>, sheet: &SheetView<'_>, outer: Rect) {
    let words = if view.nodes.selected.is_some() && !sheet.of_node {
        "The selected node does not move. Select one that does to see its curves"
    } else {
        "Select a node to see its curves"
    };
    let (font, color) = (FontId::proportional(12.0), colors_of(ui).weak);
    let center = outer.center();
    ui.painter()
        .text(center, Align2::CENTER_CENTER, words, font, color);
}

/// The axis on which all values of a row have room.
fn value_axis(sheet: &SheetView<'_>, (index, row): (usize, &SheetRow), outer: Rect) -> ValueAxis {
    let lanes = row.numbers.names().len();
    let (least, greatest) = sheet.numbers.bounds(index);
    let least = least[..lanes].iter().copied().fold(f32::INFINITY, f32::min);
    let greatest = greatest[..lanes]
        .iter()
        .copied()
        .fold(f32::NEG_INFINITY, f32::max);
    ValueAxis::new(outer.y_range(), least, greatest)
}

/// The values that have labels, and those.
fn labels<'a>(
    ui: &'a Ui,
    values: &ValueAxis,
    unit: &'a str,
) -> impl Iterator<Item = (f32, Arc<Galley>)> + 'a {
    let (labels, decimals) = values.labels();
    labels.map(move |value| {
        let words = format!("{value:.decimals$}{unit}").replace('-', "−");
        let font = FontId::proportional(10.5);
        let color = colors_of(ui).weak;
        (value, ui.painter().layout_no_wrap(words, font, color))
    })
}

/// Degrees that are as much as the size of the model, or a number of 1.
const AS_MUCH_DEGREES: f32 = 90.0;

/// So many keys are looked at for what moves most: an hour of a node is within that, and ten thousand morph targets, which may
/// have many times as many, are not waited for.
const LOOKED_AT: usize = 500_000;

/// The row whose keys go farthest, as far as they are looked at: of turns beside a quarter turn, of ways beside the size of
/// the model.
fn moves_most<'a>(size: f32, sheet: &SheetView<'a>) -> Option<&'a SheetRow> {
    let mut most = None;
    let mut keys = 0;
    for (index, row) in sheet.rows.iter().enumerate() {
        let lanes = row.numbers.names().len();
        if lanes == 0 {
            continue;
        }
        if keys >= LOOKED_AT {
            break;
        }
        keys += row.key_count;
        let (least, greatest) = sheet.numbers.extremes(index, 0, row.key_count);
        let ways = least.iter().zip(&greatest).take(lanes);
        let way = ways.map(|(least, greatest)| greatest - least);
        let way = way.filter(|way| way.is_finite()).fold(0.0, f32::max);
        let unit = match row.numbers {
            NumberKind::Degrees => AS_MUCH_DEGREES,
            NumberKind::Axes(_) if row.label == "Translation" && size > 0.0 => size,
            _ => 1.0,
        };
        let part = way / unit;
        if most.is_none_or(|(known, _)| part > known) {
            most = Some((part, row));
        }
    }
    most.map(|(_, row)| row)
}

/// The curves of a row.
struct Plot<'a> {
    axis: &'a Axis,
    values: ValueAxis,
    outer: Rect,
    /// Where the names of the channels end, and values begin.
    names_right: f32,
    row: (usize, &'a SheetRow),
    times: &'a [f32],
    sheet: &'a SheetView<'a>,
    colors: &'a Colors,
}

impl Plot<'_> {
    /// Horizontal lines, and their values left of them. Those that have no room there go on beneath the curves.
    fn paint_values(&self, ui: &Ui) {
        let painter = ui.painter_at(self.outer.with_min_x(self.names_right));
        for (value, galley) in labels(ui, &self.values, self.row.1.numbers.unit()) {
            let y = self.values.y_at(value);
            let is_zero = value == 0.0;
            let line = if is_zero {
                self.colors.disabled
            } else {
                self.colors.line
            };
            let line = Stroke::new(1.0, line);
            painter.hline(self.outer.x_range(), y.round() + 0.5, line);
            let x = self.outer.left() - LABELS_GAP - galley.size().x;
            let place = pos2(x.max(self.names_right), y - galley.size().y / 2.0);
            painter.galley(place, galley, self.colors.weak);
        }
    }

    fn paint_curves(&self, ui: &Ui) {
        let painter = ui.painter_at(self.outer);
        let (index, row) = self.row;
        let (lines, _) = curve::curves(
            self.axis,
            self.outer,
            &self.values,
            (index, row),
            self.times,
            self.sheet.numbers,
        );
        for (lane, line) in lines.into_iter().enumerate() {
            painter.add(Shape::line(line, Stroke::new(1.6, self.color(lane))));
        }
        let mut singles = Vec::new();
        runs::key_runs(self.axis, self.times, MARK_GAP, |run| {
            if run.is_single() {
                singles.push(run.left);
            }
        });
        for x in singles {
            let Some((key, time)) = key_near(self.axis, self.times, x) else {
                continue;
            };
            self.paint_handles(ui, key);
            let numbers = self.sheet.numbers.key(index, key);
            for (lane, value) in numbers.iter().enumerate().take(row.numbers.names().len()) {
                let center = pos2(self.axis.x_at(time), self.values.y_at(*value));
                painter.add(key_mark(center, row.between, self.color(lane)));
            }
        }
    }

    /// The tangents of a spline's key. A third of the way to the neighbours they are the control points of the Bézier curve
    /// that is the same.
    fn paint_handles(&self, ui: &Ui, key: usize) {
        let (index, row) = self.row;
        let Some((arriving, leaving)) = self.sheet.numbers.tangents(index, key) else {
            return;
        };
        let painter = ui.painter_at(self.outer);
        let numbers = self.sheet.numbers.key(index, key);
        let time_of = |key: Option<usize>| key.and_then(|key| self.times.get(key)).copied();
        let Some(time) = time_of(Some(key)) else {
            return;
        };
        for (tangent, neighbour) in [
            (arriving, time_of(key.checked_sub(1))),
            (leaving, time_of(Some(key + 1))),
        ] {
            let Some(neighbour) = neighbour else {
                continue;
            };
            let third_secs = (neighbour - time) / 3.0;
            let [x, tip_x] = [time, time + third_secs].map(|time| self.axis.x_at(f64::from(time)));
            if 3.0 * (tip_x - x).abs() < HANDLE_GAP {
                continue;
            }
            for lane in 0..row.numbers.names().len() {
                let tip_value = numbers[lane] + tangent[lane] * third_secs;
                let from = pos2(x, self.values.y_at(numbers[lane]));
                let tip = pos2(tip_x, self.values.y_at(tip_value));
                let color = self.color(lane).gamma_multiply(0.65);
                painter.line_segment([from, tip], Stroke::new(1.0, color));
                painter.circle_filled(tip, 2.2, color);
            }
        }
    }

    /// Goes to times, and tells the values at the time or the key under the pointer.
    fn pointer_ui(&self, ui: &Ui, view: &View<'_>, commands: &mut Vec<Command>) {
        let (axis, outer) = (self.axis, self.outer);
        let key_at = |pos: egui::Pos2| key_near(axis, self.times, pos.x);
        let (response, pos) = scrub_ui(ui, view, axis, outer, key_at, commands);
        let Some(pos) = pos else {
            return;
        };
        let key = key_at(pos);
        if key.is_some() && response.hovered() {
            ui.set_cursor_icon(egui::CursorIcon::PointingHand);
        }
        let time = key.map_or_else(|| axis.time_at(pos.x), |(_, time)| time);
        self.paint_under_pointer(ui, pos, time, view.playback.frames_per_sec);
    }

    fn paint_under_pointer(&self, ui: &Ui, pos: egui::Pos2, time: f64, frames_per_sec: f64) {
        let painter = ui.painter_at(self.outer);
        let (index, row) = self.row;
        let numbers = self.sheet.numbers.at(index, time);
        let x = self.axis.x_at(time);
        let hairline = Stroke::new(1.0, self.colors.text.gamma_multiply(0.6));
        painter.vline(x, self.outer.y_range(), hairline);
        for (lane, value) in numbers.iter().enumerate().take(row.numbers.names().len()) {
            let center = pos2(x, self.values.y_at(*value));
            painter.circle(
                center,
                3.5,
                self.color(lane),
                Stroke::new(1.0, self.colors.sunken),
            );
        }
        let mut pieces = vec![(chip::when(time, frames_per_sec), self.colors.strong)];
        pieces.extend(chip::numbers(row.numbers, &numbers, self.colors));
        chip::paint(&painter, self.outer, pos, &pieces, self.colors);
    }

    fn color(&self, lane: usize) -> Color32 {
        lane_color(self.row.1.numbers, lane, self.colors)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::ui::{Between, Lanes, Numbers, SheetKind};

    /// Rows of which each goes a little farther than the one before.
    #[derive(Debug, Default)]
    struct Farther {
        /// How many keys were looked at.
        keys: Cell<usize>,
    }

    impl Numbers for Farther {
        fn at(&self, _: usize, _: f64) -> Lanes {
            panic!("no curve is followed to find out");
        }
        fn key(&self, _: usize, _: usize) -> Lanes {
            Lanes::default()
        }
        fn tangents(&self, _: usize, _: usize) -> Option<(Lanes, Lanes)> {
            None
        }
        fn extremes(&self, row: usize, from: usize, to: usize) -> (Lanes, Lanes) {
            self.keys.set(self.keys.get() + to - from);
            ([0.0; 4], [row as f32; 4])
        }
        fn bounds(&self, row: usize) -> (Lanes, Lanes) {
            (self.at(row, 0.0), self.at(row, 1.0))
        }
        fn times_secs(&self, _: usize) -> Option<&[f32]> {
            None
        }
    }

    #[test]
    fn a_bounded_number_of_keys_is_looked_at_for_what_moves_most() {
        for (count, key_count) in [(5, 300), (10_000, 300), (3, 1_000_000)] {
            let row = |index: usize| SheetRow {
                label: index.to_string(),
                pointer: None,
                node: None,
                timelines: vec![0],
                between: Between::Cubic,
                key_count,
                numbers: NumberKind::One,
            };
            let rows: Vec<_> = (0..count).map(row).collect();
            let numbers = Farther::default();
            let sheet = SheetView {
                kind: SheetKind::Curves,
                quaternions: false,
                title: "",
                rows: &rows,
                of_node: true,
                numbers: &numbers,
            };
            let label = moves_most(1.0, &sheet).map(|row| &*row.label);
            let looked_at = count.min(LOOKED_AT.div_ceil(key_count));
            let last = (looked_at - 1).to_string();
            assert_eq!(label, Some(&*last), "{count} rows");
            assert!(numbers.keys.get() <= LOOKED_AT + key_count);
        }
    }
}
