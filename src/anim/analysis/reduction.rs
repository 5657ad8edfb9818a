//! How many keys of a track are needed: what is left if keys go as long as no value changes by more than a tolerance.
//!
//! Between two kept keys the track interpolates as before, with the tangents of the kept keys if it is a spline; where
//! that is farthest from the track as it was, a key is put back, and so on for both halves (U. Ramer, "An iterative
//! procedure for the polygonal approximation of plane curves", 1972; D. H. Douglas, T. K. Peucker, 1973). Differences
//! are taken at the keys and, for splines, also at both thirds of the way between them: a cubic that is 0 at both ends
//! and at both thirds is 0 everywhere. The result is an upper bound: there may be a better choice of keys. What never
//! changes needs one.
//!
//! Cost: O(keys · log keys) for each value of a key; past a depth of 2 · log₂ keys, spans are split in the middle.

use glam::Vec3;

use crate::{
    anim::{
        orientation::angle_between,
        sample::{Value, hermite},
    },
    model::{Clip, Interpolation, KeyPart, NodeId, Track},
};

/// Numbers in keys of a clip up to which it is examined.
const MAX_VALUES: usize = 1 << 20;

/// What a track moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Property {
    /// A node's translation.
    Translation,
    /// A node's rotation.
    Rotation,
    /// A node's scale.
    Scale,
    /// A node's morph weights.
    Weights,
}

impl Property {
    /// glTF's name for it (glTF 2.0 §3.11).
    pub fn path(self) -> &'static str {
        match self {
            Self::Translation => "translation",
            Self::Rotation => "rotation",
            Self::Scale => "scale",
            Self::Weights => "weights",
        }
    }
}

/// Differences that do not count.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tolerance {
    /// Of translations, in the units of the model.
    pub distance: f32,
    /// Of rotations.
    pub degrees: f32,
    /// Of scale factors.
    pub scale: f32,
    /// Of morph weights.
    pub weight: f32,
}

impl Tolerance {
    /// What nobody sees: 0.05 % of the model's size, 0.1°, 0.001.
    pub fn for_size(size: f32) -> Self {
        Self {
            distance: 5e-4 * size,
            degrees: 0.1,
            scale: 1e-3,
            weight: 1e-3,
        }
    }
}

/// How many keys a track has and how many it needs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrackReduction {
    /// The node that it moves.
    pub node: NodeId,
    /// What of it.
    pub property: Property,
    /// Number of keys.
    pub keys: usize,
    /// How many are needed.
    pub keys_needed: usize,
    /// The greatest difference with these: in the units of the model, in degrees, or a number.
    pub error: f32,
}

/// Examines all tracks; `unit(node)` is the length of a node's translation by 1 in the units of the model. Nothing if there
/// are more than a million numbers in the clip's keys.
pub(super) fn examine(
    clip: &Clip,
    tolerance: &Tolerance,
    unit: impl Fn(NodeId) -> f32,
) -> Option<Vec<TrackReduction>> {
    let vectors = clip.translations().iter().chain(clip.scales());
    let values = vectors.map(|track| track.values().len()).sum::<usize>()
        + count(clip.rotations())
        + count(clip.weights());
    if values > MAX_VALUES {
        return None;
    }
    let mut found = Vec::with_capacity(clip.track_count());
    for track in clip.translations() {
        let unit = unit(track.node());
        let distance = |a: Vec3, b: Vec3| unit * a.distance(b);
        let (property, most) = (Property::Translation, tolerance.distance);
        found.push(reduce(clip, track, property, most, distance));
    }
    for track in clip.rotations() {
        let (property, most) = (Property::Rotation, tolerance.degrees);
        let distance = |a, b| angle_between(a, b).to_degrees() as f32;
        found.push(reduce(clip, track, property, most, distance));
    }
    for track in clip.scales() {
        let distance = |a: Vec3, b: Vec3| (a - b).abs().max_element();
        let (property, most) = (Property::Scale, tolerance.scale);
        found.push(reduce(clip, track, property, most, distance));
    }
    for track in clip.weights() {
        let (property, most) = (Property::Weights, tolerance.weight);
        found.push(reduce(clip, track, property, most, |a: f32, b: f32| {
            (a - b).abs()
        }));
    }
    Some(found)
}

fn count<T>(tracks: &[Track<T>]) -> usize {
    tracks.iter().map(|track| track.values().len()).sum()
}

/// A track and its key times.
struct Curve<'a, T> {
    times_secs: &'a [f32],
    track: &'a Track<T>,
}

impl<T: Value> Curve<'_, T> {
    fn part(&self, key: usize, part: KeyPart, lane: usize) -> T {
        let place = self.track.interpolation().place(key, part);
        self.track.values()[place * self.track.width() + lane]
    }

    fn value(&self, key: usize, lane: usize) -> T {
        self.part(key, KeyPart::Value, lane)
    }

    fn key(&self, key: usize, lane: usize) -> T {
        self.value(key, lane).legal()
    }

    /// The times a third and two thirds of the way from a key to the next.
    fn thirds_after(&self, key: usize) -> [f32; 2] {
        let (from, to) = (self.times_secs[key], self.times_secs[key + 1]);
        [1.0 / 3.0, 2.0 / 3.0].map(|part| from + (to - from) * part)
    }

    /// The value at a time between two keys, as if there were none between them.
    fn between(&self, first: usize, last: usize, time_secs: f32, lane: usize) -> T {
        let length_secs = self.times_secs[last] - self.times_secs[first];
        let fraction = (time_secs - self.times_secs[first]) / length_secs;
        let (from, to) = (self.value(first, lane), self.value(last, lane));
        match self.track.interpolation() {
            _ if fraction.is_nan() => from.legal(),
            Interpolation::Step => from,
            Interpolation::Linear => T::mix(from.legal(), to.legal(), fraction),
            Interpolation::CubicSpline => hermite(
                from,
                self.part(first, KeyPart::OutTangent, lane) * length_secs,
                to,
                self.part(last, KeyPart::InTangent, lane) * length_secs,
                fraction,
            )
            .legal(),
        }
    }
}

fn reduce<T: Value>(
    clip: &Clip,
    track: &Track<T>,
    property: Property,
    tolerance: f32,
    distance: impl Fn(T, T) -> f32,
) -> TrackReduction {
    let (kept, error) = keep(clip, track, tolerance, distance);
    TrackReduction {
        node: track.node(),
        property,
        keys: clip.timelines()[track.timeline()].times_secs().len(),
        keys_needed: kept.len(),
        error,
    }
}

/// The keys that are needed, in order, and the greatest difference with these.
fn keep<T: Value>(
    clip: &Clip,
    track: &Track<T>,
    tolerance: f32,
    distance: impl Fn(T, T) -> f32,
) -> (Vec<usize>, f32) {
    let curve = Curve {
        times_secs: clip.timelines()[track.timeline()].times_secs(),
        track,
    };
    let keys = curve.times_secs.len();
    // What overflows is no number, and far off.
    let worse = |a: f32, b: f32| a.max(if b.is_nan() { f32::INFINITY } else { b });
    let over_lanes = |off: &dyn Fn(usize) -> f32| (0..track.width()).map(off).fold(0.0, worse);
    let key_distance =
        |a: usize, b: usize| over_lanes(&|lane| distance(curve.key(a, lane), curve.key(b, lane)));
    // How far from the curve it is at `key`, and between there and the next, without the keys between two others.
    let off = |first: usize, last: usize, key: usize| {
        let times = curve.times_secs;
        let here = over_lanes(&|lane| {
            let there = curve.between(first, last, times[key], lane);
            distance(there, curve.key(key, lane))
        });
        if track.interpolation() != Interpolation::CubicSpline {
            return here;
        }
        let after = curve.thirds_after(key).map(|time_secs| {
            over_lanes(&|lane| {
                let there = curve.between(first, last, time_secs, lane);
                distance(there, curve.between(key, key + 1, time_secs, lane))
            })
        });
        here.max(after[0]).max(after[1])
    };
    match track.interpolation() {
        Interpolation::Step => reduce_steps(keys, tolerance, key_distance),
        kind => {
            let is_spline = kind == Interpolation::CubicSpline;
            // A spline may leave its value between equal keys.
            let still = (0..keys.saturating_sub(1)).map(|key| {
                let swing = if is_spline {
                    swing(&curve, key, &distance)
                } else {
                    0.0
                };
                key_distance(0, key + 1).max(swing)
            });
            let still = still.fold(0.0, f32::max);
            if still <= tolerance {
                (vec![0], still)
            } else {
                reduce_spans(keys, tolerance, off)
            }
        }
    }
}

/// How far from the first key a spline swings on its way to the next.
fn swing<T: Value>(curve: &Curve<'_, T>, key: usize, distance: &impl Fn(T, T) -> f32) -> f32 {
    let lanes = 0..curve.track.width();
    let probes = lanes.flat_map(|lane| curve.thirds_after(key).map(|time_secs| (lane, time_secs)));
    probes
        .map(|(lane, time_secs)| {
            let there = curve.between(key, key + 1, time_secs, lane);
            distance(there, curve.key(0, lane))
        })
        .fold(0.0, f32::max)
}

/// A step is kept where the value goes away from the last step that was.
fn reduce_steps(
    keys: usize,
    tolerance: f32,
    key_distance: impl Fn(usize, usize) -> f32,
) -> (Vec<usize>, f32) {
    let (mut kept, mut last, mut error) = (vec![0], 0, 0.0_f32);
    for key in 1..keys {
        let off = key_distance(last, key);
        if off <= tolerance {
            error = error.max(off);
        } else {
            kept.push(key);
            last = key;
        }
    }
    (kept, error)
}

/// Splits spans where they are farthest off, until all are within the tolerance.
fn reduce_spans(
    keys: usize,
    tolerance: f32,
    off: impl Fn(usize, usize, usize) -> f32,
) -> (Vec<usize>, f32) {
    let deepest = 2 * keys.ilog2() + 8;
    let (mut kept, mut error) = (vec![0], 0.0_f32);
    let mut spans = vec![(0, keys - 1, 0)];
    while let Some((first, last, depth)) = spans.pop() {
        // Where no key is between, none is left out.
        if last - first < 2 {
            kept.push(last);
            continue;
        }
        let (mut worst, mut worst_key) = (0.0, first);
        // A spline can be off before the first key between them, too.
        for key in first..last {
            let here = off(first, last, key);
            if here > worst {
                (worst, worst_key) = (here, key);
            }
        }
        if worst <= tolerance {
            error = error.max(worst);
            kept.push(last);
            continue;
        }
        let split = match depth > deepest {
            true => first + (last - first) / 2,
            false => worst_key.clamp(first + 1, last - 1),
        };
        // The earlier half is done first, so that keys are kept in order.
        spans.push((split, last, depth + 1));
        spans.push((first, split, depth + 1));
    }
    (kept, error)
}

#[cfg(test)]
mod tests {
    use glam::Quat;

    use super::*;
    use crate::anim::{Cursors, Pose, sample};
    use crate::model::{ClipBuilder, Hierarchy, Node, Timeline};

    const NODE: NodeId = NodeId(0);
    const TOLERANCE: Tolerance = Tolerance {
        distance: 0.01,
        degrees: 0.1,
        scale: 0.01,
        weight: 0.01,
    };

    fn times(keys: usize) -> Timeline {
        Timeline::new((0..keys).map(|key| key as f32 / 30.0).collect()).unwrap()
    }

    #[track_caller]
    fn check(xs: &[f32], kind: Interpolation, needed: usize) {
        let mut clip = ClipBuilder::new("");
        let keys = match kind {
            Interpolation::CubicSpline => xs.len() / 3,
            _ => xs.len(),
        };
        let timeline = clip.timeline(times(keys));
        let values: Vec<_> = xs.iter().map(|&x| Vec3::X * x).collect();
        clip.translation(NODE, timeline, kind, values).unwrap();
        let found = examine(&clip.finish(), &TOLERANCE, |_| 1.0).unwrap()[0];
        assert_eq!(found.keys_needed, needed, "{found:?}");
        assert!(found.error <= TOLERANCE.distance, "{found:?}");
        assert_eq!(found.keys, keys);
    }

    #[test]
    fn a_line_needs_its_ends_and_a_kink_its_corner() {
        let line: Vec<f32> = (0..50).map(|key| key as f32 * 0.1).collect();
        check(&line, Interpolation::Linear, 2);
        let kink: Vec<f32> = line.iter().map(|x| (x - 2.0).abs()).collect();
        check(&kink, Interpolation::Linear, 3);
        check(&[1.0; 50], Interpolation::Linear, 1);
        check(&[1.0], Interpolation::Linear, 1);
        let mut bump = line;
        bump[20] += 1.0;
        check(&bump, Interpolation::Linear, 5);
    }

    #[test]
    fn what_overflows_between_keys_needs_them_all() {
        check(&[f32::MAX, f32::MIN], Interpolation::Linear, 2);
        let huge = [f32::MAX, 0.0, f32::MAX].repeat(4);
        check(&huge, Interpolation::CubicSpline, 4);
    }

    #[test]
    fn steps_need_their_changes() {
        let xs = [0.0, 0.0, 0.005, 1.0, 1.0, 1.0, 0.0, 0.0];
        check(&xs, Interpolation::Step, 3);
    }

    #[test]
    fn a_spline_along_one_cubic_needs_its_ends_and_one_that_swings_out_is_not_still() {
        // x = t³ − t with its own derivative as tangents.
        let keys = (0..20).map(|key| key as f32 / 30.0);
        let cubic = keys.flat_map(|t| {
            let slope = 3.0 * t * t - 1.0;
            [slope, t * t * t - t, slope]
        });
        let cubic: Vec<f32> = cubic.map(|x| 10.0 * x).collect();
        check(&cubic, Interpolation::CubicSpline, 2);
        let swings: Vec<f32> = [9.0, 0.0, 9.0].repeat(5);
        check(&swings, Interpolation::CubicSpline, 5);
        check(&[0.0; 15], Interpolation::CubicSpline, 1);
    }

    #[test]
    fn an_even_turn_needs_its_ends_whatever_the_signs() {
        let mut clip = ClipBuilder::new("");
        let timeline = clip.timeline(times(31));
        let turns = (0..31).map(|key| {
            let turn = Quat::from_rotation_y(0.05 * key as f32);
            if key % 3 == 1 { -turn } else { turn }
        });
        let (turns, linear): (Vec<_>, _) = (turns.collect(), Interpolation::Linear);
        clip.rotation(NODE, timeline, linear, turns).unwrap();
        let found = examine(&clip.finish(), &TOLERANCE, |_| 1.0).unwrap()[0];
        assert_eq!(found.keys_needed, 2, "{found:?}");
        assert_eq!(found.property.path(), "rotation");
    }

    /// Keeps the kept keys alone and compares what both clips say all along.
    #[test]
    fn what_is_left_stays_within_the_tolerance() {
        let mut seed = 1_u32;
        let mut random = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) as f32 / (1 << 23) as f32 - 1.0
        };
        for round in 0..60 {
            let kind = [
                Interpolation::Linear,
                Interpolation::CubicSpline,
                Interpolation::Step,
            ][round % 3];
            let parts = if kind == Interpolation::CubicSpline {
                3
            } else {
                1
            };
            let keys = 2 + round * 3;
            let rough = 0.02 * (1 + round % 7) as f32;
            let mut at = Quat::IDENTITY;
            // Each part of a key is a quaternion near the last; tangents are small.
            let values: Vec<Quat> = (0..keys * parts)
                .map(|row| {
                    let step = Quat::from_xyzw(random(), random(), random(), 0.0) * rough;
                    if row % parts == parts / 2 {
                        at = (at + step).normalize();
                        at
                    } else {
                        step * 10.0
                    }
                })
                .collect();
            let mut whole = ClipBuilder::new("");
            let timeline = whole.timeline(times(keys));
            whole
                .rotation(NODE, timeline, kind, values.clone())
                .unwrap();
            let whole = whole.finish();
            let distance = |a, b| angle_between(a, b).to_degrees() as f32;
            let tolerance = 1.0 + round as f32 * 0.1;
            let (kept, error) = keep(&whole, &whole.rotations()[0], tolerance, distance);
            assert!(error <= tolerance && kept.is_sorted(), "{kept:?}");
            let mut part = ClipBuilder::new("");
            let all = times(keys);
            let left = kept.iter().map(|&key| all.times_secs()[key]);
            let timeline = part.timeline(Timeline::new(left.collect()).unwrap());
            let left = kept.iter().flat_map(|key| &values[key * parts..][..parts]);
            part.rotation(NODE, timeline, kind, left.copied().collect::<Vec<_>>())
                .unwrap();
            let part = part.finish();
            let tree = Hierarchy::new(vec![Node::default()], &[None], &[vec![]]).unwrap();
            let at = |clip: &Clip, time_secs: f64| {
                let mut pose = Pose::new(&tree);
                sample(clip, time_secs, &mut Cursors::default(), &mut pose);
                pose.locals[0].rotation
            };
            for step in 0..=keys * 10 {
                let time_secs = step as f64 / 300.0;
                let off = distance(at(&whole, time_secs), at(&part, time_secs));
                // Between the places that are compared, a spline or a slerp may be a little farther off.
                assert!(
                    off <= 1.25 * tolerance,
                    "round {round}, {time_secs} s: {off}°"
                );
            }
        }
    }

    #[test]
    fn a_hundred_thousand_bad_keys_end_soon() {
        // It grows so fast that every span is split near its end.
        let keys = 100_000;
        let mut clip = ClipBuilder::new("");
        let timeline = clip.timeline(times(keys));
        let values: Vec<_> = (0..keys).map(|key| 1.0001_f32.powi(key as i32)).collect();
        clip.weights(NODE, timeline, Interpolation::Linear, 1, values)
            .unwrap();
        let found = examine(&clip.finish(), &TOLERANCE, |_| 1.0).unwrap()[0];
        assert!(found.keys_needed > 2 && found.keys_needed < keys);
    }
}
