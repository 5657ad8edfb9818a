//! Root motion: ways known beforehand, playback in place, loops, and the choice of the root.

use std::f64::consts::{PI, TAU};

use glam::{Affine3A, DVec2, Quat, Vec3};
use rigscope::anim::blend::{BlendMode, Blender, InPlace, Layer, Motion};
use rigscope::anim::root_motion::{PlanarMotion, RootMotion, Turning, choose_root};
use rigscope::anim::{Cursors, Pose, sample};
use rigscope::model::{
    Clip, ClipBuilder, Hierarchy, Interpolation, Model, Node, NodeId, Skin, Timeline, Transform,
};

use crate::rng::Rng;

const KEYS: usize = 61;

/// A chain of four nodes, of which the last three are joints: armature, root, hips, leg; and a node apart.
fn chain(armature: Transform) -> Model {
    chain_beside(armature, Vec3::Z)
}

/// [`chain`] with the node apart at a place.
fn chain_beside(armature: Transform, apart: Vec3) -> Model {
    let rest = |translation| Transform {
        translation,
        ..Transform::IDENTITY
    };
    let rests = [
        armature,
        Transform::IDENTITY,
        rest(Vec3::Y),
        rest(Vec3::NEG_Y),
        rest(apart),
    ];
    let nodes = rests.map(|rest| Node {
        rest,
        ..Node::default()
    });
    let parents = [None, Some(0), Some(1), Some(2), None];
    let joints: Vec<_> = (1..4).map(NodeId).collect();
    Model {
        hierarchy: Hierarchy::new(nodes.into(), &parents, &vec![vec![]; 5]).unwrap(),
        skins: vec![Skin {
            joint_from_mesh: vec![Affine3A::IDENTITY; joints.len()],
            joints,
            ..Skin::default()
        }],
        ..Model::default()
    }
}

/// A clip of a second that takes `node` along `world_at`, whatever its parents' rest pose is.
fn clip(model: &Model, node: NodeId, world_at: impl Fn(f64) -> (Vec3, Quat)) -> Clip {
    let rest = Pose::new(&model.hierarchy);
    let parent = model.hierarchy.node(node).parent;
    let world_from_parent = parent.map_or(Affine3A::IDENTITY, |parent| rest.world[parent.index()]);
    let mut clip = ClipBuilder::new("made");
    let times = (0..KEYS).map(|key| key as f32 / (KEYS - 1) as f32);
    let timeline = clip.timeline(Timeline::new(times.collect()).unwrap());
    let locals: Vec<_> = (0..KEYS)
        .map(|key| {
            let (translation, rotation) = world_at(key as f64 / (KEYS - 1) as f64);
            let world = Affine3A::from_rotation_translation(rotation, translation);
            Transform::from_affine(&(world_from_parent.inverse() * world))
        })
        .collect();
    let translations: Vec<_> = locals.iter().map(|local| local.translation).collect();
    let rotations: Vec<_> = locals.iter().map(|local| local.rotation).collect();
    let linear = Interpolation::Linear;
    clip.translation(node, timeline, linear, translations)
        .unwrap();
    clip.rotation(node, timeline, linear, rotations).unwrap();
    clip.finish()
}

/// Once or more round a circle of radius 2 about (5, 3), bobbing and pitching.
fn round(turns: f64) -> impl Fn(f64) -> (Vec3, Quat) {
    move |time| {
        let angle = turns * TAU * time;
        let (sine, cosine) = angle.sin_cos();
        let height = 1.0 + 0.1 * (TAU * time).sin();
        let place = Vec3::new(
            (5.0 + 2.0 * sine) as f32,
            height as f32,
            (3.0 + 2.0 * cosine) as f32,
        );
        let pitch = Quat::from_rotation_x(0.2 * (TAU * time).cos() as f32);
        (place, Quat::from_rotation_y(angle as f32) * pitch)
    }
}

/// What exporters put above a skeleton: lying, in centimetres, turned and apart from the origin.
fn armature() -> Transform {
    Transform {
        translation: Vec3::new(0.3, -2.0, 1.0),
        rotation: Quat::from_rotation_y(0.7) * Quat::from_rotation_x(-0.5 * PI as f32),
        scale: Vec3::splat(0.01),
    }
}

/// The motion of a root, whatever it costs.
fn extract(model: &Model, clip: &Clip, root: NodeId, turning: Turning) -> RootMotion {
    RootMotion::extract(model, clip, root, turning, usize::MAX)
}

fn sampled(model: &Model, clip: &Clip, time_secs: f64) -> Pose {
    let mut pose = Pose::new(&model.hierarchy);
    sample(clip, time_secs, &mut Cursors::default(), &mut pose);
    pose
}

/// World matrices of the pose, after `place`.
fn placed(model: &Model, pose: &Pose, place: Affine3A) -> Vec<Affine3A> {
    let mut pose = pose.clone();
    pose.update_world(&model.hierarchy, place);
    pose.world
}

#[track_caller]
fn assert_near(a: &Affine3A, b: &Affine3A, most: f32) {
    assert!(a.abs_diff_eq(*b, most), "{a}\nis not\n{b}");
}

#[test]
fn follows_a_circle_through_a_lying_armature() {
    for turns in [1.0, -1.0, 2.0, 0.25] {
        let model = chain(armature());
        let clip = clip(&model, NodeId(1), round(turns));
        let motion = extract(&model, &clip, NodeId(1), Turning::Followed);
        for (index, point) in motion.path().iter().enumerate() {
            let (place, _) = round(turns)(point.time_secs);
            let expected = DVec2::new(f64::from(place.x), f64::from(place.z));
            assert!(
                (point.position - expected).length() < 1e-5,
                "{point:?}, not {expected}"
            );
            let heading = turns * TAU * point.time_secs;
            assert!(
                (point.heading_radians - heading).abs() < 0.01,
                "{point:?}, not {heading}"
            );
            let speed = motion.speed_at(index);
            let expected = 2.0 * turns.abs() * TAU;
            assert!((speed / expected - 1.0).abs() < 0.02, "{speed}");
        }
        let end = motion.loop_motion().heading_radians;
        assert!((end - turns * TAU).abs() < 1e-4, "{end}");
        assert!((motion.path_length() / (2.0 * turns.abs() * TAU) - 1.0).abs() < 0.02);
        let chord = 4.0 * (0.5 * turns * TAU).sin().abs();
        assert!((motion.displacement() - chord).abs() < 1e-4);
        assert!((motion.mean_speed() - chord).abs() < 1e-4);
    }
}

#[test]
fn loops_join_exactly_and_agree_with_step_by_step_composition() {
    let model = chain(armature());
    for (turns, turning) in [
        (0.25, Turning::Followed),
        (0.1, Turning::Followed),
        (0.25, Turning::Ignored),
        (1.0, Turning::Followed),
    ] {
        let clip = clip(&model, NodeId(1), round(turns));
        let motion = extract(&model, &clip, NodeId(1), turning);
        let end = motion.motion_of(&model.hierarchy, &sampled(&model, &clip, 1.0), 1.0);
        let start = motion.motion_of(&model.hierarchy, &sampled(&model, &clip, 0.0), 0.0);
        let (first, last) = (&motion.path()[0], motion.path().last().unwrap());
        assert_eq!((first.time_secs, last.time_secs), (0.0, 1.0));
        let accumulated =
            |loops: i64, within: &PlanarMotion| motion.loop_motion().repeated(loops).after(within);
        let mut step_by_step = PlanarMotion::IDENTITY;
        for loops in 0..1000 {
            let before = accumulated(loops, &end).apply(first.position);
            let after = accumulated(loops + 1, &start).apply(first.position);
            let apart = before.distance(after);
            assert!(apart < 1e-9, "{apart:e} apart after {loops} loops");
            let expected = step_by_step.apply(first.position);
            let found = accumulated(loops, &PlanarMotion::IDENTITY).apply(first.position);
            assert!(found.distance(expected) < 1e-8, "{found} is not {expected}");
            step_by_step = motion.loop_motion().after(&step_by_step);
        }
        // The whole model, placed for its loop: the last pose of one and the first of the next have the root in one place.
        for loops in [0, 1, 5, -3] {
            let seam = [(loops, 1.0), (loops + 1, 0.0)].map(|(loops, time)| {
                let pose = sampled(&model, &clip, time);
                placed(
                    &model,
                    &pose,
                    motion.loop_motion().repeated(loops).to_affine(),
                )[1]
            });
            let apart =
                (seam[0].translation - seam[1].translation) * glam::Vec3A::new(1.0, 0.0, 1.0);
            assert!(apart.length() < 1e-4, "{apart} apart");
            if turning == Turning::Followed {
                assert_near(&seam[0], &seam[1], 1e-4);
            }
        }
    }
}

#[test]
fn in_place_it_keeps_its_spot_and_what_was_taken_puts_it_back() {
    let mut rng = Rng::new(3);
    for case in 0..200 {
        let scale = rng.float(0.05, 3.0) * [1.0, -1.0][rng.index(2)];
        let model = chain(Transform {
            translation: rng.vec3(3.0),
            rotation: rng.rotation(),
            scale: Vec3::splat(scale),
        });
        let clip = clip(&model, NodeId(1), round(f64::from(rng.float(-2.0, 2.0))));
        let turning = [Turning::Followed, Turning::Ignored][case % 2];
        let motion = extract(&model, &clip, NodeId(1), turning);
        let start = placed(&model, &sampled(&model, &clip, 0.0), Affine3A::IDENTITY);
        for _ in 0..10 {
            let time = f64::from(rng.float(0.0, 1.0));
            let moving = sampled(&model, &clip, time);
            let mut held = moving.clone();
            let taken = motion.hold_in_place(&model.hierarchy, &mut held, time);
            let moving = placed(&model, &moving, Affine3A::IDENTITY);
            let still = placed(&model, &held, Affine3A::IDENTITY);
            let (root, origin) = (still[1], start[1].translation);
            assert!((root.translation.x - origin.x).abs() < 1e-4);
            assert!((root.translation.z - origin.z).abs() < 1e-4);
            assert!((root.translation.y - moving[1].translation.y).abs() < 1e-4);
            // Put back, the root and all below it are where they were; all others never left.
            for node in 1..4 {
                assert_near(&(taken.to_affine() * still[node]), &moving[node], 2e-4);
            }
            for node in [0, 4] {
                assert_eq!(still[node], moving[node]);
            }
            let again = motion.motion_of(&model.hierarchy, &held, time);
            let turn = (again.heading_radians + PI).rem_euclid(TAU) - PI;
            assert!(
                again
                    .apply(motion.path()[0].position)
                    .distance(motion.path()[0].position)
                    < 1e-4
            );
            assert!(turn.abs() < 1e-3, "still turned by {turn}");
        }
    }
}

/// Of a clip's still twin: how far it is from what is held in place, at any moment.
fn still_is_off(model: &Model, clip: &Clip, turning: Turning, times: &[f64]) -> f32 {
    let motion = extract(model, clip, NodeId(1), turning);
    let still = motion.still_clip(model, clip).unwrap();
    assert_eq!(still.duration_secs(), clip.duration_secs());
    let mut worst = 0.0_f32;
    for &time in times {
        let mut held = sampled(model, clip, time);
        motion.hold_in_place(&model.hierarchy, &mut held, time);
        let held = placed(model, &held, Affine3A::IDENTITY);
        let played = placed(model, &sampled(model, &still, time), Affine3A::IDENTITY);
        for (a, b) in held.iter().zip(&played) {
            let off = (a.translation - b.translation).abs().max_element();
            let turned = a.matrix3.to_cols_array().into_iter();
            let turned = turned.zip(b.matrix3.to_cols_array());
            worst = turned
                .map(|(a, b)| (a - b).abs())
                .fold(worst.max(off), f32::max);
        }
    }
    worst
}

#[test]
fn a_still_clip_plays_what_is_held_in_place() {
    let mut rng = Rng::new(5);
    for case in 0..100 {
        let model = chain(Transform {
            translation: rng.vec3(3.0),
            rotation: rng.rotation(),
            scale: Vec3::splat(rng.float(0.05, 3.0)),
        });
        let clip = clip(&model, NodeId(1), round(f64::from(rng.float(-2.0, 2.0))));
        let turning = [Turning::Followed, Turning::Ignored][case % 2];
        let times: Vec<_> = (0..20).map(|_| f64::from(rng.float(-0.1, 1.1))).collect();
        let keys: Vec<_> = (0..KEYS)
            .map(|key| key as f64 / (KEYS - 1) as f64)
            .collect();
        let at_keys = still_is_off(&model, &clip, turning, &keys);
        assert!(at_keys < 1e-4, "{turning:?} is off by {at_keys} at keys");
        let off = still_is_off(&model, &clip, turning, &times);
        // Of a root that pitches, what is taken out turns unevenly: less than a thousandth of a turn of 12° in a frame.
        let most = [2e-3, 1e-4][case % 2];
        assert!(off < most, "{turning:?} is off by {off}");
    }
    // Nothing is straight under a parent that turns: frames are right, and what is between them nearly so.
    let model = chain(armature());
    let mut turning = ClipBuilder::new("turning");
    let times: Vec<f32> = (0..5).map(|key| key as f32 * 0.25).collect();
    let timeline = turning.timeline(Timeline::new(times).unwrap());
    let (cubic, linear) = (Interpolation::CubicSpline, Interpolation::Linear);
    let turns = (0..5).map(|key| Quat::from_rotation_y(key as f32) * armature().rotation);
    turning
        .rotation(NodeId(0), timeline, linear, turns.collect::<Vec<_>>())
        .unwrap();
    let values = (0..15).map(|_| rng.vec3(100.0));
    turning
        .translation(NodeId(1), timeline, cubic, values.collect::<Vec<_>>())
        .unwrap();
    let clip = turning.finish();
    let frames: Vec<_> = (0..=30).map(|frame| f64::from(frame) / 30.0).collect();
    let motion = extract(&model, &clip, NodeId(1), Turning::Ignored);
    let frames_of_path: Vec<_> = motion.path().iter().map(|point| point.time_secs).collect();
    let at_frames = still_is_off(&model, &clip, Turning::Ignored, &frames_of_path);
    assert!(at_frames < 1e-4, "{at_frames}");
    let between = still_is_off(&model, &clip, Turning::Ignored, &frames);
    assert!(between < 0.02 * motion.path_length() as f32, "{between}");
}

/// Two keys at one time are a jump, which no key before it begins.
#[test]
fn a_still_clip_jumps_where_its_root_does() {
    let model = chain(Transform::IDENTITY);
    let mut jump = ClipBuilder::new("jump");
    let timeline = jump.timeline(Timeline::new(vec![0.0, 0.5, 0.5, 1.0]).unwrap());
    let heights = [0.0, 0.1, 5.0, 5.1].map(|y| Vec3::new(y, y, 0.0));
    jump.translation(NodeId(1), timeline, Interpolation::Linear, heights.to_vec())
        .unwrap();
    let clip = jump.finish();
    let times = [0.0, 0.1, 0.3, 0.49, 0.499, 0.5, 0.51, 0.7, 1.0];
    for turning in [Turning::Ignored, Turning::Followed] {
        let off = still_is_off(&model, &clip, turning, &times);
        assert!(off < 1e-4, "{turning:?} is off by {off}");
    }
}

#[test]
fn an_uneven_parent_still_lets_the_root_stand() {
    let uneven = Transform {
        scale: Vec3::new(1.0, 2.0, 0.3),
        ..armature()
    };
    let model = chain(uneven);
    let forward = |time: f64| (Vec3::new(0.0, 1.0, time as f32), Quat::IDENTITY);
    let clip = clip(&model, NodeId(1), forward);
    let motion = extract(&model, &clip, NodeId(1), Turning::Ignored);
    let mut pose = sampled(&model, &clip, 0.8);
    motion.hold_in_place(&model.hierarchy, &mut pose, 0.8);
    let held = placed(&model, &pose, Affine3A::IDENTITY)[1];
    let start = placed(&model, &sampled(&model, &clip, 0.0), Affine3A::IDENTITY)[1];
    assert_near(&held, &start, 1e-5);
}

#[test]
fn a_root_on_its_head_keeps_its_heading() {
    // A somersault while it goes forward: at half time its rotation is by 180° about X.
    let model = chain(Transform::IDENTITY);
    let somersault = |time: f64| {
        let rotation = Quat::from_rotation_x((TAU * time) as f32);
        (Vec3::new(0.0, 1.0, time as f32), rotation)
    };
    let clip = clip(&model, NodeId(1), somersault);
    let motion = extract(&model, &clip, NodeId(1), Turning::Followed);
    for point in motion.path() {
        assert!(point.heading_radians.abs() < 1e-3, "{point:?}");
    }
    assert!((motion.displacement() - 1.0).abs() < 1e-5);
}

#[test]
fn the_root_is_the_first_joint_that_moves() {
    let model = chain(armature());
    let forward = |time: f64| (Vec3::new(0.0, 1.0, 3.0 * time as f32), Quat::IDENTITY);
    // The armature makes the rig a centimetre large.
    let noise = |time: f64| (Vec3::new(5e-6 * time as f32, 0.0, 0.0), Quat::IDENTITY);
    let turn = |time: f64| (Vec3::ZERO, Quat::from_rotation_y(time as f32));
    for node in [0, 1, 2, 3].map(NodeId) {
        assert_eq!(
            choose_root(&model, &clip(&model, node, forward)),
            Some(node)
        );
        assert_eq!(choose_root(&model, &clip(&model, node, turn)), Some(node));
        assert_eq!(choose_root(&model, &clip(&model, node, noise)), None);
    }
    let apart = clip(&model, NodeId(4), forward);
    assert_eq!(choose_root(&model, &apart), None, "it carries no joint");
    assert!(RootMotion::find(&model, &apart).is_none());
    // Hips that only sway do not head anywhere; a quarter turn does.
    let sway = |time: f64| {
        let rotation = Quat::from_rotation_y(0.3 * (TAU * time).sin() as f32);
        (Vec3::new(0.0, 1.0, time as f32), rotation)
    };
    let found = |clip: &Clip| RootMotion::find(&model, clip).unwrap().turning();
    assert_eq!(found(&clip(&model, NodeId(2), sway)), Turning::Ignored);
    let quarter = clip(&model, NodeId(1), round(0.25));
    assert_eq!(found(&quarter), Turning::Followed);
}

/// Keys of splines may have any length, and are made unit ones between them.
#[test]
fn the_length_of_spline_keys_is_no_turn() {
    let model = chain(armature());
    let zero = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    for length in [1.0, 0.999_98, 2.0] {
        let mut clip = ClipBuilder::new("spline");
        let timeline = clip.timeline(Timeline::new(vec![0.0, 1.0]).unwrap());
        let still = armature().rotation * length;
        let quarter = Quat::from_rotation_y(1.5) * length;
        for (node, keys) in [(0, [still; 2]), (2, [Quat::IDENTITY * length, quarter])] {
            let values: Vec<_> = keys.into_iter().flat_map(|key| [zero, key, zero]).collect();
            clip.rotation(NodeId(node), timeline, Interpolation::CubicSpline, values)
                .unwrap();
        }
        let root = choose_root(&model, &clip.finish());
        assert_eq!(root, Some(NodeId(2)), "{length}");
    }
}

/// A lamp, a camera or an empty node may stand anywhere: what moves is measured by the joints.
#[test]
fn what_stands_far_away_does_not_hide_root_motion() {
    let model = chain_beside(Transform::IDENTITY, Vec3::Y * 5000.0);
    let clip = clip(&model, NodeId(1), |time| {
        (Vec3::X * time as f32, Quat::IDENTITY)
    });
    assert_eq!(choose_root(&model, &clip), Some(NodeId(1)));
}

/// What only turns the root does not take out how another shifts it, together with which it plays.
#[test]
fn in_place_a_clip_takes_out_its_own_way() {
    let model = chain(Transform::IDENTITY);
    let (hierarchy, root) = (&model.hierarchy, NodeId(1));
    let shifts = clip(&model, root, |time| (Vec3::X * time as f32, Quat::IDENTITY));
    let mut turns = ClipBuilder::new("turns");
    let timeline = turns.timeline(Timeline::new(vec![0.0, 1.0]).unwrap());
    let turned = Quat::from_rotation_y(0.5);
    let keys = vec![Quat::IDENTITY, turned];
    turns
        .rotation(root, timeline, Interpolation::Linear, keys)
        .unwrap();
    let turns = turns.finish();
    let root_motion = extract(&model, &turns, root, Turning::Ignored);
    assert!(!root_motion.moves());
    assert!(extract(&model, &shifts, root, Turning::Ignored).moves());
    let in_place = Some(InPlace {
        hierarchy,
        root_motion: &root_motion,
    });
    let below = [Motion::new(&shifts, 1.0, 1.0)];
    let above = [Motion {
        in_place,
        ..Motion::new(&turns, 1.0, 1.0)
    }];
    let mut pose = Pose::new(hierarchy);
    let together = Layer {
        mode: BlendMode::Together,
        ..Layer::new(&above)
    };
    Blender::new(hierarchy).blend(&[Layer::new(&below), together], &mut pose);
    let local = &pose.locals[root.index()];
    assert!(local.translation.abs_diff_eq(Vec3::X, 1e-6), "{local:?}");
    assert!(local.rotation.abs_diff_eq(turned, 1e-6), "{local:?}");
}

#[test]
fn a_pose_of_one_moment_has_a_way_without_length() {
    let model = chain(armature());
    let mut still = ClipBuilder::new("still");
    let timeline = still.timeline(Timeline::new(vec![0.0]).unwrap());
    let values = vec![Vec3::ONE];
    still
        .translation(NodeId(1), timeline, Interpolation::Linear, values)
        .unwrap();
    for clip in [still.finish(), ClipBuilder::new("empty").finish()] {
        let motion = extract(&model, &clip, NodeId(1), Turning::Followed);
        assert_eq!(motion.path().len(), 2);
        assert_eq!((motion.displacement(), motion.mean_speed()), (0.0, 0.0));
        assert_eq!(motion.speed_at(0), 0.0);
    }
}

#[test]
fn what_costs_more_than_is_allowed_has_fewer_points() {
    let model = chain(armature());
    let long = clip(&model, NodeId(1), round(1.0));
    let points = |most| RootMotion::find_within(&model, &long, most).map(|it| it.path().len());
    assert_eq!(points(1 << 20), Some(KEYS));
    // The root itself, and the armature above it.
    assert_eq!(points(40), Some(20));
    assert_eq!(points(0), Some(2));
}
