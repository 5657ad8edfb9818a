//! The sign of a clip in whose motion something is odd. A click chooses the clip, and stops at the first of it.

use egui::{Rect, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo};

use crate::ui::{
    Command, OddClip, TimelineCommand, View,
    keys::focus,
    text,
    theme::colors_of,
    widgets::icons::{self, Icon},
};

/// How wide it is with what is around it.
const WIDTH: f32 = 18.0;

/// Draws it at the end of `room`; returns how much of that it takes.
pub fn sign_ui(
    ui: &Ui,
    room: Rect,
    odd: &OddClip,
    view: &View<'_>,
    commands: &mut Vec<Command>,
) -> f32 {
    let place = room.with_min_x(room.right() - WIDTH);
    let id = ui.scope_id().with(("odd", odd.clip));
    let sign = ui.interact(place, id, Sense::click());
    let name = text::clean_name(view.clips.name(odd.clip).unwrap_or_default());
    let label = format!("{name}: {}; go to the first", odd.words);
    sign.widget_info(|| WidgetInfo::labeled(Role::Button, true, &label));
    let colors = colors_of(ui);
    let is_active = sign.hovered() || sign.has_focus();
    let color = if is_active {
        colors.strong
    } else {
        colors.warning
    };
    let painter = ui.painter();
    icons::paint_sized(painter, place.center(), 13.0, Icon::Pulse, color);
    if sign.has_focus() {
        let stroke = Stroke::new(1.0, colors.accent);
        painter.rect_stroke(place.shrink(1.0), 4.0, stroke, StrokeKind::Inside);
    }
    focus::follow(ui, &sign, place);
    if sign.hovered() {
        ui.set_cursor_icon(egui::CursorIcon::PointingHand);
    }
    if sign.clicked() {
        commands.extend(go_to(odd, view));
    }
    sign.on_hover_ui(|ui| {
        ui.label(text::capitalized(&odd.words));
        ui.weak("Odd in the motion, though the file may be right. Click to stop at the first");
    });
    WIDTH
}

/// What chooses the clip, unless it is in force, and stops where something is odd.
fn go_to(odd: &OddClip, view: &View<'_>) -> impl Iterator<Item = Command> {
    let is_chosen = view.clips.chosen == Some(odd.clip);
    let choose = (!is_chosen).then_some(Command::SelectClip(Some(odd.clip)));
    let stop = Command::Timeline(TimelineCommand::StopAt {
        time_secs: odd.at_secs,
        node: odd.node,
    });
    choose.into_iter().chain([stop])
}
