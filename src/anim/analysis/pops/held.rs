//! Keys that are held out of line: two jumps of a node of which the second takes the first back, however long after.
//!
//! A node that jumps into another pose, rests there and jumps back does so on purpose, as lids and doors do. But one that
//! goes on moving, before, between and after, has been put aside: its two jumps are one pop. It has no others.

use glam::Vec3;

use super::{OwnMotion, Pop};
use crate::anim::{analysis::usual::median, orientation::angle_between};

/// A part of the jumps: how far what is left of both may go.
const TAKEN_BACK: f32 = 0.25;
/// A part of the jumps: what goes less far in an interval rests.
const MOVES: f32 = 0.01;

/// Joins the two jumps of a node, whose pops are those from `known` on, if the second takes the first back.
pub(in crate::anim::analysis) fn join(
    motion: &OwnMotion,
    pops: &mut Vec<Pop>,
    known: usize,
    window: &mut Vec<f32>,
) {
    let own = &pops[known..];
    let mut jumps = (known..).zip(own).filter(|(_, pop)| pop.intervals == 1);
    let (Some((first, a)), Some((second, b)), None) = (jumps.next(), jumps.next(), jumps.next())
    else {
        return;
    };
    if second != first + 1 {
        return;
    }
    let index = |secs: f64| motion.times_secs.partition_point(|time| *time < secs);
    let [from, to] = [a, b].map(|pop| index(pop.start_secs));
    let speed = a.speed.min(b.speed);
    let left = motion.left_of_both(from, to);
    let is_back = left < TAKEN_BACK * speed * motion.step_secs as f32;
    window.clear();
    window.extend(motion.speeds.get(from + 1..to).unwrap_or_default());
    if !is_back || window.is_empty() {
        return;
    }
    let moves = MOVES * speed;
    if median(window) < moves || a.usual_speed.min(b.usual_speed) < moves {
        return;
    }
    let joined = Pop {
        end_secs: b.end_secs,
        intervals: to + 1 - from,
        speed,
        usual_speed: a.usual_speed.max(b.usual_speed),
        comes_back: true,
        alone: None,
        is_attack: false,
        ..*a
    };
    pops[first] = joined;
    pops.remove(second);
}

impl OwnMotion {
    /// How far what hangs on the node goes by two of its intervals together, in the model's units: nothing if the second
    /// takes back what the first does.
    fn left_of_both(&self, first: usize, second: usize) -> f32 {
        let ways = [first, second].map(|interval| {
            let [from, to] = [interval, interval + 1].map(|time| &self.transforms[time]);
            (
                to.translation - from.translation,
                from.rotation.inverse() * to.rotation,
                to.scale - from.scale,
            )
        });
        let [(shift, turn, growth), (back, turn_back, shrinks)] = ways;
        let shift: Vec3 = shift + back;
        let turn = angle_between(turn, turn_back.inverse()) as f32;
        let growth: Vec3 = growth + shrinks;
        self.unit * shift.length() + self.reach * (turn + growth.abs().max_element())
    }
}
