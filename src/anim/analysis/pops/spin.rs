//! A spin: a node that is calm turns all the way round within a few keys, and is back where it was. Angles that pass through
//! a gimbal's lock do that where they become quaternions.
//!
//! Each of its intervals turns by 30° at least, more than twice as fast as those before and after, all together by 270° or
//! more; and the node ends within a quarter of a turn of that kind from where it began. Weapons that are twirled gather
//! speed.

use super::{Found, LEAST_JUMP, Looks, OwnMotion, Usual};

/// Intervals of a spin.
const WIDTHS: std::ops::RangeInclusive<usize> = 4..=9;
/// In radians.
const LEAST_TURN: f32 = std::f32::consts::FRAC_PI_6;
const LEAST_WHOLE: f32 = 4.712;
const TIMES_NEIGHBOURS: f32 = 2.0;
/// A part of its least interval.
const COMES_BACK: f32 = 0.5;

/// Whether a node spins from `start`.
pub(super) fn look(
    motion: &OwnMotion,
    start: usize,
    size: f32,
    looks: &mut Looks,
) -> Option<Found> {
    let turn = |interval: usize| motion.ways.get(interval).map_or(0.0, |way| way.turn);
    let width = (start..motion.ways.len())
        .take(*WIDTHS.end() + 1)
        .take_while(|interval| turn(*interval) >= LEAST_TURN)
        .count();
    let end = start + width;
    let whole: f32 = (start..end).map(turn).sum();
    // Most intervals end here.
    if !WIDTHS.contains(&width) || whole < LEAST_WHOLE || start == 0 {
        return None;
    }
    let least = |values: &[f32]| values.iter().copied().fold(f32::INFINITY, f32::min);
    let speed = least(&motion.speeds[start..end]);
    let around = motion.speeds[start - 1].max(motion.speeds.get(end).copied().unwrap_or(0.0));
    let back = COMES_BACK * speed * motion.step_secs as f32;
    if speed <= TIMES_NEIGHBOURS * around || motion.length_between(start, end) > back {
        return None;
    }
    let usual = Usual::around(&motion.speeds, start, end, looks)?;
    let seen = LEAST_JUMP * size / motion.step_secs as f32;
    usual.is_exceeded_by(speed, seen).then_some(Found {
        width,
        at: start,
        speed,
        usual_speed: usual.median,
        bend: 0.0,
        spin_degrees: Some(whole.to_degrees()),
    })
}
