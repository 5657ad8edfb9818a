//! Whole numbers in components that are not made for them.

use crate::import::{
    arrays::buffers::Buffers,
    base::{budget::Budget, diagnostics::Fault},
    numbers::components::float_reader,
};

use super::{Accessor, Accessors, Decoded};

/// The fault of numbers that are no unsigned integers.
pub(in crate::import::arrays) const NOT_WHOLE: &str = "ACCESSOR_NOT_WHOLE";

impl Accessors {
    /// Numbers that no unsigned integers are made for, if they are such all the same.
    pub(super) fn whole_numbers<const N: usize, T>(
        &self,
        index: usize,
        accessor: &Accessor,
        (buffers, budget): (&Buffers<'_>, &Budget),
        mut make: impl FnMut([u32; N]) -> T,
    ) -> Result<Decoded<Vec<T>>, Fault> {
        // Beyond, floats have gaps.
        const MOST: f32 = 16_777_216.0;
        let mut are_whole = true;
        let read = float_reader(accessor.component, false);
        let decoded = accessor.decode(index, buffers, budget, read, |numbers: [f32; N]| {
            let mut each = numbers.iter();
            are_whole &= each.all(|it| (0.0..=MOST).contains(it) && it.fract() == 0.0);
            make(numbers.map(|number| number as u32))
        })?;
        if are_whole {
            return Ok(decoded);
        }
        budget.give_data_back(accessor.count, size_of::<T>());
        let message = accessor.is_not_allowed(self.file_index(index));
        let message = format!("{message}, and not all are whole numbers");
        Err(Fault::new(NOT_WHOLE, message))
    }
}
