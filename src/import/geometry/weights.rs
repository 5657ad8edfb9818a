//! Weights of a vertex: they must sum to 1 (glTF 2.0 §3.7.3.3).

/// How far a sum of weights may be from 1 for each weight in it: what the Khronos validator allows for rounding.
pub(super) const TOLERANCE_PER_WEIGHT: f32 = 2e-7;

/// Weights of a vertex, added up.
#[derive(Debug, Default)]
pub(super) struct WeightSum {
    sum: f64,
    /// How many are not 0.
    used: usize,
}

impl WeightSum {
    pub(super) fn add(&mut self, weight: f32) {
        self.sum += f64::from(weight);
        self.used = self.used.saturating_add(usize::from(weight != 0.0));
    }

    /// Whether there are none.
    pub(super) fn are_none(&self) -> bool {
        self.used == 0 || self.sum.is_nan()
    }

    /// Whether they sum to 1, but for rounding.
    pub(super) fn are_even(&self) -> bool {
        (self.sum - 1.0).abs() <= f64::from(TOLERANCE_PER_WEIGHT) * self.used as f64
    }
}

/// Brings the sum of weights to 1. A vertex without weights hangs on joint 0; returns whether it had any.
pub(super) fn normalize(entries: &mut [(u16, f32)]) -> bool {
    // The sum of finite numbers is finite.
    let sum: f64 = entries.iter().map(|(_, weight)| f64::from(*weight)).sum();
    let used = entries.iter().filter(|(_, weight)| *weight > 0.0).count();
    if sum.is_nan() || sum <= 0.0 {
        entries.fill((0, 0.0));
        if let Some(first) = entries.first_mut() {
            *first = (0, 1.0);
        }
        return false;
    }
    let left = WeightSum { sum, used };
    if !left.are_even() {
        for (_, weight) in entries {
            *weight = (f64::from(*weight) / sum) as f32;
        }
    }
    true
}

/// Keeps the first `most` weights, the greatest ones, which stand for those that go; the sum of those.
pub(super) fn keep(entries: &mut Vec<(u16, f32)>, most: usize) -> f32 {
    let lost = entries.get(most..).unwrap_or_default().iter();
    let lost: f32 = lost.map(|(_, weight)| weight).sum();
    entries.truncate(most);
    if lost > 0.0 {
        let sum: f32 = entries.iter().map(|(_, weight)| weight).sum();
        for (_, weight) in entries {
            *weight /= sum;
        }
    }
    lost
}
