//! The gimbal in a corner of the picture: how the axes lie. Its ends are views to click on, and a drag turns the camera.

use egui::{
    Align2, Area, Color32, FontId, Id, Order, Pos2, Rect, Role, Sense, Stroke, Ui, Vec2,
    WidgetInfo, pos2, vec2,
};

use crate::scene::Side;
use crate::ui::{
    CameraCommand, Command, View,
    keys::{Action, written},
    overlays::MIN_WIDTH_BETWEEN_CORNERS,
    theme::colors_of,
    widgets::{self, drag},
};

/// Width and height of the gimbal, in points.
const SIZE: f32 = 84.0;
/// Of the balls at the ends.
const BALL: f32 = 9.0;
/// A drag of this length turns the camera by half a turn.
const HALF_TURN: f32 = 170.0;
/// Smaller pictures have no room for it.
const MIN_SIZE: Vec2 = vec2(230.0, 190.0);

/// An end of an axis, as it is drawn.
struct End {
    side: Side,
    at: Pos2,
    /// Towards the viewer, −1..1.
    nearness: f32,
    color: Color32,
    name: &'static str,
    is_positive: bool,
}

/// Whether a picture has room for it.
pub fn has_room(viewport: Rect) -> bool {
    viewport.width() >= MIN_SIZE.x && viewport.height() >= MIN_SIZE.y
}

/// Draws the gimbal; returns where it is.
pub fn gimbal_ui(
    ui: &Ui,
    view: &View<'_>,
    viewport: Rect,
    commands: &mut Vec<Command>,
) -> Option<Rect> {
    if !has_room(viewport) {
        return None;
    }
    let has_banner = view.message.is_some() || !view.loading.files.is_empty();
    // In pictures less wide a message or a load takes its place.
    if has_banner && viewport.width() < MIN_WIDTH_BETWEEN_CORNERS {
        return None;
    }
    let shown = Area::new(Id::unique("rigscope_gimbal"))
        .order(Order::Middle)
        .fixed_pos(Align2::RIGHT_TOP.pos_in_rect(&viewport.shrink(6.0)))
        .pivot(Align2::RIGHT_TOP)
        .constrain(false)
        .movable(false)
        .show(ui.ctx(), |ui| contents_ui(ui, view, commands));
    Some(shown.inner)
}

fn contents_ui(ui: &mut Ui, view: &View<'_>, commands: &mut Vec<Command>) -> Rect {
    let (rect, disc) = ui.allocate_exact_size(Vec2::splat(SIZE), Sense::CLICK | Sense::DRAG);
    let mut ends = ends(ui, rect, view);
    // Tab goes through them in the order of their keys, whatever lies before what.
    let responses = ends.each_ref().map(|end| {
        let place = Rect::from_center_size(end.at, Vec2::splat(2.0 * BALL + 2.0));
        let id = disc.id.with(end.name);
        (end.side, ui.interact(place, id, Sense::CLICK | Sense::DRAG))
    });
    let drags = responses
        .iter()
        .map(|(_, response)| response)
        .chain([&disc]);
    let moved: Vec2 = drags
        .filter_map(|response| drag::drag(ui, response))
        .filter(|drag| drag.is_move)
        .map(|drag| drag.moved)
        .fold(Vec2::ZERO, |sum, moved| sum + moved);
    if moved != Vec2::ZERO {
        commands.push(Command::Camera(CameraCommand::Orbit {
            right: moved.x / HALF_TURN,
            down: moved.y / HALF_TURN,
        }));
    }
    // What lies in front is hit first.
    let pointer = ui.input(|input| input.pointer.latest_pos());
    let front = pointer.and_then(|pointer| {
        let hit = ends
            .iter()
            .filter(|end| end.at.distance(pointer) <= BALL + 1.0);
        hit.max_by(|a, b| a.nearness.total_cmp(&b.nearness))
            .map(|end| end.side)
    });
    let mut asked = None;
    for (place, (side, response)) in responses.iter().enumerate() {
        let name = ends[place].name;
        response.widget_info(|| {
            let label = format!("View from {} ({name})", side.label().to_lowercase());
            WidgetInfo::labeled(Role::Button, true, label)
        });
        if response.clicked() {
            let is_pointed = response.interact_pointer_pos().is_some();
            asked = Some(front.filter(|_| is_pointed).unwrap_or(*side));
        }
    }
    if let Some(side) = asked {
        // Where it looks from already it goes to the other side.
        let is_there = view.camera.side == Some(side);
        let side = if is_there { side.opposite() } else { side };
        commands.push(Command::Camera(CameraCommand::LookFrom(side)));
    }
    let is_hovered = disc.contains_pointer() || front.is_some();
    if is_hovered {
        let ground = colors_of(ui).panel.gamma_multiply(0.55);
        ui.painter()
            .circle_filled(rect.center(), SIZE / 2.0, ground);
    }
    let focused = responses.iter().find(|(_, response)| response.has_focus());
    let focused = focused.map(|(side, _)| *side);
    let marked = focused.or(front.filter(|_| is_hovered));
    ends.sort_by(|a, b| a.nearness.total_cmp(&b.nearness));
    for end in &ends {
        paint(ui, rect.center(), end, marked == Some(end.side));
    }
    for (place, (side, response)) in responses.into_iter().enumerate() {
        let keys = written(Action::Side, place);
        let label = format!("From {}; again: from across", side.label().to_lowercase());
        if front.is_none_or(|front| front == side) {
            widgets::tooltip(response, &label, &keys);
        }
    }
    rect
}

/// The six ends, in the order of [`Side::ALL`].
fn ends(ui: &Ui, rect: Rect, view: &View<'_>) -> [End; 6] {
    let [x_color, y_color, z_color] = colors_of(ui).axes;
    let reach = SIZE / 2.0 - BALL - 2.0;
    Side::ALL.map(|side| {
        // The side that lies there for a model which looks towards +Z.
        let place = match side {
            Side::Top | Side::Bottom => side,
            _ if view.camera.faces_back => side.opposite(),
            _ => side,
        };
        let (axis, color, name, is_positive) = match place {
            Side::Left => ([1.0, 0.0, 0.0], x_color, "+X", true),
            Side::Right => ([-1.0, 0.0, 0.0], x_color, "−X", false),
            Side::Top => ([0.0, 1.0, 0.0], y_color, "+Y", true),
            Side::Bottom => ([0.0, -1.0, 0.0], y_color, "−Y", false),
            Side::Front => ([0.0, 0.0, 1.0], z_color, "+Z", true),
            Side::Back => ([0.0, 0.0, -1.0], z_color, "−Z", false),
        };
        let [x, y, z] = turned(axis, view.camera.view_from_world);
        End {
            side,
            at: rect.center() + vec2(x, -y) * reach,
            nearness: z,
            color,
            name,
            is_positive,
        }
    })
}

fn paint(ui: &Ui, center: Pos2, end: &End, is_marked: bool) {
    let colors = colors_of(ui);
    let painter = ui.painter();
    // What points away is fainter.
    let strength = 0.55 + 0.45 * (0.5 + 0.5 * end.nearness);
    let color = colors.panel.lerp_to_gamma(end.color, strength);
    let letter = end
        .name
        .chars()
        .last()
        .map(String::from)
        .unwrap_or_default();
    if end.is_positive {
        painter.line_segment([center, end.at], Stroke::new(2.0, color));
        painter.circle_filled(end.at, BALL, color);
    } else {
        let ground = colors.panel.lerp_to_gamma(color, 0.25);
        painter.circle(end.at, BALL - 1.5, ground, Stroke::new(1.5, color));
    }
    if is_marked {
        painter.circle_stroke(end.at, BALL + 1.0, Stroke::new(1.5, colors.strong));
    }
    if end.is_positive || is_marked {
        let ink = if end.is_positive {
            colors.panel
        } else {
            colors.strong
        };
        let words = if end.is_positive {
            letter.as_str()
        } else {
            end.name
        };
        let font = FontId::proportional(if end.is_positive { 12.0 } else { 10.5 });
        let middle = pos2(end.at.x, end.at.y);
        painter.text(middle, Align2::CENTER_CENTER, words, font, ink);
    }
}

/// A vector, turned by a quaternion x, y, z, w of length 1.
fn turned(v: [f32; 3], [x, y, z, w]: [f32; 4]) -> [f32; 3] {
    let cross = |a: [f32; 3], b: [f32; 3]| {
        [
            a[1] * b[2] - a[2] * b[1],
            a[2] * b[0] - a[0] * b[2],
            a[0] * b[1] - a[1] * b[0],
        ]
    };
    let axis = [x, y, z];
    let once = cross(axis, v);
    let twice = cross(axis, once);
    std::array::from_fn(|lane| v[lane] + 2.0 * (w * once[lane] + twice[lane]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quaternions_turn() {
        // A quarter about +Y takes +Z to +X.
        let half = 0.5_f32.sqrt();
        let found = turned([0.0, 0.0, 1.0], [0.0, half, 0.0, half]);
        for (found, expected) in found.into_iter().zip([1.0, 0.0, 0.0]) {
            assert!((found - expected).abs() < 1e-6);
        }
    }
}
