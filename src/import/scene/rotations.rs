//! Rotations: which quaternions are some, and which can be made one.

use glam::Quat;

/// How far the length of a quaternion may be from 1: that of a unit quaternion in normalised bytes.
pub(super) const UNIT_QUATERNION_TOLERANCE: f32 = 0.007_69;

/// The unit quaternion in the direction of `quaternion`; none if it has no direction.
pub(in crate::import) fn normalized(quaternion: Quat) -> Option<Quat> {
    // Of what is infinite or no number it is no number, and has no length either.
    let unit = quaternion.normalize();
    unit.is_normalized().then_some(unit)
}

/// Whether a quaternion is a rotation but for rounding.
pub(in crate::import) fn is_nearly_unit(quaternion: Quat) -> bool {
    (quaternion.length() - 1.0).abs() <= UNIT_QUATERNION_TOLERANCE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_numbers_have_a_direction() {
        for axis in 0..4 {
            let along = |number: f32| {
                let mut quaternion = [0.0; 4];
                quaternion[axis] = number;
                Quat::from_array(quaternion)
            };
            for number in [0.5, 1.0, -3.0, 1e15] {
                let unit = normalized(along(number));
                assert_eq!(unit, Some(along(number.signum())), "{number}");
            }
            for number in [0.0, 1e-30] {
                assert_eq!(normalized(along(number)), None, "{number}");
            }
            for number in [1e30, f32::MAX, f32::NEG_INFINITY, f32::NAN] {
                let beside = along(number) + Quat::from_array([0.25; 4]);
                assert_eq!(normalized(along(number)), None, "{number}");
                assert_eq!(normalized(beside), None, "{number}");
            }
        }
    }
}
