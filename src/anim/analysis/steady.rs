//! How a clip moves where nothing jumps.

use super::{own_motion::OwnMotion, pops::Pop};

/// How a clip moves outside of its pops: the most of all nodes.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Steady {
    /// The fastest interval, as [`Pop::speed`].
    pub speed: f32,
    /// The farthest out of line, as [`Pop::bend`].
    pub bend: f32,
}

impl Steady {
    /// Looks at a node, whose pops are in the order of time.
    pub(super) fn look_at(&mut self, motion: &OwnMotion, pops: &[Pop]) {
        let outside = |width: usize| {
            let mut pops = pops.iter().peekable();
            let spans = motion.times_secs.iter().zip(&motion.times_secs[width..]);
            spans.map(move |(start, end)| {
                while pops.next_if(|pop| pop.end_secs <= *start).is_some() {}
                pops.peek().is_none_or(|pop| *end <= pop.start_secs)
            })
        };
        let most = |values: &[f32], width: usize| {
            let steady = values.iter().zip(outside(width));
            let steady = steady.filter(|(_, is_outside)| *is_outside);
            steady.map(|(value, _)| *value).fold(0.0, f32::max)
        };
        self.speed = self.speed.max(most(&motion.speeds, 1));
        if !motion.bends.is_empty() {
            self.bend = self.bend.max(most(&motion.bends, 2));
        }
    }
}
