//! A small deterministic source of random numbers for property tests (xorshift64*, Vigna 2016).

use glam::{Quat, Vec3};

pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// Less than `end`.
    pub fn index(&mut self, end: usize) -> usize {
        (self.bits() >> 33) as usize % end
    }

    /// The numbers less than `count` in any order.
    pub fn permutation(&mut self, count: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..count).collect();
        for end in (1..count).rev() {
            order.swap(end, self.index(end + 1));
        }
        order
    }

    /// Evenly from `low` to `high`.
    pub fn float(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * (self.bits() >> 40) as f32 / (1 << 24) as f32
    }

    /// Evenly in a cube round the origin.
    pub fn vec3(&mut self, reach: f32) -> Vec3 {
        Vec3::from_array(std::array::from_fn(|_| self.float(-reach, reach)))
    }

    /// A unit quaternion, evenly over all rotations.
    pub fn rotation(&mut self) -> Quat {
        loop {
            let q = Quat::from_array(std::array::from_fn(|_| self.float(-1.0, 1.0)));
            if (0.01..1.0).contains(&q.length_squared()) {
                return q.normalize();
            }
        }
    }
}
