//! Which vertices shapes are made of.

use crate::model::{Indices, VertexSet};

/// A byte for each vertex, 1 where an index names it: bytes are written without a look at what is there. None where nobody
/// asks.
#[derive(Debug, Default)]
pub(super) struct UsedVertices(Vec<u8>);

impl UsedVertices {
    /// None of so many `vertices` is named yet.
    pub(super) fn of(vertices: usize) -> Self {
        Self(vec![0; vertices])
    }

    /// Of so many `vertices` those that `indices` names.
    pub(super) fn of_named(vertices: usize, indices: &Indices) -> Self {
        let mut marks = Self::of(vertices);
        match indices {
            Indices::Short(indices) => indices.iter().for_each(|&index| marks.mark(index.into())),
            Indices::Long(indices) => indices.iter().for_each(|&index| marks.mark(index)),
        }
        marks
    }

    /// Marks a vertex, if there is one of that number.
    #[inline]
    pub(super) fn mark(&mut self, vertex: u32) {
        let place = usize::try_from(vertex);
        if let Some(mark) = place.ok().and_then(|place| self.0.get_mut(place)) {
            *mark = 1;
        }
    }

    /// The vertices that are not marked.
    pub(super) fn unmarked(&self) -> VertexSet {
        let all = self.0.iter().fold(1, |all, mark| all & mark);
        if all == 1 {
            return VertexSet::default();
        }
        VertexSet::of(self.0.iter().map(|mark| *mark == 0))
    }
}
