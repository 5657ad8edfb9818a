//! Clips whose tracks a file cannot hold as they are: those that begin before 0, and splines of one key (glTF 2.0 §3.11).

mod spline;

use std::{
    borrow::Cow,
    collections::{HashMap, hash_map::Entry},
    ops::{Add, Mul},
    sync::Arc,
};

use glam::{Quat, Vec3};

use super::tracks::unit;
use crate::{
    anim::Channel,
    model::{Clip, ClipBuilder, Interpolation, KeyPart, Moved, Timeline, TrackError, TrackHead},
};
use spline::{slope_within, turns_from_zero};

/// The clip, with other tracks where a file cannot hold its own. One that begins before 0 has a key at 0 that says what the clip
/// has there, and of its keys those after it; a spline arrives at the next one as before. A spline of one key holds the value of
/// that.
///
/// Keys of rotations are unit quaternions in a file (glTF 2.0 §3.11), and what a spline has between its keys is not: to have such
/// a key at 0, the part up to the next key is made of as many splines as it takes to be within 10⁻⁶, 64 at most. Later keys are as
/// the file has them, and where the next one is no unit quaternion that at 0 is as long.
pub(super) fn from_zero(clip: &Clip) -> Result<Cow<'_, Clip>, TrackError> {
    let times_of = |head: TrackHead| clip.timelines()[head.timeline].times_secs();
    if clip.heads().all(|head| is_writable(head, times_of(head))) {
        return Ok(Cow::Borrowed(clip));
    }
    let mut builder = ClipBuilder::new(clip.name());
    // Each as it is, and from 0 on.
    for timeline in clip.timelines() {
        builder.timeline(timeline.clone());
        let later = timeline.times_secs().iter().filter(|time| **time > 0.0);
        let times = std::iter::once(0.0).chain(later.copied()).collect();
        builder.timeline(Timeline::new(times)?);
    }
    let (mut vectors, mut numbers) = (Made::default(), Made::default());
    let vector = |channel: Channel, head: TrackHead, values: &[Vec3], made: &mut Made<Vec3>| {
        let [x, y, z, _] = channel.value(clip, 0.0);
        let at_zero = [Vec3::new(x, y, z)];
        let make = || Ok(keys(clip, head, values, &at_zero));
        made.keys(head, values, &[x, y, z], make)
    };
    for (index, track) in clip.translations().iter().enumerate() {
        let (channel, head) = (Channel::Translation(index), track.head(Moved::Translation));
        let (timeline, way, values) = vector(channel, head, track.values(), &mut vectors)?;
        builder.translation(track.node(), timeline, way, values)?;
    }
    add_rotations(clip, &mut builder)?;
    for (index, track) in clip.scales().iter().enumerate() {
        let (channel, head) = (Channel::Scale(index), track.head(Moved::Scale));
        let (timeline, way, values) = vector(channel, head, track.values(), &mut vectors)?;
        builder.scale(track.node(), timeline, way, values)?;
    }
    for (index, track) in clip.weights().iter().enumerate() {
        let (head, width) = (track.head(Moved::Weights), track.width());
        let weights = (0..width).map(|it| Channel::Weight(index, it).value(clip, 0.0)[0]);
        let at_zero: Vec<f32> = weights.collect();
        let make = || Ok(keys(clip, head, track.values(), &at_zero));
        let made = numbers.keys(head, track.values(), &at_zero, make)?;
        let (timeline, way, values) = made;
        builder.weights(track.node(), timeline, way, width, values)?;
    }
    for (index, track) in clip.properties().iter().enumerate() {
        let at_zero = Channel::Property(index).value(clip, 0.0);
        // Splines overshoot, and keys may not.
        let at_zero = at_zero.map(|number| track.target().legal(number));
        let at_zero = &at_zero[..track.target().width()];
        let make = || Ok(keys(clip, track.head(), track.values(), at_zero));
        let made = numbers.keys(track.head(), track.values(), at_zero, make)?;
        let (timeline, way, values) = made;
        builder.property(track.target(), timeline, way, values)?;
    }
    Ok(Cow::Owned(builder.finish()))
}

/// Adds the rotations of a clip to one that begins at 0.
fn add_rotations(clip: &Clip, builder: &mut ClipBuilder) -> Result<(), TrackError> {
    let mut rotations = Made::default();
    // By those that they were, and by the number of splines that their first span was made into.
    let mut timelines = HashMap::new();
    for (index, track) in clip.rotations().iter().enumerate() {
        let head = track.head(Moved::Rotation);
        let times = clip.timelines()[head.timeline].times_secs();
        let at_zero = Channel::Rotation(index).value(clip, 0.0);
        let make = || {
            let is_spline = head.interpolation == Interpolation::CubicSpline;
            let turns = is_spline.then(|| turns_from_zero(times, track.values()));
            if let Some(turns) = turns.flatten() {
                let timeline = match timelines.entry((head.timeline, turns.pieces)) {
                    Entry::Occupied(known) => *known.get(),
                    Entry::Vacant(entry) => {
                        *entry.insert(builder.timeline(Timeline::new(turns.times_secs)?))
                    }
                };
                return Ok((timeline, Interpolation::CubicSpline, turns.values));
            }
            let first = [Quat::from_array(at_zero)];
            let (timeline, way, mut values) = keys(clip, head, track.values(), &first);
            if way != head.interpolation {
                // Those of splines may have any length.
                for value in &mut values {
                    *value = unit(*value);
                }
            }
            Ok((timeline, way, values))
        };
        let (timeline, way, values) = rotations.keys(head, track.values(), &at_zero, make)?;
        builder.rotation(track.node(), timeline, way, values)?;
    }
    Ok(())
}

/// What tracks become, which share it if they shared what it is made of.
struct Made<T> {
    known: HashMap<Origin, Keys<Arc<[T]>>>,
}

/// The place of a timeline, the way between keys, and their values.
type Keys<V> = (usize, Interpolation, V);

/// What tracks that become the same have in common.
#[derive(PartialEq, Eq, Hash)]
struct Origin {
    timeline: usize,
    interpolation: Interpolation,
    /// The place of their values in memory, and how many these are.
    values: (usize, usize),
    /// The bits of what they have at 0.
    at_zero: Vec<u32>,
}

impl<T> Default for Made<T> {
    fn default() -> Self {
        Self {
            known: HashMap::new(),
        }
    }
}

impl<T> Made<T> {
    /// What a track with these values becomes, which `make` makes of the first of its kind.
    fn keys(
        &mut self,
        head: TrackHead,
        values: &[T],
        at_zero: &[f32],
        make: impl FnOnce() -> Result<Keys<Vec<T>>, TrackError>,
    ) -> Result<Keys<Arc<[T]>>, TrackError> {
        let origin = Origin {
            timeline: head.timeline,
            interpolation: head.interpolation,
            values: (values.as_ptr().addr(), values.len()),
            at_zero: at_zero.iter().map(|number| number.to_bits()).collect(),
        };
        let (timeline, way, values) = match self.known.entry(origin) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(entry) => {
                let (timeline, way, values) = make()?;
                entry.insert((timeline, way, values.into()))
            }
        };
        Ok((*timeline, *way, Arc::clone(values)))
    }
}

/// Whether a file can hold a track as it is.
fn is_writable(head: TrackHead, times_secs: &[f32]) -> bool {
    let is_spline = head.interpolation == Interpolation::CubicSpline;
    times_secs[0] >= 0.0 && !(is_spline && times_secs.len() == 1)
}

/// The new place of a track's timeline, the way between its keys, and their values; `at_zero` is what it has at 0.
fn keys<T: Copy + Add<Output = T> + Mul<f32, Output = T>>(
    clip: &Clip,
    head: TrackHead,
    values: &[T],
    at_zero: &[T],
) -> (usize, Interpolation, Vec<T>) {
    let times = clip.timelines()[head.timeline].times_secs();
    let as_it_is = 2 * head.timeline;
    if is_writable(head, times) {
        return (as_it_is, head.interpolation, values.to_vec());
    }
    let width = at_zero.len();
    let part = |key: usize, part: KeyPart| {
        let place = width * head.interpolation.place(key, part);
        &values[place..place + width]
    };
    let value = |key: usize| part(key, KeyPart::Value);
    if times[0] >= 0.0 {
        return (as_it_is, Interpolation::Step, value(0).to_vec());
    }
    let first = times.partition_point(|time| *time <= 0.0);
    if head.interpolation == Interpolation::CubicSpline && first < times.len() {
        let before = first - 1;
        let span = [
            value(before),
            part(before, KeyPart::OutTangent),
            value(first),
            part(first, KeyPart::InTangent),
        ];
        let slopes = (0..width).map(|lane| {
            let span = span.map(|part| part[lane]);
            slope_within(span, [times[before], times[first]])
        });
        let slopes: Vec<T> = slopes.collect();
        let later = &values[3 * width * first..];
        let values = [&*slopes, at_zero, &*slopes, later].concat();
        return (as_it_is + 1, Interpolation::CubicSpline, values);
    }
    let way = match head.interpolation {
        Interpolation::Step => Interpolation::Step,
        Interpolation::Linear | Interpolation::CubicSpline => Interpolation::Linear,
    };
    let later = (first..times.len()).flat_map(value);
    let values = at_zero.iter().chain(later).copied().collect();
    (as_it_is + 1, way, values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{
        MaterialProperty, NodeId, PropertyTarget, TextureSlot, Track, TransformProperty,
    };

    const WAYS: [Interpolation; 3] = [
        Interpolation::Step,
        Interpolation::Linear,
        Interpolation::CubicSpline,
    ];

    /// A clip with a track of each kind.
    fn clip(times: &[f32], way: Interpolation) -> Clip {
        let mut builder = ClipBuilder::new("early");
        let timeline = builder.timeline(Timeline::new(times.to_vec()).unwrap());
        let count = times.len() * way.parts_per_key();
        let number = |place: usize| ((place * 37 + 11) % 17) as f32 / 8.0 - 1.0;
        let vectors = |from: usize| (from..from + count).map(|it| Vec3::splat(number(it)));
        let node = NodeId(0);
        let turns = vectors(2).map(Quat::from_scaled_axis);
        builder
            .translation(node, timeline, way, vectors(0).collect::<Vec<_>>())
            .unwrap();
        builder
            .rotation(node, timeline, way, turns.collect::<Vec<_>>())
            .unwrap();
        builder
            .scale(node, timeline, way, vectors(4).collect::<Vec<_>>())
            .unwrap();
        let numbers = |width: usize| (0..width * count).map(number).collect::<Vec<_>>();
        builder.weights(node, timeline, way, 2, numbers(2)).unwrap();
        // It may have any numbers.
        let offset = TransformProperty::Offset;
        let offset = PropertyTarget::TextureTransform(0, TextureSlot::BaseColor, offset);
        builder.property(offset, timeline, way, numbers(2)).unwrap();
        builder.finish()
    }

    #[track_caller]
    fn assert_same_values(before: &Clip, after: &Clip, times: &[f64]) {
        let channels = Channel::all(before).zip(Channel::all(after));
        for (channel, same) in channels {
            assert_eq!(channel, same);
            for &time in times {
                let pairs = channel.value(before, time);
                let mut pairs = pairs.into_iter().zip(same.value(after, time));
                let is_same = pairs.all(|(a, b)| (a - b).abs() < 1e-5);
                assert!(is_same, "{channel:?} at {time} s");
            }
        }
    }

    #[test]
    fn what_begins_before_zero_begins_there_with_what_is_played() {
        for way in WAYS {
            let before = clip(&[-1.0, 0.5, 2.0], way);
            let after = from_zero(&before).unwrap();
            for head in after.heads() {
                let times = after.timelines()[head.timeline].times_secs();
                assert_eq!(times[0], 0.0);
                assert_eq!(times[times.len() - 2..], [0.5, 2.0]);
                let is_turn = matches!(head.moved, Moved::Rotation(_));
                assert!(is_turn || times.len() == 3, "{:?}", head.moved);
                assert_eq!(head.interpolation, way);
            }
            assert_eq!(after.heads().count(), before.heads().count());
            let moments = [0.0, 0.01, 0.1, 0.3, 0.49, 0.5, 0.6, 1.9, 2.0, 3.0];
            assert_same_values(&before, &after, &moments);
            let over = clip(&[-2.0, -1.0], way);
            assert_same_values(&over, &from_zero(&over).unwrap(), &[0.0, 1.0]);
        }
    }

    /// As it is drawn.
    #[test]
    fn what_overshoots_at_zero_keeps_to_what_may_be() {
        let mut builder = ClipBuilder::new("early");
        let timeline = builder.timeline(Timeline::new(vec![-1.0, 1.0]).unwrap());
        let rough = PropertyTarget::Material(0, MaterialProperty::Roughness);
        let steep = [0.0, 0.9, 2.0, -2.0, 0.9, 0.0];
        let spline = Interpolation::CubicSpline;
        builder.property(rough, timeline, spline, steep).unwrap();
        let before = builder.finish();
        let [over, ..] = Channel::Property(0).value(&before, 0.0);
        assert!(over > 1.5, "{over}");
        let after = from_zero(&before).unwrap();
        let track = &after.properties()[0];
        assert_eq!(track.interpolation(), spline);
        let keys = track.values();
        assert_eq!((keys[1], &keys[3..]), (1.0, &steep[3..]));
    }

    /// A key that is at 0 is there already.
    #[test]
    fn a_spline_with_a_key_at_zero_keeps_it() {
        let before = clip(&[-1.0, 0.0, 2.0], Interpolation::CubicSpline);
        let after = from_zero(&before).unwrap();
        let keys = |clip: &Clip, from: usize| {
            let places = clip.translations()[0].values()[from..].to_vec();
            (places, clip.rotations()[0].values()[from..].to_vec())
        };
        // What arrives at the first key counts for nothing.
        assert_eq!(keys(&after, 1), keys(&before, 4));
    }

    /// Else they are written once for each track.
    #[test]
    fn tracks_share_the_values_that_they_shared() {
        let mut builder = ClipBuilder::new("early");
        let timelines = [[-1.0, 0.5, 2.0], [-0.5, 0.5, 2.0]];
        let [early, later] =
            timelines.map(|times| builder.timeline(Timeline::new(times.to_vec()).unwrap()));
        let way = Interpolation::CubicSpline;
        let places: Arc<[Vec3]> = (0..9).map(|it| Vec3::splat(it as f32)).collect();
        let turns: Arc<[Quat]> = (0..9).map(|it| Quat::from_rotation_y(it as f32)).collect();
        for (node, timeline) in [(0, early), (1, early), (2, later)] {
            let node = NodeId(node);
            let (places, turns) = (Arc::clone(&places), Arc::clone(&turns));
            builder.translation(node, timeline, way, places).unwrap();
            builder.rotation(node, timeline, way, turns).unwrap();
        }
        let before = builder.finish();
        let after = from_zero(&before).unwrap();
        let places: Vec<_> = after.translations().iter().map(Track::values).collect();
        let turns: Vec<_> = after.rotations().iter().map(Track::values).collect();
        assert!(std::ptr::eq(places[0], places[1]));
        assert!(std::ptr::eq(turns[0], turns[1]));
        assert!(!std::ptr::eq(places[0], places[2]));
        assert!(!std::ptr::eq(turns[0], turns[2]));
        let [first, second] = [0, 1].map(|track| after.rotations()[track].timeline());
        assert_eq!(first, second);
        let times: Vec<_> = (0..=20).map(|step| f64::from(step) * 0.1).collect();
        assert_same_values(&before, &after, &times);
    }

    #[test]
    fn a_spline_of_one_key_holds_its_value() {
        let before = clip(&[0.5], Interpolation::CubicSpline);
        let after = from_zero(&before).unwrap();
        let mut heads = after.heads();
        assert!(heads.all(|head| head.interpolation == Interpolation::Step));
        assert_eq!(after.translations()[0].values().len(), 1);
        assert_same_values(&before, &after, &[0.0, 0.5, 1.0]);
    }

    #[test]
    fn what_a_file_can_hold_stays_as_it_is() {
        for way in WAYS {
            let clip = clip(&[0.0, 1.0], way);
            assert!(matches!(from_zero(&clip).unwrap(), Cow::Borrowed(_)));
        }
    }
}
