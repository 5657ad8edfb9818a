//! What the session plays: clips that fade into one another, clips that stay in place, boxes that follow the pose.

use std::time::Duration;

use glam::Vec3;
use rigscope::anim::blend::{Blender, Layer, Motion};
use rigscope::anim::root_motion::RootMotion;
use rigscope::anim::{Pose, Skinning, to_affine};
use rigscope::app::{Actor, ClipPart, Session, built_in};
use rigscope::import::Import;
use rigscope::model::{
    ClipBuilder, Hierarchy, Interpolation, Keyed as _, Mesh, Model, Node, NodeId, Primitive, Scene,
    Timeline, Vertices,
};
use rigscope::ui::{Command, MotionCommand, PlaybackCommand};

use crate::common;

fn pip() -> Session {
    let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
    assert!(session.model().clips.len() > 1 && session.clock().is_playing());
    session.update();
    session
}

/// The farthest that a node is from where it was, and the size of the model.
fn apart(a: &Pose, b: &Pose) -> f32 {
    let pairs = a.world.iter().zip(&b.world);
    pairs
        .map(|(a, b)| (a.translation - b.translation).length())
        .fold(0.0, f32::max)
}

#[test]
fn a_switch_of_clips_is_no_jump() {
    let farthest_step = |fade_secs: f64| {
        let mut session = pip();
        session.apply(Command::Motion(MotionCommand::SetFade(fade_secs)));
        session.tick(0.4);
        session.update();
        let mut before = session.actor().pose().clone();
        session.apply(Command::SelectClip(Some(1)));
        let mut farthest = 0.0_f32;
        for _ in 0..500 {
            session.update();
            let pose = session.actor().pose();
            farthest = farthest.max(apart(&before, pose));
            before = pose.clone();
            session.tick(0.001);
        }
        assert!(session.is_moving());
        // After the fade it is the clip alone, to the last bit.
        session.update();
        let mut alone = Actor::new(session.model().clone());
        alone.pose_at(Some(1), session.clock().time_secs());
        assert_eq!(alone.pose(), session.actor().pose());
        farthest
    };
    let (cut, fade) = (farthest_step(0.0), farthest_step(0.2));
    println!("in a millisecond: {cut} at a cut, {fade} in a fade of 0.2 s");
    assert!(fade < 0.1 * cut, "{fade} and {cut}");
    // More than two seconds are two, and nonsense is nothing.
    let mut session = pip();
    session.apply(Command::Motion(MotionCommand::SetFade(9.0)));
    session.apply(Command::Motion(MotionCommand::SetFade(f64::NAN)));
    session.apply(Command::SelectClip(Some(1)));
    session.tick(1.9);
    session.update();
    let mut alone = Actor::new(session.model().clone());
    alone.pose_at(Some(1), session.clock().time_secs());
    assert_ne!(alone.pose(), session.actor().pose());
    session.tick(0.2);
    session.update();
    alone.pose_at(Some(1), session.clock().time_secs());
    assert_eq!(alone.pose(), session.actor().pose());
}

#[test]
fn halfway_it_is_the_blend_of_both_at_their_own_times() {
    let mut session = pip();
    session.tick(0.3);
    session.apply(Command::Motion(MotionCommand::SetFade(0.2)));
    session.apply(Command::SelectClip(Some(1)));
    session.tick(0.1);
    session.update();
    let model = session.model();
    let mut expected = Pose::new(&model.hierarchy);
    let motions = [
        Motion::new(&model.clips[0], 0.4, 0.5),
        Motion::new(&model.clips[1], 0.1, 0.5),
    ];
    Blender::new(&model.hierarchy).blend(&[Layer::new(&motions)], &mut expected);
    expected.update_world(&model.hierarchy, Default::default());
    let error = apart(&expected, session.actor().pose());
    assert!(error < 1e-5, "{error}");
    assert_eq!(session.actor().palette().instance_count(), 1);
}

#[test]
fn who_looks_at_a_moment_sees_that_moment() {
    let alone = |session: &Session, clip, time_secs| {
        let mut actor = Actor::new(session.model().clone());
        actor.pose_at(clip, time_secs);
        assert_eq!(actor.pose(), session.actor().pose());
    };
    for command in [
        Command::Playback(PlaybackCommand::Seek(0.25)),
        Command::Playback(PlaybackCommand::StepFrames(3)),
        Command::Playback(PlaybackCommand::SeekStart),
        Command::Playback(PlaybackCommand::TogglePlay),
    ] {
        let mut session = pip();
        session.tick(0.4);
        session.apply(Command::SelectClip(Some(1)));
        session.tick(0.05);
        session.update();
        session.apply(command);
        session.update();
        alone(&session, Some(1), session.clock().time_secs());
    }
    // Where nothing moves, nothing fades.
    let mut session = pip();
    session.apply(Command::Playback(PlaybackCommand::TogglePlay));
    session.apply(Command::Playback(PlaybackCommand::Seek(0.4)));
    session.apply(Command::SelectClip(Some(1)));
    session.update();
    alone(&session, Some(1), session.clock().time_secs());
    // The file's own pose has no time that moves: it is faded to, and then there is rest.
    let mut session = pip();
    session.tick(0.4);
    session.apply(Command::SelectClip(None));
    assert!(session.is_moving());
    session.tick(0.1);
    session.update();
    let between = session.actor().pose().clone();
    session.tick(0.15);
    session.update();
    assert!(!session.is_moving());
    alone(&session, None, 0.0);
    assert!(apart(&between, session.actor().pose()) > 1e-3);
}

#[test]
fn fading_allocates_nothing_once_buffers_have_grown() {
    let model = built_in::load("Pip").unwrap().model;
    let mut actor = Actor::new(model);
    let part = |clip, weight| ClipPart {
        clip,
        time_secs: 0.3,
        weight,
    };
    let parts = [part(Some(0), 0.3), part(None, 0.1), part(Some(1), 0.6)];
    actor.pose_mix(parts.into_iter(), std::iter::empty());
    actor.estimate_bounds();
    let counted = allocation_counter::measure(|| {
        actor.pose_mix(parts.into_iter(), std::iter::empty());
        actor.estimate_bounds();
    });
    assert_eq!(counted.count_total, 0);
}

/// A triangle on a node that goes two metres ahead and a metre up in a second, with another clip that stays.
fn wanderer() -> Model {
    let node = Node {
        mesh: Some(0),
        ..Node::default()
    };
    let hierarchy = Hierarchy::new(vec![node], &[None], &[vec![]]).unwrap();
    let clip = |to: Vec3| {
        let mut clip = ClipBuilder::new("made");
        let timeline = clip.timeline(Timeline::new(vec![0.0, 1.0]).unwrap());
        let values = vec![Vec3::ZERO, to];
        clip.translation(NodeId(0), timeline, Interpolation::Linear, values)
            .unwrap();
        clip.finish()
    };
    let vertices = Vertices {
        positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
        ..Vertices::default()
    };
    let primitive = Primitive {
        indices: vec![0, 1, 2].into(),
        vertices,
        ..Primitive::default()
    };
    Model {
        meshes: vec![Mesh {
            primitives: vec![primitive],
            ..Mesh::default()
        }]
        .into(),
        materials: vec![Default::default()],
        scenes: vec![Scene {
            roots: vec![NodeId(0)],
            ..Scene::default()
        }],
        clips: vec![clip(Vec3::new(0.0, 1.0, 2.0)), clip(Vec3::ZERO)],
        hierarchy,
        ..Model::default()
    }
}

#[test]
fn clips_stay_in_place_if_they_shall() {
    let model = wanderer();
    assert!(RootMotion::find(&model, &model.clips[0]).is_some());
    let mut actor = Actor::new(model);
    let place = |actor: &Actor| Vec3::from(actor.pose().world[0].translation);
    actor.pose_at(Some(0), 0.5);
    assert_eq!(place(&actor), Vec3::new(0.0, 0.5, 1.0));
    actor.set_in_place(true);
    actor.pose_at(Some(0), 0.5);
    assert!(place(&actor).abs_diff_eq(Vec3::new(0.0, 0.5, 0.0), 1e-6));
    // Of two clips each stays by itself.
    let part = |clip| ClipPart {
        clip: Some(clip),
        time_secs: 0.5,
        weight: 0.5,
    };
    actor.pose_mix([part(0), part(1)].into_iter(), std::iter::empty());
    assert!(place(&actor).abs_diff_eq(Vec3::new(0.0, 0.25, 0.0), 1e-6));
    actor.set_in_place(false);
    actor.pose_mix([part(0), part(1)].into_iter(), std::iter::empty());
    assert!(place(&actor).abs_diff_eq(Vec3::new(0.0, 0.25, 0.5), 1e-6));

    let import = Import {
        model: wanderer(),
        ..Import::default()
    };
    let mut session = Session::new(import, None, Duration::ZERO);
    session.apply(Command::Motion(MotionCommand::ToggleInPlace));
    session.apply(Command::Playback(PlaybackCommand::Seek(0.5)));
    session.update();
    assert!(place(session.actor()).abs_diff_eq(Vec3::new(0.0, 0.5, 0.0), 1e-6));
    // It holds for the next model, too.
    let import = Import {
        model: wanderer(),
        ..Import::default()
    };
    session.replace_model(import, None, Duration::ZERO);
    session.apply(Command::Playback(PlaybackCommand::Seek(0.5)));
    session.update();
    assert!(place(session.actor()).abs_diff_eq(Vec3::new(0.0, 0.5, 0.0), 1e-6));
}

/// Each of a crowd stays where he stands, from the moment on that it is asked for, and the next model's crowd as well.
#[test]
fn crowds_stay_in_place_if_they_shall() {
    let import = || Import {
        model: wanderer(),
        ..Import::default()
    };
    let first = |session: &mut Session| {
        session.apply(Command::Playback(PlaybackCommand::Seek(0.5)));
        session.update();
        let matrices = session.actor().crowd().unwrap().first();
        Vec3::from(to_affine(&matrices[0]).translation)
    };
    let mut session = Session::new(import(), None, Duration::ZERO);
    session.apply(Command::Motion(MotionCommand::SetCrowdSize(2)));
    let still = Vec3::new(0.0, 0.5, 0.0);
    let moving = Vec3::new(0.0, 0.5, 1.0);
    assert!(first(&mut session).abs_diff_eq(moving, 1e-5));
    session.apply(Command::Motion(MotionCommand::ToggleInPlace));
    assert!(first(&mut session).abs_diff_eq(still, 1e-5));
    session.replace_model(import(), None, Duration::ZERO);
    assert!(first(&mut session).abs_diff_eq(still, 1e-5));
    session.apply(Command::Motion(MotionCommand::ToggleInPlace));
    assert!(first(&mut session).abs_diff_eq(moving, 1e-5));
}

#[test]
fn the_box_follows_the_pose_and_holds_it() {
    let mut session = pip();
    for &skinning in Skinning::ALL {
        session.set_skinning(skinning);
        for step in 0..10 {
            session.apply(Command::Playback(PlaybackCommand::Seek(
                f64::from(step) * 0.1,
            )));
            session.update();
            let estimate = session.actor().bounds();
            let mut actor = Actor::new(session.model().clone());
            actor.set_skinning(skinning);
            actor.pose_at(session.clip(), session.clock().time_secs());
            let exact = actor.measure();
            let holds = estimate.min.cmple(exact.min).all() && estimate.max.cmpge(exact.max).all();
            assert!(holds, "{estimate:?} does not hold {exact:?}");
            assert!(
                estimate.diagonal() < 1.6 * exact.diagonal(),
                "{estimate:?} around {exact:?}"
            );
        }
    }
}

#[test]
fn dual_quaternions_are_switched_by_a_command() {
    let mut session = pip();
    assert_eq!(session.actor().palette().skinning(), Skinning::Linear);
    assert!(session.actor().palette().rotations().is_empty());
    session.apply(Command::Motion(MotionCommand::ToggleDualQuaternions));
    assert!(session.update());
    let palette = session.actor().palette();
    assert_eq!(palette.rotations().len(), palette.matrices().len());
    session.apply(Command::Motion(MotionCommand::ToggleDualQuaternions));
    session.update();
    assert!(session.actor().palette().rotations().is_empty());
}

#[test]
fn the_corpus_stays_within_its_boxes() {
    let Some(folder) = common::folder("RIGSCOPE_CORPUS") else {
        return;
    };
    for name in [
        "Fox/glTF-Binary/Fox.glb",
        "CesiumMan/glTF-Binary/CesiumMan.glb",
    ] {
        let mut actor = common::actor(&folder.join("files/khronos-samples").join(name));
        for step in 0..8 {
            actor.set_skinning(Skinning::ALL[step % 2]);
            actor.pose_at(Some(0), step as f64 * 0.09);
            let (estimate, exact) = (actor.estimate_bounds(), actor.measure());
            let holds = estimate.min.cmple(exact.min).all() && estimate.max.cmpge(exact.max).all();
            assert!(holds, "{name}: {estimate:?} does not hold {exact:?}");
        }
    }
}
