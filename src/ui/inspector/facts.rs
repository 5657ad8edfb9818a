//! Lines of a name and what is so: the body of most sections.

use egui::{
    Align, Align2, FontId, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo,
    text::LayoutJob, vec2,
};

use super::pictures::Pictures;
use crate::ui::{
    Command, Fact, GoTo, InspectCommand, text,
    theme::{self, colors_of},
    widgets,
};

/// Height of a line.
const LINE_HEIGHT: f32 = 20.0;
const FONT: FontId = FontId::proportional(12.5);
/// Part of the width that names may take.
const NAME_PART: f32 = 0.56;

/// Draws lines.
pub fn facts_ui(ui: &mut Ui, facts: &[Fact], pictures: &Pictures, commands: &mut Vec<Command>) {
    ui.spacing_mut().item_spacing.y = 0.0;
    for fact in facts {
        if fact.wraps {
            wrapped_ui(ui, fact);
            continue;
        }
        // Where a line leads to a texture, its picture stands before the name.
        let picture = match fact.goes_to {
            Some(GoTo::Texture(texture)) => pictures.get(texture),
            _ => None,
        };
        if fact_ui(ui, fact, picture).clicked() {
            commands.extend(fact.goes_to.map(|to| match to {
                GoTo::Node(node) => Command::SelectNode(Some(node)),
                GoTo::Material(material) => Command::Inspect(InspectCommand::Material(material)),
                GoTo::Texture(texture) => Command::Inspect(InspectCommand::Texture(texture)),
            }));
        }
    }
}

fn fact_ui(ui: &mut Ui, fact: &Fact, picture: Option<&egui::TextureHandle>) -> Response {
    let colors = colors_of(ui);
    let leads = fact.goes_to.is_some();
    let sense = if leads {
        Sense::click()
    } else {
        Sense::hover()
    };
    let height = if picture.is_some() {
        LINE_HEIGHT + 4.0
    } else {
        LINE_HEIGHT
    };
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), sense);
    let role = if leads { Role::Link } else { Role::Label };
    response.widget_info(|| info(role, fact));
    let is_lit = leads && (response.hovered() || response.has_focus());
    if is_lit {
        ui.painter()
            .rect_filled(rect, f32::from(theme::RADIUS), colors.raised);
    }
    let mut line = rect;
    if let Some(picture) = picture {
        let side = height - 4.0;
        let place =
            Rect::from_center_size(line.left_center() + vec2(side / 2.0, 0.0), vec2(side, side));
        super::pictures::paint(ui, place, picture);
        line.min.x += side + 6.0;
    }
    let name_end = ui
        .painter()
        .with_clip_rect(
            line.with_max_x(line.left() + line.width() * NAME_PART + 40.0)
                .intersect(ui.clip_rect()),
        )
        .text(
            line.left_center(),
            Align2::LEFT_CENTER,
            &fact.name,
            FONT,
            colors.weak,
        )
        .right()
        .min(line.left() + line.width() * NAME_PART);
    let mut right = line.right();
    if let Some([r, g, b, a]) = fact.swatch {
        let place = Rect::from_center_size(line.right_center() - vec2(8.0, 0.0), vec2(14.0, 12.0));
        let color = egui::Color32::from_rgba_unmultiplied(r, g, b, a);
        let edge = Stroke::new(1.0, colors.line);
        ui.painter()
            .rect(place, 3.0, color, edge, StrokeKind::Inside);
        right = place.left() - 6.0;
    }
    let room = line.with_min_x(name_end + 8.0).with_max_x(right);
    let color = match () {
        () if fact.is_odd => colors.warning,
        () if is_lit => colors.accent,
        () => colors.text,
    };
    let is_elided = value_ui(ui, room, &fact.value, color);
    if is_elided || !fact.hint.is_empty() {
        // What the hint says anyway is not said twice.
        let is_said = fact.hint.contains(&fact.value);
        let full = if is_elided && !is_said {
            &*fact.value
        } else {
            ""
        };
        widgets::row_tooltip(&response, |ui| hint_ui(ui, full, &fact.hint));
    }
    if leads {
        return response.on_hover_cursor(egui::CursorIcon::PointingHand);
    }
    response
}

/// What is told of a line to who does not see it.
fn info(role: Role, fact: &Fact) -> WidgetInfo {
    let value = text::clean_name(&fact.value);
    WidgetInfo::labeled(role, true, format!("{}: {value}", fact.name))
}

/// A line whose value goes on below where it has no room beside the name.
fn wrapped_ui(ui: &mut Ui, fact: &Fact) {
    let colors = colors_of(ui);
    let weak = colors.weak;
    let color = if fact.is_odd {
        colors.warning
    } else {
        colors.text
    };
    let name = ui
        .painter()
        .layout_no_wrap(fact.name.to_string(), FONT, weak);
    let room = ui.available_width() - name.size().x - 8.0;
    let clean = text::clean_name(&fact.value).into_owned();
    let mut job = LayoutJob::simple(clean, FONT, color, room);
    job.halign = Align::RIGHT;
    let value = ui.fonts_mut(|fonts| fonts.layout_job(job));
    let line = name.size().y;
    let height = LINE_HEIGHT + (value.size().y - line).max(0.0);
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    response.widget_info(|| info(Role::Label, fact));
    let inset = vec2(0.0, (LINE_HEIGHT - line) / 2.0);
    ui.painter().galley(rect.left_top() + inset, name, weak);
    // What ends at the right is placed by its right end.
    let at = rect.right_top() + inset;
    ui.painter().galley(at, value, color);
    if !fact.hint.is_empty() {
        widgets::row_tooltip(&response, |ui| hint_ui(ui, "", &fact.hint));
    }
}

fn hint_ui(ui: &mut Ui, full: &str, hint: &str) {
    if !full.is_empty() {
        ui.label(text::clean(full, 400));
    }
    if !hint.is_empty() {
        ui.weak(text::clean_lines(hint, 40));
    }
}

/// Paints a value at the right end of its room; returns whether its middle had to be left out.
fn value_ui(ui: &Ui, room: Rect, value: &str, color: egui::Color32) -> bool {
    let clean = text::clean_name(value);
    let shown = ui.fonts_mut(|fonts| {
        text::elide_middle(&clean, room.width(), |c| fonts.glyph_width(&FONT, c))
    });
    let is_elided = shown.len() != clean.len();
    ui.painter()
        .with_clip_rect(room.expand2(vec2(1.0, 4.0)).intersect(ui.clip_rect()))
        .text(
            room.right_center(),
            Align2::RIGHT_CENTER,
            shown,
            FONT,
            color,
        );
    is_elided
}
