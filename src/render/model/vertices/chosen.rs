//! Which attributes the buffers of a model's primitives have. A pipeline is made for each combination, and to make one takes a
//! software driver as long as to upload megabytes: where primitives of a model have this and that, most are filled up so that
//! all have the same.

use std::collections::HashMap;

use super::Attributes;
use crate::model::{Model, Primitive};

/// Bytes that are filled up rather than that there are more pipelines.
const MAX_FILLED: u64 = 4 << 20;

/// What the buffers of a model's primitives have.
#[derive(Debug)]
pub(in crate::render) struct ChosenAttributes {
    /// What those have that are filled up.
    common: Attributes,
    /// Those that are not.
    apart: Vec<Attributes>,
}

impl ChosenAttributes {
    pub(in crate::render) fn of(model: &Model) -> Self {
        let mut counts = HashMap::<Attributes, u64>::new();
        for primitive in model.primitives() {
            let count = primitive.vertices.positions.len() as u64;
            *counts
                .entry(Attributes::of(&primitive.vertices))
                .or_default() += count;
        }
        Self::for_counts(&counts)
    }

    /// For so many vertices of each kind.
    fn for_counts(counts: &HashMap<Attributes, u64>) -> Self {
        let all = counts.keys().copied();
        let all = all.fold(Attributes::NONE, Attributes::with);
        let is_apart = |&(&own, &count): &(&Attributes, &u64)| {
            (all.bytes() - own.bytes()).saturating_mul(count) > MAX_FILLED
        };
        let apart: Vec<_> = (counts.iter().filter(is_apart).map(|(&own, _)| own)).collect();
        let filled = counts.keys().filter(|own| !apart.contains(own));
        Self {
            common: filled.copied().fold(Attributes::NONE, Attributes::with),
            apart,
        }
    }

    /// What the buffer of a primitive has: all that its vertices have, at least.
    pub(in crate::render) fn for_primitive(&self, primitive: &Primitive) -> Attributes {
        self.for_own(Attributes::of(&primitive.vertices))
    }

    fn for_own(&self, own: Attributes) -> Attributes {
        if self.apart.contains(&own) {
            own
        } else {
            self.common.with(own)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_vertices_are_filled_up_and_many_are_not() {
        let plain = Attributes::NORMALS;
        let textured = plain.with(Attributes::TEX_COORDS_0);
        let bumpy = textured.with(Attributes::TANGENTS);
        let chosen = |counts: [(Attributes, u64); 3]| {
            let chosen = ChosenAttributes::for_counts(&counts.into());
            [plain, textured, bumpy].map(|own| chosen.for_own(own))
        };
        // One kind of pipelines, as long as it costs little.
        let few = [(plain, 100_000), (textured, 100_000), (bumpy, 10_000_000)];
        assert_eq!(chosen(few), [bumpy; 3]);
        let many = [(plain, 10_000_000), (textured, 100_000), (bumpy, 100_000)];
        assert_eq!(chosen(many), [plain, bumpy, bumpy]);
        // Those that are filled up have no more than one of them has.
        let most = [(plain, 100), (textured, 100), (bumpy, 0)];
        assert_eq!(chosen(most), [bumpy; 3]);
        assert_eq!(
            ChosenAttributes::for_counts(&[(plain, 7)].into()).for_own(plain),
            plain
        );
    }
}
