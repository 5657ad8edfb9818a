//! Sorting by counting.

use std::ops::Range;

use super::surface::place;

/// Numbers from 0 on, in the order of their keys; those of a key in rising order.
#[derive(Debug, Default)]
pub(super) struct Sorted {
    /// Where those of each key start, and where the last ones end.
    starts: Vec<u32>,
    numbers: Vec<u32>,
}

impl Sorted {
    /// By these keys, which are less than `count`; numbers with others are left out.
    pub(super) fn new<K>(count: usize, keys: K) -> Self
    where
        K: DoubleEndedIterator<Item = u32> + ExactSizeIterator + Clone,
    {
        // Where the numbers of each key end, then, filled from the back, where they start. Zeros are written here: pages
        // that are zero as the system gives them would come twice, first as one that all share, since each is looked at
        // before it is counted up.
        let mut starts: Vec<u32> = std::iter::repeat_n(0, count.saturating_add(1)).collect();
        for key in keys.clone() {
            if let Some(count) = starts.get_mut(place(key)) {
                *count = count.saturating_add(1);
            }
        }
        let mut sum = 0_u32;
        for count in &mut starts {
            sum = sum.saturating_add(*count);
            *count = sum;
        }
        let mut numbers = vec![0; place(sum)];
        let last = u32::try_from(keys.len()).unwrap_or(u32::MAX);
        for (number, key) in (0..last).zip(keys).rev() {
            let Some(start) = starts.get_mut(place(key)) else {
                continue;
            };
            *start = start.saturating_sub(1);
            if let Some(slot) = numbers.get_mut(place(*start)) {
                *slot = number;
            }
        }
        Self { starts, numbers }
    }

    /// The numbers with a key.
    pub(super) fn of(&self, key: u32) -> &[u32] {
        let Some(&[start, end, ..]) = self.starts.get(place(key)..) else {
            return &[];
        };
        let numbers = self.numbers.get(place(start)..place(end));
        numbers.unwrap_or_default()
    }

    /// How many numbers each key has.
    pub(super) fn counts(&self) -> impl Iterator<Item = u32> {
        let bounds = self.starts.array_windows();
        bounds.map(|[start, end]| end.saturating_sub(*start))
    }

    /// The keys from `first` on that have at least so many numbers together; the last ones may have less.
    pub(super) fn some_from(&self, first: u32, least: usize) -> Range<u32> {
        let starts = self.starts.get(place(first)..).unwrap_or_default();
        let start = starts.first().copied().unwrap_or_default();
        let is_enough = |end: &u32| place(end.saturating_sub(start)) >= least;
        let keys = starts.len().saturating_sub(1);
        let count = starts.iter().position(is_enough).unwrap_or(keys);
        let count = u32::try_from(count.min(keys)).unwrap_or(u32::MAX);
        first..first.saturating_add(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_in_the_order_of_their_keys() {
        let keys = [3, 0, u32::MAX, 3, 1, 5, 0];
        let sorted = Sorted::new(5, keys.into_iter());
        let all: Vec<&[u32]> = (0..6).map(|key| sorted.of(key)).collect();
        assert_eq!(all, [&[1, 6][..], &[4], &[], &[0, 3], &[], &[]]);
        assert!(sorted.counts().eq([2, 1, 0, 2, 0]));
        assert_eq!(sorted.some_from(0, 3), 0..2);
        assert_eq!(sorted.some_from(2, 3), 2..5);
        assert!(sorted.some_from(5, 3).is_empty());
        assert!(Sorted::default().some_from(0, 1).is_empty());
    }
}
