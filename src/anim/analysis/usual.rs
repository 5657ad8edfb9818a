//! What is usual around some intervals of a motion: the median, and how far others are from it.

/// Intervals on either side that an interval is compared with.
pub(super) const WINDOW: usize = 8;
/// Fewer others tell nothing.
const MIN_OTHERS: usize = 5;
const DEVIATIONS: f32 = 6.0;
/// From the median absolute deviation to the standard deviation of a normal distribution.
const SIGMA_PER_MAD: f32 = 1.4826;

/// How often one may still look at what is usual around an interval. Next to none are fast enough for that in real motion; in
/// noise every third is.
#[derive(Debug)]
pub(super) struct Looks {
    pub(super) left: usize,
    /// What is looked at.
    pub(super) window: Vec<f32>,
}

impl Looks {
    /// So many.
    pub(super) fn new(most: usize) -> Self {
        Self {
            left: most,
            window: Vec::with_capacity(2 * WINDOW),
        }
    }
}

/// What is usual around those from `start` to `end`.
pub(super) struct Usual {
    pub(super) median: f32,
    sigma: f32,
}

impl Usual {
    /// Looks at those around, if they are enough to tell, and one may still look.
    pub(super) fn around(all: &[f32], start: usize, end: usize, looks: &mut Looks) -> Option<Self> {
        looks.left = looks.left.checked_sub(1)?;
        let window = &mut looks.window;
        window.clear();
        window.extend(around(all, start, end).flatten());
        if window.len() < MIN_OTHERS {
            return None;
        }
        let usual = median(window);
        for other in window.iter_mut() {
            *other = (*other - usual).abs();
        }
        Some(Self {
            median: usual,
            sigma: SIGMA_PER_MAD * median(window),
        })
    }

    /// Whether something is an outlier, by more than what is `seen`.
    pub(super) fn is_exceeded_by(&self, value: f32, seen: f32) -> bool {
        value - self.median > (DEVIATIONS * self.sigma).max(seen)
    }
}

/// The intervals before and after those from `start` to `end`, their neighbours left out.
pub(super) fn around<T>(all: &[T], start: usize, end: usize) -> impl Iterator<Item = &[T]> {
    let first = start.saturating_sub(WINDOW + 1);
    let last = (end + 1 + WINDOW).min(all.len());
    let before = &all[first..start.saturating_sub(1).max(first)];
    [before, &all[(end + 1).min(last)..last]].into_iter()
}

/// The median of some numbers, of which there is at least one: the upper one of two. It puts them into another order.
pub(super) fn median(numbers: &mut [f32]) -> f32 {
    let middle = numbers.len() / 2;
    *numbers.select_nth_unstable_by(middle, f32::total_cmp).1
}
