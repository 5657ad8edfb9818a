//! How far the joints of two motions lie apart, moment by moment.

use super::{
    NodeMatch, degrees_apart,
    moments::{Moments, thinned},
    pair::{Motions, PosePair, origins_apart},
};
use crate::model::{Clip, Model, NodeId};

/// Values that are kept at most, of each kind.
const MAX_VALUES: usize = 1 << 20;
/// Points of a curve, at least and at most: on a screen there is room for no more.
const MIN_POINTS: usize = 16;
const MAX_POINTS: usize = 600;
/// Placements of nodes that are computed: less than a second's work.
const MAX_PLACEMENTS: usize = 1 << 23;

/// For each joint that two models share: how far it is turned and away, over the time of the first clip. Of more moments than
/// a curve has points each point has the greatest of those around it, so that one key of thousands is seen.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DifferenceCurves {
    /// The points, in order.
    pub times_secs: Vec<f64>,
    /// The joints, as the first model has them, in the order of its hierarchy.
    pub nodes: Vec<NodeId>,
    /// The differences of rotations relative to the parent, joint after joint.
    degrees: Vec<f32>,
    /// The distances of places in the world, joint after joint.
    units: Vec<f32>,
    /// The greatest difference of all joints at each point.
    greatest_degrees: Vec<f32>,
    greatest_units: Vec<f32>,
    /// The greatest differences of each joint.
    greatest: Vec<JointDifference>,
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
        let (is_joint, has_none) = (models[0].joint_nodes(), models[0].skins.is_empty());
        let pairs = nodes.pairs.iter();
        let pairs = pairs.filter(|(first, _)| has_none || is_joint[first.index()]);
        let pairs: Vec<_> = pairs.copied().take(MAX_VALUES / MIN_POINTS).collect();
        let most_points = (MAX_VALUES / pairs.len().max(1)).clamp(MIN_POINTS, MAX_POINTS);
        let placed: usize = models.iter().map(|model| model.hierarchy.len()).sum();
        let most_moments = (MAX_PLACEMENTS / placed.max(1)).max(most_points);
        let moments = Moments::of_first(clips, stretch, most_moments).times_secs;
        let count = moments.len().min(most_points);
        let nodes: Vec<_> = pairs.iter().map(|(first, _)| *first).collect();
        let mut this = Self {
            times_secs: thinned(moments.iter().copied(), moments.len(), count),
            degrees: vec![0.0; pairs.len() * count],
            units: vec![0.0; pairs.len() * count],
            greatest_degrees: vec![0.0; count],
            greatest_units: vec![0.0; count],
            greatest: nodes.iter().copied().map(JointDifference::none).collect(),
            nodes,
        };
        let motions = Motions { clips, stretch };
        let mut both = PosePair::new(models);
        let mut playing = both.play(motions);
        for (moment, &time_secs) in moments.iter().enumerate() {
            let point = moment * count / moments.len();
            let poses = playing.at(time_secs);
            let [first, second] = poses;
            for (place, &(a, b)) in pairs.iter().enumerate() {
                let degrees = degrees_apart(&first.locals[a.index()], &second.locals[b.index()]);
                let units = origins_apart(poses, (a, b)) as f32;
                note(&mut this.degrees[place * count + point], degrees);
                note(&mut this.units[place * count + point], units);
                let greatest = &mut this.greatest_degrees[point];
                *greatest = greatest.max(degrees);
                let greatest = &mut this.greatest_units[point];
                *greatest = greatest.max(units);
                this.greatest[place].note(degrees, units, time_secs);
            }
        }
        this
    }

    fn of(&self, values: usize, node: NodeId) -> Option<std::ops::Range<usize>> {
        let place = self.nodes.binary_search(&node).ok()?;
        let count = self.times_secs.len();
        let range = place * count..(place + 1) * count;
        (range.end <= values).then_some(range)
    }

    /// How far a joint is turned, or without one the joint that is turned most then: a value for each point.
    pub fn degrees(&self, node: Option<NodeId>) -> Option<&[f32]> {
        match node {
            None => Some(&self.greatest_degrees),
            Some(node) => self.degrees.get(self.of(self.degrees.len(), node)?),
        }
    }

    /// How far a joint is away, or without one the joint that is farthest then: a value for each point.
    pub fn units(&self, node: Option<NodeId>) -> Option<&[f32]> {
        match node {
            None => Some(&self.greatest_units),
            Some(node) => self.units.get(self.of(self.units.len(), node)?),
        }
    }

    /// The greatest turn of all.
    pub fn most_degrees(&self) -> f32 {
        self.greatest_degrees.iter().copied().fold(0.0, f32::max)
    }

    /// The greatest differences of each joint, the worst first: by its share of the greatest turn and distance of all.
    pub fn worst(&self) -> Vec<JointDifference> {
        let most_units = self.greatest_units.iter().copied().fold(0.0, f32::max);
        let most_degrees = self.most_degrees();
        let mut all = self.greatest.clone();
        let share = |value: f32, most: f32| if most > 0.0 { value / most } else { 0.0 };
        let rank =
            |it: &JointDifference| share(it.degrees, most_degrees) + share(it.units, most_units);
        all.sort_by(|a, b| rank(b).total_cmp(&rank(a)));
        all
    }
}

impl JointDifference {
    fn none(node: NodeId) -> Self {
        Self {
            node,
            degrees: 0.0,
            degrees_at_secs: 0.0,
            units: 0.0,
            units_at_secs: 0.0,
        }
    }

    fn note(&mut self, degrees: f32, units: f32, time_secs: f64) {
        if note(&mut self.degrees, degrees) {
            self.degrees_at_secs = time_secs;
        }
        if note(&mut self.units, units) {
            self.units_at_secs = time_secs;
        }
    }
}

/// Keeps the greater, and says whether that is the new one. What is no number must not hide behind comparisons.
fn note(most: &mut f32, value: f32) -> bool {
    let is_greater = value > *most || value.is_nan() && !most.is_nan();
    if is_greater {
        *most = value;
    }
    is_greater
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
        let turns = (0..=10).map(turn).collect::<Vec<_>>();
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

    /// How far the hip is turned at the point that is nearest to a time.
    fn hip_degrees(found: &DifferenceCurves, time_secs: f64) -> f32 {
        let points = found.times_secs.iter().enumerate();
        let away = |(_, time): &(usize, &f64)| (*time - time_secs).abs();
        let nearest = points.min_by(|a, b| away(a).total_cmp(&away(b)));
        found.degrees(Some(NodeId(0))).unwrap()[nearest.unwrap().0]
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
        let half = hip_degrees(&found, 0.35);
        assert!((half - 0.5).abs() < 0.01, "{half}");
        assert_eq!(hip_degrees(&found, 1.0), 0.0);
        assert_eq!(
            found.degrees(None).unwrap(),
            found.degrees(Some(NodeId(0))).unwrap()
        );
    }

    /// A curve has fewer points than the clip has keys.
    #[test]
    fn one_key_of_thousands_is_found() {
        let [first, second] = [0.0, 30.0].map(|off| {
            let mut model = model(0.0);
            let mut builder = ClipBuilder::new("turn");
            let times = (0..=3000_u16).map(|frame| f32::from(frame) / 30.0);
            let timeline = builder.timeline(Timeline::new(times.collect()).unwrap());
            let turn = |frame: u16| if frame == 1501 { off } else { 0.0_f32 };
            let turns = (0..=3000).map(|frame| Quat::from_rotation_z(turn(frame).to_radians()));
            builder
                .rotation(
                    NodeId(0),
                    timeline,
                    Interpolation::Linear,
                    turns.collect::<Vec<_>>(),
                )
                .unwrap();
            model.clips = vec![builder.finish()];
            model
        });
        let found = curves(&first, &second, 1.0);
        let worst = found.worst()[0];
        let at_secs = 1501.0 / 30.0;
        assert!((worst.degrees - 30.0).abs() < 1e-3, "{worst:?}");
        assert!((worst.degrees_at_secs - at_secs).abs() < 1e-5, "{worst:?}");
        assert_eq!(found.times_secs.len(), MAX_POINTS);
        assert!(found.times_secs.is_sorted());
        assert_eq!(found.times_secs[0], 0.0);
        assert_eq!(found.times_secs.last(), Some(&100.0));
        let degrees = found.degrees(None).unwrap();
        let peaks: Vec<_> = (0..MAX_POINTS).filter(|&at| degrees[at] > 29.0).collect();
        let [peak] = peaks[..] else {
            panic!("{peaks:?}")
        };
        assert!((found.times_secs[peak] - at_secs).abs() < 0.2);
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
        let off = hip_degrees(&found, 0.8);
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
