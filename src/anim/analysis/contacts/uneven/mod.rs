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
//! ground turns under both, or where several pairs of legs are uneven or tell nothing, and no more are even, as in a crawl:
//! of who walks on four legs the front ones say nothing where it is not known how the others step, be these no pair since a
//! joint of one moves no vertices. If all steps of a pair are uneven, as the two of a loop are if one of them is, either
//! foot may be the one that slides; if half of them are or less it is that of the uneven step, and if more are, the pair has
//! no gait.

use std::collections::{BTreeMap, BTreeSet};

use glam::Vec3;

use super::{FOOT, JointPath, LOW, Limb, extent};
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
    /// What it is the end of, as [`super::FootContacts::top`].
    pub top: NodeId,
    /// What both are of.
    pub limb: Limb,
    /// When the step begins, and when it ends; of one over the seam the longer part.
    pub span_secs: (f64, f64),
    /// How far apart both come that begin at one place, on the ground.
    pub distance: f32,
    /// How fast they go back on the whole, this one and the other, in the model's units a second.
    pub speeds: [f32; 2],
}

impl UnevenStep {
    /// Has it begin so much later.
    pub(in crate::anim::analysis) fn delay(&mut self, secs: f64) {
        self.span_secs.0 += secs;
        self.span_secs.1 += secs;
    }
}

/// Joints that may be feet, one the image of the other.
#[derive(Debug, Clone, Copy)]
struct FootPair {
    /// Where they are in the list of all.
    feet: [usize; 2],
}

/// Which joints that may be feet are on which leg, and which are on both sides.
#[derive(Debug, Default)]
pub(in crate::anim::analysis) struct Feet {
    pairs: Vec<FootPair>,
    /// For each of the list of all the topmost joint of it above, itself included.
    legs: Vec<NodeId>,
    /// As that, but below all joints that carry several limbs.
    tops: Vec<NodeId>,
}

impl Feet {
    /// Of joints that may be feet, and what each is of.
    pub(in crate::anim::analysis) fn new(
        hierarchy: &Hierarchy,
        feet: &[NodeId],
        limbs: &[Limb],
        other_side: impl Fn(NodeId) -> NodeId,
    ) -> Self {
        let places: BTreeMap<_, _> = feet.iter().copied().zip(0..).collect();
        let pairs = feet.iter().enumerate().filter_map(|(place, &foot)| {
            let other = *places.get(&other_side(foot))?;
            (place < other).then_some(FootPair {
                feet: [place, other],
            })
        });
        let pairs: Vec<_> = pairs.collect();
        let carries_several = carry_several(hierarchy, feet, limbs, &pairs);
        // The topmost joint above each node that may be a foot, itself included, with none between that `ends`. Parents come
        // first.
        let topmost = |ends: &dyn Fn(NodeId) -> bool| -> Vec<NodeId> {
            let mut tops: Vec<Option<NodeId>> = Vec::with_capacity(hierarchy.len());
            for (id, node) in hierarchy.iter() {
                let above = node.parent.filter(|parent| !ends(*parent));
                let above = above.and_then(|parent| tops[parent.index()]);
                tops.push(above.or_else(|| places.contains_key(&id).then_some(id)));
            }
            let tops = feet.iter().map(|foot| tops[foot.index()].unwrap_or(*foot));
            tops.collect()
        };
        Self {
            legs: topmost(&|_| false),
            tops: topmost(&|node| carries_several[node.index()]),
            pairs,
        }
    }

    /// The topmost joint of the list above one at a place of it that carries no other limb, itself included.
    pub(in crate::anim::analysis) fn top(&self, place: usize) -> NodeId {
        self.tops[place]
    }
}

/// For each node whether joints of several limbs hang on it, or both of a pair of feet, itself included.
fn carry_several(
    hierarchy: &Hierarchy,
    feet: &[NodeId],
    limbs: &[Limb],
    pairs: &[FootPair],
) -> Vec<bool> {
    let mut limb_of: Vec<Option<Limb>> = vec![None; hierarchy.len()];
    // Pairs of which one foot hangs on each.
    let mut halves: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); hierarchy.len()];
    let mut several = vec![false; hierarchy.len()];
    for (foot, limb) in feet.iter().zip(limbs) {
        limb_of[foot.index()] = Some(*limb);
    }
    for (index, pair) in pairs.iter().enumerate() {
        for foot in pair.feet {
            halves[feet[foot].index()].insert(index);
        }
    }
    // What hangs on each is known before it is handed up, the greater set as it is.
    for (node, above) in hierarchy.nodes().iter().enumerate().rev() {
        let Some(parent) = above.parent.map(NodeId::index) else {
            continue;
        };
        let (own, known) = (limb_of[node], limb_of[parent]);
        several[parent] |= several[node] || own.zip(known).is_some_and(|(own, known)| own != known);
        limb_of[parent] = known.or(own);
        let (mut few, mut many) = (
            std::mem::take(&mut halves[node]),
            std::mem::take(&mut halves[parent]),
        );
        if few.len() > many.len() {
            std::mem::swap(&mut few, &mut many);
        }
        for pair in few {
            several[parent] |= !many.insert(pair);
        }
        halves[parent] = many;
    }
    several
}

/// The uneven steps of a loop on the spot, in order.
pub(in crate::anim::analysis) fn find(
    paths: &[JointPath],
    feet: &Feet,
    frame_secs: f64,
    height: f32,
) -> Vec<UnevenStep> {
    let lowest: Vec<f32> = paths.iter().map(JointPath::lowest).collect();
    let lowest_of_all = lowest.iter().copied().fold(f32::INFINITY, f32::min);
    let is_low = |foot: &usize| lowest[*foot] <= lowest_of_all + FOOT * height;
    let mut pairs = feet
        .pairs
        .iter()
        .filter(|pair| pair.feet.iter().all(is_low));
    let looked_at: Vec<_> = pairs.by_ref().take(MAX_PAIRS).collect();
    if pairs.next().is_some() {
        return Vec::new();
    }
    let (mut odd, mut even) = (BTreeMap::new(), BTreeSet::new());
    let (mut silent, mut compared) = (BTreeSet::new(), BTreeSet::new());
    for pair in looked_at {
        let [leg, other] = pair.feet.map(|foot| feet.legs[foot]);
        compared.extend([leg, other]);
        let sides = pair.feet.map(|foot| Side::new(&paths[foot], height));
        let Some(found) = uneven_of(&sides, frame_secs, height) else {
            silent.insert(leg);
            continue;
        };
        let worst = |found: &[UnevenStep]| found.iter().map(|it| it.distance).fold(0.0, f32::max);
        if found.is_empty() {
            even.insert(leg);
            continue;
        }
        let known = odd.entry(leg).or_insert_with(Vec::new);
        if worst(&found) > worst(known) {
            *known = found;
        }
    }
    even.retain(|leg| !odd.contains_key(leg));
    let low = (0..paths.len()).filter(is_low);
    let alone = low.filter_map(|foot| feet.legs.get(foot).copied());
    silent.extend(alone.filter(|leg| !compared.contains(leg)));
    silent.retain(|leg| !odd.contains_key(leg) && !even.contains(leg));
    let not_even = odd.len() + silent.len();
    if not_even > 1 && not_even >= even.len() {
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
                    top: side.path.node,
                    limb: Limb::default(),
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
mod tests;
