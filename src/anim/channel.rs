//! The channels of a clip one by one, for those who look at a clip instead of playing it: when keys are and what they say.

use glam::Vec3;

use super::sample::{lane_at, track_value, value_at};
use crate::model::{Clip, Interpolation, KeyPart, Moved, NodeId, Timeline, Track, TrackHead};

/// A channel, by the place of its track in the clip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Channel {
    /// A track of [`Clip::translations`].
    Translation(usize),
    /// A track of [`Clip::rotations`].
    Rotation(usize),
    /// A track of [`Clip::scales`].
    Scale(usize),
    /// A track of [`Clip::weights`], and which of its weights.
    Weight(usize, usize),
    /// A track of [`Clip::properties`].
    Property(usize),
}

/// As many numbers as the widest channel has; those that a channel has not are 0.
pub type Numbers = [f32; 4];

/// What a key says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChannelKey {
    /// The value there.
    pub value: Numbers,
    /// In cubic splines: how fast the value changes when it arrives and when it leaves, a second.
    pub tangents: Option<(Numbers, Numbers)>,
}

impl Channel {
    /// All channels of a clip.
    pub fn all(clip: &Clip) -> impl Iterator<Item = Self> + '_ {
        let weights = clip.weights().iter().enumerate();
        let weights = weights.flat_map(|(index, track)| {
            (0..track.width()).map(move |target| Self::Weight(index, target))
        });
        (0..clip.translations().len())
            .map(Self::Translation)
            .chain((0..clip.rotations().len()).map(Self::Rotation))
            .chain((0..clip.scales().len()).map(Self::Scale))
            .chain(weights)
            .chain((0..clip.properties().len()).map(Self::Property))
    }

    /// The node that it moves; none if that is no node's placement, weight or visibility.
    pub fn node(self, clip: &Clip) -> Option<NodeId> {
        self.head(clip).moved.node()
    }

    /// Index of its timeline in the clip.
    pub fn timeline(self, clip: &Clip) -> usize {
        self.head(clip).timeline
    }

    /// How values between keys are found.
    pub fn interpolation(self, clip: &Clip) -> Interpolation {
        self.head(clip).interpolation
    }

    /// What it moves, on which timeline, and how.
    pub fn head(self, clip: &Clip) -> TrackHead {
        match self {
            Self::Translation(index) => clip.translations()[index].head(Moved::Translation),
            Self::Rotation(index) => clip.rotations()[index].head(Moved::Rotation),
            Self::Scale(index) => clip.scales()[index].head(Moved::Scale),
            Self::Weight(index, _) => clip.weights()[index].head(Moved::Weights),
            Self::Property(index) => clip.properties()[index].head(),
        }
    }

    /// How many numbers it has.
    pub fn width(self, clip: &Clip) -> usize {
        match self {
            Self::Translation(_) | Self::Scale(_) => 3,
            Self::Rotation(_) => 4,
            Self::Weight(..) => 1,
            Self::Property(index) => clip.properties()[index].target().width(),
        }
    }

    /// Its value at a time: exactly what [`super::sample()`] finds.
    pub fn value(self, clip: &Clip, time_secs: f64) -> Numbers {
        let timeline = &clip.timelines()[self.timeline(clip)];
        match self {
            Self::Translation(index) => vector(&clip.translations()[index], timeline, time_secs),
            Self::Rotation(index) => {
                value_at(&clip.rotations()[index], timeline, time_secs).to_array()
            }
            Self::Scale(index) => vector(&clip.scales()[index], timeline, time_secs),
            Self::Weight(index, target) => [
                lane_at(&clip.weights()[index], timeline, time_secs, target),
                0.0,
                0.0,
                0.0,
            ],
            Self::Property(index) => {
                let track = &clip.properties()[index];
                let mut numbers = Numbers::default();
                let lanes = numbers.iter_mut().enumerate().take(track.target().width());
                for (lane, number) in lanes {
                    *number = track_value(track, timeline, time_secs, lane);
                }
                numbers
            }
        }
    }

    /// What a key of its timeline says; zeros if there is no such key.
    pub fn key(self, clip: &Clip, key: usize) -> ChannelKey {
        let interpolation = self.interpolation(clip);
        let part = |part: KeyPart| {
            let place = interpolation.place(key, part);
            self.numbers(clip, place).unwrap_or_default()
        };
        let is_cubic = interpolation == Interpolation::CubicSpline;
        ChannelKey {
            value: part(KeyPart::Value),
            tangents: is_cubic.then(|| (part(KeyPart::InTangent), part(KeyPart::OutTangent))),
        }
    }

    /// What stands at a place among the parts of all keys; none if there are fewer.
    fn numbers(self, clip: &Clip, place: usize) -> Option<Numbers> {
        let vector = |track: &Track<Vec3>| {
            let vector = track.values().get(place)?;
            Some(vector.extend(0.0).to_array())
        };
        match self {
            Self::Translation(index) => vector(&clip.translations()[index]),
            Self::Rotation(index) => {
                let turn = clip.rotations()[index].values().get(place)?;
                Some(turn.to_array())
            }
            Self::Scale(index) => vector(&clip.scales()[index]),
            Self::Weight(index, target) => {
                let track = &clip.weights()[index];
                let number = track.values().get(place * track.width() + target)?;
                Some([*number, 0.0, 0.0, 0.0])
            }
            Self::Property(index) => {
                let track = &clip.properties()[index];
                let width = track.target().width();
                let stated = track.values().get(place * width..)?.get(..width)?;
                let mut numbers = Numbers::default();
                numbers[..width].copy_from_slice(stated);
                Some(numbers)
            }
        }
    }
}

fn vector(track: &Track<Vec3>, timeline: &Timeline, time_secs: f64) -> Numbers {
    value_at(track, timeline, time_secs).extend(0.0).to_array()
}

#[cfg(test)]
mod tests {
    use glam::Quat;

    use super::*;
    use crate::{
        anim::{Cursors, Pose, sample},
        model::{ClipBuilder, Hierarchy, MaterialProperty, Node, PropertyTarget},
    };

    /// A clip with a channel of each kind, of each interpolation in turn.
    fn clip(interpolation: Interpolation) -> Clip {
        let number = |place: usize| ((place * 37 + 11) % 17) as f32 / 8.0 - 1.0;
        let vector = |place: usize| Vec3::new(number(place), number(place + 5), number(place + 9));
        let mut builder = ClipBuilder::new("");
        let timeline = builder.timeline(Timeline::new(vec![0.25, 1.0, 2.0]).unwrap());
        let count = 3 * interpolation.parts_per_key();
        let node = NodeId(0);
        builder
            .translation(
                node,
                timeline,
                interpolation,
                (0..count).map(vector).collect::<Vec<_>>(),
            )
            .unwrap();
        let turn = |place: usize| Quat::from_scaled_axis(vector(place));
        builder
            .rotation(
                node,
                timeline,
                interpolation,
                (0..count).map(turn).collect::<Vec<_>>(),
            )
            .unwrap();
        let scale = |place: usize| vector(place + 3);
        builder
            .scale(
                node,
                timeline,
                interpolation,
                (0..count).map(scale).collect::<Vec<_>>(),
            )
            .unwrap();
        builder
            .weights(
                node,
                timeline,
                interpolation,
                2,
                (0..2 * count).map(number).collect::<Vec<_>>(),
            )
            .unwrap();
        let color = PropertyTarget::Material(0, MaterialProperty::BaseColor);
        builder
            .property(
                color,
                timeline,
                interpolation,
                (0..4 * count).map(number).collect::<Vec<_>>(),
            )
            .unwrap();
        builder.finish()
    }

    #[test]
    fn values_are_those_that_are_played() {
        let tree = Hierarchy::new(vec![Node::default()], &[None], &[vec![0.0; 2]]).unwrap();
        for interpolation in [
            Interpolation::Step,
            Interpolation::Linear,
            Interpolation::CubicSpline,
        ] {
            let clip = clip(interpolation);
            let mut pose = Pose::new(&tree);
            for step in 0..50 {
                let time_secs = 0.05 * f64::from(step);
                sample(&clip, time_secs, &mut Cursors::default(), &mut pose);
                let local = pose.locals[0];
                let check = |channel: Channel, expected: Numbers| {
                    assert_eq!(
                        channel.value(&clip, time_secs),
                        expected,
                        "{channel:?} {time_secs}"
                    );
                };
                check(
                    Channel::Translation(0),
                    local.translation.extend(0.0).to_array(),
                );
                check(Channel::Rotation(0), local.rotation.to_array());
                check(Channel::Scale(0), local.scale.extend(0.0).to_array());
                check(Channel::Weight(0, 0), [pose.weights[0], 0.0, 0.0, 0.0]);
                check(Channel::Weight(0, 1), [pose.weights[1], 0.0, 0.0, 0.0]);
            }
        }
    }

    #[test]
    fn keys_say_what_is_played_at_their_times() {
        for interpolation in [
            Interpolation::Step,
            Interpolation::Linear,
            Interpolation::CubicSpline,
        ] {
            let clip = clip(interpolation);
            let channels: Vec<_> = Channel::all(&clip).collect();
            assert_eq!(channels.len(), 6);
            for channel in channels {
                for (key, time) in clip.timelines()[0].times_secs().iter().enumerate() {
                    let found = channel.key(&clip, key);
                    let played = channel.value(&clip, f64::from(*time));
                    let pairs = found.value.iter().zip(played);
                    let error = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
                    assert!(error < 1e-6, "{channel:?} key {key}: {found:?} {played:?}");
                    let is_cubic = interpolation == Interpolation::CubicSpline;
                    assert_eq!(found.tangents.is_some(), is_cubic);
                }
                assert_eq!(channel.key(&clip, 3).value, Numbers::default());
            }
        }
        let clip = clip(Interpolation::CubicSpline);
        let values = clip.translations()[0].values();
        let tangents = Channel::Translation(0).key(&clip, 1).tangents.unwrap();
        assert_eq!(tangents.0[..3], values[3].to_array());
        assert_eq!(tangents.1[..3], values[5].to_array());
    }
}
