//! Translation, rotation, scale: what a node's placement is made of, and what clips animate.

use glam::{Affine3A, Mat3, Mat3A, Quat, Vec3, Vec3A};

/// A placement relative to the parent: scale first, then rotation, then translation (glTF 2.0 §3.5.3).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Transform {
    /// In the parent's units.
    pub translation: Vec3,
    /// A unit quaternion.
    pub rotation: Quat,
    /// Factors along the node's own axes; may be zero or negative.
    pub scale: Vec3,
}

/// How far the squared length of a unit quaternion in single precision is computed from 1. Dividing by its length leaves each
/// number within three roundings (2⁻²⁴ each) of what it should be: the length's square, the root, the quotient; and the squared
/// length within twice as many, and four more of its own sum.
const UNIT_ROUNDING: f32 = 8.0 * f32::EPSILON;

/// The unit quaternion in the direction of a quaternion; none if it has no direction. What is a unit quaternion already, but for
/// the rounding of single precision, stays as it is to the bit.
pub fn unit_rotation(quaternion: Quat) -> Option<Quat> {
    if (quaternion.length_squared() - 1.0).abs() <= UNIT_ROUNDING {
        return Some(quaternion);
    }
    // Of what is infinite or no number it is no number, and has no length either.
    let unit = quaternion.normalize();
    unit.is_normalized().then_some(unit)
}

impl Default for Transform {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Transform {
    /// No translation, no rotation, scale 1.
    pub const IDENTITY: Self = Self {
        translation: Vec3::ZERO,
        rotation: Quat::IDENTITY,
        scale: Vec3::ONE,
    };

    /// The matrix `parent_from_node`.
    pub fn to_affine(&self) -> Affine3A {
        Affine3A::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }

    /// The transform whose matrix is nearest to `parent_from_node`: exact unless the matrix shears.
    ///
    /// A mirroring matrix gets a negative scale along x. An axis of length zero stays zero and is completed to a
    /// right-handed frame, so that the rotation is always a unit quaternion.
    pub fn from_affine(parent_from_node: &Affine3A) -> Self {
        let columns = [
            Vec3::from(parent_from_node.matrix3.x_axis),
            Vec3::from(parent_from_node.matrix3.y_axis),
            Vec3::from(parent_from_node.matrix3.z_axis),
        ];
        let mut scale = Vec3::from(columns.map(Vec3::length));
        if is_mirroring(&parent_from_node.matrix3) {
            scale.x = -scale.x;
        }
        let x = (columns[0] * scale.x.signum()).try_normalize();
        let (y, z) = (columns[1].try_normalize(), columns[2].try_normalize());
        let frame = match (x, y, z) {
            (Some(x), Some(y), _) => orthonormal(x, y),
            (Some(x), None, Some(z)) => orthonormal(x, z.cross(x)),
            (None, Some(y), Some(z)) => orthonormal(y.cross(z), y),
            (Some(x), None, None) => orthonormal(x, x.any_orthonormal_vector()),
            (None, Some(y), None) => orthonormal(y.any_orthonormal_vector(), y),
            (None, None, Some(z)) => {
                let x = z.any_orthonormal_vector();
                orthonormal(x, z.cross(x))
            }
            (None, None, None) => Mat3::IDENTITY,
        };
        Self {
            translation: parent_from_node.translation.into(),
            rotation: Quat::from_mat3(&frame).normalize(),
            scale,
        }
    }
}

/// What rounding leaves of the determinant of a matrix that flattens, as a part of the products that it is the sum of. Twin:
/// `shaders/skinning.wgsl`.
const FLAT: f32 = 1e-6;

/// Whether a matrix changes left and right. One that flattens has no sides.
pub fn is_mirroring(matrix: &Mat3A) -> bool {
    let [x, y, z] = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(Vec3A::abs);
    let products = Vec3A::new(
        y.y * z.z + y.z * z.y,
        y.z * z.x + y.x * z.z,
        y.x * z.y + y.y * z.x,
    );
    matrix.determinant() < -FLAT * x.dot(products)
}

/// How much longer vectors become: the root mean square over all directions, whatever the matrix turns.
pub fn mean_stretch(transform: &Affine3A) -> f32 {
    let axes = transform.matrix3.to_cols_array();
    let squares: f32 = axes.iter().map(|it| it * it).sum();
    (squares / 3.0).sqrt()
}

/// A right-handed orthonormal frame with the given x axis and with y in the half plane of `y`.
fn orthonormal(x: Vec3, y: Vec3) -> Mat3 {
    let x = x.normalize_or(Vec3::X);
    let y = y.reject_from_normalized(x);
    let y = y
        .try_normalize()
        .unwrap_or_else(|| x.any_orthonormal_vector());
    Mat3::from_cols(x, y, x.cross(y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_round_trip(transform: Transform) {
        let matrix = transform.to_affine();
        let again = Transform::from_affine(&matrix).to_affine();
        assert!(
            matrix.abs_diff_eq(again, 1e-5),
            "{transform:?}: {matrix} became {again}"
        );
    }

    #[test]
    fn only_numbers_have_a_direction() {
        for axis in 0..4 {
            let along = |number: f32| {
                let mut quaternion = [0.0; 4];
                quaternion[axis] = number;
                Quat::from_array(quaternion)
            };
            for number in [0.5, 1.0, -3.0, 1e15] {
                let unit = unit_rotation(along(number));
                assert_eq!(unit, Some(along(number.signum())), "{number}");
            }
            for number in [0.0, 1e-30] {
                assert_eq!(unit_rotation(along(number)), None, "{number}");
            }
            for number in [1e30, f32::MAX, f32::NEG_INFINITY, f32::NAN] {
                let beside = along(number) + Quat::from_array([0.25; 4]);
                assert_eq!(unit_rotation(along(number)), None, "{number}");
                assert_eq!(unit_rotation(beside), None, "{number}");
            }
        }
    }

    /// Else what is saved and opened again differs each time.
    #[test]
    fn a_unit_quaternion_in_single_precision_stays_as_it_is() {
        let mut state = 1_u32;
        let mut number = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 23) as f32 - 1.0
        };
        for _ in 0..100_000 {
            let any = Quat::from_array([number(), number(), number(), number()]);
            let unit = unit_rotation(any).unwrap();
            assert_eq!(unit_rotation(unit), Some(unit), "of {any}");
            let longer = unit * 1.000_01;
            assert_ne!(unit_rotation(longer), Some(longer), "of {any}");
        }
    }

    #[test]
    fn what_is_flat_has_no_sides() {
        for turn in 0..100 {
            let turn = turn as f32;
            let (before, after) = (
                Mat3A::from_rotation_z(turn) * Mat3A::from_rotation_x(2.0 * turn),
                Mat3A::from_rotation_y(3.0 * turn),
            );
            for size in [1e-10, 1.0, 1e10] {
                let of = |scale: Vec3| {
                    is_mirroring(&(before * Mat3A::from_diagonal(scale * size) * after))
                };
                assert!(!of(Vec3::new(1.0, 0.0, 1.0)), "{turn} {size}");
                assert!(!of(Vec3::new(1.0, -2.0, -1.0)), "{turn} {size}");
                assert!(of(Vec3::new(1.0, -1e-3, 1.0)), "{turn} {size}");
                // As nodes place what is long and thin.
                let thin = Mat3A::from_diagonal(Vec3::new(1.0, 1e-4, -1e-4) * size);
                assert!(is_mirroring(&(before * thin)), "{turn} {size}");
                assert!(is_mirroring(&(thin * after)), "{turn} {size}");
            }
        }
    }

    #[test]
    fn vectors_stretch_alike_before_and_after_turns() {
        let uneven = Affine3A::from_scale(Vec3::new(3.0, 0.1, -0.1));
        let expected = (9.02_f32 / 3.0).sqrt();
        for turn in 0..20 {
            let turn = Affine3A::from_axis_angle(Vec3::new(0.6, 0.0, 0.8), turn as f32);
            for matrix in [uneven * turn, turn * uneven, turn * uneven * turn] {
                let found = mean_stretch(&matrix);
                assert!((found - expected).abs() < 1e-5, "{found}");
            }
        }
        assert_eq!(mean_stretch(&Affine3A::from_scale(Vec3::splat(0.25))), 0.25);
    }

    #[test]
    fn survives_the_way_through_a_matrix() {
        let rotation = Quat::from_xyzw(0.1, -0.5, 0.3, 0.8).normalize();
        let translation = Vec3::new(1.0, -2.0, 3.0);
        for scale in [
            Vec3::ONE,
            Vec3::new(2.0, 0.5, 3.0),
            Vec3::new(-1.0, 1.0, 1.0),
            Vec3::new(1.0, -2.0, 1.0),
            Vec3::new(-1.0, -2.0, -3.0),
            Vec3::new(0.0, 2.0, 3.0),
            Vec3::new(2.0, 0.0, 0.0),
            Vec3::new(0.0, 0.0, 2.0),
            Vec3::ZERO,
        ] {
            check_round_trip(Transform {
                translation,
                rotation,
                scale,
            });
        }
    }
}
