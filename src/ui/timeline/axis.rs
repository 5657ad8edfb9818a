//! The time axis that the timeline and the sheet above it share: which part of the clip it shows, and where times lie.

use crate::ui::TimeSpan;
use egui::Rangef;

/// Room at both ends for the playhead's handle and for half a label.
pub const MARGIN: f32 = 14.0;

/// Where times lie.
#[derive(Debug, Clone, Copy)]
pub struct Axis {
    /// From the first time that is shown to the last.
    pub x: Rangef,
    /// What is shown.
    pub span: TimeSpan,
    /// The clip's length.
    pub duration_secs: f64,
}

impl Axis {
    /// An axis over the width of `outer`, but for its margins.
    pub fn new(outer: Rangef, span: TimeSpan, duration_secs: f64) -> Self {
        let left = outer.min + MARGIN;
        let is_sane =
            span.from_secs >= 0.0 && span.from_secs < span.to_secs && span.to_secs <= duration_secs;
        Self {
            x: Rangef::new(left, (outer.max - MARGIN).max(left + 1.0)),
            span: if is_sane {
                span
            } else {
                TimeSpan {
                    from_secs: 0.0,
                    to_secs: duration_secs,
                }
            },
            duration_secs,
        }
    }

    /// Whether all of the clip is shown.
    pub fn is_whole(&self) -> bool {
        self.span.length_secs() >= self.duration_secs
    }

    /// Where a time is, which may be far outside.
    pub fn x_at(&self, time_secs: f64) -> f32 {
        /// Beyond this, single precision has no half points.
        const FAR: f64 = 1e6;
        // A single pose is all at one time.
        if self.span.length_secs() == 0.0 {
            return self.x.min;
        }
        let fraction = (time_secs - self.span.from_secs) / self.span.length_secs();
        let offset = fraction * f64::from(self.x.span());
        self.x.min + offset.clamp(-FAR, FAR) as f32
    }

    /// The time at a place, which may be outside of the clip.
    pub fn time_at_any(&self, x: f32) -> f64 {
        let fraction = f64::from((x - self.x.min) / self.x.span());
        // What lies in the margins of a single pose is not at its time.
        let length = self.span.length_secs().max(f64::MIN_POSITIVE);
        self.span.from_secs + fraction * length
    }

    /// The time at a place: of the clip, and of what is shown.
    pub fn time_at(&self, x: f32) -> f64 {
        let time = self.time_at_any(x.clamp(self.x.min, self.x.max));
        time.clamp(0.0, self.duration_secs)
    }

    /// What is written at a time: seconds, of longer clips minutes and hours too.
    pub fn label(&self, time_secs: f64, decimals: usize) -> String {
        if self.duration_secs < 120.0 {
            return format!("{time_secs:.decimals$}");
        }
        // Rounded first: else there were 60 seconds in a minute where sums of steps fall short of one.
        let parts = 10_f64.powi(decimals as i32);
        let time_secs = (time_secs * parts).round() / parts;
        let (minutes, secs) = (time_secs as u64 / 60, time_secs % 60.0);
        let width = if decimals > 0 { decimals + 3 } else { 2 };
        let secs = format!("{secs:0width$.decimals$}");
        if self.duration_secs < 3600.0 {
            return format!("{minutes}:{secs}");
        }
        format!("{}:{:02}:{secs}", minutes / 60, minutes % 60)
    }

    /// How long a point is.
    pub fn secs_per_point(&self) -> f64 {
        self.span.length_secs() / f64::from(self.x.span())
    }
}

/// Times that belong to marks: `step` apart, those that are in sight on the whole width of `outer`.
pub fn ticks(axis: &Axis, step_secs: f64) -> impl Iterator<Item = f64> + use<> {
    /// An axis has no room for more.
    const MOST: f64 = 100_000.0;
    let last = axis.duration_secs / step_secs + 1e-6;
    let from = (axis.time_at_any(axis.x.min - MARGIN) / step_secs)
        .ceil()
        .max(0.0);
    let to = (axis.time_at_any(axis.x.max + MARGIN) / step_secs).min(last);
    let count = (to - from + 1.0).clamp(0.0, MOST) as u32;
    (0..count).map(move |place| (from + f64::from(place)) * step_secs)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPAN: TimeSpan = TimeSpan {
        from_secs: 20.0,
        to_secs: 40.0,
    };

    #[test]
    fn labels_of_long_clips_count_minutes_and_hours() {
        let axis = |duration: f64| Axis::new(Rangef::new(0.0, 228.0), SPAN, duration);
        for (duration, time, decimals, label) in [
            (100.0, 20.0, 1, "20.0"),
            (200.0, 179.999_999_999, 1, "3:00.0"),
            (200.0, 65.0, 0, "1:05"),
            (36_000.0, 35_999.999_999, 2, "10:00:00.00"),
            (36_000.0, 3725.0, 0, "1:02:05"),
        ] {
            assert_eq!(axis(duration).label(time, decimals), label);
        }
    }

    #[test]
    fn places_are_where_times_are() {
        let axis = Axis::new(Rangef::new(0.0, 228.0), SPAN, 100.0);
        assert_eq!((axis.x_at(20.0), axis.x_at(40.0)), (14.0, 214.0));
        assert_eq!((axis.time_at(114.0), axis.time_at(-50.0)), (30.0, 20.0));
        assert_eq!(axis.x_at(50.0), 314.0);
        assert_eq!(axis.secs_per_point(), 0.1);
        assert!(axis.x_at(1e30).is_finite());
        // The margins show what lies there: 18.6 s to 41.4 s.
        assert_eq!(ticks(&axis, 10.0).collect::<Vec<_>>(), [20.0, 30.0, 40.0]);
        assert_eq!(ticks(&axis, 1.0).count(), 23);
        let odd = TimeSpan {
            from_secs: f64::NAN,
            to_secs: 3.0,
        };
        assert_eq!(Axis::new(axis.x, odd, 5.0).span.to_secs, 5.0);
        let pose = Axis::new(axis.x, odd, 0.0);
        assert_eq!(pose.x_at(0.0), pose.x.min);
        assert!(pose.time_at_any(pose.x.min - 1.0) < 0.0);
        assert_eq!(pose.time_at(pose.x.max), 0.0);
    }
}
