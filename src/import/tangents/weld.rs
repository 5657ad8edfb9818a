//! Which vertices are the same to MikkTSpace, and how much work it will have: it compares all corners that meet in a
//! vertex with each other.

use std::hash::{BuildHasher as _, Hasher as _};

use crate::import::{diagnostics::Fault, hashing::Seeded};

/// Corners in one vertex.
const MOST_CORNERS: u32 = 2048;
/// Pairs of corners that are compared in any case, and more for each corner.
const FREE_PAIRS: u64 = 4_000_000;
const PAIRS_PER_CORNER: u64 = 32;

/// For each of `count` vertices the first one with the same key.
///
/// A table of its own, since this is half of the work on most surfaces: it holds no keys, only where they are and half of
/// their hash, so that it is small, and keys are compared only where they are most likely equal.
pub(super) fn weld<const N: usize>(count: u32, key: impl Fn(u32) -> [u32; N]) -> Vec<u32> {
    const HALF: u32 = 32;
    /// No vertex has this number.
    const NONE: u64 = u64::MAX;
    let room = usize::try_from(count).unwrap_or(usize::MAX);
    let room = room.saturating_mul(2).next_power_of_two();
    // Half of a hash above, the vertex below. Pages of zeros would come twice: as one that all share, when they are looked at,
    // and as their own.
    let mut table = vec![NONE; room];
    let mask = room.saturating_sub(1);
    let seeded = Seeded::default();
    let hash = |key: &[u32; N]| {
        let mut hasher = seeded.build_hasher();
        let (pairs, rest) = key.as_chunks::<2>();
        for &[low, high] in pairs {
            hasher.write_u64(u64::from(low) | (u64::from(high) << HALF));
        }
        rest.iter().for_each(|&last| hasher.write_u32(last));
        hasher.finish()
    };
    let first = |vertex: u32| {
        let own = key(vertex);
        let hash = hash(&own);
        let mut slot = usize::try_from(hash).unwrap_or_default() & mask;
        while let Some(entry) = table.get_mut(slot) {
            if *entry == NONE {
                *entry = (hash >> HALF << HALF) | u64::from(vertex);
                return vertex;
            }
            let other = u32::try_from(*entry & u64::from(u32::MAX)).unwrap_or_default();
            if *entry >> HALF == hash >> HALF && key(other) == own {
                return other;
            }
            slot = slot.wrapping_add(1) & mask;
        }
        vertex
    };
    (0..count).map(first).collect()
}

/// An error if the work would be out of all proportion. `corners` are those of all triangles, as welded vertices, of which
/// there are fewer than `vertices`.
pub(super) fn check(vertices: usize, corners: &[[u32; 3]]) -> Result<(), Fault> {
    let mut counts = counters(vertices);
    for &corner in corners.as_flattened() {
        let place = usize::try_from(corner).unwrap_or(usize::MAX);
        if let Some(count) = counts.get_mut(place) {
            *count = count.saturating_add(1);
        }
    }
    let (mut most, mut total, mut pairs) = (0, 0_u64, 0_u64);
    for count in counts {
        most = most.max(count);
        let count = u64::from(count);
        total = total.saturating_add(count);
        pairs = pairs.saturating_add(count.saturating_mul(count));
    }
    let allowed = total.saturating_mul(PAIRS_PER_CORNER);
    if most > MOST_CORNERS || pairs > allowed.saturating_add(FREE_PAIRS) {
        let message = format!("up to {most} triangles meet in a vertex: too many for tangents");
        return Err(Fault::info("TANGENTS_NOT_COMPUTED", message));
    }
    Ok(())
}

/// So many zeros, which are written: where they are counted up at once, pages that are zero as the system gives them would come
/// twice, first as one that all share.
pub(super) fn counters(count: usize) -> Vec<u32> {
    std::iter::repeat_n(0, count).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn finds_the_first_of_equal_keys() {
        for (count, different) in [(0, 1), (1, 1), (7, 2), (1000, 10), (5000, 4000)] {
            let key = |vertex: u32| {
                [
                    vertex.wrapping_mul(2_654_435_761) % different,
                    7,
                    vertex % 2,
                ]
            };
            let mut first = HashMap::new();
            let expected = (0..count).map(|vertex| *first.entry(key(vertex)).or_insert(vertex));
            assert_eq!(weld(count, key), expected.collect::<Vec<_>>());
        }
    }
}
