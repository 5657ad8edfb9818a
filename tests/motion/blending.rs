//! Blending: against its definition in double precision on random poses, and what must hold for every blend.

use glam::{Affine3A, DQuat, Mat3, Quat, Vec3};
use rigscope::anim::blend::{BlendMode, Blender, JointMask, Layer, Motion};
use rigscope::anim::{Cursors, Pose, sample};
use rigscope::model::{
    Clip, ClipBuilder, Hierarchy, Interpolation, Node, NodeId, Timeline, Transform,
};

use crate::rng::Rng;

const NODES: usize = 8;
const WEIGHTS: usize = 2;

fn random_transform(rng: &mut Rng) -> Transform {
    Transform {
        translation: rng.vec3(3.0),
        rotation: rng.rotation(),
        scale: Vec3::from_array(std::array::from_fn(|_| rng.float(0.5, 2.0))),
    }
}

fn random_tree(rng: &mut Rng) -> Hierarchy {
    let parents: Vec<_> = (0..NODES)
        .map(|node| (node > 0).then(|| rng.index(node.max(1))))
        .collect();
    let node = |rest| Node {
        rest,
        ..Node::default()
    };
    let nodes = (0..NODES).map(|_| node(random_transform(rng))).collect();
    Hierarchy::new(nodes, &parents, &vec![vec![0.5; WEIGHTS]; NODES]).unwrap()
}

/// A clip that moves some properties of some nodes; `all` of them if asked for.
fn random_clip(rng: &mut Rng, all: bool) -> Clip {
    let mut clip = ClipBuilder::new("random");
    let linear = Interpolation::Linear;
    for node in (0..NODES as u32).map(NodeId) {
        let times = vec![0.0, rng.float(0.2, 0.8), 1.0];
        let timeline = clip.timeline(Timeline::new(times).unwrap());
        let mut some = || all || rng.index(2) == 0;
        let [t, r, s, w] = [some(), some(), some(), some()];
        let keys: Vec<_> = (0..3).map(|_| random_transform(rng)).collect();
        let vectors = |get: fn(&Transform) -> Vec3| keys.iter().map(get).collect::<Vec<_>>();
        if t {
            let values = vectors(|key| key.translation);
            clip.translation(node, timeline, linear, values).unwrap();
        }
        if r {
            let values: Vec<_> = keys.iter().map(|key| key.rotation).collect();
            clip.rotation(node, timeline, linear, values).unwrap();
        }
        if s {
            let values = vectors(|key| key.scale);
            clip.scale(node, timeline, linear, values).unwrap();
        }
        if w {
            let values: Vec<_> = (0..3 * WEIGHTS).map(|_| rng.float(-1.0, 1.0)).collect();
            clip.weights(node, timeline, linear, WEIGHTS, values)
                .unwrap();
        }
    }
    clip.finish()
}

fn sampled(tree: &Hierarchy, clip: &Clip, time_secs: f64) -> Pose {
    let mut pose = Pose::new(tree);
    sample(clip, time_secs, &mut Cursors::default(), &mut pose);
    pose
}

/// The pose that a blender left behind by an unrelated blend gives.
fn blended(tree: &Hierarchy, layers: &[Layer<'_>]) -> Pose {
    let mut rng = Rng::new(layers.len() as u64);
    let mut pose = Pose::new(tree);
    let mut blender = Blender::new(tree);
    let other = random_clip(&mut rng, true);
    let motions = [motion(&other, 0.7, 1.0), motion(&other, 0.1, 1.0)];
    let mut half = Layer::new(&motions);
    half.weight = 0.5;
    blender.blend(&[Layer::new(&motions), half], &mut pose);
    blender.blend(layers, &mut pose);
    pose
}

fn motion(clip: &Clip, time_secs: f64, weight: f32) -> Motion<'_> {
    Motion::new(clip, time_secs, weight)
}

/// The largest difference of translations, scales, weights and, signs aside, rotations.
fn difference(a: &Pose, b: &Pose) -> f32 {
    let locals = a.locals.iter().zip(&b.locals).map(|(a, b)| {
        let turn = (a.rotation - b.rotation)
            .length()
            .min((a.rotation + b.rotation).length());
        let moved = (a.translation - b.translation).abs().max_element();
        let grown = (a.scale - b.scale).abs().max_element();
        turn.max(moved).max(grown)
    });
    let weights = a.weights.iter().zip(&b.weights).map(|(a, b)| (a - b).abs());
    locals.chain(weights).fold(0.0, f32::max)
}

#[track_caller]
fn assert_same(found: &Pose, expected: &Pose, most: f32) {
    let difference = difference(found, expected);
    assert!(difference <= most, "off by {difference:e}");
    let lengths = found.locals.iter().map(|local| local.rotation.length());
    for length in lengths {
        assert!((length - 1.0).abs() < 1e-6, "a rotation of length {length}");
    }
}

/// The mean of some numbers of each pose.
fn mean<const N: usize>(parts: &[(Pose, f64)], get: impl Fn(&Pose) -> [f32; N]) -> [f32; N] {
    let total: f64 = parts.iter().map(|(_, weight)| weight).sum();
    std::array::from_fn(|lane| {
        let terms = parts
            .iter()
            .map(|(pose, weight)| weight * f64::from(get(pose)[lane]));
        (terms.sum::<f64>() / total) as f32
    })
}

/// The definition of a mix, in double precision.
fn mixed(tree: &Hierarchy, parts: &[(Pose, f64)]) -> Pose {
    let mut result = Pose::new(tree);
    for (node, local) in result.locals.iter_mut().enumerate() {
        let mut sum = DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0);
        for (pose, weight) in parts {
            let rotation = pose.locals[node].rotation.as_dquat();
            let sign = if sum.dot(rotation) < 0.0 { -1.0 } else { 1.0 };
            sum += rotation * (sign * weight);
        }
        local.rotation = sum.normalize().as_quat();
        local.translation = mean(parts, |pose| pose.locals[node].translation.to_array()).into();
        local.scale = mean(parts, |pose| pose.locals[node].scale.to_array()).into();
    }
    for (index, weight) in result.weights.iter_mut().enumerate() {
        *weight = mean(parts, |pose| [pose.weights[index]])[0];
    }
    result
}

#[test]
fn a_mix_agrees_with_its_definition_in_double_precision() {
    let mut rng = Rng::new(1);
    for _ in 0..300 {
        let tree = random_tree(&mut rng);
        let count = 2 + rng.index(4);
        let clips: Vec<_> = (0..count).map(|_| random_clip(&mut rng, false)).collect();
        let motions: Vec<_> = clips
            .iter()
            .map(|clip| motion(clip, f64::from(rng.float(0.0, 1.0)), rng.float(0.1, 5.0)))
            .collect();
        let parts: Vec<_> = motions
            .iter()
            .map(|motion| {
                let pose = sampled(&tree, motion.clip, motion.time_secs);
                (pose, f64::from(motion.weight))
            })
            .collect();
        let found = blended(&tree, &[Layer::new(&motions)]);
        assert_same(&found, &mixed(&tree, &parts), 3e-6);
    }
}

#[test]
fn one_motion_alone_is_the_clip_to_the_bit() {
    let mut rng = Rng::new(2);
    for _ in 0..100 {
        let tree = random_tree(&mut rng);
        let (clip, other) = (random_clip(&mut rng, false), random_clip(&mut rng, false));
        let expected = sampled(&tree, &clip, 0.4);
        for weight in [1.0, 0.001, f32::MAX, f32::INFINITY] {
            for nothing in [0.0, -1.0, f32::NAN, f32::NEG_INFINITY] {
                let motions = [motion(&other, 0.3, nothing), motion(&clip, 0.4, weight)];
                let found = blended(&tree, &[Layer::new(&motions)]);
                assert_eq!(found.locals, expected.locals);
                assert_eq!(found.weights, expected.weights);
            }
        }
    }
}

#[test]
fn what_no_clip_touches_is_at_rest() {
    let mut rng = Rng::new(3);
    let tree = random_tree(&mut rng);
    let rest = Pose::new(&tree);
    let still = ClipBuilder::new("still").finish();
    let clip = random_clip(&mut rng, true);
    let half = blended(
        &tree,
        &[Layer::new(&[
            motion(&clip, 0.5, 1.0),
            motion(&still, 0.5, 1.0),
        ])],
    );
    let parts = [(sampled(&tree, &clip, 0.5), 0.5), (rest.clone(), 0.5)];
    assert_same(&half, &mixed(&tree, &parts), 3e-6);
    for nothing in [
        &[][..],
        &[Layer::new(&[])],
        &[Layer::new(&[motion(&clip, 0.5, 0.0)])],
    ] {
        assert_eq!(blended(&tree, nothing).locals, rest.locals);
    }
}

/// Whatever was placed by hand before: of a matrix that shears nothing is lost once it is the file's again.
#[test]
fn what_the_file_fixes_is_as_the_file_has_it() {
    let shear = Affine3A::from_mat3(Mat3::from_cols(Vec3::X, Vec3::new(0.5, 1.0, 0.0), Vec3::Z));
    let node = Node {
        rest: Transform::from_affine(&shear),
        fixed_matrix: Some(shear),
        ..Node::default()
    };
    let tree = Hierarchy::new(vec![node], &[None], &[vec![]]).unwrap();
    let mut pose = Pose::new(&tree);
    pose.place(NodeId(0), Transform::default());
    Blender::new(&tree).blend(&[], &mut pose);
    pose.update_world(&tree, Affine3A::IDENTITY);
    assert_eq!(pose.world[0], shear);
}

#[test]
fn a_pair_may_come_in_either_order_and_with_either_sign() {
    let mut rng = Rng::new(4);
    let turned_by = |sign: f32, rotation: Quat| {
        let mut clip = ClipBuilder::new("");
        let timeline = clip.timeline(Timeline::new(vec![0.0]).unwrap());
        let values = vec![rotation * sign];
        clip.rotation(NodeId(0), timeline, Interpolation::Linear, values)
            .unwrap();
        clip.finish()
    };
    let tree = random_tree(&mut rng);
    for _ in 0..200 {
        let (a, b) = (rng.rotation(), rng.rotation());
        let share = rng.float(0.05, 0.95);
        let blend = |signs: [f32; 2], is_swapped: bool| {
            let (a, b) = (turned_by(signs[0], a), turned_by(signs[1], b));
            let mut motions = [motion(&a, 0.0, share), motion(&b, 0.0, 1.0 - share)];
            if is_swapped {
                motions.reverse();
            }
            blended(&tree, &[Layer::new(&motions)])
        };
        let expected = blend([1.0, 1.0], false);
        for signs in [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]] {
            assert_same(&blend(signs, false), &expected, 1e-5);
            assert_same(&blend(signs, true), &expected, 1e-5);
        }
        // The short way: never farther from either than they are apart, and near slerp, as the documentation says.
        let found = expected.locals[0].rotation;
        let apart = a.angle_between(b).min((-a).angle_between(b));
        let to = |from: Quat| from.angle_between(found).min((-from).angle_between(found));
        assert!((to(a) + to(b) - apart).abs() < 3e-3, "off the arc");
        let from_slerp = (to(a) - (1.0 - share) * apart).abs().to_degrees();
        let most = if apart < 60_f32.to_radians() {
            0.3
        } else {
            8.2
        };
        assert!(from_slerp < most, "{from_slerp}° from slerp");
    }
}

#[test]
fn rotations_that_point_everywhere_still_sum_to_one() {
    let mut rng = Rng::new(5);
    let tree = random_tree(&mut rng);
    for _ in 0..200 {
        // Half turns about three axes and none at all: orthogonal quaternions, and more at random.
        let mut rotations = vec![
            Quat::IDENTITY,
            Quat::from_xyzw(1.0, 0.0, 0.0, 0.0),
            Quat::from_xyzw(0.0, -1.0, 0.0, 0.0),
            Quat::from_xyzw(0.0, 0.0, 1.0, 0.0),
        ];
        rotations.extend((0..rng.index(20)).map(|_| rng.rotation()));
        let clips: Vec<Clip> = rotations
            .iter()
            .map(|&rotation| {
                let mut clip = ClipBuilder::new("");
                let timeline = clip.timeline(Timeline::new(vec![0.0]).unwrap());
                clip.rotation(NodeId(3), timeline, Interpolation::Step, vec![rotation])
                    .unwrap();
                clip.finish()
            })
            .collect();
        let motions: Vec<_> = clips.iter().map(|clip| motion(clip, 0.0, 1.0)).collect();
        let found = blended(&tree, &[Layer::new(&motions)]).locals[3].rotation;
        assert!(found.is_normalized(), "{found}");
    }
}

/// Over the pose itself, or in a pose of its own that then takes the place of each node, as with a mask.
#[test]
fn clips_together_are_the_same_to_the_bit_with_and_without_a_mask() {
    let mut rng = Rng::new(77);
    for _ in 0..50 {
        let tree = random_tree(&mut rng);
        let clips: [_; 4] = std::array::from_fn(|_| random_clip(&mut rng, false));
        let [below, one, other, last] = [0, 1, 2, 3].map(|clip| motion(&clips[clip], 0.4, 1.0));
        let everywhere = JointMask::uniform(&tree, 1.0);
        let posed = |mask| {
            let (below, first, second) = ([below], [one, other], [last]);
            let together = |motions| Layer {
                mode: BlendMode::Together,
                mask,
                ..Layer::new(motions)
            };
            let layers = [Layer::new(&below), together(&first), together(&second)];
            blended(&tree, &layers)
        };
        let (found, expected) = (posed(None), posed(Some(&everywhere)));
        assert_eq!(found, expected);
        let [a, b] = [&found, &expected].map(|pose| pose.weights.iter().map(|it| it.to_bits()));
        assert!(a.eq(b));
        let mut by_hand = sampled(&tree, below.clip, 0.4);
        for clip in &clips[1..] {
            sample(clip, 0.4, &mut Cursors::default(), &mut by_hand);
        }
        assert_eq!(found, by_hand);
    }
}

#[test]
fn an_override_replaces_as_far_as_weight_and_mask_go() {
    let mut rng = Rng::new(6);
    for _ in 0..100 {
        let tree = random_tree(&mut rng);
        let (low, high) = (random_clip(&mut rng, false), random_clip(&mut rng, false));
        let mut mask = JointMask::uniform(&tree, 0.0);
        for node in 0..NODES as u32 {
            mask.set(NodeId(node), [0.0, 1.0, rng.float(0.0, 1.0)][rng.index(3)]);
        }
        let weight = [1.0, rng.float(0.0, 1.0)][rng.index(2)];
        let (below, above) = ([motion(&low, 0.2, 1.0)], [motion(&high, 0.6, 3.0)]);
        let layers = [
            Layer::new(&below),
            Layer {
                weight,
                mask: Some(&mask),
                ..Layer::new(&above)
            },
        ];
        let found = blended(&tree, &layers);
        let (low, high) = (sampled(&tree, &low, 0.2), sampled(&tree, &high, 0.6));
        for node in (0..NODES as u32).map(NodeId) {
            let share = weight * mask.weight(node);
            if share == 0.0 {
                assert_eq!(found.locals[node.index()], low.locals[node.index()]);
                assert_eq!(found.weights_of(node), low.weights_of(node));
            } else if share == 1.0 {
                assert_eq!(found.locals[node.index()], high.locals[node.index()]);
            }
            let share = f64::from(share);
            let expected = mixed(&tree, &[(low.clone(), 1.0 - share), (high.clone(), share)]);
            let mut one = low.clone();
            one.locals[node.index()] = found.locals[node.index()];
            one.weights_of_mut(node)
                .copy_from_slice(found.weights_of(node));
            let mut want = low.clone();
            want.locals[node.index()] = expected.locals[node.index()];
            want.weights_of_mut(node)
                .copy_from_slice(expected.weights_of(node));
            assert_same(&one, &want, 3e-6);
        }
    }
}

/// The definition of an additive layer, in double precision: differences in the parent's space.
fn added(below: &Pose, above: &Pose, reference: &Pose, weight: f64) -> Pose {
    let mut result = below.clone();
    for (node, local) in result.locals.iter_mut().enumerate() {
        let (over, from) = (&above.locals[node], &reference.locals[node]);
        let turn = over.rotation.as_dquat() * from.rotation.as_dquat().conjugate();
        let turn = if turn.w < 0.0 { -turn } else { turn };
        let (axis, angle) = turn.normalize().to_axis_angle();
        let part = DQuat::from_axis_angle(axis, angle * weight);
        local.rotation = (part * local.rotation.as_dquat()).normalize().as_quat();
        let moved = (over.translation - from.translation).as_dvec3() * weight;
        local.translation = (local.translation.as_dvec3() + moved).as_vec3();
        let ratio = over.scale.as_dvec3() / from.scale.as_dvec3();
        let factor = (ratio - 1.0) * weight + 1.0;
        local.scale = (local.scale.as_dvec3() * factor).as_vec3();
    }
    for (index, value) in result.weights.iter_mut().enumerate() {
        *value += ((above.weights[index] - reference.weights[index]) as f64 * weight) as f32;
    }
    result
}

#[test]
fn an_additive_layer_adds_its_difference_from_the_reference() {
    let mut rng = Rng::new(7);
    for _ in 0..300 {
        let tree = random_tree(&mut rng);
        let (low, high) = (random_clip(&mut rng, false), random_clip(&mut rng, false));
        let reference = sampled(&tree, &high, 0.0);
        let (below, above) = ([motion(&low, 0.2, 1.0)], [motion(&high, 0.6, 1.0)]);
        let blend = |reference: &Pose, weight| {
            let layers = [
                Layer::new(&below),
                Layer {
                    weight,
                    mode: BlendMode::Additive { reference },
                    ..Layer::new(&above)
                },
            ];
            blended(&tree, &layers)
        };
        let (low, high) = (sampled(&tree, &low, 0.2), sampled(&tree, &high, 0.6));
        for weight in [1.0, 0.0, rng.float(0.0, 1.0), -0.5, 1.5] {
            let found = blend(&reference, weight);
            let expected = added(&low, &high, &reference, f64::from(weight));
            assert_same(&found, &expected, 1e-5);
        }
        // Over its own reference it is the pose itself; with itself as the reference it is nothing.
        assert_same(&blend(&low, 1.0), &high, 1e-5);
        assert_same(&blend(&high, 1.0), &low, 1e-5);
    }
}

#[test]
fn a_reference_without_scale_keeps_the_scale_below() {
    let mut rng = Rng::new(8);
    let tree = random_tree(&mut rng);
    let (low, high) = (random_clip(&mut rng, true), random_clip(&mut rng, true));
    let mut reference = sampled(&tree, &high, 0.0);
    for local in &mut reference.locals {
        local.scale.y = 0.0;
    }
    let (below, above) = ([motion(&low, 0.2, 1.0)], [motion(&high, 0.6, 1.0)]);
    let mode = BlendMode::Additive {
        reference: &reference,
    };
    let top = Layer {
        mode,
        ..Layer::new(&above)
    };
    let found = blended(&tree, &[Layer::new(&below), top]);
    let low = sampled(&tree, &low, 0.2);
    for (found, low) in found.locals.iter().zip(&low.locals) {
        assert!(found.scale.is_finite());
        assert!((found.scale.y - low.scale.y).abs() < 1e-6);
    }
}

#[test]
fn a_blend_is_continuous_in_its_weights() {
    let mut rng = Rng::new(9);
    for _ in 0..10 {
        let tree = random_tree(&mut rng);
        // Any two, or three of which all rotations lie within 90° of one: beyond that the sign of the third may turn.
        let count = 2 + rng.index(2);
        let middle = rng.rotation();
        let clips: Vec<_> = (0..count)
            .map(|_| {
                let mut clip = ClipBuilder::new("");
                let timeline = clip.timeline(Timeline::new(vec![0.0]).unwrap());
                let rotation = match count {
                    2 => rng.rotation(),
                    _ => middle * Quat::IDENTITY.rotate_towards(rng.rotation(), 1.5),
                };
                let values = vec![rotation * [1.0, -1.0][rng.index(2)]];
                clip.rotation(NodeId(1), timeline, Interpolation::Linear, values)
                    .unwrap();
                let values = vec![rng.vec3(3.0)];
                clip.translation(NodeId(1), timeline, Interpolation::Linear, values)
                    .unwrap();
                clip.finish()
            })
            .collect();
        let at = |step: u32| {
            let t = step as f32 / 1000.0;
            let weights = [t, 1.0 - t, 0.5];
            let motions: Vec<_> = clips
                .iter()
                .zip(weights)
                .map(|(clip, weight)| motion(clip, 0.0, weight))
                .collect();
            blended(&tree, &[Layer::new(&motions)])
        };
        for step in 0..1000 {
            let change = difference(&at(step), &at(step + 1));
            assert!(change < 0.03, "{count} motions, step {step}: {change}");
        }
    }
}
