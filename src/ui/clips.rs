//! The list of clips, and of scenes where there are several.

use egui::{Align2, FontId, Rect, ScrollArea, Ui, vec2};

use super::theme::{self, palette};
use super::{ClipRow, Command, View, keys, text, widgets};

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
        list(ui, state, view, height, commands);
    });
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
                Some(place) => clip_row(ui, found[place], view, commands),
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

fn clip_row(ui: &mut Ui, index: usize, view: &View<'_>, commands: &mut Vec<Command>) {
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
    number(ui, rect, (index < 9).then_some(index + 1), selected);
    let length = ui.painter().text(
        rect.right_center() - vec2(6.0, 0.0),
        Align2::RIGHT_CENTER,
        text::duration(clip.duration_secs),
        FontId::proportional(12.0),
        if selected {
            colours.accent
        } else {
            colours.weak
        },
    );
    let colour = if selected {
        colours.strong
    } else {
        colours.text
    };
    widgets::paint_name(
        ui,
        name_rect(rect, length.width() + 12.0),
        &clip.name,
        colour,
    );
    if response.clicked() {
        commands.push(Command::SelectClip(Some(index)));
    }
    widgets::row_tooltip(&response, |ui| {
        ui.label(egui::RichText::new(text::clean_name(&clip.name)).color(palette(ui).strong));
        ui.weak(format!(
            "clip {index} · {:.3} s · {} tracks · {} keys",
            clip.duration_secs,
            text::thousands(clip.track_count as u64),
            text::thousands(clip.key_count as u64),
        ));
    });
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
