//! Crowds of models that are made here: against the plain evaluator, and against themselves.

use glam::{Affine3A, Quat, Vec3, Vec4};
use rigscope::{
    anim::{
        PaletteLayout, PaletteMatrix,
        crowd::{CrowdClip, Member},
        to_palette_matrix,
    },
    model::{Clip, ClipBuilder, Hierarchy, Interpolation, Model, Node, NodeId, Skin, Timeline},
};

use super::{LANES, crowd, members_at, plain, reference::rng::Rng};

/// A chain of joints with a skin on a mesh without vertices.
pub fn chain(joints: usize, clips: Vec<Clip>) -> Model {
    let node = |index: usize| Node {
        rest: rigscope::model::Transform {
            translation: Vec3::Y,
            ..Default::default()
        },
        mesh: (index == 0).then_some(0),
        skin: (index == 0).then_some(0),
        ..Node::default()
    };
    let parents: Vec<_> = (0..joints).map(|index| index.checked_sub(1)).collect();
    let hierarchy = Hierarchy::new(
        (0..joints).map(node).collect(),
        &parents,
        &vec![Vec::new(); joints],
    )
    .unwrap();
    let bind = |index: usize| Affine3A::from_translation(Vec3::NEG_Y * (index + 1) as f32);
    let skin = Skin {
        joints: (0..joints as u32).map(NodeId).collect(),
        joint_from_mesh: (0..joints).map(bind).collect(),
        ..Skin::default()
    };
    Model {
        hierarchy,
        skins: vec![skin],
        meshes: vec![rigscope::model::Mesh::default()].into(),
        clips,
        ..Model::default()
    }
}

/// Fails if two palettes differ in any number by more than `tolerance`, in parts of the chain's length.
#[track_caller]
fn check_close(model: &Model, clip: Option<usize>, members: &[Member], tolerance: f32) {
    let layout = PaletteLayout::of_all_nodes(model);
    let expected = plain(model, &layout, clip, members);
    for lanes in LANES {
        let found = crowd(model, &layout, clip, members, lanes);
        let pairs = found
            .iter()
            .flatten()
            .zip(expected.matrices().iter().flatten());
        let worst = pairs
            .map(|(a, b)| (*a - *b).abs().max_element())
            .fold(0.0, f32::max);
        let worst = worst / model.hierarchy.len() as f32;
        assert!(worst <= tolerance, "{lanes} lanes: {worst:e}");
    }
}

/// A clip that turns all joints of a chain from key to key.
fn turning(
    joints: usize,
    keys: usize,
    rng: &mut Rng,
    timeline_of: impl Fn(usize) -> usize,
    timelines: Vec<Timeline>,
    degrees: (f32, f32),
) -> Clip {
    let mut clip = ClipBuilder::new("turning");
    for timeline in timelines {
        clip.timeline(timeline);
    }
    for joint in 0..joints {
        let mut rotation = Quat::IDENTITY;
        let values = (0..keys).map(|_| {
            let axis = rng.vec3(1.0).normalize_or(Vec3::X);
            let angle = rng.float(degrees.0, degrees.1).to_radians();
            rotation = (Quat::from_axis_angle(axis, angle) * rotation).normalize();
            // Either sign is the same rotation.
            if rng.index(2) == 0 {
                rotation
            } else {
                -rotation
            }
        });
        let (node, linear) = (NodeId(joint as u32), Interpolation::Linear);
        clip.rotation(node, timeline_of(joint), linear, values.collect::<Vec<_>>())
            .unwrap();
    }
    clip.finish()
}

fn spread(count: usize, duration_secs: f64) -> Vec<Member> {
    let member = |index: usize| Member {
        time_secs: (index as f64 * 0.618_033_988_75).fract() * duration_secs,
        world_from_root: to_palette_matrix(&Affine3A::from_rotation_y(index as f32)),
    };
    (0..count).map(member).collect()
}

#[test]
fn keys_half_a_turn_apart_are_as_exact_as_others() {
    let rng = &mut Rng::new(7);
    let even = |keys: usize| Timeline::new((0..keys).map(|key| key as f32).collect()).unwrap();
    let clip = turning(4, 50, rng, |_| 0, vec![even(50)], (150.0, 179.9));
    check_close(&chain(4, vec![clip]), Some(0), &spread(200, 49.0), 2e-6);
}

#[test]
fn tracks_that_would_make_the_tables_too_large_are_left_to_the_plain_evaluator() {
    let rng = &mut Rng::new(8);
    let (joints, keys) = (30, 3000);
    let shifted = |joint: usize| {
        (0..keys)
            .map(|key| (key * joints + joint) as f32 * 1e-3)
            .collect()
    };
    let timelines = (0..joints)
        .map(|joint| Timeline::new(shifted(joint)).unwrap())
        .collect();
    let clip = turning(joints, keys, rng, |joint| joint, timelines, (0.0, 40.0));
    check_close(&chain(joints, vec![clip]), Some(0), &spread(20, 90.0), 1e-5);
}

/// Tracks of all kinds that are left to the plain evaluator, on a node that hangs on one that stands still, among tracks
/// that are in the tables.
#[test]
fn tracks_are_left_to_the_plain_evaluator_wherever_they_are() {
    let rng = &mut Rng::new(12);
    let (few, many) = (20, 300_000);
    let mut clip = ClipBuilder::new("mixed");
    let even = (0..few).map(|key| key as f32 * 0.5).collect();
    let even = clip.timeline(Timeline::new(even).unwrap());
    let dense = (0..many).map(|key| key as f32 * 3e-5).collect();
    let dense = clip.timeline(Timeline::new(dense).unwrap());
    let linear = Interpolation::Linear;
    for joint in [0, 1, 4] {
        let values: Vec<_> = (0..few).map(|_| rng.rotation()).collect();
        clip.rotation(NodeId(joint), even, linear, values).unwrap();
        let values: Vec<_> = (0..few).map(|_| rng.vec3(1.0)).collect();
        clip.translation(NodeId(joint), even, linear, values)
            .unwrap();
    }
    let turn = |key: usize| Quat::from_rotation_x(key as f32 * 1e-4);
    let values: Vec<_> = (0..many).map(turn).collect();
    clip.rotation(NodeId(3), dense, linear, values).unwrap();
    let wave = |key: usize| Vec3::splat((key as f32 * 1e-4).sin() + 2.0);
    let values: Vec<_> = (0..many).map(wave).collect();
    clip.translation(NodeId(3), dense, linear, values).unwrap();
    let values: Vec<_> = (0..many).map(|key| wave(key) * 0.5).collect();
    clip.scale(NodeId(3), dense, linear, values).unwrap();
    check_close(
        &chain(6, vec![clip.finish()]),
        Some(0),
        &spread(40, 9.0),
        2e-6,
    );
}

/// What an instance gets depends on itself alone: not on its neighbours, its lane, or what was posed before.
#[test]
fn a_seek_gives_the_same_bits_as_playback() {
    let rng = &mut Rng::new(9);
    let even = Timeline::new((0..20).map(|key| key as f32 * 0.1).collect()).unwrap();
    let model = chain(9, vec![turning(9, 20, rng, |_| 0, vec![even], (0.0, 90.0))]);
    let layout = PaletteLayout::of_all_nodes(&model);
    let stride = layout.matrices_per_instance();
    let members = spread(61, 1.9);
    for lanes in LANES {
        let all = crowd(&model, &layout, Some(0), &members, lanes);
        let reversed: Vec<_> = members.iter().rev().copied().collect();
        let reversed = crowd(&model, &layout, Some(0), &reversed, lanes);
        for (index, member) in members.iter().enumerate() {
            let alone = crowd(&model, &layout, Some(0), &[*member], lanes);
            let bits = |matrices: &[PaletteMatrix]| -> Vec<[u32; 4]> {
                let rows = matrices.iter().flatten();
                rows.map(|row: &Vec4| row.to_array().map(f32::to_bits))
                    .collect()
            };
            let in_crowd = bits(&all[index * stride..][..stride]);
            assert_eq!(bits(&alone), in_crowd, "{lanes} lanes, member {index}");
            let place = members.len() - 1 - index;
            assert_eq!(bits(&reversed[place * stride..][..stride]), in_crowd);
        }
    }
    let clip = CrowdClip::new(&model, &layout, Some(0));
    let members = spread(1000, 1.9);
    let mut one = vec![PaletteMatrix::default(); stride * members.len()];
    let mut all = one.clone();
    clip.pose(&model, &members, &mut one);
    let out: &mut [[f32; 4]] = bytemuck::cast_slice_mut(&mut all);
    clip.write(&model, &members, out);
    assert!(one == all, "threads change nothing");
}

#[test]
fn clips_without_keys_or_with_one_are_constant() {
    let still = ClipBuilder::new("still").finish();
    let one = Timeline::new(vec![2.5]).unwrap();
    let single = turning(3, 1, &mut Rng::new(3), |_| 0, vec![one], (10.0, 90.0));
    let model = chain(3, vec![still, single]);
    for clip in [None, Some(0), Some(1)] {
        let mut members = spread(5, 4.0);
        members[1].time_secs = f64::NAN;
        members[2].time_secs = f64::NEG_INFINITY;
        check_close(&model, clip, &members, 1e-6);
    }
}

#[test]
fn splines_and_steps_agree_with_the_plain_evaluator() {
    let rng = &mut Rng::new(11);
    let mut clip = ClipBuilder::new("mixed");
    let even =
        clip.timeline(Timeline::new((0..12).map(|key| key as f32 * 0.25).collect()).unwrap());
    // Equal times jump.
    let jumping = clip.timeline(Timeline::new(vec![0.1, 0.7, 0.7, 1.9, 2.2]).unwrap());
    let vector = |rng: &mut Rng| rng.vec3(1.0);
    let quat = |rng: &mut Rng| rng.rotation();
    use Interpolation::{CubicSpline, Linear, Step};
    clip.rotation(
        NodeId(0),
        even,
        CubicSpline,
        (0..36).map(|_| quat(rng)).collect::<Vec<_>>(),
    )
    .unwrap();
    clip.rotation(
        NodeId(1),
        jumping,
        Step,
        (0..5).map(|_| quat(rng)).collect::<Vec<_>>(),
    )
    .unwrap();
    clip.rotation(
        NodeId(2),
        jumping,
        Linear,
        (0..5).map(|_| quat(rng)).collect::<Vec<_>>(),
    )
    .unwrap();
    clip.translation(
        NodeId(1),
        even,
        CubicSpline,
        (0..36).map(|_| vector(rng)).collect::<Vec<_>>(),
    )
    .unwrap();
    clip.translation(
        NodeId(2),
        jumping,
        Linear,
        (0..5).map(|_| vector(rng)).collect::<Vec<_>>(),
    )
    .unwrap();
    clip.scale(
        NodeId(3),
        jumping,
        Step,
        (0..5).map(|_| vector(rng)).collect::<Vec<_>>(),
    )
    .unwrap();
    clip.scale(
        NodeId(4),
        even,
        Linear,
        (0..12).map(|_| vector(rng)).collect::<Vec<_>>(),
    )
    .unwrap();
    let model = chain(6, vec![clip.finish()]);
    let mut members = spread(80, 3.0);
    for (member, time) in members.iter_mut().zip([0.1_f32, 0.7, 1.9, 2.2, 0.25]) {
        member.time_secs = f64::from(time);
    }
    check_close(&model, Some(0), &members, 1e-6);
}

#[test]
fn a_chain_of_100_000_does_not_recurse() {
    let model = chain(100_000, Vec::new());
    let layout = PaletteLayout::of_all_nodes(&model);
    let found = crowd(&model, &layout, None, &members_at(&[0.0]), 16);
    let identity = to_palette_matrix(&Affine3A::IDENTITY);
    let [skin] = layout.skins() else {
        panic!("there is one skin")
    };
    let last = skin.first + skin.joint_count - 1;
    assert_eq!(found[last as usize], identity);
}

#[test]
fn morphs_are_those_of_the_plain_evaluator() {
    let nodes = vec![
        Node {
            mesh: Some(0),
            ..Node::default()
        },
        Node {
            mesh: Some(1),
            ..Node::default()
        },
    ];
    let hierarchy = Hierarchy::new(nodes, &[None, None], &[vec![0.0; 5], vec![0.0, 0.5]]).unwrap();
    let mut clip = ClipBuilder::new("face");
    let timeline = clip.timeline(Timeline::new(vec![0.0, 1.0, 2.0]).unwrap());
    let mut values = vec![0.0; 15];
    (values[1], values[6], values[9]) = (1.0, 0.25, 0.5);
    clip.weights(NodeId(0), timeline, Interpolation::Linear, 5, values)
        .unwrap();
    let model = Model {
        hierarchy,
        meshes: vec![rigscope::model::Mesh::default(); 2].into(),
        clips: vec![clip.finish()],
        ..Model::default()
    };
    let layout = PaletteLayout::of_all_nodes(&model);
    let baked = CrowdClip::new(&model, &layout, Some(0));
    for step in -2..24 {
        let time = f64::from(step) * 0.1;
        let expected = plain(&model, &layout, Some(0), &members_at(&[time]));
        for placement in 0..2 {
            let mut found = Vec::new();
            baked.describe(&model, placement, time, &mut found);
            let expected = expected.morphs_of(expected.record(placement, 0));
            assert_eq!(found.len(), expected.len(), "at {time}");
            for (found, expected) in found.iter().zip(expected) {
                assert_eq!(found.target, expected.target, "at {time}");
                assert!((found.weight - expected.weight).abs() < 1e-6, "at {time}");
            }
        }
    }
}
