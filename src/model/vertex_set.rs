//! Some of a primitive's vertices.

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

    /// Bytes that it takes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.words[..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
