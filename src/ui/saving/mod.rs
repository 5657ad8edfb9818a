//! The dialog that saves a picture or an animation, and how far that has come.

use std::ops::RangeInclusive;

use egui::{Color32, DragValue, Id, Modal, Ui, vec2};

use super::{Command, View, keys, numbers, theme::colors_of, widgets};
use crate::anim::USUAL_FRAME_RATE;

mod kind;
mod place;

pub use kind::{PictureKind, PoseKind, SavingGroup, SavingKind};

/// A wish about saving.
#[derive(Debug, Clone, PartialEq)]
pub enum SavingCommand {
    /// Open the dialog for a picture or an animation, or close it.
    Toggle,
    /// Open the dialog for a pose, or close it.
    TogglePose,
    /// Open the dialog for what plays, as an animation of the model, or close it.
    ToggleAnimation,
    /// Close the dialog.
    Close,
    /// Save like this.
    Set(SavingSettings),
    /// Call the clip that a pose or what plays becomes like this.
    SetClipName(String),
    /// Call the file like this.
    SetFileName(String),
    /// Put the file there.
    SetFolder(String),
    /// Save to the file that is named.
    Save,
    /// Ask for the file in the system's dialog, and save.
    Choose,
    /// Replace the files that are there.
    Replace,
    /// Save nothing, and leave these files as they are.
    Keep,
    /// Stop; no file is left half written.
    Stop,
}

/// Files that saving would replace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clash {
    /// How many.
    pub count: usize,
    /// The name of the first.
    pub first: String,
    /// Whether it is the file of the model that is shown.
    pub is_model: bool,
}

/// How it is saved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SavingSettings {
    /// What.
    pub kind: SavingKind,
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// Frames a second.
    pub fps: f64,
    /// Whether the camera goes once around the model.
    pub turntable: bool,
    /// Whether there is nothing behind the model.
    pub transparent: bool,
}

impl SavingSettings {
    /// What width and height may be, in pixels.
    pub const SIDES: RangeInclusive<u32> = 16..=8192;
    /// What the frames a second may be.
    pub const RATES: RangeInclusive<f64> = 1.0..=120.0;
}

impl Default for SavingSettings {
    fn default() -> Self {
        Self {
            kind: SavingKind::Picture(PictureKind::Still),
            size: [1280, 720],
            fps: USUAL_FRAME_RATE,
            turntable: false,
            transparent: false,
        }
    }
}

/// What of saving is before the user.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SavingView<'a> {
    /// Whether the dialog is open.
    pub is_open: bool,
    /// How it will be saved.
    pub settings: SavingSettings,
    /// How many frames that will be, or moments with keys.
    pub frames: u32,
    /// How long what plays lasts before it begins again or stops, in seconds; 0 where no clip has a length.
    pub play_secs: f64,
    /// Which clips do not end with what is saved again and again, in words; empty if all do.
    pub seam: &'a str,
    /// What a clip with the pose, or with what plays, will be called.
    pub clip_name: &'a str,
    /// Whether a clip of the model's own file is called so.
    pub is_name_taken: bool,
    /// Why nothing plays that could be saved; none if something does.
    pub unplayed: Option<&'static str>,
    /// Whether what plays has the keys of one clip, so that these are saved.
    pub keeps_keys: bool,
    /// What the file will be called.
    pub file_name: &'a str,
    /// Where it will be.
    pub folder: &'a str,
    /// What it will show, in words.
    pub what: &'a str,
    /// Why nothing can be saved there; empty if nothing is known to be wrong.
    pub fault: &'a str,
    /// Whether the system is known to have no dialog to choose a file.
    pub has_no_chooser: bool,
    /// Files that would be replaced, until the user says whether they may.
    pub clash: Option<&'a Clash>,
    /// Whether something is compared with the model.
    pub compares: bool,
    /// What is being saved: its name, frames done, and all frames; none where nobody counts them.
    pub job: Option<(&'a str, u32, u32)>,
}

impl SavingView<'_> {
    /// Whether something is being saved that can be stopped: where nobody counts frames, not between them.
    pub fn can_stop(&self) -> bool {
        self.job.is_some_and(|(.., all)| all > 0)
    }
}

const WIDTH: f32 = 424.0;
/// Of the words before the kinds, and before the fields.
const GROUP_WIDTH: f32 = 84.0;
/// Of what there is to set, whatever the kind: what lies below stays where it is when the kind is changed.
const SETTINGS_HEIGHT: f32 = 120.0;
/// Of all else: in low windows the settings scroll, and in lower ones all of it.
const REST_HEIGHT: f32 = 278.0;
const MIN_SETTINGS_HEIGHT: f32 = 48.0;
/// Of the frame above and below, and of what is left free beside that.
const BESIDE_CONTENTS: f32 = 48.0;

/// Draws the dialog if it is open.
pub fn saving_ui(ui: &Ui, view: &View<'_>, commands: &mut Vec<Command>) {
    let mut ask = |command| commands.push(Command::Saving(command));
    if let Some(clash) = view.saving.clash {
        let modal = modal("rigscope_saving_clash", ui, |ui| {
            clash_ui(ui, clash, &mut ask);
        });
        if modal {
            ask(SavingCommand::Keep);
        }
    } else if view.saving.is_open
        && modal("rigscope_saving", ui, |ui| dialog_ui(ui, view, &mut ask))
    {
        ask(SavingCommand::Close);
    }
}

/// Draws something in front of everything, which scrolls in low windows. True if the user has clicked beside it.
fn modal(id: &str, ui: &Ui, contents: impl FnOnce(&mut Ui)) -> bool {
    let shade = if ui.visuals().dark_mode { 110 } else { 60 };
    let room = ui.ctx().content_rect().height() - BESIDE_CONTENTS;
    let height = room.max(MIN_SETTINGS_HEIGHT);
    let modal = Modal::new(Id::unique(id))
        .frame(egui::Frame::popup(ui.style()).inner_margin(16))
        .backdrop_color(Color32::from_black_alpha(shade))
        .show(ui.ctx(), |ui| {
            egui::ScrollArea::vertical()
                .id_salt("box")
                .max_height(height)
                .min_scrolled_height(height)
                .show(ui, |ui| {
                    ui.set_width(WIDTH.min(ui.ctx().content_rect().width() - 60.0));
                    contents(ui);
                });
        });
    modal.backdrop_response.clicked()
}

fn dialog_ui(ui: &mut Ui, view: &View<'_>, ask: &mut impl FnMut(SavingCommand)) {
    // Before a field gives it up: Enter ends what is typed there, and saves nothing yet.
    let had_focus = ui.memory(|memory| memory.focused().is_some());
    let before = view.saving.settings;
    let mut settings = before;
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
                kind_ui(ui, kind, &mut settings.kind);
            }
        });
    }
    ui.add_space(8.0);
    let room = ui.ctx().content_rect().height() - REST_HEIGHT;
    let height = if room < MIN_SETTINGS_HEIGHT {
        SETTINGS_HEIGHT
    } else {
        room.min(SETTINGS_HEIGHT)
    };
    egui::ScrollArea::vertical()
        .max_height(height)
        .min_scrolled_height(height)
        .auto_shrink([false, false])
        .show(ui, |ui| match settings.kind {
            SavingKind::Pose(kind) => pose_ui(ui, view, kind, ask),
            SavingKind::Picture(kind) => picture_ui(ui, view, kind, &mut settings),
            SavingKind::Animation => animation_ui(ui, view, &mut settings, ask),
        });
    ui.add_space(8.0);
    let was_entered = place::place_ui(ui, view, ask);
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        let is_clip = matches!(
            settings.kind,
            SavingKind::Pose(PoseKind::Clip) | SavingKind::Animation
        );
        let has_name = !view.saving.is_name_taken && !view.saving.clip_name.is_empty();
        let plays = settings.kind != SavingKind::Animation || view.saving.unplayed.is_none();
        let can_save = view.saving.job.is_none() && (has_name || !is_clip) && plays;
        let save = ui.add_enabled(can_save, egui::Button::new("Save"));
        let save = widgets::tooltip(save, "Save to this file", "Enter");
        let is_entered = !had_focus && ui.input(|input| input.key_pressed(egui::Key::Enter));
        if save.clicked() || (is_entered || was_entered) && can_save {
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
    if settings != before {
        ask(SavingCommand::Set(settings));
    }
}

/// Whether this is a field of the box that is typed in: Escape there closes the box.
pub fn is_field(id: Id) -> bool {
    place::is_field(id)
}

/// A word, and what it is about beside it.
fn row_ui(ui: &mut Ui, word: &str, contents: impl FnOnce(&mut Ui, Id)) {
    ui.horizontal(|ui| word_ui(ui, word, contents));
}

/// A word, and what there is to choose beside it; what has no room there goes below.
fn choices_ui(ui: &mut Ui, word: &str, contents: impl FnOnce(&mut Ui)) {
    ui.horizontal_wrapped(|ui| word_ui(ui, word, |ui, _| contents(ui)));
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

fn pose_ui(ui: &mut Ui, view: &View<'_>, kind: PoseKind, ask: &mut impl FnMut(SavingCommand)) {
    let colors = colors_of(ui);
    ui.colored_label(colors.weak, format!("{}.", hint(SavingKind::Pose(kind))));
    if view.saving.compares {
        ui.colored_label(colors.weak, "It is the pose of A.");
    }
    if kind == PoseKind::Clip {
        clip_name_ui(ui, view, ask);
    }
}

fn animation_ui(
    ui: &mut Ui,
    view: &View<'_>,
    settings: &mut SavingSettings,
    ask: &mut impl FnMut(SavingCommand),
) {
    let colors = colors_of(ui);
    ui.colored_label(colors.weak, format!("{}.", hint(SavingKind::Animation)));
    if view.saving.compares {
        ui.colored_label(colors.weak, "It is what A plays.");
    }
    clip_name_ui(ui, view, ask);
    if let Some(reason) = view.saving.unplayed {
        ui.colored_label(colors.warning, format!("{reason}."));
    } else if view.saving.keeps_keys {
        let length = super::text::duration(view.saving.play_secs);
        let root = if view.motion.in_place {
            "; its root stays in place"
        } else {
            ""
        };
        let words = format!("It has the keys and curves of the clip, {length}{root}.");
        ui.colored_label(colors.weak, words);
    } else {
        rate_ui(ui, settings, "Moments a second", |ui| {
            length_ui(ui, view, "moment", view.saving.play_secs);
        });
    }
}

/// How many frames or moments there are, and how long they last.
fn length_ui(ui: &mut Ui, view: &View<'_>, what: &str, secs: f64) {
    let (count, length) = (view.saving.frames, super::text::duration(secs));
    let plural = if count == 1 { "" } else { "s" };
    ui.colored_label(
        colors_of(ui).weak,
        format!("{count} {what}{plural}, {length}"),
    );
}

/// A field for how many a second, and what else is beside it.
fn rate_ui(ui: &mut Ui, settings: &mut SavingSettings, what: &str, beside: impl FnOnce(&mut Ui)) {
    row_ui(ui, "Rate", |ui, label| {
        let rate = DragValue::new(&mut settings.fps)
            .range(SavingSettings::RATES)
            .max_decimals(3);
        let field = ui.add(rate.suffix(" a second")).labelled_by(label);
        field.on_hover_text(what);
        beside(ui);
    });
}

fn clip_name_ui(ui: &mut Ui, view: &View<'_>, ask: &mut impl FnMut(SavingCommand)) {
    ui.add_space(4.0);
    row_ui(ui, "Clip name", |ui, label| {
        let mut name = view.saving.clip_name.to_owned();
        let field = egui::TextEdit::singleline(&mut name)
            .id(place::field_id("clip"))
            .char_limit(200);
        let field = ui.add(field.desired_width(180.0)).labelled_by(label);
        if field.changed() {
            ask(SavingCommand::SetClipName(name));
        }
    });
    if view.saving.is_name_taken {
        ui.colored_label(colors_of(ui).warning, "The model has a clip of this name.");
    }
}

fn picture_ui(ui: &mut Ui, view: &View<'_>, kind: PictureKind, settings: &mut SavingSettings) {
    ui.spacing_mut().item_spacing.y = 8.0;
    choices_ui(ui, "Size", |ui| {
        let side_ui = |ui: &mut Ui, side: &mut u32, name: &str| {
            let drag = DragValue::new(side).range(SavingSettings::SIDES).speed(2.0);
            let field = ui.add(drag);
            numbers::name_number(&field, name, f64::from(*side));
            field.on_hover_text(name);
        };
        let [width, height] = &mut settings.size;
        side_ui(ui, width, "Width in pixels");
        ui.label("×");
        side_ui(ui, height, "Height in pixels");
        for (name, size) in [
            ("720p", [1280, 720]),
            ("1080p", [1920, 1080]),
            ("512²", [512; 2]),
        ] {
            let button = ui.small_button(name);
            let hint = format!("{} × {} pixels", size[0], size[1]);
            if button.on_hover_text(hint).clicked() {
                settings.size = size;
            }
        }
    });
    if kind != PictureKind::Still {
        rate_ui(ui, settings, "Frames a second", |ui| {
            let frames = f64::from(view.saving.frames);
            length_ui(ui, view, "frame", frames / view.saving.settings.fps);
        });
        row_ui(ui, "Camera", |ui, _| {
            let box_ = ui.checkbox(&mut settings.turntable, "goes once around the model");
            box_.on_hover_text("A turntable: one whole turn, while the clip plays");
        });
    }
    row_ui(ui, "Background", |ui, _| {
        let box_ = ui.checkbox(&mut settings.transparent, "transparent");
        box_.on_hover_text("Nothing behind the model: no background, no grid");
    });
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
