//! Vectors of eight corners or triangles at once, in lanes. Each lane does the same sums in the same order as one vector
//! alone would, so that the numbers are the same, bit by bit.

#![allow(
    clippy::arithmetic_side_effects,
    reason = "floats do not overflow into anything worse than infinity"
)]

use fearless_simd::{Simd, f32x8, prelude::*};
use glam::Vec3;

/// How many vectors there are in one.
pub(super) const LANES: usize = 8;

/// A number for each lane, in memory.
pub(super) type StoredNumbers = [f32; LANES];

/// A vector for each lane, in memory: all x, all y, all z.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct StoredVectors([StoredNumbers; 3]);

impl StoredVectors {
    /// One of each of eight things.
    #[inline(always)]
    pub(super) fn of<T>(eight: &[T; LANES], vector: impl Fn(&T) -> Vec3) -> Self {
        let mut stored = Self::default();
        let [x, y, z] = &mut stored.0;
        let slots = x.iter_mut().zip(y).zip(z);
        for (((x, y), z), it) in slots.zip(eight) {
            [*x, *y, *z] = vector(it).to_array();
        }
        stored
    }

    /// The vectors of all lanes.
    pub(super) fn vectors(&self) -> impl Iterator<Item = Vec3> {
        let [x, y, z] = self.0;
        let numbers = x.into_iter().zip(y).zip(z);
        numbers.map(|((x, y), z)| Vec3::new(x, y, z))
    }
}

/// A vector for each lane.
#[derive(Clone, Copy)]
pub(super) struct Vectors<S: Simd>([f32x8<S>; 3]);

impl<S: Simd> Vectors<S> {
    #[inline(always)]
    pub(super) fn load(simd: S, stored: &StoredVectors) -> Self {
        let [x, y, z] = &stored.0;
        Self([
            f32x8::load_array_ref(simd, x),
            f32x8::load_array_ref(simd, y),
            f32x8::load_array_ref(simd, z),
        ])
    }

    #[inline(always)]
    pub(super) fn store(self, stored: &mut StoredVectors) {
        let [x, y, z] = self.0;
        stored.0 = [x.into(), y.into(), z.into()];
    }

    #[inline(always)]
    pub(super) fn dot(self, other: Self) -> f32x8<S> {
        let ([a, b, c], [x, y, z]) = (self.0, other.0);
        a * x + b * y + c * z
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        let ([a, b, c], [x, y, z]) = (self.0, other.0);
        Self([a - x, b - y, c - z])
    }

    #[inline(always)]
    pub(super) fn times(self, number: f32x8<S>) -> Self {
        let [x, y, z] = self.0;
        Self([x * number, y * number, z * number])
    }

    #[inline(always)]
    pub(super) fn length(self) -> f32x8<S> {
        self.dot(self).sqrt()
    }

    /// Unit vectors; those that are zero stay zero.
    #[inline(always)]
    pub(super) fn normalized_as_reference(self, simd: S) -> Self {
        let [x, y, z] = self.0;
        let is_something = is_something(simd, x) | is_something(simd, y) | is_something(simd, z);
        let unit = self.times(f32x8::splat(simd, 1.0) / self.length());
        let [i, j, k] = unit.0;
        Self([
            is_something.select(i, x),
            is_something.select(j, y),
            is_something.select(k, z),
        ])
    }

    /// Their directions in the planes of normals; zero where there is none.
    #[inline(always)]
    pub(super) fn in_plane(self, simd: S, normals: Self) -> Self {
        let above = normals.times(normals.dot(self));
        self.minus(above).normalized_as_reference(simd)
    }
}

/// Whether numbers are more than a rounding error of zero.
#[inline(always)]
pub(super) fn is_something<S: Simd>(simd: S, numbers: f32x8<S>) -> <f32x8<S> as SimdBase<S>>::Mask {
    numbers.abs().simd_gt(f32x8::splat(simd, f32::MIN_POSITIVE))
}
