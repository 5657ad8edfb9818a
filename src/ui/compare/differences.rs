//! How far A and B lie apart, below the picture: the joints, the worst first, and over time those of the chosen one.

use std::borrow::Cow;

use egui::{
    Align2, FontId, Frame, Margin, Rect, Role, ScrollArea, Sense, Ui, WidgetInfo, pos2, vec2,
};

use super::{
    clip_list,
    difference_plot::plot_ui,
    order::{self, Order},
};
use crate::ui::{
    Command, CompareCommand, DifferenceRow, DifferencesView, TimelineCommand, View,
    bars::{self, transport},
    keys::focus,
    text,
    theme::colors_of,
    widgets::{self, IconButton, icons::Icon},
};

/// Height of the panel, and of a line in it. In low windows the panel is lower: the picture keeps room for its menus and for
/// what A and B are.
const HEIGHT: f32 = 138.0;
const MIN_PICTURE: f32 = 148.0;
pub(super) const LINE: f32 = 19.0;
/// Lines of what there is to say at most: with nothing below it, and above a list.
const LINES_ALONE: usize = 5;
const LINES_ABOVE: usize = 2;
/// Characters of it: where the lines do not hold them, a tooltip does.
const MAX_WORDS: usize = 4000;
/// Side of the button that closes it.
pub(super) const CLOSE_SIDE: f32 = 20.0;
/// Between the table and the chart, and the least width of that.
const GAP: f32 = 14.0;
const MIN_PLOT: f32 = 80.0;
/// Lower windows have no room for it.
const MIN_WINDOW: egui::Vec2 = vec2(420.0, 400.0);

/// Draws the panel, if it is open; returns where it is.
pub fn differences_ui(ui: &mut Ui, view: &View<'_>, commands: &mut Vec<Command>) -> Option<Rect> {
    let differences = view.compare.differences?;
    if !has_room(ui) {
        return None;
    }
    let colors = colors_of(ui);
    let frame = Frame::NONE
        .fill(colors.panel)
        .inner_margin(Margin::symmetric(10, 6));
    let shown = egui::Panel::bottom("differences")
        .exact_size(height(ui))
        .frame(frame)
        .show(ui, |ui| {
            let room = ui.available_rect_before_wrap();
            let table = room.with_max_x(room.left() + table_width(room.width()));
            // In low windows there is no room for the bar that opens and closes it.
            let corner = pos2(room.right() - CLOSE_SIDE, room.top() - 2.0);
            let close = Rect::from_min_size(corner, egui::Vec2::splat(CLOSE_SIDE));
            let plot = room.with_min_x(table.right() + GAP);
            // Without a chart what is said has its room, too.
            let words_right = if has_plot(&differences, room.width()) {
                table.right()
            } else {
                close.left() - 6.0
            };
            ui.scope_builder(egui::UiBuilder::new().max_rect(table), |ui| {
                table_ui(ui, view, &differences, words_right, commands);
            });
            if has_plot(&differences, room.width()) {
                plot_ui(ui, view, &differences, plot, commands);
            }
            ui.scope_builder(egui::UiBuilder::new().max_rect(close), |ui| {
                let button = IconButton::new(Icon::Cross, "Close the differences");
                if button.side(CLOSE_SIDE).show(ui).clicked() {
                    commands.push(Command::Compare(CompareCommand::ToggleDifferences));
                }
            });
        });
    Some(shown.response.rect)
}

fn table_ui(
    ui: &mut Ui,
    view: &View<'_>,
    differences: &DifferencesView<'_>,
    words_right: f32,
    commands: &mut Vec<Command>,
) {
    ui.spacing_mut().item_spacing.y = 0.0;
    let width = ui.available_width();
    let places = Places::of(width);
    let (head, _) = ui.allocate_exact_size(vec2(width, 16.0), Sense::hover());
    let lists_clips = differences.clips.is_some_and(|list| list.is_open);
    let is_same = !differences.rows.iter().any(DifferenceRow::is_off);
    let left = places.degrees - 44.0;
    let has_room = differences.clips.is_none() || left >= SWITCH_WIDTH;
    if has_room && (lists_clips || !is_same) {
        order::heads_ui(ui, head);
    }
    if let Some(list) = &differences.clips {
        let room = head.with_max_x(head.left() + left);
        which_ui(ui, room, list.is_open, commands);
        if list.is_open {
            return clip_list::list_ui(ui, view, list, commands);
        }
    } else if !is_same {
        let at = pos2(head.left() + 4.0, head.center().y);
        let small = FontId::proportional(11.5);
        ui.painter()
            .text(at, Align2::LEFT_CENTER, "Joint", small, colors_of(ui).weak);
    }
    if !differences.is_known {
        ui.label("Comparing the joints…");
        return;
    }
    let mut words = Cow::Borrowed(differences.words);
    if is_same {
        let same = match differences.unpaired {
            "" if !has_joints(differences) => "They share no joint",
            "" => "All joints that both have move alike",
            unpaired => unpaired,
        };
        words = if words.is_empty() {
            Cow::Owned(format!("{same}."))
        } else {
            Cow::Owned(format!("{same}; {words}."))
        };
    }
    if !words.is_empty() {
        let lines = if is_same { LINES_ALONE } else { LINES_ABOVE };
        words_ui(ui, &words, lines, words_right);
    }
    if is_same {
        return;
    }
    let (rows, order) = (differences.rows, Order::chosen(ui));
    ScrollArea::vertical()
        .id_salt("differences")
        .auto_shrink([false, false])
        .show_rows(ui, LINE, rows.len() + 1, |ui, range| {
            for place in range {
                let row = order.row_at(differences.by_figure, place);
                match row.and_then(|row| rows.get(row)) {
                    Some(row) => row_ui(ui, view, row, commands),
                    None => rest_ui(ui, differences),
                }
            }
        });
}

/// Says how many joints are not listed.
fn rest_ui(ui: &mut Ui, differences: &DifferencesView<'_>) {
    let words = match differences.alike {
        0 => return,
        1 => "1 more joint moves alike".to_owned(),
        count => format!("{count} more joints move alike"),
    };
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), LINE), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &words));
    let at = pos2(rect.left() + 4.0, rect.center().y);
    let font = FontId::proportional(12.5);
    ui.painter()
        .text(at, Align2::LEFT_CENTER, words, font, colors_of(ui).weak);
}

/// Whether both have any joint.
fn has_joints(differences: &DifferencesView<'_>) -> bool {
    !differences.rows.is_empty() || differences.alike > 0
}

/// What there is to say, in as many lines as it needs and there is room for.
fn words_ui(ui: &mut Ui, words: &str, most_lines: usize, right: f32) {
    let colors = colors_of(ui);
    let place = ui.cursor().min + vec2(4.0, 2.0);
    let font = egui::TextStyle::Body.resolve(ui.style());
    let words = text::clean(words, MAX_WORDS);
    let width = (right - place.x).max(LINE);
    let mut job = egui::text::LayoutJob::simple(words.to_string(), font, colors.text, width);
    job.wrap.max_rows = most_lines;
    let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
    let rect = Rect::from_min_size(place, galley.size());
    let is_cut = galley.elided;
    ui.advance_cursor_after_rect(rect.expand2(vec2(0.0, 2.0)));
    let id = ui.scope_id().with("difference_words");
    let response = ui.interact(rect, id, Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &*words));
    ui.painter().galley(rect.min, galley, colors.text);
    if is_cut {
        response.on_hover_text(words.as_ref());
    }
}

/// What the switch between joints and clips takes.
const SWITCH_WIDTH: f32 = 84.0;

/// What is listed: joints of the clip that is shown, or all clips.
fn which_ui(ui: &mut Ui, room: Rect, lists_clips: bool, commands: &mut Vec<Command>) {
    ui.scope_builder(egui::UiBuilder::new().max_rect(room), |ui| {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 3.0;
            ui.spacing_mut().button_padding = vec2(4.0, 0.0);
            ui.spacing_mut().interact_size.y = room.height();
            for (is_clips, name, hint) in [
                (
                    false,
                    "Joints",
                    "The joints in the clip that is shown, the worst first",
                ),
                (true, "Clips", "All clips of both files, the worst first"),
            ] {
                let words = egui::RichText::new(name).size(11.5);
                let button = egui::Button::selectable(lists_clips == is_clips, words);
                if ui.add(button).on_hover_text(hint).clicked() {
                    commands.push(Command::Compare(CompareCommand::ListClips(is_clips)));
                }
            }
        });
    });
}

/// Where the right edges of figures are.
pub(super) struct Places {
    pub(super) degrees: f32,
    pub(super) units: f32,
}

impl Places {
    pub(super) fn of(width: f32) -> Self {
        Self {
            degrees: width - 84.0,
            units: width - 10.0,
        }
    }
}

fn row_ui(ui: &mut Ui, view: &View<'_>, row: &DifferenceRow, commands: &mut Vec<Command>) {
    let colors = colors_of(ui);
    let width = ui.available_width();
    let (rect, response) = ui.allocate_exact_size(vec2(width, LINE), Sense::click());
    let name = text::clean_name(&row.name);
    let said = format!("{name}: {}", row.words());
    let is_chosen = view.nodes.selected == Some(row.node);
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, is_chosen, &said));
    focus::follow(ui, &response, rect);
    if is_chosen {
        ui.painter().rect_filled(rect, 3.0, colors.accent_soft);
    } else if response.hovered() {
        ui.painter().rect_filled(rect, 3.0, colors.hovered);
    }
    let places = Places::of(width);
    let left = rect.left() + 4.0;
    let named = Rect::from_x_y_ranges(left..=rect.left() + places.degrees - 58.0, rect.y_range());
    widgets::paint_name(ui, named, &row.name, colors.strong);
    let figure = |x: f32, words: String| {
        let at = pos2(rect.left() + x, rect.center().y);
        let font = FontId::proportional(12.5);
        ui.painter()
            .text(at, Align2::RIGHT_CENTER, words, font, colors.text);
    };
    figure(places.degrees, format!("{:.2}°", row.degrees));
    figure(places.units, text::number(row.units));
    let time_secs = row.worst_at_secs();
    if response
        .on_hover_text(format!("{said}. Click: go there"))
        .clicked()
    {
        commands.push(Command::Timeline(TimelineCommand::StopAt {
            time_secs,
            node: Some(row.node),
        }));
    }
}

/// Whether there is a chart in a panel of this width: without shared joints there is nothing to draw.
fn has_plot(differences: &DifferencesView<'_>, width: f32) -> bool {
    let is_wide = width - table_width(width) - GAP >= MIN_PLOT;
    is_wide && !differences.times_secs.is_empty() && has_joints(differences)
}

fn table_width(width: f32) -> f32 {
    (0.42 * width).clamp(180.0, 420.0)
}

/// What the table takes of the width of all that has the time axis of the chart, so that times stand below one another.
pub fn gutter(ui: &Ui, view: &View<'_>, width: f32) -> Option<f32> {
    let differences = view.compare.differences.as_ref()?;
    let is_shown = has_room(ui) && has_plot(differences, width);
    is_shown.then(|| table_width(width) + GAP)
}

/// As high as it can be in this window.
fn height(ui: &Ui) -> f32 {
    let window = ui.ctx().content_rect().height();
    let room = window - bars::top::HEIGHT - transport::HEIGHT - MIN_PICTURE;
    room.clamp(4.0 * LINE, HEIGHT)
}

/// Whether the window is large enough for the panel.
pub(super) fn has_room(ui: &Ui) -> bool {
    let window = ui.ctx().content_rect().size();
    window.x >= MIN_WINDOW.x && window.y >= MIN_WINDOW.y
}
