//! How far the joints of two motions lie apart, moment by moment.

use super::{
    Moments, NodeMatch,
    pair::{Motions, PosePair, origins_apart},
    turned_and_scaled,
};
use crate::model::{Clip, Model, NodeId};

/// Values that are kept at most, of each kind.
const MAX_VALUES: usize = 1 << 20;
/// Moments that are looked at, at least and at most: a curve on a screen has no more points.
const MIN_MOMENTS: usize = 16;
const MAX_MOMENTS: usize = 600;

/// For each joint that two models share: how far it is turned and away, over the time of the first clip.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DifferenceCurves {
    /// The moments, in order.
    pub times_secs: Vec<f64>,
    /// The joints, as the first model has them, in the order of its hierarchy.
    pub nodes: Vec<NodeId>,
    /// The differences of rotations relative to the parent, joint after joint.
    degrees: Vec<f32>,
    /// The distances of places in the world, joint after joint.
    units: Vec<f32>,
    /// The greatest difference of all joints at each moment.
    greatest_degrees: Vec<f32>,
    greatest_units: Vec<f32>,
    /// The greatest turn of all joints at all moments.
    most_degrees: f32,
}

/// The greatest differences of a joint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointDifference {
    /// The joint, in the first model.
    pub node: NodeId,
    /// How far it is turned relative to its parent.
    pub degrees: f32,
    /// The moment at which it is turned so far.
    pub degrees_at_secs: f64,
    /// How far it is away in the world.
    pub units: f32,
    /// The moment at which it is so far away.
    pub units_at_secs: f64,
}

impl DifferenceCurves {
    /// Compares two clips (none is the file's own pose) for as long as the first lasts: the second is at `stretch` times the
    /// time of the first, both clamped to their keys. Of models with skins their joints are compared, of others all nodes.
    pub fn new(
        models: [&Model; 2],
        clips: [Option<&Clip>; 2],
        nodes: &NodeMatch,
        stretch: f64,
    ) -> Self {
        let mut is_joint = vec![models[0].skins.is_empty(); models[0].hierarchy.len()];
        for joint in models[0].skins.iter().flat_map(|skin| &skin.joints) {
            is_joint[joint.index()] = true;
        }
        let pairs = nodes.pairs.iter();
        let pairs = pairs.filter(|(first, _)| is_joint[first.index()]);
        let pairs: Vec<_> = pairs.copied().take(MAX_VALUES / MIN_MOMENTS).collect();
        let most = (MAX_VALUES / pairs.len().max(1)).clamp(MIN_MOMENTS, MAX_MOMENTS);
        let times_secs = Moments::of_first(clips, stretch, most).times_secs;
        let count = times_secs.len();
        let mut this = Self {
            degrees: vec![0.0; pairs.len() * count],
            units: vec![0.0; pairs.len() * count],
            greatest_degrees: vec![0.0; count],
            greatest_units: vec![0.0; count],
            most_degrees: 0.0,
            nodes: pairs.iter().map(|(first, _)| *first).collect(),
            times_secs,
        };
        let motions = Motions { clips, stretch };
        let mut both = PosePair::new(models);
        let mut playing = both.play(motions);
        for moment in 0..count {
            let poses = playing.at(this.times_secs[moment]);
            let [first, second] = poses;
            for (place, &(a, b)) in pairs.iter().enumerate() {
                let (from, to) = (&first.locals[a.index()], &second.locals[b.index()]);
                let degrees = turned_and_scaled(from, to).0.to_degrees() as f32;
                let units = origins_apart(poses, (a, b)) as f32;
                this.degrees[place * count + moment] = degrees;
                this.units[place * count + moment] = units;
                let greatest = &mut this.greatest_degrees[moment];
                *greatest = greatest.max(degrees);
                let greatest = &mut this.greatest_units[moment];
                *greatest = greatest.max(units);
            }
        }
        this.most_degrees = this.greatest_degrees.iter().copied().fold(0.0, f32::max);
        this
    }

    fn of(&self, values: usize, node: NodeId) -> Option<std::ops::Range<usize>> {
        let place = self.nodes.binary_search(&node).ok()?;
        let count = self.times_secs.len();
        let range = place * count..(place + 1) * count;
        (range.end <= values).then_some(range)
    }

    /// How far a joint is turned, or without one the joint that is turned most then: a value for each moment.
    pub fn degrees(&self, node: Option<NodeId>) -> Option<&[f32]> {
        match node {
            None => Some(&self.greatest_degrees),
            Some(node) => self.degrees.get(self.of(self.degrees.len(), node)?),
        }
    }

    /// How far a joint is away, or without one the joint that is farthest then: a value for each moment.
    pub fn units(&self, node: Option<NodeId>) -> Option<&[f32]> {
        match node {
            None => Some(&self.greatest_units),
            Some(node) => self.units.get(self.of(self.units.len(), node)?),
        }
    }

    /// How far a joint is turned at a time, between two moments evenly in between.
    pub fn degrees_at(&self, node: NodeId, time_secs: f64) -> Option<f32> {
        let values = self.degrees(Some(node))?;
        let after = self.times_secs.partition_point(|&time| time < time_secs);
        let last = values.len().checked_sub(1)?;
        let (before, after) = (after.saturating_sub(1).min(last), after.min(last));
        let span = self.times_secs[after] - self.times_secs[before];
        let part = if span > 0.0 {
            ((time_secs - self.times_secs[before]) / span).clamp(0.0, 1.0) as f32
        } else {
            0.0
        };
        Some(values[before] + (values[after] - values[before]) * part)
    }

    /// The greatest turn of all.
    pub fn most_degrees(&self) -> f32 {
        self.most_degrees
    }

    /// The greatest differences of each joint, the worst first: by its share of the greatest turn and distance of all.
    pub fn worst(&self) -> Vec<JointDifference> {
        let most_units = self.greatest_units.iter().copied().fold(0.0, f32::max);
        let most_degrees = self.most_degrees();
        let greatest = |values: Option<&[f32]>| {
            let values = values.unwrap_or(&[]).iter().zip(&self.times_secs);
            values.fold((0.0_f32, 0.0), |most, (&value, &time)| {
                // What is no number must not hide behind comparisons.
                if value > most.0 || value.is_nan() && !most.0.is_nan() {
                    (value, time)
                } else {
                    most
                }
            })
        };
        let mut all: Vec<_> = self
            .nodes
            .iter()
            .map(|&node| {
                let (degrees, degrees_at_secs) = greatest(self.degrees(Some(node)));
                let (units, units_at_secs) = greatest(self.units(Some(node)));
                JointDifference {
                    node,
                    degrees,
                    degrees_at_secs,
                    units,
                    units_at_secs,
                }
            })
            .collect();
        let share = |value: f32, most: f32| if most > 0.0 { value / most } else { 0.0 };
        let rank =
            |it: &JointDifference| share(it.degrees, most_degrees) + share(it.units, most_units);
        all.sort_by(|a, b| rank(b).total_cmp(&rank(a)));
        all
    }
}

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec3};

    use super::*;
    use crate::model::{ClipBuilder, Hierarchy, Interpolation, Node, Timeline, Transform};

    /// A hip and a knee one unit above it; the hip turns evenly, but for one key that is off by `degrees`.
    fn model(degrees: f32) -> Model {
        let node = |name: &str| Node {
            name: name.to_owned(),
            rest: Transform {
                translation: Vec3::Y,
                ..Transform::IDENTITY
            },
            ..Node::default()
        };
        let nodes = vec![node("Hip"), node("Knee")];
        let hierarchy = Hierarchy::new(nodes, &[None, Some(0)], &[vec![], vec![]]).unwrap();
        let mut builder = ClipBuilder::new("turn");
        let times = (0..=10).map(|frame| frame as f32 / 10.0).collect();
        let timeline = builder.timeline(Timeline::new(times).unwrap());
        let turn = |frame: u8| {
            let off = if frame == 4 { degrees } else { 0.0 };
            Quat::from_rotation_z((5.0 * f32::from(frame) + off).to_radians())
        };
        let turns = (0..=10).map(turn).collect();
        builder
            .rotation(NodeId(0), timeline, Interpolation::Linear, turns)
            .unwrap();
        Model {
            hierarchy,
            clips: vec![builder.finish()],
            ..Model::default()
        }
    }

    fn curves(first: &Model, second: &Model, stretch: f64) -> DifferenceCurves {
        let nodes = NodeMatch::new(&first.hierarchy, &second.hierarchy);
        let clips = [&first.clips[0], &second.clips[0]].map(Some);
        DifferenceCurves::new([first, second], clips, &nodes, stretch)
    }

    #[test]
    fn a_turned_key_is_found_by_joint_and_time() {
        let found = curves(&model(0.0), &model(1.0), 1.0);
        let worst = found.worst();
        let [hip, knee] = [0, 1].map(|node| {
            let mut rows = worst.iter();
            *rows.find(|it| it.node == NodeId(node)).unwrap()
        });
        assert_eq!(worst[0].node, NodeId(0), "the culprit comes first");
        assert!((hip.degrees - 1.0).abs() < 1e-3, "{hip:?}");
        assert!((hip.degrees_at_secs - 0.4).abs() < 1e-6, "{hip:?}");
        assert_eq!((hip.units, knee.degrees), (0.0, 0.0), "{hip:?} {knee:?}");
        let chord = 2.0 * 0.5_f32.to_radians().sin();
        assert!((knee.units - chord).abs() < 1e-5, "{knee:?}");
        // Half way from the key before.
        let half = found.degrees_at(NodeId(0), 0.35).unwrap();
        assert!((half - 0.5).abs() < 0.01, "{half}");
        assert_eq!(found.degrees_at(NodeId(0), 99.0), Some(0.0));
        assert_eq!(
            found.degrees(None).unwrap(),
            found.degrees(Some(NodeId(0))).unwrap()
        );
    }

    #[test]
    fn a_motion_beside_itself_is_the_same() {
        let found = curves(&model(3.0), &model(3.0), 1.0);
        assert_eq!(found.most_degrees(), 0.0);
        assert!(
            found
                .worst()
                .iter()
                .all(|it| it.degrees == 0.0 && it.units == 0.0)
        );
        assert_eq!(found.nodes.len(), 2);
    }

    #[test]
    fn what_comes_after_the_end_of_the_first_is_not_looked_at() {
        let (long, mut short) = (model(0.0), model(0.0));
        let mut builder = ClipBuilder::new("turn");
        let timeline = builder.timeline(Timeline::new(vec![0.0, 0.37]).unwrap());
        let turns = vec![Quat::IDENTITY, Quat::from_rotation_z(0.1)];
        builder
            .rotation(NodeId(0), timeline, Interpolation::Linear, turns)
            .unwrap();
        short.clips = vec![builder.finish()];
        let end_secs = f64::from(0.37_f32);
        let found = curves(&short, &long, 1.0);
        assert_eq!(found.times_secs.last(), Some(&end_secs));
        assert!(found.worst()[0].degrees_at_secs <= end_secs);
        let found = curves(&long, &short, 1.0);
        assert_eq!(found.times_secs.last(), Some(&1.0));
    }

    #[test]
    fn the_second_runs_as_much_faster_as_it_is_asked() {
        let found = curves(&model(0.0), &model(0.0), 0.5);
        // At 0.8 s the first is at 40°, the second at 20°.
        let off = found.degrees_at(NodeId(0), 0.8).unwrap();
        assert!((off - 20.0).abs() < 0.01, "{off}");
    }

    #[test]
    fn keys_of_a_second_that_runs_faster_are_looked_at() {
        // The second takes half the time, and its fourth key is off; at the keys of the first and between them it is
        // already, or still, on its way.
        let (first, mut second) = (model(0.0), model(0.0));
        let mut builder = ClipBuilder::new("turn");
        let times = vec![0.0, 0.21, 0.22, 0.23, 0.5];
        let timeline = builder.timeline(Timeline::new(times).unwrap());
        let turns = [0.0, 21.0, 62.0, 23.0, 50.0];
        let turns = turns.map(|degrees: f32| Quat::from_rotation_z(degrees.to_radians()));
        builder
            .rotation(NodeId(0), timeline, Interpolation::Linear, turns.to_vec())
            .unwrap();
        second.clips = vec![builder.finish()];
        let found = curves(&first, &second, 0.5);
        let worst = found.worst()[0];
        assert!((worst.degrees - 40.0).abs() < 0.01, "{worst:?}");
        assert!((worst.degrees_at_secs - 0.44).abs() < 1e-6, "{worst:?}");
        // One that stands still has no keys in the time of the first.
        let found = curves(&first, &second, 0.0);
        assert_eq!(found.times_secs.len(), 41);
    }
}
