//! Cameras against the formulas of glTF 2.0 §3.10.3 in double precision, and what they must show.

use glam::{DMat4, DVec3, DVec4, Mat4, Quat, Vec3};

use super::*;
use crate::model::Facing;

fn camera(azimuth: f32, polar: f32) -> OrbitCamera {
    OrbitCamera {
        target: Vec3::new(1.0, 2.0, 3.0),
        azimuth_radians: azimuth.to_radians(),
        polar_radians: polar.to_radians(),
        radius: 2.0,
        ..OrbitCamera::default()
    }
}

fn flat(azimuth: f32, polar: f32) -> OrbitCamera {
    OrbitCamera {
        flatness: 1.0,
        ..camera(azimuth, polar)
    }
}

fn box_around(center: Vec3, half: f32) -> Extent {
    Extent {
        model: Aabb::EMPTY
            .with(center - Vec3::splat(half))
            .with(center + Vec3::splat(half)),
        ..Extent::default()
    }
}

/// From the specification's depth, −1 near … 1 far, to ours, 1 … 0.
fn reversed(spec: DMat4) -> DMat4 {
    let ours_from_spec = DMat4::from_cols(
        DVec4::X,
        DVec4::Y,
        DVec4::new(0.0, 0.0, -0.5, 0.0),
        DVec4::new(0.0, 0.0, 0.5, 1.0),
    );
    ours_from_spec * spec
}

fn assert_near(found: Mat4, expected: DMat4) {
    let expected = expected.to_cols_array();
    for (found, expected) in found.to_cols_array().into_iter().zip(expected) {
        let error = (f64::from(found) - expected).abs();
        assert!(
            error <= 1e-6 * expected.abs().max(1e-3),
            "{found}, not {expected}"
        );
    }
}

#[test]
fn projections_are_those_of_the_specification_with_reversed_depth() {
    // §3.10.3.3, infinite perspective projection.
    let (fov, aspect, near) = (0.7_f64, 1.6, 0.02);
    let tan = (0.5 * fov).tan();
    let spec = DMat4::from_cols(
        DVec4::new(1.0 / (aspect * tan), 0.0, 0.0, 0.0),
        DVec4::new(0.0, 1.0 / tan, 0.0, 0.0),
        DVec4::new(0.0, 0.0, -1.0, -1.0),
        DVec4::new(0.0, 0.0, -2.0 * near, 0.0),
    );
    let found = infinite_perspective(tan as f32, aspect as f32, near as f32);
    assert_near(found, reversed(spec));
    // §3.10.3.4, orthographic projection.
    let (right, top, near, far) = (3.0_f64, 2.0, 0.5, 80.0);
    let spec = DMat4::from_cols(
        DVec4::new(1.0 / right, 0.0, 0.0, 0.0),
        DVec4::new(0.0, 1.0 / top, 0.0, 0.0),
        DVec4::new(0.0, 0.0, 2.0 / (near - far), 0.0),
        DVec4::new(0.0, 0.0, (far + near) / (near - far), 1.0),
    );
    let found = parallel([right as f32, top as f32], near as f32, far as f32);
    assert_near(found, reversed(spec));
}

#[test]
fn views_are_those_of_a_plain_double_precision_camera() {
    for (azimuth, polar) in [(0.0, 90.0), (33.0, 71.0), (250.0, 0.0), (100.0, 180.0)] {
        for camera in [camera(azimuth, polar), flat(azimuth, polar)] {
            let view = camera.view_of(1.5, &box_around(camera.target, 1.0));
            let (a, p) = (
                f64::from(azimuth).to_radians(),
                f64::from(polar).to_radians(),
            );
            let backward = DVec3::new(p.sin() * a.sin(), p.cos(), p.sin() * a.cos());
            let right = DVec3::new(a.cos(), 0.0, -a.sin());
            let up = backward.cross(right);
            let eye = camera.target.as_dvec3() + 2.0 * backward;
            let tan = (0.5 * f64::from(camera.fov_y_radians)).tan();
            for point in [
                DVec3::new(0.4, 1.5, 2.6),
                DVec3::new(1.3, 1.8, 2.9),
                DVec3::new(0.7, 2.2, 3.3),
            ] {
                let from_eye = point - eye;
                let depth = -from_eye.dot(backward);
                let half = if camera.is_parallel() {
                    2.0 * tan
                } else {
                    depth * tan
                };
                let expected = [from_eye.dot(right) / (half * 1.5), from_eye.dot(up) / half];
                let found = view.project(point.as_vec3());
                let error = (f64::from(found.x) - expected[0]).abs()
                    + (f64::from(found.y) - expected[1]).abs();
                assert!(
                    error < 1e-5,
                    "{azimuth} {polar} {point}: {found}, not {expected:?}"
                );
            }
        }
    }
}

#[test]
fn the_target_is_in_the_middle_and_depth_is_reversed() {
    for camera in [camera(40.0, 60.0), flat(40.0, 60.0)] {
        let view = camera.view(1.5);
        let ndc = |point: Vec3| view.project(point);
        let middle = ndc(camera.target);
        assert!(middle.truncate().length() < 1e-5);
        let behind = camera.target + 0.5 * (camera.target - camera.eye());
        assert!(0.0 < ndc(behind).z && ndc(behind).z < middle.z && middle.z < 1.0);
    }
}

#[test]
fn rays_go_where_the_picture_shows_them() {
    for camera in [camera(40.0, 60.0), flat(40.0, 60.0)] {
        let view = camera.view(1.5);
        for at in [[0.0, 0.0], [0.7, -0.3], [-1.0, 1.0]] {
            let ray = view.ray(at);
            for distance in [0.5, 3.7] {
                let point = ray.origin + ray.direction * distance;
                let ndc = view.project(point);
                let error = (ndc.x - at[0]).abs().max((ndc.y - at[1]).abs());
                assert!(error < 1e-5, "{at:?}: {ndc}");
                assert!((ray.direction.length() - 1.0).abs() < 1e-5);
            }
        }
    }
}

#[test]
fn a_reach_spans_what_the_picture_shows_of_it() {
    for camera in [camera(10.0, 80.0), flat(10.0, 80.0)] {
        let view = camera.view(1.2);
        let up = camera.world_from_view_rotation() * Vec3::Y;
        let ray = view.ray([0.0; 2]);
        let reach = view.reach(0.25);
        let distance = 1.7;
        let beside = ray.origin
            + ray.direction * distance
            + up * (reach.at_origin + reach.per_distance * distance);
        // A quarter of the height is half of −1..1's half.
        let ndc = view.project(beside);
        assert!((ndc.y - 0.5).abs() < 1e-5, "{ndc}");
    }
}

#[test]
fn going_flat_keeps_sizes_at_the_target() {
    let mut camera = camera(40.0, 60.0);
    let side = camera.target + camera.world_from_view_rotation() * Vec3::new(0.4, 0.3, 0.0);
    let at = |camera: &OrbitCamera| {
        let view = camera.view(1.5);
        view.project(side).truncate()
    };
    let expected = at(&camera);
    let mut before: Option<Vec3> = None;
    for step in 0..=100_u8 {
        camera.flatness = f32::from(step) / 100.0;
        assert!(at(&camera).abs_diff_eq(expected, 1e-4), "{step}");
        // What is in front of it and behind goes there without a jump.
        let near = camera.target + camera.world_from_view_rotation() * Vec3::new(0.3, 0.2, 0.5);
        let now = camera.view(1.5).project(near);
        if let Some(before) = before {
            assert!(now.truncate().distance(before.truncate()) < 0.01, "{step}");
        }
        before = Some(now);
    }
    assert!(camera.is_parallel());
}

#[test]
fn no_plane_cuts_a_model_be_it_huge_or_tiny_far_or_near() {
    for size in [1e-6_f32, 1.0, 1e7] {
        let half = size / 2.0;
        let extent = box_around(Vec3::splat(0.3 * size), half);
        for radius in [1e-4, 1e-2, 1.0, 30.0, 1e4] {
            for flatness in [0.0, 0.7, 1.0] {
                for shift in [Vec3::ZERO, Vec3::X, Vec3::new(-1.0, 1.0, 1.0)] {
                    let camera = OrbitCamera {
                        // Looked at sideways too, from afar and from near by.
                        target: extent.model.center() + shift * radius * size * 0.99,
                        azimuth_radians: 1.0,
                        radius: radius * size,
                        flatness,
                        ..OrbitCamera::default()
                    };
                    let view = camera.view_of(1.5, &extent);
                    let (min, max) = (extent.model.min, extent.model.max);
                    for step in 0..9 * 9 * 9 {
                        let part = |divisor: i32| (step / divisor % 9) as f32 / 8.0;
                        let part = Vec3::new(part(1), part(9), part(81));
                        let point = min + (max - min) * part;
                        let clip = view.to_clip(point);
                        let is_seen =
                            clip.w > 0.0 && clip.x.abs() < clip.w && clip.y.abs() < clip.w;
                        // In the box's middle the eye has no room: a ten-thousandth of it may be cut.
                        let is_close = view.eye.distance(point) < 2e-4 * size;
                        if is_seen && !is_close {
                            let depth = clip.z / clip.w;
                            assert!(
                                depth > 0.0 && depth <= 1.0,
                                "size {size} radius {radius} flat {flatness}: depth {depth}"
                            );
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn distances_of_a_box_hold_those_of_its_points() {
    let extent = box_around(Vec3::new(1.0, 1.0, 2.0), 0.5);
    for camera in [camera(40.0, 60.0), flat(40.0, 60.0)] {
        let view = camera.view_of(1.0, &extent);
        let [least, most] = view.distances(&extent.model);
        let corners = extent.model.corners().map(|corner| view.distance(corner));
        let farthest = corners.into_iter().fold(0.0, f32::max);
        assert!((farthest - most).abs() < 1e-5);
        assert!(corners.into_iter().all(|distance| distance >= least - 1e-5));
        assert!(view.distance(camera.target) > 0.0);
    }
}

#[test]
fn rotations_are_taken_apart_and_put_together() {
    for (azimuth, polar, roll) in [
        (0.4, 1.2, 0.0),
        (5.0, 2.5, 0.7),
        (1.0, 0.0, 0.0),
        (2.0, 3.1, 0.3),
    ] {
        let from = OrbitCamera {
            azimuth_radians: azimuth,
            polar_radians: polar,
            roll_radians: roll,
            ..OrbitCamera::default()
        };
        let rotation = from.world_from_view_rotation();
        let mut to = OrbitCamera::default();
        to.set_rotation(rotation);
        let found = to.world_from_view_rotation();
        let turn = (rotation * found.conjugate()).w.abs();
        assert!(turn > 1.0 - 1e-5, "{azimuth} {polar} {roll}: {turn}");
    }
    let mut camera = OrbitCamera::default();
    camera.set_rotation(Quat::IDENTITY);
    assert_eq!(camera.side(Facing::PlusZ), Some(Side::Front));
    assert_eq!(camera.side(Facing::MinusZ), Some(Side::Back));
}

#[test]
fn sides_look_from_where_they_say_and_top_has_front_below() {
    for (facing, ahead) in [(Facing::PlusZ, Vec3::Z), (Facing::MinusZ, Vec3::NEG_Z)] {
        for side in Side::ALL {
            let mut camera = camera(12.0, 34.0);
            camera.look_from(side, facing);
            let backward = (camera.eye() - camera.target).normalize();
            let direction = side.direction(facing);
            assert!(backward.abs_diff_eq(direction, 1e-5), "{side:?} {facing:?}");
            assert_eq!(camera.side(facing), Some(side));
            assert_eq!(side.opposite().direction(facing), -direction);
        }
        assert_eq!(Side::Front.direction(facing), ahead);
        // The left hand of who looks ahead.
        assert_eq!(Side::Left.direction(facing), Vec3::Y.cross(ahead));
        let mut camera = camera(12.0, 34.0);
        camera.look_from(Side::Top, facing);
        let up = camera.world_from_view_rotation() * Vec3::Y;
        assert!(up.abs_diff_eq(-ahead, 1e-5), "{facing:?}: {up}");
        let first = OrbitCamera::first_of(facing).view(1.0).backward();
        assert!(first.dot(ahead) > 0.8, "{facing:?}: {first}");
    }
}

#[test]
fn the_environment_keeps_its_angle_in_parallel_projection() {
    for camera in [camera(40.0, 60.0), flat(40.0, 60.0)] {
        let direction_from_clip = camera.view(1.0).direction_from_clip();
        let direction = |y: f32| {
            let direction = direction_from_clip * Vec4::new(0.0, y, 0.0, 1.0);
            direction.truncate().normalize()
        };
        let angle = direction(1.0).angle_between(direction(-1.0));
        assert!((angle - camera.fov_y_radians).abs() < 1e-4, "{angle}");
        let forward = (camera.target - camera.eye()).normalize();
        assert!(direction(0.0).abs_diff_eq(forward, 1e-5));
    }
}

#[test]
fn half_way_lies_between_and_goes_the_shorter_way_round() {
    let from = OrbitCamera {
        azimuth_radians: 0.1,
        radius: 1.0,
        ..OrbitCamera::default()
    };
    let to = OrbitCamera {
        azimuth_radians: std::f32::consts::TAU - 0.1,
        radius: 4.0,
        ..OrbitCamera::default()
    };
    let half = from.between(&to, 0.5);
    assert!(
        half.azimuth_radians.abs() < 1e-5,
        "{}",
        half.azimuth_radians
    );
    assert!((half.radius - 2.0).abs() < 1e-5);
}

#[test]
fn looking_around_leaves_the_eye_where_it_is() {
    let mut camera = camera(40.0, 60.0);
    let eye = camera.eye();
    camera.look_around(0.3, -0.2);
    assert!(camera.eye().abs_diff_eq(eye, 1e-5));
    assert!(camera.azimuth_radians.to_degrees() < 40.0);
}
