//! What a turn of the wheel says, whichever unit the system tells it in.

use egui::{MouseWheelUnit, Vec2};

/// Points that a touchpad scrolls for one notch of a wheel (egui's own figure for the reverse).
pub const POINTS_PER_NOTCH: f32 = 40.0;

/// A turn in notches.
pub fn notches(unit: MouseWheelUnit, delta: Vec2) -> Vec2 {
    match unit {
        MouseWheelUnit::Point => delta / POINTS_PER_NOTCH,
        MouseWheelUnit::Line => delta,
        MouseWheelUnit::Page => delta * 10.0,
    }
}
