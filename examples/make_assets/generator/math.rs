//! Arithmetic that gives the same bits everywhere.
//!
//! IEEE 754 fixes `+ - * /` and `sqrt` to the last bit; `sin` and its kin are left to each C library. So the generator
//! works in `f64`, takes its sine from here, and never calls a transcendental function of the standard library.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use glam::{DQuat, DVec3};

/// Sine of an angle in radians: reduced to a quarter turn, then a Taylor series exact to about 1e-16.
pub fn sin(radians: f64) -> f64 {
    let mut x = radians - TAU * (radians / TAU).round();
    if x > FRAC_PI_2 {
        x = PI - x;
    } else if x < -FRAC_PI_2 {
        x = -PI - x;
    }
    let squared = x * x;
    let (mut term, mut sum) = (x, x);
    for k in 1..12 {
        let n = f64::from(2 * k);
        term *= -squared / (n * (n + 1.0));
        sum += term;
    }
    sum
}

/// Cosine of an angle in radians.
pub fn cos(radians: f64) -> f64 {
    sin(radians + FRAC_PI_2)
}

/// A sine whose period is one: `wave(0.25) == 1`.
pub fn wave(phase: f64) -> f64 {
    sin(phase * TAU)
}

/// Straight-line blend of two numbers.
pub fn mix(a: f64, b: f64, t: f64) -> f64 {
    a + (b - a) * t
}

/// 0 before `from`, 1 after `to`, an S-curve between.
pub fn smooth(from: f64, to: f64, x: f64) -> f64 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// A soft bump: 1 at `distance` 0, falling to 0 with zero slope at `radius`.
pub fn bump(distance: f64, radius: f64) -> f64 {
    let t = (1.0 - (distance / radius) * (distance / radius)).max(0.0);
    t * t
}

/// Cubic Hermite curve from `a` to `b` with end velocities `va` and `vb` per unit of `t`.
pub fn hermite(a: f64, va: f64, b: f64, vb: f64, t: f64) -> f64 {
    let (t2, t3) = (t * t, t * t * t);
    a * (2.0 * t3 - 3.0 * t2 + 1.0)
        + va * (t3 - 2.0 * t2 + t)
        + b * (3.0 * t2 - 2.0 * t3)
        + vb * (t3 - t2)
}

/// A smooth curve through `(time, value)` keys with monotone slopes, so it never overshoots a key; flat beyond the ends.
pub fn curve(keys: &[(f64, f64)], time: f64) -> f64 {
    let slope = |i: usize| -> f64 {
        if i == 0 || i + 1 >= keys.len() {
            return 0.0;
        }
        let before = (keys[i].1 - keys[i - 1].1) / (keys[i].0 - keys[i - 1].0);
        let after = (keys[i + 1].1 - keys[i].1) / (keys[i + 1].0 - keys[i].0);
        // The harmonic mean of Fritsch and Carlson: zero at an extreme, never steeper than twice the gentler side.
        if before * after <= 0.0 {
            0.0
        } else {
            2.0 * before * after / (before + after)
        }
    };
    let Some(next) = keys.iter().position(|key| key.0 > time) else {
        return keys[keys.len() - 1].1;
    };
    if next == 0 {
        return keys[0].1;
    }
    let (a, b) = (keys[next - 1], keys[next]);
    let span = b.0 - a.0;
    hermite(
        a.1,
        slope(next - 1) * span,
        b.1,
        slope(next) * span,
        (time - a.0) / span,
    )
}

/// Rotation by `degrees` about a unit `axis`.
pub fn turn(axis: DVec3, degrees: f64) -> DQuat {
    let half = degrees.to_radians() * 0.5;
    let v = axis * sin(half);
    DQuat::from_xyzw(v.x, v.y, v.z, cos(half))
}

/// Pitch: positive leans a standing thing forwards (towards +Z).
pub fn pitch(degrees: f64) -> DQuat {
    turn(DVec3::X, degrees)
}

/// Yaw: positive turns the gaze from +Z towards +X, the character's left.
pub fn yaw(degrees: f64) -> DQuat {
    turn(DVec3::Y, degrees)
}

/// Roll: positive lifts the character's left side.
pub fn roll(degrees: f64) -> DQuat {
    turn(DVec3::Z, degrees)
}

/// The nearest multiple of 1/65536: an exact `f32` for every number below 256, and 15 micrometres for a length in metres.
pub fn snap(x: f64) -> f64 {
    (x * 65536.0).round() / 65536.0
}

/// `snap` for each component.
pub fn snap3(v: DVec3) -> DVec3 {
    DVec3::new(snap(v.x), snap(v.y), snap(v.z))
}
