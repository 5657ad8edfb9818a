//! An attack: a jump with which a clip begins, and which is meant. It is found as any other, but nobody is told of it who has
//! not asked for that clip. There are two kinds, in the first or second interval of a clip:
//!
//! - *A recoil.* The node sinks back to where it began, in steps each of which is less than a third of the jump, and is never
//!   farther from there than where the jump led: an arm that is thrown up by a shot. In the last quarter of the clip it is
//!   within a quarter of the jump from there. A first key out of line leads nowhere back; nor does one that was written over
//!   by the last, to close a loop: such a node goes on until the end.
//! - *A burst.* The jump dies away, as what an explosion throws does: the next interval goes an eighth of it at least, the one
//!   after that less, and the third less again, half of the next at most; and none of those around that follows goes three
//!   quarters of the next. It may come later where the node rests before, and the other way round at the end of a clip. After
//!   a key out of line a node goes on as usual: where a limb slows at the end of its swing, it is soon as fast again.

use super::{OwnMotion, rests};
use crate::anim::analysis::usual::WINDOW;

/// Intervals before a jump with which a clip begins.
const BEFORE: usize = 1;
/// Parts of a jump: what is left of it at the end, how long steps back are, and how far the next interval of a burst goes.
const LEFT: f32 = 0.25;
const STEPS: f32 = 1.0 / 3.0;
const NEXT: f32 = 0.125;
/// A part of a clip: the end of a recoil, in which little is left of it.
const END: usize = 4;
/// Parts of the next interval of a burst: how far the third goes, and those that follow.
const THIRD: f32 = 0.5;
const FOLLOWING: f32 = 0.75;
/// How many follow: with the second and the third those that are around a jump.
const FOLLOWING_INTERVALS: usize = WINDOW - 2;

impl OwnMotion {
    /// Whether a jump in one of its intervals is an attack.
    pub(super) fn is_attack(&self, jump: usize) -> bool {
        let speed = self.speeds[jump];
        let to_start = self.speeds[..jump].iter().rev();
        let to_end = self.speeds[jump + 1..].iter();
        dies_away(speed, to_end.clone()) && is_quiet(speed, to_start.clone())
            || dies_away(speed, to_start) && is_quiet(speed, to_end)
            || self.is_recoil(jump)
    }

    /// Whether it takes a jump back, step by step.
    fn is_recoil(&self, jump: usize) -> bool {
        let (speed, all) = (self.speeds[jump], self.speeds.len());
        if jump > BEFORE {
            return false;
        }
        let jumped = self.length_between(jump, jump + 1);
        let sinks_back = |time: usize| {
            let is_end = time >= all - all / END;
            let most = if is_end { LEFT * jumped } else { jumped };
            self.length_between(jump, time) <= most
        };
        let mut steps = self.speeds[jump + 1..].iter();
        steps.all(|step| *step < STEPS * speed) && (jump + 2..=all).all(sinks_back)
    }
}

/// Whether a jump goes over into these intervals.
fn dies_away<'a>(speed: f32, mut intervals: impl Iterator<Item = &'a f32>) -> bool {
    let (Some(next), Some(second), Some(third)) =
        (intervals.next(), intervals.next(), intervals.next())
    else {
        return false;
    };
    *next >= NEXT * speed
        && second < next
        && third < second
        && *third <= THIRD * next
        && intervals
            .take(FOLLOWING_INTERVALS)
            .all(|following| *following <= FOLLOWING * next)
}

/// Whether there is next to nothing in these intervals, up to the end of a clip, beside a jump. The nearest are first: a jump
/// among them ends the search, so that all jumps of a node together cost O(intervals).
fn is_quiet<'a>(speed: f32, mut intervals: impl ExactSizeIterator<Item = &'a f32>) -> bool {
    intervals.len() <= BEFORE || intervals.all(|usual| rests(*usual, speed))
}
