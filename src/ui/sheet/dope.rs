//! The dope sheet: a row of keys for every channel, or for every node that moves.

use egui::{Rect, ScrollArea, Sense, Ui, pos2, vec2};

use super::{ROW_HEIGHT, SheetState, chip, key_mark, key_near, paint_now, paint_times, scrub_ui};
use crate::ui::{
    Command, SheetKind, SheetRow, SheetView, TimelineCommand, View,
    keys::focus,
    text,
    theme::{Colors, colors_of},
    timeline::{axis::Axis, runs},
    widgets,
};

/// Marks that are closer together are a band.
const GAP: f32 = 7.0;

/// Draws the rows; times are in `outer`, as `axis` says.
pub fn dope_ui(
    ui: &mut Ui,
    state: &mut SheetState,
    view: &View<'_>,
    sheet: &SheetView<'_>,
    (outer, axis): (Rect, &Axis),
    commands: &mut Vec<Command>,
) {
    let colors = colors_of(ui);
    ui.painter().rect_filled(outer, 6.0, colors.sunken);
    paint_times(ui, view, axis, outer, colors);
    let mut seen: Vec<(usize, Rect)> = Vec::new();
    ui.spacing_mut().item_spacing.y = 0.0;
    ScrollArea::vertical()
        // Else it would reach below a low panel.
        .min_scrolled_height(0.0)
        .id_salt("dope")
        .auto_shrink([false, false])
        .show_rows(ui, ROW_HEIGHT, sheet.rows.len(), |ui, range| {
            for index in range {
                let size = vec2(ui.available_width(), ROW_HEIGHT);
                let (rect, _) = ui.allocate_exact_size(size, Sense::empty());
                let Some(row) = sheet.rows.get(index) else {
                    continue;
                };
                let label = rect.with_max_x(outer.left() - 4.0);
                label_ui(ui, state, label, row, (view, index), commands);
                let track = Rect::from_x_y_ranges(outer.x_range(), rect.y_range());
                paint_row(ui, view, sheet, row, axis, track, colors);
                seen.push((index, track));
            }
        });
    paint_now(ui, view.playback.time_secs, axis, outer, colors);

    let row_at = |pos: egui::Pos2| {
        let (index, track) = seen
            .iter()
            .find(|(_, track)| track.y_range().contains(pos.y))?;
        Some((*index, sheet.rows.get(*index)?, *track))
    };
    let key_at = |pos: egui::Pos2| {
        let (_, row, _) = row_at(pos)?;
        let timelines = row
            .timelines
            .iter()
            .filter_map(|timeline| sheet.numbers.times_secs(*timeline));
        let near = timelines.filter_map(|times| key_near(axis, times, pos.x));
        near.min_by(|a, b| {
            let way = |time: f64| (axis.x_at(time) - pos.x).abs();
            way(a.1).total_cmp(&way(b.1))
        })
    };
    let (response, pos) = scrub_ui(ui, view, axis, outer, key_at, commands);
    let Some((pos, (index, row, track))) = pos.and_then(|pos| Some((pos, row_at(pos)?))) else {
        return;
    };
    let key = key_at(pos);
    if key.is_some() && response.hovered() {
        ui.set_cursor_icon(egui::CursorIcon::PointingHand);
    }
    let time = key.map_or_else(|| axis.time_at(pos.x), |(_, time)| time);
    let painter = ui.painter_at(outer);
    if key.is_some() {
        let center = pos2(axis.x_at(time), track.center().y);
        painter.add(key_mark(center, row.between, colors.strong));
    }
    let mut pieces = vec![(
        chip::when(time, view.playback.frames_per_sec),
        colors.strong,
    )];
    pieces.extend(chip::numbers(
        row.numbers,
        &sheet.numbers.at(index, time),
        colors,
    ));
    chip::paint(&painter, outer, pos, &pieces, colors);
}

/// The name of a row. A click on a node chooses it, one on a channel shows its curves.
pub fn label_ui(
    ui: &mut Ui,
    state: &mut SheetState,
    rect: Rect,
    row: &SheetRow,
    (view, index): (&View<'_>, usize),
    commands: &mut Vec<Command>,
) {
    let response = ui.interact(rect, ui.scope_id().with(("row", index)), Sense::click());
    let words = format!(
        "{}: {} keys, {}",
        text::clean_name(&row.label),
        row.key_count,
        row.between.name()
    );
    let kind = view.timeline.sheet.as_ref().map(|sheet| sheet.kind);
    let is_shown = kind == Some(SheetKind::Curves) && state.channel == row.label;
    response
        .widget_info(|| egui::WidgetInfo::selected(egui::Role::ListItem, true, is_shown, &words));
    focus::follow(ui, &response, rect);
    let colors = colors_of(ui);
    let ground = if is_shown {
        Some(colors.accent_soft)
    } else {
        (response.hovered() || response.has_focus()).then_some(colors.raised)
    };
    if let Some(ground) = ground {
        ui.painter().rect_filled(rect, 4.0, ground);
    }
    let name = rect
        .with_min_x(rect.left() + 6.0)
        .with_max_x(rect.right() - 4.0);
    widgets::paint_name(ui, name, &row.label, colors.text);
    if response.clicked() {
        if row.node.is_some() {
            commands.push(Command::SelectNode(row.node));
        } else {
            state.channel.clone_from(&row.label);
            state.found_for = None;
            if kind != Some(SheetKind::Curves) {
                let curves = TimelineCommand::ShowSheet(Some(SheetKind::Curves));
                commands.push(Command::Timeline(curves));
            }
        }
    }
    widgets::row_tooltip(&response, |ui| {
        ui.label(&words);
        if let Some(pointer) = &row.pointer {
            ui.weak(pointer);
        }
        ui.weak(if row.node.is_some() {
            "Click to select the node"
        } else {
            "Click for its curves"
        });
    });
}

fn paint_row(
    ui: &Ui,
    view: &View<'_>,
    sheet: &SheetView<'_>,
    row: &SheetRow,
    axis: &Axis,
    track: Rect,
    colors: &Colors,
) {
    let outer = track.intersect(ui.clip_rect());
    let painter = ui.painter_at(outer);
    painter.hline(
        track.x_range(),
        track.bottom() - 0.5,
        egui::Stroke::new(1.0, colors.line.gamma_multiply(0.6)),
    );
    let y = track.center().y;
    let x_now = axis.x_at(view.playback.time_secs);
    let timelines = row
        .timelines
        .iter()
        .filter_map(|timeline| sheet.numbers.times_secs(*timeline));
    for times in timelines {
        runs::key_runs(axis, times, GAP, |run| {
            let is_now = (run.left - 1.0..=run.right + 1.0).contains(&x_now);
            let color = if is_now { colors.accent } else { colors.weak };
            if run.is_single() {
                painter.add(key_mark(pos2(run.left, y), row.between, color));
            } else {
                let band =
                    Rect::from_x_y_ranges(run.left - 2.5..=run.right + 2.5, y - 3.0..=y + 3.0);
                painter.rect_filled(band, 3.0, colors.weak.gamma_multiply(0.75));
            }
        });
    }
}
