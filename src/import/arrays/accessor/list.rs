//! What decoded elements are put into.

use std::sync::Arc;

use crate::import::base::{budget::Budget, diagnostics::Fault};

/// A list that elements are added to, part by part.
pub(in crate::import) trait List<T>: Sized {
    /// Room for `count` elements of an array of numbers, charged before it is taken.
    fn room(count: usize, budget: &Budget) -> Result<Self, Fault>;

    /// Adds the elements that come next.
    fn add(&mut self, part: impl Iterator<Item = T>);
}

impl<T> List<T> for Vec<T> {
    fn room(count: usize, budget: &Budget) -> Result<Self, Fault> {
        budget.reserve_data(count)
    }

    fn add(&mut self, part: impl Iterator<Item = T>) {
        self.extend(part);
    }
}

/// Elements that many are to share. Those that come in one part, as most do, are decoded where they stay, and copied nowhere.
#[derive(Debug)]
pub(in crate::import) struct SharedList<T> {
    /// How many there will be.
    count: usize,
    /// All of them, if they came in one part; others that come are none.
    whole: Option<Arc<[T]>>,
    /// Those that came so far, if not.
    parts: Vec<T>,
}

impl<T> List<T> for SharedList<T> {
    fn room(count: usize, budget: &Budget) -> Result<Self, Fault> {
        budget.charge_data(count, size_of::<T>())?;
        Ok(Self {
            count,
            whole: None,
            parts: Vec::new(),
        })
    }

    fn add(&mut self, part: impl Iterator<Item = T>) {
        if self.whole.is_some() {
            return;
        }
        if self.parts.is_empty() && part.size_hint() == (self.count, Some(self.count)) {
            // The length is known, so this takes memory once.
            self.whole = Some(part.collect());
        } else {
            self.parts
                .reserve_exact(self.count.saturating_sub(self.parts.len()));
            self.parts.extend(part);
        }
    }
}

impl<T> From<SharedList<T>> for Arc<[T]> {
    fn from(list: SharedList<T>) -> Self {
        list.whole.unwrap_or_else(|| list.parts.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_come_together_in_their_order() {
        let budget = Budget::default();
        for lengths in [
            &[7][..],
            &[3, 4],
            &[1, 5, 1],
            &[4],
            &[7, 0],
            &[0, 7],
            &[3, 0, 4],
        ] {
            let mut list = SharedList::room(7, &budget).unwrap();
            let mut next = 0_u32;
            for length in lengths {
                list.add((next..).take(*length));
                next += *length as u32;
            }
            let list: Arc<[u32]> = list.into();
            assert!(list.iter().copied().eq(0..next), "{lengths:?}: {list:?}");
        }
    }

    /// What comes after all of them takes no memory again.
    #[test]
    fn nothing_comes_after_the_whole() {
        let budget = Budget::default();
        let mut list = SharedList::room(3, &budget).unwrap();
        for part in [&[1, 2, 3][..], &[], &[4]] {
            list.add(part.iter().copied());
            assert_eq!(list.parts.capacity(), 0, "{part:?}");
        }
        let list: Arc<[u32]> = list.into();
        assert_eq!(*list, [1, 2, 3]);
    }
}
