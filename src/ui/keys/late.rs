//! Keys that wait for the next frame: on a slow machine one may be pressed twice between two frames, and the second press means
//! a step from where the first one has led.

use egui::{Context, Event, Id};

/// They, and the frame in which they came.
#[derive(Debug, Clone, Default)]
struct Late {
    frame: u64,
    events: Vec<Event>,
}

/// Whether it is meant for a field, where one is on its way.
pub fn is_typed(event: &Event) -> bool {
    matches!(
        event,
        Event::Key { .. } | Event::Text(_) | Event::Paste(_) | Event::Ime(_)
    )
}

/// Keeps keys for the next frame.
pub fn keep(ctx: &Context, events: Vec<Event>) {
    if !events.is_empty() {
        let frame = ctx.cumulative_frame_nr();
        ctx.data_mut(|data| data.insert_temp(id(), Late { frame, events }));
        ctx.request_repaint();
    }
}

/// Puts those of the frame before in front of what has come since. What is shown is the same if a frame is run twice.
pub fn give_back(ctx: &Context) {
    let frame = ctx.cumulative_frame_nr();
    let late: Late = ctx.data(|data| data.get_temp(id())).unwrap_or_default();
    if late.frame != frame && !late.events.is_empty() {
        ctx.data_mut(|data| data.remove::<Late>(id()));
        ctx.input_mut(|input| {
            input.events.splice(0..0, late.events);
        });
    }
}

fn id() -> Id {
    Id::unique("rigscope_late_keys")
}
