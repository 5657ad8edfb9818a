//! What is made when it is first wanted, and forgotten once the last few models have not wanted it.

use std::{
    collections::{HashMap, hash_map::Entry},
    hash::Hash,
};

/// Models for which something is kept that none of them wants: batches, and a folder that is gone through there and back, make
/// what their models share once.
const MODELS: u64 = 8;

/// Values that are made on demand.
#[derive(Debug)]
pub(super) struct LatelyUsed<K, V> {
    /// With the model that wanted each last.
    values: HashMap<K, (V, u64)>,
    /// How many models there have been.
    model: u64,
}

impl<K, V> Default for LatelyUsed<K, V> {
    fn default() -> Self {
        Self {
            values: HashMap::new(),
            model: 0,
        }
    }
}

impl<K: Eq + Hash, V> LatelyUsed<K, V> {
    /// Says that the model wants the value for `key`, and makes it unless it is there.
    pub(super) fn want(&mut self, key: K, make: impl FnOnce() -> V) {
        match self.values.entry(key) {
            Entry::Occupied(mut entry) => entry.get_mut().1 = self.model,
            Entry::Vacant(entry) => {
                entry.insert((make(), self.model));
            }
        }
    }

    /// The value for `key`, if it is there.
    pub(super) fn get(&self, key: &K) -> Option<&V> {
        self.values.get(key).map(|(value, _)| value)
    }

    /// Says that another model comes, and forgets what the last few have not wanted.
    pub(super) fn next_model(&mut self) {
        self.model += 1;
        let model = self.model;
        self.values.retain(|_, (_, used)| model - *used <= MODELS);
    }

    /// Forgets all.
    pub(super) fn clear(&mut self) {
        self.values.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_models_share_is_made_once_and_what_none_wants_is_forgotten() {
        let mut kept = LatelyUsed::default();
        let mut made = Vec::new();
        for model in 0..100 {
            kept.next_model();
            for key in ["shared".to_owned(), format!("of {model}")] {
                kept.want(key.clone(), || made.push(key));
            }
            assert!(kept.values.len() <= 2 + MODELS as usize, "{model}");
        }
        assert_eq!(made.iter().filter(|key| *key == "shared").count(), 1);
        assert!(kept.get(&"of 0".to_owned()).is_none());
        // There and back.
        assert!(kept.get(&"of 98".to_owned()).is_some());
    }
}
