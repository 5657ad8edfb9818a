//! The smallest and the greatest of many numbers, at the speed of memory.

use std::ops::{BitAnd, BitOr};

use fearless_simd::{Level, dispatch};
use glam::Vec3;

use crate::{
    import::{base::diagnostics::Fault, files::bytes::Elements},
    model::{Aabb, Indices},
};

/// The least and the greatest value of each component.
pub(in crate::import) type Extremes<const N: usize> = ([u32; N], [u32; N]);

/// The least and the greatest value of each component of integers, compared in their own width, in which most fit into a
/// vector; none for elements that are no scalars or vectors. `(most, least)` are those of the type.
pub(in crate::import) fn extremes<const N: usize, const S: usize, I: Copy + Ord + Into<u32>>(
    elements: Elements<'_, N, S>,
    read: impl Fn([u8; S]) -> I,
    (most, least): (I, I),
) -> Result<Option<Extremes<N>>, Fault> {
    if N == 0 || !LANES.is_multiple_of(N) {
        return Ok(None);
    }
    let (mut min, mut max) = ([most; LANES], [least; LANES]);
    elements.for_each(&mut |elements| {
        let (blocks, rest) = elements.as_flattened().as_chunks::<LANES>();
        // Numbers of its own, which nothing else can point to, so that compilers keep them in registers.
        let (mut least, mut most) = (min, max);
        for block in blocks {
            for ((least, most), bytes) in least.iter_mut().zip(&mut most).zip(block) {
                let number = read(*bytes);
                *least = number.min(*least);
                *most = number.max(*most);
            }
        }
        for ((least, most), bytes) in least.iter_mut().zip(&mut most).zip(rest) {
            let number = read(*bytes);
            *least = number.min(*least);
            *most = number.max(*most);
        }
        (min, max) = (least, most);
    })?;
    let (mut result_min, mut result_max) = ([u32::MAX; N], [0; N]);
    fold_lanes(&mut result_min, min, u32::min);
    fold_lanes(&mut result_max, max, u32::max);
    Ok(Some((result_min, result_max)))
}

fn fold_lanes<const N: usize, I: Copy + Into<u32>>(
    result: &mut [u32; N],
    lanes: [I; LANES],
    of: fn(u32, u32) -> u32,
) {
    for element in lanes.as_chunks::<N>().0 {
        for (result, &number) in result.iter_mut().zip(element) {
            *result = of(*result, number.into());
        }
    }
}

/// The extremes of each component, none of which is infinite or no number at all.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::import) struct Extent<const N: usize> {
    pub min: [f32; N],
    pub max: [f32; N],
}

impl From<Extent<3>> for Aabb {
    fn from(Extent { min, max }: Extent<3>) -> Self {
        let [min, max] = [min, max].map(Vec3::from_array);
        Self { min, max }
    }
}

/// Numbers that are compared at once, each with extremes of its own, which compilers turn into vector instructions. The
/// components of scalars and of vectors repeat in it: 24 is a multiple of 1, 2, 3 and 4.
const LANES: usize = 24;

impl<const N: usize> Extent<N> {
    /// The extent of all elements; none if any number is not finite, or for elements that are no scalars or vectors.
    pub(in crate::import) fn of(elements: &[[[u8; 4]; N]]) -> Option<Self> {
        if N == 0 || !LANES.is_multiple_of(N) {
            return None;
        }
        let (mut min, mut max) = ([f32::INFINITY; LANES], [f32::NEG_INFINITY; LANES]);
        // Zero times a number is zero, unless the number is not finite.
        let mut zero = [0.0_f32; LANES];
        let (blocks, rest) = elements.as_flattened().as_chunks::<LANES>();
        for block in blocks {
            let lanes = min.iter_mut().zip(&mut max).zip(&mut zero);
            for (((min, max), zero), bytes) in lanes.zip(block) {
                let number = f32::from_le_bytes(*bytes);
                *min = if number < *min { number } else { *min };
                *max = if number > *max { number } else { *max };
                *zero += number * 0.0;
            }
        }
        let lanes = min.iter_mut().zip(&mut max).zip(&mut zero);
        for (((min, max), zero), bytes) in lanes.zip(rest) {
            let number = f32::from_le_bytes(*bytes);
            *min = min.min(number);
            *max = max.max(number);
            *zero += number * 0.0;
        }
        if zero.iter().any(|zero| *zero != 0.0) {
            return None;
        }
        let mut extent = Self {
            min: [f32::INFINITY; N],
            max: [f32::NEG_INFINITY; N],
        };
        let lanes = min.as_chunks::<N>().0.iter().zip(max.as_chunks::<N>().0);
        for (min, max) in lanes {
            for (own, &other) in extent.min.iter_mut().zip(min) {
                *own = if other < *own { other } else { *own };
            }
            for (own, &other) in extent.max.iter_mut().zip(max) {
                *own = if other > *own { other } else { *own };
            }
        }
        Some(extent)
    }
}

/// The number of a vertex, in as many bits as the file has it. The greatest of 16 bits stands for no vertex.
pub(in crate::import) trait Number:
    Copy + Ord + Into<u32> + BitAnd<Output = Self> + BitOr<Output = Self>
{
    const ZERO: Self;
    const ALL_ONES: Self;

    /// A number that fits.
    fn of(number: u32) -> Self;

    /// Packs numbers of vertices.
    fn pack(numbers: Vec<Self>) -> Indices;
}

impl Number for u16 {
    const ZERO: Self = 0;
    const ALL_ONES: Self = Self::MAX;

    fn of(number: u32) -> Self {
        number as Self
    }

    fn pack(numbers: Vec<Self>) -> Indices {
        Indices::Short(numbers)
    }
}

impl Number for u32 {
    const ZERO: Self = 0;
    const ALL_ONES: Self = Self::MAX;

    fn of(number: u32) -> Self {
        number
    }

    fn pack(numbers: Vec<Self>) -> Indices {
        numbers.into()
    }
}

/// The least and the greatest of some indices.
pub(in crate::import) fn extremes_of<N: Number>(indices: &[N]) -> (u32, u32) {
    let level = Level::new();
    (
        dispatch!(level, _simd => least(indices)),
        dispatch!(level, _simd => greatest(indices)),
    )
}

#[inline(always)]
fn least<N: Number>(indices: &[N]) -> u32 {
    let least = |least: N, &index: &N| index.min(least);
    indices.iter().fold(N::ALL_ONES, least).into()
}

/// The greatest of all. Compiled for each kind of processor: this is most of the work on indices.
#[inline(always)]
pub(in crate::import) fn greatest<N: Number>(indices: &[N]) -> u32 {
    let most = |most: N, &index: &N| index.max(most);
    indices.iter().fold(N::ZERO, most).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::files::bytes::Bytes;

    #[test]
    fn finds_the_extremes_of_integers() {
        for count in 1..70_usize {
            for place in 0..count {
                let mut numbers = vec![[300_u16, 400, 500]; count];
                numbers[place] = [7, 65_535, 500];
                let bytes: Vec<u8> = numbers
                    .as_flattened()
                    .iter()
                    .flat_map(|it| it.to_le_bytes())
                    .collect();
                let elements = Elements::<3, 2>::new(Bytes::Memory(&bytes), 6);
                let found = extremes(elements, u16::from_le_bytes, (u16::MAX, 0)).unwrap();
                let (low, high) = if count == 1 { (65_535, 7) } else { (400, 300) };
                assert_eq!(found, Some(([7, low, 500], [high, 65_535, 500])));
            }
        }
        let elements = Elements::<9, 1>::new(Bytes::Memory(&[0; 9]), 9);
        assert_eq!(
            extremes(elements, |[byte]| byte, (u8::MAX, 0)).unwrap(),
            None
        );
    }

    fn elements<const N: usize>(numbers: &[[f32; N]]) -> Vec<[[u8; 4]; N]> {
        numbers.iter().map(|it| it.map(f32::to_le_bytes)).collect()
    }

    #[test]
    fn finds_the_extremes_wherever_they_are() {
        for count in 1..60 {
            for place in 0..count {
                let mut numbers = vec![[0.5, 1.5, 2.5]; count];
                numbers[place] = [-3.0, 7.0, 2.5];
                let extent = Extent::of(&elements(&numbers)).unwrap();
                let (low, high) = if count == 1 { (7.0, -3.0) } else { (1.5, 0.5) };
                assert_eq!(
                    (extent.min, extent.max),
                    ([-3.0, low, 2.5], [high, 7.0, 2.5])
                );
            }
        }
    }

    #[test]
    fn sees_what_is_not_finite() {
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            for place in 0..50 {
                let mut numbers = vec![[1.0, 2.0]; 50];
                assert!(Extent::of(&elements(&numbers)).is_some());
                numbers[place][1] = bad;
                assert_eq!(Extent::of(&elements(&numbers)), None);
            }
        }
    }
}
