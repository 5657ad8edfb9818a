//! How each node of a clip moves by itself, interval by interval.
//!
//! A node is looked at where its keys are, if they lie close and evenly over the whole clip, but for a few that are left out:
//! between them nothing else happens. At frames that lie closer than keys, one key out of line would be several intervals
//! alike, as of a movement; frames that lie farther apart, as those of long clips do, miss it. Any other node is looked at at
//! the clip's frames.

use std::collections::BTreeMap;

use glam::{Quat, Vec3};

use super::{frames::Measured, span::Span, usual::median};
use crate::{
    anim::{
        orientation::angle_between,
        sample::{slerp, value_at},
    },
    model::{Clip, Interpolation, NodeId, Track, Transform},
};

/// Keys farther apart than those of 12 frames a second, as of drawings on twos, are poses: between them an ear may twitch.
const MAX_GAP_SECS: f64 = 0.085;
/// How much gaps may differ from their median, as a part of it: of times in milliseconds at 60 frames a second 4 %.
const UNEVEN: f64 = 0.1;

/// Times as many gaps as there are keys left out.
const LEFT_OUT: usize = 5;

/// A part of the ways before and after a key: what goes on is farther from where it was, but for its curve.
const STRAIGHT: f32 = 0.9;

/// So many frames are looked at of a clip whose keys lie far apart: at 30 a second more than a quarter of an hour. A small file
/// may have hundreds of nodes with two keys each, years apart.
const MAX_STEPS: usize = 1 << 15;

/// What of a node's own motion is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// All of it together.
    Whole,
    /// Its shift alone, which may be calm while it turns.
    Shift,
    /// Its turn alone, which may be calm while it is shifted.
    Turn,
}

impl Part {
    /// All of them, in the order in which they are looked at.
    pub const ALL: [Self; 3] = [Self::Whole, Self::Shift, Self::Turn];
}

/// What a node does by itself from one time to another.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Way {
    /// How far its origin goes, in the model's units.
    pub(super) shift: f32,
    /// How far it turns against its parent, in radians.
    pub(super) turn: f32,
    /// By how much its scale changes along one of its axes.
    pub(super) growth: f32,
}

impl Way {
    /// From one placement to another of a node, for which a translation by 1 is `unit` units in the world.
    fn between(unit: f32, from: &Transform, to: &Transform) -> Self {
        Self {
            shift: unit * from.translation.distance(to.translation),
            turn: angle_between(from.rotation, to.rotation) as f32,
            growth: (to.scale - from.scale).abs().max_element(),
        }
    }

    /// How far what hangs on the node goes by a part of it, if that reaches so far.
    pub(super) fn length(self, part: Part, reach: f32) -> f32 {
        match part {
            Part::Whole => self.shift + reach * (self.turn + self.growth),
            Part::Shift => self.shift,
            Part::Turn => reach * self.turn,
        }
    }
}

/// How a node moves by itself.
#[derive(Debug)]
pub(super) struct OwnMotion {
    pub(super) node: NodeId,
    /// When it is looked at, at even intervals but for rounding.
    pub(super) times_secs: Vec<f64>,
    /// The mean of those intervals.
    pub(super) step_secs: f64,
    /// What of it the speeds, strides and bends are of.
    pub(super) part: Part,
    /// How far what hangs on it reaches, in the model's units.
    pub(super) reach: f32,
    /// The length of a translation by 1, in the model's units.
    pub(super) unit: f32,
    /// Relative to its parent, at each time.
    pub(super) transforms: Vec<Transform>,
    /// What it does in each interval.
    pub(super) ways: Vec<Way>,
    /// How fast what hangs on it goes in each interval, in the model's units a second.
    pub(super) speeds: Vec<f32>,
    /// From each time, how far it is from where it will be two intervals later, over the time of one: 0 if it comes back,
    /// twice its speed if it goes on.
    pub(super) strides: Vec<f32>,
    /// From each time, how far it is one interval later from the middle between where it is then and two intervals later, in
    /// the model's units: 0 for what goes on evenly.
    pub(super) bends: Vec<f32>,
}

impl OwnMotion {
    /// How far what hangs on the node goes from one of its times to another, by the shortest way, in the model's units.
    pub(super) fn length_between(&self, from: usize, to: usize) -> f32 {
        self.way_between(from, to).length(self.part, self.reach)
    }

    /// What it does from one of its times to another, by the shortest way.
    pub(super) fn way_between(&self, from: usize, to: usize) -> Way {
        Way::between(self.unit, &self.transforms[from], &self.transforms[to])
    }

    /// How far it goes from one placement to another by the part that is looked at.
    fn length(&self, from: &Transform, to: &Transform) -> f32 {
        Way::between(self.unit, from, to).length(self.part, self.reach)
    }

    /// The parts that are worth a look: each of both by itself where the node is shifted and turned.
    pub(super) fn parts(&self) -> &'static [Part] {
        let is_shifted = self.ways.iter().any(|way| way.shift > 0.0);
        let is_turned = self.ways.iter().any(|way| way.turn > 0.0);
        match is_shifted && is_turned {
            true => &Part::ALL,
            false => &Part::ALL[..1],
        }
    }

    /// Looks at a part of it.
    pub(super) fn look_at(&mut self, part: Part) {
        self.part = part;
        let Self {
            unit,
            reach,
            transforms,
            ways,
            speeds,
            strides,
            bends,
            ..
        } = self;
        speeds.clear();
        strides.clear();
        bends.clear();
        let per_step = self.step_secs as f32;
        let length =
            |from: &Transform, to: &Transform| Way::between(*unit, from, to).length(part, *reach);
        for three in transforms.windows(3) {
            let [first, between, last] = three else {
                continue;
            };
            strides.push(length(first, last) / per_step);
            bends.push(length(&middle(first, last), between));
        }
        speeds.extend(ways.iter().map(|way| way.length(part, *reach) / per_step));
    }

    /// How far what hangs on the node is from where it began, at most and at the end, in the model's units.
    pub(super) fn range_and_gap(&self) -> (f32, f32) {
        let Some(first) = self.transforms.first() else {
            return (0.0, 0.0);
        };
        let ways = self.transforms.iter();
        let ways = ways.map(|now| self.length(first, now));
        ways.fold((0.0, 0.0), |(range, _), way| (way.max(range), way))
    }

    /// How far what hangs on the node is out of line one interval before and after the time `at`, if it lay in the middle
    /// between them: the greater of both, in the model's units. Next to nothing around a key that alone is out of line; half
    /// of its own bend at the ends of a jump. None where the motion around it turns back, or without two times on either
    /// side.
    pub(super) fn bend_without(&self, at: usize) -> Option<f32> {
        let [first, before, _, after, last] = self.transforms.get(at.checked_sub(2)?..at + 3)?
        else {
            return None;
        };
        let way = |from: &Transform, to: &Transform| self.length(from, to);
        let along = way(first, before) + way(after, last);
        if way(first, last) < STRAIGHT * along {
            return None;
        }
        let here = middle(before, after);
        let ahead = way(&middle(first, &here), before);
        Some(ahead.max(way(&middle(&here, last), after)))
    }
}

/// What moves a node, but for what moves in steps.
#[derive(Default)]
struct Tracks<'a> {
    translation: Option<&'a Track<Vec3>>,
    rotation: Option<&'a Track<Quat>>,
    scale: Option<&'a Track<Vec3>>,
    has_steps: bool,
}

impl Measured<'_> {
    /// Shows how each node moves that a clip moves other than in steps, one after the other. It takes about `most_values`
    /// values of tracks at most, though always a few. `look`, which sees the whole motion first, says whether it shall go
    /// on.
    pub(super) fn look_at_motions(
        &self,
        clip: &Clip,
        most_values: usize,
        mut look: impl FnMut(&mut OwnMotion) -> bool,
    ) {
        let most_steps = (most_values / clip.track_count().max(1)).max(1);
        let span = Span::of(clip);
        let steps = span.natural_steps(clip).min(most_steps).min(MAX_STEPS);
        let frames = (0..=steps).map(|step| span.at(step, steps));
        // One after the other in the same room.
        let mut motion = OwnMotion {
            node: NodeId(0),
            times_secs: Vec::new(),
            step_secs: 0.0,
            part: Part::Whole,
            reach: 0.0,
            unit: 1.0,
            transforms: Vec::new(),
            ways: Vec::new(),
            speeds: Vec::new(),
            strides: Vec::new(),
            bends: Vec::new(),
        };
        for (node, tracks) in moving(clip) {
            motion.node = node;
            motion.times_secs.clear();
            if !tracks.add_close_keys(clip, most_steps, &mut motion.times_secs) {
                motion.times_secs.clear();
                motion.times_secs.extend(frames.clone());
            }
            self.measure(clip, &tracks, &mut motion);
            // A clip of a moment has no speeds.
            if motion.step_secs > 0.0 && !look(&mut motion) {
                return;
            }
        }
    }

    /// Fills in how a node moves between its times, of which there are two at least.
    fn measure(&self, clip: &Clip, tracks: &Tracks<'_>, motion: &mut OwnMotion) {
        let OwnMotion {
            node,
            times_secs,
            step_secs,
            reach,
            unit,
            transforms,
            ways,
            ..
        } = motion;
        transforms.clear();
        ways.clear();
        let (first, last) = (times_secs[0], times_secs[times_secs.len() - 1]);
        *step_secs = (last - first) / (times_secs.len() - 1) as f64;
        let rest = self.rest_of(*node);
        (*reach, *unit) = (self.reach(*node), self.unit(*node));
        for time_secs in &*times_secs {
            transforms.push(tracks.local(clip, rest, *time_secs));
        }
        let way = |from: &Transform, to: &Transform| Way::between(*unit, from, to);
        ways.extend(transforms.windows(2).map(|pair| way(&pair[0], &pair[1])));
        motion.look_at(Part::Whole);
    }
}

impl Tracks<'_> {
    /// Adds the times of the node's keys, if they are close and even from end to end of the clip, and not too many; where a few
    /// keys are left out, even times in their place. False if they are not.
    fn add_close_keys(&self, clip: &Clip, most_steps: usize, times_secs: &mut Vec<f64>) -> bool {
        let timelines = [
            self.translation.map(Track::timeline),
            self.rotation.map(Track::timeline),
            self.scale.map(Track::timeline),
        ];
        // What stands still has two keys often enough.
        let timelines = timelines.into_iter().flatten();
        let keys = timelines.map(|timeline| clip.timelines()[timeline].times_secs());
        let Some(keys @ [first, .., last]) = keys.max_by_key(|keys| keys.len()) else {
            return false;
        };
        let count = keys.len() - 1;
        if count > most_steps {
            return false;
        }
        let gaps = || keys.windows(2).map(|pair| f64::from(pair[1] - pair[0]));
        let mut sorted: Vec<_> = gaps().map(|gap| gap as f32).collect();
        let gap = f64::from(median(&mut sorted));
        let [first, last] = [*first, *last].map(f64::from);
        let is_close = gap > 0.0 && gap <= MAX_GAP_SECS;
        let is_whole = first - Span::of(clip).start_secs <= gap
            && f64::from(clip.duration_secs()) - last <= gap;
        if !is_close || !is_whole {
            return false;
        }
        let mut left_out = 0;
        times_secs.push(first);
        for (place, (key, long)) in keys.iter().copied().map(f64::from).zip(gaps()).enumerate() {
            let pieces = (long / gap).round().max(1.0);
            let piece = long / pieces;
            // The last one may stand nearer, at the end of a clip that was sampled anew.
            let is_end = place + 1 == count && long < gap;
            let is_even = (piece - gap).abs() <= UNEVEN * gap;
            // Before room is made for them: one gap may last for years.
            let pieces = pieces.min(keys.len() as f64 + 1.0) as usize;
            left_out += pieces - 1;
            if !is_even && !is_end || left_out * LEFT_OUT > count {
                return false;
            }
            times_secs.extend((1..=pieces).map(|at| match at {
                _ if at == pieces => f64::from(keys[place + 1]),
                _ => key + piece * at as f64,
            }));
        }
        true
    }

    /// Where the node is.
    fn local(&self, clip: &Clip, rest: Transform, time_secs: f64) -> Transform {
        let vector =
            |track: &Track<Vec3>| value_at(track, &clip.timelines()[track.timeline()], time_secs);
        let turn =
            |track: &Track<Quat>| value_at(track, &clip.timelines()[track.timeline()], time_secs);
        Transform {
            translation: self.translation.map_or(rest.translation, vector),
            rotation: self.rotation.map_or(rest.rotation, turn),
            scale: self.scale.map_or(rest.scale, vector),
        }
    }
}

/// Half of the way from one placement to another.
fn middle(from: &Transform, to: &Transform) -> Transform {
    Transform {
        translation: from.translation.midpoint(to.translation),
        rotation: slerp(from.rotation, to.rotation, 0.5),
        scale: from.scale.midpoint(to.scale),
    }
}

/// The nodes that a clip moves other than in steps.
fn moving(clip: &Clip) -> BTreeMap<NodeId, Tracks<'_>> {
    let mut nodes: BTreeMap<NodeId, Tracks<'_>> = BTreeMap::new();
    let is_stepped = |kind| kind == Interpolation::Step;
    for track in clip.translations() {
        let tracks = nodes.entry(track.node()).or_default();
        tracks.translation = Some(track);
        tracks.has_steps |= is_stepped(track.interpolation());
    }
    for track in clip.rotations() {
        let tracks = nodes.entry(track.node()).or_default();
        tracks.rotation = Some(track);
        tracks.has_steps |= is_stepped(track.interpolation());
    }
    for track in clip.scales() {
        let tracks = nodes.entry(track.node()).or_default();
        tracks.scale = Some(track);
        tracks.has_steps |= is_stepped(track.interpolation());
    }
    nodes.retain(|_, tracks| !tracks.has_steps);
    nodes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ClipBuilder, Hierarchy, Model, Node, Timeline};

    /// The steps that are looked at of a node that moves at these times.
    fn steps(times_secs: Vec<f32>) -> usize {
        let hierarchy = Hierarchy::new(vec![Node::default()], &[None], &[Vec::new()]).unwrap();
        let model = Model {
            hierarchy,
            ..Model::default()
        };
        let mut clip = ClipBuilder::new("long");
        let values = vec![Vec3::ZERO; times_secs.len()];
        let times = clip.timeline(Timeline::new(times_secs).unwrap());
        let linear = Interpolation::Linear;
        clip.translation(NodeId(0), times, linear, values).unwrap();
        let mut most = 0;
        Measured::new(&model).look_at_motions(&clip.finish(), 1 << 25, |motion| {
            most = most.max(motion.times_secs.len() - 1);
            true
        });
        most
    }

    #[test]
    fn a_clip_of_years_is_looked_at_no_longer_than_one_of_minutes() {
        assert!(steps(vec![0.0, 1e7]) < 40_000);
        assert_eq!(steps(vec![0.0, 3e29, 1e30]), MAX_STEPS);
        assert_eq!(steps(vec![0.0, 1.0, 10.0]), 300);
        // Nor is a gap of hours between close keys filled with others.
        let close = (0..22).map(|key| key as f32 / 1000.0);
        assert!(steps(close.chain([1e4]).collect()) <= MAX_STEPS);
        let gap = (0..25).map(|key| (key + 4 * u16::from(key > 16)) as f32 / 24.0);
        assert_eq!(steps(gap.collect()), 28);
        // Keys, which take room in the file, are looked at all the same.
        let close = (0..300_000).map(|key| key as f32 / 64.0);
        assert_eq!(steps(close.collect()), 299_999);
    }
}
