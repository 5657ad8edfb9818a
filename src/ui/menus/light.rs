//! The menu of light, in a corner of the picture: environment, key light, exposure, tone curve, what is behind.

use std::ops::RangeInclusive;

use egui::{Button, Rect, RichText, Slider, SliderClamping, Ui, vec2};

use crate::ui::{
    Command, LoadKind, PictureCommand, View, WindowCommand,
    keys::{Action, written},
    text,
    theme::colors_of,
    widgets,
};
use crate::{
    model::Keyed as _,
    scene::{Backdrop, Choice, LightSettings, Quality, ToneCurve, Transparency},
};

/// Smaller pictures have no room for it beside the menu of views.
pub(super) const MIN_SIZE: egui::Vec2 = vec2(260.0, 90.0);

/// What its button says.
pub(super) const WORDS: &str = "Light";

/// Draws the menu's button, at least so wide; returns where it is.
pub(super) fn light_menu_ui(
    ui: &mut Ui,
    view: &View<'_>,
    least_width: f32,
    commands: &mut Vec<Command>,
) -> Rect {
    let button = Button::new(WORDS).min_size(vec2(least_width, 0.0));
    let response = widgets::menu(ui, button, 250.0, |ui| contents_ui(ui, view, commands));
    response.on_hover_text("Light, exposure, backdrop").rect
}

fn contents_ui(ui: &mut Ui, view: &View<'_>, commands: &mut Vec<Command>) {
    ui.spacing_mut().item_spacing.y = 5.0;
    ui.spacing_mut().slider_width = 110.0;
    let mut light = view.light.settings;
    caption(ui, "Environment");
    environment_ui(ui, view, commands);
    let mut degrees = light.environment_turn_radians.to_degrees().round() % 360.0;
    let response = slider_ui(ui, &mut degrees, 0.0..=359.0, |slider| {
        slider.suffix("°").text("Turn")
    });
    if hinted(response, Action::TurnEnvironment).changed() {
        light.environment_turn_radians = degrees.to_radians();
    }
    let response = slider_ui(ui, &mut light.environment_strength, 0.0..=4.0, |slider| {
        slider.text("Strength")
    });
    response.on_hover_text("Factor on the light of the environment");
    ui.separator();
    caption(ui, "Key light");
    ui.horizontal(|ui| {
        for (choice, label, hint) in [
            (
                Choice::Auto,
                "Auto",
                "In the studio, on models without lights of their own",
            ),
            (Choice::On, "On", "Always"),
            (Choice::Off, "Off", "Never"),
        ] {
            let row = ui.selectable_label(light.key_light == choice, label);
            if hinted(row.on_hover_text(hint), Action::KeyLight).clicked() {
                light.key_light = choice;
            }
        }
        let is_full = light.quality != Quality::Low;
        // A tick would say that there are some.
        let mut is_on = light.shadows && is_full;
        let shadows = ui.add_enabled(is_full, egui::Checkbox::new(&mut is_on, "Shadows"));
        let shadows = shadows.on_disabled_hover_text("Simple light has no shadows");
        if hinted(shadows, Action::Shadows).clicked() {
            light.shadows = is_on;
        }
    });
    if let Some(factor) = view.light.dimming {
        let words = format!("Dim the file's lights to {}", share(factor));
        let box_ = ui.checkbox(&mut light.dims_lights, words);
        box_.on_hover_text("As the file states them they would leave all white");
    }
    ui.separator();
    caption(ui, "Picture");
    let response = slider_ui(ui, &mut light.exposure_stops, -6.0..=6.0, |slider| {
        slider.step_by(0.1).text("Exposure")
    });
    hinted(response, Action::Exposure);
    ui.horizontal(|ui| {
        caption(ui, "Tone");
        for &tone in ToneCurve::ALL {
            let row = ui.selectable_label(light.tone == tone, tone.label());
            if hinted(row.on_hover_text(tone.explanation()), Action::Tone).clicked() {
                light.tone = tone;
            }
        }
    });
    transparency_ui(ui, &mut light);
    let mut is_low = light.quality == Quality::Low;
    let box_ = ui.checkbox(&mut is_low, "Simple light");
    hinted(
        box_.on_hover_text("No shadows, rough reflections: quicker without a graphics adapter"),
        Action::Quality,
    );
    light.quality = if is_low { Quality::Low } else { Quality::Full };
    if view.light.is_simple_by_itself {
        let words = "Set automatically: there is no graphics adapter.";
        let words = RichText::new(words).size(11.5).color(colors_of(ui).weak);
        ui.add(egui::Label::new(words).truncate());
    }
    ui.separator();
    caption(ui, "Background");
    backdrop_ui(ui, view, commands);
    if light != view.light.settings {
        commands.push(Command::Picture(PictureCommand::SetLight(light)));
    }
}

/// A factor below 1, as a fraction of two digits.
fn share(factor: f32) -> String {
    let parts = factor.recip();
    let digit = 10_f32.powf(parts.log10().floor() - 1.0).max(1.0);
    let parts = (parts / digit).round() * digit;
    format!("1/{}", text::thousands(parts as u64))
}

fn transparency_ui(ui: &mut Ui, light: &mut LightSettings) {
    ui.horizontal(|ui| {
        caption(ui, "Transparency");
        for &kind in Transparency::ALL {
            let row = ui.selectable_label(light.transparency == kind, kind.label());
            let row = row.on_hover_text(kind.explanation());
            if hinted(row, Action::Transparency).clicked() {
                light.transparency = kind;
            }
        }
    });
}

fn environment_ui(ui: &mut Ui, view: &View<'_>, commands: &mut Vec<Command>) {
    let colors = colors_of(ui);
    let name = view.light.environment.map(text::clean_name);
    let name = name.as_deref().unwrap_or("Built-in studio");
    let shown = widgets::shortened(ui, name, ui.available_width());
    let is_whole = shown == name;
    let label = egui::Label::new(RichText::new(shown).color(colors.strong)).truncate();
    let label = ui.add(label);
    if !is_whole {
        label.on_hover_text(name);
    }
    ui.horizontal(|ui| {
        let open = ui
            .button("Open…")
            .on_hover_text("An environment map: .hdr or .exr");
        if hinted(open, Action::OpenEnvironment).clicked() {
            commands.push(Command::Window(WindowCommand::OpenDialog(
                LoadKind::Environment,
            )));
            ui.close();
        }
        let studio = ui.add_enabled(view.light.environment.is_some(), Button::new("Studio"));
        if hinted(studio, Action::Studio).clicked() {
            commands.push(Command::UseStudio);
        }
    });
}

fn backdrop_ui(ui: &mut Ui, view: &View<'_>, commands: &mut Vec<Command>) {
    let mut backdrop = view.light.backdrop;
    ui.horizontal(|ui| {
        for kind in BACKDROPS {
            let label = backdrop_name(kind);
            let is_same =
                std::mem::discriminant(&kind) == std::mem::discriminant(&view.light.backdrop);
            let row = ui.selectable_label(is_same, label);
            if hinted(row, Action::Backdrop).clicked() && !is_same {
                backdrop = kind;
            }
        }
        if let Backdrop::Plain(color) = backdrop {
            let (rect, swatch) = ui.allocate_exact_size(vec2(24.0, 14.0), egui::Sense::hover());
            let [red, green, blue] = color.map(|signal| (signal * 255.0).round() as u8);
            let color = egui::Color32::from_rgb(red, green, blue);
            let edge = egui::Stroke::new(1.0, colors_of(ui).line);
            ui.painter()
                .rect(rect, 3.0, color, edge, egui::StrokeKind::Inside);
            swatch.on_hover_text(format!("#{red:02x}{green:02x}{blue:02x}"));
        }
    });
    // egui's own button would open its popup in place of this menu.
    if let Backdrop::Plain(color) = &mut backdrop {
        for (signal, name) in color.iter_mut().zip(["Red", "Green", "Blue"]) {
            let mut level = (*signal * 255.0).round();
            let response = slider_ui(ui, &mut level, 0.0..=255.0, |slider| {
                slider.integer().text(name)
            });
            if response.changed() {
                *signal = level / 255.0;
            }
        }
    }
    if let Backdrop::Environment { blur } = &mut backdrop {
        let response = slider_ui(ui, blur, 0.0..=1.0, |slider| slider.text("Blur"));
        response.on_hover_text("How blurred the environment is behind the model");
    }
    if backdrop != view.light.backdrop {
        commands.push(Command::Picture(PictureCommand::SetBackdrop(backdrop)));
    }
}

/// A slider that leaves a number alone which keys or the command line have set, be it beyond its ends or between its steps,
/// until the user moves it.
fn slider_ui(
    ui: &mut Ui,
    value: &mut f32,
    range: RangeInclusive<f32>,
    dress: impl FnOnce(Slider<'_>) -> Slider<'_>,
) -> egui::Response {
    let mut moved = *value;
    let slider = Slider::new(&mut moved, range).clamping(SliderClamping::Edits);
    let response = ui.add(dress(slider));
    if response.changed() {
        *value = moved;
    }
    response
}

fn caption(ui: &mut Ui, words: &str) {
    let weak = colors_of(ui).weak;
    ui.label(RichText::new(words).size(11.5).color(weak));
}

/// Says by which key the same is done.
fn hinted(response: egui::Response, action: Action) -> egui::Response {
    widgets::tooltip(response, "Key", &written(action, 0))
}

/// The settings after a step of the keyboard.
pub fn stepped(light: LightSettings, action: Action, sign: i32) -> LightSettings {
    /// Half a stop, and 15 degrees.
    const STOPS: f32 = 0.5;
    const TURN_RADIANS: f32 = std::f32::consts::PI / 12.0;
    let sign = sign as f32;
    let mut light = light;
    match action {
        Action::Exposure => light.exposure_stops += STOPS * sign,
        Action::TurnEnvironment => light.environment_turn_radians += TURN_RADIANS * sign,
        Action::KeyLight => {
            light.key_light = match light.key_light {
                Choice::Auto => Choice::On,
                Choice::On => Choice::Off,
                Choice::Off => Choice::Auto,
            }
        }
        Action::Shadows => light.shadows = !light.shadows,
        Action::Quality => {
            light.quality = match light.quality {
                Quality::Low => Quality::Full,
                Quality::Full => Quality::Low,
            }
        }
        Action::Transparency => {
            light.transparency = match light.transparency {
                Transparency::Sorted => Transparency::Weighted,
                Transparency::Weighted => Transparency::Sorted,
            }
        }
        Action::Tone => {
            let all = ToneCurve::ALL.iter().copied();
            let mut rest = all.skip_while(|tone| *tone != light.tone).skip(1);
            light.tone = rest.next().unwrap_or(ToneCurve::ALL[0]);
        }
        _ => {}
    }
    light.clamped()
}

/// What can be behind the model, in the order of menus and keys.
const BACKDROPS: [Backdrop; 3] = [
    Backdrop::Theme,
    Backdrop::Environment { blur: 0.3 },
    Backdrop::Plain([0.5; 3]),
];

/// What is behind the model, in a word.
pub fn backdrop_name(backdrop: Backdrop) -> &'static str {
    match backdrop {
        Backdrop::Theme => "Theme",
        Backdrop::Environment { .. } => "Environment",
        Backdrop::Plain(_) => "Colour",
    }
}

/// The backdrop after a step of the keyboard.
pub fn next_backdrop(backdrop: Backdrop) -> Backdrop {
    let [theme, environment, plain] = BACKDROPS;
    match backdrop {
        Backdrop::Theme => environment,
        Backdrop::Environment { .. } => plain,
        Backdrop::Plain(_) => theme,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_go_round_and_stay_in_range() {
        let mut light = LightSettings::default();
        for _ in 0..ToneCurve::ALL.len() {
            light = stepped(light, Action::Tone, 1);
        }
        assert_eq!(light, LightSettings::default());
        for _ in 0..100 {
            light = stepped(light, Action::Exposure, 1);
            light = stepped(light, Action::TurnEnvironment, -1);
        }
        assert_eq!(light.exposure_stops, 10.0);
        assert!((0.0..std::f32::consts::TAU).contains(&light.environment_turn_radians));
        let mut backdrop = Backdrop::Theme;
        for _ in 0..3 {
            backdrop = next_backdrop(backdrop);
        }
        assert_eq!(backdrop, Backdrop::Theme);
    }
}
