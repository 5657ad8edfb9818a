//! Where a model is seen from after a save.

use super::*;

/// All of the model stays in the picture while the window is pulled into another shape.
#[test]
fn a_view_that_nobody_has_turned_stays_one() {
    let larger = |json: &mut serde_json::Value| {
        let root = json["scenes"][0]["nodes"][0].as_u64().unwrap() as usize;
        json["nodes"][root]["scale"] = serde_json::json!([1.5, 1.5, 1.5]);
    };
    let mut session = session();
    let camera = session.camera();
    session.reload_model(import(larger), Duration::ZERO);
    assert_eq!(session.camera(), camera);
    assert!(session.camera.is_first());
    session.set_window_aspect(0.5);
    assert_ne!(session.camera(), camera);
    session.apply(Command::Camera(CameraCommand::Orbit {
        right: 0.2,
        down: 0.0,
    }));
    session.reload_model(import(|_| {}), Duration::ZERO);
    assert!(!session.camera.is_first());
}

/// Whatever plays, and however many.
#[test]
fn the_ground_is_that_of_the_file_as_it_is_opened() {
    let larger = || {
        import(|json| {
            let root = json["scenes"][0]["nodes"][0].as_u64().unwrap() as usize;
            json["nodes"][root]["scale"] = serde_json::json!([1.5, 1.5, 1.5]);
            json["animations"].as_array_mut().unwrap().swap(0, 3);
        })
    };
    for (speed, count) in [(1.0, 1), (-1.0, 1), (1.0, 9)] {
        let set = |session: &mut Session| {
            session.apply(Command::Playback(PlaybackCommand::SetSpeed(speed)));
            session.apply(Command::Motion(MotionCommand::SetCrowdSize(count)));
        };
        let [mut opened, mut saved] = [(); 2].map(|()| session());
        set(&mut opened);
        opened.replace_model(larger(), None, Duration::ZERO);
        set(&mut saved);
        for command in [
            Command::SelectClip(Some(clip_of(&saved, "Walk"))),
            Command::Playback(PlaybackCommand::TogglePlay),
            Command::Playback(PlaybackCommand::Seek(0.4)),
            Command::Camera(CameraCommand::Orbit {
                right: 0.2,
                down: 0.0,
            }),
        ] {
            saved.apply(command);
        }
        saved.update();
        let before = (
            saved.camera(),
            saved.clock().clone(),
            saved.surroundings.ground,
        );
        saved.reload_model(larger(), Duration::ZERO);
        assert_eq!(
            saved.surroundings.ground, opened.surroundings.ground,
            "{count} at {speed}"
        );
        assert_ne!(saved.surroundings.ground, before.2);
        assert_eq!(
            (saved.camera(), saved.clock().clone()),
            (before.0, before.1)
        );
        // It is posed at its own moment, and measured there.
        let bounds = saved.actor().bounds();
        saved.pose_changed();
        saved.update();
        assert_eq!(saved.actor().bounds(), bounds, "{count} at {speed}");
        assert_eq!(saved.crowd_size(), count);
    }
}

/// Nor is it that of the moment at which the file is saved.
#[test]
fn the_ground_of_another_scene_is_still() {
    let with_two = || {
        import(|json| {
            let mut second = json["scenes"][0].clone();
            second["name"] = "second".into();
            json["scenes"].as_array_mut().unwrap().push(second);
        })
    };
    let mut session = Session::new(with_two(), None, Duration::ZERO);
    session.set_aspect(1.5);
    for command in [
        Command::SelectScene(1),
        Command::SelectClip(Some(clip_of(&session, "Jump"))),
        Command::Playback(PlaybackCommand::TogglePlay),
    ] {
        session.apply(command);
    }
    let mut grounds = Vec::new();
    for time_secs in [0.0, 0.3, 0.6] {
        session.apply(Command::Playback(PlaybackCommand::Seek(time_secs)));
        session.update();
        session.reload_model(with_two(), Duration::ZERO);
        assert_eq!(session.actor().scene(), 1);
        grounds.push(session.surroundings.ground);
    }
    assert_eq!(grounds, [grounds[0]; 3]);
}

#[test]
fn the_camera_of_the_file_stays() {
    let mut session = session();
    session.set_smooth_camera(true);
    session.apply(Command::Camera(CameraCommand::StepCamera(1)));
    session.tick(1.0);
    session.update();
    let node = session.camera.file_camera().expect("it is looked through");
    session.reload_model(import(turned), Duration::ZERO);
    assert_eq!(session.camera.file_camera(), Some(node));
    assert!(!session.camera.is_gliding(), "nothing moves");
    let without = |json: &mut serde_json::Value| {
        json["cameras"] = serde_json::json!([]);
    };
    session.reload_model(import(without), Duration::ZERO);
    assert_eq!(session.camera.file_camera(), None);
}

#[test]
fn a_camera_that_follows_stays_where_it_was() {
    let jump_first = |json: &mut serde_json::Value| {
        json["animations"].as_array_mut().unwrap().swap(0, 3);
    };
    let mut session = Session::new(import(jump_first), None, Duration::ZERO);
    session.set_aspect(1.5);
    assert_eq!(session.clip(), Some(clip_of(&session, "Jump")));
    for command in [
        Command::Playback(PlaybackCommand::TogglePlay),
        Command::Camera(CameraCommand::ToggleFollow),
        Command::Playback(PlaybackCommand::Seek(0.0)),
    ] {
        session.apply(command);
    }
    session.update();
    let start = session.camera();
    session.apply(Command::Playback(PlaybackCommand::Seek(1.0)));
    session.update();
    let camera = session.camera();
    let way = camera.target.distance(start.target);
    assert!(way > 0.05, "it follows: {way}");
    session.reload_model(import(jump_first), Duration::ZERO);
    session.update();
    let off = session.camera().target.distance(camera.target);
    assert!(off < 1e-5, "{off}");
    session.apply(Command::Playback(PlaybackCommand::Seek(0.0)));
    session.update();
    let off = session.camera().target.distance(start.target);
    assert!(off < 1e-5, "and goes on: {off}");
}

#[test]
fn a_model_in_another_unit_is_seen_whole() {
    for scale in [0.01, 100.0] {
        let mut session = session();
        session.apply(Command::Camera(CameraCommand::Orbit {
            right: 0.2,
            down: 0.0,
        }));
        let before = session.camera_view();
        session.reload_model(import(|_| {}), Duration::ZERO);
        assert_eq!(
            session.camera_view().view_from_world,
            before.view_from_world
        );
        assert_eq!(session.message(), None);
        let scaled = import(|json| {
            let roots = json["scenes"][0]["nodes"].take();
            let nodes = json["nodes"].as_array_mut().unwrap();
            nodes.push(serde_json::json!({"scale": [scale, scale, scale], "children": roots}));
            json["scenes"][0]["nodes"] = serde_json::json!([nodes.len() - 1]);
        });
        session.reload_model(scaled, Duration::ZERO);
        let view = session.camera_view();
        let times = session.actor().bounds().diagonal() / view.eye.length();
        assert!((0.1..10.0).contains(&times), "{times}");
        assert!(view.backward().abs_diff_eq(before.backward(), 1e-5));
        let message = session.message().unwrap();
        let word = if scale > 1.0 { "larger" } else { "smaller" };
        assert_eq!(
            message.title,
            format!("The model is 100 times {word} than before")
        );
    }
}
