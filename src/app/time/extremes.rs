//! The numbers of a channel at its keys, and the least and greatest of any stretch of them without a look at each.
//!
//! Minima and maxima of blocks of 16 keys, of blocks of 16 blocks, and so on: a stretch is made of at most 30 of each size.

use crate::ui::Lanes;

/// Members of a block.
const BLOCK: usize = 16;

type Pair = (Lanes, Lanes);

/// Numbers at keys.
#[derive(Debug, Clone, Default)]
pub(super) struct Extremes {
    keys: Vec<Lanes>,
    /// Of blocks of keys, of blocks of those, and so on.
    levels: Vec<Vec<Pair>>,
}

impl Extremes {
    pub(super) fn new(keys: Vec<Lanes>) -> Self {
        let mut levels: Vec<Vec<Pair>> = Vec::new();
        let of_keys = |keys: &[Lanes]| keys.iter().map(|key| (*key, *key)).fold(EMPTY, join);
        let mut level: Vec<Pair> = keys.chunks(BLOCK).map(of_keys).collect();
        while level.len() > 1 {
            let next = level
                .chunks(BLOCK)
                .map(|pairs| pairs.iter().copied().fold(EMPTY, join));
            let next = next.collect();
            levels.push(std::mem::replace(&mut level, next));
        }
        levels.push(level);
        Self { keys, levels }
    }

    /// The numbers of a key; of the last for later ones.
    pub(super) fn key(&self, key: usize) -> Lanes {
        let key = self.keys.get(key).or(self.keys.last());
        key.copied().unwrap_or_default()
    }

    /// The least and the greatest numbers from one key up to another that does not count; zeros if that is none.
    pub(super) fn between(&self, from: usize, to: usize) -> Pair {
        let (mut from, mut to) = (from, to.min(self.keys.len()));
        if from >= to {
            return Pair::default();
        }
        let mut found = EMPTY;
        let mut see = |at: &dyn Fn(usize) -> Option<Pair>, range: std::ops::Range<usize>| {
            found = range.filter_map(at).fold(found, join);
        };
        let key = |key: usize| self.keys.get(key).map(|key| (*key, *key));
        let mut level = 0;
        loop {
            let at = |index: usize| match level {
                0 => key(index),
                _ => self.levels[level - 1].get(index).copied(),
            };
            // Whole blocks are left to the next level.
            let (first, last) = (from.div_ceil(BLOCK), to / BLOCK);
            if first >= last || level == self.levels.len() {
                see(&at, from..to);
                return found;
            }
            see(&at, from..first * BLOCK);
            see(&at, last * BLOCK..to);
            (from, to) = (first, last);
            level += 1;
        }
    }
}

const EMPTY: Pair = ([f32::INFINITY; 4], [f32::NEG_INFINITY; 4]);

fn join(a: Pair, b: Pair) -> Pair {
    let mut joined = a;
    for lane in 0..4 {
        joined.0[lane] = a.0[lane].min(b.0[lane]);
        joined.1[lane] = a.1[lane].max(b.1[lane]);
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_are_what_a_look_at_each_key_finds() {
        let number = |key: usize| ((key * 7919 + 13) % 1009) as f32;
        for count in [0, 1, 15, 16, 17, 255, 256, 257, 5000] {
            let keys: Vec<Lanes> = (0..count)
                .map(|key| [number(key), -number(key), 0.0, 1.0])
                .collect();
            let extremes = Extremes::new(keys.clone());
            for (from, to) in [
                (0, count),
                (0, 1),
                (3, 40),
                (16, 32),
                (15, 300),
                (700, 4999),
                (9, usize::MAX),
            ] {
                let end = to.min(count);
                let stretch = keys.get(from..end).unwrap_or_default();
                let expected = if stretch.is_empty() {
                    Pair::default()
                } else {
                    let lane = |lane: usize| stretch.iter().map(move |key| key[lane]);
                    let least = |at| lane(at).reduce(f32::min).unwrap();
                    let most = |at| lane(at).reduce(f32::max).unwrap();
                    (std::array::from_fn(least), std::array::from_fn(most))
                };
                assert_eq!(
                    extremes.between(from, to),
                    expected,
                    "{count}: {from}..{to}"
                );
            }
        }
    }
}
