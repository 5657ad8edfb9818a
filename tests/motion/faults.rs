//! Faults that are put into simple rigs: what hangs on a node by its vertices alone, and knees in mid-swing.

use glam::{Quat, Vec3};
use rigscope::anim::analysis::oddities::{self, OddityKind};
use rigscope::anim::analysis::{Analyzer, ClipAnalysis};
use rigscope::model::{
    Clip, ClipBuilder, Hierarchy, Interpolation, Mesh, Model, Node, NodeId, Primitive, Scene,
    Timeline, Topology, Transform, Vertices,
};

use super::analysis::{clip_of, node, pip, with_rotation};

const MAX_PLACEMENTS: usize = 1 << 20;
const LAST: usize = 60;

/// Nodes above or below one another, each so far from its parent; the last one carries a pole of so much.
fn chain(places: &[Vec3], pole: Vec3) -> Model {
    let parents: Vec<_> = (0..places.len())
        .map(|node: usize| node.checked_sub(1))
        .collect();
    let nodes = places.iter().zip(&parents).map(|(place, parent)| Node {
        parent: parent.map(|parent| NodeId(parent as u32)),
        rest: Transform {
            translation: *place,
            ..Transform::default()
        },
        mesh: (*parent == places.len().checked_sub(2)).then_some(0),
        ..Node::default()
    });
    let primitive = Primitive {
        topology: Topology::Triangles,
        vertices: Vertices {
            positions: vec![Vec3::ZERO, pole, Vec3::X * 0.05],
            ..Vertices::default()
        },
        indices: vec![0, 1, 2].into(),
        ..Primitive::default()
    };
    let weights = vec![Vec::new(); places.len()];
    Model {
        hierarchy: Hierarchy::new(nodes.collect(), &parents, &weights).unwrap(),
        meshes: std::sync::Arc::new(vec![Mesh {
            primitives: vec![primitive],
            ..Mesh::default()
        }]),
        scenes: vec![Scene {
            roots: vec![NodeId(0)],
            ..Scene::default()
        }],
        ..Model::default()
    }
}

/// Turns about X, in degrees, of some nodes at 30 keys a second.
fn turning(turns: &[(u32, &dyn Fn(usize) -> f32)]) -> Clip {
    let mut clip = ClipBuilder::new("turns");
    let times = (0..=LAST).map(|key| key as f32 / 30.0).collect();
    let timeline = clip.timeline(Timeline::new(times).unwrap());
    for (node, degrees) in turns {
        let values = (0..=LAST).map(|key| Quat::from_rotation_x(degrees(key).to_radians()));
        let linear = Interpolation::Linear;
        clip.rotation(NodeId(*node), timeline, linear, values.collect::<Vec<_>>())
            .unwrap();
    }
    clip.finish()
}

fn analyze(model: &Model, clip: &Clip) -> ClipAnalysis {
    Analyzer::new(model).analyze_motion(clip, MAX_PLACEMENTS)
}

fn told(analysis: &ClipAnalysis) -> usize {
    let all = oddities::of(analysis, 2.0);
    let told = all.iter().filter(|oddity| oddity.is_told);
    told.filter(|oddity| matches!(oddity.kind, OddityKind::Pop(_)))
        .count()
}

fn swing(key: usize, degrees: f32, keys: f32) -> f32 {
    degrees * (key as f32 / keys * std::f32::consts::TAU).sin()
}

#[test]
fn what_a_leaf_carries_makes_its_jumps_as_long_as_they_are() {
    // A pole of two units that sways, with one key out of line: its tip jumps by a sixth of the model's size.
    let pole = chain(&[Vec3::ZERO], Vec3::Y * 2.0);
    let bad = |key: usize| swing(key, 5.0, 60.0) + if key == 20 { 10.0 } else { 0.0 };
    let found = analyze(&pole, &turning(&[(0, &bad)]));
    assert_eq!((found.pops.len(), told(&found)), (1, 1), "{:?}", found.pops);
    let expected = 2.0 * 10.3_f32.to_radians() * 30.0;
    let peak = found.speed_peak.unwrap().speed;
    assert!((peak - expected).abs() < 0.3, "{peak}, not {expected}");
    let good = |key: usize| swing(key, 5.0, 60.0);
    assert_eq!(analyze(&pole, &turning(&[(0, &good)])).pops, []);
    // A head on a body that bows far more.
    let body = chain(&[Vec3::ZERO, Vec3::Y * 1.5], Vec3::Y * 0.3);
    let bows = |key: usize| swing(key, 20.0, 60.0);
    let nods = |key: usize| swing(key, 6.0, 60.0) + if key == 20 { 30.0 } else { 0.0 };
    let found = analyze(&body, &turning(&[(0, &bows), (1, &nods)]));
    assert_eq!((found.pops.len(), told(&found)), (1, 1), "{:?}", found.pops);
    assert_eq!(found.pops[0].node, NodeId(1));
}

#[test]
fn a_key_out_of_line_in_mid_swing_is_found_however_far_it_is_out() {
    // A knee that goes by more than 9 degrees a key where it is fastest, and its hip.
    let leg = chain(&[Vec3::Y, Vec3::NEG_Y * 0.45], Vec3::NEG_Y * 0.5);
    let hip = |key: usize| swing(key, 25.0, 30.0);
    for at in [15, 30, 45] {
        for out in (15..=90).step_by(5).flat_map(|out: i32| [out, -out]) {
            let bad = |key: usize| {
                let out = if key == at { out as f32 } else { 0.0 };
                swing(key, 45.0, 30.0) + out
            };
            let found = analyze(&leg, &turning(&[(0, &hip), (1, &bad)]));
            let [pop] = &found.pops[..] else {
                panic!("{out} degrees at key {at}: {:?}", found.pops);
            };
            assert!(pop.comes_back && pop.node == NodeId(1), "{out}: {pop:?}");
            let start = (at - 1) as f64 / 30.0;
            assert!((pop.start_secs - start).abs() < 1e-3, "{out}: {pop:?}");
            assert_eq!(told(&found), 1, "{out} degrees at key {at}: {pop:?}");
        }
    }
    let good = |key: usize| swing(key, 45.0, 30.0);
    assert_eq!(analyze(&leg, &turning(&[(0, &hip), (1, &good)])).pops, []);
}

#[test]
fn what_turns_back_at_once_or_goes_on_is_no_key_out_of_line() {
    let leg = chain(&[Vec3::Y, Vec3::NEG_Y * 0.45], Vec3::NEG_Y * 0.5);
    let hip = |key: usize| swing(key, 25.0, 30.0);
    // A ball that bounces, and a kick that gathers speed and stops.
    let bounces = |key: usize| {
        let phase = (key % 20) as f32 / 10.0 - 1.0;
        60.0 * phase.abs()
    };
    let kick = |key: usize| match key {
        0..=27 => 0.0,
        28 => 4.0,
        29 => 16.0,
        30 => 34.0,
        31 => 46.0,
        _ => 50.0,
    };
    for motion in [&bounces as &dyn Fn(usize) -> f32, &kick] {
        let found = analyze(&leg, &turning(&[(0, &hip), (1, motion)]));
        assert_eq!(found.pops, []);
    }
}

/// A hip that turns fast all the time, and jumps aside for one key, by 9 % of the size.
#[test]
fn a_jump_of_the_shift_is_found_where_the_node_turns_fast() {
    let body = chain(&[Vec3::ZERO], Vec3::Y * 2.0);
    for (jump, expected) in [(0.0, 0), (0.18, 1)] {
        let mut clip = ClipBuilder::new("hip");
        let times = (0..=LAST).map(|key| key as f32 / 30.0).collect();
        let timeline = clip.timeline(Timeline::new(times).unwrap());
        let turn = |key: usize| Quat::from_rotation_x(swing(key, 40.0, 20.0).to_radians());
        let shift = |key: usize| {
            let jump = if key == 31 { jump } else { 0.0 };
            Vec3::new(jump, swing(key, 0.02, 30.0), 0.0)
        };
        let linear = Interpolation::Linear;
        let turns = (0..=LAST).map(turn).collect::<Vec<_>>();
        clip.rotation(NodeId(0), timeline, linear, turns).unwrap();
        let shifts = (0..=LAST).map(shift).collect::<Vec<_>>();
        clip.translation(NodeId(0), timeline, linear, shifts)
            .unwrap();
        let found = analyze(&body, &clip.finish());
        assert_eq!(told(&found), expected, "{jump}: {:?}", found.pops);
    }
}

#[test]
fn keys_that_are_held_out_of_line_are_one_pop_where_the_node_goes_on_moving() {
    let pole = chain(&[Vec3::ZERO], Vec3::Y * 2.0);
    let out = |key: usize, held: usize| {
        if (20..20 + held).contains(&key) {
            60.0
        } else {
            0.0
        }
    };
    for held in [1, 2, 4, 5, 10, 25] {
        let moves = |key: usize| swing(key, 20.0, 60.0) + out(key, held);
        let found = analyze(&pole, &turning(&[(0, &moves)]));
        assert_eq!(
            (found.pops.len(), told(&found)),
            (1, 1),
            "{held}: {:?}",
            found.pops
        );
        assert!(found.pops[0].comes_back && found.pops[0].intervals == held + 1);
        if held > 4 {
            // Doors that snap open and shut, of what turns half as fast.
            let rests = |key: usize| out(key, held);
            let turns = |key: usize| swing(key, 90.0, 20.0);
            let wagon = chain(&[Vec3::ZERO, Vec3::Y * 0.1], Vec3::Y * 2.0);
            let found = analyze(&wagon, &turning(&[(0, &turns), (1, &rests)]));
            assert_eq!(told(&found), 0, "{held}: {:?}", found.pops);
        }
    }
}

#[test]
fn an_angle_that_spins_round_within_some_keys_is_a_pop() {
    let arm = chain(&[Vec3::ZERO, Vec3::Y], Vec3::Y);
    let spins = |key: usize| match key {
        18..=22 => [60.0, 140.0, 200.0, 270.0, 320.0][key - 18],
        _ => 0.0,
    };
    let bad = |key: usize| swing(key, 5.0, 60.0) + spins(key);
    let found = analyze(&arm, &turning(&[(1, &bad)]));
    let [pop] = &found.pops[..] else {
        panic!("{:?}", found.pops);
    };
    assert!(told(&found) == 1 && pop.intervals == 6, "{pop:?}");
    let words = pop.words("arm");
    // The sway goes back by 1.5 degrees meanwhile.
    assert!(words.starts_with("arm spins 358.5"), "{words}");
    // A wheel turns on, and what swings out and back does not go round.
    let wheel = |key: usize| 60.0 * key as f32;
    let swings = |key: usize| match key {
        18..=22 => [20.0, 50.0, 60.0, 50.0, 20.0][key - 18],
        _ => 0.0,
    };
    for good in [&wheel as &dyn Fn(usize) -> f32, &swings] {
        let found = analyze(&arm, &turning(&[(1, good)]));
        assert_eq!(told(&found), 0, "{:?}", found.pops);
    }
}

#[test]
fn a_node_that_turns_back_at_every_key_shakes() {
    let body = chain(&[Vec3::ZERO], Vec3::Y * 2.0);
    let shakes = |degrees: f32, keys: usize| {
        let turn = move |key: usize| {
            let side = if key.is_multiple_of(2) { 0.5 } else { -0.5 };
            let is_bad = (20..20 + keys).contains(&key);
            swing(key, 5.0, 60.0) + if is_bad { side * degrees } else { 0.0 }
        };
        let found = analyze(&body, &turning(&[(0, &turn)]));
        oddities::of(&found, 2.0)
            .into_iter()
            .filter(|it| matches!(it.kind, OddityKind::Jitter(_)))
            .collect::<Vec<_>>()
    };
    let found = shakes(6.0, 12);
    let [jitter] = &found[..] else {
        panic!("{found:?}");
    };
    assert!(jitter.is_told, "{jitter:?}");
    let (from_secs, to_secs) = jitter.span_secs;
    assert!((from_secs - 20.0 / 30.0).abs() < 0.05 && (to_secs - 31.0 / 30.0).abs() < 0.05);
    let words = jitter.words(&body.hierarchy);
    assert!(words.contains("turns 6."), "{words}");
    for (degrees, keys) in [(0.0, 0), (0.5, 30), (6.0, 5)] {
        assert_eq!(shakes(degrees, keys), [], "{degrees} degrees, {keys} keys");
    }
}

/// Fragments of an explosion: after two keys they have turned by less than after one, if the shorter way round counts.
#[test]
fn what_spins_by_nearly_half_a_turn_a_key_does_not_shake() {
    let body = chain(&[Vec3::ZERO], Vec3::Y * 2.0);
    let jitters = |turn: &dyn Fn(usize) -> f32| analyze(&body, &turning(&[(0, turn)])).jitters;
    for degrees in [150.0, 165.0, 178.0, -170.0] {
        assert_eq!(jitters(&|key| degrees * key as f32), [], "{degrees}");
    }
    // It gathers speed up to more than half a turn, which then is seen as a spin in the other sense.
    let gathers = |last: f32| {
        let whole = move |key: usize| {
            let keys = key as f32;
            keys * (125.0 + 0.5 * keys * (last - 125.0) / LAST as f32)
        };
        jitters(&whole)
    };
    assert_eq!(gathers(176.0), []);
    assert_eq!(gathers(190.0), []);
    // As far to and fro.
    let found = jitters(&|key| if key.is_multiple_of(2) { 0.0 } else { 170.0 });
    let [jitter] = &found[..] else {
        panic!("{found:?}");
    };
    assert_eq!(jitter.keys, LAST - 1);
}

/// A coin that is thrown to and fro meanwhile, or flies.
#[test]
fn what_spins_shakes_where_its_shift_turns_back() {
    let model = chain(&[Vec3::ZERO], Vec3::Y * 0.5);
    let jitters = |place: &dyn Fn(usize) -> f32| {
        let mut clip = ClipBuilder::new("spins");
        let times = (0..=LAST).map(|key| key as f32 / 30.0).collect();
        let timeline = clip.timeline(Timeline::new(times).unwrap());
        let turns = (0..=LAST).map(|key| Quat::from_rotation_x((150.0 * key as f32).to_radians()));
        let turns: Vec<_> = turns.collect();
        let places: Vec<_> = (0..=LAST).map(|key| Vec3::X * place(key)).collect();
        let (coin, linear) = (NodeId(0), Interpolation::Linear);
        clip.rotation(coin, timeline, linear, turns).unwrap();
        clip.translation(coin, timeline, linear, places).unwrap();
        analyze(&model, &clip.finish()).jitters
    };
    let found = jitters(&|key| if key.is_multiple_of(2) { 0.0 } else { 0.5 });
    let [jitter] = &found[..] else {
        panic!("{found:?}");
    };
    assert_eq!(jitter.keys, LAST - 1);
    let words = jitter.words("coin");
    assert!(words.starts_with("coin goes 0.500 units"), "{words}");
    assert_eq!(jitters(&|key| 0.5 * key as f32), []);
}

/// What stands up or falls, feet on the ground, goes nowhere.
#[test]
fn what_ends_elsewhere_does_not_walk() {
    let model = pip();
    let walk = clip_of(&model, "Walk");
    for (turn, walks) in [(0.1, true), (1.0, false)] {
        let clip = with_rotation(walk, node(&model, "spine"), &|key, value| match key {
            32 => value * Quat::from_rotation_x(turn),
            _ => value,
        });
        let travel = analyze(&model, &clip).travel();
        assert_eq!(travel.is_some(), walks, "{turn}");
    }
}

/// A loop on the spot has one step of each foot: which of both slides is not known, but that one does.
#[test]
fn a_foot_on_the_spot_that_steps_otherwise_than_the_other_is_told() {
    let model = pip();
    for (clip, thigh, degrees, slides) in [
        ("Walk", "thigh_L", 0.0, false),
        ("Walk", "thigh_L", 3.0, false),
        ("Walk", "thigh_L", 12.0, true),
        ("Walk", "thigh_L", -12.0, true),
        ("Walk", "thigh_R", 15.0, true),
        ("Run", "thigh_L", 0.0, false),
        ("Run", "thigh_L", 15.0, true),
        ("Run", "thigh_L", -15.0, true),
    ] {
        let clean = clip_of(&model, clip);
        let last = (clean.duration_secs() * 30.0).round();
        let half = if thigh.ends_with('R') { 0.5 } else { 0.0 };
        // It swings farther, or less far.
        let changed = with_rotation(clean, node(&model, thigh), &|key, value| {
            let cycle = (key as f32 / last + half) * std::f32::consts::TAU;
            value * Quat::from_rotation_x((degrees * cycle.cos()).to_radians())
        });
        let case = format!("{clip}, {thigh}, {degrees} degrees");
        let analysis = analyze(&model, &changed);
        let all = oddities::of(&analysis, f64::from(changed.duration_secs()));
        let told: Vec<_> = all.iter().filter(|it| it.is_told).collect();
        let mut steps = told
            .iter()
            .filter(|it| matches!(it.kind, OddityKind::Uneven(_)));
        assert_eq!(steps.next().is_some(), slides, "{case}: {all:?}");
        assert_eq!(steps.next(), None, "{case}");
        // Both speeds, well apart, or one that all agree on.
        let travel = analysis.travel().expect(&case);
        let sides = travel.of_sides;
        let are_apart = sides.is_some_and(|[least, most]| least > 0.0 && most > 1.25 * least);
        assert!(
            are_apart == slides && sides.is_some() == slides,
            "{case}: {sides:?}"
        );
        if !slides {
            continue;
        }
        let found = oddities::findings_of(&model, 0, &all);
        let warnings = found.iter().map(|it| &it.warning);
        let mut warnings = warnings.filter(|it| it.code == "MOTION_FOOT_SLIDES");
        let message = &warnings.next().unwrap().message;
        assert!(message.contains("one of them slides"), "{case}: {message}");
    }
}
