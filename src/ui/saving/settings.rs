//! What there is to set of what is saved.

use egui::{DragValue, Ui};

use super::{choices_ui, hint, place, row_ui};
use crate::ui::{
    PictureKind, PoseKind, SavingCommand, SavingKind, SavingSettings, View, keys::focus, text,
    theme::colors_of, widgets::numbers,
};

/// Of what there is to set, whatever the kind: what lies below stays where it is when the kind is changed.
const SETTINGS_HEIGHT: f32 = 120.0;
/// With less room than this they scroll with what is above them.
pub(super) const MIN_SETTINGS_HEIGHT: f32 = 48.0;

/// What there is to set, in what is left of a room: what lies below stays where it is, whatever the kind.
pub(super) fn settings_ui(
    ui: &mut Ui,
    view: &View<'_>,
    room: f32,
    settings: &mut SavingSettings,
    ask: &mut impl FnMut(SavingCommand),
) {
    let used = ui.cursor().top() - ui.min_rect().top();
    let room = (room - used).clamp(0.0, SETTINGS_HEIGHT);
    let mut contents = |ui: &mut Ui| match settings.kind {
        SavingKind::Pose(kind) => pose_ui(ui, view, kind, ask),
        SavingKind::Picture(kind) => picture_ui(ui, view, kind, settings),
        SavingKind::Animation => animation_ui(ui, view, settings, ask),
    };
    if room < MIN_SETTINGS_HEIGHT {
        ui.vertical(|ui| {
            ui.set_min_height(room);
            contents(ui);
        });
        return;
    }
    egui::ScrollArea::vertical()
        .id_salt("settings")
        .max_height(room)
        .min_scrolled_height(room)
        .auto_shrink([false, false])
        .show(ui, |ui| {
            contents(ui);
            focus::keep_in_sight(ui);
        });
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
        let length = text::duration(view.saving.play_secs);
        let root = match (view.motion.in_place, view.saving.samples_root) {
            (true, true) => "; its root stays in place, with keys of its own",
            (true, false) => "; its root stays in place",
            (false, _) => "",
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
    let (count, length) = (view.saving.frames, text::duration(secs));
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
            let box_ = ui.checkbox(&mut settings.turntable, "Goes once around the model");
            box_.on_hover_text("A turntable: one whole turn, while the clip plays");
        });
    }
    row_ui(ui, "Background", |ui, _| {
        let box_ = ui.checkbox(&mut settings.transparent, "Transparent");
        box_.on_hover_text("Nothing behind the model: no background, no grid");
    });
}
