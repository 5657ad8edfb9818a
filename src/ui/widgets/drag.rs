//! Drags, event by event.
//!
//! egui looks at the pointer once a frame, and forgets the moves of the frame in which the button goes up. At the few
//! frames a second of a slow renderer that is most of a quick drag, so that the model would not follow the hand.

use egui::{Context, Event, LayerId, PointerButton, Pos2, Rect, Response, Ui, Vec2};

/// What one press did in this frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drag {
    /// The button that was pressed.
    pub button: PointerButton,
    /// Where it was pressed.
    pub origin: Pos2,
    /// How far the pointer moved in this frame, in points.
    pub moved: Vec2,
    /// Where it is now, or where it was let go.
    pub pos: Pos2,
    /// Whether the pointer has left the place of the press, by more than a hand trembles in a click.
    pub is_move: bool,
}

/// A press that has not been let go.
#[derive(Debug, Clone, Copy)]
struct Press {
    button: PointerButton,
    origin: Pos2,
    pos: Pos2,
    /// Whether it has been a move before.
    is_move: bool,
}

/// Farthest that a hand trembles in a click, in points.
const TREMBLE: f32 = 3.0;

/// The drag that goes on over a widget, or went on in this frame.
pub fn drag(ui: &Ui, response: &Response) -> Option<Drag> {
    let id = response.id.with("press");
    let mut press = ui.data(|data| data.get_temp::<Option<Press>>(id)).flatten();
    let mut drag = press.map(|press| Drag::of(&press, Vec2::ZERO));
    let (events, is_down) = ui.input(|input| (input.events.clone(), input.pointer.any_down()));
    for event in events {
        match event {
            Event::PointerButton {
                pos,
                button,
                pressed: true,
                ..
            } if press.is_none() && is_ours(ui, response, pos, is_down) => {
                let new = Press {
                    button,
                    origin: pos,
                    pos,
                    is_move: false,
                };
                drag = Some(Drag::of(&new, Vec2::ZERO));
                press = Some(new);
            }
            Event::PointerMoved(pos) => move_to(&mut press, &mut drag, pos),
            Event::PointerButton {
                pos,
                button,
                pressed: false,
                ..
            } if press.is_some_and(|press| press.button == button) => {
                move_to(&mut press, &mut drag, pos);
                press = None;
            }
            _ => {}
        }
    }
    // A button that goes up where we do not see it, such as in another program, ends the drag too.
    let press = press.filter(|_| is_down);
    ui.data_mut(|data| data.insert_temp(id, press));
    drag
}

impl Drag {
    fn of(press: &Press, moved: Vec2) -> Self {
        Self {
            button: press.button,
            origin: press.origin,
            moved,
            pos: press.pos,
            is_move: press.is_move,
        }
    }
}

fn move_to(press: &mut Option<Press>, drag: &mut Option<Drag>, pos: Pos2) {
    let Some(press) = press else {
        return;
    };
    let before = drag.map_or(Vec2::ZERO, |drag| drag.moved);
    let mut moved = before + (pos - press.pos);
    press.pos = pos;
    if !press.is_move {
        press.is_move = press.origin.distance(pos) > TREMBLE;
        // From the place of the press on, so that nothing of the move is lost.
        moved = if press.is_move {
            pos - press.origin
        } else {
            Vec2::ZERO
        };
    }
    *drag = Some(Drag::of(press, moved));
}

/// Whether a press there is on this widget, and on nothing before it.
fn is_ours(ui: &Ui, response: &Response, pos: Pos2, is_down: bool) -> bool {
    if is_down {
        return response.is_pointer_button_down_on();
    }
    // It has been let go in the same frame, and egui does not say any more whose it was.
    is_foremost_at(ui.ctx(), response.rect, response.layer_id, pos)
}

/// Whether a place is in a part of a layer, and nothing lies before that there.
pub fn is_foremost_at(ctx: &Context, rect: Rect, layer: LayerId, pos: Pos2) -> bool {
    rect.contains(pos) && ctx.layer_id_at(pos) == Some(layer)
}
