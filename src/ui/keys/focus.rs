//! The keyboard's focus: it is seen, comes into sight, and goes back where it was when what was in front goes.

use egui::{
    Context, Event, FocusDirection, Id, Key, Memory, Popup, Rect, Response, Stroke, StrokeKind, Ui,
    style::ScrollAnimation, vec2,
};

use super::commands::focus_before;
use crate::ui::{
    theme::{self, colors_of},
    widgets::scroll_to_row,
};

/// The menu that was open last.
#[derive(Debug, Clone, Copy)]
struct OpenedMenu {
    button: Id,
    menu: Id,
    /// Whether it is used by keys.
    has_focus: bool,
}

fn opened_id() -> Id {
    Id::unique("rigscope_opened_menu")
}

/// Takes note of a menu that has just been drawn, by its button, if it is open.
pub fn note_menu(ctx: &Context, button: &Response) {
    let menu = Popup::default_response_id(button);
    if Popup::is_id_open(ctx, menu) {
        let opened = OpenedMenu {
            button: button.id,
            menu,
            has_focus: false,
        };
        ctx.data_mut(|data| data.insert_temp(opened_id(), opened));
    }
}

/// Whether the pointer presses or clicks in this frame: who uses it wants no focus.
pub fn is_pointed(ctx: &Context) -> bool {
    ctx.input(|input| input.pointer.any_pressed() || input.pointer.any_click())
}

/// The button of the menu that is open.
pub fn open_menu_button(ctx: &Context) -> Option<Id> {
    let opened = ctx.data(|data| data.get_temp::<OpenedMenu>(opened_id()))?;
    Popup::is_id_open(ctx, opened.menu).then_some(opened.button)
}

/// Leads Tab into a menu that is open, and the focus back to the button of one that a key has closed. To be called before
/// anything is drawn.
pub fn follow_menu(ctx: &Context, is_covered: bool) {
    let Some(opened) = ctx.data(|data| data.get_temp::<OpenedMenu>(opened_id())) else {
        return;
    };
    if Popup::is_id_open(ctx, opened.menu) {
        let has_focus = focus_before(ctx).is_some() && !is_pointed(ctx);
        ctx.data_mut(|data| {
            data.insert_temp(
                opened_id(),
                OpenedMenu {
                    has_focus,
                    ..opened
                },
            );
        });
        return lead_into_menu(ctx, opened.button);
    }
    ctx.data_mut(|data| data.remove::<OpenedMenu>(opened_id()));
    if opened.has_focus && !is_covered {
        give_back(ctx, opened.button);
    }
}

/// Gives the focus back to what had it before something in front took it.
pub fn give_back(ctx: &Context, had_focus: Id) {
    ctx.memory_mut(|memory| memory.request_focus(had_focus));
    ctx.data_mut(|data| data.insert_temp(given_back_id(), true));
}

/// Once the focus was given back, has a key that is still held press nothing until it is pressed anew: it would open what it
/// has just closed. To be called before keys are looked at.
pub fn drop_repeats(ctx: &Context) {
    if ctx.data(|data| data.get_temp(given_back_id())) != Some(true) {
        return;
    }
    let mut is_pressed_anew = false;
    ctx.input_mut(|input| {
        input.events.retain(|event| match event {
            Event::Key {
                key: Key::Enter | Key::Space,
                pressed: true,
                repeat,
                ..
            } => {
                is_pressed_anew |= !repeat;
                is_pressed_anew
            }
            _ => true,
        });
    });
    if is_pressed_anew {
        ctx.data_mut(|data| data.remove::<bool>(given_back_id()));
    }
}

fn given_back_id() -> Id {
    Id::unique("rigscope_focus_was_given_back")
}

/// Has Tab lead into an open menu where nothing has the focus, and Shift+Tab to its button: for egui the first or the last
/// control of the window came next.
fn lead_into_menu(ctx: &Context, button: Id) {
    let (is_tab, is_back) = ctx.input(|input| {
        let is_back = input.modifiers.shift_only();
        let is_tab = input.key_pressed(Key::Tab) && (is_back || input.modifiers.is_none());
        (is_tab, is_back)
    });
    if !is_tab || ctx.memory(|memory| memory.focused().is_some()) {
        return;
    }
    ctx.memory_mut(|memory| {
        memory.request_focus(button);
        // What comes after the button is the first row; what comes before it is no part of the menu.
        if is_back {
            memory.move_focus(FocusDirection::None);
        }
    });
}

/// The outline of what has the focus.
pub fn outline(ui: &Ui, response: &Response, rect: Rect) {
    if response.has_focus() {
        paint_outline(ui, rect);
    }
}

/// [`outline`], where it is known that this has the focus.
pub fn paint_outline(ui: &Ui, rect: Rect) {
    let edge = Stroke::new(1.0, colors_of(ui).accent);
    let radius = f32::from(theme::RADIUS);
    ui.painter()
        .rect_stroke(rect, radius, edge, StrokeKind::Inside);
}

/// Brings a row of a list that makes only the rows in sight along when a key leads to something in it: the focus can go on to
/// its neighbours.
pub fn follow(ui: &Ui, focused: &Response, row: Rect) {
    // egui says that the focus was gained where Tab moves it, and not where arrows do.
    if focused.has_focus() && focus_before(ui.ctx()) != Some(focused.id) {
        scroll_to_row(ui, row, Rect::EVERYTHING);
    }
}

/// What of the contents of an area, which have just been drawn in `ui`, has the focus.
fn focused_in(ui: &Ui) -> Option<Response> {
    let focused = ui.memory(Memory::focused)?;
    let response = ui.ctx().read_response(focused)?;
    // What is scrolled away lies where bars above and below are, and is cut to nothing.
    let seen = response.interact_rect;
    let is_seen_elsewhere = seen.is_positive() && !ui.clip_rect().contains_rect(seen);
    let is_inside = ui.min_rect().contains(response.rect.center()) && !is_seen_elsewhere;
    (is_inside && response.layer_id == ui.layer_id()).then_some(response)
}

/// Brings whatever a key leads to into sight, in an area that scrolls and whose contents have just been drawn in `ui`.
pub fn keep_in_sight(ui: &Ui) {
    let is_pointed = ui.input(|input| input.pointer.any_pressed() || input.pointer.any_released());
    if !is_pointed && let Some(focused) = focused_in(ui) {
        follow(ui, &focused, focused.rect);
    }
}

/// Scrolls an area whose contents have just been drawn in `ui`: by pages and to its ends, and by arrows, too.
pub fn scroll_by_keys(ui: &Ui) {
    const KEYS: [(Key, f32); 2] = [(Key::ArrowUp, -1.0), (Key::ArrowDown, 1.0)];
    let lines: f32 = KEYS
        .iter()
        .map(|(key, sign)| sign * presses(ui, *key))
        .sum();
    if lines != 0.0 {
        ui.memory_mut(|memory| memory.move_focus(FocusDirection::None));
    }
    let ends = presses(ui, Key::End) - presses(ui, Key::Home);
    let end = if ends == 0.0 {
        0.0
    } else {
        ends.signum() * ui.min_rect().height()
    };
    scroll_by(ui, lines * theme::ROW_HEIGHT + pages(ui) + end);
}

/// Scrolls a panel by pages while the focus is in it: what takes no focus can be read by keys alone, too.
pub fn scroll_panel_by_keys(ui: &Ui) {
    let focused = focused_in(ui).map(|response| response.id);
    ui.data_mut(|data| data.insert_temp(panel_id(), focused));
    if focused.is_some() {
        scroll_by(ui, pages(ui));
    }
}

/// Whether the focus is in a panel that scrolls by pages.
pub fn is_in_panel(ctx: &Context) -> bool {
    let noted = ctx.data(|data| data.get_temp::<Option<Id>>(panel_id()).flatten());
    noted.is_some() && noted == ctx.memory(Memory::focused)
}

fn panel_id() -> Id {
    Id::unique("rigscope_focus_in_panel")
}

/// How often a key was pressed, alone.
fn presses(ui: &Ui, key: Key) -> f32 {
    ui.input(|input| {
        if input.modifiers.is_none() {
            input.num_presses(key) as f32
        } else {
            0.0
        }
    })
}

/// How far the keys for pages lead, in points.
fn pages(ui: &Ui) -> f32 {
    // The last line is seen again.
    let page = (ui.clip_rect().height() - theme::ROW_HEIGHT).max(theme::ROW_HEIGHT);
    page * (presses(ui, Key::PageDown) - presses(ui, Key::PageUp))
}

/// Scrolls the area around `ui` by `points`, as far as it goes: beyond its end it would spring back.
fn scroll_by(ui: &Ui, points: f32) {
    if points == 0.0 {
        return;
    }
    let (sight, contents) = (ui.clip_rect(), ui.min_rect());
    let offset = sight.top() - contents.top();
    let farthest = (contents.height() - sight.height()).max(0.0);
    let delta = offset - (offset + points).clamp(0.0, farthest);
    ui.scroll_with_delta_animation(vec2(0.0, delta), ScrollAnimation::none());
}
