//! The upright axis of curves: values and where they lie.

use egui::Rangef;

/// Closest that two labels may come.
const LABEL_GAP: f32 = 26.0;

/// Nearer to zero than this, values are zero.
const NOTHING: f32 = 1e-6;

/// Changes up to this part of the greatest value are rounding errors.
const ROUNDING: f32 = 1e-6;

/// Half of what is shown around a value that does not change: labels of few digits.
fn steady_half(value: f32) -> f32 {
    if value.abs() < NOTHING {
        1.0
    } else {
        0.1 * value.abs()
    }
}

/// Where values lie: greater ones are higher.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ValueAxis {
    y: Rangef,
    least: f32,
    greatest: f32,
}

impl ValueAxis {
    /// An axis that has room for these values, and for as much around them as eyes need.
    pub fn new(y: Rangef, least: f32, greatest: f32) -> Self {
        let (least, greatest) = if least.is_finite() && greatest.is_finite() && least <= greatest {
            (least, greatest)
        } else {
            (0.0, 1.0)
        };
        // What does not change lies in the middle, and what hardly changes does not fill the view.
        let length = greatest - least;
        let most = least.abs().max(greatest.abs());
        let (middle, half) = (least / 2.0 + greatest / 2.0, length / 2.0);
        let half = if length <= ROUNDING * most || most < NOTHING {
            steady_half(middle)
        } else {
            half.max(0.5e-3 * most)
        };
        let half = half.min(f32::MAX / 8.0);
        Self {
            y: y.shrink((0.1 * y.span()).clamp(0.0, 14.0)),
            least: middle - half,
            greatest: middle + half,
        }
    }

    /// Where a value is.
    pub fn y_at(&self, value: f32) -> f32 {
        let fraction = (value - self.least) / (self.greatest - self.least);
        let y = self.y.max - fraction.clamp(-1e4, 1e4) * self.y.span();
        if y.is_nan() { self.y.center() } else { y }
    }

    /// The values that have labels, and how many decimals they need.
    pub fn labels(&self) -> (impl Iterator<Item = f32> + use<>, usize) {
        let length = self.greatest - self.least;
        let most = (self.y.span() / LABEL_GAP).max(1.0);
        let rough = f64::from(length / most).max(1e-30);
        let decade = 10_f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|part| part * decade);
        let step = step
            .into_iter()
            .find(|step| *step >= rough * 0.999)
            .unwrap_or(rough);
        let first = (f64::from(self.least) / step).ceil();
        let count = ((f64::from(self.greatest) / step).floor() - first + 1.0).clamp(0.0, 200.0);
        let decimals = (-(step * 1.000_001).log10().floor()).clamp(0.0, 9.0) as usize;
        let labels = (0..count as u32).map(move |place| ((first + f64::from(place)) * step) as f32);
        (labels, decimals)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(least: f32, greatest: f32) -> ValueAxis {
        ValueAxis::new(Rangef::new(0.0, 128.0), least, greatest)
    }

    #[test]
    fn greater_values_are_higher_and_labels_are_nice() {
        let turn = axis(-90.0, 90.0);
        assert!(turn.y_at(-90.0) > turn.y_at(90.0) && turn.y_at(0.0) == 64.0);
        let (labels, decimals) = turn.labels();
        assert_eq!(
            (labels.collect::<Vec<_>>(), decimals),
            (vec![-50.0, 0.0, 50.0], 0)
        );
        let (labels, decimals) = axis(0.01, 0.05).labels();
        assert_eq!(
            (labels.collect::<Vec<_>>(), decimals),
            (vec![0.02, 0.04], 2)
        );
    }

    #[test]
    fn what_does_not_change_lies_in_the_middle() {
        for value in [0.0, 1.0, -1234.5, 1e-20, 1e30] {
            let axis = axis(value, value);
            assert!((axis.y_at(value) - 64.0).abs() < 0.1, "{value}: {axis:?}");
            assert!(axis.labels().0.count() <= 5, "{value}");
        }
    }

    #[test]
    fn labels_of_what_does_not_change_have_few_digits() {
        for (value, most) in [(0.0, 1), (1e-8, 1), (1.0, 2), (-1234.5, 0), (0.25, 2)] {
            let (mut labels, decimals) = axis(value, value).labels();
            assert!(decimals <= most, "{value}: {decimals}");
            assert!(labels.next().is_some(), "{value}");
        }
    }

    #[test]
    fn small_changes_are_seen_and_stay_on_the_axis() {
        for (least, greatest, part) in [
            (99.96, 100.04, 0.7),
            (-100.04, -99.96, 0.7),
            (0.2499, 0.2501, 0.7),
            (99.999, 100.001, 0.01),
            (1.5e-6, 2.4e-6, 0.7),
            (-5e-7, 1.5e-6, 0.7),
            (-1e-9, 1e-9, 0.0),
            (100.0, 100.000_01, 0.0),
        ] {
            let axis = axis(least, greatest);
            let (top, bottom) = (axis.y_at(greatest), axis.y_at(least));
            assert!(0.0 <= top && bottom <= 128.0, "{top} {bottom}: {axis:?}");
            assert!(bottom - top >= part * 100.0, "{top} {bottom}: {axis:?}");
            if part == 0.0 {
                assert!(bottom - top < 1.0, "{top} {bottom}: {axis:?}");
            }
        }
    }

    #[test]
    fn strange_values_do_not_leave_the_axis() {
        for (least, greatest) in [
            (f32::NAN, 1.0),
            (f32::INFINITY, f32::NEG_INFINITY),
            (f32::MIN, f32::MAX),
            (0.0, f32::INFINITY),
        ] {
            let axis = axis(least, greatest);
            assert!(axis.labels().0.count() <= 10);
            for value in [f32::NAN, f32::INFINITY, 0.0, f32::MAX] {
                assert!(axis.y_at(value).is_finite(), "{axis:?} {value}");
            }
        }
    }
}
