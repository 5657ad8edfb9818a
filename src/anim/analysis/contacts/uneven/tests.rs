//! Feet that step alike or not, and which of them are compared.

use std::time::Duration;

use super::*;
use crate::model::{Node, processor_time::timed};

const DT: f64 = 1.0 / 30.0;
const LENGTH: f32 = 0.4;

/// Two feet of a character of height 1 that steps so often with each in 32 frames, and stands for 60 % of the time. `slide`
/// is what is added to a foot along its way, by its number, that of its step, and the part of the stance that is over; it is
/// taken back in the swing.
fn walk(cycles: usize, slide: &dyn Fn(usize, usize, f32) -> f32) -> Vec<JointPath> {
    let frames = 32 * cycles;
    let foot = |foot: usize| {
        let place = |frame: usize| {
            let cycle = frame as f32 / 32.0 + 0.5 * foot as f32 + 1e-4;
            let (number, phase) = (cycle.floor() as usize % cycles, cycle.fract());
            let (y, z) = if phase < 0.6 {
                let part = phase / 0.6;
                (0.02, LENGTH * (0.5 - part) + slide(foot, number, part))
            } else {
                let swing = (phase - 0.6) / 0.4;
                let lift = 0.02 + 0.2 * (swing * std::f32::consts::PI).sin();
                let slid = slide(foot, number, 1.0);
                (lift, LENGTH * (swing - 0.5) + slid * (1.0 - swing))
            };
            Vec3::new(foot as f32, y, z)
        };
        JointPath {
            node: NodeId(foot as u32),
            positions: (0..=frames).map(place).collect(),
        }
    };
    vec![foot(0), foot(1)]
}

/// Two long tails, of which all joints may be feet: each is on the leg of the first.
#[test]
fn a_foot_is_on_the_leg_of_the_topmost_above_it() {
    const LENGTH: usize = 30_000;
    let above = |index: usize| index.checked_sub(1).filter(|_| index != LENGTH);
    let parents: Vec<_> = (0..2 * LENGTH).map(above).collect();
    let weights = vec![Vec::new(); parents.len()];
    let nodes = vec![Node::default(); parents.len()];
    let hierarchy = Hierarchy::new(nodes, &parents, &weights).unwrap();
    let feet: Vec<_> = hierarchy.iter().map(|(id, _)| id).skip(1).collect();
    let other = |node: NodeId| NodeId((node.0 + LENGTH as u32) % (2 * LENGTH as u32));
    let limbs = vec![Limb::Leg; feet.len()];
    let (found, took) = timed(|| Feet::new(&hierarchy, &feet, &limbs, other));
    assert!(took < Duration::from_secs(2), "{took:?}");
    assert_eq!(found.pairs.len(), LENGTH - 1);
    for pair in &found.pairs {
        let foot = pair.feet[0];
        let above = [found.legs[foot], found.top(foot)];
        assert_eq!(above, [NodeId(1); 2], "the first joint is no foot");
    }
}

/// As of a small body: hips that are as short as a foot, with both legs, an ankle and a toe each, and a tail.
#[test]
fn what_carries_several_limbs_is_the_top_of_none() {
    let above = [None, Some(0), Some(1), Some(0), Some(3), Some(0)];
    let weights = [const { Vec::new() }; 6];
    let hierarchy = Hierarchy::new(vec![Node::default(); 6], &above, &weights).unwrap();
    let node = |place: usize| hierarchy.by_file_index(place).unwrap();
    let feet: Vec<_> = (0..6).map(node).collect();
    let tops = |limbs: [Limb; 6], sides: [usize; 6]| {
        let other = |foot: NodeId| feet[sides[hierarchy.node(foot).file_index]];
        let found = Feet::new(&hierarchy, &feet, &limbs, other);
        let legs: Vec<_> = found.legs.iter().map(|leg| hierarchy.node(*leg)).collect();
        assert!(legs.iter().all(|leg| leg.file_index == 0));
        let tops = found.tops.iter().map(|top| hierarchy.node(*top));
        tops.map(|top| top.file_index).collect::<Vec<_>>()
    };
    let (mirrored, alone) = ([0, 3, 4, 1, 2, 5], [0, 1, 2, 3, 4, 5]);
    use Limb::{Leg, Neither};
    assert_eq!(tops([Leg; 6], mirrored), [0, 1, 1, 3, 3, 5]);
    assert_eq!(tops([Leg; 6], alone), [0; 6]);
    let trunk = [Neither, Leg, Leg, Leg, Leg, Neither];
    assert_eq!(tops(trunk, alone), [0, 1, 1, 3, 3, 5]);
}

fn pair() -> FootPair {
    FootPair { feet: [0, 1] }
}

impl Feet {
    /// Pairs on legs of their own.
    fn of<const N: usize>(pairs: [FootPair; N]) -> Self {
        Self {
            pairs: pairs.to_vec(),
            legs: (0..2 * N as u32).map(NodeId).collect(),
            tops: Vec::new(),
        }
    }
}

#[test]
fn a_foot_that_changes_its_speed_in_its_only_step_is_found() {
    // It stops for a third of its stance, or all of it is slower.
    let stops = |part: f32| LENGTH * (part - 1.0 / 3.0).clamp(0.0, 1.0 / 3.0);
    for (slide, distance) in [
        (&stops as &dyn Fn(f32) -> f32, LENGTH / 3.0),
        (&|part: f32| 0.15 * part, 0.15),
        (&|part: f32| -0.15 * part, 0.15),
    ] {
        for odd_foot in [0, 1] {
            let paths = walk(1, &|foot, _, part| {
                if foot == odd_foot { slide(part) } else { 0.0 }
            });
            let found = find(&paths, &Feet::of([pair()]), DT, 1.0);
            let [step] = found[..] else {
                panic!("{found:?}");
            };
            assert!(!step.is_known && step.node != step.other, "{step:?}");
            let error = (step.distance - distance).abs();
            assert!(error < 0.2 * distance, "{distance}: {step:?}");
            let [own, other] = step.speeds;
            assert!(own >= other && other > 0.3, "{step:?}");
        }
    }
    for small in [0.0, 0.04, -0.04] {
        let paths = walk(1, &|foot, _, part| small * part * foot as f32);
        assert_eq!(find(&paths, &Feet::of([pair()]), DT, 1.0), [], "{small}");
    }
}

/// As a skater pushes off, and as who walks in a circle does if the turn of the root is taken out.
#[test]
fn steps_that_mirror_one_another_or_turn_are_even() {
    let mut skates = walk(1, &|_, _, _| 0.0);
    for (path, side) in skates.iter_mut().zip([-0.7, 0.7]) {
        for place in &mut path.positions {
            place.x += side * place.z;
        }
    }
    assert_eq!(find(&skates, &Feet::of([pair()]), DT, 1.0), []);
    let mut circle = walk(1, &|_, _, _| 0.0);
    for (path, radius) in circle.iter_mut().zip([0.5, 1.1]) {
        for place in &mut path.positions {
            let (sine, cosine) = (place.z / 0.8).sin_cos();
            *place = Vec3::new(radius * cosine, place.y, radius * sine);
        }
    }
    assert_eq!(find(&circle, &Feet::of([pair()]), DT, 1.0), []);
}

#[test]
fn one_step_of_several_is_known() {
    let paths = walk(2, &|foot, number, part| match (foot, number) {
        (1, 1) => 0.12 * part,
        _ => 0.0,
    });
    let found = find(&paths, &Feet::of([pair()]), DT, 1.0);
    let [step] = found[..] else {
        panic!("{found:?}");
    };
    assert!(step.is_known && step.node == NodeId(1), "{step:?}");
    let (from, to) = step.span_secs;
    assert!((from / DT - 16.0).abs() < 1.5 && (to / DT - 35.0).abs() < 1.5);
}

/// Of who walks on four legs, one pair that is uneven tells nothing if the other tells nothing.
#[test]
fn a_pair_beside_one_that_takes_no_steps_is_not_blamed() {
    let mut paths = walk(1, &|foot, _, part| 0.12 * part * foot as f32);
    let still = walk(1, &|_, _, _| 0.0);
    paths.extend(still.into_iter().zip(2..).map(|(mut path, node)| {
        path.node = NodeId(node);
        path.positions.fill(Vec3::ZERO);
        path
    }));
    let others = FootPair { feet: [2, 3] };
    assert_eq!(find(&paths, &Feet::of([pair(), others]), DT, 1.0), []);
    assert_eq!(find(&paths, &Feet::of([pair()]), DT, 1.0).len(), 1);
    // Nor if one of the other two is alone.
    paths.truncate(3);
    let mut feet = Feet::of([pair()]);
    feet.legs.push(NodeId(2));
    assert_eq!(find(&paths, &feet, DT, 1.0), []);
}

#[test]
fn both_at_once_step_no_steps_and_many_uneven_legs_are_a_crawl() {
    let slide = |foot: usize, _: usize, part: f32| 0.12 * part * foot as f32;
    let mut paths = walk(1, &slide);
    let crawls = walk(1, &slide);
    paths.extend(crawls.into_iter().zip(2..).map(|(mut path, node)| {
        path.node = NodeId(node);
        path
    }));
    let hands = FootPair { feet: [2, 3] };
    assert_eq!(find(&paths, &Feet::of([pair(), hands]), DT, 1.0), []);
    assert_eq!(find(&paths, &Feet::of([pair()]), DT, 1.0).len(), 1);
    let mut at_once = walk(1, &|_, _, _| 0.0);
    let positions = at_once[0].positions.iter();
    at_once[1].positions = positions
        .map(|place| *place * Vec3::new(1.0, 1.0, 1.5))
        .collect();
    assert_eq!(find(&at_once, &Feet::of([pair()]), DT, 1.0), []);
}
