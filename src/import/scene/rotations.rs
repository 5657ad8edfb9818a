//! Rotations: which quaternions are some.

use glam::Quat;

/// How far the length of a quaternion may be from 1: that of a unit quaternion in normalised bytes.
pub(super) const UNIT_QUATERNION_TOLERANCE: f32 = 0.007_69;

/// Whether a quaternion is a rotation but for rounding.
pub(in crate::import) fn is_nearly_unit(quaternion: Quat) -> bool {
    (quaternion.length() - 1.0).abs() <= UNIT_QUATERNION_TOLERANCE
}
