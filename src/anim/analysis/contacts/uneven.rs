//! Feet on the spot of which the left one does not step as the right one does.
//!
//! A loop has a step or two of each foot: too few to say which ground suits most. But who walks steps alike with both. So of
//! every pair of feet on both sides the contacts are compared, a contact being a stretch of five intervals at least in which
//! the foot is low; one over the seam is one. Two are compared at the shift in time that suits them best, over all but an
//! interval of the shorter one, as they are and as in a mirror along the way: the difference is how far apart both feet come
//! that begin at one place. A step is uneven if
//! it differs from each of the other side by more than 6 % of the model's height, and by more than a quarter of its length,
//! which is a tenth of the height at least. Walks of the corpus differ by up to 4.5 %, a fifth of their length.
//!
//! That says nothing where both feet are low at once, as in a crouch, where one foot steps more often than the other, where the
//! ground turns under both, or where several pairs of legs are uneven, and no more are even, as in a crawl. If all steps of a
//! pair are uneven, as the two of a loop are if one of them is, either foot may be the one that slides; if half of them are or
//! less it is that of the uneven step, and if more are, the pair has no gait.

use std::collections::{BTreeMap, BTreeSet};

use glam::Vec3;

use super::{FOOT, JointPath, LOW, extent};
use crate::model::{Hierarchy, NodeId};

/// Parts of the model's height.
const DIFFERS: f32 = 0.06;
const MIN_LENGTH: f32 = 0.1;
/// A part of the length of the longer step.
const DIFFERS_OF_LENGTH: f32 = 0.25;
/// Radians that the way of a foot turns from one half of a step to the other, where the ground turns.
const TURNS: f32 = 0.1;
/// Intervals of a step.
const MIN_INTERVALS: usize = 5;
const MAX_INTERVALS: usize = 128;
/// Where there are more steps, they say themselves which ground suits most.
const MAX_STEPS: usize = 8;
/// More pairs of feet than these are none.
const MAX_PAIRS: usize = 32;

/// A foot on the spot steps otherwise than that on the other side.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UnevenStep {
    /// The joint; where either may be wrong that which goes farther.
    pub node: NodeId,
    /// That on the other side.
    pub other: NodeId,
    /// Whether it is this one that is wrong: its other steps are as those of the other side.
    pub is_known: bool,
    /// When the step begins, and when it ends; of one over the seam the longer part.
    pub span_secs: (f64, f64),
    /// How far apart both come that begin at one place, on the ground.
    pub distance: f32,
    /// How fast they go back on the whole, this one and the other, in the model's units a second.
    pub speeds: [f32; 2],
}

/// Joints that may be feet, one the image of the other.
#[derive(Debug, Clone, Copy)]
pub(in crate::anim::analysis) struct FootPair {
    /// Where they are in the list of all.
    feet: [usize; 2],
    /// The joint above all that may be feet on the first one's leg.
    leg: NodeId,
}

/// The pairs among joints that may be feet.
pub(in crate::anim::analysis) fn pairs(
    hierarchy: &Hierarchy,
    feet: &[NodeId],
    other_side: impl Fn(NodeId) -> NodeId,
) -> Vec<FootPair> {
    let places: BTreeMap<_, _> = feet.iter().copied().zip(0..).collect();
    // The topmost joint above each node that may be a foot, itself included. Parents come first.
    let mut legs: Vec<Option<NodeId>> = Vec::with_capacity(hierarchy.len());
    for (id, node) in hierarchy.iter() {
        let above = node.parent.and_then(|parent| legs[parent.index()]);
        legs.push(above.or_else(|| places.contains_key(&id).then_some(id)));
    }
    let pairs = feet.iter().enumerate().filter_map(|(place, &foot)| {
        let other = *places.get(&other_side(foot))?;
        (place < other).then_some(FootPair {
            feet: [place, other],
            leg: legs[foot.index()].unwrap_or(foot),
        })
    });
    pairs.collect()
}

/// The uneven steps of a loop on the spot, in order.
pub(in crate::anim::analysis) fn find(
    paths: &[JointPath],
    pairs: &[FootPair],
    frame_secs: f64,
    height: f32,
) -> Vec<UnevenStep> {
    let lowest: Vec<f32> = paths.iter().map(JointPath::lowest).collect();
    let lowest_of_all = lowest.iter().copied().fold(f32::INFINITY, f32::min);
    let is_low = |foot: &usize| lowest[*foot] <= lowest_of_all + FOOT * height;
    let mut pairs = pairs.iter().filter(|pair| pair.feet.iter().all(is_low));
    let looked_at: Vec<_> = pairs.by_ref().take(MAX_PAIRS).collect();
    if pairs.next().is_some() {
        return Vec::new();
    }
    let (mut odd, mut even) = (BTreeMap::new(), BTreeSet::new());
    for pair in looked_at {
        let sides = pair.feet.map(|foot| Side::new(&paths[foot], height));
        let Some(found) = uneven_of(&sides, frame_secs, height) else {
            continue;
        };
        let worst = |found: &[UnevenStep]| found.iter().map(|it| it.distance).fold(0.0, f32::max);
        if found.is_empty() {
            even.insert(pair.leg);
            continue;
        }
        let known = odd.entry(pair.leg).or_insert_with(Vec::new);
        if worst(&found) > worst(known) {
            *known = found;
        }
    }
    even.retain(|leg| !odd.contains_key(leg));
    if odd.len() > 1 && odd.len() >= even.len() {
        return Vec::new();
    }
    let mut found: Vec<_> = odd.into_values().flatten().collect();
    found.sort_by(|a, b| a.span_secs.0.total_cmp(&b.span_secs.0));
    found
}

/// A foot, and its steps.
struct Side<'a> {
    path: &'a JointPath,
    steps: Vec<Step>,
}

/// A foot is low for a while.
struct Step {
    /// The first interval.
    first: usize,
    /// How far it goes in each; over the ground alone.
    ways: Vec<Vec3>,
}

impl<'a> Side<'a> {
    fn new(path: &'a JointPath, height: f32) -> Self {
        let high = path.lowest() + LOW * height;
        let pairs = path.positions.windows(2);
        let low = pairs.map(|pair| pair.iter().all(|place| place.y <= high));
        let low: Vec<_> = low.collect();
        let all = low.len();
        let mut spans: Vec<(usize, usize)> = Vec::new();
        let mut at = 0;
        for run in low.chunk_by(|a, b| a == b) {
            if run[0] {
                spans.push((at, run.len()));
            }
            at += run.len();
        }
        // What is low at both ends goes on over the seam.
        if let [(0, from_start), .., (first, count)] = spans[..]
            && first + count == all
        {
            spans.pop();
            spans[0] = (first, count + from_start);
        }
        let way = |interval: usize| {
            let from = interval % all;
            (path.positions[from + 1] - path.positions[from]).with_y(0.0)
        };
        let steps = spans.into_iter().map(|(first, count)| Step {
            first,
            ways: (first..first + count).map(way).collect(),
        });
        let steps = steps.filter(|step| step.ways.len() >= MIN_INTERVALS);
        Self {
            path,
            steps: steps.collect(),
        }
    }
}

/// How two steps differ.
#[derive(Clone, Copy)]
struct Difference {
    distance: f32,
    /// How far both go.
    lengths: [f32; 2],
    /// Intervals that are compared.
    intervals: usize,
}

impl Step {
    /// None if they are of another kind: at the same time, far longer, or on ground that turns.
    fn difference(&self, other: &Self, all: usize) -> Option<Difference> {
        let counts = [self.ways.len(), other.ways.len()];
        let (least, most) = (counts[0].min(counts[1]), counts[0].max(counts[1]));
        if most > 2 * least || most > MAX_INTERVALS || 2 * self.intervals_shared(other, all) > least
        {
            return None;
        }
        let turns = [self.turn_radians(), other.turn_radians()];
        if turns.iter().all(|turn| *turn > TURNS) || turns.iter().all(|turn| *turn < -TURNS) {
            return None;
        }
        // Where it begins in the short one and in the long one, and for how long.
        let within = (0..=most - least).map(|at| (0, at, least));
        let shifts = within.chain([(1, 0, least - 1), (0, most - least + 1, least - 1)]);
        let (short, long) = match counts[0] <= counts[1] {
            true => (&self.ways, &other.ways),
            false => (&other.ways, &self.ways),
        };
        let differences = shifts.map(|(in_short, in_long, intervals)| {
            let short = &short[in_short..in_short + intervals];
            let long = &long[in_long..in_long + intervals];
            let ways = [short, long].map(|ways| ways.iter().sum::<Vec3>());
            let along = (ways[0] + ways[1]).normalize_or_zero();
            let mirrored = |way: Vec3| 2.0 * along * way.dot(along) - way;
            let apart = |image: &dyn Fn(Vec3) -> Vec3| {
                let mut apart = Vec3::ZERO;
                let places = short.iter().zip(long).map(|(a, b)| {
                    apart += *a - image(*b);
                    apart
                });
                extent(std::iter::once(Vec3::ZERO).chain(places))
            };
            Difference {
                distance: apart(&|way| way).min(apart(&mirrored)),
                lengths: ways.map(Vec3::length),
                intervals,
            }
        });
        let best = differences.min_by(|a, b| a.distance.total_cmp(&b.distance))?;
        let [short, long] = best.lengths;
        Some(Difference {
            lengths: if counts[0] <= counts[1] {
                [short, long]
            } else {
                [long, short]
            },
            ..best
        })
    }

    /// How far its way turns to the left, seen from above, from its first half to its second.
    fn turn_radians(&self) -> f32 {
        let (first, second) = self.ways.split_at(self.ways.len() / 2);
        let [a, b] = [first, second].map(|ways| ways.iter().sum::<Vec3>());
        a.cross(b).y.atan2(a.dot(b))
    }

    fn intervals_shared(&self, other: &Self, all: usize) -> usize {
        let own = self.first..self.first + self.ways.len();
        let intervals = own.map(|interval| interval % all);
        let is_others = |interval: &usize| (interval + all - other.first) % all < other.ways.len();
        intervals.filter(is_others).count()
    }
}

/// The uneven steps of a pair of feet; none if it does not step.
fn uneven_of(sides: &[Side<'_>; 2], frame_secs: f64, height: f32) -> Option<Vec<UnevenStep>> {
    let [left, right] = sides;
    let count = left.steps.len();
    if count == 0 || right.steps.len() != count || 2 * count > MAX_STEPS {
        return None;
    }
    let all = left.path.positions.len() - 1;
    let is_uneven = |it: &Difference| {
        let length = it.lengths[0].max(it.lengths[1]);
        it.distance > DIFFERS * height
            && length >= MIN_LENGTH * height
            && it.distance > DIFFERS_OF_LENGTH * length
    };
    let (mut found, mut lengths) = (Vec::new(), Vec::new());
    for (side, other) in [(left, right), (right, left)] {
        for step in &side.steps {
            let others = other.steps.iter();
            let differences = others.filter_map(|other| step.difference(other, all));
            let nearest = differences.min_by(|a, b| a.distance.total_cmp(&b.distance))?;
            lengths.push(nearest.lengths[0]);
            if is_uneven(&nearest) {
                let secs = nearest.intervals as f32 * frame_secs as f32;
                let end = step.first + step.ways.len();
                let (first, last) = match end.saturating_sub(all) {
                    over if over > all.saturating_sub(step.first) => (0, over),
                    _ => (step.first, end.min(all)),
                };
                found.push(UnevenStep {
                    node: side.path.node,
                    other: other.path.node,
                    is_known: true,
                    span_secs: (first as f64 * frame_secs, last as f64 * frame_secs),
                    distance: nearest.distance,
                    speeds: nearest.lengths.map(|length| length / secs),
                });
            }
        }
    }
    if found.len() == 2 * count {
        let length = |steps: &[f32]| steps.iter().sum::<f32>();
        let farther = match length(&lengths[..count]) >= length(&lengths[count..]) {
            true => left.path.node,
            false => right.path.node,
        };
        found.retain(|step| step.node == farther);
        for step in &mut found {
            step.is_known = false;
        }
    } else if found.len() > count {
        // Some are alike, most are not: no gait.
        return None;
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::model::{Node, processor_time::timed};

    const DT: f64 = 1.0 / 30.0;
    const LENGTH: f32 = 0.4;

    /// Two feet of a character of height 1 that steps so often with each in 32 frames, and stands for 60 % of the time. `slide` is
    /// what is added to a foot along its way, by its number, that of its step, and the part of the stance that is over; it is
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
        let (pairs, took) = timed(|| pairs(&hierarchy, &feet, other));
        assert!(took < Duration::from_secs(2), "{took:?}");
        assert_eq!(pairs.len(), LENGTH - 1);
        for pair in pairs {
            assert_eq!(pair.leg, NodeId(1), "the first joint is no foot");
        }
    }

    fn pair() -> FootPair {
        FootPair {
            feet: [0, 1],
            leg: NodeId(0),
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
                let found = find(&paths, &[pair()], DT, 1.0);
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
            assert_eq!(find(&paths, &[pair()], DT, 1.0), [], "{small}");
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
        assert_eq!(find(&skates, &[pair()], DT, 1.0), []);
        let mut circle = walk(1, &|_, _, _| 0.0);
        for (path, radius) in circle.iter_mut().zip([0.5, 1.1]) {
            for place in &mut path.positions {
                let (sine, cosine) = (place.z / 0.8).sin_cos();
                *place = Vec3::new(radius * cosine, place.y, radius * sine);
            }
        }
        assert_eq!(find(&circle, &[pair()], DT, 1.0), []);
    }

    #[test]
    fn one_step_of_several_is_known() {
        let paths = walk(2, &|foot, number, part| match (foot, number) {
            (1, 1) => 0.12 * part,
            _ => 0.0,
        });
        let found = find(&paths, &[pair()], DT, 1.0);
        let [step] = found[..] else {
            panic!("{found:?}");
        };
        assert!(step.is_known && step.node == NodeId(1), "{step:?}");
        let (from, to) = step.span_secs;
        assert!((from / DT - 16.0).abs() < 1.5 && (to / DT - 35.0).abs() < 1.5);
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
        let hands = FootPair {
            feet: [2, 3],
            leg: NodeId(2),
        };
        assert_eq!(find(&paths, &[pair(), hands], DT, 1.0), []);
        assert_eq!(find(&paths, &[pair()], DT, 1.0).len(), 1);
        let mut at_once = walk(1, &|_, _, _| 0.0);
        let positions = at_once[0].positions.iter();
        at_once[1].positions = positions
            .map(|place| *place * Vec3::new(1.0, 1.0, 1.5))
            .collect();
        assert_eq!(find(&at_once, &[pair()], DT, 1.0), []);
    }
}
