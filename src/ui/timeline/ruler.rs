//! The ruler of the timeline: ticks, and labels of times at the longer ones.

use egui::{Align2, FontId, Painter, Rect, Stroke, pos2};

use super::{
    RULER_HEIGHT,
    axis::{Axis, ticks},
};
use crate::ui::theme::Colors;

/// Closest that two labels may come, from start to start.
const LABEL_GAP: f32 = 64.0;
/// Closest that two marks may come.
const TICK_GAP: f32 = 6.0;

/// How far apart labels are.
pub fn label_step(axis: &Axis, frames_per_sec: f64) -> f64 {
    steps(axis.span.length_secs(), axis.x.span(), frames_per_sec).major
}

/// Ticks and labels at the top of `outer`.
pub fn paint(painter: &Painter, axis: &Axis, outer: Rect, frames_per_sec: f64, colors: &Colors) {
    let steps = steps(axis.span.length_secs(), axis.x.span(), frames_per_sec);
    let bottom = outer.top() + RULER_HEIGHT - 2.0;
    let decimals = (-(steps.major + 1e-9).log10().floor()).max(0.0) as usize;
    for (step, height, color) in [
        (steps.minor, 3.0, colors.line),
        (steps.major, 5.0, colors.weak),
    ] {
        for time in ticks(axis, step) {
            let x = axis.x_at(time).round() + 0.5;
            painter.vline(x, bottom - height..=bottom, Stroke::new(1.0, color));
        }
    }
    for time in ticks(axis, steps.major) {
        let label = axis.label(time, decimals);
        painter.text(
            pos2(axis.x_at(time), outer.top()),
            Align2::CENTER_TOP,
            label,
            FontId::proportional(11.0),
            colors.weak,
        );
    }
}

/// Distances of marks in seconds.
#[derive(Debug, PartialEq)]
struct Steps {
    /// With labels.
    major: f64,
    /// Between them: frames where there is room, else simple parts of `major`.
    minor: f64,
}

/// What marks are apart where `duration` seconds have `width` points.
fn steps(duration: f64, width: f32, frames_per_sec: f64) -> Steps {
    let points_per_sec = f64::from(width.max(1.0)) / duration;
    let least = f64::from(LABEL_GAP) / points_per_sec;
    let steps = [1.0, 2.0, 5.0, 10.0];
    let major = if least > 5.0 {
        // Beyond a few seconds people count in fives, quarters and minutes.
        let steps = [10.0, 15.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1800.0, 3600.0];
        let nice = steps.into_iter().find(|step| *step >= least);
        nice.unwrap_or((least / 3600.0).ceil() * 3600.0)
    } else {
        let decade = 10_f64.powf(least.max(1e-6).log10().floor());
        let nice = steps
            .into_iter()
            .map(|step| step * decade)
            .find(|step| *step >= least * 0.999);
        nice.unwrap_or(decade * 10.0)
    };
    let gap = |step: f64| step * points_per_sec;
    let frame = 1.0 / frames_per_sec.max(1e-3);
    let minor = if gap(frame) >= f64::from(TICK_GAP) && frame < major {
        frame
    } else {
        [10.0, 5.0, 4.0, 2.0, 1.0]
            .into_iter()
            .map(|parts| major / parts)
            .find(|step| gap(*step) >= f64::from(TICK_GAP))
            .unwrap_or(major)
    };
    Steps { major, minor }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_stand_at_nice_times() {
        assert_eq!(
            steps(2.0, 1000.0, 30.0),
            Steps {
                major: 0.2,
                minor: 1.0 / 30.0
            }
        );
        assert_eq!(steps(60.0, 1000.0, 30.0).major, 5.0);
        assert_eq!(steps(600.0, 1000.0, 30.0).major, 60.0);
        assert_eq!(steps(0.01, 600.0, 30.0).major, 0.002);
        for duration in [1e-6, 1e-3, 0.1, 1.0, 7.3, 100.0, 4000.0, 1e6, 1e9] {
            for width in [1.0, 40.0, 300.0, 4000.0] {
                let steps = steps(duration, width, 30.0);
                assert!(
                    duration / steps.minor <= f64::from(width) / 2.0 + 2.0,
                    "{duration} {width} {steps:?}"
                );
            }
        }
    }
}
