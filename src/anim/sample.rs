//! The values of a clip at a time.
//!
//! First every timeline is asked between which of its keys the time lies, once for all tracks that share it; then every
//! track mixes its values there. Time is clamped to each timeline's own first and last key (glTF 2.0 §3.11); looping is
//! the clock's business.

use std::ops::{Add, Mul};

use glam::{Quat, Vec3};

use super::{
    Pose,
    key_place::{self, KeyPlace},
};
use crate::model::{Clip, Interpolation, KeyPart, PropertyTarget, PropertyTrack, Timeline, Track};

/// Where the last sample of each timeline was, so that playback finds the next one in a step.
///
/// It only saves time: any cursors, also those of another clip, give the same values.
#[derive(Debug, Clone, Default)]
pub struct Cursors {
    spans: Vec<KeySpan>,
}

/// A place between two keys, or on one.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct KeySpan {
    /// The key at or before the time.
    key: usize,
    /// 0..1 of the way from `key` to the next; 0 means that `key` alone counts.
    fraction: f32,
    /// Time between the two keys.
    length_secs: f32,
}

/// Writes what `clip` says at `time_secs` into `pose`; what the clip does not touch stays as it is.
///
/// Equal times give equal values, whatever was sampled before.
pub fn sample(clip: &Clip, time_secs: f64, cursors: &mut Cursors, pose: &mut Pose) {
    cursors
        .spans
        .resize(clip.timelines().len(), KeySpan::default());
    for (timeline, span) in clip.timelines().iter().zip(&mut cursors.spans) {
        *span = find_span(timeline, time_secs, span.key);
    }
    let spans = &cursors.spans;
    for track in clip.translations() {
        pose.locals[track.node().index()].translation = value(track, spans, 0);
    }
    for track in clip.rotations() {
        pose.locals[track.node().index()].rotation = value(track, spans, 0);
    }
    for track in clip.scales() {
        pose.locals[track.node().index()].scale = value(track, spans, 0);
    }
    for track in clip.weights() {
        let weights = pose.weights_of_mut(track.node());
        for (lane, weight) in weights.iter_mut().enumerate().take(track.width()) {
            *weight = value(track, spans, lane);
        }
    }
    for track in clip.properties() {
        let number = || value_of(property(track), spans[track.timeline()], 0);
        match track.target() {
            PropertyTarget::NodeWeight(node, weight) => {
                if let Some(weight) = pose.weights_of_mut(node).get_mut(weight) {
                    *weight = number();
                }
            }
            PropertyTarget::Visibility(node) => pose.hidden[node.index()] = number() == 0.0,
            // These are no part of a pose: see `Properties`.
            PropertyTarget::Camera(..)
            | PropertyTarget::Light(..)
            | PropertyTarget::Material(..)
            | PropertyTarget::TextureTransform(..) => {}
        }
    }
}

/// The keys around `time_secs`; `hint` is a key near which to look first.
fn find_span(timeline: &Timeline, time_secs: f64, hint: usize) -> KeySpan {
    let times = timeline.times_secs();
    let at = |time: &f32| f64::from(*time);
    let KeyPlace { key, since_secs } = key_place::find(times, at, time_secs, |_| hint);
    // At the last key there is no way to go; between others there is, since of equal ones the last counts.
    let length_secs = times
        .get(key + 1)
        .map_or(0.0, |next| at(next) - at(&times[key]));
    let fraction = match since_secs > 0.0 {
        true => (since_secs / length_secs) as f32,
        false => 0.0,
    };
    KeySpan {
        key,
        fraction,
        length_secs: length_secs as f32,
    }
}

/// The value of a track at a time, wherever its neighbours were sampled: what [`sample`] writes.
pub(super) fn value_at<T: Value>(track: &Track<T>, timeline: &Timeline, time_secs: f64) -> T {
    value_in(track, find_span(timeline, time_secs, 0), 0)
}

/// One of the weights of a track at a time.
pub(super) fn lane_at(track: &Track<f32>, timeline: &Timeline, time_secs: f64, lane: usize) -> f32 {
    value_in(track, find_span(timeline, time_secs, 0), lane)
}

/// One of the numbers of a property at a time.
pub(super) fn track_value(
    track: &PropertyTrack,
    timeline: &Timeline,
    time_secs: f64,
    lane: usize,
) -> f32 {
    value_of(property(track), find_span(timeline, time_secs, 0), lane)
}

/// The values of a track, of whatever property.
struct Values<'a, T> {
    interpolation: Interpolation,
    width: usize,
    values: &'a [T],
}

fn property(track: &PropertyTrack) -> Values<'_, f32> {
    Values {
        interpolation: track.interpolation(),
        width: track.target().width(),
        values: track.values(),
    }
}

/// What a track can hold.
pub(super) trait Value: Copy + Add<Output = Self> + Mul<f32, Output = Self> {
    /// `from` at 0, `to` at 1.
    fn mix(from: Self, to: Self, fraction: f32) -> Self;
    /// The nearest legal value.
    fn legal(self) -> Self;
}

impl Value for Vec3 {
    fn mix(from: Self, to: Self, fraction: f32) -> Self {
        from * (1.0 - fraction) + to * fraction
    }
    fn legal(self) -> Self {
        self
    }
}

impl Value for f32 {
    fn mix(from: Self, to: Self, fraction: f32) -> Self {
        from * (1.0 - fraction) + to * fraction
    }
    fn legal(self) -> Self {
        self
    }
}

impl Value for Quat {
    fn mix(from: Self, to: Self, fraction: f32) -> Self {
        slerp(from, to, fraction)
    }
    fn legal(self) -> Self {
        let length_squared = self.length_squared();
        if length_squared > f32::MIN_POSITIVE {
            self * length_squared.sqrt().recip()
        } else {
            Self::IDENTITY
        }
    }
}

/// Lane `lane` of the track's value.
fn value<T: Value>(track: &Track<T>, spans: &[KeySpan], lane: usize) -> T {
    value_in(track, spans[track.timeline()], lane)
}

fn value_in<T: Value>(track: &Track<T>, span: KeySpan, lane: usize) -> T {
    let track = Values {
        interpolation: track.interpolation(),
        width: track.width(),
        values: track.values(),
    };
    value_of(track, span, lane)
}

fn value_of<T: Value>(track: Values<'_, T>, span: KeySpan, lane: usize) -> T {
    let Values {
        interpolation,
        width,
        values,
    } = track;
    let part = |key: usize, part: KeyPart| values[interpolation.place(key, part) * width + lane];
    let at = |key: usize| part(key, KeyPart::Value);
    match interpolation {
        Interpolation::Step => at(span.key),
        Interpolation::Linear if span.fraction == 0.0 => at(span.key),
        Interpolation::Linear => T::mix(at(span.key), at(span.key + 1), span.fraction),
        Interpolation::CubicSpline => {
            if span.fraction == 0.0 {
                return at(span.key).legal();
            }
            hermite(
                at(span.key),
                part(span.key, KeyPart::OutTangent) * span.length_secs,
                at(span.key + 1),
                part(span.key + 1, KeyPart::InTangent) * span.length_secs,
                span.fraction,
            )
            .legal()
        }
    }
}

/// The cubic Hermite spline from `from` to `to` with tangents over the whole span (glTF 2.0 appendix C.5).
pub(super) fn hermite<T: Value>(
    from: T,
    from_tangent: T,
    to: T,
    to_tangent: T,
    fraction: f32,
) -> T {
    let t = fraction;
    let (t2, t3) = (t * t, t * t * t);
    from * (2.0 * t3 - 3.0 * t2 + 1.0)
        + from_tangent * (t3 - 2.0 * t2 + t)
        + to * (3.0 * t2 - 2.0 * t3)
        + to_tangent * (t3 - t2)
}

/// Spherical interpolation along the shorter arc (glTF 2.0 appendix C.4) between unit quaternions; a unit quaternion.
///
/// The angle comes from the lengths of difference and sum, which keeps its precision where the arc cosine of the dot
/// product loses half the digits (W. Kahan, "How Futile are Mindless Assessments of Roundoff", 2006, §12).
pub(super) fn slerp(from: Quat, to: Quat, fraction: f32) -> Quat {
    let to = if from.dot(to) < 0.0 { -to } else { to };
    let angle = 2.0 * (to - from).length().atan2((to + from).length());
    // Below this angle the chord and the arc differ by less than a rounding error.
    let (from_part, to_part) = if angle < 1e-4 {
        (1.0 - fraction, fraction)
    } else {
        let scale = angle.sin().recip();
        (
            ((1.0 - fraction) * angle).sin() * scale,
            (fraction * angle).sin() * scale,
        )
    };
    (from * from_part + to * to_part).normalize()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ClipBuilder, Hierarchy, Node, NodeId};

    const NODE: NodeId = NodeId(0);

    fn pose() -> Pose {
        let tree = Hierarchy::new(vec![Node::default()], &[None], &[vec![0.0; 2]]).unwrap();
        Pose::new(&tree)
    }

    /// The x of a translation track at `time_secs`.
    fn translation_at(
        interpolation: Interpolation,
        times: &[f32],
        xs: &[f32],
        time_secs: f64,
    ) -> f32 {
        let mut clip = ClipBuilder::new("");
        let timeline = clip.timeline(Timeline::new(times.to_vec()).unwrap());
        let values: Vec<_> = xs.iter().map(|&x| Vec3::new(x, 0.0, 0.0)).collect();
        clip.translation(NODE, timeline, interpolation, values)
            .unwrap();
        let mut pose = pose();
        sample(
            &clip.finish(),
            time_secs,
            &mut Cursors::default(),
            &mut pose,
        );
        pose.locals[0].translation.x
    }

    #[test]
    fn holds_first_key_before_start_and_last_key_after_end() {
        for kind in [Interpolation::Step, Interpolation::Linear] {
            assert_eq!(translation_at(kind, &[1.0, 2.0], &[5.0, 7.0], -3.0), 5.0);
            assert_eq!(translation_at(kind, &[1.0, 2.0], &[5.0, 7.0], 0.999), 5.0);
            assert_eq!(translation_at(kind, &[1.0, 2.0], &[5.0, 7.0], 2.0), 7.0);
            assert_eq!(translation_at(kind, &[1.0, 2.0], &[5.0, 7.0], 99.0), 7.0);
        }
    }

    #[test]
    fn one_key_is_a_constant() {
        for time in [-1.0, 1.0, 2.0, f64::NAN] {
            assert_eq!(
                translation_at(Interpolation::Linear, &[1.0], &[5.0], time),
                5.0
            );
            let spline = &[9.0, 5.0, 9.0];
            assert_eq!(
                translation_at(Interpolation::CubicSpline, &[1.0], spline, time),
                5.0
            );
        }
    }

    #[test]
    fn step_never_interpolates() {
        let at = |time| translation_at(Interpolation::Step, &[0.0, 1.0], &[5.0, 7.0], time);
        assert_eq!((at(0.0), at(0.999), at(1.0)), (5.0, 5.0, 7.0));
    }

    #[test]
    fn linear_is_exact_on_keys_and_straight_between() {
        let at = |time| {
            translation_at(
                Interpolation::Linear,
                &[0.0, 1.0, 3.0],
                &[5.0, 7.0, -1.0],
                time,
            )
        };
        assert_eq!(
            (at(0.0), at(0.5), at(1.0), at(2.5), at(3.0)),
            (5.0, 6.0, 7.0, 1.0, -1.0)
        );
    }

    #[test]
    fn equal_times_jump_without_dividing_by_zero() {
        let at = |time| {
            translation_at(
                Interpolation::Linear,
                &[0.0, 1.0, 1.0, 2.0],
                &[0.0, 1.0, 5.0, 6.0],
                time,
            )
        };
        assert_eq!((at(0.5), at(1.0), at(1.5)), (0.5, 5.0, 5.5));
        let all_equal = translation_at(Interpolation::Linear, &[1.0, 1.0], &[3.0, 4.0], 1.0);
        assert_eq!(all_equal, 4.0);
    }

    #[test]
    fn cubic_spline_passes_through_keys_with_tangents_scaled_by_the_key_distance() {
        // In- and out-tangents of 1 unit a second over two seconds between 0 and 2: the straight line.
        let xs = &[1.0, 0.0, 1.0, 1.0, 2.0, 1.0];
        let at = |time| translation_at(Interpolation::CubicSpline, &[0.0, 2.0], xs, time);
        for time in [0.0_f32, 0.5, 1.0, 1.7, 2.0] {
            assert!(
                (at(f64::from(time)) - time).abs() < 1e-6,
                "at {time}: {}",
                at(f64::from(time))
            );
        }
    }

    #[test]
    fn weights_keep_their_lanes() {
        let mut clip = ClipBuilder::new("");
        let timeline = clip.timeline(Timeline::new(vec![0.0, 1.0]).unwrap());
        let values = vec![0.0, 1.0, 1.0, 0.0];
        clip.weights(NODE, timeline, Interpolation::Linear, 2, values)
            .unwrap();
        let mut pose = pose();
        sample(&clip.finish(), 0.25, &mut Cursors::default(), &mut pose);
        assert_eq!(pose.weights, [0.25, 0.75]);
    }

    #[test]
    fn a_step_at_a_key_shows_that_key() {
        // A clock's 64 bits put the thirtieth part of a second before the key's 32.
        let times: Vec<f32> = (0..31).map(|frame| frame as f32 / 30.0).collect();
        let xs: Vec<f32> = (0..31).map(|frame| frame as f32).collect();
        for kind in [Interpolation::Step, Interpolation::Linear] {
            for frame in 0..31 {
                let shown = translation_at(kind, &times, &xs, f64::from(frame) / 30.0);
                assert!(
                    (shown - frame as f32).abs() < 1e-4,
                    "{kind:?} {frame}: {shown}"
                );
            }
        }
    }

    #[test]
    fn slerp_agrees_with_double_precision_and_takes_the_shorter_arc() {
        let axis = Vec3::new(1.0, 2.0, -0.5).normalize();
        let (mut worst, mut worst_at) = (0.0_f64, (0.0, 0.0));
        for degrees in [1e-4, 0.01, 0.5, 5.0, 45.0, 90.0, 150.0, 179.0] {
            for fraction in [0.0, 0.1, 0.5, 0.77, 1.0] {
                let from = Quat::from_axis_angle(axis, 0.3);
                let to = Quat::from_axis_angle(axis, 0.3 + f32::to_radians(degrees));
                let exact = {
                    let half = 0.5 * (0.3 + f64::from(fraction) * f64::from(degrees).to_radians());
                    let axis = axis.as_dvec3().normalize() * half.sin();
                    [axis.x, axis.y, axis.z, half.cos()]
                };
                for to in [to, -to] {
                    let found = slerp(from, to, fraction).to_array().map(f64::from);
                    let sign = if found[3] * exact[3] < 0.0 { -1.0 } else { 1.0 };
                    for (found, exact) in found.iter().zip(exact) {
                        let error = (sign * found - exact).abs();
                        if error > worst {
                            (worst, worst_at) = (error, (degrees, fraction));
                        }
                    }
                }
            }
        }
        assert!(worst < 3e-7, "off by {worst:e} at {worst_at:?}");
    }
}
