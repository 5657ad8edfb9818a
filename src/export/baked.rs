//! A motion taken down moment by moment, as a clip: of what is played that is no set of tracks.

use std::collections::HashSet;

use anyhow::{Context as _, ensure};

use super::{
    columns::{Column, NodeColumns, is_same_number, is_same_place, is_same_turn},
    keyed::moved_properties,
    unread::left_out,
};
use crate::{
    anim::{Pose, Properties},
    model::{
        Clip, ClipBuilder, Interpolation, Model, Moved, NodeId, PropertyTarget, PropertyValues,
        Timeline, TrackError,
    },
};

/// Moments at most: almost an hour of 30 a second.
pub const MAX_MOMENTS: usize = 100_000;
/// Bytes of all that changes at most.
const MAX_BYTES: usize = 256 << 20;
/// Moments nearer to the end than this are at the end, which single precision rounds.
const END_SECS: f64 = 1e-4;

/// A motion that is taken down: all that clips move, and of all else what is not as the file has it, which costs nothing
/// otherwise.
#[derive(Debug)]
pub struct Recording<'m> {
    model: &'m Model,
    times_secs: Vec<f32>,
    /// How many moments were taken down.
    taken: usize,
    /// Bytes that may still be taken.
    room: usize,
    nodes: Vec<NodeColumns>,
    properties: Vec<PropertyColumn>,
    /// How many properties the clips move of which nothing is seen, so that they have no numbers.
    unseen: usize,
}

/// A motion that was taken down.
#[derive(Debug)]
pub struct Recorded {
    /// As a clip.
    pub clip: Clip,
    /// What it does not have of what the clips have, in words.
    pub left_out: Vec<String>,
}

impl Recorded {
    /// A clip that has all of what plays.
    pub fn of(clip: Clip) -> Self {
        Self {
            clip,
            left_out: Vec::new(),
        }
    }
}

/// What the clips move of materials, lights and cameras, at each moment.
#[derive(Debug)]
struct PropertyColumn {
    target: PropertyTarget,
    numbers: Column<f32>,
}

/// How many moments a [`Recording`] of `duration_secs` has at `rate` moments a second, without a limit.
pub fn moments_taken(duration_secs: f64, rate: f64) -> f64 {
    ((duration_secs - END_SECS) * rate).ceil().max(0.0) + 1.0
}

impl<'m> Recording<'m> {
    /// Begins to record a motion of a model, in which clips have moved `moved`: from 0 to `duration_secs`, `rate` times a
    /// second, both ends included. Fails if these are too many moments.
    pub fn new(
        model: &'m Model,
        moved: HashSet<Moved>,
        duration_secs: f64,
        rate: f64,
    ) -> anyhow::Result<Self> {
        let steps = moments_taken(duration_secs, rate) - 1.0;
        ensure!(
            steps < MAX_MOMENTS as f64,
            "{duration_secs:.1} s at {rate} a second are more than {MAX_MOMENTS} moments: take fewer a second"
        );
        let between = (0..steps as usize).map(|step| (step as f64 / rate) as f32);
        let mut times_secs: Vec<f32> = between.chain([duration_secs as f32]).collect();
        times_secs.dedup();
        let mut at_rest = PropertyValues {
            materials: model.materials.clone(),
            lights: model.lights.clone(),
            cameras: model.cameras.clone(),
        };
        let mut properties = moved_properties(model);
        // Weights and visibility are the pose's.
        properties
            .retain(|target| moved.contains(&Moved::Property(*target)) && target.node().is_none());
        let all = properties.len();
        properties.retain(|target| at_rest.numbers_mut(*target).is_some());
        let unseen = all - properties.len();
        let properties = properties.into_iter().map(|target| PropertyColumn {
            target,
            numbers: Column::default(),
        });
        let mut nodes = vec![NodeColumns::default(); model.hierarchy.len()];
        for part in moved {
            if let Some(node) = part.node()
                && let Some(columns) = nodes.get_mut(node.index())
            {
                columns.key(part, model.hierarchy.node(node).weights.len());
            }
        }
        Ok(Self {
            model,
            times_secs,
            taken: 0,
            room: MAX_BYTES,
            nodes,
            properties: properties.collect(),
            unseen,
        })
    }

    /// How many moments there are in all.
    pub fn moment_count(&self) -> u32 {
        self.times_secs.len() as u32
    }

    /// The next moment that is to be taken down; none after the end.
    pub fn next_secs(&self) -> Option<f64> {
        self.times_secs.get(self.taken).copied().map(f64::from)
    }

    /// Takes a moment down. Fails if there is too much that changes.
    pub fn take(&mut self, pose: &Pose, properties: &Properties) -> anyhow::Result<()> {
        let fits = self.take_nodes(pose);
        let fits = fits.and_then(|()| self.take_properties(properties.values()));
        self.taken += 1;
        fits.with_context(|| {
            let (name, most) = (&self.model.name, MAX_BYTES >> 20);
            format!("the motion of {name} takes more than {most} MiB: take fewer moments a second")
        })
    }

    fn take_nodes(&mut self, pose: &Pose) -> Option<()> {
        let hierarchy = &self.model.hierarchy;
        let mut nodes = hierarchy.iter().zip(&mut self.nodes);
        nodes.try_for_each(|((id, _), columns)| {
            let (taken, room) = (self.taken, &mut self.room);
            columns.push(taken, (hierarchy, id), pose, room)
        })
    }

    fn take_properties(&mut self, values: &PropertyValues) -> Option<()> {
        if self.properties.is_empty() {
            return Some(());
        }
        let mut values = values.clone();
        self.properties.iter_mut().try_for_each(|column| {
            let now = values.numbers_mut(column.target).unwrap_or_default();
            let (taken, room) = (self.taken, &mut self.room);
            column.numbers.push(taken, &[], now, false, room)
        })
    }

    /// The clip, of this name: straight from moment to moment, but for what is hidden and shown. What stays the same has keys
    /// at both ends; what no clip moves and is as the file has it all the time has no track.
    ///
    /// # Errors
    /// Not all moments were taken down.
    pub fn finish(self, name: &str) -> Result<Recorded, TrackError> {
        let (times, linear) = (self.times_secs, Interpolation::Linear);
        let mut ends = vec![times[0], times[times.len() - 1]];
        ends.truncate(times.len());
        let mut builder = ClipBuilder::new(name);
        let timelines = [
            builder.timeline(Timeline::new(times)?),
            builder.timeline(Timeline::new(ends)?),
        ];
        for (node, columns) in (0..).map(NodeId).zip(self.nodes) {
            if let Some((timeline, values)) =
                columns.translations.finish(1, timelines, is_same_place)
            {
                builder.translation(node, timeline, linear, values)?;
            }
            if let Some((timeline, values)) = columns.rotations.finish(1, timelines, is_same_turn) {
                builder.rotation(node, timeline, linear, values)?;
            }
            if let Some((timeline, values)) = columns.scales.finish(1, timelines, is_same_place) {
                builder.scale(node, timeline, linear, values)?;
            }
            let width = self.model.hierarchy.node(node).weights.len();
            if let Some((timeline, values)) =
                columns
                    .weights
                    .finish(width.max(1), timelines, is_same_number)
            {
                builder.weights(node, timeline, linear, width, values)?;
            }
            if let Some((timeline, values)) = columns.sights.finish(1, timelines, is_same_number) {
                let target = PropertyTarget::Visibility(node);
                builder.property(target, timeline, Interpolation::Step, values)?;
            }
        }
        let mut endless = 0;
        for PropertyColumn {
            target, numbers, ..
        } in self.properties
        {
            // A distance that is not stated is infinite, which no key can say.
            if !numbers.values().iter().all(|number| number.is_finite()) {
                endless += 1;
                continue;
            }
            if let Some((timeline, values)) =
                numbers.finish(target.width(), timelines, is_same_number)
            {
                builder.property(target, timeline, linear, values)?;
            }
        }
        let reasons = [
            (self.unseen, "nothing of that is seen"),
            (endless, "there it is infinite, which no key can say"),
        ];
        let reasons = reasons.into_iter().filter(|(count, _)| *count > 0);
        let moved = ["moved property", "moved properties"];
        Ok(Recorded {
            clip: builder.finish(),
            left_out: reasons
                .map(|(count, reason)| left_out(count, moved, reason))
                .collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use glam::{Quat, Vec3};

    use super::*;
    use crate::model::{Hierarchy, Node, Track, Transform, processor_time::timed};

    const NODE: NodeId = NodeId(0);

    /// A node with one weight.
    fn model() -> Model {
        let hierarchy = Hierarchy::new(vec![Node::default()], &[None], &[vec![0.5]]).unwrap();
        Model {
            hierarchy,
            ..Model::default()
        }
    }

    /// The clip of a motion of so many seconds, at 10 a second, in which clips move this.
    fn record(moved: &[Moved], duration_secs: f64, pose_at: impl Fn(f64, &mut Pose)) -> Clip {
        record_of(&model(), moved, duration_secs, pose_at)
    }

    fn record_of(
        model: &Model,
        moved: &[Moved],
        duration_secs: f64,
        pose_at: impl Fn(f64, &mut Pose),
    ) -> Clip {
        let (mut pose, properties) = (Pose::new(&model.hierarchy), Properties::new(model));
        let moved = moved.iter().copied().collect();
        let mut recording = Recording::new(model, moved, duration_secs, 10.0).unwrap();
        while let Some(time_secs) = recording.next_secs() {
            pose.reset(&model.hierarchy);
            pose_at(time_secs, &mut pose);
            recording.take(&pose, &properties).unwrap();
        }
        recording.finish("").unwrap().clip
    }

    #[test]
    fn both_ends_are_taken_down_and_what_never_differs_is_not() {
        let clip = record(&[], 0.25, |time_secs, pose| {
            let place = Transform {
                translation: Vec3::X * (time_secs - 0.15).max(0.0) as f32,
                scale: Vec3::splat(2.0),
                rotation: -Quat::IDENTITY,
            };
            pose.place(NODE, place);
        });
        assert_eq!(clip.timelines()[0].times_secs(), [0.0, 0.1, 0.2, 0.25]);
        assert_eq!(clip.track_count(), 2, "the other sign is the same rotation");
        let places = clip.translations()[0].values().iter().map(|it| it.x);
        let places: Vec<f32> = places.collect();
        assert_eq!(places[..2], [0.0; 2], "before it moves it is at rest");
        assert!((places[3] - 0.1).abs() < 1e-6, "{places:?}");
        // What stays the same has keys at the ends.
        let scale = &clip.scales()[0];
        assert_eq!(scale.values(), [Vec3::splat(2.0); 2]);
        let times = clip.timelines()[scale.timeline()].times_secs();
        assert_eq!(times, [0.0, 0.25]);
        let moment = record(&[], 0.0, |_, pose| pose.weights[0] = 1.0);
        assert_eq!(moment.weights()[0].values(), [1.0]);
        assert_eq!(moment.key_count(), 1);
    }

    #[test]
    fn what_is_hidden_has_steps() {
        let clip = record(&[], 0.2, |time_secs, pose| {
            pose.hidden[0] = time_secs > 0.15;
        });
        let track = &clip.properties()[0];
        assert_eq!(track.target(), PropertyTarget::Visibility(NodeId(0)));
        assert_eq!(track.interpolation(), Interpolation::Step);
        assert_eq!(track.values(), [1.0, 1.0, 0.0]);
    }

    #[test]
    fn what_a_clip_keys_at_rest_has_keys_at_both_ends() {
        let moved = [Moved::Rotation(NODE), Moved::Weights(NODE)];
        let clip = record(&moved, 0.5, |_, _| {});
        assert_eq!(clip.track_count(), 2);
        assert_eq!(clip.rotations()[0].values(), [Quat::IDENTITY; 2]);
        assert_eq!(clip.weights()[0].values(), [0.5; 2]);
    }

    /// Which of them clips key is known before.
    #[test]
    fn a_moment_of_many_targets_that_no_clip_keys_costs_their_comparison() {
        const TARGETS: usize = 10_000;
        let node = |index: usize| Node {
            name: index.to_string(),
            ..Node::default()
        };
        let weights = [vec![0.5; TARGETS], vec![0.5; 2]];
        let hierarchy = Hierarchy::new(vec![node(0), node(1)], &[None; 2], &weights);
        let model = Model {
            hierarchy: hierarchy.unwrap(),
            ..Model::default()
        };
        let single =
            |node, weight| Moved::Property(PropertyTarget::NodeWeight(NodeId(node), weight));
        // The first has no such target.
        let moved = [single(0, TARGETS), single(1, 1)];
        let record = |moved: &[Moved]| timed(|| record_of(&model, moved, 100.0, |_, _| {}));
        let (still, of_none) = record(&[]);
        let (clip, took) = record(&moved);
        let most = 4 * of_none + Duration::from_millis(20);
        assert!(
            took < most,
            "{took:?}, and {of_none:?} where clips move nothing"
        );
        assert_eq!(still.track_count(), 0);
        let keyed: Vec<_> = clip.weights().iter().map(Track::node).collect();
        assert_eq!(keyed, [NodeId(1)]);
    }

    #[test]
    fn what_blending_makes_of_rest_moves_nothing() {
        let mut model = model();
        let blend = |_, pose: &mut Pose| {
            pose.locals[0].translation.x = f32::EPSILON;
            pose.locals[0].scale = Vec3::splat(1.0 + f32::EPSILON);
            pose.weights[0] += f32::EPSILON;
        };
        assert_eq!(record_of(&model, &[], 0.5, blend).track_count(), 0);
        let by_hand = |_, pose: &mut Pose| {
            let place = Transform {
                translation: Vec3::X,
                rotation: Quat::IDENTITY,
                scale: Vec3::splat(1.0 + f32::EPSILON),
            };
            pose.place(NODE, place);
        };
        assert_eq!(record_of(&model, &[], 0.5, by_hand).track_count(), 1);
        // Its matrix counts, until the hand frees it.
        let node = Node {
            fixed_matrix: Some(glam::Affine3A::IDENTITY),
            ..Node::default()
        };
        model.hierarchy = Hierarchy::new(vec![node], &[None], &[vec![0.5]]).unwrap();
        let moved = [Moved::Scale(NODE)];
        assert_eq!(record_of(&model, &moved, 0.5, blend).track_count(), 0);
        assert_eq!(record_of(&model, &[], 0.5, by_hand).track_count(), 1);
    }

    #[test]
    fn rotations_keep_their_sign_from_key_to_key() {
        let clip = record(&[Moved::Rotation(NODE)], 1.0, |time_secs, pose| {
            let turn = Quat::from_rotation_y(6.0 * time_secs as f32);
            // As it comes out of a matrix.
            pose.locals[0].rotation = if turn.w < 0.0 { -turn } else { turn };
        });
        let mut pairs = clip.rotations()[0].values().windows(2);
        assert!(pairs.all(|pair| pair[0].dot(pair[1]) > 0.9));
    }

    #[test]
    fn more_than_there_is_room_for_is_refused() {
        let model = model();
        let begin = |secs, rate| Recording::new(&model, HashSet::new(), secs, rate);
        assert!(begin(99.0, 1000.0).is_ok());
        let refused = begin(101.0, 1000.0).unwrap_err();
        assert!(refused.to_string().contains("take fewer"), "{refused}");
        // What was at rest before needs room for that, too.
        for (mut room, fits) in [(16, true), (15, false)] {
            let mut column = Column::default();
            let pushed = column.push(3, &[0.0_f32], &[1.0], false, &mut room);
            assert_eq!(pushed.is_some(), fits);
            assert_eq!(column.values().len(), if fits { 4 } else { 0 });
        }
        let mut recording = begin(1.0, 10.0).unwrap();
        let mut pose = Pose::new(&model.hierarchy);
        recording.room = 11;
        let place = Transform {
            translation: Vec3::ONE,
            ..Transform::IDENTITY
        };
        pose.place(NODE, place);
        let refused = recording.take(&pose, &Properties::new(&model)).unwrap_err();
        assert!(refused.to_string().contains("256 MiB"), "{refused}");
    }
}
