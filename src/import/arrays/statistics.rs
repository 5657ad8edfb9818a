//! What vectors of floats are like, taken note of while they are read.

use crate::import::numbers::extent::Extent;

/// What elements were like.
pub(super) struct ElementStatistics<const N: usize> {
    pub(super) extent: Extent<N>,
    /// How many were not finite.
    pub(super) invalid: usize,
}

impl<const N: usize> ElementStatistics<N> {
    pub(super) fn new() -> Self {
        Self {
            extent: Extent {
                min: [f32::INFINITY; N],
                max: [f32::NEG_INFINITY; N],
            },
            invalid: 0,
        }
    }

    /// Takes note of an element. What is not finite in it becomes 0.
    pub(super) fn add(&mut self, mut vector: [f32; N]) -> [f32; N] {
        if !vector.iter().all(|number| number.is_finite()) {
            self.invalid = self.invalid.saturating_add(1);
            for number in &mut vector {
                if !number.is_finite() {
                    *number = 0.0;
                }
            }
        }
        let (min, max) = (vector, vector);
        self.extend(&Extent { min, max });
        vector
    }

    pub(super) fn extend(&mut self, extent: &Extent<N>) {
        for (own, other) in self.extent.min.iter_mut().zip(extent.min) {
            *own = own.min(other);
        }
        for (own, other) in self.extent.max.iter_mut().zip(extent.max) {
            *own = own.max(other);
        }
    }
}
