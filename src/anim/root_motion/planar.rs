//! Rigid motions of the ground plane: a turn about +Y, then a shift along X and Z. In double precision, so that
//! thousands of loops do not drift.

use std::f64::consts::{PI, TAU};

use glam::{Affine3A, DVec2, Quat, Vec3};

/// A turn about the world's vertical through its origin, then a shift along the ground.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PlanarMotion {
    /// Turn about +Y, which takes +Z toward +X.
    pub heading_radians: f64,
    /// Shift along X and Z.
    pub shift: DVec2,
}

impl PlanarMotion {
    /// The motion that does nothing.
    pub const IDENTITY: Self = Self {
        heading_radians: 0.0,
        shift: DVec2::ZERO,
    };

    /// Where a point of the ground (X and Z) goes.
    pub fn apply(&self, point: DVec2) -> DVec2 {
        turned(point, self.heading_radians) + self.shift
    }

    /// `first`, then this motion.
    #[must_use]
    pub fn after(&self, first: &Self) -> Self {
        Self {
            heading_radians: self.heading_radians + first.heading_radians,
            shift: self.apply(first.shift),
        }
    }

    /// The motion that undoes this one.
    #[must_use]
    pub fn inverse(&self) -> Self {
        self.repeated(-1)
    }

    /// This motion `count` times; backwards if that is negative.
    ///
    /// The shift of the k-th power is Σ Rⁱ s for i < k, a geometric series of turns by ψ: a sum of unit phasors, of
    /// length sin(kψ/2) / sin(ψ/2) and direction (k − 1) ψ/2.
    #[must_use]
    pub fn repeated(&self, count: i64) -> Self {
        let times = count as f64;
        // Whole turns change no direction; without them the sine below is 0 only at 0.
        let turn = (self.heading_radians + PI).rem_euclid(TAU) - PI;
        let half = 0.5 * turn;
        let length = if half.abs() < 1e-9 {
            times
        } else {
            (times * half).sin() / half.sin()
        };
        Self {
            heading_radians: times * self.heading_radians,
            shift: turned(self.shift, (times - 1.0) * half) * length,
        }
    }

    /// The motion as a matrix.
    pub fn to_affine(&self) -> Affine3A {
        // Only the remainder of a large angle survives the way to single precision.
        let turn = (self.heading_radians + PI).rem_euclid(TAU) - PI;
        Affine3A::from_rotation_translation(
            Quat::from_rotation_y(turn as f32),
            Vec3::new(self.shift.x as f32, 0.0, self.shift.y as f32),
        )
    }
}

/// A vector of the ground (X and Z), turned about +Y.
fn turned(vector: DVec2, radians: f64) -> DVec2 {
    let (sine, cosine) = radians.sin_cos();
    DVec2::new(
        vector.x * cosine + vector.y * sine,
        vector.y * cosine - vector.x * sine,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOTION: PlanarMotion = PlanarMotion {
        heading_radians: 0.3,
        shift: DVec2::new(2.0, -1.0),
    };

    #[track_caller]
    fn assert_near(a: &PlanarMotion, b: &PlanarMotion) {
        let off = (a.shift - b.shift).length() + (a.heading_radians - b.heading_radians).abs();
        assert!(off < 1e-11, "{a:?} is not {b:?}");
    }

    #[test]
    fn repeats_as_often_as_it_is_told() {
        for heading_radians in [0.3, 0.0, 1e-12, -2.0, PI, TAU, TAU + 1e-3, -7.0] {
            let motion = PlanarMotion {
                heading_radians,
                ..MOTION
            };
            let mut product = PlanarMotion::IDENTITY;
            for count in 0..50 {
                assert_near(&motion.repeated(count), &product);
                let back = motion.repeated(-count).after(&product);
                assert_near(&back, &PlanarMotion::IDENTITY);
                product = motion.after(&product);
            }
        }
    }

    #[test]
    fn is_its_own_matrix() {
        let point = DVec2::new(0.5, 3.0);
        let expected = MOTION.apply(point);
        let found = MOTION
            .to_affine()
            .transform_point3(Vec3::new(0.5, 7.0, 3.0));
        assert!((found.as_dvec3().x - expected.x).abs() < 1e-6);
        assert!((found.as_dvec3().z - expected.y).abs() < 1e-6);
        assert_eq!(found.y, 7.0);
        // A quarter turn takes +Z to +X.
        let quarter = turned(DVec2::Y, 0.5 * PI);
        assert!((quarter - DVec2::X).length() < 1e-15);
    }
}
