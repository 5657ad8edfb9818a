//! Vectors across instances: lane `i` of every vector belongs to the `i`-th of 4, 8 or 16 instances posed together.
//!
//! Arithmetic needs nothing but [`Simd`]. What that lacks is the way in and out: tables and palettes hold the numbers of
//! an instance side by side, vectors hold one number of all instances. Both ways are transpositions of blocks of 4 × 4.

use fearless_simd::{Simd, f32x4, prelude::*};
/// The most lanes that a vector has.
pub(super) const MAX_LANES: usize = 16;

/// One number of each instance.
pub(super) type V<L> = <L as Simd>::f32s;

/// An instruction set that can bring the numbers of instances together and apart.
pub(super) trait Lanes: Simd {
    /// Lanes of a vector.
    const COUNT: usize;
    /// A vector in memory.
    type Block: Copy;

    /// Numbers in memory as vectors in memory.
    fn blocks(numbers: &mut [f32]) -> &mut [Self::Block];
    /// A vector from memory.
    fn load(self, block: &Self::Block) -> V<Self>;
    /// A vector to memory.
    fn store(self, vector: V<Self>, block: &mut Self::Block);
    /// Four numbers of every fourth instance, from the `first` (0 to 3) on, one instance after the other.
    fn quads<'q>(self, first: usize, quad: impl Fn(usize) -> &'q [f32; 4]) -> V<Self>;
    /// The four numbers of instance `4 * index + first` in what [`Lanes::quads`] made.
    fn quad(self, quads: V<Self>, index: usize) -> [f32; 4];
    /// Transposes all blocks of 4 × 4 numbers: it is its own inverse.
    fn transposed(self, rows: [V<Self>; 4]) -> [V<Self>; 4];

    /// From four numbers of each instance (`quad(i)` of the `i`-th) to four vectors.
    #[inline(always)]
    fn gather<'q>(self, quad: impl Fn(usize) -> &'q [f32; 4]) -> [V<Self>; 4] {
        self.transposed([
            self.quads(0, &quad),
            self.quads(1, &quad),
            self.quads(2, &quad),
            self.quads(3, &quad),
        ])
    }
}

/// Transposes a block of 4 × 4.
#[inline(always)]
fn transposed<S: Simd>([a, b, c, d]: [f32x4<S>; 4]) -> [f32x4<S>; 4] {
    let (ac_low, ac_high) = (a.zip_low(c), a.zip_high(c));
    let (bd_low, bd_high) = (b.zip_low(d), b.zip_high(d));
    [
        ac_low.zip_low(bd_low),
        ac_low.zip_high(bd_low),
        ac_high.zip_low(bd_high),
        ac_high.zip_high(bd_high),
    ]
}

/// Implements [`Lanes`] for an instruction set whose vectors have four lanes.
macro_rules! four_lanes {
    ($level:ty) => {
        impl Lanes for $level {
            const COUNT: usize = 4;
            type Block = [f32; 4];

            #[inline(always)]
            fn blocks(numbers: &mut [f32]) -> &mut [Self::Block] {
                numbers.as_chunks_mut().0
            }

            #[inline(always)]
            fn load(self, block: &Self::Block) -> V<Self> {
                f32x4::load_array_ref(self, block)
            }

            #[inline(always)]
            fn store(self, vector: V<Self>, block: &mut Self::Block) {
                vector.store_array(block);
            }

            #[inline(always)]
            fn quads<'q>(self, first: usize, quad: impl Fn(usize) -> &'q [f32; 4]) -> V<Self> {
                f32x4::load_array_ref(self, quad(first))
            }

            #[inline(always)]
            fn quad(self, quads: V<Self>, _index: usize) -> [f32; 4] {
                quads.into()
            }

            #[inline(always)]
            fn transposed(self, rows: [V<Self>; 4]) -> [V<Self>; 4] {
                transposed(rows)
            }
        }
    };
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
four_lanes!(fearless_simd::x86::Sse2);
#[cfg(target_arch = "aarch64")]
four_lanes!(fearless_simd::aarch64::Neon);
#[cfg(not(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")))]
four_lanes!(fearless_simd::Fallback);

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86 {
    #[cfg(target_arch = "x86")]
    use std::arch::x86 as arch;
    #[cfg(target_arch = "x86_64")]
    use std::arch::x86_64 as arch;

    use super::{Lanes, V};
    use arch::{
        __m256, __m512, _mm256_castpd_ps, _mm256_castps_pd, _mm256_unpackhi_pd, _mm256_unpackhi_ps,
        _mm256_unpacklo_pd, _mm256_unpacklo_ps, _mm512_castpd_ps, _mm512_castps_pd,
        _mm512_unpackhi_pd, _mm512_unpackhi_ps, _mm512_unpacklo_pd, _mm512_unpacklo_ps,
    };
    use fearless_simd::{
        Simd, f32x4, f32x8, f32x16,
        prelude::*,
        x86::{Avx2, Avx512},
    };

    fearless_simd::kernel!(
        /// Transposes both halves, each as a block of 4 × 4.
        #[inline]
        fn transpose_halves(avx2: Avx2, rows: [__m256; 4]) -> [__m256; 4] {
            let [a, b, c, d] = rows;
            let ab = _mm256_castps_pd(_mm256_unpacklo_ps(a, b));
            let cd = _mm256_castps_pd(_mm256_unpacklo_ps(c, d));
            let ab_high = _mm256_castps_pd(_mm256_unpackhi_ps(a, b));
            let cd_high = _mm256_castps_pd(_mm256_unpackhi_ps(c, d));
            [
                _mm256_castpd_ps(_mm256_unpacklo_pd(ab, cd)),
                _mm256_castpd_ps(_mm256_unpackhi_pd(ab, cd)),
                _mm256_castpd_ps(_mm256_unpacklo_pd(ab_high, cd_high)),
                _mm256_castpd_ps(_mm256_unpackhi_pd(ab_high, cd_high)),
            ]
        }
    );

    fearless_simd::kernel!(
        /// Transposes all quarters, each as a block of 4 × 4.
        #[inline]
        fn transpose_quarters(avx512: Avx512, rows: [__m512; 4]) -> [__m512; 4] {
            let [a, b, c, d] = rows;
            let ab = _mm512_castps_pd(_mm512_unpacklo_ps(a, b));
            let cd = _mm512_castps_pd(_mm512_unpacklo_ps(c, d));
            let ab_high = _mm512_castps_pd(_mm512_unpackhi_ps(a, b));
            let cd_high = _mm512_castps_pd(_mm512_unpackhi_ps(c, d));
            [
                _mm512_castpd_ps(_mm512_unpacklo_pd(ab, cd)),
                _mm512_castpd_ps(_mm512_unpackhi_pd(ab, cd)),
                _mm512_castpd_ps(_mm512_unpacklo_pd(ab_high, cd_high)),
                _mm512_castpd_ps(_mm512_unpackhi_pd(ab_high, cd_high)),
            ]
        }
    );

    /// Four numbers of each of two instances.
    #[inline(always)]
    fn pair<S: Simd>(simd: S, low: &[f32; 4], high: &[f32; 4]) -> f32x8<S> {
        simd.combine_f32x4(
            f32x4::load_array_ref(simd, low),
            f32x4::load_array_ref(simd, high),
        )
    }

    impl Lanes for Avx2 {
        const COUNT: usize = 8;
        type Block = [f32; 8];

        #[inline(always)]
        fn blocks(numbers: &mut [f32]) -> &mut [Self::Block] {
            numbers.as_chunks_mut().0
        }

        #[inline(always)]
        fn load(self, block: &Self::Block) -> V<Self> {
            f32x8::load_array_ref(self, block)
        }

        #[inline(always)]
        fn store(self, vector: V<Self>, block: &mut Self::Block) {
            vector.store_array(block);
        }

        #[inline(always)]
        fn quads<'q>(self, first: usize, quad: impl Fn(usize) -> &'q [f32; 4]) -> V<Self> {
            pair(self, quad(first), quad(first + 4))
        }

        #[inline(always)]
        fn quad(self, quads: V<Self>, index: usize) -> [f32; 4] {
            let (low, high) = self.split_f32x8(quads);
            if index == 0 { low.into() } else { high.into() }
        }

        #[inline(always)]
        fn transposed(self, [a, b, c, d]: [V<Self>; 4]) -> [V<Self>; 4] {
            let rows = transpose_halves(self, [a.into(), b.into(), c.into(), d.into()]);
            let [a, b, c, d] = rows;
            [
                a.simd_into(self),
                b.simd_into(self),
                c.simd_into(self),
                d.simd_into(self),
            ]
        }
    }

    impl Lanes for Avx512 {
        const COUNT: usize = 16;
        type Block = [f32; 16];

        #[inline(always)]
        fn blocks(numbers: &mut [f32]) -> &mut [Self::Block] {
            numbers.as_chunks_mut().0
        }

        #[inline(always)]
        fn load(self, block: &Self::Block) -> V<Self> {
            f32x16::load_array_ref(self, block)
        }

        #[inline(always)]
        fn store(self, vector: V<Self>, block: &mut Self::Block) {
            vector.store_array(block);
        }

        #[inline(always)]
        fn quads<'q>(self, first: usize, quad: impl Fn(usize) -> &'q [f32; 4]) -> V<Self> {
            let low = pair(self, quad(first), quad(first + 4));
            let high = pair(self, quad(first + 8), quad(first + 12));
            self.combine_f32x8(low, high)
        }

        #[inline(always)]
        fn quad(self, quads: V<Self>, index: usize) -> [f32; 4] {
            let (low, high) = self.split_f32x16(quads);
            let half = if index < 2 { low } else { high };
            let (low, high) = self.split_f32x8(half);
            match index % 2 {
                0 => low.into(),
                _ => high.into(),
            }
        }

        #[inline(always)]
        fn transposed(self, [a, b, c, d]: [V<Self>; 4]) -> [V<Self>; 4] {
            let rows = transpose_quarters(self, [a.into(), b.into(), c.into(), d.into()]);
            let [a, b, c, d] = rows;
            [
                a.simd_into(self),
                b.simd_into(self),
                c.simd_into(self),
                d.simd_into(self),
            ]
        }
    }
}
