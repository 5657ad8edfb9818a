//! What Enter does in the searches of lists: it goes from match to match, with Shift the other way.

use egui::{Id, Key, Response, Ui};

/// Whether Enter asks a search for the match before (or for the next one). The keyboard goes back to the window: what is
/// pressed next is a command.
pub fn enter(ui: &Ui, field: &Response) -> Option<bool> {
    let (enter, back) = ui.input(|input| (input.key_pressed(Key::Enter), input.modifiers.shift));
    let is_entered = field.lost_focus() && enter;
    if is_entered {
        ui.data_mut(|data| data.insert_temp(last_id(), field.id));
    }
    is_entered.then_some(back)
}

fn last_id() -> Id {
    Id::unique("rigscope_last_search")
}

/// Whether Enter, which no control has the focus to take, asks for the match before (or for the next one) of this search, which
/// was the last to be entered.
pub fn enter_again(ui: &Ui, field: &Response) -> Option<bool> {
    let is_last = ui.data(|data| data.get_temp(last_id())) == Some(field.id);
    let is_free = is_last && ui.memory(|memory| memory.focused().is_none());
    let (enter, back) = ui.input(|input| (input.key_pressed(Key::Enter), input.modifiers.shift));
    (is_free && enter).then_some(back)
}

/// Gives the keyboard to the search of a menu that has just been opened: what is typed there is no command.
pub fn take_keyboard(ui: &Ui, field: &Response) {
    if is_new(ui, field.id) {
        field.request_focus();
    }
}

/// Whether a field was not there in the frame before, however often this one is drawn. To be asked in each.
pub fn is_new(ui: &Ui, field: Id) -> bool {
    let id = field.with("seen");
    let frame = ui.ctx().cumulative_frame_nr();
    ui.data_mut(|data| {
        let seen: Option<[u64; 2]> = data.get_temp(id);
        let [since, _] = seen
            .filter(|[_, last]| last + 1 >= frame)
            .unwrap_or([frame; 2]);
        data.insert_temp(id, [since, frame]);
        since == frame
    })
}

/// The next of `count` places that fits (or the one before), going round at the ends. Without a place to go on from, the first
/// (or the last).
pub fn next_match(
    count: usize,
    from: Option<usize>,
    back: bool,
    is_match: impl Fn(usize) -> bool,
) -> Option<usize> {
    let start = from.unwrap_or(if back { 0 } else { count.saturating_sub(1) });
    (1..=count)
        .map(|steps| {
            let steps = if back { count - steps } else { steps };
            (start + steps) % count
        })
        .find(|place| is_match(*place))
}
