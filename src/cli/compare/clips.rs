//! The clips of two models beside each other, all keys of all of them if these are not too many.

use crate::{
    anim::difference::{
        AppearanceDifference, MAX_SEARCH_LOOKS, Moments, MotionComparison, MovedDifference,
        MovedProperties, PoseDifference,
    },
    model::{Clip, Model},
};

/// A clip of both models: of the same name, or else the only one of its length and keys.
#[derive(Debug)]
pub(super) struct ClipPair {
    pub(super) places: [usize; 2],
    pub(super) durations_secs: [f64; 2],
    pub(super) channels: [usize; 2],
    /// None if there are so many clips and nodes that it was not compared.
    pub(super) difference: Option<PoseDifference>,
    /// How many moments there are to look at.
    pub(super) moments: usize,
    /// What they do otherwise to materials, lights and cameras.
    pub(super) moved: Vec<MovedDifference>,
}

impl ClipPair {
    /// Whether all keys of both were looked at, and what is between them.
    pub(super) fn is_complete(&self) -> bool {
        self.difference
            .is_some_and(|difference| difference.samples >= self.moments)
    }
}

/// What clips are compared by.
pub(super) struct Search<'s, 'm> {
    pub(super) models: [&'m Model; 2],
    pub(super) motions: &'s mut MotionComparison<'m>,
    pub(super) appearance: &'s AppearanceDifference,
    pub(super) tolerance: f64,
}

impl<'m> Search<'_, 'm> {
    /// Compares pairs of clips, which may cost so many values together. Those that cost least come first, as what they leave of
    /// their share is there for the others; the first is compared whatever it costs. Of more clips than half of the values have
    /// room for, those after are not compared.
    pub(super) fn compare(self, pairs: &[[usize; 2]], most_values: usize) -> Vec<ClipPair> {
        let mut all: Vec<_> = pairs
            .iter()
            .map(|places| self.uncompared(*places))
            .collect();
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
            let clips = self.clips(pair.places).map(Some);
            let most = left / (costs.len() - done) / cost;
            let is_close = most > 2 * MAX_SEARCH_LOOKS;
            let spared = if is_close { MAX_SEARCH_LOOKS } else { 0 };
            let moments = Moments::new(clips, most - spared);
            pair.moments = moments.needed;
            let times_secs = &moments.times_secs;
            let difference = if is_close {
                self.motions.compare_closely(clips, 1.0, times_secs)
            } else {
                self.motions.compare(clips, 1.0, times_secs)
            };
            let looks = difference.samples + difference.close_samples;
            left = left.saturating_sub(looks.saturating_mul(cost));
            pair.difference = Some(difference);
            let (appearance, least) = (self.appearance, self.tolerance);
            pair.moved = properties.compare(pair.places, appearance, times_secs, 1.0, least);
        }
        all
    }

    fn clips(&self, places: [usize; 2]) -> [&'m Clip; 2] {
        [0, 1].map(|side| &self.models[side].clips[places[side]])
    }

    fn uncompared(&self, places: [usize; 2]) -> ClipPair {
        let clips = self.clips(places);
        ClipPair {
            places,
            durations_secs: clips.map(|clip| f64::from(clip.duration_secs())),
            channels: clips.map(|clip| clip.channel_counts().channels),
            difference: None,
            moments: 0,
            moved: Vec::new(),
        }
    }
}
