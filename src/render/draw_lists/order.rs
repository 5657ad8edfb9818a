//! In which order draw calls come.

use super::{DrawLists, PrimitiveDraw};

impl DrawLists {
    /// Puts what is ordered in its order: solid glass near to far, since each covers what is behind it, and what blends far to
    /// near.
    pub(super) fn sort(&mut self) {
        let by_distance =
            |a: &PrimitiveDraw, b: &PrimitiveDraw| a.place.distance.total_cmp(&b.place.distance);
        let by_placement = |a: &PrimitiveDraw, b: &PrimitiveDraw| a.placement.cmp(&b.placement);
        self.transmissive
            .sort_by(|a, b| by_distance(a, b).then(by_placement(a, b)));
        self.transparent
            .sort_by(|a, b| by_distance(b, a).then(by_placement(a, b)));
    }
}
