//! Clips whose tracks a file cannot hold as they are: those that begin before 0, and splines of one key (glTF 2.0 §3.11).

mod spline;

use std::{
    borrow::Cow,
    collections::HashMap,
    ops::{Add, Mul},
};

use glam::{Quat, Vec3};

use super::tracks::unit;
use crate::{
    anim::Channel,
    model::{
        Clip, ClipBuilder, Interpolation, KeyPart, Moved, NodeId, Timeline, Track, TrackError,
        TrackHead,
    },
};
use spline::{slope_within, turns_from_zero};

/// The clip, with other tracks where a file cannot hold its own. One that begins before 0 has a key at 0 that says what the clip
/// has there, and of its keys those after it; a spline arrives at the next one as before. A spline of one key holds the value of
/// that.
///
/// Keys of rotations are unit quaternions in a file (glTF 2.0 §3.11), and what a spline has between its keys is not: to have such
/// a key at 0, the part up to the next key is made of as many splines as it takes to be within 10⁻⁶.
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
    let vector = |channel: Channel| {
        let [x, y, z, _] = channel.value(clip, 0.0);
        [Vec3::new(x, y, z)]
    };
    for (index, track) in clip.translations().iter().enumerate() {
        let at_zero = vector(Channel::Translation(index));
        let (timeline, way, values) = keys(clip, track, Moved::Translation, &at_zero);
        builder.translation(track.node(), timeline, way, values)?;
    }
    let mut timelines = HashMap::new();
    for (index, track) in clip.rotations().iter().enumerate() {
        let times = times_of(track.head(Moved::Rotation));
        let turns = Some(track).filter(|track| track.interpolation() == Interpolation::CubicSpline);
        if let Some(turns) = turns.and_then(|track| turns_from_zero(times, track.values())) {
            let key = (track.timeline(), turns.pieces);
            let timeline = match timelines.get(&key) {
                Some(timeline) => *timeline,
                None => builder.timeline(Timeline::new(turns.times_secs)?),
            };
            timelines.insert(key, timeline);
            let spline = Interpolation::CubicSpline;
            builder.rotation(track.node(), timeline, spline, turns.values)?;
            continue;
        }
        let at_zero = Quat::from_array(Channel::Rotation(index).value(clip, 0.0));
        let (timeline, way, mut values) = keys(clip, track, Moved::Rotation, &[at_zero]);
        if way != track.interpolation() {
            // Those of splines may have any length.
            for value in &mut values {
                *value = unit(*value);
            }
        }
        builder.rotation(track.node(), timeline, way, values)?;
    }
    for (index, track) in clip.scales().iter().enumerate() {
        let at_zero = vector(Channel::Scale(index));
        let (timeline, way, values) = keys(clip, track, Moved::Scale, &at_zero);
        builder.scale(track.node(), timeline, way, values)?;
    }
    for (index, track) in clip.weights().iter().enumerate() {
        let weights = (0..track.width()).map(|it| Channel::Weight(index, it).value(clip, 0.0)[0]);
        let at_zero: Vec<f32> = weights.collect();
        let (timeline, way, values) = keys(clip, track, Moved::Weights, &at_zero);
        builder.weights(track.node(), timeline, way, track.width(), values)?;
    }
    for (index, track) in clip.properties().iter().enumerate() {
        let numbers = Channel::Property(index).value(clip, 0.0);
        // Splines overshoot, and keys may not.
        let numbers = numbers.map(|number| track.target().legal(number));
        let at_zero = &numbers[..track.target().width()];
        let (timeline, way, values) = keys_of(clip, track.head(), track.values(), at_zero);
        builder.property(track.target(), timeline, way, values)?;
    }
    Ok(Cow::Owned(builder.finish()))
}

/// Whether a file can hold a track as it is.
fn is_writable(head: TrackHead, times_secs: &[f32]) -> bool {
    let is_spline = head.interpolation == Interpolation::CubicSpline;
    times_secs[0] >= 0.0 && !(is_spline && times_secs.len() == 1)
}

fn keys<T: Copy + Add<Output = T> + Mul<f32, Output = T>>(
    clip: &Clip,
    track: &Track<T>,
    moved: fn(NodeId) -> Moved,
    at_zero: &[T],
) -> (usize, Interpolation, Vec<T>) {
    keys_of(clip, track.head(moved), track.values(), at_zero)
}

/// The new place of a track's timeline, the way between its keys, and their values; `at_zero` is what it has at 0.
fn keys_of<T: Copy + Add<Output = T> + Mul<f32, Output = T>>(
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
    use crate::model::{MaterialProperty, PropertyTarget, TextureSlot, TransformProperty};

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
