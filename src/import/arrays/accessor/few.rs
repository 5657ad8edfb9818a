//! Accessors that are nothing but a few elements in place of zeros (glTF 2.0 §3.6.2.3), read as those alone.

use crate::import::{
    arrays::buffers::Buffers,
    base::{budget::Budget, diagnostics::Fault},
    numbers::components::{ElementSize, element_layout, float_reader},
};

use super::{Accessor, Accessors, Decoded, named, unreadable};

impl Accessor {
    /// Whether all its elements are zero but for so few, in place of others, that these take half the memory at most.
    pub(in crate::import) fn replaces_few<T>(&self) -> bool {
        let few = self.sparse.as_ref().filter(|_| self.view.is_none());
        few.is_some_and(|few| {
            let rows = few.count().saturating_mul(size_of::<(u32, T)>());
            rows <= self.count.saturating_mul(size_of::<T>()) / 2
        })
    }

    /// How many bytes what a morph target does to so many vertices takes at most, as it is kept: nothing where all of it is zero,
    /// few rows, or a value for each vertex.
    pub(in crate::import) fn bytes_of_deltas<T>(&self, vertices: usize) -> usize {
        if self.is_all_zero() {
            return 0;
        }
        match &self.sparse {
            Some(few) if self.count >= vertices && self.replaces_few::<T>() => {
                few.count().saturating_mul(size_of::<(u32, T)>())
            }
            _ => vertices.saturating_mul(size_of::<T>()),
        }
    }
}

impl Accessors {
    /// [`Self::floats`] that [replace others](Accessor::replaces_few), with their places, sorted by these; of several in one
    /// place the last.
    pub(in crate::import) fn few_floats<const N: usize, T>(
        &self,
        index: usize,
        buffers: &Buffers<'_>,
        budget: &Budget,
        mut make: impl FnMut([f32; N]) -> T,
    ) -> Result<Decoded<Vec<(u32, T)>>, Fault> {
        let accessor = self.get(index)?;
        let sparse = accessor.sparse.as_ref().ok_or_else(|| unreadable(index))?;
        let read = float_reader::<N>(accessor.component, accessor.normalized);
        let size = accessor.component.size();
        let (element, offsets) = element_layout::<N>(accessor.shape, size);
        let layout = ElementSize::new(element, &offsets, size);
        let mut values = budget.reserve_data(sparse.count())?;
        let add = |place, bytes: &[u8]| values.push((place, make(read(bytes, &offsets))));
        let complaint = sparse.apply(buffers, budget, layout, accessor.count, add);
        let complaint = complaint
            .inspect_err(|_| budget.give_data_back(sparse.count(), size_of::<(u32, T)>()))
            .map_err(|fault| named(fault, index))?;
        let is_sorted = values.is_sorted_by(|(one, _), (next, _)| one < next);
        if !is_sorted {
            values.sort_by_key(|(place, _)| *place);
            values.dedup_by(|later, first| {
                let is_same = later.0 == first.0;
                if is_same {
                    std::mem::swap(later, first);
                }
                is_same
            });
        }
        values.shrink_to_fit();
        // Rows of one place, and those of none, are not there after all.
        let missing = sparse.count().saturating_sub(values.len());
        budget.let_data_go(missing.saturating_mul(size_of::<(u32, T)>()));
        let complaint = complaint.map(|fault| named(fault, index));
        Ok(Decoded { values, complaint })
    }
}
