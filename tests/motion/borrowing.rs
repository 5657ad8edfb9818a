//! Clips of one model on another: the same poses where the rigs are the same, the same turns where rest poses differ, and
//! what is said about nodes that did not match.

use std::time::Duration;

use glam::{Affine3A, Quat, Vec3};
use rigscope::anim::Pose;
use rigscope::anim::retarget::ClipSource;
use rigscope::app::{Actor, Session, built_in};
use rigscope::import::{Consent, Import, Progress, open};
use rigscope::model::{
    ClipBuilder, Hierarchy, Interpolation, Mesh, Model, Node, NodeId, Skin, Timeline, Transform,
};
use rigscope::ui::{BorrowedCommand, Command, MessageKind, Offer, PlaybackCommand};

use crate::common;

fn session_of(model: Model) -> Session {
    let import = Import {
        model,
        ..Import::default()
    };
    let mut session = Session::new(import, None, Duration::ZERO);
    session.update();
    session
}

pub(crate) fn pose_of(model: &Model, clip: usize, time_secs: f64) -> Pose {
    let mut actor = Actor::new(model.clone());
    actor.pose_at(Some(clip), time_secs);
    actor.pose().clone()
}

#[test]
fn on_the_same_rig_poses_are_the_same() {
    let source = built_in::load("Pip").unwrap().model;
    let mut model = source.clone();
    model.clips.clear();
    let own = ClipSource::of(source.clone());
    for (retarget, tolerance) in [(false, 0.0), (true, 1e-5)] {
        let bound = own.bind(&model, retarget);
        assert_eq!(bound.clips.len(), source.clips.len());
        assert!(bound.missing.is_empty() && bound.similar.is_empty());
        assert_eq!(bound.rest_angle_radians, 0.0);
        let mut borrowing = model.clone();
        borrowing.append_clips(bound.clips);
        for clip in 0..source.clips.len() {
            for step in 0..10 {
                let time = f64::from(step) * 0.17;
                let (a, b) = (
                    pose_of(&source, clip, time),
                    pose_of(&borrowing, clip, time),
                );
                let apart = a.world.iter().zip(&b.world);
                let apart = apart
                    .map(|(a, b)| (a.translation - b.translation).length())
                    .fold(0.0, f32::max);
                assert!(apart <= tolerance, "clip {clip} at {time}: {apart}");
            }
        }
    }
}

/// A leg: root → hips → knee → foot, of this size, with these rest rotations and names.
pub(crate) fn leg(names: [&str; 4], size: f32, rests: [Quat; 4]) -> Hierarchy {
    let places = [Vec3::ZERO, Vec3::Y * size, Vec3::NEG_Y * 0.5 * size];
    let mut above = Quat::IDENTITY;
    let mut nodes = Vec::new();
    for (place, (name, rotation)) in names.into_iter().zip(rests).enumerate() {
        let world = places[place.min(2)];
        nodes.push(Node {
            name: name.to_owned(),
            rest: Transform {
                translation: above.conjugate() * world,
                rotation,
                scale: Vec3::ONE,
            },
            ..Node::default()
        });
        above *= rotation;
    }
    let parents = [None, Some(0), Some(1), Some(2)];
    Hierarchy::new(nodes, &parents, &vec![vec![]; 4]).unwrap()
}

pub(crate) const NAMES: [&str; 4] = ["root", "hips", "knee", "foot"];

/// A clip that turns every node and moves the hips, with keys of both kinds.
pub(crate) fn walk(hierarchy: &Hierarchy) -> Model {
    let mut clip = ClipBuilder::new("Walk");
    let timeline = clip.timeline(Timeline::new(vec![0.0, 1.0]).unwrap());
    for (id, node) in hierarchy.iter() {
        let turn = Quat::from_axis_angle(Vec3::new(0.6, 0.0, 0.8), 0.4 + 0.2 * id.0 as f32);
        let rest = node.rest.rotation;
        let kinds = [Interpolation::Linear, Interpolation::CubicSpline];
        let kind = kinds[id.index() % 2];
        let tangent = Quat::from_xyzw(0.3, -0.2, 0.1, 0.2);
        let values = match kind {
            Interpolation::CubicSpline => {
                vec![tangent, rest, tangent, tangent, turn * rest, tangent]
            }
            _ => vec![rest, turn * rest],
        };
        clip.rotation(id, timeline, kind, values).unwrap();
    }
    let rest = hierarchy.node(NodeId(1)).rest.translation;
    let values = vec![rest, rest + Vec3::new(0.0, -0.2, 1.0)];
    clip.translation(NodeId(1), timeline, Interpolation::Linear, values)
        .unwrap();
    Model {
        hierarchy: hierarchy.clone(),
        clips: vec![clip.finish()],
        ..Model::default()
    }
}

fn world_rotations(hierarchy: &Hierarchy, pose: &Pose) -> Vec<Quat> {
    let mut rotations: Vec<Quat> = Vec::new();
    for (id, node) in hierarchy.iter() {
        let above = node.parent.map_or(Quat::IDENTITY, |p| rotations[p.index()]);
        rotations.push(above * pose.locals[id.index()].rotation);
    }
    rotations
}

#[test]
fn retargeted_every_node_turns_in_the_world_as_it_does_there() {
    let there = [0.0, 0.3, -0.5, 0.2].map(Quat::from_rotation_x);
    let here = [1.2, -0.4, 0.9, 0.0].map(Quat::from_rotation_z);
    let source = walk(&leg(NAMES, 1.0, there));
    let hierarchy = leg(NAMES, 2.0, here);
    let bare = Model {
        hierarchy,
        ..Model::default()
    };
    let turns = |model: &Model, time_secs| {
        let rest = world_rotations(&model.hierarchy, &Pose::new(&model.hierarchy));
        let posed = world_rotations(&model.hierarchy, &pose_of(model, 0, time_secs));
        let pairs = posed.into_iter().zip(rest);
        pairs
            .map(|(posed, rest)| posed * rest.conjugate())
            .collect::<Vec<_>>()
    };
    let made = |retarget| {
        let mut model = bare.clone();
        model.append_clips(ClipSource::of(source.clone()).bind(&model, retarget).clips);
        model
    };
    let (plain, turned) = (made(false), made(true));
    let mut plain_is_off = 0.0_f32;
    for step in 0..=8 {
        let time = f64::from(step) / 8.0;
        for ((there, here), plain) in turns(&source, time)
            .iter()
            .zip(turns(&turned, time))
            .zip(turns(&plain, time))
        {
            let off = 1.0 - there.dot(here).abs();
            assert!(off < 1e-5, "at {time}: {there:?} and {here:?}");
            plain_is_off = plain_is_off.max(1.0 - there.dot(plain).abs());
        }
    }
    assert!(plain_is_off > 0.01, "rest poses must matter here");
    // Legs of twice the length go twice as far, in the same direction.
    let way = |model: &Model| {
        let at = |time| Vec3::from(pose_of(model, 0, time).world[1].translation);
        // The root turns too: its share is taken out by looking at the hips alone.
        let hips = |time| pose_of(model, 0, time).locals[1].translation;
        (at(0.0), hips(1.0) - hips(0.0))
    };
    let (_, there_way) = way(&source);
    let (_, here_way) = way(&turned);
    let expected = (here[0].conjugate() * there[0]) * there_way * 2.0;
    assert!(
        here_way.abs_diff_eq(expected, 1e-5),
        "{here_way}, {expected}"
    );
}

#[test]
fn what_does_not_match_is_told_both_ways_and_the_model_stays() {
    let there = [Quat::IDENTITY; 4];
    let names = ["root", "mixamorig:Hips", "tail", "foot"];
    let mut model = Model {
        hierarchy: leg(["root", "hips", "knee", "foot"], 1.0, there),
        ..Model::default()
    };
    model.skins.push(Skin {
        joints: (0..4).map(NodeId).collect(),
        ..Skin::default()
    });
    let mut session = session_of(model);
    let generation = session.model_generation();
    session.add_clips("walks.glb", walk(&leg(names, 1.0, there)));
    let message = session.message().unwrap().clone();
    assert_eq!(message.title, "1 clip of walks.glb added");
    assert_eq!(message.kind, MessageKind::Warning);
    assert_eq!(
        message.detail,
        "3 of 4 moved nodes found here, 1 of them by a similar name.\n\
         Not found here: tail.\nJoints that stay still: knee."
    );
    assert_eq!(session.model().clips.len(), 1);
    assert_eq!(session.clip(), Some(0));
    assert!(session.is_moving());
    assert_eq!(
        session.model_generation(),
        generation,
        "nothing is uploaded again"
    );
    // A second file comes after the first; retargeting one leaves the other alone.
    session.add_clips("more.glb", walk(&leg(NAMES, 3.0, there)));
    let kept = session.model().clips[1].clone();
    session.apply(Command::Borrowed(BorrowedCommand::SetRetarget(0, true)));
    session.apply(Command::Borrowed(BorrowedCommand::SetRetarget(9, true)));
    assert_eq!(session.model().clips.len(), 2);
    assert_eq!(session.model().clips[1].rotations(), kept.rotations());
    session.apply(Command::Borrowed(BorrowedCommand::SetRetarget(1, true)));
    let hips = session.model().clips[1].translations()[0].values()[1];
    assert!(
        hips.abs_diff_eq(Vec3::new(0.0, 1.0 - 0.2 / 3.0, 1.0 / 3.0), 1e-5),
        "{hips}"
    );
    // What fits nowhere is refused, and named.
    session.add_clips("cars.glb", walk(&leg(["a", "b", "c", "d"], 1.0, there)));
    let message = session.message().unwrap();
    assert_eq!(message.kind, MessageKind::Error);
    assert!(message.title.contains("cars.glb"), "{message:?}");
    assert_eq!(session.model().clips.len(), 2);
    session.add_clips("still.glb", Model::default());
    let message = session.message().unwrap();
    assert_eq!(message.title, "The clips of 2 files are not added");
    let names_both = ["cars.glb", "still.glb"].map(|name| message.detail.contains(name));
    assert_eq!(names_both, [true; 2], "{message:?}");
}

/// Who has paused looks at the new clips paused, too; where nothing could be played, they play.
#[test]
fn added_clips_play_only_where_the_clips_before_did() {
    let there = [Quat::IDENTITY; 4];
    let walks = walk(&leg(NAMES, 1.0, there));
    let mut session = session_of(walks.clone());
    assert!(session.clock().is_playing());
    session.add_clips("more.glb", walks.clone());
    assert!(session.clock().is_playing());
    session.apply(Command::Playback(PlaybackCommand::TogglePlay));
    session.add_clips("others.glb", walks);
    assert_eq!(session.clip(), Some(2));
    assert!(!session.clock().is_playing());
}

/// Where it is said that rest poses differ, a button retargets; else there is none.
#[test]
fn clips_for_another_rest_pose_offer_to_be_retargeted() {
    let mut turned = [Quat::IDENTITY; 4];
    let model = Model {
        hierarchy: leg(NAMES, 1.0, turned),
        ..Model::default()
    };
    let mut session = session_of(model);
    session.add_clips("alike.glb", walk(&leg(NAMES, 1.0, turned)));
    assert_eq!(session.message().unwrap().offer, None);
    turned[1] = Quat::from_rotation_x(1.2);
    let other = walk(&leg(NAMES, 1.0, turned));
    session.add_clips("turned.glb", other.clone());
    let message = session.message().unwrap();
    assert_eq!(message.offer, Some(Offer::Retarget(1)));
    assert!(
        message.passes && message.detail.contains("up to 69°"),
        "{message:?}"
    );
    let as_it_was = session.model().clips[1].clone();
    assert_eq!(session.apply(Command::AcceptOffer), None);
    assert!(session.message().is_none());
    let bound = ClipSource::of(other).bind(session.model(), true);
    let retargeted = session.model().clips[1].rotations();
    assert_eq!(retargeted, bound.clips[0].rotations());
    assert_ne!(retargeted, as_it_was.rotations());
}

/// Centimetres on metres: it is said how many times, and retargeted the hips stand where they do there, a hundredth as high.
#[test]
fn clips_in_another_unit_are_told_and_retargeted() {
    let straight = [Quat::IDENTITY; 4];
    let model = Model {
        hierarchy: leg(NAMES, 1.0, straight),
        ..Model::default()
    };
    let large = walk(&leg(NAMES, 100.0, straight));
    let source = ClipSource::of(large.clone());
    let words = ["bones are 100 times as long there"];
    assert_eq!(source.bind(&model, false).misfits(), words);
    let child = ClipSource::of(walk(&leg(NAMES, 0.7, straight)));
    assert!(child.bind(&model, false).misfits().is_empty());
    for (size, factor) in [
        (0.5, "0.5"),
        (0.01, "0.01"),
        (0.254, "0.25"),
        (2.5, "2.5"),
        (30.48, "30"),
    ] {
        let other = ClipSource::of(walk(&leg(NAMES, size, straight)));
        let words = [format!("bones are {factor} times as long there")];
        assert_eq!(other.bind(&model, false).misfits(), words);
    }
    let mut fitted = model.clone();
    fitted.append_clips(source.bind(&model, true).clips);
    let hips = |model: &Model, time_secs| pose_of(model, 0, time_secs).world[1].translation;
    for time_secs in [0.0, 0.5, 1.0] {
        let [here, there] = [&fitted, &large].map(|model| hips(model, time_secs));
        assert!(here.distance(there / 100.0) < 1e-4, "{here} {there}");
    }
    let mut session = session_of(model);
    session.add_clips("large.glb", large);
    let message = session.message().unwrap();
    assert_eq!(message.offer, Some(Offer::Retarget(0)));
    assert!(
        message.detail.contains("Bones are 100 times"),
        "{message:?}"
    );
}

#[test]
fn morph_weights_go_by_the_names_of_their_targets() {
    let face = |names: &[&str]| {
        let node = Node {
            name: "Face".to_owned(),
            mesh: Some(0),
            ..Node::default()
        };
        let weights = [vec![0.125; names.len()]];
        Model {
            hierarchy: Hierarchy::new(vec![node], &[None], &weights).unwrap(),
            meshes: vec![Mesh {
                target_count: names.len(),
                target_names: names.iter().map(|name| (*name).to_owned()).collect(),
                ..Mesh::default()
            }]
            .into(),
            ..Model::default()
        }
    };
    let mut source = face(&["smile", "blink"]);
    let mut clip = ClipBuilder::new("Talk");
    let timeline = clip.timeline(Timeline::new(vec![0.0, 1.0]).unwrap());
    let values = vec![0.0, 0.5, 1.0, 0.75];
    clip.weights(NodeId(0), timeline, Interpolation::Linear, 2, values)
        .unwrap();
    source.clips.push(clip.finish());
    let source = ClipSource::of(source);
    let weights = |names: &[&str]| {
        let bound = source.bind(&face(names), false);
        let tracks = bound.clips[0].weights();
        tracks.first().map(|track| track.values().to_vec())
    };
    let three = weights(&["blink", "frown", "smile"]);
    assert_eq!(three.unwrap(), [0.5, 0.125, 0.0, 0.75, 0.125, 1.0]);
    let by_place = weights(&["a", "b"]);
    assert_eq!(by_place.unwrap(), [0.0, 0.5, 1.0, 0.75]);
    assert_eq!(weights(&["a", "b", "c"]), None);
}

#[test]
fn a_model_that_is_read_again_keeps_the_clips_it_was_given() {
    let there = [Quat::IDENTITY; 4];
    let model = Model {
        hierarchy: leg(NAMES, 1.0, there),
        ..Model::default()
    };
    let mut session = session_of(model.clone());
    session.add_clips("walks.glb", walk(&leg(NAMES, 1.0, there)));
    session.apply(Command::Playback(PlaybackCommand::Seek(0.5)));
    let import = Import {
        model: model.clone(),
        ..Import::default()
    };
    session.reload_model(import, Duration::ZERO);
    assert_eq!(session.model().clips.len(), 1);
    assert_eq!(session.clip(), Some(0));
    // Another one starts anew.
    let import = Import {
        model,
        ..Import::default()
    };
    session.replace_model(import, None, Duration::ZERO);
    assert!(session.model().clips.is_empty());
}

#[test]
fn families_of_the_corpus_share_clips() {
    let Some(folder) = common::folder("RIGSCOPE_CORPUS") else {
        return;
    };
    let model = |name: &str| {
        let path = folder.join("files").join(name);
        open(&[path], &Consent::default(), &Progress::default())
            .unwrap()
            .model
    };
    // Two hands with the same joints: the same poses, node by node.
    let source = model("aframe/controllers/hands/leftHandHigh.glb");
    let hand = model("aframe/controllers/hands/leftHand.glb");
    let own_clips = hand.clips.len();
    let mut session = session_of(hand);
    session.add_clips("leftHandHigh.glb", source.clone());
    let message = session.message().unwrap();
    println!("{}\n{}", message.title, message.detail);
    assert_eq!(session.model().clips.len(), own_clips + source.clips.len());
    let mut compared = 0;
    for clip in 0..source.clips.len() {
        for time in [0.0, 0.1, 0.25] {
            let there = pose_of(&source, clip, time);
            let here = pose_of(session.model(), own_clips + clip, time);
            for (id, node) in source.hierarchy.iter() {
                let own = session.model().hierarchy.iter();
                let own = own.filter(|(_, own)| own.name == node.name);
                let is_moved = |track: &rigscope::model::Track<Quat>| track.node() == id;
                if source.clips[clip].rotations().iter().any(is_moved) {
                    let (own, _) = own.last().unwrap();
                    assert_eq!(
                        there.locals[id.index()].rotation,
                        here.locals[own.index()].rotation
                    );
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 300, "{compared}");
    // A library of movements on a knight that it was made for; one node of 24 is the library's own.
    let mut session = session_of(model("kaykit/Characters/gltf/Knight.glb"));
    let own_clips = session.model().clips.len();
    let library = model("kaykit/anim/Med_MovementAdvanced.glb");
    session.add_clips("Med_MovementAdvanced.glb", library.clone());
    let message = session.message().unwrap();
    println!("{}\n{}", message.title, message.detail);
    assert!(message.detail.contains("Not found here: "), "{message:?}");
    for clip in 0..library.clips.len() {
        for retarget in [false, true] {
            session.apply(Command::Borrowed(BorrowedCommand::SetRetarget(0, retarget)));
            session.apply(Command::SelectClip(Some(own_clips + clip)));
            session.apply(Command::Playback(PlaybackCommand::Seek(0.3)));
            session.update();
            let pose = session.actor().pose();
            assert!(pose.world.iter().all(Affine3A::is_finite));
            let size = session.actor().bounds().diagonal();
            assert!((0.5..20.0).contains(&size), "clip {clip}: {size}");
        }
    }
}

/// Runs `rigscope pose` and returns what it saved.
fn pose_command(typed: &[&str]) -> anyhow::Result<serde_json::Value> {
    use clap::Parser as _;
    use rigscope::cli::{Arguments, CliCommand, pose};

    let folder = common::artefacts("borrowing");
    std::fs::create_dir_all(&folder).unwrap();
    let saved = folder.join("pose.json");
    let saved = saved.to_str().unwrap();
    let typed = ["rigscope", "pose", "--save", saved]
        .into_iter()
        .chain(typed.iter().copied());
    let Some(CliCommand::Pose(arguments)) = Arguments::parse_from(typed).command else {
        unreachable!("a pose was asked for");
    };
    assert_eq!(pose::run(&arguments)?, 0);
    Ok(serde_json::from_slice(&std::fs::read(saved).unwrap()).unwrap())
}

#[test]
fn the_command_line_borrows_clips_too() {
    let Some(folder) = common::folder("RIGSCOPE_CORPUS") else {
        return;
    };
    let hands = folder.join("files/aframe/controllers/hands");
    let [low, high] = ["leftHand.glb", "leftHandHigh.glb"].map(|name| hands.join(name));
    let [low, high] = [low.to_str().unwrap(), high.to_str().unwrap()];
    // Its own seven clips come first.
    let here = pose_command(&[low, "--clips-from", high, "--clip", "9", "--time", "0.2"]).unwrap();
    let there = pose_command(&[high, "--clip", "2", "--time", "0.2"]).unwrap();
    assert_eq!(here["clip"], there["clip"]);
    let world = |report: &serde_json::Value, wanted: &str| {
        let nodes = report["nodes"].as_array().unwrap().clone();
        let node = nodes.into_iter().find(|node| node["name"] == wanted);
        node.map(|node| node["world"].clone())
    };
    for joint in ["F2c", "F1a", "Tc", "Palm"] {
        assert_eq!(world(&here, joint).unwrap(), world(&there, joint).unwrap());
    }
    let error = pose_command(&[low, "--clips-from", "nowhere.glb", "--clip", "0"]).unwrap_err();
    assert!(format!("{error:#}").contains("nowhere.glb"), "{error:#}");
    let error = pose_command(&["builtin:Pip", "--clips-from", high, "--clip", "0"]).unwrap_err();
    assert!(
        format!("{error:#}").contains("leftHandHigh.glb"),
        "{error:#}"
    );
}
