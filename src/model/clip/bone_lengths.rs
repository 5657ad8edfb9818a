//! How long clips make bones, beside how long these are at rest: clips are sometimes in another unit than their skeleton.

use glam::Vec3;

use super::{Clip, Track};
use crate::model::Hierarchy;

/// Shorter bones than this part of the longest one are roundings of none.
const NOISE: f32 = 1e-3;
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
        let lengths = self.translations.iter().filter_map(|track| {
            let node = hierarchy.node(track.node);
            let is_bone = is_joint[track.node.index()] && is_joint[node.parent?.index()];
            is_bone.then(|| [node.rest.translation.length(), mean_length(track)])
        });
        let lengths: Vec<[f32; 2]> = lengths.collect();
        let longest = [0, 1].map(|side| lengths.iter().map(|it| it[side]).fold(0.0, f32::max));
        let is_noise = |it: &[f32; 2]| (0..2).any(|side| it[side] <= NOISE * longest[side]);
        let factors = lengths.iter().filter(|it| !is_noise(it));
        let factors = factors.map(|[at_rest, moved]| moved / at_rest);
        let mut factors: Vec<f32> = factors.filter(|it| it.is_finite()).collect();
        factors.sort_by(f32::total_cmp);
        let median = *factors.get(factors.len() / 2)?;
        let is_far = !(MIN_FACTOR.recip()..=MIN_FACTOR).contains(&median);
        let agrees = |it: &&f32| (AGREEMENT.recip()..=AGREEMENT).contains(&(**it / median));
        let agreeing = factors.iter().filter(agrees).count();
        let is_sure = agreeing >= MIN_AGREEING && 2 * agreeing >= factors.len();
        (is_far && is_sure).then_some(median)
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

/// How far from its parent a track puts its node, in the mean over its keys.
fn mean_length(track: &Track<Vec3>) -> f32 {
    let lengths = track.key_values().flatten().map(|value| value.length());
    let (count, sum) = lengths.fold((0.0_f64, 0.0), |(count, sum), length| {
        (count + 1.0, sum + f64::from(length))
    });
    (sum / count) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ClipBuilder, Interpolation, Node, NodeId, Timeline, Transform};

    /// A chain of five joints, the bone of each of another length, and what a clip makes of these that multiplies each.
    fn factor(factors: [f32; 5]) -> Option<f32> {
        let length = |joint: usize| Vec3::Y * (1.0 + joint as f32);
        let nodes = (0..5).map(|joint| Node {
            rest: Transform {
                translation: length(joint),
                ..Transform::IDENTITY
            },
            ..Node::default()
        });
        let parents = [None, Some(0), Some(1), Some(2), Some(3)];
        let hierarchy = Hierarchy::new(nodes.collect(), &parents, &[const { Vec::new() }; 5]);
        let mut clip = ClipBuilder::new("Walk");
        let timeline = clip.timeline(Timeline::new(vec![0.0, 1.0]).unwrap());
        for (joint, factor) in factors.into_iter().enumerate() {
            let node = NodeId(joint as u32);
            let values = vec![length(joint) * factor; 2];
            clip.translation(node, timeline, Interpolation::Linear, values)
                .unwrap();
        }
        let clip = clip.finish();
        let found = clip.bone_factor(&hierarchy.unwrap(), &[true; 5])?;
        let clip = clip.with_lengths(found.recip());
        let made = clip.translations()[1].values()[0];
        let expected = length(1) * factors[1] / found;
        assert!(made.abs_diff_eq(expected, 1e-5), "{made}");
        Some(found)
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
}
