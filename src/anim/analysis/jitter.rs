//! Jitter: a node that turns back at every key.
//!
//! Noise of a capture, and angles that flip from key to key, throw a node to and fro: at eight keys or more, one after the
//! other, it goes back at least three quarters of the way that it came, and the ways are as long as may be seen. What moves,
//! be it fast, goes on for two keys at least. What spins by more than a third of a turn a key is nearer after two keys than
//! after one, but goes on, too: its turns keep their axis and their sense. What spins so shakes where its shift by itself turns
//! back.

use glam::{Quat, Vec3};

use super::{
    own_motion::{OwnMotion, Part, Way},
    pops::Deed,
    usual::median,
};
use crate::model::NodeId;

/// Keys one after the other.
const LEAST_KEYS: usize = 8;
/// A part of the model's size that each step goes at least.
const LEAST_STEP: f32 = 0.005;
/// A part of the steps: two of them together go less far.
const TURNS_BACK: f32 = 0.5;
/// The cosine of the angle by which the axis of a spin wanders from key to key, at most: 60°.
const KEEPS_AXIS: f32 = 0.5;

/// A node that shakes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Jitter {
    /// The node.
    pub node: NodeId,
    /// When it begins.
    pub start_secs: f64,
    /// When it is over.
    pub end_secs: f64,
    /// At how many keys it turns back.
    pub keys: usize,
    /// What it does from key to key, by the median, and how much of that is left without the shaking.
    pub does: Deed,
    /// How far what hangs on it goes then, in the model's units.
    pub way: f32,
}

/// The longest jitter of a node, if it has any.
pub(super) fn find(motion: &OwnMotion, size: f32, window: &mut Vec<f32>) -> Option<Jitter> {
    let least_speed = LEAST_STEP * size / motion.step_secs as f32;
    // By which part of its motion.
    let turns_back = |at: usize| {
        let goes_back = |[first, second]: [f32; 2], stride: f32, seen: f32| {
            let least = first.min(second);
            least > seen && least.is_finite() && stride < TURNS_BACK * least
        };
        let (speeds, stride) = (
            [0, 1].map(|next| motion.speeds[at + next]),
            motion.strides[at],
        );
        if !goes_back(speeds, stride, least_speed) {
            return None;
        }
        if goes_back(speeds, stride + motion.spun_past(at), least_speed) {
            return Some(Part::Whole);
        }
        let shifts = [0, 1].map(|next| motion.ways[at + next].shift);
        let shift = motion.way_between(at, at + 2).shift;
        goes_back(shifts, shift, LEAST_STEP * size).then_some(Part::Shift)
    };
    let (mut first, mut keys, mut part) = (0, 0, Part::Whole);
    // Keys up to this one that turn back by the whole, and by the shift.
    let mut runs = [0, 0];
    for at in 0..motion.strides.len() {
        let found = turns_back(at);
        for (run, by) in runs.iter_mut().zip([Part::Whole, Part::Shift]) {
            *run = if found == Some(by) { *run + 1 } else { 0 };
            if *run > keys {
                (first, keys, part) = (at + 1 - *run, *run, by);
            }
        }
    }
    if keys < LEAST_KEYS {
        return None;
    }
    let intervals = first..=first + keys;
    let mut usual = |ways: &mut dyn Iterator<Item = f32>| {
        window.clear();
        window.extend(ways);
        median(window)
    };
    let mut of =
        |part: fn(&Way) -> f32| usual(&mut motion.ways[intervals.clone()].iter().map(part));
    let way = Way {
        shift: of(|way| way.shift),
        turn: of(|way| way.turn),
        growth: of(|way| way.growth),
    };
    let does = Deed::new(way, part, motion.reach, |part| {
        let strides = (first..first + keys).map(|at| motion.way_between(at, at + 2));
        0.5 * usual(&mut strides.map(|way| part(&way)))
    });
    Some(Jitter {
        node: motion.node,
        start_secs: motion.times_secs[first],
        end_secs: motion.times_secs[first + keys + 1],
        keys,
        does,
        way: way.length(part, motion.reach),
    })
}

impl OwnMotion {
    /// How much faster its stride from one of its times would be if it did not end on the shorter way round: nothing unless the
    /// two turns in it are about one axis in one sense.
    fn spun_past(&self, at: usize) -> f32 {
        let [first, second] = [at, at + 1].map(|interval| {
            let [from, to] = [interval, interval + 1].map(|time| self.transforms[time].rotation);
            sine_along_axis(from.inverse() * to)
        });
        let keeps_axis = first.dot(second) > KEEPS_AXIS * first.length() * second.length();
        if !keeps_axis {
            return 0.0;
        }
        let turn = self.ways[at].turn + self.ways[at + 1].turn;
        let past = (turn - self.way_between(at, at + 2).turn).max(0.0);
        self.reach * past / self.step_secs as f32
    }
}

/// The axis of a rotation by half a turn at most, as long as the sine of half of its angle.
fn sine_along_axis(rotation: Quat) -> Vec3 {
    let along = rotation.xyz();
    if rotation.w < 0.0 { -along } else { along }
}
