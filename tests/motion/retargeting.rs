//! Clips turned into another rest pose: under mirrors, and how far strides go.

use std::{
    f32::consts::{FRAC_PI_2, FRAC_PI_3},
    time::Duration,
};

use glam::{Quat, Vec3};
use rigscope::anim::{Pose, retarget::ClipSource};
use rigscope::model::{
    ClipBuilder, Facing, Hierarchy, Interpolation, Model, Node, NodeId, Timeline, Transform,
};
use rigscope::ui::Offer;

use super::borrowing::{NAMES, leg, pose_of, walk};
use super::mixing::session_of;
use crate::common::processor_time::timed;

/// Scales may mirror (glTF 2.0 §3.5.3): matrices know it, the rotations of nodes alone do not.
#[test]
fn retargeted_nodes_turn_the_same_way_under_mirrors() {
    let source = walk(&leg(
        NAMES,
        1.0,
        [0.0, 0.3, -0.5, 0.2].map(Quat::from_rotation_x),
    ));
    let mirrored = |scales: [Vec3; 4]| {
        let mut nodes = leg(NAMES, 2.0, [1.2, -0.4, 0.9, 0.1].map(Quat::from_rotation_z))
            .nodes()
            .to_vec();
        for (node, scale) in nodes.iter_mut().zip(scales) {
            node.rest.scale = scale;
        }
        let parents = [None, Some(0), Some(1), Some(2)];
        Hierarchy::new(nodes, &parents, &vec![vec![]; 4]).unwrap()
    };
    let turns = |model: &Model, time_secs| {
        let rest = Pose::new(&model.hierarchy);
        let posed = pose_of(model, 0, time_secs);
        let pairs = posed.world.into_iter().zip(rest.world);
        pairs
            .map(|(posed, rest)| posed.matrix3 * rest.matrix3.inverse())
            .collect::<Vec<_>>()
    };
    let along = |x: f32, y: f32, z: f32| Vec3::new(x, y, z);
    for scales in [
        [along(-1.0, 1.0, 1.0), Vec3::ONE, Vec3::ONE, Vec3::ONE],
        [
            along(1.0, -1.0, 1.0),
            along(1.0, 1.0, -1.0),
            Vec3::NEG_ONE,
            Vec3::ONE,
        ],
        [
            Vec3::ONE,
            along(-1.0, -1.0, 1.0),
            along(1.0, -1.0, -1.0),
            Vec3::NEG_ONE,
        ],
    ] {
        let mut model = Model {
            hierarchy: mirrored(scales),
            ..Model::default()
        };
        model.append_clips(ClipSource::of(source.clone()).bind(&model, true).clips);
        for time in [0.0, 0.3, 1.0] {
            for (there, here) in turns(&source, time).iter().zip(turns(&model, time)) {
                assert!(
                    there.abs_diff_eq(here, 1e-4),
                    "{scales}: {there} and {here}",
                    scales = scales[0]
                );
            }
        }
    }
}

/// What stretches along the bones of one rig does so along those of another, whichever axes lie along them; where none lies
/// near another they go by their names.
#[test]
fn scales_keep_their_axis_in_the_world() {
    let squash = Vec3::new(0.5, 2.0, 1.0);
    let stretched = |hierarchy: Hierarchy| {
        let mut clip = ClipBuilder::new("Squash");
        let timeline = clip.timeline(Timeline::new(vec![0.0, 1.0]).unwrap());
        let rest = hierarchy.node(NodeId(2)).rest.scale;
        let values = vec![rest, rest * squash];
        clip.scale(NodeId(2), timeline, Interpolation::Linear, values)
            .unwrap();
        Model {
            hierarchy,
            clips: vec![clip.finish()],
            ..Model::default()
        }
    };
    let rig = |turn: Quat, scale: Vec3| {
        let mut nodes = leg(NAMES, 1.0, [Quat::IDENTITY; 4]).nodes().to_vec();
        nodes[1].rest.rotation = turn;
        nodes[2].rest.scale = scale;
        let parents = [None, Some(0), Some(1), Some(2)];
        Hierarchy::new(nodes, &parents, &vec![vec![]; 4]).unwrap()
    };
    let change = |model: &Model| {
        let rest = Pose::new(&model.hierarchy).world[2].matrix3;
        pose_of(model, 0, 1.0).world[2].matrix3 * rest.inverse()
    };
    let sources = [Vec3::ONE, Vec3::new(3.0, -1.0, 2.0)]
        .map(|scale| stretched(rig(Quat::from_rotation_y(0.3), scale)));
    let quarter = Quat::from_rotation_z(FRAC_PI_2);
    let targets = [quarter, quarter.inverse(), Quat::from_rotation_z(0.0)]
        .map(|turn| Quat::from_rotation_y(0.3) * turn);
    for source in &sources {
        for (turn, scale) in [
            (targets[0], Vec3::ONE),
            (targets[1], Vec3::new(2.0, 0.5, 1.0)),
            (targets[2], Vec3::new(-2.0, 0.5, 1.0)),
        ] {
            let mut model = Model {
                hierarchy: rig(turn, scale),
                ..Model::default()
            };
            model.append_clips(ClipSource::of(source.clone()).bind(&model, true).clips);
            let (there, here) = (change(source), change(&model));
            assert!(there.abs_diff_eq(here, 1e-5), "{turn}: {there}, {here}");
        }
    }
    // Each axis is as far from two of the other's.
    let between = Quat::from_axis_angle(Vec3::ONE.normalize(), FRAC_PI_3);
    let mut model = Model {
        hierarchy: rig(between, Vec3::ONE),
        ..Model::default()
    };
    let source = stretched(rig(Quat::IDENTITY, Vec3::ONE));
    model.append_clips(ClipSource::of(source).bind(&model, true).clips);
    assert_eq!(model.clips[0].scales()[0].values()[1], squash);
}

/// A spline without slopes moves nothing, whatever stands beside its keys.
#[test]
fn strides_do_not_take_tangents_for_movement() {
    let bound = |kind: Interpolation| {
        let hierarchy = leg(NAMES, 1.0, [Quat::IDENTITY; 4]);
        let mut source = walk(&hierarchy);
        let mut clip = ClipBuilder::new("Walk");
        let timeline = clip.timeline(Timeline::new(vec![0.0, 1.0]).unwrap());
        let root = vec![Vec3::X; 2];
        let root = match kind {
            Interpolation::CubicSpline => [Vec3::ZERO, Vec3::X, Vec3::ZERO].repeat(2),
            _ => root,
        };
        clip.translation(NodeId(0), timeline, kind, root).unwrap();
        let hips = vec![Vec3::Y, Vec3::new(0.0, 1.0, 1.0)];
        clip.translation(NodeId(1), timeline, Interpolation::Linear, hips)
            .unwrap();
        source.clips = vec![clip.finish()];
        // Twice the height, but a foot far ahead: the box around all of it says something else than the hips.
        let mut nodes = leg(NAMES, 2.0, [Quat::IDENTITY; 4]).nodes().to_vec();
        nodes[3].rest.translation.z = 2.0;
        let parents = [None, Some(0), Some(1), Some(2)];
        let mut model = Model {
            hierarchy: Hierarchy::new(nodes, &parents, &vec![vec![]; 4]).unwrap(),
            ..Model::default()
        };
        model.append_clips(ClipSource::of(source).bind(&model, true).clips);
        let hips = |time| pose_of(&model, 0, time).locals[1].translation;
        (hips(1.0) - hips(0.0)).length()
    };
    let linear = bound(Interpolation::Linear);
    assert!(
        (bound(Interpolation::CubicSpline) - linear).abs() < 1e-5,
        "{linear}"
    );
}

/// What is shifted at the height of the ground carries the hips, and is not them.
#[test]
fn strides_go_by_the_hips_whatever_carries_them() {
    let stride = |carried: f32| {
        let hierarchy = |size: f32, ahead: f32| {
            let mut nodes = leg(NAMES, size, [Quat::IDENTITY; 4]).nodes().to_vec();
            // At its foot, so that the box around all is no measure of legs.
            nodes[3].rest.translation.z = ahead;
            Hierarchy::new(nodes, &[None, Some(0), Some(1), Some(2)], &vec![vec![]; 4]).unwrap()
        };
        let mut source = walk(&hierarchy(1.0, 0.0));
        let mut clip = ClipBuilder::new("Walk");
        let timeline = clip.timeline(Timeline::new(vec![0.0, 1.0]).unwrap());
        let at_rest = |node: u32| source.hierarchy.node(NodeId(node)).rest.translation;
        for (node, way) in [(0, carried), (1, 1.0)] {
            let keys = vec![at_rest(node), at_rest(node) + Vec3::Z * way];
            clip.translation(NodeId(node), timeline, Interpolation::Linear, keys)
                .unwrap();
        }
        let clip = clip.finish();
        source.clips = vec![clip];
        let mut model = Model {
            hierarchy: hierarchy(2.0, 2.0),
            ..Model::default()
        };
        model.append_clips(ClipSource::of(source).bind(&model, true).clips);
        let hips = |time| pose_of(&model, 0, time).locals[1].translation;
        (hips(1.0) - hips(0.0)).length()
    };
    let still = stride(0.0);
    assert!((still - 2.0).abs() < 1e-5, "{still}");
    for carried in [1e-9, 1.0] {
        let found = stride(carried);
        assert!((found - still).abs() < 1e-5, "{carried}: {found}");
    }
}

/// Files of clips alone have some moment of a walk as their rest pose: who is far from there in all of the clip is where the
/// clip has him, not as far behind.
#[test]
fn who_rests_far_from_the_clip_walks_where_it_does() {
    let hips = |rest_at: f32, clip_at: f32, has_walk: bool| {
        let mut nodes = leg(NAMES, 1.0, [Quat::IDENTITY; 4]).nodes().to_vec();
        nodes[1].rest.translation.z = rest_at;
        let parents = [None, Some(0), Some(1), Some(2)];
        let mut source = walk(&Hierarchy::new(nodes, &parents, &vec![vec![]; 4]).unwrap());
        let clip = |name: &str, along: [f32; 2]| {
            let mut clip = ClipBuilder::new(name);
            let timeline = clip.timeline(Timeline::new(vec![0.0, 1.0]).unwrap());
            let keys = along.map(|way| Vec3::new(0.0, 0.9, clip_at + way));
            clip.translation(NodeId(1), timeline, Interpolation::Linear, keys.to_vec())
                .unwrap();
            clip.finish()
        };
        source.clips = vec![clip("Idle", [0.0; 2])];
        if has_walk {
            source.clips.push(clip("Walk", [0.0, 1.0]));
        }
        let mut model = Model {
            hierarchy: leg(NAMES, 2.0, [Quat::IDENTITY; 4]),
            ..Model::default()
        };
        model.append_clips(ClipSource::of(source).bind(&model, true).clips);
        let clips = 0..model.clips.len();
        let places = clips
            .map(|clip| [0.0, 1.0].map(|time| pose_of(&model, clip, time).locals[1].translation));
        places.collect::<Vec<_>>()
    };
    for (rest_at, clip_at, first) in [(5.0, 0.0, 0.0), (5.0, 5.0, 0.0), (0.0, 5.0, 10.0)] {
        // Whoever stands still in one clip of a file stands where the other begins.
        for along in [[0.0; 2], [0.0, 2.0]] {
            let clip = usize::from(along[1] > 0.0);
            let expected = along.map(|way| Vec3::new(0.0, 1.8, first + way));
            let found = hips(rest_at, clip_at, true)[clip];
            let mut pairs = found.iter().zip(expected);
            let is_near = pairs.all(|(a, b)| a.abs_diff_eq(b, 1e-5));
            assert!(is_near, "{rest_at}, {clip_at}: {found:?}");
        }
    }
    // So does who stands still in all of them.
    for clip_at in [0.0, 5.0] {
        assert_eq!(hips(5.0, clip_at, false)[0][0].z, 0.0);
    }
}

/// Keys of splines may have any length, and the curve between them depends on it (glTF 2.0 appendix C.5).
#[test]
fn splines_through_long_keys_stay_what_they_are() {
    let hierarchy = leg(NAMES, 1.0, [Quat::IDENTITY; 4]);
    let mut source = walk(&hierarchy);
    let mut clip = ClipBuilder::new("Walk");
    let timeline = clip.timeline(Timeline::new(vec![0.0, 1.0]).unwrap());
    let key = |value: Quat| {
        [
            Quat::from_rotation_x(0.4),
            value,
            Quat::from_rotation_z(0.9),
        ]
    };
    let keys = [Quat::IDENTITY * 2.0, Quat::from_rotation_y(1.0) * 0.5];
    let kind = Interpolation::CubicSpline;
    clip.rotation(NodeId(1), timeline, kind, keys.map(key).concat())
        .unwrap();
    source.clips = vec![clip.finish()];
    let mut model = Model {
        hierarchy,
        ..Model::default()
    };
    model.append_clips(ClipSource::of(source.clone()).bind(&model, true).clips);
    for time in [0.1, 0.25, 0.5, 0.9] {
        let [there, here] = [&source, &model].map(|it| pose_of(it, 0, time).locals[1].rotation);
        assert!(there.abs_diff_eq(here, 1e-5), "{time}: {there} and {here}");
    }
}

/// How far the bound nodes reach is the same for all clips.
#[test]
fn very_many_clips_of_very_many_nodes_are_bound_at_once() {
    const NODES: usize = 40_000;
    const CLIPS: usize = 40_000;
    let nodes = (0..NODES).map(|index| Node {
        name: format!("part {index}"),
        ..Node::default()
    });
    let parents: Vec<_> = (0..NODES).map(|index| (index > 0).then_some(0)).collect();
    let mut clip = ClipBuilder::new("Step");
    let timeline = clip.timeline(Timeline::new(vec![0.0, 1.0]).unwrap());
    let values = vec![Vec3::ZERO, Vec3::X];
    clip.translation(NodeId(1), timeline, Interpolation::Linear, values)
        .unwrap();
    let model = Model {
        hierarchy: Hierarchy::new(nodes.collect(), &parents, &vec![vec![]; NODES]).unwrap(),
        clips: vec![clip.finish(); CLIPS],
        ..Model::default()
    };
    let source = ClipSource::of(model.clone());
    let (bound, took) = timed(|| source.bind(&model, true));
    assert_eq!((bound.clips.len(), bound.matched), (CLIPS, 1));
    assert!(took < Duration::from_secs(5), "{took:?}");
}

/// Hips, spine, and of the left side upper and lower arm, hand, upper and lower leg; and how the left becomes the right side.
pub(crate) const MIXAMO: ([&str; 7], [&str; 2]) = (
    [
        "Hips",
        "Spine",
        "LeftArm",
        "LeftForeArm",
        "LeftHand",
        "LeftUpLeg",
        "LeftLeg",
    ],
    ["Left", "Right"],
);
pub(crate) const UNREAL: ([&str; 7], [&str; 2]) = (
    [
        "pelvis",
        "spine_01",
        "upperarm_l",
        "lowerarm_l",
        "hand_l",
        "thigh_l",
        "calf_l",
    ],
    ["_l", "_r"],
);

/// A person whose arms hang by so many radians, and the nodes by their places in the names, the right ones behind.
pub(crate) fn person(
    (names, sides): ([&str; 7], [&str; 2]),
    hang: f32,
    facing: Facing,
) -> (Model, Vec<NodeId>) {
    let along = Vec3::new(0.25 * hang.cos(), -0.25 * hang.sin(), 0.0);
    let places = [
        Vec3::Y,
        Vec3::Y * 0.5,
        Vec3::X * 0.2,
        along,
        along,
        Vec3::X * 0.1,
        Vec3::NEG_Y * 0.5,
    ];
    let around = Quat::from_rotation_y(facing.turn_radians());
    let node = |place: usize, side: usize| Node {
        name: names[place].replace(sides[0], sides[side]),
        rest: Transform {
            translation: around * (places[place] * [Vec3::ONE, Vec3::new(-1.0, 1.0, 1.0)][side]),
            ..Transform::IDENTITY
        },
        ..Node::default()
    };
    let mut nodes: Vec<Node> = (0..7).map(|place| node(place, 0)).collect();
    nodes.extend((2..7).map(|place| node(place, 1)));
    let parents = [None, Some(0), Some(1), Some(2), Some(3), Some(0), Some(5)];
    let right = [Some(1), Some(7), Some(8), Some(0), Some(10)];
    let parents = [&parents[..], &right].concat();
    let hierarchy = Hierarchy::new(nodes, &parents, &vec![vec![]; 12]).unwrap();
    let ids = (0..12).map(|index| hierarchy.by_file_index(index).unwrap());
    let ids = ids.collect();
    let model = Model {
        hierarchy,
        facing,
        ..Model::default()
    };
    (model, ids)
}

/// What stretches out arms that hang stretches out those that do not, and the other way round.
#[test]
fn arms_are_measured_in_the_same_pose() {
    for (there, here) in [(0.7, 0.0), (0.0, 0.7), (0.5, 0.9)] {
        let (mut source, ids) = person(MIXAMO, there, Facing::PlusZ);
        let mut clip = ClipBuilder::new("Tee");
        let timeline = clip.timeline(Timeline::new(vec![0.0, 1.0]).unwrap());
        for (upper, angle) in [(ids[2], there), (ids[7], -there)] {
            let keys = vec![Quat::from_rotation_z(angle); 2];
            clip.rotation(upper, timeline, Interpolation::Linear, keys)
                .unwrap();
        }
        source.clips = vec![clip.finish()];
        let (mut model, own) = person(UNREAL, here, Facing::PlusZ);
        let bound = ClipSource::of(source).bind(&model, true);
        let names = ["LeftArm", "upperarm_l", "RightArm", "upperarm_r"].map(str::to_owned);
        assert_eq!(bound.similar.concat(), names);
        model.append_clips(bound.clips);
        let pose = pose_of(&model, 0, 0.5);
        let place = |place: usize| Vec3::from(pose.world[own[place].index()].translation);
        for (upper, hand, to_side) in [(2, 4, Vec3::X), (7, 9, Vec3::NEG_X)] {
            let arm = place(hand) - place(upper);
            assert!(
                arm.abs_diff_eq(to_side * 0.5, 1e-5),
                "{there} {here}: {arm}"
            );
        }
    }
}

/// Their rest rotations are the same, and yet what turns the one does not turn the other so.
#[test]
fn people_that_stand_otherwise_are_told_and_offered_to_be_retargeted() {
    let step = |names, hang, facing| {
        let (mut source, ids) = person(names, hang, facing);
        let mut clip = ClipBuilder::new("Step");
        let timeline = clip.timeline(Timeline::new(vec![0.0, 1.0]).unwrap());
        let keys = vec![Quat::IDENTITY, Quat::from_rotation_x(-0.5)];
        clip.rotation(ids[5], timeline, Interpolation::Linear, keys)
            .unwrap();
        source.clips = vec![clip.finish()];
        source
    };
    let arms = "arms at rest differ by 40°";
    let way = "the model there looks the other way";
    let (front, back) = (Facing::PlusZ, Facing::MinusZ);
    for (names, hang, facing, expected) in [
        (MIXAMO, 0.0, front, &[][..]),
        (MIXAMO, 0.1, front, &[]),
        (MIXAMO, 0.7, front, &[arms]),
        (MIXAMO, 0.0, back, &[way]),
        (MIXAMO, 0.7, back, &[arms, way]),
        // By names alone nobody knows that it is not made for just this.
        (UNREAL, 0.0, back, &[]),
    ] {
        let source = step(names, hang, facing);
        let (model, _) = person(UNREAL, 0.0, front);
        let bound = ClipSource::of(source.clone()).bind(&model, false);
        assert_eq!(bound.misfits(), expected);
        let mut session = session_of(model);
        session.add_clips("step.glb", source);
        let message = session.message().unwrap();
        let is_offered = message.offer == Some(Offer::Retarget(0));
        assert_eq!(is_offered, !expected.is_empty(), "{message:?}");
        let said = message.detail.contains("ooks the other way");
        assert_eq!(said, expected.contains(&way), "{message:?}");
    }
}

/// Models of VRM 0.x look to −Z: forwards stays forwards.
#[test]
fn who_looks_the_other_way_walks_the_other_way() {
    let (mut source, ids) = person(MIXAMO, 0.0, Facing::PlusZ);
    let mut clip = ClipBuilder::new("Step");
    let timeline = clip.timeline(Timeline::new(vec![0.0, 1.0]).unwrap());
    let keys = vec![Quat::IDENTITY, Quat::from_rotation_x(-0.5)];
    clip.rotation(ids[5], timeline, Interpolation::Linear, keys)
        .unwrap();
    let keys = vec![Vec3::Y, Vec3::new(0.0, 1.0, 2.0)];
    clip.translation(ids[0], timeline, Interpolation::Linear, keys)
        .unwrap();
    source.clips = vec![clip.finish()];
    let way = |model: &Model, ids: &[NodeId]| {
        let pose = pose_of(model, 0, 1.0);
        let place = |id: NodeId| Vec3::from(pose.world[id.index()].translation);
        [place(ids[0]), place(ids[6]) - place(ids[5])]
    };
    let there = way(&source, &ids);
    let (mut model, own) = person(UNREAL, 0.0, Facing::MinusZ);
    model.append_clips(ClipSource::of(source).bind(&model, true).clips);
    let here = way(&model, &own);
    for (there, here) in there.into_iter().zip(here) {
        assert!(there.z > 0.2, "{there}");
        let around = Vec3::new(-there.x, there.y, -there.z);
        assert!(here.abs_diff_eq(around, 1e-5), "{here} and {around}");
    }
}
