//! Motion trails as lines: what was and what will be in two colours that colour-blind eyes tell apart.

use glam::Vec3;

use super::Overlay;
use crate::anim::Trail;

/// Orange: what was.
pub const PAST_COLOR: [f32; 4] = [1.0, 0.36, 0.03, 1.0];
/// Sky blue: what will be.
pub const FUTURE_COLOR: [f32; 4] = [0.05, 0.50, 0.95, 1.0];
/// Around both, so that they can be seen on any ground.
const EDGE_COLOR: [f32; 4] = [0.01, 0.01, 0.015, 0.75];
const MARK_COLOR: [f32; 4] = [0.95, 0.95, 0.90, 1.0];
/// Widths in points.
const LINE_WIDTH: f32 = 2.5;
const EDGE_WIDTH: f32 = 1.5;
const MARK_WIDTH: f32 = 4.5;
const NOW_WIDTH: f32 = 9.0;
/// More marks than that would be a line themselves.
const MAX_MARKS: usize = 200;

/// Adds a trail to `overlay`: before `now_secs` in the one colour, after it in the other; the node is at `here` now.
pub fn add_trail(
    trail: &Trail,
    now_secs: f64,
    here: Vec3,
    pixels_per_point: f32,
    overlay: &mut Overlay,
) {
    let width = LINE_WIDTH * pixels_per_point;
    let edge = 2.0 * EDGE_WIDTH * pixels_per_point;
    let next = trail.times_secs.partition_point(|time| *time <= now_secs);
    let (past, future) = trail.points.split_at(next.min(trail.points.len()));
    for (extra, is_edge) in [(edge, true), (0.0, false)] {
        let paint = |color| if is_edge { EDGE_COLOR } else { color };
        let mut line = |from, to, color| overlay.top_line(from, to, width + extra, paint(color));
        for pair in past.windows(2) {
            line(pair[0], pair[1], PAST_COLOR);
        }
        if let Some(&last) = past.last() {
            line(last, here, PAST_COLOR);
        }
        if let Some(&first) = future.first() {
            line(here, first, FUTURE_COLOR);
        }
        for pair in future.windows(2) {
            line(pair[0], pair[1], FUTURE_COLOR);
        }
    }
    let mut dot = |at, width: f32, color| {
        let width = width * pixels_per_point;
        overlay.top_line(at, at, width + edge, EDGE_COLOR);
        overlay.top_line(at, at, width, color);
    };
    if trail.marks.len() <= MAX_MARKS {
        for &mark in &trail.marks {
            dot(mark, MARK_WIDTH, MARK_COLOR);
        }
    }
    dot(here, NOW_WIDTH, [1.0, 0.85, 0.10, 1.0]);
}
