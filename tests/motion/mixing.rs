//! Clips that play beside the chosen one, and morph weights that are held: what the session shows, beside the definition.

use std::time::Duration;

use glam::{Quat, Vec3};
use rigscope::anim::Pose;
use rigscope::anim::blend::{BlendMode, Blender, JointMask, Layer, Motion};
use rigscope::app::{Session, built_in};
use rigscope::import::Import;
use rigscope::model::{
    Clip, ClipBuilder, Hierarchy, Interpolation, Model, Node, NodeId, PropertyTarget, Timeline,
};
use rigscope::ui::{
    Command, ConflictRow, MixCommand, MixMode, MixReference, MorphCommand, MotionCommand,
    PlaybackCommand,
};

use MixCommand::*;

pub(super) fn session_of(model: Model) -> Session {
    let import = Import {
        model,
        ..Import::default()
    };
    let mut session = Session::new(import, None, Duration::ZERO);
    session.update();
    session
}

fn pip() -> Session {
    session_of(built_in::load("Pip").unwrap().model)
}

pub(super) fn ask(session: &mut Session, command: MixCommand) {
    assert_eq!(session.apply(Command::Mix(command)), None);
    session.update();
}

/// Stops, and goes to a time: whatever was coming in is in.
fn stop_at(session: &mut Session, time_secs: f64) {
    session.apply(Command::Playback(PlaybackCommand::StepFrames(0)));
    session.apply(Command::Playback(PlaybackCommand::Seek(time_secs)));
    session.update();
}

#[track_caller]
fn check_pose(session: &Session, expected: &Pose, tolerance: f32) {
    let mut farthest = 0.0_f32;
    for (a, b) in session.actor().pose().locals.iter().zip(&expected.locals) {
        farthest = farthest
            .max((a.translation - b.translation).length())
            .max(1.0 - a.rotation.dot(b.rotation).abs())
            .max((a.scale - b.scale).length());
    }
    for (a, b) in session.actor().pose().weights.iter().zip(&expected.weights) {
        farthest = farthest.max((a - b).abs());
    }
    assert!(farthest <= tolerance, "off by {farthest}");
}

fn blended(model: &Model, layers: &[Layer<'_>]) -> Pose {
    let mut pose = Pose::new(&model.hierarchy);
    Blender::new(&model.hierarchy).blend(layers, &mut pose);
    pose
}

/// hips (0) → spine (1) → hand (2), and clips that move: the hand's rotation and the hips' place; the hand's rotation; the
/// hand's place; the hips' place.
pub(super) fn puppet() -> Model {
    let node = |name: &str| Node {
        name: name.to_owned(),
        ..Node::default()
    };
    let nodes = vec![node("hips"), node("spine"), node("hand_R")];
    let weights = [vec![], vec![], vec![0.0, 0.25]];
    let hierarchy = Hierarchy::new(nodes, &[None, Some(0), Some(1)], &weights).unwrap();
    let clip = |name: &str, secs: f32, turned: Option<(u32, f32)>, moved: Option<(u32, f32)>| {
        let mut clip = ClipBuilder::new(name);
        let timeline = clip.timeline(Timeline::new(vec![0.0, secs]).unwrap());
        if let Some((node, angle)) = turned {
            let values = vec![Quat::IDENTITY, Quat::from_rotation_z(angle)];
            clip.rotation(NodeId(node), timeline, Interpolation::Linear, values)
                .unwrap();
        }
        if let Some((node, way)) = moved {
            let values = vec![Vec3::ZERO, Vec3::X * way];
            clip.translation(NodeId(node), timeline, Interpolation::Linear, values)
                .unwrap();
        }
        clip.finish()
    };
    let mut model = Model {
        clips: vec![
            clip("Walk", 1.0, Some((2, 1.0)), Some((0, 2.0))),
            clip("Wave", 2.0, Some((2, -0.5)), None),
            clip("Reach", 1.0, None, Some((2, 3.0))),
            clip("Hop", 0.5, None, Some((0, 1.0))),
        ],
        hierarchy,
        ..Model::default()
    };
    let mut talk = ClipBuilder::new("Talk");
    let timeline = talk.timeline(Timeline::new(vec![0.0, 1.0]).unwrap());
    talk.weights(
        NodeId(2),
        timeline,
        Interpolation::Linear,
        2,
        vec![0.0, 0.0, 1.0, 3.0],
    )
    .unwrap();
    let target = PropertyTarget::Visibility(NodeId(1));
    let values = vec![1.0, 0.0];
    talk.property(target, timeline, Interpolation::Step, values)
        .unwrap();
    model.clips.push(talk.finish());
    model
}

#[test]
fn clips_that_move_different_things_play_together_as_they_are() {
    let mut session = session_of(puppet());
    ask(&mut session, ToggleMixed(2));
    stop_at(&mut session, 0.5);
    assert_eq!(session.conflicts(), []);
    let pose = session.actor().pose();
    assert_eq!(pose.locals[0].translation, Vec3::X);
    assert_eq!(pose.locals[2].translation, Vec3::X * 1.5);
    let turn = pose.locals[2].rotation;
    assert!(
        turn.angle_between(Quat::from_rotation_z(0.5)) < 1e-3,
        "the rotation is still Walk's"
    );
    // What is not a clip's is nobody's, and twice is not at all.
    ask(&mut session, ToggleMixed(99));
    ask(&mut session, ToggleMixed(0));
    ask(&mut session, ToggleMixed(2));
    assert_eq!(session.actor().pose().locals[2].translation, Vec3::ZERO);
}

#[test]
fn clips_that_want_the_same_are_named_with_node_and_path() {
    let mut session = session_of(puppet());
    ask(&mut session, ToggleMixed(1));
    let sentences = |session: &Session| -> Vec<String> {
        let rows = session.conflicts().iter();
        rows.map(ConflictRow::sentence).collect()
    };
    let quarrel = "Walk and Wave both move hand_R rotation";
    assert_eq!(sentences(&session), [quarrel]);
    ask(&mut session, ToggleMixed(3));
    let other = "Walk and Hop both move hips translation";
    assert_eq!(sentences(&session), [quarrel, other]);
    // The later one wins.
    stop_at(&mut session, 0.5);
    assert_eq!(session.actor().pose().locals[0].translation, Vec3::X);
    stop_at(&mut session, 0.25);
    assert_eq!(session.actor().pose().locals[0].translation, Vec3::X * 0.5);
    // Blended, added, or kept to another part of the body there is nothing to quarrel about.
    ask(&mut session, SetMode(3, MixMode::Blend));
    assert_eq!(sentences(&session), [quarrel]);
    ask(&mut session, SetBelow(1, Some(1)));
    assert_eq!(
        sentences(&session),
        [quarrel],
        "the hand is below the spine"
    );
    ask(&mut session, SetMode(3, MixMode::Together));
    ask(&mut session, SetBelow(3, Some(1)));
    assert_eq!(sentences(&session), [quarrel], "the hips are not");
    ask(&mut session, SetMode(1, MixMode::Add));
    assert!(sentences(&session).is_empty());
    // The chosen clip counts, whichever it is.
    ask(&mut session, SetMode(1, MixMode::Together));
    session.apply(Command::SelectClip(None));
    assert!(sentences(&session).is_empty());
    session.apply(Command::SelectClip(Some(0)));
    assert_eq!(sentences(&session).len(), 1);
    ask(&mut session, EndMix);
    assert!(sentences(&session).is_empty());
}

/// What would hide the chosen clip is blended with it, so that both are seen; what leaves some of it plays as it is.
#[test]
fn a_second_clip_is_seen_beside_the_first() {
    let mut session = session_of(puppet());
    session.apply(Command::SelectClip(Some(1)));
    ask(&mut session, ToggleMixed(0));
    let walk = Quat::from_rotation_z(0.5);
    stop_at(&mut session, 0.5);
    let turn = session.actor().pose().locals[2].rotation;
    let between = turn.angle_between(walk);
    assert!((0.1..0.5).contains(&between), "{between} from Walk alone");
    assert_eq!(session.conflicts(), []);
    ask(&mut session, EndMix);
    ask(&mut session, ToggleMixed(2));
    stop_at(&mut session, 0.5);
    let moved = session.actor().pose().locals[2].translation;
    assert_eq!(moved, Vec3::X * 1.5, "all of it");
}

#[test]
fn a_blend_is_the_blend_of_both() {
    let mut session = pip();
    ask(&mut session, ToggleMixed(1));
    ask(&mut session, SetMode(1, MixMode::Blend));
    for weight in [0.0, 0.3, 0.75, 1.0] {
        ask(&mut session, SetWeight(1, weight));
        stop_at(&mut session, 0.4);
        let model = session.model();
        let motions = [
            Motion::new(&model.clips[0], 0.4, 1.0 - weight),
            Motion::new(&model.clips[1], 0.4, weight),
        ];
        let expected = blended(model, &[Layer::new(&motions)]);
        check_pose(&session, &expected, 1e-5);
    }
}

#[test]
fn a_clip_that_is_added_comes_on_top_of_its_reference() {
    let mut session = pip();
    ask(&mut session, ToggleMixed(1));
    ask(&mut session, SetMode(1, MixMode::Add));
    ask(&mut session, SetWeight(1, 0.7));
    let model = session.model().clone();
    let frame = |time_secs| {
        let motions = [Motion::new(&model.clips[1], time_secs, 1.0)];
        blended(&model, &[Layer::new(&motions)])
    };
    for (choice, reference) in [
        (MixReference::FirstFrame, frame(0.0)),
        (MixReference::RestPose, Pose::new(&model.hierarchy)),
        (MixReference::Frame(0.3), frame(0.3)),
    ] {
        ask(&mut session, SetReference(1, choice));
        stop_at(&mut session, 0.4);
        let base = [Motion::new(&model.clips[0], 0.4, 1.0)];
        let upper = [Motion::new(&model.clips[1], 0.4, 1.0)];
        let added = Layer {
            motions: &upper,
            weight: 0.7,
            mode: BlendMode::Additive {
                reference: &reference,
            },
            mask: None,
        };
        check_pose(
            &session,
            &blended(&model, &[Layer::new(&base), added]),
            1e-5,
        );
    }
}

#[test]
fn a_mask_confines_a_clip_to_what_hangs_on_a_node() {
    let mut session = pip();
    let hierarchy = &session.model().hierarchy;
    let node = hierarchy
        .iter()
        .find(|(id, node)| {
            let has_parent = node.parent.is_some();
            let mut children = hierarchy.iter();
            has_parent && children.any(|(_, child)| child.parent == Some(*id))
        })
        .unwrap()
        .0;
    ask(&mut session, ToggleMixed(1));
    ask(&mut session, SetMode(1, MixMode::Blend));
    ask(&mut session, SetWeight(1, 1.0));
    ask(&mut session, SetBelow(1, Some(node.index())));
    stop_at(&mut session, 0.4);
    let model = session.model();
    let alone = |clip: &Clip| {
        let motions = [Motion::new(clip, 0.4, 1.0)];
        blended(model, &[Layer::new(&motions)])
    };
    let (below, above) = (alone(&model.clips[1]), alone(&model.clips[0]));
    let mask = JointMask::subtree(&model.hierarchy, node);
    let mut counts = [0, 0];
    for (id, _) in model.hierarchy.iter() {
        let is_below = mask.weight(id) == 1.0;
        counts[usize::from(is_below)] += 1;
        let expected = if is_below { &below } else { &above };
        let found = session.actor().pose().locals[id.index()];
        assert_eq!(found, expected.locals[id.index()], "{id:?}");
    }
    assert!(counts[0] > 0 && counts[1] > 1, "{counts:?}");
}

#[test]
fn in_step_clips_share_a_phase_and_a_round_takes_the_mean_of_their_lengths() {
    let mut session = session_of(puppet());
    ask(&mut session, ToggleMixed(1));
    ask(&mut session, SetMode(1, MixMode::Blend));
    ask(&mut session, SetWeight(1, 0.5));
    ask(&mut session, SetInStep(true));
    stop_at(&mut session, 0.0);
    session.apply(Command::Playback(PlaybackCommand::TogglePlay));
    // Of 1 s and 2 s, half each: a round takes 1.5 s.
    session.tick(0.75);
    assert!((session.clock().time_secs() - 0.5).abs() < 1e-9);
    session.update();
    let model = session.model();
    let motions = [
        Motion::new(&model.clips[0], 0.5, 0.5),
        Motion::new(&model.clips[1], 1.0, 0.5),
    ];
    check_pose(&session, &blended(model, &[Layer::new(&motions)]), 1e-5);
    // Another chosen clip takes the phase over.
    session.apply(Command::SelectClip(Some(3)));
    assert!((session.clock().time_secs() - 0.25).abs() < 1e-9);
}

#[test]
fn out_of_step_each_clip_starts_again_in_its_own_time() {
    let mut session = session_of(puppet());
    session.apply(Command::Motion(MotionCommand::SetFade(0.0)));
    session.apply(Command::SelectClip(Some(2)));
    ask(&mut session, ToggleMixed(1));
    ask(&mut session, ToggleMixed(3));
    session.tick(1.25);
    session.update();
    let pose = session.actor().pose();
    let near = |x: f32, expected: f32| assert!((x - expected).abs() < 1e-5, "{x}, {expected}");
    near(pose.locals[2].translation.x, 3.0 * 0.25);
    near(pose.locals[0].translation.x, 0.5);
    let turn = pose.locals[2].rotation;
    near(turn.z.asin() * 2.0, -0.5 * 1.25 / 2.0);
    // Without a chosen clip the longest one gives the time.
    session.apply(Command::SelectClip(None));
    assert_eq!(session.clock().duration_secs(), 2.0);
    assert!(session.is_moving());
    ask(&mut session, EndMix);
    assert_eq!(session.clock().duration_secs(), 0.0);
    assert!(!session.is_moving());
}

#[test]
fn a_clip_too_many_is_refused_in_words() {
    let mut model = built_in::load("Pip").unwrap().model;
    let more = vec![model.clips.clone(); 20].concat();
    model.append_clips(more);
    let mut session = session_of(model);
    for clip in 1..=63 {
        ask(&mut session, ToggleMixed(clip));
        assert!(session.message().is_none());
    }
    ask(&mut session, ToggleMixed(64));
    let message = session.message().expect("it is refused");
    assert!(message.title.contains("63 clips"), "{}", message.title);
    ask(&mut session, ToggleMixed(3));
    session.apply(Command::DismissMessage);
    ask(&mut session, ToggleMixed(64));
    assert!(session.message().is_none());
}

#[test]
fn nothing_jumps_when_clips_join_change_and_leave() {
    let mut session = pip();
    session.apply(Command::Motion(MotionCommand::SetFade(0.2)));
    session.tick(0.3);
    session.update();
    let farthest_step = |session: &mut Session| {
        let mut farthest = 0.0_f32;
        let mut before = session.actor().pose().clone();
        for _ in 0..300 {
            session.update();
            let pose = session.actor().pose();
            let pairs = before.world.iter().zip(&pose.world);
            farthest = pairs
                .map(|(a, b)| (a.translation - b.translation).length())
                .fold(farthest, f32::max);
            before = pose.clone();
            session.tick(0.001);
        }
        farthest
    };
    let alone = farthest_step(&mut session);
    for command in [
        ToggleMixed(1),
        SetMode(1, MixMode::Blend),
        SetMode(1, MixMode::Add),
        SetReference(1, MixReference::RestPose),
        SetBelow(1, Some(2)),
        SetInStep(true),
        EndMix,
    ] {
        let name = format!("{command:?}");
        session.apply(Command::Mix(command));
        let step = farthest_step(&mut session);
        println!("{name}: {step} in a millisecond, {alone} without");
        // A cut moves Pip's joints by some tenths.
        assert!(step < 0.02, "{name}: {step}");
    }
}

#[test]
fn a_mix_allocates_nothing_once_buffers_have_grown() {
    let mut session = pip();
    session.apply(Command::Mix(ToggleMixed(1)));
    session.apply(Command::Mix(ToggleMixed(2)));
    session.apply(Command::Mix(SetMode(1, MixMode::Add)));
    session.apply(Command::Mix(SetBelow(2, Some(2))));
    session.apply(Command::Morphs(MorphCommand::Hold(0, 0.5)));
    for _ in 0..50 {
        session.tick(0.01);
        session.update();
    }
    let counted = allocation_counter::measure(|| {
        session.tick(0.01);
        session.update();
    });
    assert_eq!(counted.count_total, 0);
}

#[test]
fn held_morph_weights_stay_whatever_clips_say_until_they_are_released() {
    let mut session = session_of(puppet());
    session.apply(Command::Motion(MotionCommand::SetFade(0.0)));
    session.apply(Command::SelectClip(Some(4)));
    let weights = |session: &mut Session, time_secs| {
        stop_at(session, time_secs);
        session.actor().pose().weights.clone()
    };
    assert_eq!(weights(&mut session, 0.5), [0.5, 1.5]);
    session.apply(Command::Morphs(MorphCommand::Hold(1, -0.75)));
    session.apply(Command::Morphs(MorphCommand::Hold(99, 1.0)));
    session.apply(Command::Morphs(MorphCommand::Hold(0, f32::NAN)));
    assert_eq!(weights(&mut session, 0.5), [0.5, -0.75]);
    assert_eq!(weights(&mut session, 1.0), [1.0, -0.75]);
    assert_eq!(session.actor().held_weights(), [1]);
    // Kept across clips, and in mixes.
    session.apply(Command::SelectClip(Some(0)));
    assert_eq!(weights(&mut session, 0.5), [0.0, -0.75]);
    ask(&mut session, ToggleMixed(4));
    assert_eq!(weights(&mut session, 0.5), [0.5, -0.75]);
    session.apply(Command::Morphs(MorphCommand::Hold(0, 0.125)));
    session.apply(Command::Morphs(MorphCommand::Release(1)));
    assert_eq!(weights(&mut session, 0.5), [0.125, 1.5]);
    session.apply(Command::Morphs(MorphCommand::ReleaseAll));
    assert_eq!(weights(&mut session, 0.5), [0.5, 1.5]);
    // Another model starts anew.
    session.apply(Command::Morphs(MorphCommand::Hold(0, 0.125)));
    let import = Import {
        model: puppet(),
        ..Import::default()
    };
    session.replace_model(import, None, Duration::ZERO);
    session.update();
    assert_eq!(session.actor().pose().weights, [0.0, 0.25]);
    assert!(session.actor().held_weights().is_empty());
}

#[test]
fn properties_follow_a_mix() {
    // Talk hides the spine at its end: together it does, and as the greater part of a blend.
    let mut session = session_of(puppet());
    ask(&mut session, ToggleMixed(4));
    let is_hidden = |session: &mut Session| {
        stop_at(session, 1.0);
        session.actor().pose().hidden[1]
    };
    assert!(is_hidden(&mut session));
    ask(&mut session, SetMode(4, MixMode::Blend));
    ask(&mut session, SetWeight(4, 0.4));
    assert!(!is_hidden(&mut session));
    ask(&mut session, SetWeight(4, 0.6));
    assert!(is_hidden(&mut session));
}
