//! What is made when it is first wanted, and forgotten once the last few models have not wanted it.

use std::{
    collections::{HashMap, HashSet},
    hash::Hash,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

/// Models for which something is kept that none of them wants: batches, and a folder that is gone through there and back, make
/// what their models share once.
const MODELS: u64 = 8;

/// Values that are made on demand.
#[derive(Debug)]
pub(super) struct LatelyUsed<K, V> {
    /// Where the value of each key is.
    places: HashMap<K, usize>,
    /// With the model that wanted each last. What is forgotten leaves its place to others.
    values: Vec<Option<(V, u64)>>,
    /// How many models there have been.
    model: u64,
}

impl<K, V> Default for LatelyUsed<K, V> {
    fn default() -> Self {
        Self {
            places: HashMap::new(),
            values: Vec::new(),
            model: 0,
        }
    }
}

impl<K: Eq + Hash, V> LatelyUsed<K, V> {
    /// Says that the model wants the value for `key`, and makes it unless it is there. Where it is: for [`LatelyUsed::at`],
    /// until another model comes.
    pub(super) fn want(&mut self, key: K, make: impl FnOnce() -> V) -> usize {
        if let Some(place) = self.find(&key) {
            return place;
        }
        let value = Some((make(), self.model));
        let place = self.values.iter().position(Option::is_none);
        let place = place.unwrap_or(self.values.len());
        if place < self.values.len() {
            self.values[place] = value;
        } else {
            self.values.push(value);
        }
        self.places.insert(key, place);
        place
    }

    /// Wants many keys, which may come more than once; of values that are not there `at_once` at most are made at a time.
    pub(super) fn want_all(
        &mut self,
        keys: impl Iterator<Item = K>,
        at_once: usize,
        make: impl Fn(K) -> V + Sync,
    ) where
        K: Copy + Send + Sync,
        V: Send,
    {
        let (mut last, mut known) = (LastAsked::default(), HashSet::new());
        let mut is_there = |key: K| last.answer(key, || self.find(&key).is_some());
        let missing = keys.filter(|key| !is_there(*key) && known.insert(*key));
        let missing: Vec<K> = missing.collect();
        for (key, value) in several_at_a_time(&missing, at_once, &make) {
            self.want(key, || value);
        }
    }

    /// Says that the model wants the value for `key`, if it is there. Where it is, as of [`LatelyUsed::want`].
    pub(super) fn find(&mut self, key: &K) -> Option<usize> {
        let place = *self.places.get(key)?;
        if let Some((_, used)) = &mut self.values[place] {
            *used = self.model;
        }
        Some(place)
    }

    /// How many values there are.
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// The value for `key`, if it is there.
    pub(super) fn get(&self, key: &K) -> Option<&V> {
        self.at(*self.places.get(key)?)
    }

    /// The value at a place that was told since the last model came.
    pub(super) fn at(&self, place: usize) -> Option<&V> {
        let (value, _) = self.values.get(place)?.as_ref()?;
        Some(value)
    }

    /// Says that another model comes, and forgets what the last few have not wanted.
    pub(super) fn next_model(&mut self) {
        self.model += 1;
        let model = self.model;
        for value in &mut self.values {
            value.take_if(|(_, used)| model - *used > MODELS);
        }
        let values = &self.values;
        self.places.retain(|_, place| values[*place].is_some());
    }
}

/// What is made for each of these keys, on so many threads at most.
fn several_at_a_time<K: Copy + Sync + Send, V: Send>(
    keys: &[K],
    at_once: usize,
    make: &(impl Fn(K) -> V + Sync),
) -> Vec<(K, V)> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = cores.min(at_once).min(keys.len());
    if threads < 2 {
        return keys.iter().map(|&key| (key, make(key))).collect();
    }
    let next = AtomicUsize::new(0);
    let made = Mutex::new(Vec::with_capacity(keys.len()));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(&key) = keys.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let value = make(key);
                    let mut made = made.lock().unwrap_or_else(PoisonError::into_inner);
                    made.push((key, value));
                }
            });
        }
    });
    made.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// What was asked last, and the answer: what is drawn comes in runs of the same, and to look up a long key takes time.
#[derive(Debug)]
pub(in crate::render) struct LastAsked<K, A>(Option<(K, A)>);

impl<K, A> Default for LastAsked<K, A> {
    fn default() -> Self {
        Self(None)
    }
}

impl<K: Copy + PartialEq, A: Copy> LastAsked<K, A> {
    /// The answer for `key`: `ask` is called unless it is that of the last one.
    pub(in crate::render) fn answer(&mut self, key: K, ask: impl FnOnce() -> A) -> A {
        match self.0 {
            Some((last, answer)) if last == key => answer,
            _ => {
                let answer = ask();
                self.0 = Some((key, answer));
                answer
            }
        }
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
                let place = kept.want(key.clone(), || {
                    made.push(key.clone());
                    key.clone()
                });
                assert_eq!(kept.at(place), Some(&key));
            }
            assert!(kept.values.len() <= 2 + MODELS as usize, "{model}");
            assert!(kept.places.len() <= kept.values.len(), "{model}");
        }
        assert_eq!(made.iter().filter(|key| *key == "shared").count(), 1);
        assert!(kept.get(&"of 0".to_owned()).is_none());
        // There and back.
        assert!(kept.get(&"of 98".to_owned()).is_some());
    }

    #[test]
    fn many_are_made_at_once_and_each_once() {
        let mut kept = LatelyUsed::default();
        kept.want(3, || "3".to_owned());
        let made = Mutex::new(Vec::new());
        let make = |key: i32| {
            made.lock().unwrap().push(key);
            key.to_string()
        };
        kept.want_all((0..200).map(|key| key / 2).chain(0..100), 4, make);
        for key in 0..100 {
            assert_eq!(kept.get(&key), Some(&key.to_string()));
        }
        let mut made = made.into_inner().unwrap();
        made.sort_unstable();
        assert!(made.into_iter().eq((0..100).filter(|&key| key != 3)));
        // Those that were there are wanted, too.
        for _ in 0..MODELS {
            kept.next_model();
            kept.want_all([7].into_iter(), 1, |key| key.to_string());
        }
        kept.next_model();
        assert_eq!((kept.get(&7).is_some(), kept.get(&8)), (true, None));
    }

    #[test]
    fn runs_of_the_same_are_asked_for_once() {
        let (mut last, mut asked) = (LastAsked::default(), Vec::new());
        for key in [1, 1, 1, 2, 2, 1] {
            let answer = last.answer(key, || {
                asked.push(key);
                10 * key
            });
            assert_eq!(answer, 10 * key);
        }
        assert_eq!(asked, [1, 2, 1]);
    }
}
