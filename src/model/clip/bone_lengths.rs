//! How long clips make bones, beside how long these are at rest: clips are sometimes in another unit than their skeleton.

use glam::Vec3;

use super::{Clip, Track};
use crate::model::Hierarchy;

/// Shorter bones than this part of the longest one are roundings of none.
const NOISE: f32 = 1e-3;
/// Keys of a track that are looked at.
const MAX_KEYS: usize = 64;
/// Units differ by more, and what clips do to bones on purpose by less.
const MIN_FACTOR: f32 = 4.0;
/// Bones of one unit agree on the factor to this one.
const AGREEMENT: f32 = 1.5;
/// So many of them must agree, and half of all.
const MIN_AGREEING: usize = 3;

impl Clip {
    /// How many times as long as at rest the clip makes bones, if that is so far from 1 that it is in another unit: the median
    /// over the translations of joints whose parents are joints, too, if most agree with it.
    pub fn bone_factor(&self, hierarchy: &Hierarchy, is_joint: &[bool]) -> Option<f32> {
        let factors = self.bone_factors(hierarchy, is_joint);
        let median = *factors.get(factors.len() / 2)?;
        let is_far = !(MIN_FACTOR.recip()..=MIN_FACTOR).contains(&median);
        let agreeing = factors
            .iter()
            .filter(|it| Self::factors_agree(**it, median))
            .count();
        let is_sure = agreeing >= MIN_AGREEING && 2 * agreeing >= factors.len();
        (is_far && is_sure).then_some(median)
    }

    /// Whether two of [`Clip::bone_factor`] are of one unit.
    pub fn factors_agree(factor: f32, other: f32) -> bool {
        (AGREEMENT.recip()..=AGREEMENT).contains(&(factor / other))
    }

    /// For each of some clips of a model [`Clip::bone_factor`]. Those that move too few bones to say anything take the one that
    /// all others share.
    pub fn bone_factors_of_all(
        clips: &[Self],
        hierarchy: &Hierarchy,
        is_joint: &[bool],
    ) -> Vec<Option<f32>> {
        let says_any = |clip: &&Self| clip.bone_factors(hierarchy, is_joint).len() >= MIN_AGREEING;
        let mut judged = clips.iter().filter(says_any);
        let factor_of = |clip: &Self| clip.bone_factor(hierarchy, is_joint);
        let shared = judged.next().and_then(factor_of).filter(|&first| {
            judged.all(|clip| {
                factor_of(clip).is_some_and(|factor| Self::factors_agree(factor, first))
            })
        });
        let factors = clips.iter().map(|clip| {
            let own = factor_of(clip);
            own.or_else(|| shared.filter(|_| !clip.translations.is_empty()))
        });
        factors.collect()
    }

    /// How many times as long as at rest the clip makes each bone whose length it keeps, the shortest first.
    fn bone_factors(&self, hierarchy: &Hierarchy, is_joint: &[bool]) -> Vec<f32> {
        let lengths = self.translations.iter().filter_map(|track| {
            let node = hierarchy.node(track.node);
            let is_bone = is_joint[track.node.index()] && is_joint[node.parent?.index()];
            (is_bone && is_steady(track))
                .then(|| [node.rest.translation.length(), mean_length(track)])
        });
        let lengths: Vec<[f32; 2]> = lengths.collect();
        let longest = [0, 1].map(|side| lengths.iter().map(|it| it[side]).fold(0.0, f32::max));
        let is_noise = |it: &[f32; 2]| (0..2).any(|side| it[side] <= NOISE * longest[side]);
        let factors = lengths.iter().filter(|it| !is_noise(it));
        let factors = factors.map(|[at_rest, moved]| moved / at_rest);
        let mut factors: Vec<f32> = factors.filter(|it| it.is_finite()).collect();
        factors.sort_by(f32::total_cmp);
        factors
    }

    /// This clip with all translations so many times as long.
    pub fn with_lengths(&self, factor: f32) -> Self {
        let mut clip = self.clone();
        for track in &mut clip.translations {
            track.values = track.values.iter().map(|&value| value * factor).collect();
        }
        clip
    }
}

/// How far from its parent a track puts its node, at some of its keys: thousands of tracks may have one long list of values.
fn lengths(track: &Track<Vec3>) -> impl Iterator<Item = f32> {
    let keys = track.key_values();
    let step = keys.size_hint().0.div_ceil(MAX_KEYS).max(1);
    keys.step_by(step).flatten().map(|value| value.length())
}

/// Whether a track leaves its node about as far from its parent all the time: units do not change.
fn is_steady(track: &Track<Vec3>) -> bool {
    let [least, most] = lengths(track).fold([f32::INFINITY, 0.0], |[least, most], length| {
        [least.min(length), most.max(length)]
    });
    most <= AGREEMENT * least
}

/// The mean of [`lengths`].
fn mean_length(track: &Track<Vec3>) -> f32 {
    let (count, sum) = lengths(track).fold((0.0_f64, 0.0), |(count, sum), length| {
        (count + 1.0, sum + f64::from(length))
    });
    (sum / count) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ClipBuilder, Interpolation, Node, NodeId, Timeline, Transform};

    /// How long the bone of a joint is at rest.
    fn length(joint: usize) -> Vec3 {
        Vec3::Y * (1.0 + joint as f32)
    }

    /// A chain of five joints, the bone of each of another length.
    fn chain() -> Hierarchy {
        let nodes = (0..5).map(|joint| Node {
            rest: Transform {
                translation: length(joint),
                ..Transform::IDENTITY
            },
            ..Node::default()
        });
        let parents = [None, Some(0), Some(1), Some(2), Some(3)];
        Hierarchy::new(nodes.collect(), &parents, &[const { Vec::new() }; 5]).unwrap()
    }

    /// A clip that multiplies each bone by a factor at its beginning, and by another one at its end.
    fn clip(factors: &[[f32; 2]]) -> Clip {
        let mut clip = ClipBuilder::new("Walk");
        let timeline = clip.timeline(Timeline::new(vec![0.0, 1.0]).unwrap());
        for (joint, factors) in factors.iter().enumerate() {
            let node = NodeId(joint as u32);
            let values = factors.map(|factor| length(joint) * factor);
            clip.translation(node, timeline, Interpolation::Linear, values.to_vec())
                .unwrap();
        }
        clip.finish()
    }

    /// What is found of a clip that multiplies each bone.
    fn factor(factors: [f32; 5]) -> Option<f32> {
        let clip = clip(&factors.map(|factor| [factor; 2]));
        let found = clip.bone_factor(&chain(), &[true; 5])?;
        let clip = clip.with_lengths(found.recip());
        let made = clip.translations()[1].values()[0];
        let expected = length(1) * factors[1] / found;
        assert!(made.abs_diff_eq(expected, 1e-5), "{made}");
        Some(found)
    }

    #[test]
    fn bones_that_grow_are_in_no_other_unit() {
        let factor = |ends| clip(&[ends; 5]).bone_factor(&chain(), &[true; 5]);
        assert_eq!(factor([1.0, 19.0]), None);
        assert_eq!(factor([9.0, 11.0]), Some(10.0));
    }

    /// A clip that keys the hips alone says nothing of bones.
    #[test]
    fn clips_of_few_bones_are_in_the_unit_of_the_others() {
        let (large, other) = (clip(&[[100.0; 2]; 5]), clip(&[[1.0; 2]; 5]));
        let (hips, still) = (clip(&[[100.0, 150.0]]), clip(&[]));
        let factors = |clips: &[Clip]| Clip::bone_factors_of_all(clips, &chain(), &[true; 5]);
        let found = factors(&[hips.clone(), large.clone(), still, large.clone()]);
        assert_eq!(found, [Some(100.0), Some(100.0), None, Some(100.0)]);
        assert_eq!(
            factors(&[hips.clone(), large, other]),
            [None, Some(100.0), None]
        );
        assert_eq!(factors(&[hips]), [None]);
    }

    #[test]
    fn another_unit_is_told_from_other_bones() {
        // The first joint carries the others, and may be anywhere.
        assert_eq!(factor([1.0, 100.0, 100.0, 100.0, 100.0]), Some(100.0));
        let found = factor([7.0, 1.0, 0.01, 0.012, 0.009]).unwrap();
        assert!((0.009..0.0121).contains(&found), "{found}");
        // Others are longer, or shrink, or do not agree.
        assert_eq!(factor([1.0; 5]), None);
        assert_eq!(factor([100.0, 1.0, 1.0, 1.0, 1.0]), None);
        assert_eq!(factor([1.0, 3.0, 3.0, 3.0, 3.0]), None);
        assert_eq!(factor([1.0, 0.0, 0.0, 0.0, 0.0]), None);
        assert_eq!(factor([1.0, 100.0, 100.0, 1.0, 10.0]), None);
    }

    /// Some keys of many are looked at: not the one that is another here.
    #[test]
    fn few_keys_of_a_long_track_are_looked_at() {
        const KEYS: usize = 6400;
        let mut clip = ClipBuilder::new("Walk");
        let times = (0..KEYS).map(|key| key as f32).collect();
        let timeline = clip.timeline(Timeline::new(times).unwrap());
        let mut values = vec![Vec3::X; KEYS];
        values[1] = Vec3::X * 1e9;
        clip.translation(NodeId(0), timeline, Interpolation::Linear, values)
            .unwrap();
        assert_eq!(mean_length(&clip.finish().translations()[0]), 1.0);
    }
}
