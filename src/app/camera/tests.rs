//! The session's camera: what it frames, follows and looks through.

use std::time::Duration;

use glam::{Vec2, Vec3};

use super::pane::CameraRows;
use crate::{
    anim::skinning,
    app::{Session, built_in},
    import::Import,
    model::{
        Camera, ClipBuilder, Facing, Hierarchy, Interpolation, Model, Node, NodeId, Projection,
        Scene, Timeline, Transform,
    },
    scene::Side,
    ui::{CameraCommand, Command, Flight, MixCommand, MotionCommand, PlaybackCommand},
};

fn pip() -> Session {
    let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
    session.set_aspect(1.4);
    session.update();
    session
}

fn camera(session: &mut Session, command: CameraCommand) {
    assert_eq!(session.apply(Command::Camera(command)), None);
    session.update();
}

/// Where a point is in the picture.
fn at(session: &Session, point: Vec3) -> Vec2 {
    session.camera_view().project(point).truncate()
}

fn place(session: &Session, node: NodeId) -> Vec3 {
    session.actor().pose().world[node.index()]
        .translation
        .into()
}

/// The farthest that a posed vertex is from the middle of the picture, in halves of its width and height.
fn farthest(session: &Session) -> f32 {
    let actor = session.actor();
    let (model, layout, palette) = (actor.model(), actor.layout(), actor.palette());
    let mut farthest = 0.0_f32;
    skinning::for_each_posed_vertex(model, layout, palette, 0, |point| {
        farthest = farthest.max(at(session, point).abs().max_element());
    });
    farthest
}

#[test]
fn the_whole_motion_is_in_the_picture_at_all_times() {
    for is_parallel in [false, true] {
        let mut session = pip();
        if is_parallel {
            camera(&mut session, CameraCommand::ToggleProjection);
        }
        for clip in 0..2 {
            session.apply(Command::SelectClip(Some(clip)));
            session.tick(1.0);
            session.update();
            let before = session.clock().time_secs();
            camera(&mut session, CameraCommand::FrameMotion);
            assert_eq!(session.clock().time_secs(), before, "time stays");
            let mut largest = 0.0_f32;
            for _ in 0..23 {
                session.tick(session.clock().duration_secs() / 22.7);
                session.update();
                largest = largest.max(farthest(&session));
            }
            assert!((0.4..=1.0).contains(&largest), "clip {clip}: {largest}");
        }
    }
}

/// Pip with one more clip, the first or the last, that goes aside and back late in its second.
fn with_late_clip(reach: f32, at: usize) -> Import {
    let mut import = built_in::load("Pip").unwrap();
    let mut clip = ClipBuilder::new("late");
    let times = clip.timeline(Timeline::new(vec![0.0, 0.75, 0.9, 1.0]).unwrap());
    let places = vec![Vec3::ZERO, Vec3::ZERO, reach * Vec3::X, Vec3::ZERO];
    clip.translation(NodeId(0), times, Interpolation::Linear, places)
        .unwrap();
    import.model.clips.insert(at, clip.finish());
    import
}

/// The farthest from the middle that anything is in the next second.
fn farthest_of_a_second(session: &mut Session) -> f32 {
    let mut largest = 0.0_f32;
    for _ in 0..40 {
        session.tick(1.0 / 40.0);
        session.update();
        largest = largest.max(farthest(session));
    }
    largest
}

#[test]
fn what_a_clip_reaches_late_is_framed_too() {
    let late = built_in::load("Pip").unwrap().model.clips.len();
    let mut session = Session::new(with_late_clip(9.0, late), None, Duration::ZERO);
    session.set_aspect(1.5);
    session.apply(Command::SelectClip(Some(late)));
    camera(&mut session, CameraCommand::FrameMotion);
    let largest = farthest_of_a_second(&mut session);
    assert!((0.7..=1.0).contains(&largest), "{largest}");
}

#[test]
fn a_model_is_first_seen_from_where_its_clip_stays_in_the_picture_unless_that_is_far() {
    let first_seen = |reach| {
        let mut session = Session::new(with_late_clip(reach, 0), None, Duration::ZERO);
        session.set_aspect(1.0);
        let radius = session.camera().radius;
        session.apply(Command::Camera(CameraCommand::FrameModel));
        (farthest_of_a_second(&mut session), radius, session)
    };
    let size = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO)
        .actor()
        .bounds()
        .diagonal();
    let (of_pose, radius, mut near) = first_seen(0.4 * size);
    let pose_radius = near.camera().radius;
    assert!(
        of_pose > 1.0,
        "framed by its pose it leaves the picture: {of_pose}"
    );
    assert!(
        radius > pose_radius && radius < 1.5 * pose_radius,
        "{radius}, {pose_radius}"
    );
    near.replace_model(with_late_clip(0.4 * size, 0), None, Duration::ZERO);
    let largest = farthest_of_a_second(&mut near);
    assert!((0.7..=1.0).contains(&largest), "{largest}");
    let (_, radius, far) = first_seen(9.0);
    assert_eq!(radius, far.camera().radius);
}

/// However far its clip has gone when a window changes its shape, it is framed as if it had not begun.
#[test]
fn when_a_window_changes_its_shape_makes_no_difference() {
    let framed_after = |secs: f64| {
        let mut session = Session::new(with_late_clip(9.0, 0), None, Duration::ZERO);
        session.set_window_aspect(1.0);
        session.tick(secs);
        session.update();
        session.set_window_aspect(0.7);
        session.camera()
    };
    assert_eq!(framed_after(0.9), framed_after(0.0));
}

#[test]
fn what_is_chosen_fills_the_picture() {
    let mut session = pip();
    session.apply(Command::Camera(CameraCommand::FrameModel));
    let whole = session.camera().radius;
    camera(&mut session, CameraCommand::FrameChosen);
    assert_eq!(session.camera().radius, whole, "nothing is chosen");
    let joints: Vec<NodeId> = session.actor().skeleton().joints().collect();
    let last = *joints.last().unwrap();
    session.apply(Command::SelectNode(Some(last.index())));
    camera(&mut session, CameraCommand::FrameChosen);
    let (near, target) = (session.camera().radius, session.camera().target);
    assert!(near < 0.8 * whole, "{near} of {whole}");
    assert!(target.distance(place(&session, last)) < near, "{target}");
    session.apply(Command::Camera(CameraCommand::FrameModel));
    assert!((session.camera().radius / whole - 1.0).abs() < 0.2);
}

#[test]
fn what_is_followed_stays_in_its_place_without_drift() {
    for chosen in [true, false] {
        let mut session = pip();
        let node = session.actor().skeleton().joints().last().unwrap();
        if chosen {
            session.apply(Command::SelectNode(Some(node.index())));
        }
        session.update();
        let before = session.camera_view();
        camera(&mut session, CameraCommand::ToggleFollow);
        assert_eq!(session.camera_view(), before, "it begins without a jump");
        let followed = session.followed_now().unwrap();
        let start = at(&session, place(&session, followed));
        let mut moved = 0.0_f32;
        for step in 0..2000_u16 {
            session.tick(0.013);
            session.update();
            let now = at(&session, place(&session, followed));
            assert!(
                now.distance(start) < 1e-4,
                "step {step}: {now}, not {start}"
            );
            moved = moved.max(session.camera_view().eye.distance(before.eye));
        }
        // Clips change, choices come and go: the camera stays where it is.
        session.apply(Command::Motion(MotionCommand::SetFade(0.0)));
        let eye = session.camera_view().eye;
        session.apply(Command::SelectNode(Some(0)));
        session.update();
        assert!(session.camera_view().eye.distance(eye) < 1e-4);
        if chosen {
            assert!(moved > 0.0, "the clip moves {followed:?}");
        }
    }
}

#[test]
fn projections_agree_on_sizes_and_on_what_is_picked() {
    let mut session = pip();
    let target = session.camera().target;
    let beside = target + session.camera().world_from_view_rotation() * Vec3::X * 0.1;
    let before = at(&session, beside);
    session.apply(Command::Pick {
        at: [0.0; 2],
        reach: 0.0,
    });
    let picked = session.selected;
    camera(&mut session, CameraCommand::ToggleProjection);
    assert!(session.camera_view().is_parallel());
    assert!(at(&session, beside).distance(before) < 1e-4);
    session.apply(Command::Pick {
        at: [0.0; 2],
        reach: 0.0,
    });
    assert!(picked.is_some());
    assert_eq!(session.selected, picked);
    for side in Side::ALL {
        camera(&mut session, CameraCommand::LookFrom(side));
        let backward = session.camera_view().backward();
        assert!(
            backward.abs_diff_eq(side.direction(Facing::PlusZ), 1e-5),
            "{side:?}"
        );
        assert!(farthest(&session) < 1.6);
    }
    camera(&mut session, CameraCommand::ToggleProjection);
    assert!(!session.camera_view().is_parallel());
}

/// Models of VRM 0.x look towards −Z.
#[test]
fn who_looks_back_is_seen_from_the_front() {
    let mut import = built_in::load("Pip").unwrap();
    import.model.facing = Facing::MinusZ;
    let mut session = Session::new(import, None, Duration::ZERO);
    session.set_aspect(1.5);
    session.update();
    let is_in_front = |session: &Session| session.camera_view().backward().z < -0.8;
    assert!(is_in_front(&session));
    for (side, direction) in [
        (Side::Left, Vec3::NEG_X),
        (Side::Back, Vec3::Z),
        (Side::Front, Vec3::NEG_Z),
    ] {
        camera(&mut session, CameraCommand::LookFrom(side));
        let backward = session.camera_view().backward();
        assert!(
            backward.abs_diff_eq(direction, 1e-5),
            "{side:?}: {backward}"
        );
        let mut rows = CameraRows::default();
        rows.update(&session);
        let pane = rows.pane(&session);
        assert_eq!((pane.side, pane.faces_back), (Some(side), true));
    }
    // The next model looks ahead again.
    let import = built_in::load("Pip").unwrap();
    session.replace_model(import, None, Duration::ZERO);
    session.update();
    assert!(session.camera_view().backward().z > 0.8);
}

#[test]
fn a_smooth_camera_glides_and_comes_to_rest() {
    let mut session = pip();
    session.apply(Command::Playback(PlaybackCommand::TogglePlay));
    session.set_smooth_camera(true);
    session.update();
    let mut before = session.camera_view();
    camera(&mut session, CameraCommand::LookFrom(Side::Top));
    camera(&mut session, CameraCommand::ToggleProjection);
    assert_eq!(session.camera_view(), before, "nothing jumps");
    let mut steps = 0;
    while session.is_moving() {
        session.tick(0.002);
        session.update();
        let now = session.camera_view();
        let turn = now.backward().angle_between(before.backward());
        assert!(turn < 0.05, "step {steps}: {turn}");
        before = now;
        steps += 1;
    }
    assert!((99..=102).contains(&steps), "{steps} steps of 2 ms");
    assert!(session.camera_view().is_parallel());
    assert!(session.camera_view().backward().abs_diff_eq(Vec3::Y, 1e-5));
}

/// A box of one triangle, and a camera that a clip moves sideways.
fn with_camera() -> Session {
    let node = |translation, camera| Node {
        rest: Transform {
            translation,
            ..Transform::IDENTITY
        },
        camera,
        ..Node::default()
    };
    let nodes = vec![
        node(Vec3::ZERO, None),
        node(Vec3::new(0.0, 1.0, 5.0), Some(0)),
        node(Vec3::X * 2.0, None),
        node(Vec3::new(0.0, 8.0, 0.0), Some(1)),
    ];
    let hierarchy = Hierarchy::new(nodes, &[None; 4], &[]).unwrap();
    let mut clip = ClipBuilder::new("dolly".to_owned());
    let timeline = clip.timeline(Timeline::new(vec![0.0, 1.0]).unwrap());
    let ends = vec![Vec3::new(0.0, 1.0, 5.0), Vec3::new(3.0, 1.0, 5.0)];
    clip.translation(NodeId(1), timeline, Interpolation::Linear, ends)
        .unwrap();
    let perspective = Projection::Perspective {
        fov_y_radians: 0.9,
        aspect: None,
        near: 0.1,
        far: Some(100.0),
    };
    let orthographic = Projection::Orthographic {
        half_width: 2.0,
        half_height: 1.0,
        near: 0.0,
        far: 50.0,
    };
    let named = |name: &str, projection| Camera {
        name: name.to_owned(),
        projection,
    };
    let model = Model {
        hierarchy,
        cameras: vec![named("Dolly", perspective), named("", orthographic)],
        clips: vec![clip.finish()],
        scenes: vec![Scene {
            roots: (0..4).map(NodeId).collect(),
            ..Scene::default()
        }],
        ..Model::default()
    };
    let import = Import {
        model,
        ..Import::default()
    };
    let mut session = Session::new(import, None, Duration::ZERO);
    session.set_aspect(1.5);
    session.update();
    session
}

#[test]
fn cameras_of_the_file_move_with_the_clip_and_let_go_where_they_are() {
    let mut session = with_camera();
    camera(&mut session, CameraCommand::StepCamera(1));
    for _ in 0..10 {
        session.tick(0.07);
        session.update();
        assert_eq!(session.camera_view().eye, place(&session, NodeId(1)));
    }
    let before = session.camera_view();
    assert!((2.0 * before.clip_from_view.y_axis.y.recip().atan() - 0.9).abs() < 1e-5);
    // A hand takes over where it is.
    session.apply(Command::Playback(PlaybackCommand::TogglePlay));
    session.apply(Command::Camera(CameraCommand::Orbit {
        right: 0.0,
        down: 0.0,
    }));
    session.update();
    for point in [Vec3::ZERO, Vec3::X, Vec3::new(-1.0, 1.5, -2.0)] {
        let there = before.project(point).truncate();
        assert!(at(&session, point).distance(there) < 1e-4);
    }
    session.apply(Command::Playback(PlaybackCommand::TogglePlay));
    session.tick(0.1);
    session.update();
    assert!(session.camera_view().eye.distance(before.eye) < 1e-4);
    // The next after the last is the free one, from where the last was.
    camera(&mut session, CameraCommand::StepCamera(-1));
    assert!(session.camera_view().is_parallel());
    assert_eq!(session.camera_view().clip_from_view.y_axis.y, 0.75);
    camera(&mut session, CameraCommand::StepCamera(1));
    assert_eq!(session.camera.file_camera(), None);
    assert!(session.camera_view().is_parallel());
    camera(&mut session, CameraCommand::LookThrough(Some(9)));
    assert_eq!(session.camera.file_camera(), None);
}

#[test]
fn cameras_are_found_by_name_and_by_index() {
    let session = with_camera();
    let find = |wanted| session.actor().find_camera(wanted).ok();
    assert_eq!(find("Dolly"), Some(NodeId(1)));
    assert_eq!(find("1"), Some(NodeId(3)));
    assert_eq!(find("2"), None);
    assert_eq!(find("node 3"), Some(NodeId(3)));
    assert_eq!(find(""), None);
    assert!(session.actor().file_camera(NodeId(3), 1.0).is_some());
    assert!(session.actor().file_camera(NodeId(0), 1.0).is_none());
}

#[test]
fn a_flight_comes_to_rest_when_it_is_let_go() {
    let mut session = with_camera();
    session.apply(Command::Playback(PlaybackCommand::TogglePlay));
    camera(&mut session, CameraCommand::ToggleFly);
    assert!(!session.is_moving());
    let flight = Flight {
        way: [0.0, 1.0, 0.0],
        is_fast: true,
    };
    camera(&mut session, CameraCommand::Fly(flight));
    assert!(session.is_moving());
    let eye = session.camera_view().eye;
    session.tick(0.25);
    let speed = session
        .camera
        .fly_speed(session.actor().bounds().diagonal());
    let gone = session.camera_view().eye - eye;
    assert!(gone.abs_diff_eq(Vec3::Y * speed, 1e-3 * speed), "{gone}");
    camera(&mut session, CameraCommand::ToggleFly);
    assert!(!session.is_moving());
}

#[test]
fn nothing_moves_the_camera_when_a_clip_changes() {
    let mut session = pip();
    camera(&mut session, CameraCommand::FrameMotion);
    let before = session.camera();
    session.apply(Command::SelectClip(Some(1)));
    session.tick(0.3);
    session.update();
    assert_eq!(session.camera(), before);
}

#[test]
fn what_plays_beside_no_clip_is_framed_too() {
    let mut import = built_in::load("Pip").unwrap();
    let mut clip = ClipBuilder::new("far");
    let times = clip.timeline(Timeline::new(vec![0.0, 0.5, 1.0]).unwrap());
    let places = vec![Vec3::ZERO, 9.0 * Vec3::X, Vec3::ZERO];
    clip.translation(NodeId(0), times, Interpolation::Linear, places)
        .unwrap();
    import.model.clips.push(clip.finish());
    let far = import.model.clips.len() - 1;
    let mut session = Session::new(import, None, Duration::ZERO);
    session.set_aspect(1.5);
    session.apply(Command::SelectClip(None));
    session.apply(Command::Motion(MotionCommand::SetFade(0.0)));
    session.apply(Command::Mix(MixCommand::ToggleMixed(far)));
    session.apply(Command::Playback(PlaybackCommand::Seek(0.0)));
    session.update();
    let pose = session.actor().pose().world.clone();
    camera(&mut session, CameraCommand::FrameMotion);
    session.update();
    assert_eq!(session.actor().pose().world, pose, "time comes back");
    session.apply(Command::Playback(PlaybackCommand::Seek(0.5)));
    session.update();
    let largest = farthest(&session);
    assert!((0.4..=1.0).contains(&largest), "{largest}");
}

#[test]
fn the_wheel_comes_near_to_what_is_under_the_pointer_and_not_through_it() {
    let mut session = pip();
    let toward = [0.0, 0.4];
    let ray = session.camera_view().ray(toward);
    let distance = |session: &Session| {
        let surfaces = session
            .actor()
            .surfaces(session.variant(), Default::default());
        surfaces.pick(&ray).unwrap().distance
    };
    let surface = ray.origin + ray.direction * distance(&session);
    for _ in 0..60 {
        session.apply(Command::Camera(CameraCommand::Zoom {
            notches: 1.0,
            toward,
        }));
        session.update();
        let view = session.camera_view();
        assert!((surface - view.eye).dot(-view.backward()) > 0.0);
        assert!(at(&session, surface).distance(Vec2::from(toward)) < 1e-2);
    }
    let size = session.actor().bounds().diagonal();
    assert!(session.camera_view().eye.distance(surface) < 0.01 * size);
}
