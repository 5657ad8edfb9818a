//! Rows of the list of clips: the file's own pose, clips with their figures, and files whose clips were added.

use egui::{Align2, FontId, Rect, Response, Role, Ui, WidgetInfo, vec2};

use super::sign;
use crate::ui::{
    BorrowedCommand, ClipRow, Command, MixCommand, View, keys, text,
    theme::{self, colors_of},
    widgets::{self, IconButton, icons::Icon},
};

/// What the pose without a clip is called.
const OWN_POSE: &str = "File's own pose";

/// Draws the row of the pose without a clip.
pub fn own_pose_row(ui: &mut Ui, view: &View<'_>, commands: &mut Vec<Command>) {
    let selected = view.clips.chosen.is_none();
    let (rect, response) = widgets::row(ui, selected, || OWN_POSE.to_owned());
    let colors = colors_of(ui);
    number(ui, rect, Some(0), selected);
    let color = if selected { colors.strong } else { colors.text };
    widgets::paint_name(ui, name_rect(rect, 0.0), OWN_POSE, color);
    let response = widgets::tooltip(
        response,
        "The nodes as the file places them, without a clip",
        &keys::written(keys::Action::OwnPose, 0),
    );
    if response.clicked() {
        commands.push(Command::SelectClip(None));
    }
}

/// Draws the row of a clip.
pub fn clip_row(
    ui: &mut Ui,
    index: usize,
    columns: Columns,
    view: &View<'_>,
    commands: &mut Vec<Command>,
) {
    let clip = &view.clips.rows[index];
    let selected = view.clips.chosen == Some(index);
    let (rect, response) = widgets::row(ui, selected, || {
        format!(
            "{}, {}",
            text::clean_name(&clip.name),
            text::duration(clip.duration_secs)
        )
    });
    let colors = colors_of(ui);
    let is_mixed = view.mix.clips.iter().any(|row| row.clip == index);
    if !mix_button(ui, rect, &response, index, is_mixed, view, commands) {
        number(ui, rect, (index < 9).then_some(index + 1), selected);
    }
    let mut taken = columns.paint(ui, rect, clip, selected);
    let odd = view.clips.odd_clip(index);
    if let Some(odd) = odd {
        // What stands before the figures leaves them where they are.
        taken += sign::sign_ui(
            ui,
            rect.with_max_x(rect.right() - taken),
            odd,
            view,
            commands,
        );
    }
    let color = if selected || is_mixed {
        colors.strong
    } else {
        colors.text
    };
    let name = view.clips.name(index).unwrap_or_default();
    widgets::paint_name(ui, name_rect(rect, taken), name, color);
    if response.clicked() {
        commands.push(if ui.input(|input| input.modifiers.command) {
            Command::Mix(MixCommand::ToggleMixed(index))
        } else {
            Command::SelectClip(Some(index))
        });
    }
    widgets::row_tooltip(&response, |ui| {
        ui.label(egui::RichText::new(text::clean_name(&clip.name)).color(colors_of(ui).strong));
        ui.weak(where_it_is(index, view));
        ui.weak(format!(
            "{:.3} s · {} · {}",
            clip.duration_secs,
            counted(clip.channel_count, "channel"),
            counted(clip.key_count, "key"),
        ));
        if let Some(speed) = view.clips.ground_speed(index) {
            ui.weak(format!("{} {}", speed.words(), speed.meaning()));
        }
        if let Some(odd) = odd {
            ui.label(egui::RichText::new(&odd.words).color(colors_of(ui).warning));
        }
        let key = keys::COMMAND;
        ui.weak(format!("{key}+click: play it beside the selected one"));
    });
}

/// Its place in its file, which counts from 0, and the key that chooses it, which counts from 1.
fn where_it_is(clip: usize, view: &View<'_>) -> String {
    let mut files = view.mix.borrowed.iter();
    let place = match files.find(|file| (file.first..file.first + file.count).contains(&clip)) {
        Some(file) => format!("from {}", text::clean_name(&file.name)),
        None => format!("/animations/{clip}"),
    };
    match clip {
        0..9 => format!("{place} · key {}", keys::written(keys::Action::Clip, clip)),
        _ => place,
    }
}

fn counted(count: usize, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {what}{plural}", text::thousands(count as u64))
}

/// A switch in the place of the number, on rows that play beside the selected clip or could soon. False if there is none.
fn mix_button(
    ui: &mut Ui,
    row: Rect,
    response: &Response,
    index: usize,
    is_mixed: bool,
    view: &View<'_>,
    commands: &mut Vec<Command>,
) -> bool {
    let could_be = response.contains_pointer() || response.has_focus();
    let place = Rect::from_center_size(row.left_center() + vec2(12.0, 0.0), vec2(18.0, 18.0));
    let id = ui.scope_id().with(("mix", index));
    let has_focus = ui.memory(|memory| memory.has_focus(id));
    if view.clips.chosen == Some(index) || !(is_mixed || could_be || has_focus) {
        return false;
    }
    let button = ui.interact(place, id, egui::Sense::click());
    let name = text::clean_name(view.clips.name(index).unwrap_or_default());
    let label = format!("Play {name} beside the selected clip");
    button.widget_info(|| WidgetInfo::selected(Role::Switch, true, is_mixed, &label));
    let colors = colors_of(ui);
    let color = if button.hovered() || button.has_focus() {
        colors.strong
    } else if is_mixed {
        colors.accent
    } else {
        colors.weak
    };
    let center = place.center();
    let arm = 4.0;
    let stroke = egui::Stroke::new(1.6, color);
    if is_mixed {
        ui.painter().rect_filled(place, 4.0, colors.accent_soft);
    }
    ui.painter()
        .hline(center.x - arm..=center.x + arm, center.y, stroke);
    if !is_mixed {
        ui.painter()
            .vline(center.x, center.y - arm..=center.y + arm, stroke);
    }
    let keys = if index < 9 {
        keys::written(keys::Action::MixClip, index)
    } else {
        String::new()
    };
    let label = if is_mixed {
        "Take it out of the mix"
    } else {
        "Play it beside the selected clip"
    };
    if widgets::tooltip(button, label, &keys).clicked() {
        commands.push(Command::Mix(MixCommand::ToggleMixed(index)));
    }
    true
}

/// The figures behind a clip's name, and which of them there is room for.
#[derive(Debug, Clone, Copy)]
pub struct Columns {
    has_counts: bool,
}

/// Widths of the columns of figures: length, channels, keys.
const COLUMN_WIDTHS: [f32; 3] = [52.0, 36.0, 44.0];

impl Columns {
    /// Wide panels have them whatever the names.
    const ENOUGH_WIDTH: f32 = 340.0;
    /// Room beside the name and its figures.
    const MARGINS: f32 = 42.0;
    /// About as wide as a letter of a name is.
    const LETTER_WIDTH: f32 = 7.0;

    /// The columns that there is room for beside names of so many letters; none if there are no clips.
    pub fn of(ui: &Ui, letters: Option<usize>) -> Self {
        let names = Self::LETTER_WIDTH * letters.unwrap_or_default() as f32;
        let figures: f32 = COLUMN_WIDTHS.iter().sum();
        let wanted = names + figures + Self::MARGINS;
        Self {
            // Figures take no room from names; the tooltip has them all.
            has_counts: letters.is_some() && ui.available_width() >= wanted.min(Self::ENOUGH_WIDTH),
        }
    }

    /// Writes figures from the right; returns how much of the row they take.
    fn write(self, ui: &Ui, row: Rect, figures: [&str; 3], color: egui::Color32) -> f32 {
        let shown = if self.has_counts { 3 } else { 1 };
        let mut right = row.right() - 6.0;
        // The length stands last where it is alone, and where it is not.
        for (place, figure) in figures.iter().enumerate().take(shown) {
            ui.painter().text(
                egui::pos2(right, row.center().y),
                Align2::RIGHT_CENTER,
                figure,
                FontId::proportional(12.0),
                color,
            );
            right -= COLUMN_WIDTHS[place];
        }
        row.right() - right
    }

    /// Draws what they are called.
    pub fn heading_ui(self, ui: &mut Ui) {
        if self.has_counts {
            let room = vec2(ui.available_width(), 16.0);
            let (rect, _) = ui.allocate_exact_size(room, egui::Sense::hover());
            let weak = colors_of(ui).weak;
            self.write(ui, rect, ["length", "ch.", "keys"], weak);
        }
    }

    fn paint(self, ui: &Ui, row: Rect, clip: &ClipRow, selected: bool) -> f32 {
        let colors = colors_of(ui);
        let color = if selected { colors.accent } else { colors.weak };
        let figures = [
            text::duration(clip.duration_secs),
            text::thousands(clip.channel_count as u64),
            short(clip.key_count),
        ];
        let figures = [&*figures[0], &*figures[1], &*figures[2]];
        self.write(ui, row, figures, color)
    }
}

/// A count in at most five signs.
fn short(count: usize) -> String {
    match count {
        0..10_000 => text::thousands(count as u64),
        10_000..1_000_000 => format!("{} k", count / 1000),
        _ => format!("{:.1} M", count as f64 / 1e6),
    }
}

/// The number key that chooses the clip.
fn number(ui: &Ui, rect: Rect, digit: Option<usize>, selected: bool) {
    let colors = colors_of(ui);
    let center = rect.left_center() + vec2(12.0, 0.0);
    match digit {
        Some(digit) => {
            let color = if selected { colors.accent } else { colors.weak };
            // As a key: it is no number of the clip.
            let cap = Rect::from_center_size(center, vec2(15.0, 16.0));
            let edge = egui::Stroke::new(1.0, colors.line);
            let inside = egui::StrokeKind::Inside;
            ui.painter().rect_stroke(cap, 3.0, edge, inside);
            ui.painter().text(
                center,
                Align2::CENTER_CENTER,
                digit,
                FontId::proportional(11.0),
                color,
            );
        }
        None => {
            ui.painter().circle_filled(center, 1.5, colors.disabled);
        }
    }
}

fn name_rect(row: Rect, taken_right: f32) -> Rect {
    let right = (row.right() - 6.0 - taken_right).max(row.left() + 24.0);
    Rect::from_min_max(row.min + vec2(24.0, 0.0), egui::pos2(right, row.bottom()))
}

/// Side of the button that takes the clips of a file out.
const OUT_SIDE: f32 = 18.0;
/// Width of the switch beside it.
const SWITCH_WIDTH: f32 = 78.0;

/// Draws the name of a file whose clips follow, whether they are turned into the rest pose of this model, and a button that
/// takes them out.
pub fn file_row(ui: &mut Ui, file: usize, view: &View<'_>, commands: &mut Vec<Command>) {
    let row = &view.mix.borrowed[file];
    let name = text::clean_name(&row.name);
    let room = vec2(ui.available_width(), theme::ROW_HEIGHT);
    let (rect, response) = ui.allocate_exact_size(room, egui::Sense::hover());
    let out = rect.right_center() - vec2(0.5 * OUT_SIDE, 0.0);
    let out = Rect::from_center_size(out, vec2(OUT_SIDE, OUT_SIDE));
    let left = out.left() - 4.0 - SWITCH_WIDTH;
    let switch = Rect::from_min_max(
        egui::pos2(left, rect.top()),
        egui::pos2(left + SWITCH_WIDTH, rect.bottom()),
    );
    let place = Rect::from_min_max(rect.min, egui::pos2(left - 4.0, rect.bottom()));
    let place = place.with_min_x(rect.left() + 6.0);
    widgets::paint_name(ui, place, &row.name, colors_of(ui).strong);
    widgets::row_tooltip(&response, |ui| {
        ui.label(egui::RichText::new(name.as_ref()).color(colors_of(ui).strong));
        ui.label(match row.count {
            1 => "1 clip from this file".to_owned(),
            count => format!("{count} clips from this file"),
        });
        for (words, names) in [
            ("Moved there, not found here", &row.missing),
            ("Joints that stay still", &row.unmoved),
        ] {
            if !names.is_empty() {
                ui.weak(format!("{words} ({})", names.len()));
                for name in names.iter().take(MAX_NAMED) {
                    ui.label(text::clean(name, 60));
                }
                if names.len() > MAX_NAMED {
                    ui.weak("…");
                }
            }
        }
    });
    let mut child = ui.new_child(egui::UiBuilder::new().max_rect(switch));
    let is_on = row.is_retargeted;
    let words = egui::RichText::new("Retarget").size(12.0);
    let button = child.put(switch, egui::Button::selectable(is_on, words));
    let label = format!("Retarget the clips of {name}");
    button.widget_info(|| WidgetInfo::selected(Role::Switch, true, is_on, &label));
    let mut hint =
        "Turn these clips into the rest pose of this model, and fit strides to its legs".to_owned();
    if !row.misfits.is_empty() {
        hint = format!("{hint}; {}", row.misfits.join(", and "));
    }
    if button.on_hover_text(hint).clicked() {
        commands.push(Command::Borrowed(BorrowedCommand::SetRetarget(
            file, !is_on,
        )));
    }
    let mut child = ui.new_child(egui::UiBuilder::new().max_rect(out));
    let label = format!("Take the clips of {name} out");
    let button = IconButton::new(Icon::Cross, &label).side(OUT_SIDE);
    if button.show(&mut child).clicked() {
        commands.push(Command::Borrowed(BorrowedCommand::TakeOut(file)));
    }
}

/// Names that the tooltip of a file lists.
const MAX_NAMED: usize = 10;
