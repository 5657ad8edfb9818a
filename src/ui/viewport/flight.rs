//! Flying: while it goes on, the keys W A S D Q E are its own, a drag looks around, and the wheel says how fast.

use egui::{Context, Event, Id, Key, LayerId, PointerButton, Popup, Rect, Response, Ui};

use crate::ui::{
    CameraCommand, Command, Flight, View,
    keys::{Action, front, written},
    overlays,
    text::figure,
    widgets::drag::{self, Drag},
};

/// The keys that fly: right, left, up, down, ahead, back.
const KEYS: [Key; 6] = [Key::D, Key::A, Key::E, Key::Q, Key::W, Key::S];

/// What the last frame knew of a flight while the right button is held.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Hold {
    /// Where the picture was.
    picture: Option<(Rect, LayerId)>,
    /// The right button was pressed on the picture, and is still down.
    is_down: bool,
    /// A key has made a flight of it.
    flies: bool,
}

fn hold_id() -> Id {
    Id::unique("rigscope_flight_hold")
}

fn hold(ctx: &Context) -> Hold {
    ctx.data(|data| data.get_temp(hold_id()).unwrap_or_default())
}

/// Whether a drag looks around now, and the wheel sets the speed.
pub fn is_on(ctx: &Context, view: &View<'_>) -> bool {
    view.camera.flies || hold(ctx).flies
}

/// Takes the keys of a flight out of the input, so that they are no commands; Escape ends it, unless something is in front
/// of the picture.
pub fn take_keys(ctx: &Context, view: &View<'_>) -> Option<Command> {
    let before = hold(ctx);
    // Who presses a button and a key in one frame flies, too.
    if !view.camera.flies && !before.is_down && !is_pressed(ctx, before.picture) {
        return None;
    }
    let is_over = view.camera.flies
        && !front::is_covered(view)
        && !Popup::is_any_open(ctx)
        && ctx.input_mut(|input| input.consume_key(egui::Modifiers::NONE, Key::Escape));
    ctx.input_mut(|input| {
        input.events.retain(|event| {
            let is_ours = |key: &Key, modifiers: &egui::Modifiers| {
                KEYS.contains(key) && !modifiers.command && !modifiers.alt
            };
            !matches!(event, Event::Key { key, modifiers, .. } if is_ours(key, modifiers))
        });
    });
    is_over.then_some(Command::Camera(CameraCommand::ToggleFly))
}

/// Whether the right button was pressed in this frame on the picture.
fn is_pressed(ctx: &Context, picture: Option<(Rect, LayerId)>) -> bool {
    let press = ctx.input(|input| {
        input.events.iter().find_map(|event| match event {
            Event::PointerButton {
                pos,
                button: PointerButton::Secondary,
                pressed: true,
                ..
            } => Some(*pos),
            _ => None,
        })
    });
    let mut pair = picture.zip(press).into_iter();
    pair.any(|((rect, layer), pos)| drag::is_foremost_at(ctx, rect, layer, pos))
}

/// Asks for where the keys that are down lead. `drag` is what goes on over the picture.
pub fn fly(
    ui: &Ui,
    view: &View<'_>,
    picture: &Response,
    drag: Option<&Drag>,
    commands: &mut Vec<Command>,
) {
    let (mut way, is_fast) = ui.input(|input| {
        let is_down = |key: Key| f32::from(u8::from(input.key_down(key)));
        let [right, left, up, down, ahead, back] = KEYS.map(is_down);
        let is_ours = input.focused && !input.modifiers.command && !input.modifiers.alt;
        let way = [right - left, up - down, ahead - back];
        (if is_ours { way } else { [0.0; 3] }, input.modifiers.shift)
    });
    let before = hold(ui.ctx());
    let is_down = drag.is_some_and(|drag| drag.button == PointerButton::Secondary);
    let now = Hold {
        picture: Some((picture.rect, picture.layer_id)),
        is_down,
        flies: is_down && (before.flies || way != [0.0; 3]),
    };
    if now != before {
        ui.data_mut(|data| data.insert_temp(hold_id(), now));
    }
    let is_elsewhere =
        ui.ctx().text_edit_focused() || front::is_covered(view) || Popup::is_any_open(ui.ctx());
    if is_elsewhere || !(view.camera.flies || now.flies) {
        way = [0.0; 3];
    }
    let flight = Flight {
        way,
        is_fast: is_fast && way != [0.0; 3],
    };
    if flight != view.camera.flight {
        commands.push(Command::Camera(CameraCommand::Fly(flight)));
    }
}

/// Says how to fly, and how to stop.
pub fn hint_ui(ui: &Ui, view: &View<'_>, viewport: Rect) {
    if !is_on(ui.ctx(), view) || viewport.width() < 200.0 || viewport.height() < 120.0 {
        return;
    }
    let speed = figure(view.camera.fly_speed);
    let end = if view.camera.flies {
        let key = written(Action::Fly, 0);
        format!("Esc or {key}: end")
    } else {
        "let go: end".to_owned()
    };
    let words = if viewport.width() < 560.0 {
        format!("Flying, {speed} units/s. {end}")
    } else {
        format!("W A S D, Q E: fly, {speed} units/s (wheel). Shift: faster. {end}")
    };
    overlays::hint_ui(ui, viewport, &words, 1.0);
}
