//! Parallel projection, whose depth is even: what compares depths finds the same however far the camera sees.

use glam::{Quat, Vec3};
use rigscope::{
    app::Actor,
    model::Projection,
    render::Picture,
    scene::{CameraView, Frame, LightSettings, OrbitCamera, SplitWay, ViewMode, file_camera_view},
};
use serde_json::json;

use super::{
    compared::{differing, frame, pair},
    quad::renderer,
    transparency::{paint, quads},
};
use crate::common::{gpu, to_image};

/// A camera as files have them, whose rays run side by side, and which sees so far.
fn parallel_camera(far: f32) -> CameraView {
    let projection = Projection::Orthographic {
        half_width: 1.5,
        half_height: 1.5,
        near: 0.0,
        far,
    };
    let eye = Vec3::new(0.0, 0.0, 0.5);
    file_camera_view(eye, Quat::IDENTITY, &projection, 1.0)
}

/// What lies half a unit apart does.
#[test]
fn ghosts_through_parallel_cameras_are_the_same_however_far_these_see() {
    let Some(gpu) = gpu() else { return };
    let at = |z: f64| {
        let mut actor = quads(&[(
            paint([0.2, 0.7, 0.2, 1.0]),
            json!({ "translation": [0, 0, z] }),
        )]);
        actor.measure();
        actor
    };
    let actors = [at(-0.5), at(0.0)];
    let mut renderer = renderer(&gpu, &actors[0], Some(&actors[1]));
    let mut drawn = |far: f32, subjects: [usize; 2]| {
        let frames = actors.each_ref().map(|actor| Frame {
            camera: parallel_camera(far),
            ..frame(actor, &OrbitCamera::default(), LightSettings::default())
        });
        let pair = pair(&actors, &frames, subjects, SplitWay::Overlay, true);
        to_image(&Picture::draw_pair(&gpu, &mut renderer, &pair, [80, 80]).unwrap())
    };
    let near = drawn(10.0, [0, 1]);
    let none = drawn(10.0, [0, 0]);
    assert!(differing(&near, 0, &none, 0, 80) > 1000, "there is a ghost");
    for far in [100.0, 1000.0, 10_000.0] {
        let differing = differing(&near, 0, &drawn(far, [0, 1]), 0, 80);
        assert_eq!(differing, 0, "{far}");
    }
}

/// Edges lie before the surface that they bound, not before another half a unit nearer, and are not cut off at the near plane.
#[test]
fn edges_through_parallel_cameras_are_the_same_however_far_these_see() {
    let Some(gpu) = gpu() else { return };
    let small = |z: f64| json!({ "translation": [0, 0, z], "scale": [0.5, 0.5, 1] });
    let front = |z: f64| json!({ "translation": [0, 0, z] });
    let white = paint([0.8, 0.8, 0.8, 1.0]);
    let mut actor = quads(&[(white.clone(), front(0.0)), (white.clone(), small(-0.5))]);
    let mut hidden = quads(&[(white.clone(), front(0.0))]);
    let mut nearest = quads(&[(white, small(0.4999))]);
    for actor in [&mut actor, &mut hidden, &mut nearest] {
        actor.measure();
    }
    let drawn = |actor: &Actor, far: f32, mode: ViewMode| {
        let mut frame = frame(actor, &OrbitCamera::default(), LightSettings::default());
        frame.camera = parallel_camera(far);
        frame.inspection.mode = mode;
        let mut renderer = renderer(&gpu, actor, None);
        to_image(&Picture::draw(&gpu, &mut renderer, actor.model(), &frame, [80, 80]).unwrap())
    };
    let wireframe = ViewMode::Wireframe;
    for actor in [&hidden, &nearest] {
        let plain = drawn(actor, 10.0, ViewMode::Faces);
        let edges = drawn(actor, 10.0, wireframe);
        assert!(differing(&plain, 0, &edges, 0, 80) > 100, "there are edges");
    }
    for far in [10.0, 100.0, 1000.0, 10_000.0] {
        let hides = drawn(&hidden, far, wireframe);
        let differing_behind = differing(&drawn(&actor, far, wireframe), 0, &hides, 0, 80);
        assert_eq!(differing_behind, 0, "behind, {far}");
        let near = drawn(&nearest, 10.0, wireframe);
        let differing = differing(&drawn(&nearest, far, wireframe), 0, &near, 0, 80);
        assert_eq!(differing, 0, "nearest, {far}");
    }
}
