//! What holds for every clip and every time, on random clips: clamping, keys, signs of quaternions, seeking, order.

use glam::{Quat, Vec3};
use rigscope::anim::{Cursors, Pose, sample};
use rigscope::model::{Clip, ClipBuilder, Hierarchy, Interpolation, Node, NodeId, Timeline};

use crate::rng::Rng;

const NODES: usize = 6;
const WEIGHTS: usize = 3;
const KINDS: [Interpolation; 3] = [
    Interpolation::Step,
    Interpolation::Linear,
    Interpolation::CubicSpline,
];

/// One channel before it becomes part of a clip, so that tests can change it.
#[derive(Clone)]
struct Channel {
    node: u32,
    times: Vec<f32>,
    kind: Interpolation,
    values: Values,
}

#[derive(Clone)]
enum Values {
    Translation(Vec<Vec3>),
    Rotation(Vec<Quat>),
    Scale(Vec<Vec3>),
    Weights(Vec<f32>),
}

fn rest() -> Pose {
    let parents: Vec<_> = (0..NODES).map(|node| node.checked_sub(1)).collect();
    let nodes = vec![Node::default(); NODES];
    Pose::new(&Hierarchy::new(nodes, &parents, &vec![vec![0.5; WEIGHTS]; NODES]).unwrap())
}

/// `count` key times from about −1 to 3 s; some keys may stand at the same time.
fn random_times(rng: &mut Rng, count: usize, with_equal: bool) -> Vec<f32> {
    let mut time = rng.float(-1.0, 1.0);
    let mut next = || {
        let step = rng.float(0.001, 0.4);
        if !with_equal || rng.index(4) > 0 {
            time += step;
        }
        time
    };
    (0..count).map(|_| next()).collect()
}

fn random_channel(
    rng: &mut Rng,
    node: u32,
    property: usize,
    keys: usize,
    with_equal: bool,
) -> Channel {
    let kind = KINDS[rng.index(3)];
    let times = random_times(rng, keys, with_equal);
    let rows = if kind == Interpolation::CubicSpline {
        3 * keys
    } else {
        keys
    };
    let vectors = |rng: &mut Rng| (0..rows).map(|_| rng.vec3(10.0)).collect();
    let values = match property {
        0 => Values::Translation(vectors(rng)),
        1 => Values::Rotation((0..rows).map(|_| rng.rotation()).collect()),
        2 => Values::Scale(vectors(rng)),
        _ => Values::Weights((0..rows * WEIGHTS).map(|_| rng.float(-1.0, 2.0)).collect()),
    };
    Channel {
        node,
        times,
        kind,
        values,
    }
}

/// Every property of every node, with timelines of different lengths.
fn random_channels(rng: &mut Rng, with_equal: bool) -> Vec<Channel> {
    let mut channels = Vec::new();
    for node in 0..NODES as u32 {
        for property in 0..4 {
            let keys = 1 + rng.index(12);
            channels.push(random_channel(rng, node, property, keys, with_equal));
        }
    }
    channels
}

fn clip(channels: &[Channel]) -> Clip {
    let mut clip = ClipBuilder::new("random");
    for Channel {
        node,
        times,
        kind,
        values,
    } in channels.iter().cloned()
    {
        let timeline = clip.timeline(Timeline::new(times).unwrap());
        let node = NodeId(node);
        match values {
            Values::Translation(values) => clip.translation(node, timeline, kind, values),
            Values::Rotation(values) => clip.rotation(node, timeline, kind, values),
            Values::Scale(values) => clip.scale(node, timeline, kind, values),
            Values::Weights(values) => clip.weights(node, timeline, kind, WEIGHTS, values),
        }
        .unwrap();
    }
    clip.finish()
}

fn pose_at(clip: &Clip, time_secs: f64) -> Pose {
    let mut pose = rest();
    sample(clip, time_secs, &mut Cursors::default(), &mut pose);
    pose
}

/// Times in, on, between and outside of all keys.
fn probing_times(rng: &mut Rng, channels: &[Channel]) -> Vec<f64> {
    let keys = channels
        .iter()
        .flat_map(|channel| channel.times.iter().map(|&time| f64::from(time)));
    let mut times: Vec<f64> = keys.collect();
    times.extend((0..200).map(|_| f64::from(rng.float(-3.0, 7.0))));
    times
}

#[test]
fn a_key_gives_its_own_value_to_the_bit() {
    let mut rng = Rng::new(1);
    for _ in 0..100 {
        let channels = random_channels(&mut rng, false);
        let clip = clip(&channels);
        for Channel {
            node,
            times,
            kind,
            values,
        } in &channels
        {
            for (key, &time) in times.iter().enumerate() {
                let pose = pose_at(&clip, f64::from(time));
                let local = pose.locals[*node as usize];
                let row = if *kind == Interpolation::CubicSpline {
                    3 * key + 1
                } else {
                    key
                };
                match values {
                    Values::Translation(values) => assert_eq!(local.translation, values[row]),
                    Values::Scale(values) => assert_eq!(local.scale, values[row]),
                    // A spline's rotation is normalised again, which may turn the last bit.
                    Values::Rotation(values) => {
                        assert!(local.rotation.abs_diff_eq(values[row], 1e-6));
                    }
                    Values::Weights(values) => {
                        assert_eq!(
                            pose.weights_of(NodeId(*node)),
                            &values[row * WEIGHTS..][..WEIGHTS]
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn times_outside_are_clamped_channel_by_channel() {
    let mut rng = Rng::new(2);
    for _ in 0..300 {
        let (property, keys) = (rng.index(4), 1 + rng.index(6));
        let channel = random_channel(&mut rng, 2, property, keys, false);
        let (first, last) = (channel.times[0], channel.times[keys - 1]);
        let clip = clip(&[channel]);
        for far in [1e-6, 0.1, 1e3, 1e30, f64::INFINITY] {
            assert_eq!(
                pose_at(&clip, f64::from(first) - far),
                pose_at(&clip, f64::from(first))
            );
            assert_eq!(
                pose_at(&clip, f64::from(last) + far),
                pose_at(&clip, f64::from(last))
            );
        }
    }
}

#[test]
fn one_key_is_the_same_at_every_time() {
    let mut rng = Rng::new(3);
    for _ in 0..300 {
        let property = rng.index(4);
        let clip = clip(&[random_channel(&mut rng, 1, property, 1, false)]);
        let pose = pose_at(&clip, 0.0);
        for time in [-1e9, -0.5, 0.5, 1.0, 1e9] {
            assert_eq!(pose_at(&clip, time), pose);
        }
    }
}

#[test]
fn a_rotation_and_its_negative_are_the_same() {
    let mut rng = Rng::new(4);
    for round in 0..300 {
        let kind = KINDS[round % 3];
        let keys = 2 + rng.index(6);
        let times = random_times(&mut rng, keys, false);
        let rows = if kind == Interpolation::CubicSpline {
            3 * keys
        } else {
            keys
        };
        let values: Vec<Quat> = (0..rows).map(|_| rng.rotation()).collect();
        // The signs of a spline's values and tangents belong together; those of other keys are anybody's choice.
        let all = kind == Interpolation::CubicSpline;
        let negated: Vec<Quat> = values
            .iter()
            .map(|&q| if all || rng.index(2) == 0 { -q } else { q })
            .collect();
        let channel = |values| Channel {
            node: 0,
            times: times.clone(),
            kind,
            values: Values::Rotation(values),
        };
        let (one, other) = (clip(&[channel(values)]), clip(&[channel(negated)]));
        for step in 0..100 {
            let time = f64::from(times[0]) + f64::from(step) * 0.02;
            let (a, b) = (
                pose_at(&one, time).locals[0].rotation,
                pose_at(&other, time).locals[0].rotation,
            );
            let b = if a.dot(b) < 0.0 { -b } else { b };
            assert!(a.abs_diff_eq(b, 1e-6), "{kind:?} at {time}: {a} and {b}");
        }
    }
}

#[test]
fn rotations_turn_evenly_the_short_way_and_stay_unit() {
    let mut rng = Rng::new(5);
    for _ in 0..300 {
        let (a, b) = (rng.rotation(), rng.rotation());
        let values = Values::Rotation(vec![a, b]);
        let clip = clip(&[Channel {
            node: 0,
            times: vec![0.0, 1.0],
            kind: Interpolation::Linear,
            values,
        }]);
        let between = |p: Quat, q: Quat| {
            let (p, q) = (p.as_dquat().normalize(), q.as_dquat().normalize());
            let q = if p.dot(q) < 0.0 { -q } else { q };
            2.0 * 2.0 * ((p - q).length() / 2.0).asin()
        };
        let whole = between(a, b);
        assert!(whole <= std::f64::consts::PI + 1e-6);
        for step in 0..=20 {
            let fraction = f64::from(step) / 20.0;
            let q = pose_at(&clip, fraction).locals[0].rotation;
            assert!((q.length() - 1.0).abs() < 1e-6);
            assert!(
                (between(a, q) - fraction * whole).abs() < 2e-6,
                "{fraction} of {whole} is {}",
                between(a, q)
            );
            assert!((between(q, b) - (1.0 - fraction) * whole).abs() < 2e-6);
        }
    }
}

#[test]
fn spline_rotations_stay_unit_whatever_the_tangents() {
    let mut rng = Rng::new(6);
    for _ in 0..300 {
        let scale = rng.float(0.0, 50.0);
        let values = (0..12)
            .map(|row| rng.rotation() * if row % 3 == 1 { 1.0 } else { scale })
            .collect();
        let channel = Channel {
            node: 0,
            times: vec![0.0, 0.5, 0.6, 4.0],
            kind: Interpolation::CubicSpline,
            values: Values::Rotation(values),
        };
        let clip = clip(&[channel]);
        for step in 0..200 {
            let q = pose_at(&clip, f64::from(step) * 0.02).locals[0].rotation;
            assert!((q.length() - 1.0).abs() < 1e-6, "{q}");
        }
    }
}

#[test]
fn splines_reproduce_cubic_polynomials() {
    let mut rng = Rng::new(14);
    for _ in 0..100 {
        let keys = 2 + rng.index(5);
        let times = random_times(&mut rng, keys, false);
        let [a, b, c, d] = [(); 4].map(|()| rng.vec3(1.0));
        let at = |t: f32| a + t * (b + t * (c + t * d));
        let slope = |t: f32| b + t * (2.0 * c + t * 3.0 * d);
        let rows = times.iter().map(|&t| [slope(t), at(t), slope(t)]);
        let channel = Channel {
            node: 0,
            times: times.clone(),
            kind: Interpolation::CubicSpline,
            values: Values::Translation(rows.flatten().collect()),
        };
        let clip = clip(&[channel]);
        for _ in 0..100 {
            let time = rng.float(times[0], times[keys - 1]);
            let (found, exact) = (pose_at(&clip, f64::from(time)), at(time));
            let error = found.locals[0].translation.distance(exact);
            assert!(error < 2e-5, "off by {error} at {time} of {times:?}");
        }
    }
}

#[test]
fn a_step_is_always_one_of_its_keys() {
    let mut rng = Rng::new(7);
    for _ in 0..100 {
        let keys = 1 + rng.index(10);
        let times = random_times(&mut rng, keys, true);
        let values: Vec<Vec3> = (0..keys).map(|_| rng.vec3(5.0)).collect();
        let channel = Channel {
            node: 0,
            times: times.clone(),
            kind: Interpolation::Step,
            values: Values::Translation(values.clone()),
        };
        let clip = clip(&[channel]);
        for _ in 0..300 {
            let time = rng.float(-2.0, 6.0);
            let found = pose_at(&clip, f64::from(time)).locals[0].translation;
            let before = times.iter().rposition(|&key| key <= time).unwrap_or(0);
            assert_eq!(found, values[before], "at {time} of {times:?}");
        }
    }
}

#[test]
fn linear_values_stay_between_their_keys() {
    let mut rng = Rng::new(8);
    for _ in 0..100 {
        let times = random_times(&mut rng, 8, true);
        let values: Vec<Vec3> = (0..8).map(|_| rng.vec3(5.0)).collect();
        let channel = Channel {
            node: 0,
            times: times.clone(),
            kind: Interpolation::Linear,
            values: Values::Translation(values.clone()),
        };
        let clip = clip(&[channel]);
        for _ in 0..200 {
            let time = rng.float(times[0], times[7]);
            let found = pose_at(&clip, f64::from(time)).locals[0].translation;
            let after = times.iter().position(|&key| key > time).unwrap_or(7).max(1);
            let (a, b) = (values[after - 1], values[after]);
            let slack = Vec3::splat(2e-6);
            assert!(
                found.cmpge(a.min(b) - slack).all() && found.cmple(a.max(b) + slack).all(),
                "{found} between {a} and {b}"
            );
        }
    }
}

#[test]
fn keys_at_equal_times_give_finite_values() {
    let mut rng = Rng::new(9);
    for _ in 0..100 {
        let mut channels = random_channels(&mut rng, true);
        // One channel whose keys all stand at the same time.
        channels[0].times.fill(0.25);
        let clip = clip(&channels);
        for time in probing_times(&mut rng, &channels) {
            let pose = pose_at(&clip, time);
            assert!(pose.locals.iter().all(|local| local.translation.is_finite()
                && local.rotation.is_finite()
                && local.scale.is_finite()));
            assert!(pose.weights.iter().all(|weight| weight.is_finite()));
        }
    }
}

#[test]
fn playing_seeking_and_scrubbing_backwards_give_the_same_poses() {
    let mut rng = Rng::new(10);
    for _ in 0..50 {
        let channels = random_channels(&mut rng, true);
        let clip = clip(&channels);
        let mut times = probing_times(&mut rng, &channels);
        let fresh: Vec<(f64, Pose)> = times
            .iter()
            .map(|&time| (time, pose_at(&clip, time)))
            .collect();
        let expected = |time: f64| &fresh.iter().find(|(other, _)| *other == time).unwrap().1;
        let (mut cursors, mut pose) = (Cursors::default(), rest());
        let mut check = |times: &[f64]| {
            for &time in times {
                sample(&clip, time, &mut cursors, &mut pose);
                assert_eq!(&pose, expected(time), "at {time}");
            }
        };
        check(&times);
        times.sort_by(f64::total_cmp);
        check(&times);
        times.reverse();
        check(&times);
    }
}

#[test]
fn cursors_of_another_clip_do_no_harm() {
    let mut rng = Rng::new(11);
    let mut cursors = Cursors::default();
    for _ in 0..200 {
        let count = rng.index(24);
        let channels: Vec<Channel> = random_channels(&mut rng, true)
            .into_iter()
            .take(count)
            .collect();
        let clip = clip(&channels);
        let time = f64::from(rng.float(-2.0, 6.0));
        let mut pose = rest();
        sample(&clip, time, &mut cursors, &mut pose);
        assert_eq!(pose, pose_at(&clip, time));
    }
}

#[test]
fn the_order_of_channels_does_not_matter() {
    let mut rng = Rng::new(12);
    for _ in 0..100 {
        let channels = random_channels(&mut rng, true);
        let order = rng.permutation(channels.len());
        let shuffled: Vec<Channel> = order.iter().map(|&i| channels[i].clone()).collect();
        let (one, other) = (clip(&channels), clip(&shuffled));
        for time in [-1.0, 0.0, 0.3, 0.77, 1.5, 4.0] {
            assert_eq!(pose_at(&one, time), pose_at(&other, time));
        }
    }
}

#[test]
fn what_no_channel_moves_stays_at_rest() {
    let mut rng = Rng::new(13);
    for property in 0..4 {
        let clip = clip(&[random_channel(&mut rng, 3, property, 4, false)]);
        let (rest, mut pose) = (rest(), pose_at(&clip, 0.8));
        assert_ne!(pose, rest);
        match property {
            0 => pose.locals[3].translation = rest.locals[3].translation,
            1 => pose.locals[3].rotation = rest.locals[3].rotation,
            2 => pose.locals[3].scale = rest.locals[3].scale,
            _ => pose.weights.clone_from(&rest.weights),
        }
        assert_eq!(pose, rest);
    }
}
