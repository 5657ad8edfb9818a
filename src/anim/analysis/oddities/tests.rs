//! The rules about what is odd, at their thresholds: a clean clip, jumps, slides, seams.

use glam::Vec3;

use super::*;
use crate::{
    anim::analysis::Analyzer,
    model::{ClipBuilder, Hierarchy, Interpolation, Model, Node, Scene, Skin, Timeline, Transform},
};

const FRAMES: usize = 60;

/// A head two units above three feet, all of them joints.
fn figure() -> Model {
    joints(&[
        ("head", Vec3::Y * 2.0, None),
        ("left", Vec3::NEG_X * 0.2, None),
        ("right", Vec3::X * 0.2, None),
        ("third", Vec3::ZERO, None),
    ])
}

/// Joints, each with where it is and its parent.
fn joints(places: &[(&str, Vec3, Option<usize>)]) -> Model {
    let node = |&(name, translation, _): &(&str, Vec3, _)| Node {
        name: name.to_owned(),
        rest: Transform {
            translation,
            ..Transform::default()
        },
        ..Node::default()
    };
    let nodes: Vec<_> = places.iter().map(node).collect();
    let parents: Vec<_> = places.iter().map(|place| place.2).collect();
    let weights = vec![Vec::new(); nodes.len()];
    let all: Vec<_> = (0..nodes.len() as u32).map(NodeId).collect();
    Model {
        hierarchy: Hierarchy::new(nodes, &parents, &weights).unwrap(),
        scenes: vec![Scene {
            roots: all.clone(),
            ..Scene::default()
        }],
        skins: vec![Skin {
            joint_from_mesh: vec![Default::default(); all.len()],
            joints: all,
            ..Skin::default()
        }],
        ..Model::default()
    }
}

/// Adds two seconds of motion of a node by a key a frame.
fn translate(clip: &mut ClipBuilder, model: &Model, node: u32, way: impl Fn(f32) -> Vec3) {
    let rest = model.hierarchy.node(NodeId(node)).rest.translation;
    let values: Vec<_> = (0..=FRAMES).map(|frame| rest + way(frame as f32)).collect();
    let timeline = timeline(clip);
    let kind = Interpolation::Linear;
    clip.translation(NodeId(node), timeline, kind, values)
        .unwrap();
}

fn timeline(clip: &mut ClipBuilder) -> usize {
    let times = (0..=FRAMES).map(|frame| frame as f32 / 30.0).collect();
    clip.timeline(Timeline::new(times).unwrap())
}

fn found(model: &Model, clip: ClipBuilder) -> Vec<Oddity> {
    let analysis = Analyzer::new(model).analyze_motion(&clip.finish(), MAX_PLACEMENTS);
    of(&analysis, 2.0)
}

/// What is told of a clip, in a line.
fn told(model: &Model, clip: ClipBuilder) -> String {
    let summary = Summary::of(&found(model, clip));
    summary.map_or_else(String::new, |summary| summary.words())
}

/// A head that goes round once, so much a frame, and feet that hold.
fn sway(frame: f32) -> Vec3 {
    let turn = frame / FRAMES as f32 * std::f32::consts::TAU;
    Vec3::new(0.2 * turn.sin(), 0.0, 0.2 - 0.2 * turn.cos())
}

#[test]
fn a_clean_clip_has_nothing_to_tell() {
    let model = figure();
    let mut clip = ClipBuilder::new("clean");
    translate(&mut clip, &model, 0, sway);
    let all = found(&model, clip);
    assert!(all.iter().all(|it| !it.is_odd && !it.is_told), "{all:?}");
    assert_eq!(Summary::of(&all), None);
}

#[test]
fn a_jump_is_told_if_nothing_else_is_that_fast() {
    let model = figure();
    let jump = |frame: f32| sway(frame) + Vec3::Y * if frame >= 30.0 { 0.3 } else { 0.0 };
    // Its own seam is a jump of three twentieths, and not meant to meet.
    let mut clip = ClipBuilder::new("jumps");
    translate(&mut clip, &model, 0, jump);
    let all = found(&model, clip);
    let first = Summary::of(&all).unwrap();
    assert_eq!(first.words(), "1 pop");
    assert_eq!(first.first.node, NodeId(0));
    assert!((first.first.span_secs.0 - 29.0 / 30.0).abs() < 1e-5);
    // The timeline marks it also where something else goes half as far in a frame again and again; nobody is told.
    let fast = |frame: f32| Vec3::Y * 0.15 * (frame * std::f32::consts::FRAC_PI_2).sin();
    let mut clip = ClipBuilder::new("strikes");
    translate(&mut clip, &model, 0, jump);
    translate(&mut clip, &model, 3, |frame| fast(frame) + Vec3::Y * 0.15);
    let all = found(&model, clip);
    let pops = all
        .iter()
        .filter(|it| matches!(it.kind, OddityKind::Pop(_)));
    let pops: Vec<_> = pops.map(|it| (it.node, it.is_odd, it.is_told)).collect();
    assert_eq!(pops, [(NodeId(0), true, false)]);
}

#[test]
fn a_key_out_of_line_has_only_to_be_faster_or_farther_out_than_the_rest() {
    let pop = |comes_back, speed, bend, does| Pop {
        node: NodeId(0),
        start_secs: 0.0,
        end_secs: 0.1,
        speed,
        usual_speed: 0.0,
        does,
        intervals: 1 + usize::from(comes_back),
        comes_back,
        bend,
        alone: None,
        is_attack: false,
    };
    let turn = Deed::Turn {
        degrees: 20.0,
        usual_degrees: 0.0,
    };
    let growth = Deed::Growth {
        amount: 1.0,
        usual_amount: 0.0,
    };
    let steady = Steady {
        speed: 1.0,
        bend: 0.1,
    };
    for (comes_back, speed, bend, does, expected) in [
        (true, 1.1, 0.0, turn, true),
        (true, 0.9, 0.19, turn, false),
        (true, 0.9, 0.21, turn, true),
        (false, 2.9, 0.0, turn, false),
        (false, 3.1, 0.0, turn, true),
        (true, 9.0, 9.0, growth, false),
    ] {
        let pop = pop(comes_back, speed, bend, does);
        assert_eq!(is_pop_told(&pop, &[steady; 3], 1.0), expected, "{pop:?}");
    }
    // A recoil is fast on purpose.
    let attack = Pop {
        is_attack: true,
        ..pop(false, 9.0, 0.0, turn)
    };
    assert!(!is_pop_told(&attack, &[steady; 3], 1.0));
    // Several keys, as of a lid that blinks for some frames, carry something far.
    for (speed, expected) in [(1.4, false), (1.6, true), (0.9, false)] {
        let intervals = 3;
        let several = Pop {
            intervals,
            ..pop(true, speed, 0.0, turn)
        };
        assert_eq!(is_pop_told(&several, &[steady; 3], 1.0), expected);
    }
}

/// Eyes that go back into the head for a frame, three times alike or not.
#[test]
fn what_rests_and_does_one_thing_again_and_again_blinks() {
    let pop = |speed: f32, usual_speed: f32| Pop {
        node: NodeId(0),
        start_secs: 0.0,
        end_secs: 0.1,
        speed,
        usual_speed,
        does: Deed::Shift {
            distance: speed,
            usual_distance: usual_speed,
        },
        intervals: 2,
        comes_back: true,
        bend: 0.0,
        alone: None,
        is_attack: false,
    };
    let [like, other, moves] = [pop(1.0, 0.0), pop(2.0, 0.0), pop(1.0, 0.1)];
    for (all, expected) in [
        ([like, like, like], true),
        ([like, like, other], false),
        ([like, like, moves], false),
        ([moves, moves, moves], false),
    ] {
        assert_eq!(is_blink(&all[0], &all), expected, "{all:?}");
    }
    assert!(pop(1.0, 0.0).words("Eye").ends_with(", where it rests"));
    assert!(
        pop(1.0, 0.1)
            .words("Eye")
            .ends_with(", where 0.100 are usual")
    );
}

/// The wait before the first key says nothing; times are those of the clip all the same.
#[test]
fn what_is_odd_is_the_same_if_the_first_key_comes_late() {
    let model = figure();
    let spans = |later: f32| {
        let mut clip = ClipBuilder::new("late");
        let times = (0..=FRAMES).map(|frame| frame as f32 / 30.0 + later);
        let times = clip.timeline(Timeline::new(times.collect()).unwrap());
        let slide = |frame: usize| Vec3::Z * 0.2 * (frame as f32 / 30.0 - 1.0).max(0.0);
        for node in 0..2 {
            let way = |frame: usize| match node {
                0 => sway(frame as f32),
                _ => slide(frame),
            };
            let rest = model.hierarchy.node(NodeId(node)).rest.translation;
            let values: Vec<_> = (0..=FRAMES).map(|frame| rest + way(frame)).collect();
            let linear = Interpolation::Linear;
            clip.translation(NodeId(node), times, linear, values)
                .unwrap();
        }
        let analysis = Analyzer::new(&model).analyze_motion(&clip.finish(), MAX_PLACEMENTS);
        assert_eq!(analysis.frames, FRAMES + 1, "{later}");
        let all = of(&analysis, f64::from(2.0 + later));
        let spans = all.iter().map(|it| (it.node, it.span_secs));
        spans.collect::<Vec<_>>()
    };
    let [early, late] = [0.0, 10.0].map(spans);
    assert!(early.len() == late.len() && early.len() > 1, "{early:?}");
    for (a, b) in early.iter().zip(&late) {
        let apart = [b.1.0 - a.1.0, b.1.1 - a.1.1];
        assert!(
            a.0 == b.0 && apart.iter().all(|it| (it - 10.0).abs() < 1e-4),
            "{a:?} {b:?}"
        );
    }
}

#[test]
fn a_foot_that_slides_far_is_told_where_others_hold() {
    let model = figure();
    // A second at rest, and one of sliding, as parts of the height.
    let slide = |part: f32| move |frame: f32| Vec3::Z * 2.0 * part * (frame / 30.0 - 1.0).max(0.0);
    for (part, is_odd, words) in [
        (0.03, false, ""),
        (0.06, true, ""),
        (0.1, true, "1 foot slides"),
    ] {
        let mut clip = ClipBuilder::new("slides");
        translate(&mut clip, &model, 0, sway);
        translate(&mut clip, &model, 1, slide(part));
        let all = found(&model, clip);
        let slides = all
            .iter()
            .find(|it| matches!(it.kind, OddityKind::Slide { .. }));
        assert_eq!(
            slides.is_some_and(|it| it.is_odd),
            is_odd,
            "{part}: {all:?}"
        );
        let summary = Summary::of(&all);
        assert_eq!(summary.map_or_else(String::new, |it| it.words()), words);
    }
    // Fins and wheels.
    let mut clip = ClipBuilder::new("swims");
    for (foot, way) in [(1, Vec3::Z), (2, Vec3::X), (3, Vec3::NEG_Z)] {
        translate(&mut clip, &model, foot, |frame| 0.15 * way * frame / 30.0);
    }
    assert_eq!(told(&model, clip), "");
}

#[test]
fn a_finger_that_curls_while_the_wrist_stands_does_not_slide() {
    for (parent, expected) in [(None, 2), (Some(2), 0)] {
        let model = joints(&[
            ("head", Vec3::Y * 2.0, None),
            ("foot", Vec3::NEG_X * 0.2, None),
            ("wrist", Vec3::X * 0.2, None),
            ("thumb", Vec3::X * 0.1, parent),
            ("index", Vec3::Z * 0.1, parent),
        ]);
        let mut clip = ClipBuilder::new("curls");
        for finger in [3, 4] {
            let curls = |frame: f32| Vec3::Z * 0.2 * (frame / 30.0 - 1.0).max(0.0);
            translate(&mut clip, &model, finger, curls);
        }
        let all = found(&model, clip);
        let slides = all
            .iter()
            .filter(|it| matches!(it.kind, OddityKind::Slide { .. }));
        let told: Vec<_> = slides.map(|it| it.is_told).collect();
        assert_eq!(told, vec![true; expected], "{all:?}");
    }
}

#[test]
fn a_foot_slides_whether_or_not_the_other_stands_on_the_same_short_hips() {
    let model = joints(&[
        ("head", Vec3::Y * 2.0, None),
        ("hips", Vec3::Y * 0.1, None),
        ("foot.L", Vec3::new(0.2, -0.1, 0.0), Some(1)),
        ("foot.R", Vec3::new(-0.2, -0.1, 0.0), Some(1)),
    ]);
    let mut clip = ClipBuilder::new("slides");
    let slides = |frame: f32| Vec3::Z * 0.2 * (frame / 30.0 - 1.0).max(0.0);
    translate(&mut clip, &model, 2, slides);
    assert_eq!(told(&model, clip), "1 foot slides");
}

#[test]
fn ends_that_nearly_meet_are_told_unless_that_is_but_a_frame() {
    let way = |distance: f32, step: f32, range: f32, degrees: f32| SeamWay {
        joint: JointSeam {
            node: NodeId(0),
            distance,
            degrees,
            scale: 1.0,
        },
        cause: SeamCause {
            node: NodeId(0),
            degrees,
            shift: None,
        },
        distance,
        range,
        first_step: 0.1 * step,
        step,
        moving: 20,
        open: 20,
    };
    let good = way(0.03, 0.01, 0.3, 5.0);
    for (way, part, expected) in [
        (good, 0.03, true),
        (good, 0.009, false),
        (good, 0.051, false),
        (way(0.03, 0.025, 0.3, 5.0), 0.03, false),
        (way(0.03, 0.01, 0.1, 5.0), 0.03, false),
        (way(0.03, 0.01, 0.3, 90.0), 0.03, false),
        (way(f32::NAN, 0.01, 0.3, 5.0), f32::NAN, false),
    ] {
        assert_eq!(is_seam_told(&way, part), expected, "{way:?}");
    }
    // Where all but a joint or two meet, they were meant to.
    let far = way(0.3, 0.3, 0.3, 25.0);
    for (open, expected) in [(1, true), (2, true), (3, false), (0, false)] {
        assert_eq!(is_seam_told(&SeamWay { open, ..far }, 0.06), expected);
        assert!(!is_seam_told(&SeamWay { open, ..far }, 0.21));
        // A wheel whose last frame is the one before the first.
        let first_step = far.step;
        let wheel = SeamWay {
            open,
            first_step,
            ..far
        };
        assert!(!is_seam_told(&wheel, 0.06));
    }
    // A head that comes back to a place beside its first, and one whose loop lacks its last frame.
    let model = figure();
    let beside = |frame: f32| sway(frame) + Vec3::Y * 0.05 * frame / FRAMES as f32;
    let early = |frame: f32| sway(frame * 59.0 / 60.0);
    for (way, words) in [
        (
            &beside as &dyn Fn(f32) -> Vec3,
            "its ends do not meet (0.050 apart)",
        ),
        (&early, ""),
    ] {
        let mut clip = ClipBuilder::new("loops");
        translate(&mut clip, &model, 0, way);
        assert_eq!(told(&model, clip), words);
    }
}

#[test]
fn a_summary_counts_an_ankle_and_its_toe_as_one_foot_and_two_fingers_as_one_hand() {
    let nodes = vec![Node::default(); 4];
    let parents = [None, Some(0), None, Some(0)];
    let hierarchy = Hierarchy::new(nodes, &parents, &[const { Vec::new() }; 4]).unwrap();
    let slide_of = |limb: Limb, node: u32, at: f64| Oddity {
        kind: OddityKind::Slide {
            distance: 1.0,
            top: NodeId(if node == 2 { 2 } else { 0 }),
            limb,
        },
        span_secs: (at, at + 1.0),
        node: NodeId(node),
        is_odd: true,
        is_told: true,
    };
    let slide = |node: u32, at: f64| slide_of(Limb::Leg, node, at);
    let all = [slide(0, 0.5), slide(1, 0.6), slide(0, 3.0)];
    let summary = Summary::of(&all).unwrap();
    assert_eq!(
        (summary.feet, summary.words().as_str()),
        (1, "1 foot slides")
    );
    let all = [slide(1, 0.5), slide(2, 0.6)];
    assert_eq!(Summary::of(&all).unwrap().feet, 2);
    let all = [1, 3].map(|finger| slide_of(Limb::Arm, finger, 0.5));
    assert_eq!(Summary::of(&all).unwrap().words(), "1 hand slides");
    // What is of no leg is no foot.
    for (limb, summary, words) in [
        (Limb::Leg, "1 foot slides", "Foot slide, 0.500 s"),
        (Limb::Arm, "1 hand slides", "Hand slide, 0.500 s"),
        (Limb::Neither, "1 node slides", "Slide, 0.500 s"),
    ] {
        let all = [slide_of(limb, 0, 0.5), slide_of(limb, 1, 0.6)];
        assert_eq!(Summary::of(&all).unwrap().words(), summary);
        assert!(all[0].words(&hierarchy).starts_with(words));
    }
    let seam = |distance: f32, degrees: f32| Seam {
        joint: JointSeam {
            node: NodeId(0),
            distance,
            degrees,
            scale: 1.0,
        },
        cause: SeamCause {
            node: NodeId(0),
            degrees,
            shift: None,
        },
        size: 1.0,
        part: 0.03,
        is_in_place: false,
    };
    let summary = Summary {
        pops: 2,
        jitters: 0,
        feet: 1,
        hands: 2,
        others: 1,
        gap: Some(seam(0.123, 0.0)),
        first: all[0],
    };
    let expected =
        "2 pops, 1 foot slides, 2 hands slide, 1 node slides, its ends do not meet (0.123 apart)";
    assert_eq!(summary.words(), expected);
    for (gap, words) in [
        (seam(1e-7, 5.0), "turned by 5.0°"),
        (seam(0.03, 12.0), "0.030 apart and turned by 12.0°"),
        (seam(0.0, 0.0), "0.000 apart"),
    ] {
        let summary = Summary {
            pops: MAX_TOLD_POPS,
            feet: 0,
            hands: 0,
            others: 0,
            gap: Some(gap),
            ..summary
        };
        let expected = format!("500 pops or more, its ends do not meet ({words})");
        assert_eq!(summary.words(), expected);
    }
}

/// A few bytes each, but each of the clips takes a look at every node.
#[test]
fn clips_that_would_take_too_long_are_counted() {
    let (nodes, clips) = (20_000, 200);
    let mut model = figure();
    let weights = vec![Vec::new(); nodes];
    model.hierarchy =
        Hierarchy::new(vec![Node::default(); nodes], &vec![None; nodes], &weights).unwrap();
    model.clips = (0..clips)
        .map(|_| {
            let mut clip = ClipBuilder::new("one of many");
            translate(&mut clip, &model, 0, |_| Vec3::ZERO);
            clip.finish()
        })
        .collect();
    let found = examine_motion(&model);
    let words: Vec<_> = found.iter().map(|it| (it.code, &*it.message)).collect();
    let beyond =
        "how 147 of 200 clips move was not looked at: with 20000 nodes that would take too long";
    assert_eq!(words, [("MOTION_NOT_EXAMINED", beyond)]);
    model.clips = model.clips.iter().take(9).cloned().collect();
    assert_eq!(examine_motion(&model), []);
}
