//! Rotations along a channel as degrees that do not jump: each follows from the one before, between keys, too.
//!
//! Close to a quarter turn about Y, X and Z swing by up to half a turn within a moment, and another triple of angles may be
//! nearer to the key before. To choose it there would be a jump in the middle of the swing. So such stretches are followed in
//! steps that are as fine as it takes.

use glam::Quat;

use crate::{
    anim::Channel,
    model::{Clip, Interpolation, euler_degrees_near},
    ui::Lanes,
};

/// What turns farther from one step to the next is looked at more closely, in degrees.
const MOST: f32 = 25.0;
/// How often a step is halved at most.
const DEEPEST: u32 = 14;

/// The degrees of a channel.
#[derive(Debug, Clone, Default)]
pub(super) struct Turns {
    /// At its keys.
    pub(super) keys: Vec<Lanes>,
    /// Between keys that are too far apart to tell: when, and what.
    between: Vec<(f64, Lanes)>,
}

impl Turns {
    /// Follows a channel of rotations, whose keys are at these times, from its first key to its last.
    pub(super) fn along(clip: &Clip, channel: Channel, times_secs: &[f32]) -> Self {
        let is_step = channel.interpolation(clip) == Interpolation::Step;
        let mut this = Self::default();
        let mut last: Option<(f64, Lanes)> = None;
        for (key, &time) in times_secs.iter().enumerate() {
            let time_secs = f64::from(time);
            let value = channel.key(clip, key).value;
            let found = match last {
                // What steps has nothing between its keys.
                Some(from) if !is_step => {
                    let at = |time_secs: f64| channel.value(clip, time_secs);
                    this.follow(&at, from, (time_secs, value), 0)
                }
                Some((_, before)) => near(value, before),
                None => near(value, [0.0; 4]),
            };
            this.keys.push(found);
            last = Some((time_secs, found));
        }
        this
    }

    /// What the rotation at the end of a stretch is called, if it is followed from its start.
    fn follow(
        &mut self,
        at: &dyn Fn(f64) -> Lanes,
        (from_secs, from): (f64, Lanes),
        (to_secs, value): (f64, Lanes),
        depth: u32,
    ) -> Lanes {
        let to = near(value, from);
        if depth == DEEPEST || !is_far(from, to) {
            return to;
        }
        let middle_secs = 0.5 * (from_secs + to_secs);
        let middle = self.follow(
            at,
            (from_secs, from),
            (middle_secs, at(middle_secs)),
            depth + 1,
        );
        self.between.push((middle_secs, middle));
        self.follow(at, (middle_secs, middle), (to_secs, value), depth + 1)
    }

    /// The degrees of the rotation at a time, which lies at this key or after it.
    pub(super) fn at(&self, value: Lanes, time_secs: f64, key: usize, key_secs: f64) -> Lanes {
        let known = self.between.partition_point(|(time, _)| *time <= time_secs);
        let known = known
            .checked_sub(1)
            .and_then(|known| self.between.get(known));
        let known = known.filter(|(time, _)| *time > key_secs);
        let key = self.keys.get(key).or(self.keys.last());
        let before = known.map(|(_, degrees)| degrees).or(key);
        near(value, before.copied().unwrap_or_default())
    }
}

/// Whether angles turn far, or Y goes past a quarter turn, which those may do that swing by half a turn meanwhile.
fn is_far(from: Lanes, to: Lanes) -> bool {
    let side = |degrees: Lanes| ((degrees[1] + 90.0) / 180.0).floor();
    let mut ways = from.iter().zip(to).map(|(from, to)| (to - from).abs());
    side(from) != side(to) || ways.any(|way| way > MOST)
}

/// Degrees about X, Y and Z: of all that mean this rotation those closest to `before`.
fn near([x, y, z, w]: Lanes, [before_x, before_y, before_z, _]: Lanes) -> Lanes {
    let rotation = Quat::from_xyzw(x, y, z, w);
    let [x, y, z] = euler_degrees_near(rotation, [before_x, before_y, before_z]);
    [x, y, z, 0.0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ClipBuilder, NodeId, Timeline, from_euler_degrees};

    fn clip(keys: &[[f32; 3]], interpolation: Interpolation) -> Clip {
        let mut builder = ClipBuilder::new("");
        let times = (0..keys.len()).map(|key| key as f32 / 30.0).collect();
        let timeline = builder.timeline(Timeline::new(times).unwrap());
        let values: Vec<_> = keys.iter().map(|key| from_euler_degrees(*key)).collect();
        builder
            .rotation(NodeId(0), timeline, interpolation, values)
            .unwrap();
        builder.finish()
    }

    /// The greatest change of any angle within a thousandth of the clip.
    fn greatest_step(clip: &Clip) -> f32 {
        let channel = Channel::Rotation(0);
        let times = clip.timelines()[0].times_secs();
        let turns = Turns::along(clip, channel, times);
        let mut before: Option<Lanes> = None;
        let mut greatest = 0.0_f32;
        let end = f64::from(clip.duration_secs());
        for sample in 0..=20_000 {
            let time_secs = end * f64::from(sample) / 20_000.0;
            let after = times.partition_point(|time| f64::from(*time) <= time_secs);
            let key = after.saturating_sub(1);
            let value = channel.value(clip, time_secs);
            let now = turns.at(value, time_secs, key, f64::from(times[key]));
            let again = from_euler_degrees([now[0], now[1], now[2]]);
            assert!(again.dot(Quat::from_array(value)).abs() > 0.9999, "{now:?}");
            if let Some(before) = before {
                let ways = now
                    .iter()
                    .zip(before)
                    .map(|(now, before)| (now - before).abs());
                greatest = ways.fold(greatest, f32::max);
            }
            before = Some(now);
        }
        greatest
    }

    /// Past a quarter turn at some distance: an arm that is raised and turned.
    #[test]
    fn angles_do_not_jump_where_they_swing() {
        for aside in [2.0, 5.0, 12.0, 30.0] {
            let keys = [
                [105.0, 80.0, 260.0],
                [105.0 + aside, 100.0, 258.0],
                [140.0, 110.0, 288.0],
            ];
            let clip = clip(&keys, Interpolation::Linear);
            let step = greatest_step(&clip);
            assert!(step < 10.0, "{step} at {aside}");
        }
        // Straight through it nothing swings.
        let clip = clip(
            &[[20.0, 70.0, 10.0], [20.0, 110.0, 10.0]],
            Interpolation::Linear,
        );
        assert!(greatest_step(&clip) < 1.0);
    }

    #[test]
    fn what_steps_is_not_followed() {
        let clip = clip(&[[0.0, 80.0, 0.0], [90.0, 95.0, 60.0]], Interpolation::Step);
        let turns = Turns::along(
            &clip,
            Channel::Rotation(0),
            clip.timelines()[0].times_secs(),
        );
        assert_eq!((turns.keys.len(), turns.between.len()), (2, 0));
    }

    /// A joint that rests at a quarter turn, and trembles, costs no more than a few steps a key.
    #[test]
    fn trembling_at_a_quarter_turn_costs_little() {
        let key = |key: usize| {
            let tremble = 1e-3 * (key % 7) as f32;
            [tremble, 90.0 - 1e-3 * (key % 3) as f32, 2.0 * tremble]
        };
        let keys: Vec<_> = (0..1000).map(key).collect();
        let clip = clip(&keys, Interpolation::Linear);
        let turns = Turns::along(
            &clip,
            Channel::Rotation(0),
            clip.timelines()[0].times_secs(),
        );
        assert!(turns.between.len() <= 20_000, "{}", turns.between.len());
    }
}
