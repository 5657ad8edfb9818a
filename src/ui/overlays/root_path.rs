//! Where the clip takes the root over the ground, painted over the picture.

use egui::{Align2, FontId, Pos2, Rect, Stroke, Ui, pos2, vec2};

use crate::ui::{PathPane, View, text::figure, theme::colors_of};

/// Paints the path, where the root is on it, and how fast it goes there.
pub fn root_path_ui(ui: &Ui, view: &View<'_>, viewport: Rect) {
    let Some(path) = view.camera.path.filter(|_| view.camera.shows_path) else {
        return;
    };
    let colors = colors_of(ui);
    let painter = ui.painter().with_clip_rect(viewport);
    let half = viewport.size() / 2.0;
    let at = |[right, up]: [f32; 2]| -> Pos2 {
        let from_center = vec2(right * half.x, -up * half.y);
        viewport.center() + from_center
    };
    let shade = Stroke::new(4.0, colors.panel.gamma_multiply(0.6));
    let line = Stroke::new(2.0, colors.accent);
    for stroke in [shade, line] {
        for piece in path.pieces {
            let ends = piece.map(at);
            if ends.iter().all(|end| is_drawable(*end)) {
                painter.line_segment(ends, stroke);
            }
        }
    }
    if let Some(now) = path.now.map(at).filter(|now| is_drawable(*now)) {
        painter.circle(now, 4.5, colors.accent, Stroke::new(1.5, colors.panel));
        let words = words(&path);
        let font = FontId::proportional(12.5);
        let galley = painter.layout_no_wrap(words, font, colors.strong);
        let place = now + vec2(10.0, 6.0);
        let room = viewport.shrink(4.0);
        let rect = Align2::LEFT_TOP.anchor_size(place, galley.size() + vec2(10.0, 4.0));
        // Beside the edge it goes to the other side of the root.
        let rect = if rect.right() > room.right() {
            rect.translate(vec2(-rect.width() - 20.0, 0.0))
        } else {
            rect
        };
        painter.rect_filled(rect, 4.0, colors.panel.gamma_multiply(0.85));
        let middle = Align2::CENTER_CENTER.align_size_within_rect(galley.size(), rect);
        painter.galley(pos2(middle.left(), middle.top()), galley, colors.strong);
    }
}

/// How fast the root goes.
fn words(path: &PathPane<'_>) -> String {
    format!("{} units/s now", figure(path.speed))
}

/// Lines that go far beyond the window would only cost time.
fn is_drawable(at: Pos2) -> bool {
    at.is_finite() && at.x.abs() < 1e5 && at.y.abs() < 1e5
}
