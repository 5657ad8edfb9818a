//! Rotations as people read and type them: three angles.

use glam::{DQuat, EulerRot, Quat};

/// Closer to a quarter turn about Y than this sine, X and Z turn about one axis.
const LOCKED_SINE: f64 = 0.999_999;

/// The degrees of turns about the X, then the Y, then the Z axis of the parent: what Blender calls an XYZ Euler. Y is within
/// a quarter turn; where it is a whole one, Z is 0. All 0 for what is no rotation.
pub fn euler_degrees(rotation: Quat) -> [f32; 3] {
    angles(rotation).0
}

/// The degrees, and on which side Y is a whole quarter turn, if it is: +1 or -1.
fn angles(rotation: Quat) -> ([f32; 3], Option<f32>) {
    let rotation = rotation.as_dquat();
    let length = rotation.length();
    if !(length > 0.0 && length.is_finite()) {
        return ([0.0; 3], None);
    }
    let [x, y, z, w] = (rotation / length).to_array();
    let sin_y = (2.0 * (w * y - z * x)).clamp(-1.0, 1.0);
    let locked = (sin_y.abs() > LOCKED_SINE).then_some(sin_y.signum());
    let radians = if let Some(side) = locked {
        [2.0 * x.atan2(w), side * std::f64::consts::FRAC_PI_2, 0.0]
    } else {
        [
            (2.0 * (w * x + y * z)).atan2(1.0 - 2.0 * (x * x + y * y)),
            sin_y.asin(),
            (2.0 * (w * z + x * y)).atan2(1.0 - 2.0 * (y * y + z * z)),
        ]
    };
    let degrees = radians.map(|angle| angle.to_degrees() as f32);
    (degrees, locked.map(|side| side as f32))
}

/// The angles closest to `before` that mean this rotation ([`euler_degrees`]): a curve of them does not jump.
pub fn euler_degrees_near(rotation: Quat, before: [f32; 3]) -> [f32; 3] {
    let ([mut x, y, mut z], locked) = angles(rotation);
    if let Some(side) = locked {
        // X and Z turn about one axis: each does half of what that has turned since.
        let [before_x, _, before_z] = before;
        let turned = before_x - side * before_z - x;
        let half = 0.5 * (turned - 360.0 * (turned / 360.0).round());
        (x, z) = (before_x - half, before_z + side * half);
    }
    // Half a turn about the first and the last axis, and the middle angle's mirror image, are the same rotation.
    let both = [[x, y, z], [x + 180.0, 180.0 - y, z + 180.0]];
    let [found, other] = both.map(|angles| -> [f32; 3] {
        std::array::from_fn(|axis| {
            let turns = ((angles[axis] - before[axis]) / 360.0).round();
            angles[axis] - 360.0 * turns
        })
    });
    let way =
        |angles: &[f32; 3]| -> f32 { angles.iter().zip(before).map(|(a, b)| (a - b).abs()).sum() };
    if way(&other) < way(&found) {
        other
    } else {
        found
    }
}

/// The rotation that these angles mean: the inverse of [`euler_degrees`].
pub fn from_euler_degrees(degrees: [f32; 3]) -> Quat {
    let [x, y, z] = degrees.map(|angle| f64::from(angle).to_radians());
    DQuat::from_euler(EulerRot::XYZEx, x, y, z).as_quat()
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;

    #[test]
    fn angles_turn_about_x_then_y_then_z_of_the_parent() {
        let turned = from_euler_degrees([90.0, 0.0, 90.0]) * Vec3::Y;
        // About X it goes to +Z, which the turn about Z leaves.
        assert!(turned.abs_diff_eq(Vec3::Z, 1e-6), "{turned}");
        let turned = from_euler_degrees([0.0, 90.0, 90.0]) * Vec3::Z;
        // About Y it goes to +X, and about Z from there to +Y.
        assert!(turned.abs_diff_eq(Vec3::Y, 1e-6), "{turned}");
    }

    #[test]
    fn angles_and_rotations_say_the_same() {
        for x in [-170.0, -90.0, -0.5, 0.0, 33.0, 180.0_f32] {
            for y in [-90.0, -89.0, -12.0, 0.0, 45.0, 90.0_f32] {
                for z in [-179.0, -90.0, 0.0, 1.0, 120.0_f32] {
                    let rotation = from_euler_degrees([x, y, z]);
                    let found = euler_degrees(rotation);
                    let again = from_euler_degrees(found);
                    let off = rotation.dot(again).abs();
                    assert!(off > 1.0 - 1e-6, "{x} {y} {z}: {found:?}, {off}");
                    if y.abs() < 90.0 {
                        let way = Vec3::from(found) - Vec3::new(x, y, z);
                        let turns = way / 360.0;
                        let way = way - 360.0 * turns.round();
                        assert!(way.abs().max_element() < 2e-3, "{x} {y} {z}: {found:?}");
                    }
                }
            }
        }
        assert_eq!(euler_degrees(Quat::from_array([0.0; 4])), [0.0; 3]);
        assert_eq!(euler_degrees(Quat::from_array([f32::NAN; 4])), [0.0; 3]);
    }

    #[test]
    fn angles_along_a_motion_do_not_jump() {
        let mut before = [0.0; 3];
        let mut farthest = 0.0_f32;
        for step in 0..720 {
            let angle = (step as f32).to_radians();
            let turn = Quat::from_rotation_y(angle) * Quat::from_rotation_x(0.3 * angle);
            let now = euler_degrees_near(turn, before);
            let again = from_euler_degrees(now);
            assert!(again.dot(turn).abs() > 0.999, "{now:?} at {step}");
            if step > 0 {
                let change = now.iter().zip(before).map(|(a, b)| (a - b).abs());
                farthest = change.fold(farthest, f32::max);
            }
            before = now;
        }
        assert!(farthest < 45.0, "{farthest}");
        // At the quarter turn itself, X and Z stay where they were.
        let locked = from_euler_degrees([50.0, 90.0, -40.0]);
        let found = euler_degrees_near(locked, [49.0, 88.0, -41.0]);
        for (found, expected) in found.into_iter().zip([49.0, 90.0, -41.0]) {
            assert!((found - expected).abs() < 0.2, "{found} {expected}");
        }
        let locked = from_euler_degrees([50.0, -90.0, -40.0]);
        let found = euler_degrees_near(locked, [48.0, 268.0, -36.0]);
        for (found, expected) in found.into_iter().zip([47.0, 270.0, -37.0]) {
            assert!((found - expected).abs() < 0.2, "{found} {expected}");
        }
        let mut before = [0.0; 3];
        for step in 0..1000 {
            let angle = step as f32;
            before = euler_degrees_near(Quat::from_rotation_z(angle.to_radians()), before);
            assert!((before[2] - angle).abs() < 0.1, "{before:?} at {step}");
        }
    }
}
