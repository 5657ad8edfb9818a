//! What is odd in the motion, marked where it is: loop seams, pops, feet or hands that slide. A click stops there.

use egui::{Color32, Rect, Sense, Shape, Stroke, Ui, WidgetInfo, pos2, vec2};

use super::axis::Axis;
use crate::ui::{
    Command, Marker, MarkerKind, TimelineCommand, View,
    keys::{Action, focus, written},
    text,
    theme::{Colors, colors_of},
    widgets::icons::{self, Icon},
};

/// Marks that are closer together are one.
const GAP: f32 = 7.0;
/// Lines of a tooltip at most.
const MAX_LINES: usize = 6;

impl Marker {
    /// Whether it is worth a look, and marked here alone.
    fn is_faint(&self) -> bool {
        self.is_odd && !self.is_told
    }
}

/// What is left of the colour of a mark that nobody else tells: a contrast of 3 to 1 or more.
const FAINT: f32 = 0.7;
const FAINT_WORDS: &str = "What is faint stands out too little for the sign in the list of clips, and for a warning by check --motion";

/// Markers that are seen as one.
struct Group<'a> {
    rect: Rect,
    members: Vec<&'a Marker>,
    count: usize,
    /// Whether none of them is told elsewhere.
    is_faint: bool,
}

/// Draws the markers at the bottom of the track.
pub fn markers_ui(
    ui: &mut Ui,
    view: &View<'_>,
    axis: &Axis,
    track: Rect,
    commands: &mut Vec<Command>,
) {
    let colors = colors_of(ui);
    let markers = view.timeline.markers;
    let mut groups = Vec::new();
    for kind in [MarkerKind::Slide, MarkerKind::Pop, MarkerKind::Seam] {
        group(
            markers.iter().filter(|marker| marker.kind == kind),
            axis,
            track,
            &mut groups,
        );
    }
    let id = ui.scope_id().with("markers");
    for (index, group) in groups.iter().enumerate() {
        let Some(first) = group.members.first() else {
            continue;
        };
        let reach = group.rect.expand(2.0).intersect(track);
        // Drags, too, so that a press does not scrub.
        let response = ui.interact(reach, id.with(index), Sense::click_and_drag());
        let words = text::clean(&first.words, 200);
        response.widget_info(|| WidgetInfo::labeled(egui::Role::Button, true, &*words));
        let is_lit = response.hovered() || response.has_focus();
        let color = color_of(first, group.is_faint, is_lit, colors);
        paint(ui, group.rect, first.kind, color);
        focus::outline(ui, &response, reach);
        if response.clicked() {
            commands.push(stop_at(first));
        }
        if response.hovered() {
            ui.set_cursor_icon(egui::CursorIcon::PointingHand);
        }
        response.on_hover_ui(|ui| tooltip_ui(ui, group));
    }
}

/// Goes to a mark, and stays there: what lasts a frame is not seen in what goes on.
pub fn stop_at(mark: &Marker) -> Command {
    Command::Timeline(TimelineCommand::StopAt {
        time_secs: mark.from_secs,
        node: mark.node,
    })
}

/// Joins what is too close to be told apart; what lies out of sight is left out. `markers` are in the order of time.
fn group<'a>(
    markers: impl Iterator<Item = &'a Marker>,
    axis: &Axis,
    track: Rect,
    groups: &mut Vec<Group<'a>>,
) {
    let first = groups.len();
    for marker in markers {
        let rect = place(marker, axis, track);
        if !rect.intersects(track) {
            continue;
        }
        match groups[first..].last_mut() {
            Some(last)
                if rect.left() - last.rect.left() < GAP || rect.left() < last.rect.right() =>
            {
                last.count += 1;
                last.is_faint &= marker.is_faint();
                if last.members.len() < MAX_LINES {
                    last.members.push(marker);
                }
                if marker.kind == MarkerKind::Slide {
                    last.rect = last.rect.union(rect);
                }
            }
            _ => groups.push(Group {
                rect,
                members: vec![marker],
                count: 1,
                is_faint: marker.is_faint(),
            }),
        }
    }
}

/// Where a marker is drawn.
fn place(marker: &Marker, axis: &Axis, track: Rect) -> Rect {
    let [from, to] = [marker.from_secs, marker.to_secs].map(|time| axis.x_at(time));
    let bottom = track.bottom();
    match marker.kind {
        MarkerKind::Slide => {
            Rect::from_x_y_ranges(from..=to.max(from + 3.0), bottom - 5.0..=bottom - 2.0)
        }
        // Where its tooltip says that it is, and where a click goes.
        MarkerKind::Pop => {
            let center = pos2(from, bottom - 10.0);
            Rect::from_center_size(center, vec2(8.0, 7.0))
        }
        // Within the clip, and beside the end of what loops, which is caught outside.
        MarkerKind::Seam => {
            let center = pos2(to - 10.0, bottom - 8.0);
            Rect::from_center_size(center, vec2(12.0, 12.0))
        }
    }
}

fn color_of(first: &Marker, is_faint: bool, is_lit: bool, colors: &Colors) -> Color32 {
    let color = if is_lit {
        return colors.strong;
    } else if !first.is_odd {
        return colors.weak;
    } else if first.kind == MarkerKind::Slide {
        colors.info
    } else {
        colors.warning
    };
    if is_faint {
        color.gamma_multiply(FAINT)
    } else {
        color
    }
}

fn paint(ui: &Ui, rect: Rect, kind: MarkerKind, color: Color32) {
    let painter = ui.painter();
    match kind {
        MarkerKind::Slide => {
            painter.rect_filled(rect, 1.5, color);
        }
        MarkerKind::Pop => {
            // It points down to its moment: the triangle that stands up is for what a file states wrong.
            let corners = [rect.center_bottom(), rect.left_top(), rect.right_top()];
            painter.add(Shape::convex_polygon(corners.to_vec(), color, Stroke::NONE));
        }
        MarkerKind::Seam => {
            icons::paint_sized(painter, rect.center(), rect.width(), Icon::Loop, color);
        }
    }
}

fn tooltip_ui(ui: &mut Ui, group: &Group<'_>) {
    for marker in &group.members {
        let words = text::with_whole_figures(&text::clean(&marker.words, 200));
        if marker.is_faint() && !group.is_faint {
            ui.weak(words);
        } else {
            ui.label(words);
        }
    }
    let rest = group.count - group.members.len();
    if rest > 0 {
        ui.weak(format!("and {rest} more"));
    }
    if group.members.iter().any(|it| it.is_faint()) {
        ui.weak(FAINT_WORDS);
    }
    let is_pop = group.members.iter().any(|it| it.kind == MarkerKind::Pop);
    ui.weak(if is_pop {
        let next = written(Action::Step, 1);
        format!("Click to stop just before it; {next} goes through it")
    } else {
        "Click to stop there".to_owned()
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::theme::{DARK, LIGHT, tests::contrast};

    /// As WCAG 2.1 asks of what is no text (1.4.11).
    #[test]
    fn marks_can_be_seen_on_the_track() {
        for colors in [DARK, LIGHT] {
            for kind in [MarkerKind::Slide, MarkerKind::Pop, MarkerKind::Seam] {
                for is_odd in [false, true] {
                    let marker = Marker {
                        kind,
                        from_secs: 0.0,
                        to_secs: 0.0,
                        node: None,
                        words: String::new(),
                        is_odd,
                        is_told: false,
                    };
                    let color = color_of(&marker, marker.is_faint(), false, &colors);
                    let ratio = contrast(colors.sunken.blend(color), colors.sunken);
                    assert!(ratio >= 3.0, "{kind:?}: {ratio}");
                }
            }
        }
    }
}
