//! What clips do otherwise to materials, lights and cameras (`KHR_animation_pointer`).

use super::{
    AppearanceDifference,
    moments::{is_greater, search_around, thinned},
    numbers_apart,
};
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

/// Values of tracks that are computed for all clips together: about a second's work.
const MAX_VALUES: usize = 1 << 27;
/// Moments that are looked at in each clip, however many are before it.
const MIN_MOMENTS: usize = 8;
/// Moments of a clip around which the greatest differences are searched for.
const MAX_SEARCHES: usize = 5;

/// What clips of two models move, and what that does to the models. Made once for both.
#[derive(Debug)]
pub struct MovedProperties<'m> {
    models: [&'m Model; 2],
    /// Of each model, once clips are compared that move any of the same: they hold a copy of all materials.
    properties: Option<[Properties; 2]>,
    /// Values that may still be computed.
    left: usize,
}

impl<'m> MovedProperties<'m> {
    /// The properties of both models, as their files have them.
    pub fn new(models: [&'m Model; 2]) -> Self {
        Self {
            models,
            properties: None,
            left: MAX_VALUES,
        }
    }

    /// Compares what a clip of each (indices) does to what is the same in both, as `parts` says, the second at `stretch` times
    /// the time of the first: at these moments, or at some of them evenly where there are too many of them and of properties.
    /// What differs by no more than `least` is the same.
    pub fn compare(
        &mut self,
        clips: [usize; 2],
        parts: &AppearanceDifference,
        times_secs: &[f64],
        stretch: f64,
        least: f64,
    ) -> Vec<MovedDifference> {
        let pairs = self.pairs(clips, parts);
        if pairs.is_empty() {
            return Vec::new();
        }
        let models = self.models;
        self.properties
            .get_or_insert_with(|| models.map(Properties::new));
        let times_secs = self.within_budget(clips, times_secs);
        let mut found = vec![Apart::default(); pairs.len()];
        for &time_secs in &times_secs {
            self.look(clips, stretch, time_secs, &pairs, &mut found);
        }
        let mut best = found.clone();
        for (place, around_secs) in searched(&found, least) {
            search_around(&times_secs, around_secs, |time_secs| {
                self.look(clips, stretch, time_secs, &pairs, &mut best);
                self.apart(pairs[place])
            });
        }
        let found = found.into_iter().zip(best).map(|(found, best)| {
            if is_greater(best.amount, found.amount) {
                best
            } else {
                found
            }
        });
        let found = pairs.iter().zip(found);
        let found = found.filter(|(_, found)| found.amount > least);
        found
            .map(|([first, _], found)| MovedDifference {
                pointer: first.pointer(&self.models[0].hierarchy),
                amount: found.amount,
                time_secs: found.time_secs,
            })
            .collect()
    }

    /// As many of these moments as there is room for.
    fn within_budget(&mut self, clips: [usize; 2], times_secs: &[f64]) -> Vec<f64> {
        let tracks = [0, 1].map(|side: usize| {
            let clip = self.models[side].clips.get(clips[side]);
            clip.map_or(0, |clip| clip.properties().len())
        });
        let cost = tracks.iter().sum::<usize>().max(1);
        let most = (self.left / cost).max(MIN_MOMENTS);
        let chosen = thinned(times_secs.iter().copied(), times_secs.len(), most);
        self.left = self.left.saturating_sub(chosen.len().saturating_mul(cost));
        chosen
    }

    /// Takes note of what differs more at a time of the first than before.
    fn look(
        &mut self,
        clips: [usize; 2],
        stretch: f64,
        time_secs: f64,
        pairs: &[[PropertyTarget; 2]],
        most: &mut [Apart],
    ) {
        self.pose(clips, stretch, time_secs);
        for (pair, most) in pairs.iter().zip(most) {
            let amount = self.apart(*pair);
            if amount > most.amount {
                *most = Apart { amount, time_secs };
            }
        }
    }

    /// Plays a clip of each at a time of the first.
    fn pose(&mut self, clips: [usize; 2], stretch: f64, time_secs: f64) {
        let times_secs = [time_secs, time_secs * stretch];
        let properties = self.properties.iter_mut().flatten();
        for (side, properties) in properties.enumerate() {
            let motion = [(clips[side], times_secs[side], 1.0)];
            properties.pose(self.models[side], motion);
        }
    }

    /// By how much a number of a property differs at most, as it is now.
    fn apart(&mut self, [first, second]: [PropertyTarget; 2]) -> f64 {
        let Some([a, b]) = &mut self.properties else {
            return 0.0;
        };
        let [Some(a), Some(b)] = [a.numbers(first), b.numbers(second)] else {
            return 0.0;
        };
        let apart = a.iter().zip(b).map(|(a, b)| numbers_apart(*a, *b));
        apart.fold(0.0, f64::max)
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

/// By how much a property differs, and when.
#[derive(Debug, Clone, Copy, Default)]
struct Apart {
    amount: f64,
    time_secs: f64,
}

/// The properties that differ most, by their places, and the moments at which they do: one for each moment.
fn searched(found: &[Apart], least: f64) -> Vec<(usize, f64)> {
    let beyond = found.iter().enumerate();
    let beyond = beyond.filter(|(_, it)| it.amount > least && it.amount.is_finite());
    let mut order: Vec<_> = beyond.collect();
    order.sort_by(|(_, a), (_, b)| b.amount.total_cmp(&a.amount));
    let mut searched: Vec<(usize, f64)> = Vec::new();
    for (place, it) in order {
        if searched.len() == MAX_SEARCHES {
            break;
        }
        if searched.iter().all(|(_, time)| *time != it.time_secs) {
            searched.push((place, it.time_secs));
        }
    }
    searched
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        anim::difference::moments::Moments,
        model::{ClipBuilder, Interpolation, Material, MaterialProperty, Timeline},
    };

    /// So many materials, all made as rough as these keys say, each second, by one clip.
    fn roughened(count: usize, values: &[f32]) -> Model {
        let mut builder = ClipBuilder::new("roughen");
        let times = (0..values.len()).map(|key| key as f32).collect();
        let timeline = builder.timeline(Timeline::new(times).unwrap());
        for material in 0..count {
            let target = PropertyTarget::Material(material, MaterialProperty::Roughness);
            let kind = Interpolation::Linear;
            builder
                .property(target, timeline, kind, values.to_vec())
                .unwrap();
        }
        Model {
            materials: vec![Material::default(); count + 1],
            clips: vec![builder.finish()],
            ..Model::default()
        }
    }

    fn compare(models: [&Model; 2], left: usize) -> Vec<MovedDifference> {
        let mut properties = MovedProperties::new(models);
        properties.left = left;
        let parts = AppearanceDifference::matched(models);
        let clips = models.map(|model| model.clips.first());
        let times_secs = Moments::new(clips, usize::MAX).times_secs;
        properties.compare([0, 0], &parts, &times_secs, 1.0, 1e-4)
    }

    /// A search for each of them would take minutes.
    #[test]
    fn many_properties_are_searched_together() {
        let [first, second] = [0.0, 1.0].map(|end| roughened(20_000, &[0.0, end]));
        let found = compare([&first, &second], MAX_VALUES);
        assert_eq!(found.len(), 20_000);
        let are_found = found
            .iter()
            .all(|it| it.amount == 1.0 && it.time_secs == 1.0);
        assert!(are_found);
    }

    /// They are copies of all materials.
    #[test]
    fn without_clips_that_move_any_there_are_no_properties() {
        let model = |values: &[f32]| roughened(2, values);
        for (clips, is_there) in [([0, 0], true), ([1, 1], false)] {
            let models = [model(&[0.0, 1.0]), model(&[0.0, 1.0])];
            let models = models.each_ref();
            let mut properties = MovedProperties::new(models);
            let parts = AppearanceDifference::matched(models);
            let found = properties.compare(clips, &parts, &[0.0, 1.0], 1.0, 1e-4);
            assert!(found.is_empty());
            assert_eq!(properties.properties.is_some(), is_there, "{clips:?}");
        }
    }

    #[test]
    fn moments_are_thinned_out_where_there_is_no_room() {
        let mut values = vec![0.0; 2001];
        let first = roughened(1, &values);
        // Beyond the first moments.
        values[1000..].fill(1.0);
        let second = roughened(1, &values);
        for left in [0, 100, MAX_VALUES] {
            let found = compare([&first, &second], left);
            assert_eq!(found[0].amount, 1.0, "{left}");
        }
        let mut properties = MovedProperties::new([&first, &second]);
        properties.left = 100;
        let times_secs = [0.0; 1000];
        let counts = [(); 2].map(|()| properties.within_budget([0, 0], &times_secs).len());
        assert_eq!(counts, [50, MIN_MOMENTS]);
    }

    #[test]
    fn searches_are_around_different_moments() {
        let found = [
            (0.1, 1.0),
            (0.3, 2.0),
            (0.2, 2.0),
            (0.0, 3.0),
            (f64::INFINITY, 4.0),
        ];
        let found = found.map(|(amount, time_secs)| Apart { amount, time_secs });
        assert_eq!(searched(&found, 0.01), [(1, 2.0), (0, 1.0)]);
        let many: Vec<_> = (0..100_u8).map(f64::from).collect();
        let many: Vec<_> = many
            .into_iter()
            .map(|time_secs| Apart {
                amount: 1.0,
                time_secs,
            })
            .collect();
        assert_eq!(searched(&many, 0.0).len(), MAX_SEARCHES);
    }
}
