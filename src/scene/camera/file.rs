//! Cameras that a file brings along (glTF 2.0 §3.10): the view through one, and the orbit that goes on from there.

use glam::{Affine3A, Mat4, Quat, Vec3, Vec4};

use super::{CameraView, OrbitCamera, infinite_perspective, parallel};
use crate::model::Projection;

/// The view through a camera of a file whose node stands at `eye`, in a viewport of `aspect` (width over height).
///
/// `rotation` is that of the node and those above it, whose scales do not count (§3.10.2): see
/// [`crate::anim::Pose::rotation_of`]. What the camera shows is shown whole: where its width over height is another than the
/// viewport's, more is seen at the sides, or above and below.
pub fn file_camera_view(
    eye: Vec3,
    rotation: Quat,
    projection: &Projection,
    aspect: f32,
) -> CameraView {
    let aspect = aspect.max(1e-3);
    let (clip_from_view, fov_y_radians) = match *projection {
        Projection::Perspective {
            fov_y_radians,
            aspect: own_aspect,
            near,
            far,
        } => {
            let mut tan = (0.5 * fov_y_radians).tan();
            if let Some(own_aspect) = own_aspect {
                tan *= (own_aspect / aspect).max(1.0);
            }
            let clip_from_view = match far {
                Some(far) => perspective(tan, aspect, near, far),
                None => infinite_perspective(tan, aspect, near),
            };
            (clip_from_view, 2.0 * tan.atan())
        }
        Projection::Orthographic {
            half_width,
            half_height,
            near,
            far,
        } => {
            let half_height = half_height.max(half_width / aspect);
            let half_size = [half_height * aspect, half_height];
            let usual = OrbitCamera::default().fov_y_radians;
            (parallel(half_size, near, far), usual)
        }
    };
    let world_from_view = Affine3A::from_rotation_translation(rotation, eye);
    CameraView {
        view_from_world: world_from_view.inverse(),
        clip_from_view,
        eye,
        environment_fov_y_radians: fov_y_radians,
        aspect,
    }
}

/// The orbit with the same picture as a view, around a point as far away as `focus`, what is looked at; `size` is its own.
pub fn orbit_from(view: &CameraView, focus: Vec3, size: f32) -> OrbitCamera {
    let mut camera = OrbitCamera::default();
    let world_from_view = view.view_from_world.inverse();
    camera.set_rotation(Quat::from_mat3a(&world_from_view.matrix3));
    let tan = view.clip_from_view.y_axis.y.recip();
    let size = if size > 0.0 && size.is_finite() {
        size
    } else {
        1.0
    };
    let depth = (view.eye - focus).dot(view.backward());
    // What it has behind itself or on its nose it cannot go around.
    let depth = if depth > 0.01 * size { depth } else { size };
    camera.target = view.eye - view.backward() * depth;
    if view.is_parallel() {
        camera.flatness = 1.0;
        camera.radius = tan / (0.5 * camera.fov_y_radians).tan();
    } else {
        camera.fov_y_radians = 2.0 * tan.atan();
        camera.radius = depth;
    }
    camera
}

/// A central projection whose depth is 1 at `near` and 0 at `far`; `tan` is that of half the vertical angle.
fn perspective(tan: f32, aspect: f32, near: f32, far: f32) -> Mat4 {
    let focal = tan.recip();
    let range = far - near;
    Mat4::from_cols(
        Vec4::new(focal / aspect, 0.0, 0.0, 0.0),
        Vec4::new(0.0, focal, 0.0, 0.0),
        Vec4::new(0.0, 0.0, near / range, -1.0),
        Vec4::new(0.0, 0.0, near * (far / range), 0.0),
    )
}

#[cfg(test)]
mod tests {
    use glam::{DMat4, DVec4};

    use super::*;

    const EYE: Vec3 = Vec3::new(4.0, 2.0, 5.0);

    fn turn() -> Quat {
        Quat::from_rotation_y(0.6) * Quat::from_rotation_x(-0.3) * Quat::from_rotation_z(0.4)
    }

    #[test]
    fn a_finite_perspective_is_that_of_the_specification_with_reversed_depth() {
        // §3.10.3.2 in double precision.
        let (tan, aspect, near, far) = (0.4_f64, 1.5, 0.2, 90.0);
        let spec = DMat4::from_cols(
            DVec4::new(1.0 / (aspect * tan), 0.0, 0.0, 0.0),
            DVec4::new(0.0, 1.0 / tan, 0.0, 0.0),
            DVec4::new(0.0, 0.0, (far + near) / (near - far), -1.0),
            DVec4::new(0.0, 0.0, 2.0 * far * near / (near - far), 0.0),
        );
        let found = perspective(tan as f32, aspect as f32, near as f32, far as f32).as_dmat4();
        for depth in [0.2, 0.5, 3.0, 60.0, 90.0] {
            let point = DVec4::new(0.1, -0.2, -depth, 1.0);
            let (expected, found) = (spec * point, found * point);
            let (expected, found) = (expected / expected.w, found / found.w);
            assert!((expected.x - found.x).abs() < 1e-6 && (expected.y - found.y).abs() < 1e-6);
            let reversed = 0.5 - 0.5 * expected.z;
            assert!(
                (reversed - found.z).abs() < 1e-6,
                "{depth}: {} {reversed}",
                found.z
            );
        }
    }

    #[test]
    fn it_looks_along_minus_z_of_its_node() {
        let projection = Projection::Perspective {
            fov_y_radians: 0.8,
            aspect: None,
            near: 0.1,
            far: None,
        };
        let view = file_camera_view(EYE, turn(), &projection, 1.3);
        let ahead = EYE - turn() * Vec3::Z * 7.0;
        let in_view = view.view_from_world.transform_point3(ahead);
        assert!(
            in_view.abs_diff_eq(Vec3::new(0.0, 0.0, -7.0), 1e-4),
            "{in_view}"
        );
        let above = view.view_from_world.transform_vector3(turn() * Vec3::Y);
        assert!(above.abs_diff_eq(Vec3::Y, 1e-5), "{above}");
        // The upper edge is half the angle away.
        let edge = view
            .ray([0.0, 1.0])
            .direction
            .angle_between(-view.backward());
        assert!((edge - 0.4).abs() < 1e-4, "{edge}");
    }

    #[test]
    fn what_the_camera_shows_is_in_the_picture_whatever_its_shape() {
        let corner = |tan: f32, own_aspect: f32| Vec3::new(tan * own_aspect, tan, -1.0) * 3.0;
        for (own_aspect, aspect) in [(2.0, 1.0), (1.0, 2.0), (1.5, 1.5), (0.5, 0.2)] {
            let tan = 0.4_f32.tan();
            let perspective = Projection::Perspective {
                fov_y_radians: 0.8,
                aspect: Some(own_aspect),
                near: 0.1,
                far: Some(50.0),
            };
            let flat = Projection::Orthographic {
                half_width: 3.0 * tan * own_aspect,
                half_height: 3.0 * tan,
                near: 0.1,
                far: 50.0,
            };
            for projection in [perspective, flat] {
                let view = file_camera_view(Vec3::ZERO, Quat::IDENTITY, &projection, aspect);
                let found = view.project(corner(tan, own_aspect));
                let largest = found.x.max(found.y);
                assert!(
                    (largest - 1.0).abs() < 1e-5,
                    "{own_aspect} {aspect}: {found}"
                );
                // Nothing is stretched.
                let scale = view.clip_from_view.y_axis.y / view.clip_from_view.x_axis.x;
                assert!((scale - aspect).abs() < 1e-4);
            }
        }
    }

    #[test]
    fn the_orbit_that_goes_on_has_the_same_picture() {
        let flat = Projection::Orthographic {
            half_width: 2.0,
            half_height: 1.0,
            near: 0.0,
            far: 20.0,
        };
        let perspective = Projection::Perspective {
            fov_y_radians: 0.8,
            aspect: Some(1.0),
            near: 0.1,
            far: None,
        };
        for projection in [flat, perspective] {
            let view = file_camera_view(EYE, turn(), &projection, 1.5);
            let orbit = orbit_from(&view, Vec3::ZERO, 2.0);
            for point in [Vec3::ZERO, Vec3::new(0.5, -0.3, 1.0), Vec3::NEG_X] {
                let before = view.project(point);
                let after = orbit.view(1.5).project(point);
                let error = before.truncate().distance(after.truncate());
                assert!(error < 1e-4, "{before} {after}");
            }
        }
    }
}
