//! Hashes of small keys, such as indices, in a few instructions: files with animations have tens of thousands of them.

use std::hash::{BuildHasher, Hasher, RandomState};

/// A map with such keys.
pub(in crate::import) type HashMap<K, V> = std::collections::HashMap<K, V, Seeded>;
/// A set of such keys.
pub(in crate::import) type HashSet<K> = std::collections::HashSet<K, Seeded>;

/// Makes hashes that nobody can foresee, so that no file can make them collide.
#[derive(Debug, Clone)]
pub(in crate::import) struct Seeded(u64);

impl Default for Seeded {
    fn default() -> Self {
        Self(RandomState::new().hash_one(0))
    }
}

impl BuildHasher for Seeded {
    type Hasher = Folding;

    fn build_hasher(&self) -> Folding {
        Folding(self.0)
    }
}

/// Multiplies and folds, word by word.
#[derive(Debug)]
pub(in crate::import) struct Folding(u64);

impl Hasher for Folding {
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.write_u64(u64::from_le_bytes(*word));
        }
        for &byte in rest {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u8(&mut self, number: u8) {
        self.write_u64(u64::from(number));
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(u64::from(number));
    }

    fn write_u64(&mut self, word: u64) {
        /// The digits of the golden ratio: a number without pattern.
        const FACTOR: u128 = 0x9e37_79b9_7f4a_7c15;
        let product = u128::from(self.0 ^ word).wrapping_mul(FACTOR);
        self.0 = (product as u64) ^ ((product >> 64) as u64);
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    /// How the variants of an enum are told apart.
    fn write_isize(&mut self, number: isize) {
        self.write_u64(number as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_small_keys_apart() {
        let seeded = Seeded::default();
        let keys = (0..1000_u64).flat_map(|number| [(0, number), (1, number), (number, 0)]);
        let keys: std::collections::BTreeSet<_> = keys.collect();
        let hashes: std::collections::BTreeSet<_> =
            keys.iter().map(|key| seeded.hash_one(key)).collect();
        assert_eq!(hashes.len(), keys.len());
        // Tables look at the lowest bits.
        let lowest: std::collections::BTreeSet<_> =
            hashes.iter().map(|hash| hash & 0xfff).collect();
        assert!(lowest.len() > 1500, "{}", lowest.len());
    }
}
