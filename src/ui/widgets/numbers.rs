//! Numbers to drag or to type.

use egui::{
    Align, Color32, DragValue, Layout, Rect, Response, Sense, TextStyle, Ui, UiBuilder, WidgetInfo,
    vec2,
};

/// What a number has on both sides of its digits.
pub const MARGIN: f32 = 4.0;

/// Draws a number that time or a clip may go on changing, as `draw` does it. Returns another that the user has asked for. What
/// is typed or dragged belongs to the number as it was when that began. `now` is the number as it is seen, so that who only
/// clicks into it and out again asks for nothing.
pub fn moving_number(
    ui: &mut Ui,
    name: &str,
    now: f64,
    draw: impl FnOnce(&mut Ui, DragValue<'_>) -> Response,
) -> (Response, Option<f64>) {
    let id = ui.scope_id().with(name);
    let before = ui.data(|data| data.get_temp(id)).unwrap_or(now);
    let mut wanted = before;
    let drag = DragValue::new(&mut wanted).update_while_editing(false);
    let response = draw(ui, drag);
    name_number(&response, name, wanted);
    let is_held = response.has_focus() || response.dragged();
    ui.data_mut(|data| {
        if is_held {
            data.insert_temp(id, wanted);
        } else {
            data.remove::<f64>(id);
        }
    });
    let is_asked = response.changed() && wanted != before;
    (response, is_asked.then_some(wanted))
}

/// Says to screen readers what a number that can be dragged is called.
pub fn name_number(response: &Response, name: &str, value: f64) {
    response.widget_info(|| {
        let mut info = WidgetInfo::drag_value(true, value);
        info.label = Some(name.to_owned());
        info
    });
}

/// A number at the right of a room that fits `widest`. It looks like a text until the pointer is on it.
pub fn steady_number(ui: &mut Ui, drag: DragValue<'_>, widest: &str, color: Color32) -> Response {
    let font = TextStyle::Body.resolve(ui.style());
    let room = ui
        .painter()
        .layout_no_wrap(widest.to_owned(), font, color)
        .size();
    let size = vec2(room.x + 2.0 * MARGIN, ui.spacing().interact_size.y);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    number_in(ui, drag, rect, color)
}

/// A number at the right of a room, in the font that is in force.
pub fn number_in(ui: &mut Ui, drag: DragValue<'_>, room: Rect, color: Color32) -> Response {
    let layout = Layout::right_to_left(Align::Center).with_main_align(Align::Max);
    let mut place = ui.new_child(UiBuilder::new().max_rect(room).layout(layout));
    place.spacing_mut().button_padding = vec2(MARGIN, 0.0);
    place.spacing_mut().interact_size = room.size();
    let look = &mut place.visuals_mut().widgets.inactive;
    look.weak_bg_fill = Color32::TRANSPARENT;
    look.fg_stroke.color = color;
    // What is too long to be meant is clipped while it is typed.
    place.add(drag.clip_text(true))
}
