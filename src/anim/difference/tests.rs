//! Which moments are looked at.

use glam::{Quat, Vec3};

use super::{
    moments::{BETWEEN, Moments},
    *,
};
use crate::{
    anim::Pose,
    model::{ClipBuilder, Hierarchy, Interpolation, Model, Node, Timeline},
};

/// Goes along x as far as it says at each key.
fn model(keys: &[(f32, f32)], interpolation: Interpolation) -> Model {
    let mut builder = ClipBuilder::new("walk");
    let times = keys.iter().map(|key| key.0).collect();
    let timeline = builder.timeline(Timeline::new(times).unwrap());
    let places = keys.iter().map(|key| Vec3::X * key.1).collect::<Vec<_>>();
    builder
        .translation(NodeId(0), timeline, interpolation, places)
        .unwrap();
    Model {
        hierarchy: Hierarchy::new(vec![Node::default()], &[None], &[]).unwrap(),
        clips: vec![builder.finish()],
        ..Model::default()
    }
}

/// How far the two are apart at most, and when, where the second is stretched to the length of the first.
fn farthest(first: &Model, second: &Model) -> (f64, f64) {
    let models = [first, second];
    let nodes = NodeMatch::new(&first.hierarchy, &second.hierarchy);
    let clips = models.map(|model| Some(&model.clips[0]));
    let lengths = models.map(|model| f64::from(model.clips[0].duration_secs()));
    let stretch = lengths[1] / lengths[0];
    let moments = Moments::of_first(clips, stretch, 1000).times_secs;
    assert_eq!(moments.last(), Some(&lengths[0]));
    let mut comparison = MotionComparison::new(models, &nodes);
    let place = comparison.compare(clips, stretch, &moments).position;
    let curves = DifferenceCurves::new(models, clips, &nodes, stretch);
    // The curve takes its moments one by one, and rounds them elsewhere.
    let curve = f64::from(curves.worst()[0].units);
    assert!((curve - place.amount).abs() <= 1e-6 * place.amount);
    (place.amount, place.time_secs)
}

#[test]
fn keys_of_the_second_are_looked_at_where_it_is_stretched() {
    let even = model(&[(0.0, 0.0), (1.0, 1.0)], Interpolation::Linear);
    let spike = [
        (0.0, 0.0),
        (0.75, 0.25),
        (0.78, 4.26),
        (0.81, 0.27),
        (3.0, 1.0),
    ];
    let spike = model(&spike, Interpolation::Linear);
    let (amount, time_secs) = farthest(&even, &spike);
    assert!((amount - 4.0).abs() < 1e-6, "{amount}");
    assert!((time_secs - 0.26).abs() < 1e-6, "{time_secs}");
    let (amount, time_secs) = farthest(&spike, &even);
    assert!((amount - 4.0).abs() < 1e-6, "{amount}");
    assert!((time_secs - 0.78).abs() < 1e-6, "{time_secs}");
}

/// Steps at another speed are the same: the times are rounded, which is no difference.
#[test]
fn steps_that_are_stretched_are_taken_together() {
    let steps = |length: f32| {
        let step = |place: u8| (length * f32::from(place) / 24.0, f32::from(place));
        model(&(0..=24).map(step).collect::<Vec<_>>(), Interpolation::Step)
    };
    for length in [0.1, 0.7, 1.25, 3.3, 17.0] {
        assert_eq!(farthest(&steps(1.0), &steps(length)).0, 0.0, "{length}");
        assert_eq!(farthest(&steps(length), &steps(1.0)).0, 0.0, "{length}");
    }
}

#[test]
fn a_second_without_length_has_no_keys_to_look_at() {
    let even = model(&[(0.0, 0.0), (1.0, 1.0)], Interpolation::Linear);
    let still = model(&[(0.0, 0.5)], Interpolation::Linear);
    let clips = [&even, &still].map(|model| Some(&model.clips[0]));
    let expected = [&[0.0][..], &BETWEEN, &[1.0]].concat();
    let moments = |clips, stretch| Moments::of_first(clips, stretch, 1000).times_secs;
    assert_eq!(moments(clips, 0.0), expected);
    let clips = [clips[1], clips[0]];
    assert_eq!(moments(clips, 1.0), [0.0]);
}

/// Even speed and ease-in-out meet at the keys and in the middle.
#[test]
fn splines_that_meet_in_the_middle_differ() {
    let spline = |tangent: f32| {
        let mut builder = ClipBuilder::new("walk");
        let timeline = builder.timeline(Timeline::new(vec![0.0, 1.0]).unwrap());
        let [tangent, far] = [tangent, 1.0].map(|x| Vec3::X * x);
        let values = vec![Vec3::ZERO, Vec3::ZERO, tangent, tangent, far, Vec3::ZERO];
        let kind = Interpolation::CubicSpline;
        builder
            .translation(NodeId(0), timeline, kind, values)
            .unwrap();
        Model {
            clips: vec![builder.finish()],
            ..model(&[(0.0, 0.0)], Interpolation::Linear)
        }
    };
    let (even, eased) = (spline(1.0), spline(0.0));
    let (amount, _) = farthest(&even, &eased);
    // Where they are farthest apart: u (1 − u) (1 − 2u) is √3/18 there.
    assert!((amount - 3_f64.sqrt() / 18.0).abs() < 1e-6, "{amount}");
}

/// What a clip has moved is back in its place when the next one is compared, and what none moves stays where it is.
#[test]
fn clips_that_follow_one_another_are_compared_as_each_alone() {
    let clip = |move_it: &dyn Fn(&mut ClipBuilder, usize)| {
        let mut builder = ClipBuilder::new("");
        let timeline = builder.timeline(Timeline::new(vec![0.0, 1.0]).unwrap());
        move_it(&mut builder, timeline);
        builder.finish()
    };
    let linear = Interpolation::Linear;
    let model = |far: f32| {
        let node = |x: f32| Node {
            rest: Transform {
                translation: Vec3::X * x,
                ..Transform::default()
            },
            ..Node::default()
        };
        // A hip, a knee on it and a hat.
        let nodes = vec![node(0.0), node(1.0), node(far)];
        let parents = [None, Some(0), None];
        let weights = [vec![0.0], vec![], vec![]];
        let clips = vec![
            clip(&|builder, timeline| {
                let turns = vec![Quat::IDENTITY, Quat::from_rotation_z(far)];
                builder
                    .rotation(NodeId(0), timeline, linear, turns)
                    .unwrap();
            }),
            clip(&|builder, timeline| {
                let places = vec![Vec3::ZERO, Vec3::Y * far];
                builder
                    .translation(NodeId(1), timeline, linear, places)
                    .unwrap();
            }),
            clip(&|builder, timeline| {
                builder
                    .weights(NodeId(0), timeline, linear, 1, vec![0.0, far])
                    .unwrap();
            }),
            clip(&|_, _| ()),
        ];
        Model {
            hierarchy: Hierarchy::new(nodes, &parents, &weights).unwrap(),
            clips,
            ..Model::default()
        }
    };
    let models = [&model(1.0), &model(1.25)];
    let nodes = NodeMatch::same(3);
    let mut following = MotionComparison::new(models, &nodes);
    let hat = following.rest().position;
    assert_eq!((hat.amount, hat.node), (0.25, Some(NodeId(2))));
    for place in [0, 1, 2, 3, 1, 0] {
        let clips = models.map(|model| Some(&model.clips[place]));
        let times_secs = Moments::new(clips, 1000).times_secs;
        let found = following.compare(clips, 1.0, &times_secs);
        let alone = MotionComparison::new(models, &nodes).compare(clips, 1.0, &times_secs);
        assert_eq!(found, alone, "{place}");
        assert!(found.position.amount >= hat.amount, "{place}");
        assert_eq!(found.weight.amount > 0.0, place == 2, "{place}");
    }
}

#[test]
fn a_matrix_may_be_split_in_several_ways() {
    let ways = [
        (Quat::from_xyzw(0.0, 0.0, 1.0, 0.0), Vec3::ONE),
        (Quat::IDENTITY, Vec3::new(-1.0, -1.0, 1.0)),
    ];
    let ways = ways.map(|(rotation, scale)| Transform {
        rotation,
        scale,
        ..Transform::default()
    });
    assert_eq!(turned_and_scaled(&ways[0], &ways[1]), (0.0, 0.0));
    let upright = Transform::default();
    let (angle, scaled) = turned_and_scaled(&upright, &ways[0]);
    assert!((angle - std::f64::consts::PI).abs() < 1e-6 && scaled == 0.0);
    assert_eq!(turned_and_scaled(&upright, &ways[1]).1, 2.0);
}

#[test]
fn what_lies_beyond_all_numbers_is_the_same_as_itself() {
    let node = Node {
        rest: Transform {
            scale: Vec3::splat(1e30),
            translation: Vec3::X,
            ..Transform::default()
        },
        ..Node::default()
    };
    let parents = [None, Some(0), Some(1)];
    let weights = [const { Vec::new() }; 3];
    let model = Model {
        hierarchy: Hierarchy::new(vec![node; 3], &parents, &weights).unwrap(),
        ..Model::default()
    };
    let rest = Pose::new(&model.hierarchy);
    assert!(!rest.world[2].translation.is_finite());
    let nodes = NodeMatch::same(3);
    let found = MotionComparison::new([&model, &model], &nodes).rest();
    assert_eq!(found.position.amount, 0.0);
}

#[test]
fn matrices_that_shear_otherwise_differ() {
    let model = |shear: f32| {
        let matrix = Affine3A::from_mat3(glam::Mat3::from_cols(
            Vec3::X,
            Vec3::new(shear, 1.0, 0.0),
            Vec3::Z,
        ));
        let node = Node {
            fixed_matrix: Some(matrix),
            ..Node::default()
        };
        Model {
            hierarchy: Hierarchy::new(vec![node], &[None], &[Vec::new()]).unwrap(),
            ..Model::default()
        }
    };
    let scale = |first: f32, second: f32| {
        let models = [&model(first), &model(second)];
        let nodes = NodeMatch::same(1);
        MotionComparison::new(models, &nodes).rest().scale
    };
    assert_eq!(scale(0.75, 0.75).amount, 0.0);
    // The cosine of the angle between an axis and one at a slope of three to four.
    let found = scale(0.0, 0.75);
    assert!((found.amount - 0.6).abs() < 1e-6, "{found:?}");
    assert_eq!(found.node, Some(NodeId(0)));
}
