//! The dialog that saves a picture, an animation, the pose, or the motion as .glb, and how far that has come.

use egui::{Color32, Id, Modal, Ui, vec2};

use super::{
    Clash, Command, PictureKind, PoseKind, SavingCommand, SavingGroup, SavingKind, View,
    keys::{self, focus},
    theme::colors_of,
    widgets,
};

mod place;
mod settings;

const WIDTH: f32 = 424.0;
/// Of the words before the kinds, and before the fields.
const GROUP_WIDTH: f32 = 84.0;
/// In lower boxes the name and the folder scroll, too, and the buttons alone stay.
const MIN_HEIGHT_FOR_PLACE: f32 = 170.0;
/// The least that scrolls.
const MIN_SCROLLED_HEIGHT: f32 = 40.0;
/// Of the frame above and below, and of what is left free beside that.
const BESIDE_CONTENTS: f32 = 48.0;

/// Draws the dialog if it is open.
pub fn saving_ui(ui: &Ui, view: &View<'_>, commands: &mut Vec<Command>) {
    let mut ask = |command| commands.push(Command::Saving(command));
    if let Some(clash) = view.saving.clash {
        let modal = modal("rigscope_saving_clash", ui, |ui, height| {
            scrolled(ui, height, |ui| clash_ui(ui, clash, &mut ask));
        });
        if modal {
            ask(SavingCommand::Keep);
        }
    } else if view.saving.is_open
        && modal("rigscope_saving", ui, |ui, height| {
            dialog_ui(ui, view, height, &mut ask);
        })
    {
        ask(SavingCommand::Close);
    }
}

/// Draws something in front of everything, which is told how high it can be. True if the user has clicked beside it.
fn modal(id: &str, ui: &Ui, contents: impl FnOnce(&mut Ui, f32)) -> bool {
    let shade = if ui.visuals().dark_mode { 110 } else { 60 };
    let room = ui.ctx().content_rect().height() - BESIDE_CONTENTS;
    let height = room.max(settings::MIN_SETTINGS_HEIGHT);
    let modal = Modal::new(Id::unique(id))
        .frame(egui::Frame::popup(ui.style()).inner_margin(16))
        .backdrop_color(Color32::from_black_alpha(shade))
        .show(ui.ctx(), |ui| {
            ui.set_width(WIDTH.min(ui.ctx().content_rect().width() - 60.0));
            contents(ui, height);
        });
    modal.backdrop_response.clicked()
}

/// What scrolls where it is higher than that, and follows the focus. Returns where it ends.
fn scrolled(ui: &mut Ui, height: f32, contents: impl FnOnce(&mut Ui)) -> f32 {
    let area = egui::ScrollArea::vertical()
        .id_salt("box")
        .max_height(height)
        .min_scrolled_height(height)
        .auto_shrink([false, true]);
    area.show(ui, |ui| {
        contents(ui);
        focus::keep_in_sight(ui);
    });
    // Its own rectangle is as high as it may be, also where less is in it.
    ui.min_rect().bottom()
}

fn dialog_ui(ui: &mut Ui, view: &View<'_>, height: f32, ask: &mut impl FnMut(SavingCommand)) {
    // Before a field gives it up: Enter ends what is typed there, and saves nothing yet.
    let had_focus = ui.memory(|memory| memory.focused().is_some());
    let before = view.saving.settings;
    let mut settings = before;
    // What is below the kinds is known of the one in force: all of the box changes with the next frame.
    let mut chosen = before.kind;
    let mut was_entered = false;
    let pins_place = height >= MIN_HEIGHT_FOR_PLACE;
    // How high what stays below is, is known from the frame before.
    let foot_id = ui.scope_id().with("foot");
    let known = ui.data(|data| data.get_temp::<f32>(foot_id));
    let room = (height - known.unwrap_or_default()).max(MIN_SCROLLED_HEIGHT);
    let end = scrolled(ui, room, |ui| {
        kinds_ui(ui, view, &mut chosen);
        settings::settings_ui(ui, view, room, &mut settings, ask);
        if !pins_place {
            ui.add_space(8.0);
            was_entered = place::place_ui(ui, view, ask);
        }
    });
    ui.add_space(4.0);
    if pins_place {
        ui.add_space(4.0);
        was_entered = place::place_ui(ui, view, ask);
        ui.add_space(4.0);
    }
    let is_entered = !had_focus && ui.input(|input| input.key_pressed(egui::Key::Enter));
    buttons_ui(ui, view, settings.kind, is_entered || was_entered, ask);
    let foot = ui.min_rect().bottom() - end;
    if known.is_none_or(|known| (known - foot).abs() > 0.5) {
        ui.data_mut(|data| data.insert_temp(foot_id, foot));
        ui.ctx()
            .request_discard("the foot of the box has another height");
    }
    settings.kind = chosen;
    if settings != before {
        ask(SavingCommand::Set(settings));
    }
}

/// What it is, and what it can be saved as.
fn kinds_ui(ui: &mut Ui, view: &View<'_>, chosen: &mut SavingKind) {
    ui.horizontal(|ui| {
        ui.heading("Save");
        let what = super::text::clean_name(view.saving.what);
        let what = egui::RichText::new(what).color(colors_of(ui).weak);
        ui.add(egui::Label::new(what).truncate());
    });
    ui.add_space(10.0);
    for group in SavingGroup::ALL {
        choices_ui(ui, group.label(), |ui| {
            for &kind in group.kinds() {
                kind_ui(ui, kind, chosen);
            }
        });
    }
    ui.add_space(8.0);
}

/// What saves, and what closes the box.
fn buttons_ui(
    ui: &mut Ui,
    view: &View<'_>,
    kind: SavingKind,
    is_entered: bool,
    ask: &mut impl FnMut(SavingCommand),
) {
    ui.horizontal(|ui| {
        let is_clip = matches!(
            kind,
            SavingKind::Pose(PoseKind::Clip) | SavingKind::Animation
        );
        let has_name = !view.saving.is_name_taken && !view.saving.clip_name.is_empty();
        let plays = kind != SavingKind::Animation || view.saving.unplayed.is_none();
        let can_save = view.saving.job.is_none() && (has_name || !is_clip) && plays;
        let save = ui.add_enabled(can_save, egui::Button::new("Save"));
        let save = widgets::tooltip(save, "Save to this file", "Enter");
        if save.clicked() || is_entered && can_save {
            ask(SavingCommand::Save);
        }
        let has_chooser = !view.saving.has_no_chooser;
        let choose = ui.add_enabled(can_save && has_chooser, egui::Button::new("Choose…"));
        let hint = if has_chooser {
            "Choose the file in the system's dialog, and save"
        } else {
            "The system shows no file dialog"
        };
        if widgets::tooltip(choose, hint, "").clicked() {
            ask(SavingCommand::Choose);
        }
        let cancel = widgets::tooltip(ui.button("Cancel"), "Close", "Esc");
        if cancel.clicked() {
            ask(SavingCommand::Close);
        }
    });
}

/// Whether this is a field of the box that is typed in: Escape there closes the box.
pub fn is_field(id: Id) -> bool {
    place::is_field(id)
}

/// A word, and what it is about beside it.
fn row_ui(ui: &mut Ui, word: &str, contents: impl FnOnce(&mut Ui, Id)) {
    ui.horizontal(|ui| word_ui(ui, word, contents));
}

/// A word, and what there is to choose beside it; what has no room there goes below, in a column of its own.
fn choices_ui(ui: &mut Ui, word: &str, contents: impl FnOnce(&mut Ui)) {
    ui.horizontal_top(|ui| {
        word_ui(ui, word, |ui, _| {
            ui.horizontal_wrapped(contents);
        });
    });
}

fn word_ui(ui: &mut Ui, word: &str, contents: impl FnOnce(&mut Ui, Id)) {
    let size = vec2(GROUP_WIDTH, ui.spacing().interact_size.y);
    let layout = egui::Layout::left_to_right(egui::Align::Center);
    let label = ui.allocate_ui_with_layout(size, layout, |ui| {
        ui.set_min_width(GROUP_WIDTH);
        ui.colored_label(colors_of(ui).weak, word).id
    });
    contents(ui, label.inner);
}

fn kind_ui(ui: &mut Ui, kind: SavingKind, chosen: &mut SavingKind) {
    let action = match kind {
        SavingKind::Pose(_) => Some(keys::Action::SavePose),
        SavingKind::Picture(_) => Some(keys::Action::Save),
        SavingKind::Animation => None,
    };
    let written = action.map(|action| keys::written(action, 0));
    let name = format!("{}: {}", kind.group().label(), kind.label());
    let button = widgets::radio(ui, *chosen == kind, kind.label(), &name);
    if widgets::tooltip(button, hint(kind), &written.unwrap_or_default()).clicked() {
        *chosen = kind;
    }
}

/// What is written, in words.
fn hint(kind: SavingKind) -> &'static str {
    match kind {
        SavingKind::Picture(PictureKind::Still) => "One picture, as PNG",
        SavingKind::Picture(PictureKind::Frames) => "A numbered PNG for each frame",
        SavingKind::Picture(PictureKind::Gif) => "An animation of at most 256 colours",
        SavingKind::Picture(PictureKind::WebP) => "An animation without loss",
        SavingKind::Picture(PictureKind::Apng) => {
            "An animation without loss; a still picture where animations are unknown"
        }
        SavingKind::Pose(PoseKind::Json) => {
            "Where every node is, as the command rigscope pose prints it and takes it again"
        }
        SavingKind::Pose(PoseKind::Mesh) => {
            "The mesh as it stands, as a .glb without joints and clips"
        }
        SavingKind::Pose(PoseKind::Clip) => {
            "The whole model as a .glb, with the pose as one more clip"
        }
        SavingKind::Animation => "The model as a .glb, with what plays as one more clip",
    }
}

/// Asks once, for all files.
fn clash_ui(ui: &mut Ui, clash: &Clash, ask: &mut impl FnMut(SavingCommand)) {
    let first = super::text::clean_name(&clash.first);
    let words = match clash.count {
        _ if clash.is_model => format!("{first} is the file of the model that is shown."),
        1 => format!("{first} is there already."),
        count => format!("{count} of these files are there already, {first} first."),
    };
    ui.heading(if clash.count == 1 {
        "Replace the file?"
    } else {
        "Replace the files?"
    });
    ui.add_space(8.0);
    ui.label(words);
    ui.add_space(14.0);
    ui.horizontal(|ui| {
        let replace = widgets::tooltip(ui.button("Replace"), "What is there now is lost", "");
        if replace.clicked() {
            ask(SavingCommand::Replace);
        }
        let keep = widgets::tooltip(ui.button("Cancel"), "Save nothing", "Esc");
        if keep.clicked() {
            ask(SavingCommand::Keep);
        }
    });
}
