//! Some of a primitive's vertices.

use std::{iter, ops::Range};

/// A set of vertices, by their numbers. An empty one takes no memory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VertexSet {
    /// A bit for each up to the last that is in it, from the lowest on.
    words: Vec<u64>,
}

/// Vertices in a word.
const BITS: usize = u64::BITS as usize;

impl VertexSet {
    /// The places of the items that are true.
    pub fn of(items: impl IntoIterator<Item = bool>) -> Self {
        let mut words = Vec::new();
        for (vertex, _) in items.into_iter().enumerate().filter(|(_, is_in)| *is_in) {
            words.resize(vertex / BITS + 1, 0);
            if let Some(word) = words.last_mut() {
                *word |= 1_u64 << (vertex % BITS);
            }
        }
        Self { words }
    }

    /// Whether a vertex is in it.
    pub fn has(&self, vertex: usize) -> bool {
        let word = self.words.get(vertex / BITS);
        word.is_some_and(|word| word >> (vertex % BITS) & 1 == 1)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The stretches of the first `count` vertices that are not in it, in their order.
    pub fn gaps(&self, count: usize) -> impl Iterator<Item = Range<usize>> + '_ {
        let mut from = 0;
        iter::from_fn(move || {
            let first = self.first_from(from, false);
            from = self.first_from(first, true).min(count);
            (first < count).then_some(first..from)
        })
    }

    /// The first vertex from one on that is in it, or that is not: beyond all if there is none.
    fn first_from(&self, from: usize, is_in: bool) -> usize {
        let flipped = if is_in { 0 } else { u64::MAX };
        let word = |place: usize| self.words.get(place).copied().unwrap_or(0) ^ flipped;
        let mut place = from / BITS;
        let mut left = word(place) & u64::MAX << (from % BITS);
        while left == 0 {
            place += 1;
            if is_in && place >= self.words.len() {
                return usize::MAX;
            }
            left = word(place);
        }
        place * BITS + left.trailing_zeros() as usize
    }

    /// Bytes that it takes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.words[..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_between_those_that_are_in_it() {
        let gaps = |set: &VertexSet, count| -> Vec<_> {
            set.gaps(count).map(|gap| (gap.start, gap.end)).collect()
        };
        let none = VertexSet::default();
        assert_eq!(gaps(&none, 0), []);
        assert_eq!(gaps(&none, 200), [(0, 200)]);
        let set = VertexSet::of((0..200).map(|vertex| matches!(vertex, 0 | 63..=130 | 199)));
        assert_eq!(gaps(&set, 300), [(1, 63), (131, 199), (200, 300)]);
        assert_eq!(gaps(&set, 150), [(1, 63), (131, 150)]);
        assert_eq!(gaps(&set, 100), [(1, 63)]);
        let all = VertexSet::of([true; 128]);
        assert_eq!(gaps(&all, 128), []);
        assert_eq!(gaps(&all, 130), [(128, 130)]);
    }

    #[test]
    fn has_what_was_put_in() {
        for count in [0, 1, 63, 64, 65, 200] {
            for last in 0..count {
                let is_in = |vertex: usize| vertex == last || vertex == last / 2;
                let set = VertexSet::of((0..count).map(is_in));
                assert!((0..count + 100).all(|vertex| set.has(vertex) == is_in(vertex)));
                assert!(!set.is_empty() && set.bytes() <= 8 * (last / 64 + 1));
            }
            let none = VertexSet::of((0..count).map(|_| false));
            assert_eq!((none.is_empty(), none.bytes()), (true, 0));
        }
    }
}
