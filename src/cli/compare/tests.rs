//! What is said where there is too much to compare all, and where less would be missed.

use glam::{Quat, Vec3};
use serde_json::json;

use super::*;
use crate::model::{
    Clip, ClipBuilder, Hierarchy, Interpolation, Material, MaterialProperty, Node, PropertyTarget,
    Timeline,
};

/// A model of so many nodes side by side.
fn model(nodes: usize, clips: Vec<Clip>) -> Actor {
    let node = |place: usize| Node {
        name: format!("n{place}"),
        ..Node::default()
    };
    let hierarchy = Hierarchy::new(
        (0..nodes).map(node).collect(),
        &vec![None; nodes],
        &vec![Vec::new(); nodes],
    );
    Actor::new(Model {
        hierarchy: hierarchy.unwrap(),
        clips,
        ..Model::default()
    })
}

/// A clip of so many keys that moves one node, turned by 30 degrees at one of them.
fn turned(name: &str, keys: usize, at: Option<usize>) -> Clip {
    let mut builder = ClipBuilder::new(name);
    let times = (0..keys).map(|key| key as f32 / 30.0).collect();
    let timeline = builder.timeline(Timeline::new(times).unwrap());
    let turn = |key| match Some(key) == at {
        true => Quat::from_rotation_z(30_f32.to_radians()),
        false => Quat::IDENTITY,
    };
    let turns = (0..keys).map(turn).collect::<Vec<_>>();
    builder
        .rotation(NodeId(1), timeline, Interpolation::Linear, turns)
        .unwrap();
    builder.finish()
}

/// A clip in which a node goes along x by what keys of a kind say, of one second.
fn walk(kind: Interpolation, values: &[f32]) -> Clip {
    let mut builder = ClipBuilder::new("walk");
    let timeline = builder.timeline(Timeline::new(vec![0.0, 1.0]).unwrap());
    let values: Vec<_> = values.iter().map(|x| Vec3::X * *x).collect();
    builder
        .translation(NodeId(0), timeline, kind, values)
        .unwrap();
    builder.finish()
}

#[test]
fn what_short_clips_leave_is_there_for_long_ones() {
    let clips = |at| {
        let short = (0..100).map(|place| turned(&format!("c{place}"), 2, None));
        let long = turned("long", 3001, at);
        model(400, short.chain([long]).collect())
    };
    let [first, second] = [clips(None), clips(Some(1501))];
    // The long clip alone takes more than ten times its even share.
    let most_values = 1 << 18;
    let comparison = Comparison::of_values([&first, &second], [&[]; 2], 1e-4, most_values);
    assert_eq!(comparison.verdict(), Verdict::Different);
    let long = &comparison.clips[100];
    let rotation = long.motion.unwrap().rotation;
    assert!((rotation.amount.to_degrees() - 30.0).abs() < 1e-3);
    assert!(long.is_complete());
    assert_eq!(comparison.outcome().unwrap(), EXIT_DIFFERENT);
    let same = Comparison::of_values([&first, &first], [&[]; 2], 1e-4, most_values);
    assert!(same.is_same(), "{}", same.to_text());
    assert_eq!(same.outcome().unwrap(), 0);
}

#[test]
fn clips_that_are_not_compared_everywhere_are_not_said_to_be_the_same() {
    let [first, second] = [None, Some(1501)].map(|at| model(2, vec![turned("long", 3001, at)]));
    for pair in [[&first, &second], [&first, &first]] {
        let mut comparison = Comparison::of_values(pair, [&[]; 2], 1e-4, 1000);
        assert_eq!(comparison.verdict(), Verdict::Unknown);
        for incomplete in [Vec::new(), vec!["a.glb".to_owned()]] {
            let is_lost = !incomplete.is_empty();
            comparison.incomplete = incomplete;
            let error = comparison.outcome().unwrap_err().to_string();
            assert!(error.contains("too much to compare"), "{error}");
            assert_eq!(
                error.contains("of a.glb something may be lost"),
                is_lost,
                "{error}"
            );
        }
        comparison.incomplete.clear();
        let (report, text) = (comparison.to_json(), comparison.to_text());
        let clip = &report["clips"][0];
        assert!(clip["same"].is_null() && report["same"] == false, "{clip}");
        assert_eq!(clip["moments"], 12001);
        let samples = &clip["difference"]["samples"];
        let words = format!("the same at {samples} of 12001 moments, as there are too many\n");
        assert!(text.contains(&words), "{text}");
        let last = "the same as far as they were compared, within 0.0001\n";
        assert!(text.ends_with(last), "{text}");
    }
}

/// Many clips of which each would fit alone.
#[test]
fn clips_that_are_not_compared_are_said() {
    let clips = ["first", "second"].map(|name| turned(name, 1, None));
    let actor = model(2, clips.to_vec());
    for (most_values, not_compared) in [(4, 1), (1000, 0)] {
        let comparison = Comparison::of_values([&actor; 2], [&[]; 2], 1e-4, most_values);
        let text = comparison.to_text();
        let found = text.matches("not compared, as there are too many").count();
        assert_eq!(found, not_compared, "{text}");
        assert_eq!(comparison.is_same(), not_compared == 0, "{text}");
    }
}

/// Of clips that move one node each of many, each costs all nodes to find it.
#[test]
fn clips_and_nodes_together_are_bounded() {
    let clips = (0..500).map(|place| turned(&format!("c{place}"), 1, None));
    let actor = model(2000, clips.collect());
    let comparison = Comparison::of_values([&actor; 2], [&[]; 2], 1e-4, 1 << 20);
    let clips = comparison.clips.iter();
    let compared = clips.filter(|clip| clip.motion.is_some()).count();
    assert_eq!(compared, (1 << 19) / 4000);
    assert_eq!(comparison.verdict(), Verdict::Unknown);
}

/// Searches around the greatest differences leave most of what there is room for to moments.
#[test]
fn searches_do_not_take_the_place_of_moments() {
    let [first, second] = [None, Some(1501)].map(|at| model(2, vec![turned("long", 3001, at)]));
    // A moment costs 4 values, and finding what moves as many.
    for (most_values, samples) in [(404, 100), (644, 160), (648, 81)] {
        let comparison = Comparison::of_values([&first, &second], [&[]; 2], 1e-4, most_values);
        let found = comparison.clips[0].motion.unwrap();
        assert_eq!(found.samples, samples);
        assert_eq!(found.close_samples, 0, "nothing was found");
    }
    let comparison = Comparison::new([&first, &second], 1e-4);
    let found = comparison.clips[0].motion.unwrap();
    assert_eq!((found.samples, found.close_samples), (12001, 16));
}

/// A channel of a mesh that two nodes carry has two tracks.
#[test]
fn channels_are_those_of_the_file() {
    let actor = |nodes: u32| {
        let mut builder = ClipBuilder::new("talk");
        let timeline = builder.timeline(Timeline::new(vec![0.0, 1.0]).unwrap());
        for node in 0..nodes {
            let target = PropertyTarget::NodeWeight(NodeId(node), 0);
            let linear = Interpolation::Linear;
            builder
                .property(target, timeline, linear, vec![0.0; 2])
                .unwrap();
        }
        builder.of_mesh(0, Some(0), nodes as usize);
        model(2, vec![builder.finish()])
    };
    let [first, second] = [actor(1), actor(2)];
    let comparison = Comparison::new([&first, &second], 1e-4);
    assert_eq!(comparison.to_json()["clips"][0]["channels"], json!([1, 1]));
}

/// What differs most just before a step, or where a spline with uneven tangents swings out.
#[test]
fn differences_between_keys_are_not_understated() {
    let linear = model(1, vec![walk(Interpolation::Linear, &[0.0, 1.0])]);
    let step = model(1, vec![walk(Interpolation::Step, &[0.0, 1.0])]);
    let spline = [0.0, 0.0, 9.0, 0.0, 1.0, 0.0];
    let spline = model(1, vec![walk(Interpolation::CubicSpline, &spline)]);
    // Between the spline and the line, as everywhere from 0 to 1.
    let off = |u: f64| 9.0 * (u.powi(3) - 2.0 * u * u + u) - 2.0 * u.powi(3) + 3.0 * u * u - u;
    let most = (0..=100_000).map(|place| off(f64::from(place) / 1e5).abs());
    let most = most.fold(0.0, f64::max);
    for (second, expected) in [(&step, 1.0), (&spline, most)] {
        for pair in [[&linear, second], [second, &linear]] {
            let comparison = Comparison::new(pair, 1e-4);
            let moved = comparison.clips[0].motion.unwrap().translation;
            assert!(
                (moved.amount - expected).abs() <= 1e-3 * expected,
                "{moved:?} {expected}"
            );
        }
    }
}

/// Also of what is no node's.
#[test]
fn differences_of_materials_between_keys_are_not_understated() {
    let actor = |kind, values: &[f32]| {
        let mut builder = ClipBuilder::new("polish");
        let timeline = builder.timeline(Timeline::new(vec![0.0, 1.0]).unwrap());
        let target = PropertyTarget::Material(0, MaterialProperty::Roughness);
        builder
            .property(target, timeline, kind, values.to_vec())
            .unwrap();
        let first = model(1, vec![builder.finish()]);
        Actor::new(Model {
            materials: vec![Material::default(); 2],
            ..first.model().clone()
        })
    };
    let linear = actor(Interpolation::Linear, &[0.0, 0.5]);
    let step = actor(Interpolation::Step, &[0.0, 0.5]);
    let comparison = Comparison::new([&linear, &step], 1e-4);
    let [moved] = &comparison.clips[0].moved[..] else {
        panic!("{:?}", comparison.clips[0].moved);
    };
    assert!((moved.amount - 0.5).abs() < 1e-6, "{moved:?}");
    // A spline that leaves as fast as it can, and arrives slowly: u³ − 2u² + u is 4/27 at a third.
    let still = actor(Interpolation::Linear, &[0.0, 0.0]);
    let spline = actor(Interpolation::CubicSpline, &[0.0, 0.0, 2.0, 0.0, 0.0, 0.0]);
    let comparison = Comparison::new([&still, &spline], 1e-4);
    let amount = comparison.clips[0].moved[0].amount;
    assert!((amount - 8.0 / 27.0).abs() <= 3e-4, "{amount}");
}

#[test]
fn clips_of_one_name_are_told_apart() {
    let long = "a".repeat(100);
    let [first_long, second_long] = ["b", "c"].map(|end| format!("{long}{end}"));
    let names = ["zero", "zero", &*first_long, &*second_long, "one"];
    let all = names.map(|name| turned(name, 2, None));
    let [first, second] = [&all[..], &all[..1]].map(|clips| model(2, clips.to_vec()));
    let text = Comparison::new([&first, &first], 1e-4).to_text();
    let cut = format!("{}…", &long[..80]);
    for line in [
        "  clip \"zero\" (index 0): the same\n".to_owned(),
        "  clip \"zero\" (index 1): the same\n".to_owned(),
        format!("  clip \"{cut}\" (index 2): the same\n"),
        format!("  clip \"{cut}\" (index 3): the same\n"),
        "  clip \"one\": the same\n".to_owned(),
    ] {
        assert!(text.contains(&line), "{text}");
    }
    let text = Comparison::new([&first, &second], 1e-4).to_text();
    assert!(
        text.contains("has the clips \"zero\" (index 1), "),
        "{text}"
    );
}

#[test]
fn what_is_said_of_lost_parts_and_of_tolerances_is_true() {
    let actor = model(1, Vec::new());
    for (tolerance, words) in [(0.0, "0"), (1e-4, "0.0001"), (2.5, "2.5"), (1e99, "1e99")] {
        let mut comparison = Comparison::new([&actor; 2], tolerance);
        let text = comparison.to_text();
        assert!(text.ends_with(&format!("the same, within {words}\n")));
        comparison.incomplete = vec!["a.glb".to_owned()];
        let text = comparison.to_text();
        let last = format!("the same as far as they could be read, within {words}\n");
        assert!(text.ends_with(&last), "{text}");
        assert_eq!(comparison.to_json()["incomplete"][0], "a.glb");
        assert!(comparison.outcome().is_err());
    }
}

#[test]
fn a_mirrored_node_and_a_shifted_clip_are_told() {
    let first = model(3, vec![turned("turn", 5, Some(2))]);
    let mut mirrored = Model::clone(first.model());
    let mut nodes = mirrored.hierarchy.nodes().to_vec();
    nodes[2].rest.scale.z = -1.0;
    mirrored.hierarchy = Hierarchy::new(nodes, &[None; 3], &vec![Vec::new(); 3]).unwrap();
    let mirrored = Actor::new(mirrored);
    let text = Comparison::new([&first, &mirrored], 1e-4).to_text();
    assert!(text.contains("\n    mirrored at \"n2\"\n"), "{text}");
    assert!(!text.contains("scaled by"), "{text}");

    let mut builder = ClipBuilder::new("turn");
    let times = (0..5).map(|key| 10.0 + key as f32 / 30.0).collect();
    let timeline = builder.timeline(Timeline::new(times).unwrap());
    let mut turns = vec![Quat::IDENTITY; 5];
    turns[2] = Quat::from_rotation_z(30_f32.to_radians());
    builder
        .rotation(NodeId(1), timeline, Interpolation::Linear, turns)
        .unwrap();
    let late = model(3, vec![builder.finish()]);
    let text = Comparison::new([&first, &late], 1e-4).to_text();
    let words = "with first keys at 0.000 s and 10.000 s, as if shifted by 10.000 s\n";
    assert!(text.contains(words), "{text}");
}

#[test]
fn joints_that_a_skin_lacks_and_matrices_that_are_turned_are_told() {
    let rig = |joints: usize, turn: f32| {
        let mut model = Model::clone(model(4, Vec::new()).model());
        let matrix = |joint: usize| match joint {
            1 => glam::Affine3A::from_rotation_z(turn.to_radians()),
            _ => glam::Affine3A::IDENTITY,
        };
        model.skins = vec![crate::model::Skin {
            joints: (0..joints as u32).map(NodeId).collect(),
            joint_from_mesh: (0..joints).map(matrix).collect(),
            ..crate::model::Skin::default()
        }];
        Actor::new(model)
    };
    let text = Comparison::new([&rig(4, 0.0), &rig(2, 0.0)], 1e-4).to_text();
    let words = "  skin 0: 2 joints are missing (4 and 2): \"n2\", \"n3\"\n";
    assert!(text.contains(words), "{text}");
    let text = Comparison::new([&rig(4, 0.0), &rig(4, 40.0)], 1e-4).to_text();
    let words =
        "  skin 0: bind matrices differ, most of all at \"n1\", which is turned by 40.00°\n";
    assert!(text.contains(words), "{text}");
}
