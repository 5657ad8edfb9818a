//! The list of clips, and of scenes where there are several.

use egui::{Align2, FontId, Rect, Response, Role, ScrollArea, Ui, WidgetInfo, vec2};

use super::theme::{self, palette};
use super::{ClipRow, ClipsCommand, Command, View, keys, mix, text, widgets};

/// From how many clips on the list can be searched.
const SEARCHED_FROM: usize = 9;
/// How many clips are shown before the list scrolls.
const SHOWN_ROWS: f32 = 9.5;

/// What the list itself remembers.
#[derive(Debug, Default)]
pub struct ClipsState {
    query: String,
    /// The clip in force when the list was last drawn, to bring a new one into sight.
    last_clip: Option<usize>,
}

/// Draws clips and scenes; `height` is that of the whole panel.
pub fn clips_ui(
    ui: &mut Ui,
    state: &mut ClipsState,
    view: &View<'_>,
    height: f32,
    commands: &mut Vec<Command>,
) {
    let figure = text::thousands(view.clips.len() as u64);
    widgets::section(ui, "Clips", &figure, |ui| {
        if view.clips.len() >= SEARCHED_FROM {
            widgets::search_field(ui, &mut state.query, "Search clips");
            ui.add_space(2.0);
        } else {
            state.query.clear();
        }
        let columns = Columns::of(ui);
        columns.heading_ui(ui);
        list(ui, state, columns, view, height, commands);
    });
    mix::mix_ui(ui, view, commands);
    if view.scenes.len() > 1 {
        ui.add_space(6.0);
        scenes(ui, view, commands);
    }
    if !view.variants.is_empty() {
        ui.add_space(6.0);
        variants(ui, view, commands);
    }
}

fn list(
    ui: &mut Ui,
    state: &mut ClipsState,
    columns: Columns,
    view: &View<'_>,
    height: f32,
    commands: &mut Vec<Command>,
) {
    // The file's own pose comes first and is never searched away.
    let found = found(view.clips, &state.query);
    let row_height = theme::ROW_HEIGHT + ui.spacing().item_spacing.y;
    // A list of clips leaves most of a low window to the tree.
    let room = (height * 0.45).clamp(3.5 * row_height, SHOWN_ROWS * row_height);
    let mut area = ScrollArea::vertical()
        .id_salt("clips")
        .max_height(room)
        .auto_shrink([false, true]);
    if state.last_clip != view.clip {
        state.last_clip = view.clip;
        let place = view
            .clip
            .and_then(|clip| found.iter().position(|index| *index == clip));
        if let Some(place) = place {
            area = area
                .vertical_scroll_offset(((place + 1) as f32 * row_height - room / 2.0).max(0.0));
        }
    }
    area.show_rows(ui, theme::ROW_HEIGHT, found.len() + 1, |ui, rows| {
        for row in rows {
            match row.checked_sub(1) {
                None => own_pose_row(ui, view, commands),
                Some(place) => clip_row(ui, found[place], columns, view, commands),
            }
        }
    });
    if found.is_empty() && !view.clips.is_empty() {
        ui.weak("No clip of that name");
    } else if view.clips.is_empty() {
        ui.weak("This file has no animation");
    }
}

fn found(clips: &[ClipRow], query: &str) -> Vec<usize> {
    let query = query.trim().to_lowercase();
    let is_found = |clip: &ClipRow| {
        query.is_empty() || text::clean_name(&clip.name).to_lowercase().contains(&query)
    };
    (0..clips.len())
        .filter(|clip| is_found(&clips[*clip]))
        .collect()
}

fn own_pose_row(ui: &mut Ui, view: &View<'_>, commands: &mut Vec<Command>) {
    let selected = view.clip.is_none();
    let (rect, response) = widgets::row(ui, selected, || "File's own pose".to_owned());
    let colours = palette(ui);
    number(ui, rect, Some(0), selected);
    let colour = if selected {
        colours.strong
    } else {
        colours.text
    };
    widgets::paint_name(ui, name_rect(rect, 0.0), "File's own pose", colour);
    let response = widgets::tooltip(
        response,
        "The nodes as the file places them, without a clip",
        &keys::written(keys::Action::OwnPose, 0),
    );
    if response.clicked() {
        commands.push(Command::SelectClip(None));
    }
}

fn clip_row(
    ui: &mut Ui,
    index: usize,
    columns: Columns,
    view: &View<'_>,
    commands: &mut Vec<Command>,
) {
    let clip = &view.clips[index];
    let selected = view.clip == Some(index);
    let (rect, response) = widgets::row(ui, selected, || {
        format!(
            "{}, {}",
            text::clean_name(&clip.name),
            text::duration(clip.duration_secs)
        )
    });
    let colours = palette(ui);
    let is_mixed = view.mix.clips.iter().any(|row| row.clip == index);
    if !mix_button(ui, rect, &response, index, is_mixed, view, commands) {
        number(ui, rect, (index < 9).then_some(index + 1), selected);
    }
    let taken = columns.paint(ui, rect, clip, selected);
    let colour = if selected || is_mixed {
        colours.strong
    } else {
        colours.text
    };
    widgets::paint_name(ui, name_rect(rect, taken), &clip.name, colour);
    if response.gained_focus() {
        // With its neighbours, so that the focus can go on to them.
        ui.scroll_to_rect(rect.expand2(vec2(0.0, 2.0 * rect.height())), None);
    }
    if response.clicked() {
        commands.push(if ui.input(|input| input.modifiers.command) {
            Command::Clips(ClipsCommand::ToggleMixed(index))
        } else {
            Command::SelectClip(Some(index))
        });
    }
    widgets::row_tooltip(&response, |ui| {
        ui.label(egui::RichText::new(text::clean_name(&clip.name)).color(palette(ui).strong));
        ui.weak(format!(
            "clip {index} · {:.3} s · {} tracks · {} keys",
            clip.duration_secs,
            text::thousands(clip.track_count as u64),
            text::thousands(clip.key_count as u64),
        ));
        ui.weak("Ctrl+click: play it beside the chosen one");
    });
}

/// A switch in the place of the number, on rows that play beside the chosen clip or could soon. False if there is none.
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
    if view.clip == Some(index) || !(is_mixed || could_be || has_focus) {
        return false;
    }
    let button = ui.interact(place, id, egui::Sense::click());
    let name = text::clean_name(&view.clips[index].name);
    let label = format!("Play {name} beside the chosen clip");
    button.widget_info(|| WidgetInfo::selected(Role::Switch, true, is_mixed, &label));
    let colours = palette(ui);
    let colour = if button.hovered() || button.has_focus() {
        colours.strong
    } else if is_mixed {
        colours.accent
    } else {
        colours.weak
    };
    let center = place.center();
    let arm = 4.0;
    let stroke = egui::Stroke::new(1.6, colour);
    if is_mixed {
        ui.painter().rect_filled(place, 4.0, colours.accent_soft);
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
        "Play it beside the chosen clip"
    };
    if widgets::tooltip(button, label, &keys).clicked() {
        commands.push(Command::Clips(ClipsCommand::ToggleMixed(index)));
    }
    true
}

/// The figures behind a clip's name, and which of them there is room for.
#[derive(Debug, Clone, Copy)]
struct Columns {
    has_counts: bool,
}

/// Widths of the columns of figures: length, channels, keys.
const COLUMN_WIDTHS: [f32; 3] = [52.0, 26.0, 44.0];

impl Columns {
    /// Narrower panels leave all room but that of the length to names.
    const LEAST_WIDTH: f32 = 255.0;

    fn of(ui: &Ui) -> Self {
        Self {
            has_counts: ui.available_width() >= Self::LEAST_WIDTH,
        }
    }

    /// Writes figures from the right; returns how much of the row they take.
    fn write(self, ui: &Ui, row: Rect, figures: [&str; 3], colour: egui::Color32) -> f32 {
        let shown = if self.has_counts { 3 } else { 1 };
        let mut right = row.right() - 6.0;
        // The length stands last where it is alone, and where it is not.
        for (place, figure) in figures.iter().enumerate().take(shown) {
            ui.painter().text(
                egui::pos2(right, row.center().y),
                Align2::RIGHT_CENTER,
                figure,
                FontId::proportional(12.0),
                colour,
            );
            right -= COLUMN_WIDTHS[place];
        }
        row.right() - right
    }

    fn heading_ui(self, ui: &mut Ui) {
        if self.has_counts {
            let room = vec2(ui.available_width(), 16.0);
            let (rect, _) = ui.allocate_exact_size(room, egui::Sense::hover());
            let weak = palette(ui).weak;
            self.write(ui, rect, ["length", "ch.", "keys"], weak);
        }
    }

    fn paint(self, ui: &Ui, row: Rect, clip: &ClipRow, selected: bool) -> f32 {
        let colours = palette(ui);
        let colour = if selected {
            colours.accent
        } else {
            colours.weak
        };
        let figures = [
            text::duration(clip.duration_secs),
            text::thousands(clip.track_count as u64),
            short(clip.key_count),
        ];
        let figures = [&*figures[0], &*figures[1], &*figures[2]];
        self.write(ui, row, figures, colour)
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
    let colours = palette(ui);
    let center = rect.left_center() + vec2(12.0, 0.0);
    match digit {
        Some(digit) => {
            let colour = if selected {
                colours.accent
            } else {
                colours.weak
            };
            ui.painter().text(
                center,
                Align2::CENTER_CENTER,
                digit,
                FontId::proportional(11.5),
                colour,
            );
        }
        None => {
            ui.painter().circle_filled(center, 1.5, colours.disabled);
        }
    }
}

fn name_rect(row: Rect, taken_right: f32) -> Rect {
    let right = (row.right() - 6.0 - taken_right).max(row.left() + 24.0);
    Rect::from_min_max(row.min + vec2(24.0, 0.0), egui::pos2(right, row.bottom()))
}

fn scenes(ui: &mut Ui, view: &View<'_>, commands: &mut Vec<Command>) {
    let action = keys::Action::SceneStep;
    let hint = "Scene of the file that is shown";
    if let Some(scene) = choice(ui, "Scene", view.scenes, view.scene, action, hint) {
        commands.push(Command::SelectScene(scene));
    }
}

fn variants(ui: &mut Ui, view: &View<'_>, commands: &mut Vec<Command>) {
    let names = ["The file's own".to_owned()].into_iter();
    let names: Vec<_> = names.chain(view.variants.iter().cloned()).collect();
    let shown = view.variant.map_or(0, |variant| variant + 1);
    let action = keys::Action::VariantStep;
    let hint = "Variant of the materials that is shown";
    if let Some(variant) = choice(ui, "Variant", &names, shown, action, hint) {
        commands.push(Command::SelectVariant(variant.checked_sub(1)));
    }
}

/// A list to choose from; returns the choice when it is made.
fn choice(
    ui: &mut Ui,
    label: &str,
    names: &[String],
    shown: usize,
    action: keys::Action,
    hint: &str,
) -> Option<usize> {
    let name = |index: usize| {
        names
            .get(index)
            .map(|name| text::clean(name, 40).into_owned())
            .unwrap_or_default()
    };
    let mut chosen = None;
    ui.horizontal(|ui| {
        ui.weak(label);
        let width = ui.available_width();
        let list = egui::ComboBox::from_id_salt(label)
            .width(width)
            .selected_text(name(shown))
            .truncate()
            .show_ui(ui, |ui| {
                for index in 0..names.len() {
                    if ui.selectable_label(index == shown, name(index)).clicked() {
                        chosen = Some(index);
                    }
                }
            });
        let keys = format!(
            "{} / {}",
            keys::written(action, 0),
            keys::written(action, 1)
        );
        widgets::tooltip(list.response, hint, &keys);
    });
    chosen
}
