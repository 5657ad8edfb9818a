//! Pops: a node that moves far faster in one interval than in those around it.
//!
//! A node's speed is that of its own local motion, from key to key or from frame to frame ([`OwnMotion`]), so that a pop is
//! found where it is made and not at everything below: the shift of its origin plus the turn times the node's reach, the
//! length of what hangs on it (`reach`), in the model's units a second. A pop is either one interval, a jump; or two, a
//! single key out of line; or up to five, of which the first leads out of line and the last back. There are two tests:
//!
//! *By its speed.* It stands out in what is calm around it. Of a key out of line both intervals are meant, there and back,
//! so that the two together go less than half as far as either. All of this holds for it:
//!
//! - It is more than 3 times as fast as the interval before and the one after: what is meant to be fast gathers speed.
//! - It is an outlier among the intervals around it, eight on either side and its neighbours left out: more than 6
//!   standard deviations above the median, estimated as 1.4826 × the median absolute deviation (the identifier of
//!   F. R. Hampel, "The influence curve and its role in robust estimation", 1974; L. Davies, U. Gather, "The
//!   identification of multiple outliers", 1993). Of a key out of line this holds for its speed, or for its bend.
//! - It goes more than 1 % of the model's size farther than the median speed would: what is less is not seen.
//! - Of several keys out of line the first and the last interval are meant, which are that much faster than those between,
//!   too; and all together go less than half as far as either.
//!
//! *By its bend*, how far a key is from the middle between the keys before and after. A knee in mid-swing may be fast all
//! the time, but goes evenly: a key out of line there makes one interval longer and one shorter, and neither is thrice its
//! neighbours until it is out by more than thrice what the knee turns in a frame. But it has a bend:
//!
//! - That is an outlier among the bends around it, as above, by more than 1 % of the model's size.
//! - Without the key the motion is even: with it in the middle, the bends before and after are less than a quarter of its
//!   own. Where a motion jumps for good, they are half of it.
//! - Without the key the motion goes on: from two keys before to two keys after it is as far as the ways of the first and
//!   the last of these intervals together. Bites and strikes gather speed up to the key, and come back from there.
//! - The node turns back: the two intervals together go less far than one of them. What is less only delays it by part of a
//!   frame.
//!
//! What either test finds is a pop. Both are asked of each interval, first for a key out of line by its speed, then by its
//! bend, and then for a jump, so that a key of which one interval stands out alone is a key all the same.
//!
//! Besides, *a spin*, which turns all the way round within a few keys and is back where it was (`spin`), and *keys that are
//! held* out of line, however many: two jumps of which the second takes the first back (`held`). Jumps with which a clip begins
//! on purpose are found, and known as such (`attack`).
//!
//! A node that turns all the time may jump by its shift alone, and the other way round: each of both is looked at by itself,
//! too.
//!
//! STEP tracks jump because they are meant to; they are left out. Cost: O(frames) for each node that moves, thrice of those
//! that are shifted and turned.

mod attack;
mod held;
mod spin;

use std::cmp::Ordering;

use super::{
    own_motion::{OwnMotion, Part, Way},
    usual::{Looks, Usual, around, median},
};
use crate::model::NodeId;
pub(super) use held::join as join_held;

const TIMES_NEIGHBOURS: f32 = 3.0;
/// A part of a key's bend: what is left around it without it.
const EVEN: f32 = 0.25;
/// Intervals of several keys out of line that may lie still between.
const MANY_KEYS: std::ops::RangeInclusive<usize> = 3..=5;
/// A part of the model's size: what is less is no jump.
const LEAST_JUMP: f32 = 0.01;
/// A part of what a pop does: what usually does less rests.
const RESTS: f32 = 1e-3;

/// A jump of a node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pop {
    /// The node.
    pub node: NodeId,
    /// When it begins.
    pub start_secs: f64,
    /// When it is over.
    pub end_secs: f64,
    /// How many intervals later that is.
    pub intervals: usize,
    /// How fast the farthest of what hangs on it goes, in the model's units a second: its own shift and its turn together.
    /// Of a key that is found by its bend, how fast beside the way that it should go.
    pub speed: f32,
    /// The median of that around it.
    pub usual_speed: f32,
    /// What the node itself does in the first interval; of a key that is found by its bend, in the faster one.
    pub does: Deed,
    /// Whether it comes back in the last interval, as from keys out of line.
    pub comes_back: bool,
    /// How far what hangs on it is out of line then, in the model's units: from the middle between before and after. Of a
    /// jump and of several keys 0.
    pub bend: f32,
    /// What it is by its shift or its turn alone, if it stands out by that.
    pub alone: Option<Alone>,
    /// Whether it is a jump with which a clip begins on purpose: a recoil, or what an explosion throws.
    pub is_attack: bool,
}

/// A pop by a part of a node's motion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Alone {
    /// The part.
    pub part: Part,
    /// As [`Pop::speed`].
    pub speed: f32,
    /// As [`Pop::usual_speed`].
    pub usual_speed: f32,
    /// As [`Pop::bend`].
    pub bend: f32,
}

/// What of a node's own motion carries what hangs on it farthest, and how much of that is usual around it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Deed {
    /// It turns against its parent.
    Turn {
        /// By this angle.
        degrees: f32,
        /// The median around it.
        usual_degrees: f32,
    },
    /// It turns all the way round, and is where it was.
    Spin {
        /// By this angle altogether.
        degrees: f32,
        /// The median around it of an interval.
        usual_degrees: f32,
    },
    /// Its origin moves against its parent.
    Shift {
        /// So far, in the model's units.
        distance: f32,
        /// The median around it.
        usual_distance: f32,
    },
    /// Its scale changes along one of its axes.
    Growth {
        /// By so much.
        amount: f32,
        /// The median around it.
        usual_amount: f32,
    },
}

impl Deed {
    /// What a node does in its interval `at`, one of the `width` intervals of a pop.
    fn of(motion: &OwnMotion, at: usize, start: usize, width: usize, looks: &mut Looks) -> Self {
        Self::new(motion.ways[at], motion.part, motion.reach, |part| {
            let ways = &motion.ways;
            looks.window.clear();
            let around = around(ways, start, start + width).flatten();
            looks.window.extend(around.map(part));
            median(&mut looks.window)
        })
    }

    /// What carries farthest of a way, or of a part of it; `usual` says how much of that is usual.
    pub(super) fn new(
        way: Way,
        part: Part,
        reach: f32,
        mut usual: impl FnMut(fn(&Way) -> f32) -> f32,
    ) -> Self {
        let [turn, growth] = [way.turn, way.growth].map(|part| part * reach);
        let is_turn = match part {
            Part::Whole => turn >= way.shift && turn >= growth,
            Part::Shift => false,
            Part::Turn => true,
        };
        if is_turn {
            Self::Turn {
                degrees: way.turn.to_degrees(),
                usual_degrees: usual(|way| way.turn).to_degrees(),
            }
        } else if way.shift >= growth || part == Part::Shift {
            Self::Shift {
                distance: way.shift,
                usual_distance: usual(|way| way.shift),
            }
        } else {
            Self::Growth {
                amount: way.growth,
                usual_amount: usual(|way| way.growth),
            }
        }
    }

    /// A turn that is but one interval of a spin by so much.
    fn spun(self, degrees: f32) -> Self {
        match self {
            Self::Turn { usual_degrees, .. } => Self::Spin {
                degrees,
                usual_degrees,
            },
            other => other,
        }
    }
}

impl Pop {
    /// How long each of its intervals lasts.
    pub(super) fn interval_secs(&self) -> f64 {
        (self.end_secs - self.start_secs) / self.intervals.max(1) as f64
    }

    /// The worse one first: that which exceeds what is around it by more. Of equals the one of the node before, and the
    /// earlier.
    pub(super) fn by_excess(&self, other: &Self) -> Ordering {
        let excess = |pop: &Self| pop.speed - pop.usual_speed;
        let order = excess(other).total_cmp(&excess(self));
        let order = order.then(self.node.cmp(&other.node));
        order.then(self.start_secs.total_cmp(&other.start_secs))
    }
}

/// Lets go of all but the worst `most` pops, in any order, once there are twice as many.
pub(super) fn keep_worst(pops: &mut Vec<Pop>, most: usize) {
    if pops.len() > 2 * most {
        pops.select_nth_unstable_by(most, Pop::by_excess);
        pops.truncate(most);
    }
}

/// Whether what usually does `usual` rests beside a pop that does `amount`.
pub(super) fn rests(usual: f32, amount: f32) -> bool {
    usual <= RESTS * amount
}

/// Adds the pops of a node by the part of its motion that is looked at. Those from `known` on are its own, in the order of
/// time: one of them that is found again by a part alone is told so, and of those that meet another no more is said. A part
/// that rests jumps on purpose.
pub(super) fn find(
    motion: &OwnMotion,
    size: f32,
    looks: &mut Looks,
    (pops, known): (&mut Vec<Pop>, usize),
) {
    let (speeds, times_secs) = (motion.speeds.as_slice(), motion.times_secs.as_slice());
    let old = pops.len();
    let mut start = 0;
    while start < speeds.len() {
        let found = look(motion, start, 2, size, looks)
            .or_else(|| look_at_bend(motion, start, size, looks))
            .or_else(|| look_at_keys(motion, start, size, looks))
            .or_else(|| spin::look(motion, start, size, looks))
            .or_else(|| look(motion, start, 1, size, looks));
        let Some(found) = found else {
            start += 1;
            continue;
        };
        let width = found.width;
        let (start_secs, end_secs) = (times_secs[start], times_secs[start + width]);
        let alone = (motion.part != Part::Whole).then_some(Alone {
            part: motion.part,
            speed: found.speed,
            usual_speed: found.usual_speed,
            bend: found.bend,
        });
        let meets = |pop: &&mut Pop| pop.start_secs < end_secs && start_secs < pop.end_secs;
        if let Some(pop) = pops[known..old].iter_mut().find(meets) {
            if pop.intervals == width && pop.start_secs == start_secs {
                pop.alone = pop.alone.or(alone);
            }
        } else if alone.is_none_or(|it| !rests(it.usual_speed, it.speed)) {
            let does = Deed::of(motion, found.at, start, width, looks);
            pops.push(Pop {
                node: motion.node,
                start_secs,
                end_secs,
                intervals: width,
                speed: found.speed,
                usual_speed: found.usual_speed,
                does: found
                    .spin_degrees
                    .map_or(does, |degrees| does.spun(degrees)),
                comes_back: width > 1,
                bend: found.bend,
                alone,
                is_attack: width == 1 && motion.is_attack(start),
            });
        }
        start += width;
    }
    pops[known..].sort_by(|a, b| a.start_secs.total_cmp(&b.start_secs));
}

/// A pop of so many intervals.
struct Found {
    width: usize,
    /// The interval that shows it.
    at: usize,
    speed: f32,
    usual_speed: f32,
    bend: f32,
    /// Of a spin how far it turns altogether.
    spin_degrees: Option<f32>,
}

/// Whether the `width` intervals of a node from `start` are a pop.
fn look(
    motion: &OwnMotion,
    start: usize,
    width: usize,
    size: f32,
    looks: &mut Looks,
) -> Option<Found> {
    let seen = LEAST_JUMP * size / motion.step_secs as f32;
    let speed = least_speed(&motion.speeds, start, width, seen)?;
    let usual = Usual::around(&motion.speeds, start, start + width, looks)?;
    let is_fast = usual.is_exceeded_by(speed, seen);
    let found = |bend| Found {
        width,
        at: start,
        speed,
        usual_speed: usual.median,
        bend,
        spin_degrees: None,
    };
    if width == 1 {
        return is_fast.then(|| found(0.0));
    }
    let (stride, bend) = (*motion.strides.get(start)?, *motion.bends.get(start)?);
    if stride >= 0.5 * speed {
        return None;
    }
    let is_far = is_fast || {
        let usual = Usual::around(&motion.bends, start, start + 1, looks)?;
        usual.is_exceeded_by(bend, LEAST_JUMP * size)
    };
    is_far.then(|| found(bend))
}

/// Whether the key between the two intervals of a node from `start` is out of line by its bend.
fn look_at_bend(motion: &OwnMotion, start: usize, size: f32, looks: &mut Looks) -> Option<Found> {
    let (bend, stride) = (*motion.bends.get(start)?, *motion.strides.get(start)?);
    // Most keys end here. NaN does, too.
    if bend
        .partial_cmp(&(LEAST_JUMP * size))
        .is_none_or(Ordering::is_le)
        || bend.is_infinite()
    {
        return None;
    }
    let [first, second] = [start, start + 1].map(|interval| motion.speeds[interval]);
    let usual = Usual::around(&motion.bends, start, start + 1, looks)?;
    let is_found = stride < first.max(second)
        && usual.is_exceeded_by(bend, LEAST_JUMP * size)
        && motion.bend_without(start + 1)? < EVEN * bend;
    if !is_found {
        return None;
    }
    Some(Found {
        width: 2,
        at: start + usize::from(second > first),
        speed: bend / motion.step_secs as f32,
        usual_speed: Usual::around(&motion.speeds, start, start + 2, looks)?.median,
        bend,
        spin_degrees: None,
    })
}

/// Whether some keys of a node from `start` are out of line, one like the other.
fn look_at_keys(motion: &OwnMotion, start: usize, size: f32, looks: &mut Looks) -> Option<Found> {
    let seen = LEAST_JUMP * size / motion.step_secs as f32;
    let speeds = &motion.speeds;
    // Most intervals end here. NaN does, too.
    if speeds[start].partial_cmp(&seen).is_none_or(Ordering::is_le) {
        return None;
    }
    let mut widths = MANY_KEYS;
    widths.find_map(|width| {
        let end = start + width;
        let [first, between @ .., last] = speeds.get(start..end)? else {
            return None;
        };
        let speed = first.min(*last);
        let around = [start.checked_sub(1), Some(end)].into_iter().flatten();
        let around = around.filter_map(|interval| speeds.get(interval));
        let others = around.chain(between).copied().fold(0.0, f32::max);
        let stands_out = speed > seen && speed > TIMES_NEIGHBOURS * others && speed.is_finite();
        let comes_back =
            || motion.length_between(start, end) < 0.5 * speed * motion.step_secs as f32;
        if !stands_out || !comes_back() {
            return None;
        }
        let usual = Usual::around(speeds, start, end, looks)?;
        usual.is_exceeded_by(speed, seen).then_some(Found {
            width,
            at: start,
            speed,
            usual_speed: usual.median,
            bend: 0.0,
            spin_degrees: None,
        })
    })
}

/// The least speed of the `width` intervals from `start`, if they are faster than `seen` and than their neighbours.
fn least_speed(speeds: &[f32], start: usize, width: usize, seen: f32) -> Option<f32> {
    let end = start + width;
    let inside = speeds.get(start..end)?;
    let speed = inside.iter().copied().fold(f32::INFINITY, f32::min);
    // Most intervals end here. NaN does, too.
    if speed.partial_cmp(&seen).is_none_or(Ordering::is_le) || speed.is_infinite() {
        return None;
    }
    let before = start.checked_sub(1).map_or(0.0, |index| speeds[index]);
    let after = speeds.get(end).copied().unwrap_or(0.0);
    (speed > TIMES_NEIGHBOURS * before.max(after)).then_some(speed)
}

#[cfg(test)]
mod tests;
