//! How frames are turned, mirrors included.

use std::ops::Mul;

use glam::{Affine3A, Quat};

use crate::model::{Transform, is_mirroring};

/// An orthogonal 3×3 matrix: a rotation, after the mirror x → −x where it mirrors. Scales of nodes may be negative
/// (glTF 2.0 §3.5.3), which a rotation alone cannot say.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Orientation {
    pub(super) rotation: Quat,
    pub(super) is_mirrored: bool,
}

impl Orientation {
    /// x → −x.
    pub(super) const MIRROR: Self = Self {
        rotation: Quat::IDENTITY,
        is_mirrored: true,
    };

    /// The one nearest to a matrix.
    pub(super) fn of_matrix(matrix: &Affine3A) -> Self {
        Self {
            // It mirrors along x, too.
            rotation: Transform::from_affine(matrix).rotation,
            is_mirrored: is_mirroring(&matrix.matrix3),
        }
    }

    /// The orientation of a placement: its rotation, and the signs of its scale.
    pub(super) fn of_transform(transform: &Transform) -> Self {
        let [x, y, z] = transform.scale.to_array().map(|scale| scale < 0.0);
        let is_mirrored = x ^ y ^ z;
        // Besides the mirror two signs are left, or none: half a turn about the third axis.
        let half_turn = match (x ^ is_mirrored, y, z) {
            (false, true, true) => Quat::from_xyzw(1.0, 0.0, 0.0, 0.0),
            (true, false, true) => Quat::from_xyzw(0.0, 1.0, 0.0, 0.0),
            (true, true, false) => Quat::from_xyzw(0.0, 0.0, 1.0, 0.0),
            _ => Quat::IDENTITY,
        };
        Self {
            rotation: transform.rotation * half_turn,
            is_mirrored,
        }
    }

    pub(super) fn inverse(self) -> Self {
        Self {
            rotation: self.image(self.rotation.conjugate()),
            ..self
        }
    }

    /// What a turn within the frame is outside of it: `self · turn · self⁻¹`.
    pub(super) fn outside(self, turn: Quat) -> Quat {
        self.rotation * self.image(turn) * self.rotation.conjugate()
    }

    /// A turn as its mirror shows it, if it mirrors: about the image of its axis, the other way round. Linear in `turn`.
    pub(super) fn image(self, turn: Quat) -> Quat {
        if self.is_mirrored {
            Quat::from_xyzw(turn.x, -turn.y, -turn.z, turn.w)
        } else {
            turn
        }
    }
}

impl From<Quat> for Orientation {
    fn from(rotation: Quat) -> Self {
        Self {
            rotation,
            is_mirrored: false,
        }
    }
}

impl Mul for Orientation {
    type Output = Self;

    fn mul(self, then: Self) -> Self {
        Self {
            rotation: (self.rotation * self.image(then.rotation)).normalize(),
            is_mirrored: self.is_mirrored ^ then.is_mirrored,
        }
    }
}

/// The angle in radians of the rotation that leads from one unit quaternion to another, or to its opposite, which means the
/// same: from the chord between them, whose length is 2 sin(θ / 4). Exactly 0 for equal ones, unlike the arc cosine; no
/// number where one of them is none.
pub(super) fn angle_between(first: Quat, second: Quat) -> f64 {
    let (first, second) = (first.as_dquat(), second.as_dquat());
    let [apart, opposite] = [(first - second).length(), (first + second).length()];
    // `min` would take the other number.
    if apart.is_nan() {
        return apart;
    }
    4.0 * (0.5 * apart.min(opposite)).min(1.0).asin()
}

#[cfg(test)]
mod tests {
    use glam::{Mat3, Vec3};

    use super::*;

    fn matrix(orientation: Orientation) -> Mat3 {
        let mirror = if orientation.is_mirrored { -1.0 } else { 1.0 };
        Mat3::from_quat(orientation.rotation) * Mat3::from_diagonal(Vec3::new(mirror, 1.0, 1.0))
    }

    /// All signs of scales.
    fn orientations() -> Vec<(Orientation, Mat3)> {
        let signs = |bits: u8| {
            Vec3::from_array([0, 1, 2].map(|axis| if bits >> axis & 1 == 1 { -1.0 } else { 1.0 }))
        };
        (0..8)
            .map(|bits| {
                let transform = Transform {
                    rotation: Quat::from_xyzw(0.1, -0.7, 0.3, f32::from(bits) - 3.0).normalize(),
                    scale: signs(bits),
                    ..Transform::default()
                };
                let turned = Mat3::from_quat(transform.rotation);
                let expected = turned * Mat3::from_diagonal(transform.scale);
                (Orientation::of_transform(&transform), expected)
            })
            .collect()
    }

    #[test]
    fn they_are_the_matrices_that_they_stand_for() {
        let turn = Quat::from_xyzw(0.4, 0.2, -0.1, 0.6).normalize();
        for (a, matrix_a) in orientations() {
            assert!(matrix(a).abs_diff_eq(matrix_a, 1e-6));
            let of_matrix = Orientation::of_matrix(&Affine3A::from_mat3(matrix_a * 3.0));
            assert!(matrix(of_matrix).abs_diff_eq(matrix_a, 1e-5));
            assert!(matrix(a.inverse()).abs_diff_eq(matrix_a.inverse(), 1e-5));
            let outside = matrix_a * Mat3::from_quat(turn) * matrix_a.inverse();
            assert!(Mat3::from_quat(a.outside(turn)).abs_diff_eq(outside, 1e-5));
            for (b, matrix_b) in orientations() {
                assert!(matrix(a * b).abs_diff_eq(matrix_a * matrix_b, 1e-5));
            }
        }
    }

    #[test]
    fn angles_are_exact_for_equal_turns_and_no_numbers_of_none() {
        let turn = Quat::from_rotation_y(0.3);
        assert_eq!(angle_between(turn, turn), 0.0);
        assert_eq!(angle_between(turn, -turn), 0.0);
        assert!((angle_between(turn, Quat::from_rotation_y(3.1)) - 2.8).abs() < 1e-6);
        assert!(angle_between(turn, Quat::NAN).is_nan());
    }
}
