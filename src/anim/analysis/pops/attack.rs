//! An attack: a jump with which a clip begins, and which is meant. It is found as any other, but nobody is told of it who has
//! not asked for that clip. There are two kinds, in the first or second interval of a clip:
//!
//! - *A recoil.* The node goes back to where it began, in steps each of which is less than a third of the jump, and ends within
//!   a quarter of it from there: an arm that is thrown up by a shot. A first key out of line leads nowhere back.
//! - *A burst.* The jump dies away, as what an explosion throws does: the next interval goes an eighth of it at least, the one
//!   after that less, and the third less again, half of the next at most. It may come later where the node rests before, and
//!   the other way round at the end of a clip. After a key out of line a node goes on as usual.

use super::{OwnMotion, rests};

/// Intervals before a jump with which a clip begins.
const BEFORE: usize = 1;
/// Parts of a jump: what is left of it at the end, how long steps back are, and how far the next interval of a burst goes.
const LEFT: f32 = 0.25;
const STEPS: f32 = 1.0 / 3.0;
const NEXT: f32 = 0.125;
/// A part of the next interval of a burst: how far the third goes.
const THIRD: f32 = 0.5;

impl OwnMotion {
    /// Whether a jump in one of its intervals is an attack.
    pub(super) fn is_attack(&self, jump: usize) -> bool {
        let speed = self.speeds[jump];
        let (before, after) = (&self.speeds[..jump], &self.speeds[jump + 1..]);
        let is_quiet = |speeds: &[f32]| {
            speeds.len() <= BEFORE || speeds.iter().all(|usual| rests(*usual, speed))
        };
        let is_recoil = || {
            let jumped = speed * self.step_secs as f32;
            before.len() <= BEFORE
                && after.iter().all(|step| *step < STEPS * speed)
                && self.length_between(jump, self.speeds.len()) < LEFT * jumped
        };
        is_quiet(before) && dies_away(speed, after.iter())
            || is_quiet(after) && dies_away(speed, before.iter().rev())
            || is_recoil()
    }
}

/// Whether a jump goes over into these intervals.
fn dies_away<'a>(speed: f32, mut intervals: impl Iterator<Item = &'a f32>) -> bool {
    let (Some(next), Some(second), Some(third)) =
        (intervals.next(), intervals.next(), intervals.next())
    else {
        return false;
    };
    *next >= NEXT * speed && second < next && third < second && *third <= THIRD * next
}
