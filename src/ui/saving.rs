//! The dialog that saves a picture or an animation, and how far that has come.

use egui::{Align2, Color32, DragValue, Id, Modal, Ui, vec2};

use super::{Command, View, keys, theme::palette as colours_of, widgets};

/// A wish about saving.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SavingCommand {
    /// Open the dialog, or close it.
    Toggle,
    /// Save like this.
    Set(SavingSettings),
    /// Ask for the file's name, and save.
    Choose,
    /// Stop; nothing is left half written.
    Stop,
}

/// What is saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SavingKind {
    /// One picture: PNG.
    Picture,
    /// A file for each frame: PNG.
    Frames,
    /// One file of at most 256 colours.
    Gif,
    /// One file without loss.
    WebP,
    /// One file without loss, that shows one picture where animations are unknown.
    Apng,
}

impl SavingKind {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Picture,
        Self::Frames,
        Self::Gif,
        Self::WebP,
        Self::Apng,
    ];

    /// Its name in the dialog.
    pub fn name(self) -> &'static str {
        match self {
            Self::Picture => "Picture",
            Self::Frames => "PNG frames",
            Self::Gif => "GIF",
            Self::WebP => "WebP",
            Self::Apng => "APNG",
        }
    }
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

impl Default for SavingSettings {
    fn default() -> Self {
        Self {
            kind: SavingKind::Picture,
            size: [1280, 720],
            fps: 30.0,
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
    /// How many frames that will be.
    pub frames: u32,
    /// What is being saved: its name, frames done, and all frames.
    pub job: Option<(&'a str, u32, u32)>,
}

const WIDTH: f32 = 380.0;

/// Draws the dialog if it is open, and the bar of what is being saved.
pub fn saving_ui(ui: &Ui, view: &View<'_>, commands: &mut Vec<Command>) {
    if let Some((name, done, all)) = view.saving.job {
        job_ui(ui, name, done, all, commands);
    }
    if !view.saving.is_open {
        return;
    }
    let id = Id::unique("rigscope_saving");
    let shade = if ui.visuals().dark_mode { 110 } else { 60 };
    let modal = Modal::new(id)
        .frame(egui::Frame::popup(ui.style()).inner_margin(16))
        .backdrop_color(Color32::from_black_alpha(shade))
        .show(ui.ctx(), |ui| dialog_ui(ui, view, commands));
    if modal.backdrop_response.clicked() {
        commands.push(Command::Saving(SavingCommand::Toggle));
    }
}

fn dialog_ui(ui: &mut Ui, view: &View<'_>, commands: &mut Vec<Command>) {
    // Before a field gives it up: Enter ends what is typed there, and saves nothing yet.
    let had_focus = ui.memory(|memory| memory.focused().is_some());
    ui.set_width(WIDTH.min(ui.ctx().content_rect().width() - 60.0));
    let colours = colours_of(ui);
    let before = view.saving.settings;
    let mut settings = before;
    ui.heading("Save a picture or an animation");
    ui.add_space(10.0);
    ui.horizontal_wrapped(|ui| {
        for kind in SavingKind::ALL {
            ui.selectable_value(&mut settings.kind, kind, kind.name());
        }
    });
    ui.add_space(8.0);
    egui::Grid::new("rigscope_saving_rows")
        .num_columns(2)
        .spacing(vec2(14.0, 8.0))
        .show(ui, |ui| {
            let label = ui.label("Size");
            ui.horizontal(|ui| {
                let side = |value| DragValue::new(value).range(16..=8192).speed(2.0);
                let [width, height] = &mut settings.size;
                ui.add(side(width)).labelled_by(label.id);
                ui.label("×");
                ui.add(side(height)).labelled_by(label.id);
                for (name, size) in [
                    ("720p", [1280, 720]),
                    ("1080p", [1920, 1080]),
                    ("512²", [512; 2]),
                ] {
                    if ui.small_button(name).clicked() {
                        settings.size = size;
                    }
                }
            });
            ui.end_row();
            if settings.kind != SavingKind::Picture {
                let label = ui.label("Rate");
                ui.horizontal(|ui| {
                    let rate = DragValue::new(&mut settings.fps)
                        .range(1.0..=120.0)
                        .max_decimals(3);
                    ui.add(rate.suffix(" a second")).labelled_by(label.id);
                    let frames = format!("{} frames", view.saving.frames);
                    ui.colored_label(colours.weak, frames);
                });
                ui.end_row();
                ui.label("Camera");
                ui.checkbox(&mut settings.turntable, "goes once around the model");
                ui.end_row();
            }
            ui.label("Background");
            ui.checkbox(&mut settings.transparent, "transparent");
            ui.end_row();
        });
    ui.add_space(14.0);
    ui.horizontal(|ui| {
        let keys = keys::written(keys::Action::Save, 0);
        let save = widgets::tooltip(ui.button("Save…"), "Choose a file and save", "Enter");
        let is_entered = !had_focus && ui.input(|input| input.key_pressed(egui::Key::Enter));
        if save.clicked() || is_entered {
            commands.push(Command::Saving(SavingCommand::Choose));
        }
        let cancel = widgets::tooltip(ui.button("Cancel"), "Close", &keys);
        if cancel.clicked() {
            commands.push(Command::Saving(SavingCommand::Toggle));
        }
    });
    if settings != before {
        commands.push(Command::Saving(SavingCommand::Set(settings)));
    }
}

fn job_ui(ui: &Ui, name: &str, done: u32, all: u32, commands: &mut Vec<Command>) {
    egui::Area::new(Id::unique("rigscope_saving_job"))
        .anchor(Align2::CENTER_TOP, vec2(0.0, 60.0))
        .show(ui.ctx(), |ui| {
            egui::Frame::popup(ui.style())
                .inner_margin(10)
                .show(ui, |ui| {
                    ui.horizontal(|ui| {
                        ui.add(egui::Label::new(format!("Saving {name}")).truncate());
                        let part = done as f32 / all.max(1) as f32;
                        let bar = egui::ProgressBar::new(part).desired_width(140.0);
                        ui.add(bar.text(format!("{done} / {all}")));
                        if ui.button("Stop").clicked() {
                            commands.push(Command::Saving(SavingCommand::Stop));
                        }
                    });
                });
        });
}
