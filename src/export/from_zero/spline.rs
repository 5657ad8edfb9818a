//! Cubic Hermite splines (glTF 2.0 appendix C.5) that begin within one of their spans, in double precision.

use std::ops::{Add, Mul};

use glam::{DQuat, Quat};

use crate::model::{Interpolation, KeyPart};

/// How far the direction of a quaternion may be from what the spline has, as a distance of unit quaternions.
const PRECISION: f64 = 1e-6;
/// Splines that a span is made of at most: where it comes near to no rotation at all, no number is enough.
const MAX_PIECES: usize = 64;

/// A span of a spline: the value and the slope where it begins, then those where it ends.
type Span<T> = [T; 4];

/// How much of each part of a span of such a length the value has at a fraction of it, and how much the slope. Slopes are a
/// second.
fn shares(fraction: f64, length_secs: f64) -> [[f64; 4]; 2] {
    let (t, t2) = (fraction, fraction * fraction);
    let t3 = t2 * t;
    let value = [
        2.0 * t3 - 3.0 * t2 + 1.0,
        length_secs * (t3 - 2.0 * t2 + t),
        3.0 * t2 - 2.0 * t3,
        length_secs * (t3 - t2),
    ];
    let slope = [
        6.0 * (t2 - t) / length_secs,
        3.0 * t2 - 4.0 * t + 1.0,
        6.0 * (t - t2) / length_secs,
        3.0 * t2 - 2.0 * t,
    ];
    [value, slope]
}

/// How fast a span goes at 0, between its `ends`.
pub(super) fn slope_within<T>(span: Span<T>, ends: [f32; 2]) -> T
where
    T: Copy + Add<Output = T> + Mul<f32, Output = T>,
{
    let [from, to] = ends.map(f64::from);
    let [_, slope] = shares(-from / (to - from), to - from);
    let [a, b, c, d] = slope.map(|share| share as f32);
    span[0] * a + span[1] * b + span[2] * c + span[3] * d
}

/// The keys of a spline of rotations from 0 on.
#[derive(Debug)]
pub(super) struct Turns {
    pub(super) times_secs: Vec<f32>,
    /// With the tangents, as a track has them.
    pub(super) values: Vec<Quat>,
    /// How many splines the first span was made into.
    pub(super) pieces: usize,
}

/// The keys of a spline that begins before 0 from there on; none if it does not, or ends before. Those after 0 are as they were;
/// the one at 0 is as long as the next.
pub(super) fn turns_from_zero(times_secs: &[f32], values: &[Quat]) -> Option<Turns> {
    let first = times_secs.partition_point(|time| *time <= 0.0);
    let from = *times_secs.get(first.checked_sub(1)?)?;
    if times_secs[0] >= 0.0 || first == times_secs.len() {
        return None;
    }
    let mut turns = Turns {
        times_secs: Vec::new(),
        // It counts for nothing.
        values: vec![values[3 * (first - 1)]],
        pieces: 1,
    };
    if from < 0.0 {
        let place = value_place(first);
        let span = [place - 3, place - 2, place, place - 1].map(|place| values[place].as_dquat());
        let to = times_secs[first];
        turns.begin(&TurningSpan {
            span,
            from_secs: f64::from(from),
            to_secs: f64::from(to),
            length: span[2].length(),
        });
    } else {
        turns.times_secs.push(from);
        let place = value_place(first);
        turns.values.extend(&values[place - 3..place]);
    }
    turns.times_secs.extend(&times_secs[first..]);
    turns.values.extend(&values[value_place(first)..]);
    Some(turns)
}

/// Where a key's value is among the parts of all keys.
fn value_place(key: usize) -> usize {
    Interpolation::CubicSpline.place(key, KeyPart::Value)
}

impl Turns {
    /// Adds the splines that a span is made into from 0 on, but for the value at its end.
    fn begin(&mut self, span: &TurningSpan) {
        let (keys, pieces) = span.keys();
        let to = span.to_secs as f32;
        let times = (0..pieces).map(|piece| to * (piece as f32 / pieces as f32));
        self.times_secs.extend(times);
        let parts = keys
            .iter()
            .flat_map(|[value, slope]| [*slope, *value, *slope]);
        self.values.extend(parts.skip(1).take(3 * pieces));
        self.pieces = pieces;
    }
}

/// The span of a spline of rotations in which 0 is.
struct TurningSpan {
    span: Span<DQuat>,
    from_secs: f64,
    to_secs: f64,
    /// How long keys are made.
    length: f64,
}

impl TurningSpan {
    /// The keys, values and slopes, of the splines that it is made into, both ends included, and how many these are.
    ///
    /// What they are to meet is its direction alone, as a curve of quaternions that are all of one length: with values and
    /// slopes of that they are off by the fourth power of their duration.
    fn keys(&self) -> (Vec<[Quat; 2]>, usize) {
        let mut pieces = 1;
        loop {
            let fractions = (0..=pieces).map(|piece| piece as f64 / pieces as f64);
            let keys: Vec<_> = fractions
                .map(|fraction| self.key(self.to_secs * fraction))
                .collect();
            if pieces == MAX_PIECES || self.is_met_by(&keys) {
                return (keys, pieces);
            }
            pieces *= 2;
        }
    }

    /// The value, of whatever length, and the slope at a time.
    fn at(&self, time_secs: f64) -> [DQuat; 2] {
        let duration = self.to_secs - self.from_secs;
        mixed(
            &self.span,
            (time_secs - self.from_secs) / duration,
            duration,
        )
    }

    /// The value and the slope there of its direction, as long as keys are made.
    fn key(&self, time_secs: f64) -> [Quat; 2] {
        let [value, slope] = self.at(time_secs);
        let factor = self.length / value.length();
        if !factor.is_finite() || factor <= 0.0 {
            return [value, slope].map(DQuat::as_quat);
        }
        let along = value * (value.dot(slope) / value.length_squared());
        [value, slope - along].map(|part| (part * factor).as_quat())
    }

    /// Whether splines between these keys are near enough to it.
    fn is_met_by(&self, keys: &[[Quat; 2]]) -> bool {
        let duration = self.to_secs / (keys.len() - 1) as f64;
        let mut pieces = keys.windows(2).enumerate();
        pieces.all(|(piece, ends)| {
            let [[from, leaves], [to, arrives]] =
                [ends[0], ends[1]].map(|key| key.map(Quat::as_dquat));
            [0.25, 0.5, 0.75].iter().all(|fraction| {
                let [found, _] = mixed(&[from, leaves, to, arrives], *fraction, duration);
                let time = duration * (piece as f64 + fraction);
                let [expected, _] = self.at(time);
                let off = found.normalize() - expected.normalize();
                off.length() <= PRECISION
            })
        })
    }
}

/// The value and the slope at a fraction of a span.
fn mixed(span: &Span<DQuat>, fraction: f64, length_secs: f64) -> [DQuat; 2] {
    shares(fraction, length_secs).map(|shares| {
        let parts = span.iter().zip(shares).map(|(part, share)| *part * share);
        parts.fold(DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), |sum, part| sum + part)
    })
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use glam::{DVec4, Vec3};

    use super::*;
    use crate::{
        anim::Channel,
        export::from_zero::from_zero,
        model::{Clip, ClipBuilder, NodeId, Timeline},
    };

    /// What a spline has at a time, of unit length if it is a rotation, by the formula of the specification: powers of the
    /// fraction times polynomials of the keys.
    fn exact(times: &[f32], keys: &[[f32; 4]], is_rotation: bool, time_secs: f64) -> DVec4 {
        let part = |place: usize| DVec4::from_array(keys[place].map(f64::from));
        let next = times.partition_point(|time| f64::from(*time) <= time_secs);
        let next = next.clamp(1, times.len() - 1);
        let [from, to] = [times[next - 1], times[next]].map(f64::from);
        let t = ((time_secs - from) / (to - from)).min(1.0);
        let (a, b) = (part(3 * next - 2), part(3 * next + 1));
        let leaves = part(3 * next - 1) * (to - from);
        let arrives = part(3 * next) * (to - from);
        let cubic = (a - b) * 2.0 + leaves + arrives;
        let square = (b - a) * 3.0 - leaves * 2.0 - arrives;
        let value = a + (leaves + (square + cubic * t) * t) * t;
        if is_rotation {
            value.normalize()
        } else {
            value
        }
    }

    fn spline(times: &[f32], places: Vec<Vec3>, turns: Vec<Quat>) -> Clip {
        let mut builder = ClipBuilder::new("early");
        let timeline = builder.timeline(Timeline::new(times.to_vec()).unwrap());
        let (node, way) = (NodeId(0), Interpolation::CubicSpline);
        builder.translation(node, timeline, way, places).unwrap();
        builder.rotation(node, timeline, way, turns).unwrap();
        builder.finish()
    }

    #[test]
    fn what_begins_within_a_span_goes_on_as_it_did() {
        let mut state = 7_u32;
        let mut numbers = || {
            [(); 4].map(|()| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 8) as f32 / (1 << 23) as f32 - 1.0
            })
        };
        let mut most_keys = 0;
        for case in 0..50 {
            let times = [-1.5, -0.1 - 0.5 * numbers()[0].abs(), 1.0, 2.5];
            let mut places = Vec::new();
            let mut turns = Vec::new();
            let mut turn = Quat::IDENTITY;
            for part in 0..12 {
                let [x, y, z, w] = numbers();
                places.push(Vec3::new(z, w, x) * 5.0);
                if part % 3 == 1 {
                    // Up to a quarter turn from key to key.
                    let by = Quat::from_scaled_axis(Vec3::new(x, y, z) * 0.9);
                    turn = (by * turn).normalize();
                    turns.push(turn);
                } else {
                    turns.push(Quat::from_xyzw(x, y, z, w) * 0.5);
                }
            }
            let before = spline(&times, places.clone(), turns.clone());
            let after = from_zero(&before).unwrap();
            assert!(matches!(after, Cow::Owned(_)));
            let places: Vec<_> = places.iter().map(|it| it.extend(0.0).to_array()).collect();
            let turns: Vec<_> = turns.iter().map(Quat::to_array).collect();
            for step in 0..=250 {
                let time = f64::from(step) * 0.01;
                for (channel, keys, most) in [
                    (Channel::Translation(0), &places, 1e-5),
                    // Rounding is in there.
                    (Channel::Rotation(0), &turns, 3e-6),
                ] {
                    let is_turn = channel == Channel::Rotation(0);
                    let expected = exact(&times, keys, is_turn, time);
                    let found = DVec4::from_array(channel.value(&after, time).map(f64::from));
                    let off = (found - expected).length();
                    assert!(off < most, "{case}: {channel:?} is off by {off} at {time}");
                }
            }
            let track = &after.rotations()[0];
            let mut keys = track.key_values().flatten();
            assert!(keys.all(|key| (key.length() - 1.0).abs() < 1e-6), "{case}");
            most_keys = most_keys.max(track.key_values().count());
            assert_eq!(after.translations()[0].key_values().count(), 3);
        }
        assert!((4..=66).contains(&most_keys), "{most_keys}");
    }

    /// Files may have such keys all the same, and what is played of them is their direction.
    #[test]
    fn keys_that_are_not_unit_stay_as_they_are() {
        let times = [-1.0, 1.0, 1.5, 1.5, 2.0, 3.0];
        let turned = |turn: f32, length: f32| Quat::from_rotation_y(turn) * length;
        let tangent = |key: usize| Quat::from_xyzw(0.1, 0.3, -0.2, 0.1 * key as f32);
        let lengths = [1.0, 2.0, 0.5, 3.0, 1.0, 1.0];
        let keys = lengths.iter().enumerate().flat_map(|(key, length)| {
            let value = turned(0.4 * key as f32, *length);
            [tangent(key), value, tangent(key + 1) * *length]
        });
        let keys: Vec<Quat> = keys.collect();
        let before = spline(&times, vec![Vec3::ZERO; keys.len()], keys.clone());
        let after = from_zero(&before).unwrap();
        let written = after.rotations()[0].values();
        assert!((written[1].length() - 2.0).abs() < 1e-6);
        assert_eq!(written[written.len() - 14..], keys[4..]);
        let keys: Vec<_> = keys.iter().map(Quat::to_array).collect();
        for step in 0..=300 {
            let time = f64::from(step) * 0.01;
            let expected = exact(&times, &keys, true, time);
            let found = Channel::Rotation(0).value(&after, time).map(f64::from);
            let off = (DVec4::from_array(found) - expected).length();
            assert!(off < 3e-6, "it is off by {off} at {time}");
        }
    }

    /// One spline is enough for what turns little.
    #[test]
    fn what_turns_little_has_no_more_keys() {
        let none = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
        let [from, to] = [0.1, 0.13].map(Quat::from_rotation_y);
        let values = [none, from, none, none, to, none];
        let turns = turns_from_zero(&[-0.01, 0.02], &values).unwrap();
        assert_eq!((turns.pieces, turns.times_secs.len()), (1, 2));
        assert_eq!(turns.values.len(), 6);
    }
}
