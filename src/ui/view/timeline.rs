//! What panels read of the time axis, and of what lies on it.

use super::{GroundSpeed, SheetView};

/// No less of a clip fills the axis.
const MIN_SPAN_SECS: f64 = 0.02;

/// The time axis, and what lies on it.
#[derive(Debug, Clone, Copy)]
pub struct TimelineView<'a> {
    /// The clip whose time and keys it shows: over the file's own pose one that plays there.
    pub clip: Option<usize>,
    /// That clip where it alone moves the model: what is measured of it is true of the picture.
    pub measured_clip: Option<usize>,
    /// What the axis shows.
    pub span: TimeSpan,
    /// What loops, if not all of the clip.
    pub range: Option<TimeSpan>,
    /// Times of the keys of the clip in force (of the chosen node's if it has any), in seconds, sorted, without repeats.
    pub key_times_secs: &'a [f32],
    /// What is odd in the motion, in the order of time: nothing is where clips play together.
    pub markers: &'a [Marker],
    /// How fast the motion goes over the ground, if that is known: it is not where clips play together.
    pub ground_speed: Option<GroundSpeed>,
    /// The sheet, if it is open.
    pub sheet: Option<SheetView<'a>>,
}

/// From one time to a later one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimeSpan {
    /// When it begins.
    pub from_secs: f64,
    /// When it ends.
    pub to_secs: f64,
}

impl TimeSpan {
    /// How long it is.
    pub fn length_secs(&self) -> f64 {
        self.to_secs - self.from_secs
    }

    /// Whether a time is in it, its ends included.
    pub fn contains(&self, time_secs: f64) -> bool {
        (self.from_secs..=self.to_secs).contains(&time_secs)
    }

    /// The part of a clip that is `factor` times as long, with `about_secs` where it was. None if that is all of the clip.
    #[must_use]
    pub fn zoomed(self, factor: f64, about_secs: f64, duration_secs: f64) -> Option<Self> {
        let length = self.length_secs();
        let new = (length * factor).max(MIN_SPAN_SECS);
        let is_part = new < duration_secs && length > 0.0;
        is_part.then(|| {
            let before = (about_secs - self.from_secs) / length * new;
            Self::within(about_secs - before, new, duration_secs)
        })
    }

    /// The part of a clip that lies `by_secs` later. None if it is all of the clip.
    #[must_use]
    pub fn moved(self, by_secs: f64, duration_secs: f64) -> Option<Self> {
        let length = self.length_secs();
        let is_part = length < duration_secs && by_secs.is_finite();
        is_part.then(|| Self::within(self.from_secs + by_secs, length, duration_secs))
    }

    fn within(from_secs: f64, length: f64, duration_secs: f64) -> Self {
        let from_secs = from_secs.clamp(0.0, (duration_secs - length).max(0.0));
        Self {
            from_secs,
            to_secs: (from_secs + length).min(duration_secs),
        }
    }
}

/// What is marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MarkerKind {
    /// How the end of the clip meets its beginning.
    Seam,
    /// A jump.
    Pop,
    /// A foot that slides while it stands.
    Slide,
}

/// Something that is odd in the motion.
#[derive(Debug, Clone, PartialEq)]
pub struct Marker {
    /// What it is.
    pub kind: MarkerKind,
    /// When it begins.
    pub from_secs: f64,
    /// When it ends.
    pub to_secs: f64,
    /// The node that does it, by its place in the hierarchy.
    pub node: Option<usize>,
    /// Whether it is worth a look: a seam may well meet.
    pub is_odd: bool,
    /// Whether it stands out so far that the list of clips tells it, too.
    pub is_told: bool,
    /// What it is and how much, in a sentence.
    pub words: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPAN: TimeSpan = TimeSpan {
        from_secs: 20.0,
        to_secs: 40.0,
    };

    fn of(from_secs: f64, to_secs: f64) -> Option<TimeSpan> {
        Some(TimeSpan { from_secs, to_secs })
    }

    #[test]
    fn zooming_keeps_the_time_under_the_pointer() {
        assert_eq!(SPAN.zoomed(0.5, 25.0, 100.0), of(22.5, 32.5));
        assert_eq!(SPAN.zoomed(0.5, 20.0, 100.0), of(20.0, 30.0));
        assert_eq!(SPAN.zoomed(2.0, 40.0, 100.0), of(0.0, 40.0));
        // At the ends the clip is not left.
        assert_eq!(SPAN.zoomed(4.0, 36.0, 100.0), of(0.0, 80.0));
        assert_eq!(SPAN.zoomed(5.0, 30.0, 100.0), None);
        let least = SPAN.zoomed(1e-9, 30.0, 100.0).unwrap();
        assert!((least.length_secs() - MIN_SPAN_SECS).abs() < 1e-9);
        assert_eq!(
            SPAN.zoomed(0.5, 20.0, 0.01),
            None,
            "there is nothing to zoom"
        );
    }

    #[test]
    fn moving_stays_in_the_clip() {
        assert_eq!(SPAN.moved(10.0, 100.0), of(30.0, 50.0));
        assert_eq!(SPAN.moved(-30.0, 100.0), of(0.0, 20.0));
        assert_eq!(SPAN.moved(90.0, 100.0), of(80.0, 100.0));
        assert_eq!(SPAN.moved(f64::NAN, 100.0), None);
        assert_eq!(SPAN.moved(1.0, 20.0), None, "all of it is shown");
    }
}
