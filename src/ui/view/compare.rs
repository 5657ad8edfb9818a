//! What panels read of comparing.

use egui::Rect;

use crate::scene::{Split, SplitWay};
use crate::ui::{CompareWith, text};

/// What the interface shows of comparing.
#[derive(Debug, Clone, Copy, Default)]
pub struct CompareView<'a> {
    /// Whether two subjects are shown.
    pub is_on: bool,
    /// How they share the picture, or would.
    pub split: Split,
    /// What the model is compared with, or was last.
    pub with: Option<CompareWith>,
    /// What A and B are.
    pub names: [&'a str; 2],
    /// What else there is to say of B, such as that its clip is shorter.
    pub note: &'a str,
    /// The file that can be compared with, if one was read.
    pub file: Option<&'a str>,
    /// How the other way of skinning is called; none where nothing is skinned.
    pub other_skinning: Option<&'a str>,
    /// Whether clips of different lengths begin and end together.
    pub by_phase: bool,
    /// How far the two lie apart, if that is shown.
    pub differences: Option<DifferencesView<'a>>,
    /// The distance that the view of the skinning difference draws in the last of its colours.
    pub difference_scale: f32,
}

impl CompareView<'_> {
    /// Where A and B are drawn.
    pub fn drawn(&self, viewport: Rect) -> [Rect; 2] {
        if self.is_on && self.split.way == SplitWay::SideBySide {
            self.seen(viewport)
        } else {
            [viewport; 2]
        }
    }

    /// Where A and B are seen.
    pub fn seen(&self, viewport: Rect) -> [Rect; 2] {
        if !self.is_on || self.split.way == SplitWay::Overlay {
            return [viewport; 2];
        }
        let x = self.line_x(viewport);
        let parts = [viewport.with_max_x(x), viewport.with_min_x(x)];
        let [left, right] = parts;
        if self.split.is_swapped {
            [right, left]
        } else {
            parts
        }
    }

    /// Whether a point belongs to B's picture and not to A's.
    pub fn is_in_second(&self, viewport: Rect, at: egui::Pos2) -> bool {
        let [first, second] = self.seen(viewport);
        self.is_on && second.contains(at) && !first.contains(at)
    }

    /// Where the line between both is.
    pub(in crate::ui) fn line_x(&self, viewport: Rect) -> f32 {
        viewport.left() + self.split.line() * viewport.width()
    }
}

/// What the interface shows of differences.
#[derive(Debug, Clone, Copy, Default)]
pub struct DifferencesView<'a> {
    /// Whether they are known yet.
    pub is_known: bool,
    /// The joints that move otherwise, the worst first: by both figures together.
    pub rows: &'a [DifferenceRow],
    /// Their places by turns alone and by distances alone: [`places_by_figure`].
    pub by_figure: [&'a [usize]; 2],
    /// How many others both have.
    pub alike: usize,
    /// When there are values.
    pub times_secs: &'a [f64],
    /// How far the chosen joint is turned, or that which is turned most.
    pub degrees: &'a [f32],
    /// How far the chosen joint is away, or that which is farthest.
    pub units: &'a [f32],
    /// The joint that the curves are about; none is all.
    pub node: Option<usize>,
    /// Turns and distances that are less are rounding, and none to be seen.
    pub least: [f32; 2],
    /// The greatest turn of all.
    pub most_degrees: f32,
    /// Why joints are not compared, such as that B lacks the clip; empty if they are.
    pub unpaired: &'a str,
    /// What else differs, and what one has and the other lacks.
    pub words: &'a str,
    /// All clips; none where no other file is compared.
    pub clips: Option<ClipListView<'a>>,
}

/// A joint, and how far it is off at most.
#[derive(Debug, Clone, PartialEq)]
pub struct DifferenceRow {
    /// Which, as [`crate::ui::NodeRow`]s are numbered.
    pub node: usize,
    /// Its name.
    pub name: String,
    /// Relative to its parent.
    pub degrees: f32,
    /// When.
    pub degrees_at_secs: f64,
    /// In the world.
    pub units: f32,
    /// When.
    pub units_at_secs: f64,
}

impl DifferenceRow {
    /// Whether it is off at all.
    pub fn is_off(&self) -> bool {
        // What is no number counts.
        self.degrees != 0.0 || self.units != 0.0
    }

    /// How far it is turned, and how far away.
    pub fn figures(&self) -> [f32; 2] {
        [self.degrees, self.units]
    }

    /// How far it is off and when, in words. A joint that is turned stays where it is: what hangs on it goes elsewhere.
    pub(in crate::ui) fn words(&self) -> String {
        let turned = match self.degrees {
            0.0 => "not turned".to_owned(),
            degrees => format!("turned {degrees:.2}° at {:.3} s", self.degrees_at_secs),
        };
        let away = match self.units {
            0.0 => "in place".to_owned(),
            units => {
                let units = text::number(units);
                format!("{units} units away at {:.3} s", self.units_at_secs)
            }
        };
        format!("{turned}, its origin {away}")
    }

    /// Where it is turned most is where it goes wrong; if it is not turned, where it is farthest.
    pub fn worst_at_secs(&self) -> f64 {
        if self.degrees > 0.0 {
            self.degrees_at_secs
        } else {
            self.units_at_secs
        }
    }
}

/// What the interface shows of all clips.
#[derive(Debug, Clone, Copy, Default)]
pub struct ClipListView<'a> {
    /// Whether they are listed, and not the joints.
    pub is_open: bool,
    /// The worst first; none while they are not known.
    pub rows: Option<&'a [ClipDifferenceRow]>,
    /// Their places by turns alone and by distances alone: [`places_by_figure`].
    pub by_figure: [&'a [usize]; 2],
    /// Why they cannot be known.
    pub error: Option<&'a str>,
}

/// A clip of A, of B, or of both.
#[derive(Debug, Clone, PartialEq)]
pub struct ClipDifferenceRow {
    /// Which of A's; none if B alone has it.
    pub clip: Option<usize>,
    /// Its name.
    pub name: String,
    /// The worst joint, and how far any is off at most; none if one of both lacks the clip.
    pub worst: Option<DifferenceRow>,
    /// What else is to be said.
    pub words: String,
}

impl ClipDifferenceRow {
    /// How far its worst joint is turned, and how far away.
    pub fn figures(&self) -> Option<[f32; 2]> {
        self.worst.as_ref().map(DifferenceRow::figures)
    }
}

/// The places of rows by the first of their figures, and by the second: the greatest first. Those without figures come last;
/// what is no number comes first.
pub fn places_by_figure<R>(
    rows: &[R],
    figures: impl Fn(&R) -> Option<[f32; 2]>,
) -> [Vec<usize>; 2] {
    [0, 1].map(|column: usize| {
        let key = |place: &usize| figures(&rows[*place]).map_or(-1.0, |both| both[column].abs());
        let mut places: Vec<_> = (0..rows.len()).collect();
        places.sort_by(|a, b| key(b).total_cmp(&key(a)));
        places
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greatest_figure_is_first_and_rows_without_are_last() {
        let rows = [
            None,
            Some([1.0, 9.0]),
            Some([5.0, 0.0]),
            Some([3.0, f32::NAN]),
        ];
        let places = places_by_figure(&rows, |row| *row);
        assert_eq!(places, [[2, 3, 1, 0], [3, 1, 2, 0]]);
    }
}
