//! The clips of two models beside each other: all keys of all of them, if these are not too many.

use std::borrow::Cow;

use super::{
    AppearanceDifference, MotionComparison, MovedDifference, MovedProperties, PoseDifference,
    moments::Moments, motion::MAX_SEARCH_LOOKS,
};
use crate::model::{Clip, Model};

/// How far a clip of one model lies from one of another.
#[derive(Debug, Clone)]
pub struct ClipDifference {
    /// Their indices.
    pub places: [usize; 2],
    /// None if there are so many clips and nodes that they were not compared.
    pub motion: Option<PoseDifference>,
    /// How many moments there are to look at.
    pub moments: usize,
    /// What they do otherwise to materials, lights and cameras.
    pub moved: Vec<MovedDifference>,
}

impl ClipDifference {
    /// Whether all keys of both were looked at, and what is between them.
    pub fn is_complete(&self) -> bool {
        self.motion
            .is_some_and(|motion| motion.samples >= self.moments)
    }
}

/// Two clips as they are played beside each other.
#[derive(Debug)]
pub struct PlayedClips<'c> {
    /// The clips.
    pub clips: [Cow<'c, Clip>; 2],
    /// Times of the second are those of the first, multiplied by this.
    pub stretch: f64,
    /// Whether they are compared for as long as the first lasts, and not to the end of the longer.
    pub ends_with_first: bool,
}

/// What clips are compared by.
#[derive(Debug)]
pub struct ClipSearch<'s, 'm> {
    /// The models that have the clips.
    pub models: [&'m Model; 2],
    /// The motions of both.
    pub motions: &'s mut MotionComparison<'m>,
    /// Which materials, lights and cameras belong together.
    pub appearance: &'s AppearanceDifference,
    /// What differs by no more is the same, of materials, lights and cameras.
    pub tolerance: f64,
}

impl<'m> ClipSearch<'_, 'm> {
    /// Compares pairs of clips (indices), which may cost `most_values` together: placements of nodes, weights and values of
    /// tracks. Those that cost least come first, as what they leave of their share is there for the others; the first is
    /// compared whatever it costs. Of more clips than half of the values have room for, those after are not compared.
    pub fn compare(
        self,
        pairs: &[[usize; 2]],
        most_values: usize,
        played: impl Fn([&'m Clip; 2]) -> PlayedClips<'m>,
    ) -> Vec<ClipDifference> {
        let uncompared = pairs.iter().map(|&places| ClipDifference {
            places,
            motion: None,
            moments: 0,
            moved: Vec::new(),
        });
        let mut all: Vec<_> = uncompared.collect();
        // Each clip costs all nodes once, also one that moves few.
        let once = self.motions.cost_of_clips().max(1);
        let priced = all.len().min((most_values / 2 / once).max(1));
        let costs = all.iter().enumerate().take(priced).map(|(index, pair)| {
            let clips = self.clips(pair.places).map(Some);
            let cost = self.motions.cost(clips);
            let moments = Moments::bound(clips).saturating_add(MAX_SEARCH_LOOKS);
            (cost.saturating_mul(moments), cost, index)
        });
        let mut costs: Vec<_> = costs.collect();
        costs.sort_unstable();
        let mut properties = MovedProperties::new(self.models);
        let mut left = most_values.saturating_sub(priced.saturating_mul(once));
        for (done, &(_, cost, index)) in costs.iter().enumerate() {
            if done > 0 && left / cost < 2 {
                continue;
            }
            let pair = &mut all[index];
            let played = played(self.clips(pair.places));
            let clips = played.clips.each_ref().map(|clip| Some(&**clip));
            let stretch = played.stretch;
            let most = left / (costs.len() - done) / cost;
            let is_close = most > 2 * MAX_SEARCH_LOOKS;
            let spared = if is_close { MAX_SEARCH_LOOKS } else { 0 };
            let moments = if played.ends_with_first {
                Moments::of_first(clips, stretch, most - spared)
            } else {
                Moments::new(clips, most - spared)
            };
            pair.moments = moments.needed;
            let times_secs = &moments.times_secs;
            let motion = if is_close {
                self.motions.compare_closely(clips, stretch, times_secs)
            } else {
                self.motions.compare(clips, stretch, times_secs)
            };
            let looks = motion.samples + motion.close_samples;
            left = left.saturating_sub(looks.saturating_mul(cost));
            pair.motion = Some(motion);
            let (appearance, least) = (self.appearance, self.tolerance);
            pair.moved = properties.compare(pair.places, appearance, times_secs, stretch, least);
        }
        all
    }

    fn clips(&self, places: [usize; 2]) -> [&'m Clip; 2] {
        [0, 1].map(|side| &self.models[side].clips[places[side]])
    }
}
