//! The bar under the picture: play and step, time and frames, speed, loop mode, and the timeline below them.

use egui::{Align, Color32, DragValue, Layout, Rect, Role, Ui, WidgetInfo, vec2};

use super::{ground_speed, typed_speed};
use crate::anim::{LoopMode, MAX_SPEED};
use crate::ui::command::next_loop_mode;
use crate::ui::keys::{Action, written};
use crate::ui::theme::{self, colors_of};
use crate::ui::widgets::numbers::{self, moving_number, name_number, steady_number};
use crate::ui::widgets::{
    IconButton,
    icons::{self, Icon},
    steady_label, tooltip, with_end,
};
use crate::ui::{Command, Playback, PlaybackCommand, TimelineCommand, View, sheet, text, timeline};

/// Height of the bar with its timeline.
pub const HEIGHT: f32 = 36.0 + timeline::HEIGHT + 22.0;
/// Speeds with a button each.
const PRESETS: [(f64, &str); 4] = [(0.25, "0.25×"), (0.5, "0.5×"), (1.0, "1×"), (2.0, "2×")];
/// The loop modes with icons and names.
const LOOP_MODES: [(LoopMode, Icon, &str); 4] = [
    (LoopMode::Loop, Icon::Loop, "Loop: at the end, start again"),
    (
        LoopMode::PingPong,
        Icon::PingPong,
        "Ping-pong: at the end, go back the way it came",
    ),
    (
        LoopMode::Once,
        Icon::Once,
        "Once: stop, and return to the first frame",
    ),
    (LoopMode::Hold, Icon::Hold, "Hold: stop at the last frame"),
];

/// The name of a loop mode, and what it does.
pub fn loop_name(mode: LoopMode) -> &'static str {
    let mut modes = LOOP_MODES.iter();
    modes.find(|(it, ..)| *it == mode).map_or("", |it| it.2)
}

/// What there is room for.
struct Room {
    times: bool,
    /// How long the clip is: in a bar less wide, frame numbers are worth more.
    length: bool,
    frames: bool,
    rate: bool,
    /// The word before frame numbers.
    words: bool,
    speed: bool,
    presets: bool,
    ground_speed: bool,
    /// All loop modes; else one button that goes through them.
    loop_modes: bool,
    steps: bool,
}

impl Room {
    /// In a bar of this width, where times and frame numbers take so much more than most do.
    fn of(width: f32, more: f32) -> Self {
        Self {
            steps: width >= 230.0,
            times: width >= 330.0 + more,
            speed: width >= 440.0 + more,
            length: width >= 650.0 + more || width < 500.0 + more,
            frames: width >= 500.0 + more,
            rate: width >= 595.0 + more,
            words: width >= 700.0 + more,
            loop_modes: width >= 755.0 + more,
            presets: width >= 945.0 + more,
            ground_speed: width >= 1055.0 + more,
        }
    }
}

/// How much wider the times, frame numbers and the rate of a clip are than what [`Room::of`] counts with.
fn wider_by(view: &View<'_>) -> f32 {
    /// At least as wide as a digit.
    const DIGIT: f32 = 8.0;
    let playback = &view.playback;
    let more = |figure: String, usual: usize| figure.len().saturating_sub(usual) as f32;
    let length = more(format!("{:.3}", playback.duration_secs), 6);
    let last = playback.duration_secs * playback.frames_per_sec;
    let last = more(format!("{:.0}", last.round()), 3);
    let rate = more(
        format!("{:.3}", playback.frames_per_sec)
            .trim_end_matches('0')
            .to_owned(),
        4,
    );
    /// What a frame number between frames has behind it.
    const TENTH: f32 = 12.0;
    DIGIT * (2.0 * length + 2.0 * last + rate) + TENTH
}

/// Draws the bar; returns the rectangles of the play button and of the timeline.
pub fn transport_ui(ui: &mut Ui, view: &View<'_>, commands: &mut Vec<Command>) -> (Rect, Rect) {
    let room = Room::of(ui.available_width(), wider_by(view));
    let has_length = view.playback.duration_secs > 0.0;
    let row = vec2(ui.available_width(), 36.0);
    let play = ui
        .allocate_ui_with_layout(row, Layout::left_to_right(Align::Center), |ui| {
            ui.set_min_height(row.y);
            ui.spacing_mut().item_spacing.x = 4.0;
            let first = |ui: &mut Ui, commands: &mut Vec<Command>| {
                let play = buttons_ui(ui, view, &room, has_length, commands);
                if room.times {
                    ui.add_space(10.0);
                    times_ui(ui, view, &room, has_length, commands);
                }
                play
            };
            let (play, ()) = with_end(ui, commands, first, |ui, commands| {
                ui.add_enabled_ui(!view.clips.rows.is_empty(), |ui| {
                    if room.speed {
                        speed_ui(ui, view, &room, commands);
                        ui.add_space(14.0);
                    }
                    loop_modes_ui(ui, view, &room, commands);
                });
                if room.steps {
                    ui.add_space(10.0);
                    sheet_button_ui(ui, view, commands);
                }
            });
            play
        })
        .inner;
    let timeline = timeline::timeline_ui(ui, view, commands);
    (play, timeline)
}

fn buttons_ui(
    ui: &mut Ui,
    view: &View<'_>,
    room: &Room,
    has_length: bool,
    commands: &mut Vec<Command>,
) -> Rect {
    let can_play = view.playback.can_play;
    let mut button = |ui: &mut Ui, icon, label, keys, command| {
        let button = IconButton::new(icon, label).keys(keys).enabled(has_length);
        if button.show(ui).clicked() {
            commands.push(command);
        }
    };
    if room.steps {
        button(
            ui,
            Icon::First,
            "First frame",
            written(Action::Ends, 0),
            Command::Playback(PlaybackCommand::SeekStart),
        );
        button(
            ui,
            Icon::Previous,
            "One frame back",
            written(Action::Step, 0),
            Command::Playback(PlaybackCommand::StepFrames(-1)),
        );
    }
    let (icon, label) = if view.playback.is_playing && can_play {
        (Icon::Pause, "Pause")
    } else {
        (Icon::Play, "Play")
    };
    let play = IconButton::new(icon, label)
        .keys(written(Action::Play, 0))
        .enabled(can_play)
        .side(34.0)
        .prominent()
        .show(ui);
    let play_rect = play.rect;
    let is_clicked = play.clicked();
    if room.steps {
        button(
            ui,
            Icon::Next,
            "One frame forward",
            written(Action::Step, 1),
            Command::Playback(PlaybackCommand::StepFrames(1)),
        );
        button(
            ui,
            Icon::Last,
            "Last frame",
            written(Action::Ends, 1),
            Command::Playback(PlaybackCommand::SeekEnd),
        );
    }
    if is_clicked {
        commands.push(Command::Playback(PlaybackCommand::TogglePlay));
    }
    play_rect
}

fn sheet_button_ui(ui: &mut Ui, view: &View<'_>, commands: &mut Vec<Command>) {
    let has_room = sheet::has_room(ui);
    let label = if has_room {
        "Keys and curves"
    } else {
        "The window is too low for keys and curves"
    };
    let button = IconButton::new(Icon::Sheet, label)
        .keys(written(Action::Sheet, 0))
        .enabled(has_room)
        .selected(view.timeline.sheet.is_some() && has_room);
    if button.show(ui).clicked() {
        commands.push(Command::Timeline(TimelineCommand::ToggleSheet));
    }
}

/// The time, and beside it how long the clip is, in seconds and in frames.
fn times_ui(
    ui: &mut Ui,
    view: &View<'_>,
    room: &Room,
    has_length: bool,
    commands: &mut Vec<Command>,
) {
    let playback = &view.playback;
    let rate = playback.frames_per_sec;
    let colors = colors_of(ui);
    let weak = if has_length {
        colors.weak
    } else {
        colors.disabled
    };
    ui.spacing_mut().item_spacing.x = TIMES_APART;
    let wanted = seconds_ui(ui, playback, room, has_length);
    let mut seek = |secs: f64| {
        let secs = secs.min(playback.duration_secs);
        commands.push(Command::Playback(PlaybackCommand::Seek(secs)));
    };
    if let Some(secs) = wanted {
        seek(secs);
    }
    if !room.frames {
        return;
    }
    ui.add_space(8.0);
    if room.words {
        steady_label(ui, "frame", (Align::Min, ""), weak);
    }
    if let Some(frame) = frames_ui(ui, playback, has_length) {
        seek(frame.round() / rate);
    }
    if room.rate {
        rate_ui(ui, view, commands);
    }
    if room.ground_speed {
        ground_speed::ground_speed_ui(ui, view);
    }
}

/// Between texts of the times.
const TIMES_APART: f32 = 5.0;

/// As much as is shown, with zeros for its digits, but at least as wide as most clips need, so that nothing moves when another
/// is chosen.
fn widest(shown: &str, least: &str) -> String {
    let zeros = shown.replace(|c: char| c.is_ascii_digit(), "0");
    if zeros.len() > least.len() {
        zeros
    } else {
        least.to_owned()
    }
}

/// A reading as far from its neighbours as texts are: a number reaches beyond its digits.
fn spaced_reading_ui(ui: &mut Ui, reading: &Reading<'_>, color: Color32) -> Option<f64> {
    ui.add_space(-numbers::MARGIN);
    ui.spacing_mut().item_spacing.x = TIMES_APART - numbers::MARGIN;
    let wanted = reading_ui(ui, reading, color);
    ui.spacing_mut().item_spacing.x = TIMES_APART;
    wanted
}

/// The time in seconds; returns another one if that is asked for.
fn seconds_ui(ui: &mut Ui, playback: &Playback, room: &Room, has_length: bool) -> Option<f64> {
    let colors = colors_of(ui);
    let length = format!("{:.3}", playback.duration_secs);
    let least = widest(&length, "00.000");
    let mut wanted = None;
    if has_length {
        let time = Reading {
            name: "Time in seconds",
            now: playback.time_secs,
            last: playback.duration_secs,
            decimals: 3,
            step: playback.frames_per_sec.recip(),
            widest: &least,
        };
        wanted = spaced_reading_ui(ui, &time, colors.strong);
    } else {
        let now = format!("{:.3}", playback.time_secs);
        steady_label(ui, &now, (Align::Max, &least), colors.disabled);
    }
    let weak = if has_length {
        colors.weak
    } else {
        colors.disabled
    };
    if room.length {
        let (length, least) = (format!("/ {length} s"), format!("/ {least} s"));
        steady_label(ui, &length, (Align::Min, &least), weak);
    } else {
        steady_label(ui, "s", (Align::Min, ""), weak);
    }
    wanted
}

/// The time in frames; returns another frame if that is asked for.
fn frames_ui(ui: &mut Ui, playback: &Playback, has_length: bool) -> Option<f64> {
    let (colors, rate) = (colors_of(ui), playback.frames_per_sec);
    let last_frame = text::frame_at(playback.duration_secs, rate).max(0);
    let last = last_frame.to_string();
    let least = widest(&last, "000");
    let mut wanted = None;
    if has_length {
        // Between frames that is said; while time runs it would only flicker.
        let (now, decimals) = if playback.is_playing {
            (text::frame_at(playback.time_secs, rate) as f64, 0)
        } else {
            text::frame_place(playback.time_secs, rate)
        };
        let frame = Reading {
            name: "Frame",
            now,
            // Clips may end between frames, too.
            last: (last_frame as f64).max(playback.duration_secs * rate),
            decimals,
            // Of a drag that leaves no frame out; more than half of one, so that a step by keys is a frame.
            step: 0.51,
            widest: &format!("{least}.0"),
        };
        wanted = spaced_reading_ui(ui, &frame, colors.strong);
    } else {
        let now = text::frame_at(playback.time_secs, rate).to_string();
        steady_label(ui, &now, (Align::Max, &least), colors.disabled);
    }
    let weak = if has_length {
        colors.weak
    } else {
        colors.disabled
    };
    let (last, least) = (format!("/ {last}"), format!("/ {least}"));
    steady_label(ui, &last, (Align::Min, &least), weak);
    wanted
}

/// Frames a second, which can be dragged and typed.
fn rate_ui(ui: &mut Ui, view: &View<'_>, commands: &mut Vec<Command>) {
    let (playback, rate) = (&view.playback, view.playback.frames_per_sec);
    let weak = if playback.duration_secs > 0.0 {
        colors_of(ui).weak
    } else {
        colors_of(ui).disabled
    };
    ui.add_space(2.0);
    steady_label(ui, "@", (Align::Min, ""), weak);
    let mut wanted = rate;
    let drag = DragValue::new(&mut wanted)
        .range(1.0..=240.0)
        .speed(0.1)
        .max_decimals(3)
        .suffix(" fps");
    let response = ui.add(drag);
    name_number(&response, "Frames a second", wanted);
    let response = response.on_hover_ui(|ui| {
        ui.label("Frames a second, for frame numbers and steps");
        let whence = if playback.rate_is_guessed {
            "Found in the clip's keys. Drag or click to set another."
        } else if playback.rate_is_assumed {
            "Assumed: the clip's keys do not tell it. Drag or click to set another."
        } else {
            "Set by hand. \"Frame rate: as the clip's keys tell it\" in the palette (Ctrl+P) goes back."
        };
        ui.weak(whence);
    });
    if response.changed() && wanted != rate {
        commands.push(Command::Playback(PlaybackCommand::SetFrameRate(wanted)));
    }
    if playback.rate_is_guessed {
        let (rect, response) =
            ui.allocate_exact_size(vec2(12.0, theme::BUTTON_SIDE), egui::Sense::hover());
        let weak = colors_of(ui).weak;
        icons::paint_sized(ui.painter(), rect.center(), 10.0, Icon::Key, weak);
        response.on_hover_text("This rate was found in the clip's keys");
    }
}

/// What the clock says, in some unit.
struct Reading<'a> {
    name: &'a str,
    now: f64,
    /// At the end of the clip.
    last: f64,
    decimals: usize,
    /// How far a point of a drag goes, or a key.
    step: f64,
    /// Has room for all of them.
    widest: &'a str,
}

/// Draws a number of the clock; returns another that the user has dragged or typed.
fn reading_ui(ui: &mut Ui, reading: &Reading<'_>, color: Color32) -> Option<f64> {
    let parts = 10_f64.powi(reading.decimals as i32);
    let [now, last] = [reading.now, reading.last].map(|it| (it * parts).round() / parts);
    let (response, wanted) = moving_number(ui, reading.name, now, |ui, drag| {
        let drag = drag
            .range(0.0..=last)
            .speed(reading.step)
            .fixed_decimals(reading.decimals);
        steady_number(ui, drag, reading.widest, color)
    });
    response.on_hover_text(format!("{}: drag, or click to type", reading.name));
    wanted
}

fn speed_ui(ui: &mut Ui, view: &View<'_>, room: &Room, commands: &mut Vec<Command>) {
    let speed = view.playback.speed;
    ui.spacing_mut().item_spacing.x = 4.0;
    let reverse = IconButton::new(Icon::Reverse, "Play backwards")
        .keys(written(Action::Reverse, 0))
        .selected(speed < 0.0);
    if reverse.show(ui).clicked() {
        commands.push(Command::Playback(PlaybackCommand::SetSpeed(-speed)));
    }
    let mut wanted = speed;
    let typed = std::cell::RefCell::new(None);
    let drag = DragValue::new(&mut wanted)
        .update_while_editing(false)
        .range(-MAX_SPEED..=MAX_SPEED)
        .speed(0.01)
        .custom_formatter(|value, _| format!("{value:.2}×").replace('-', "−"))
        .custom_parser(|text| {
            typed.replace(Some(text.to_owned()));
            typed_speed::parse(text)
        });
    let response = ui.add_sized(vec2(58.0, 24.0), drag);
    typed_speed::note(ui, &response, typed.into_inner());
    name_number(&response, "Speed", wanted);
    let keys = format!(
        "{} / {}",
        written(Action::Speed, 0),
        written(Action::Speed, 1)
    );
    let words = format!("Speed, −{MAX_SPEED} to {MAX_SPEED}: drag, or click to type");
    if tooltip(response, &words, &keys).changed() && wanted != speed {
        commands.push(Command::Playback(PlaybackCommand::SetSpeed(wanted)));
    }
    if room.presets {
        ui.add_space(4.0);
        ui.spacing_mut().item_spacing.x = 1.0;
        for (preset, name) in PRESETS {
            let is_on = (speed.abs() - preset).abs() < 1e-6;
            let button = egui::Button::selectable(is_on, name).min_size(vec2(30.0, 24.0));
            let response = ui.add(button);
            response.widget_info(|| {
                WidgetInfo::selected(Role::RadioButton, true, is_on, format!("Speed {preset}"))
            });
            if response
                .on_hover_text(format!("{preset} times the file's own speed"))
                .clicked()
            {
                commands.push(Command::Playback(PlaybackCommand::SetSpeed(
                    preset.copysign(speed),
                )));
            }
        }
    }
}

fn loop_modes_ui(ui: &mut Ui, view: &View<'_>, room: &Room, commands: &mut Vec<Command>) {
    let mode = view.playback.loop_mode;
    if room.loop_modes {
        ui.spacing_mut().item_spacing.x = 2.0;
        for (choice, icon, label) in LOOP_MODES {
            let button = IconButton::new(icon, label)
                .keys(written(Action::Loop, 0))
                .selected(mode == choice);
            if button.show(ui).clicked() {
                commands.push(Command::Playback(PlaybackCommand::SetLoopMode(choice)));
            }
        }
    } else if let Some((_, icon, label)) =
        LOOP_MODES.into_iter().find(|(choice, ..)| *choice == mode)
    {
        let button = IconButton::new(icon, label).keys(written(Action::Loop, 0));
        if button.show(ui).clicked() {
            let next = PlaybackCommand::SetLoopMode(next_loop_mode(mode));
            commands.push(Command::Playback(next));
        }
    }
}
