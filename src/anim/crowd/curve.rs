//! What a track does within one span, in the form that is cheapest to evaluate. Worked out in double precision.
//!
//! A span may be a part of the way between two keys, since spans end wherever *any* track of the clip has a key. That
//! loses nothing: a part of a straight line is one, a part of a cubic is a cubic, a part of an arc is an arc.
//!
//! **Arcs.** Between unit quaternions `p` and `q`, `θ` apart, slerp is `p cos(tθ) + e sin(tθ)` with the unit vector
//! `e = (q − p cos θ) / sin θ` (Shoemake 1985, "Animating rotation with quaternion curves", in the form of a
//! Gram–Schmidt step). With the velocity `v = θ e` the angle needs no place of its own: `tθ = t|v|`, and
//!
//! ```text
//! slerp(t) = p · cos(√y) + v · t · sin(√y)/√y      where y = t² v·v
//! ```
//!
//! Both functions of `y` are entire, so short polynomials do; no division, no root, no inverse cosine, and the result is
//! of unit length without being made so.

use glam::{DQuat, DVec3, DVec4};

use crate::model::{Interpolation, KeyPart, Timeline, Track};

/// A track's values over one span as a polynomial of the fraction: `c[0] + c[1] t + c[2] t² + c[3] t³`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Cubic(pub [DVec4; 4]);

/// A rotation over one span at even speed: from `start`, `velocity` (at right angles to it) radians of arc long.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Arc {
    pub start: DQuat,
    pub velocity: DVec4,
}

/// The part of a way between two keys that a span is.
struct Way {
    /// The key at which it starts.
    key: usize,
    /// The distance to the next key; none if there is none, or the track rests there.
    length_secs: f64,
    /// The fractions of that distance at which the span starts and ends.
    from: f64,
    to: f64,
}

/// The way of which the span `[start_secs, end_secs]` is a part; a single key where the track is at rest.
fn way(timeline: &Timeline, start_secs: f64, end_secs: f64) -> Result<Way, usize> {
    let times = timeline.times_secs();
    let started = times.partition_point(|&time| f64::from(time) <= start_secs);
    if started == 0 || started == times.len() {
        return Err(started.saturating_sub(1));
    }
    let key = started - 1;
    let at_secs = f64::from(times[key]);
    let length_secs = f64::from(times[started]) - at_secs;
    let fraction = |secs: f64| (secs - at_secs) / length_secs;
    Ok(Way {
        key,
        length_secs,
        from: fraction(start_secs),
        to: fraction(end_secs),
    })
}

/// What a track that is not a slerp does over a span. `number` reads the `i`-th of the track's values.
pub(super) fn cubic<T>(
    track: &Track<T>,
    timeline: &Timeline,
    start_secs: f64,
    end_secs: f64,
    number: impl Fn(usize) -> DVec4,
) -> Cubic {
    let interpolation = track.interpolation();
    let part = |key: usize, part: KeyPart| number(interpolation.place(key, part));
    let value = |key: usize| part(key, KeyPart::Value);
    let way = match way(timeline, start_secs, end_secs) {
        Ok(way) if interpolation != Interpolation::Step => way,
        Ok(Way { key, .. }) | Err(key) => {
            return Cubic([value(key), DVec4::ZERO, DVec4::ZERO, DVec4::ZERO]);
        }
    };
    let (p, q) = (value(way.key), value(way.key + 1));
    let whole = if interpolation == Interpolation::CubicSpline {
        // The Hermite basis (glTF 2.0 appendix C.5), sorted by powers.
        let out = part(way.key, KeyPart::OutTangent) * way.length_secs;
        let into = part(way.key + 1, KeyPart::InTangent) * way.length_secs;
        let rise = q - p;
        [
            p,
            out,
            3.0 * rise - 2.0 * out - into,
            out + into - 2.0 * rise,
        ]
    } else {
        [p, q - p, DVec4::ZERO, DVec4::ZERO]
    };
    Cubic(whole).part(way.from, way.to)
}

/// What a track of slerps does over a span.
pub(super) fn arc(
    track: &Track<glam::Quat>,
    timeline: &Timeline,
    start_secs: f64,
    end_secs: f64,
) -> Arc {
    let value = |key: usize| track.values()[key].as_dquat().normalize();
    let at_rest = |key| Arc {
        start: value(key),
        velocity: DVec4::ZERO,
    };
    match way(timeline, start_secs, end_secs) {
        Ok(way) => Arc::between(value(way.key), value(way.key + 1)).part(way.from, way.to),
        Err(key) => at_rest(key),
    }
}

impl Cubic {
    /// The part from one fraction to another as a span of its own.
    fn part(self, from: f64, to: f64) -> Self {
        let [a, b, c, d] = self.0;
        let width = to - from;
        let value = a + from * (b + from * (c + from * d));
        let slope = b + from * (2.0 * c + from * 3.0 * d);
        let bend = c + 3.0 * from * d;
        Self([
            value,
            slope * width,
            bend * width.powi(2),
            d * width.powi(3),
        ])
    }

    /// The value at a fraction.
    #[cfg(test)]
    pub(super) fn at(&self, fraction: f64) -> DVec4 {
        let [a, b, c, d] = self.0;
        a + fraction * (b + fraction * (c + fraction * d))
    }
}

impl Arc {
    /// The shorter way between unit quaternions; the one in force when both are equally long is that of `sample`.
    fn between(from: DQuat, to: DQuat) -> Self {
        let to = if from.dot(to) < 0.0 { -to } else { to };
        // Lengths of difference and sum keep the precision of small angles (W. Kahan 2006, "How Futile are Mindless
        // Assessments of Roundoff", §12).
        let angle = 2.0 * (to - from).length().atan2((to + from).length());
        let (p, q) = (DVec4::from(from), DVec4::from(to));
        let across = q - p * p.dot(q);
        Self {
            start: from,
            velocity: across.normalize_or_zero() * angle,
        }
    }

    /// The part from one fraction to another as a span of its own.
    fn part(self, from: f64, to: f64) -> Self {
        let angle = self.velocity.length();
        let start = DVec4::from(self.start);
        let across = self.velocity.normalize_or_zero();
        let (sin, cos) = (from * angle).sin_cos();
        Self {
            start: DQuat::from_vec4(start * cos + across * sin).normalize(),
            velocity: (across * cos - start * sin) * (angle * (to - from)),
        }
    }

    /// The rotation at a fraction.
    #[cfg(test)]
    pub(super) fn at(&self, fraction: f64) -> DQuat {
        self.part(fraction, fraction).start
    }
}

/// A vector as the first three of four numbers.
pub(super) fn padded(vector: glam::Vec3) -> DVec4 {
    DVec3::extend(vector.as_dvec3(), 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_cubic_is_the_same_cubic() {
        let cubic = Cubic([1.0, -2.0, 0.5, 3.0].map(DVec4::splat));
        let part = cubic.part(0.25, 0.75);
        for step in 0..=10 {
            let t = f64::from(step) / 10.0;
            let expected = cubic.at(0.25 + 0.5 * t);
            assert!((part.at(t) - expected).length() < 1e-14, "at {t}");
        }
    }

    #[test]
    fn a_part_of_an_arc_is_the_same_arc() {
        for degrees in [0.0, 1e-5, 30.0, 170.0, 180.0] {
            let from = DQuat::from_rotation_x(0.3);
            let to = DQuat::from_rotation_z(f64::to_radians(degrees)) * from;
            let arc = Arc::between(from, -to);
            let part = arc.part(0.2, 0.7);
            for step in 0..=10 {
                let t = f64::from(step) / 10.0;
                let (found, whole) = (part.at(t), arc.at(0.2 + 0.5 * t));
                let angle = f64::to_radians(degrees) * (0.2 + 0.5 * t);
                let expected = DQuat::from_rotation_z(angle) * from;
                assert!((found - whole).length() < 1e-14, "{degrees}° at {t}");
                // There are two ways of half a turn: either will do.
                let is_way = found.dot(expected).abs() > 1.0 - 1e-14;
                assert!(is_way || degrees == 180.0, "{degrees}° at {t}");
            }
        }
    }
}
