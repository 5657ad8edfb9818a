//! A small sign beside the pointer: when, and what is there.

use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Stroke, StrokeKind, vec2};

use crate::ui::{Lanes, NumberKind, text, theme::Colors};

/// Time and frame in words.
pub fn when(time_secs: f64, frames_per_sec: f64) -> String {
    let frame = text::frame_words(time_secs, frames_per_sec);
    format!("{time_secs:.3} s  ·  {frame}")
}

/// The colours of the numbers of a row.
pub fn lane_color(kind: NumberKind, lane: usize, colors: &Colors) -> Color32 {
    match kind {
        NumberKind::One | NumberKind::None => colors.accent,
        _ => *colors.axes.get(lane).unwrap_or(&colors.strong),
    }
}

/// A number of this kind for people: about four digits. Of degrees and of what is less than a millionth, all that three
/// decimals do not hold is rounding.
fn number(value: f32, kind: NumberKind) -> String {
    let size = value.abs();
    let is_rounding = match kind {
        NumberKind::Degrees => size < 5e-4,
        _ => size < 5e-7,
    };
    let shown = if is_rounding {
        "0.000".to_owned()
    } else if size >= 1000.0 {
        format!("{value:.0}")
    } else if size >= 100.0 {
        format!("{value:.1}")
    } else if size >= 10.0 {
        format!("{value:.2}")
    } else if size < 1e-3 && kind != NumberKind::Degrees {
        format!("{value:.1e}")
    } else {
        format!("{value:.3}")
    };
    shown.replace('-', "−")
}

/// The numbers of a row, each with its name and colour.
pub fn numbers(kind: NumberKind, lanes: &Lanes, colors: &Colors) -> Vec<(String, Color32)> {
    let names = kind.names();
    names
        .iter()
        .zip(lanes)
        .enumerate()
        .map(|(lane, (name, value))| {
            let name = if names.len() == 1 { "" } else { name };
            let words = format!("{name} {}{}", number(*value, kind), kind.unit());
            (
                words.trim_start().to_owned(),
                lane_color(kind, lane, colors),
            )
        })
        .collect()
}

/// Paints pieces of text in a row beside a place, within `bounds`.
pub fn paint(
    painter: &Painter,
    bounds: Rect,
    beside: Pos2,
    pieces: &[(String, Color32)],
    colors: &Colors,
) {
    const GAP: f32 = 9.0;
    let font = FontId::proportional(12.0);
    let galleys: Vec<_> = pieces
        .iter()
        .map(|(words, color)| painter.layout_no_wrap(words.clone(), font.clone(), *color))
        .collect();
    let width: f32 = galleys.iter().map(|galley| galley.size().x + GAP).sum();
    let height = galleys
        .iter()
        .map(|galley| galley.size().y)
        .fold(0.0, f32::max);
    let size = vec2(width - GAP + 14.0, height + 4.0);
    let x = if beside.x + 12.0 + size.x <= bounds.right() {
        beside.x + 12.0
    } else {
        (beside.x - 12.0 - size.x).max(bounds.left())
    };
    let below = beside.y + 14.0;
    let y = if below + size.y <= bounds.bottom() {
        below
    } else {
        (beside.y - 6.0 - size.y).max(bounds.top())
    };
    let chip = Rect::from_min_size(egui::pos2(x, y), size);
    painter.rect(
        chip,
        4.0,
        colors.raised,
        Stroke::new(1.0, colors.line),
        StrokeKind::Inside,
    );
    let mut left = chip.left() + 7.0;
    for galley in galleys {
        let size = galley.size();
        let room = Rect::from_min_size(egui::pos2(left, chip.top()), vec2(size.x, chip.height()));
        let place = Align2::LEFT_CENTER.align_size_within_rect(size, room);
        painter.galley(place.min, galley, Color32::PLACEHOLDER);
        left += size.x + GAP;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (value, words) in [
            (0.0, "0.000"),
            (-1.5, "−1.500"),
            (12.345, "12.35"),
            (-179.96, "−180.0"),
            (12_345.6, "12346"),
            (0.000_012, "1.2e−5"),
        ] {
            assert_eq!(number(value, NumberKind::Axes(3)), words);
        }
    }

    /// What a joint that does not turn is turned by is rounding.
    #[test]
    fn what_is_rounding_is_zero() {
        for (value, kind, words) in [
            (-1e-7, NumberKind::Axes(3), "0.000"),
            (-1e-7, NumberKind::Degrees, "0.000"),
            (8.4e-7, NumberKind::Degrees, "0.000"),
            (-4e-4, NumberKind::Degrees, "0.000"),
            (-6e-4, NumberKind::Degrees, "−0.001"),
            (8.4e-7, NumberKind::Axes(3), "8.4e−7"),
        ] {
            assert_eq!(number(value, kind), words, "{value} {kind:?}");
        }
    }
}
