//! Which vertices are the same.

use std::hash::{BuildHasher as _, Hasher as _};

use super::{
    sorted::Sorted,
    surface::{at, place},
};
use crate::import::base::hashing::Seeded;

/// No vertex.
const NONE: u32 = u32::MAX;
/// Vertices that have a table together, about: one of half a megabyte, which stays near.
const TOGETHER: u32 = 1 << 15;

/// For each of `count` vertices the first one with the same key.
///
/// Vertices whose keys are the same have the same hash, so those of similar hashes are looked at together: the whole would
/// be far larger than what processors keep near. Tables hold no keys, only the hash and which vertex it is, and keys are
/// compared only where they are most likely equal.
pub(super) fn weld<const N: usize>(count: u32, key: impl Fn(u32) -> [u32; N]) -> Vec<u32> {
    let seeded = Seeded::default();
    let hash = |vertex: u32| {
        let mut hasher = seeded.build_hasher();
        let key = key(vertex);
        let (pairs, rest) = key.as_chunks::<2>();
        for &[low, high] in pairs {
            hasher.write_u64(u64::from(low) | (u64::from(high) << 32));
        }
        rest.iter().for_each(|&last| hasher.write_u32(last));
        u32::try_from(hasher.finish() >> 32).unwrap_or_default()
    };
    let hashes: Vec<u32> = (0..count).map(hash).collect();
    let tables = (count / TOGETHER).saturating_add(1).next_power_of_two();
    // Both are powers of two.
    let shift = tables.leading_zeros().saturating_add(1);
    let table_of = |hash: &u32| hash.checked_shr(shift).unwrap_or(0);
    let sorted = Sorted::new(place(tables), hashes.iter().map(table_of));
    let mut first: Vec<u32> = (0..count).collect();
    let mut table = Table::default();
    for number in 0..tables {
        let vertices = sorted.of(number);
        table.clear(vertices.len());
        for &vertex in vertices {
            let hash = at(&hashes, vertex);
            let other = table.find(hash, vertex, |other| key(other) == key(vertex));
            if other != vertex
                && let Some(slot) = first.get_mut(place(vertex))
            {
                *slot = other;
            }
        }
    }
    first
}

/// Hashes and vertices.
#[derive(Default)]
struct Table {
    slots: Vec<(u32, u32)>,
}

impl Table {
    /// Makes it empty, with room for so many.
    fn clear(&mut self, count: usize) {
        let room = count.saturating_mul(2).next_power_of_two();
        self.slots.clear();
        self.slots.resize(room, (0, NONE));
    }

    /// The vertex that is there with the same hash and the same key, or this one, which then is there.
    fn find(&mut self, hash: u32, vertex: u32, is_same: impl Fn(u32) -> bool) -> u32 {
        let mask = self.slots.len().saturating_sub(1);
        let mut place = place(hash) & mask;
        while let Some(slot) = self.slots.get_mut(place) {
            let (other_hash, other) = *slot;
            if other == NONE {
                *slot = (hash, vertex);
                return vertex;
            }
            if other_hash == hash && is_same(other) {
                return other;
            }
            place = place.wrapping_add(1) & mask;
        }
        vertex
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn finds_the_first_of_equal_keys() {
        for (count, different) in [
            (0, 1),
            (1, 1),
            (7, 2),
            (1000, 10),
            (5000, 4000),
            (200_000, 150_000),
        ] {
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
