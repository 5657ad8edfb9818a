//! Bind poses by the definition of inverse bind matrices, trails by full samples, and what the session shows of both.

use std::time::Duration;

use glam::{Affine3A, DAffine3, DMat4, Quat, Vec3};
use rigscope::anim::posing::{Offset, Offsets};
use rigscope::anim::root_motion::{RootMotion, Turning};
use rigscope::anim::{Cursors, Pose, Trail, bind_pose, sample};
use rigscope::app::{Session, built_in};
use rigscope::model::{
    ClipBuilder, Hierarchy, Interpolation, Model, Node, NodeId, Skin, Timeline, Transform,
};
use rigscope::scene::{ReferencePose, SkeletonSettings};
use rigscope::ui::{Command, PlaybackCommand, SkeletonCommand};

use crate::{
    common::{folder, processor_time::timed},
    corpus,
    rng::Rng,
};

fn double(matrix: &Affine3A) -> DAffine3 {
    DAffine3::from_cols_array(&matrix.to_cols_array().map(f64::from))
}

/// Of the skins of a model in its bind pose, how far `world_from_joint * joint_from_mesh` of any joint that belongs to no
/// earlier skin is from that of the first such joint, as a part of the matrix's greatest number; and how many were compared.
fn bind_error(model: &Model) -> (f64, usize) {
    let mut pose = Pose::new(&model.hierarchy);
    bind_pose(model, &mut pose);
    let (mut worst, mut compared) = (0.0_f64, 0);
    let mut is_taken = vec![false; model.hierarchy.len()];
    for skin in &model.skins {
        let mut first: Option<DMat4> = None;
        for (joint, joint_from_mesh) in skin.joints.iter().zip(&skin.joint_from_mesh) {
            let inverse = double(joint_from_mesh).inverse();
            let is_usable = inverse.is_finite() && joint_from_mesh.is_finite();
            if std::mem::replace(&mut is_taken[joint.index()], true) || !is_usable {
                continue;
            }
            let world_from_joint = double(&pose.world[joint.index()]);
            let world_from_mesh = DMat4::from(world_from_joint * double(joint_from_mesh));
            let first = *first.get_or_insert(world_from_mesh);
            let difference = (world_from_mesh - first).to_cols_array();
            let largest =
                |values: [f64; 16]| values.into_iter().fold(0.0, |a: f64, b| a.max(b.abs()));
            // What single precision loses: the numbers that the product is a sum of.
            let sums = largest(DMat4::from(world_from_joint).to_cols_array())
                * largest(DMat4::from(double(joint_from_mesh)).to_cols_array());
            worst = worst.max(largest(difference) / sums.max(1e-30));
            compared += 1;
        }
    }
    (worst, compared)
}

#[test]
fn bind_poses_of_the_corpus_are_what_inverse_bind_matrices_say() {
    let Some(folder) = folder("RIGSCOPE_CORPUS") else {
        return;
    };
    let (mut worst, mut joints, mut files) = (0.0_f64, 0, 0);
    for entry in corpus::files(&folder).0 {
        let path = &entry.path;
        let Ok(import) = rigscope::cli::load(path) else {
            continue;
        };
        if import.model.skins.is_empty() {
            continue;
        }
        let (error, compared) = bind_error(&import.model);
        assert!(error < 1e-6, "{}: {error}", path.display());
        worst = worst.max(error);
        joints += compared;
        files += 1;
    }
    println!("{joints} joints of {files} files: {worst:.1e} at worst");
    assert!(files > 60);
}

fn node(translation: Vec3) -> Node {
    Node {
        rest: Transform {
            translation,
            ..Transform::IDENTITY
        },
        ..Node::default()
    }
}

/// A root and two joints in a row, each one above the last, with the bind matrices of two joints of 2 units' distance.
fn model(world_from_bind: Affine3A) -> Model {
    let parents = [None, Some(0), Some(1)];
    let hierarchy = Hierarchy::new(vec![node(Vec3::Y); 3], &parents, &[]).unwrap();
    let bound = |y: f32| (world_from_bind * Affine3A::from_translation(Vec3::Y * y)).inverse();
    Model {
        hierarchy,
        skins: vec![Skin {
            joints: vec![NodeId(2), NodeId(1)],
            joint_from_mesh: vec![bound(4.0), bound(2.0)],
            ..Skin::default()
        }],
        ..Model::default()
    }
}

fn heights(model: &Model) -> Vec<f32> {
    let mut pose = Pose::new(&model.hierarchy);
    bind_pose(model, &mut pose);
    pose.world.iter().map(|world| world.translation.y).collect()
}

#[test]
fn the_bind_pose_stands_where_the_file_means_it() {
    // The mesh stands in the world as it is.
    assert_eq!(heights(&model(Affine3A::IDENTITY)), [1.0, 2.0, 4.0]);
    // Matrices in centimetres: neither the world nor the node above is near, so the topmost joint stays at its 2.
    let centimetres = Affine3A::from_scale(Vec3::splat(100.0));
    let found = heights(&model(centimetres));
    for (found, expected) in found.into_iter().zip([1.0, 2.0, 4.0]) {
        assert!((found - expected).abs() < 1e-5, "{found}");
    }
}

#[test]
fn the_first_skin_says_where_shared_joints_are_and_the_next_one_stands_on_them() {
    let mut model = model(Affine3A::IDENTITY);
    let moved = |y: f32| Affine3A::from_translation(Vec3::Y * y).inverse();
    // It shares joint 1, which it has at 10 instead of 2, and has joint 2 five above it; joint 2 belongs to the first.
    model.skins.push(Skin {
        joints: vec![NodeId(1), NodeId(2)],
        joint_from_mesh: vec![moved(10.0), moved(15.0)],
        ..Skin::default()
    });
    assert_eq!(heights(&model), [1.0, 2.0, 4.0]);
    model.skins[0].joints.remove(0);
    model.skins[0].joint_from_mesh.remove(0);
    assert_eq!(
        heights(&model),
        [1.0, 2.0, 7.0],
        "five above what they share"
    );
}

#[test]
fn joints_without_an_inverse_follow_their_parents() {
    let mut model = model(Affine3A::IDENTITY);
    model.skins[0].joint_from_mesh[0] = Affine3A::from_scale(Vec3::ZERO);
    assert_eq!(heights(&model), [1.0, 2.0, 3.0]);
}

/// Where a node is by a full sample of the clip.
fn by_full_sample(
    model: &Model,
    clip: usize,
    node: NodeId,
    time_secs: f64,
    offsets: &Offsets,
) -> Vec3 {
    let mut pose = Pose::new(&model.hierarchy);
    sample(
        &model.clips[clip],
        time_secs,
        &mut Cursors::default(),
        &mut pose,
    );
    offsets.add_to(&mut pose);
    pose.update_world(&model.hierarchy, Affine3A::IDENTITY);
    pose.world[node.index()].translation.into()
}

#[test]
fn trails_go_where_full_samples_are() {
    let mut rng = Rng::new(41);
    let mut models: Vec<Model> = ["Pip", "Windmill"]
        .into_iter()
        .map(|name| built_in::load(name).unwrap().model)
        .collect();
    if let Some(folder) = folder("RIGSCOPE_CORPUS") {
        let names = [
            "Fox.glb",
            "CesiumMan.glb",
            "BrainStem.glb",
            "InterpolationTest.glb",
        ];
        let files = corpus::files(&folder).0;
        let wanted = files
            .iter()
            .map(|entry| &entry.path)
            .filter(|path| names.iter().any(|name| path.ends_with(name)));
        models.extend(wanted.map(|path| rigscope::cli::load(path).unwrap().model));
    }
    let mut compared = 0;
    for model in &models {
        for round in 0..12 {
            let clip = rng.index(model.clips.len());
            let node = NodeId(rng.index(model.hierarchy.len()) as u32);
            let mut offsets = Offsets::default();
            // Half of them with all nodes above turned and moved by hand.
            let above = |node: &NodeId| model.hierarchy.node(*node).parent;
            let chain = std::iter::successors(Some(node), above).filter(|_| round % 2 == 1);
            for node in chain {
                let offset = Offset {
                    translation: rng.vec3(0.1),
                    rotation: rng.rotation(),
                    scale: Vec3::splat(rng.float(0.9, 1.1)),
                };
                offsets.set(node, offset);
            }
            let trail = Trail::new(model, &model.clips[clip], node, 30.0, None, &offsets);
            let duration_secs = f64::from(model.clips[clip].duration_secs());
            assert_eq!(trail.times_secs.first(), Some(&0.0));
            assert_eq!(trail.times_secs.last(), Some(&duration_secs));
            assert!(trail.points.len() as f64 >= (duration_secs * 30.0).min(1800.0));
            assert!(trail.points.len() <= 1801 && !trail.marks.is_empty());
            for (&time_secs, &point) in trail.times_secs.iter().zip(&trail.points) {
                let expected = by_full_sample(model, clip, node, time_secs, &offsets);
                let size = expected.length().max(1.0);
                assert!(
                    point.distance(expected) <= 1e-5 * size,
                    "{point} {expected}"
                );
                compared += 1;
            }
        }
    }
    println!("{compared} points of {} models", models.len());
}

fn pip() -> Session {
    let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
    session.update();
    session
}

#[test]
fn a_held_pose_stands_still_and_the_clip_returns() {
    let mut session = pip();
    session.tick(0.3);
    session.update();
    let toggle = Command::Skeleton(SkeletonCommand::ToggleHeld);
    let played = session.actor().pose().clone();
    session.apply(toggle.clone());
    session.update();
    let bound = session.actor().pose().clone();
    assert_ne!(bound.world, played.world);
    session.tick(0.2);
    session.update();
    assert_eq!(
        session.actor().pose().world,
        bound.world,
        "time goes on, it does not move"
    );
    session.apply(Command::Skeleton(SkeletonCommand::Hold(Some(
        ReferencePose::Rest,
    ))));
    session.update();
    assert_eq!(
        session.actor().pose(),
        &Pose::new(&session.model().hierarchy)
    );
    session.apply(toggle.clone());
    session.apply(Command::Playback(PlaybackCommand::Seek(0.3)));
    session.update();
    assert_eq!(session.actor().pose(), &played);
    // It is the rest pose that is held again; choosing a clip shows the clip.
    session.apply(toggle);
    session.update();
    assert_eq!(
        session.actor().pose(),
        &Pose::new(&session.model().hierarchy)
    );
    session.apply(Command::SelectClip(Some(0)));
    session.apply(Command::Playback(PlaybackCommand::Seek(0.3)));
    session.update();
    assert_eq!(session.actor().pose(), &played);
}

/// A chain of joints that all turn: the work for a trail does not grow with its length, and its points stay where they are.
#[test]
fn a_trail_far_down_a_chain_has_fewer_points() {
    const LENGTH: usize = 20_000;
    let parents: Vec<_> = (0..LENGTH).map(|node| node.checked_sub(1)).collect();
    let node = Node {
        rest: Transform {
            translation: Vec3::new(1e-3, 0.0, 0.0),
            ..Transform::IDENTITY
        },
        ..Node::default()
    };
    let hierarchy = Hierarchy::new(vec![node; LENGTH], &parents, &vec![Vec::new(); LENGTH]);
    let mut clip = ClipBuilder::new("curl");
    let timeline = clip.timeline(Timeline::new(vec![0.0, 60.0]).unwrap());
    for node in 0..LENGTH {
        let turns = vec![Quat::IDENTITY, Quat::from_rotation_y(1e-4)];
        let node = NodeId(node as u32);
        clip.rotation(node, timeline, Interpolation::Linear, turns)
            .unwrap();
    }
    let model = Model {
        hierarchy: hierarchy.unwrap(),
        clips: vec![clip.finish()],
        ..Model::default()
    };
    let last = NodeId(LENGTH as u32 - 1);
    let trail = Trail::new(
        &model,
        &model.clips[0],
        last,
        30.0,
        None,
        &Offsets::default(),
    );
    assert!(
        trail.points.len() * LENGTH <= 8_000_000,
        "{}",
        trail.points.len()
    );
    assert!(trail.points.len() > 100);
    assert_eq!(trail.times_secs.last(), Some(&60.0));
    for place in [0, trail.points.len() / 2, trail.points.len() - 1] {
        let expected = by_full_sample(
            &model,
            0,
            last,
            trail.times_secs[place],
            &Offsets::default(),
        );
        let missed = trail.points[place].distance(expected);
        assert!(missed < 1e-3, "{missed} at {expected}");
    }
    // Where nothing above it moves, it has all of them.
    let turns = model.clips[0].of_nodes(|node| node == last);
    let trail = Trail::new(&model, &turns, last, 30.0, None, &Offsets::default());
    assert_eq!(trail.points.len(), 1801);
}

/// However far down a root moves, what stands still above it is multiplied once, and not at each point or key.
#[test]
fn a_deep_root_is_held_in_place_at_the_price_of_what_moves() {
    const DEPTH: usize = 200_000;
    const KEYS: usize = 1801;
    let node = Node {
        rest: Transform {
            translation: Vec3::new(1e-5, 0.0, 0.0),
            ..Transform::IDENTITY
        },
        ..Node::default()
    };
    let parents: Vec<_> = (0..DEPTH).map(|node| node.checked_sub(1)).collect();
    let hierarchy = Hierarchy::new(vec![node; DEPTH], &parents, &vec![Vec::new(); DEPTH]);
    let root = NodeId(DEPTH as u32 - 1);
    let mut clip = ClipBuilder::new("walk");
    let times = (0..KEYS).map(|key| key as f32 / 30.0).collect();
    let timeline = clip.timeline(Timeline::new(times).unwrap());
    let ways: Vec<_> = (0..KEYS)
        .map(|key| Vec3::new(0.0, 1.0, key as f32))
        .collect();
    clip.translation(root, timeline, Interpolation::Linear, ways)
        .unwrap();
    let clip = clip.finish();
    let model = Model {
        hierarchy: hierarchy.unwrap(),
        ..Model::default()
    };
    let motion = RootMotion::extract(&model, &clip, root, Turning::Ignored, 1 << 22);
    let ((trail, still), took) = timed(|| {
        let held = Some(&motion);
        let trail = Trail::new(&model, &clip, root, 30.0, held, &Offsets::default());
        (trail, motion.still_clip(&model, &clip).unwrap())
    });
    assert!(took < Duration::from_secs(4), "{took:?}");
    assert_eq!(trail.points.len(), KEYS);
    let start = trail.points[0];
    let apart = trail.points.iter().map(|point| point.distance(start));
    assert!(apart.fold(0.0, f32::max) < 1e-3);
    let values = still.translations()[0].values();
    assert_eq!(values.len(), KEYS);
    assert!(values.iter().all(|value| value.z.abs() < 1e-3));
}

#[test]
fn trails_and_onion_skins_are_drawn_for_one_model_and_not_for_crowds() {
    let mut session = pip();
    let hand = session.actor().skeleton().joints().last().unwrap();
    let lines = |session: &mut Session, trail, onion_skins| {
        let settings = SkeletonSettings {
            trail,
            onion_skins,
            ..SkeletonSettings::default()
        };
        session.apply(Command::Skeleton(SkeletonCommand::Set(settings)));
        session.apply(Command::Playback(PlaybackCommand::Seek(0.5)));
        session.update();
        session
            .frame()
            .overlay
            .map_or(0, |overlay| overlay.lines.len() + overlay.top_lines.len())
    };
    assert_eq!(lines(&mut session, true, false), 0, "no node is chosen");
    session.apply(Command::SelectNode(Some(hand.index())));
    let trail = lines(&mut session, true, false);
    let skins = lines(&mut session, false, true);
    let cross = lines(&mut session, false, false);
    assert_eq!(cross, 3, "where the joint is");
    let (trail, skins) = (trail - cross, skins - cross);
    let joints = session.actor().skeleton().joints().count();
    assert!(trail > 20, "{trail}");
    assert!(skins >= 3 * (joints - 1) && skins <= 6 * joints, "{skins}");
    assert_eq!(lines(&mut session, true, true), trail + skins + cross);
    session.set_crowd_size(10);
    assert_eq!(lines(&mut session, true, true), 0);
}

#[test]
fn trails_that_are_kept_stay_when_another_node_is_chosen() {
    let mut session = pip();
    let joints: Vec<_> = session.actor().skeleton().joints().collect();
    let lines = |session: &mut Session| {
        session.apply(Command::Playback(PlaybackCommand::Seek(0.5)));
        session.update();
        let overlay = session.frame().overlay;
        overlay.map_or(0, |overlay| overlay.top_lines.len())
    };
    let keep = |node: NodeId| Command::Skeleton(SkeletonCommand::KeepTrail(node.index()));
    let [hand, foot] = [joints[joints.len() - 1], joints[joints.len() / 2]];
    session.apply(keep(hand));
    let one = lines(&mut session);
    assert!(one > 20, "whoever keeps a trail sees it: {one}");
    session.apply(Command::SelectNode(Some(hand.index())));
    assert_eq!(lines(&mut session), one, "none is drawn twice");
    session.apply(Command::SelectNode(Some(foot.index())));
    let both = lines(&mut session);
    assert!(both > one + 20, "{one} {both}");
    session.apply(keep(foot));
    session.apply(Command::SelectNode(None));
    assert_eq!(lines(&mut session), both);
    session.apply(keep(hand));
    assert_eq!(lines(&mut session), both - one);
    session.apply(keep(hand));
    session.apply(Command::Skeleton(SkeletonCommand::ForgetTrails));
    assert_eq!(lines(&mut session), 0);
    // A thicket has an end.
    for node in 0..session.model().hierarchy.len() {
        session.apply(keep(NodeId(node as u32)));
    }
    assert!(lines(&mut session) <= 24 * (both + 1));
    session.apply(Command::Skeleton(SkeletonCommand::KeepTrail(usize::MAX)));
    lines(&mut session);
}

#[test]
fn the_bind_pose_of_a_built_in_model_is_exact() {
    let model = built_in::load("Pip").unwrap().model;
    let (error, joints) = bind_error(&model);
    println!("{joints} joints: {error:.1e}");
    assert!(joints > 10 && error < 1e-6);
}
