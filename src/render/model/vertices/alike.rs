//! Buffers that several primitives of a model have alike, as those do that name the same vertices in the file: they are
//! uploaded once.

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hasher as _},
};

/// What was uploaded so far.
#[derive(Debug)]
pub(in crate::render) struct AlikeBuffers<'m, T, B> {
    /// How many primitives have an array of that length.
    lengths: HashMap<usize, usize>,
    /// By what their arrays come to.
    kept: HashMap<u64, Vec<(&'m T, B)>>,
}

/// What a buffer is made of.
pub(in crate::render) trait Source: PartialEq {
    /// How many elements there are. Those that differ in it are not alike.
    fn count(&self) -> usize;
    /// All that `PartialEq` looks at.
    fn hash_into(&self, hasher: &mut DefaultHasher);
}

impl<'m, T: Source, B: Clone> AlikeBuffers<'m, T, B> {
    /// For so many sources that come.
    pub(in crate::render) fn new(all: impl Iterator<Item = &'m T>) -> Self {
        let mut lengths = HashMap::new();
        for source in all {
            *lengths.entry(source.count()).or_default() += 1;
        }
        Self {
            lengths,
            kept: HashMap::new(),
        }
    }

    /// The buffer of `source`, which `make` uploads unless one before it is alike.
    pub(in crate::render) fn buffer(&mut self, source: &'m T, make: impl FnOnce(&'m T) -> B) -> B {
        // Most are alone with their length: nobody need look at them.
        if self
            .lengths
            .get(&source.count())
            .is_none_or(|&count| count < 2)
        {
            return make(source);
        }
        let mut hasher = DefaultHasher::new();
        source.hash_into(&mut hasher);
        let kept = self.kept.entry(hasher.finish()).or_default();
        if let Some((_, buffer)) = kept.iter().find(|(other, _)| *other == source) {
            return buffer.clone();
        }
        let buffer = make(source);
        kept.push((source, buffer.clone()));
        buffer
    }
}
