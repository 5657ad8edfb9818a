//! What clips do otherwise to materials, lights and cameras (`KHR_animation_pointer`).

use super::{AppearanceDifference, numbers_apart};
use crate::{
    anim::Properties,
    model::{Clip, Model, PropertyTarget, PropertyTrack},
};

/// A property that two clips do not move alike.
#[derive(Debug, Clone, PartialEq)]
pub struct MovedDifference {
    /// Where the first file has it, as a JSON pointer.
    pub pointer: String,
    /// By how much a number of it differs at most, of those above 1 as a part of them.
    pub amount: f64,
    /// The moment at which it does.
    pub time_secs: f64,
}

/// What clips of two models move, and what that does to the models. Made once for both.
#[derive(Debug)]
pub struct MovedProperties<'m> {
    models: [&'m Model; 2],
    properties: [Properties; 2],
}

impl<'m> MovedProperties<'m> {
    /// The properties of both models, as their files have them.
    pub fn new(models: [&'m Model; 2]) -> Self {
        Self {
            models,
            properties: models.map(Properties::new),
        }
    }

    /// Compares what a clip of each (indices) does to what is the same in both, as `parts` says, the second at `stretch` times
    /// the time of the first. What differs by no more than `least` is the same.
    pub fn compare(
        &mut self,
        clips: [usize; 2],
        parts: &AppearanceDifference,
        times_secs: &[f64],
        stretch: f64,
        least: f64,
    ) -> Vec<MovedDifference> {
        let pairs = self.pairs(clips, parts);
        let mut found: Vec<_> = pairs
            .iter()
            .map(|[first, _]| MovedDifference {
                pointer: first.pointer(&self.models[0].hierarchy),
                amount: 0.0,
                time_secs: 0.0,
            })
            .collect();
        if found.is_empty() {
            return found;
        }
        for &time_secs in times_secs {
            for (side, own_secs) in [time_secs, time_secs * stretch].into_iter().enumerate() {
                let motion = [(clips[side], own_secs, 1.0)];
                self.properties[side].pose(self.models[side], motion);
            }
            let [first, second] = &mut self.properties;
            for (pair, found) in pairs.iter().zip(&mut found) {
                let [Some(a), Some(b)] = [first.numbers(pair[0]), second.numbers(pair[1])] else {
                    continue;
                };
                let apart = a.iter().zip(b).map(|(a, b)| numbers_apart(*a, *b));
                let apart = apart.fold(0.0, f64::max);
                if apart > found.amount {
                    (found.amount, found.time_secs) = (apart, time_secs);
                }
            }
        }
        found.retain(|found| found.amount > least);
        found
    }

    /// What either clip moves, in both models.
    fn pairs(&self, clips: [usize; 2], parts: &AppearanceDifference) -> Vec<[PropertyTarget; 2]> {
        let targets = |side: usize| {
            let clip = self.models[side].clips.get(clips[side]);
            let tracks = clip.into_iter().flat_map(Clip::properties);
            tracks.map(PropertyTrack::target)
        };
        let of_first = targets(0).filter_map(|first| Some([first, parts.in_second(first)?]));
        let of_second = targets(1).filter_map(|second| Some([parts.in_first(second)?, second]));
        let mut pairs = Vec::new();
        let mut known = std::collections::HashSet::new();
        pairs.extend(of_first.chain(of_second).filter(|pair| known.insert(*pair)));
        pairs
    }
}

impl AppearanceDifference {
    /// This property of the second model; none of nodes, and of what is not the same in both.
    fn in_second(&self, target: PropertyTarget) -> Option<PropertyTarget> {
        target.of_other(
            |material| self.materials.second_of(material),
            |light| self.lights.second_of(light),
            |camera| self.cameras.second_of(camera),
        )
    }

    /// This property of the first model.
    fn in_first(&self, target: PropertyTarget) -> Option<PropertyTarget> {
        target.of_other(
            |material| self.materials.first_of(material),
            |light| self.lights.first_of(light),
            |camera| self.cameras.first_of(camera),
        )
    }
}
