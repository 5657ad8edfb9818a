//! What a node is at each moment of a motion that is taken down.

use glam::{Quat, Vec3};

use super::tracks::unit;
use crate::{
    anim::Pose,
    model::{Hierarchy, Moved, NodeId, PropertyTarget},
};

/// How far numbers are from those at rest, or before, as a part of these, that blending makes of what stays the same.
const BLENDED: f32 = 1e-6;

/// A node at each moment.
#[derive(Debug, Clone, Default)]
pub(super) struct NodeColumns {
    pub(super) translations: Column<Vec3>,
    pub(super) rotations: Column<Quat>,
    pub(super) scales: Column<Vec3>,
    pub(super) weights: Column<f32>,
    /// Whether it is shown: 1, or 0.
    pub(super) sights: Column<f32>,
    are_keyed: Keyed,
}

/// Which parts of a node clips move.
#[derive(Debug, Clone, Default)]
struct Keyed {
    translations: bool,
    rotations: bool,
    scales: bool,
    weights: bool,
    sights: bool,
}

/// What something is at each moment, so many values a moment; empty as long as it is as the file has it and no clip moves it.
#[derive(Debug, Clone, Default)]
pub(super) struct Column<T> {
    values: Vec<T>,
}

impl<T: Copy> Column<T> {
    pub(super) fn values(&self) -> &[T] {
        &self.values
    }

    /// Adds a moment after so many others, unless all are at rest; none if there is no room for it.
    pub(super) fn push(
        &mut self,
        taken: usize,
        rest: &[T],
        now: &[T],
        is_at_rest: bool,
        room: &mut usize,
    ) -> Option<()> {
        let is_first = self.values.is_empty();
        if is_first && is_at_rest {
            return Some(());
        }
        let before = if is_first { taken } else { 0 };
        *room = room.checked_sub(size_of_val(now).checked_mul(before + 1)?)?;
        (0..before).for_each(|_| self.values.extend_from_slice(rest));
        self.values.extend_from_slice(now);
        Some(())
    }

    /// The values with their timeline: of what stays the same, by `is_same`, that of the first moment at the ends; none if it is
    /// as the file has it.
    pub(super) fn finish(
        mut self,
        width: usize,
        [all, ends]: [usize; 2],
        is_same: impl Fn(T, T) -> bool,
    ) -> Option<(usize, Vec<T>)> {
        let first = self.values.get(..width)?;
        let mut moments = self.values.chunks_exact(width);
        let stays = moments.all(|moment| {
            let mut pairs = first.iter().zip(moment);
            pairs.all(|(first, now)| is_same(*first, *now))
        });
        if !stays {
            return Some((all, self.values));
        }
        let first = first.to_vec();
        self.values.truncate(2 * width);
        for (value, first) in self.values.iter_mut().zip(first.iter().cycle()) {
            *value = *first;
        }
        Some((ends, self.values))
    }
}

impl NodeColumns {
    /// Takes note of something of it that clips move; it has so many weights.
    pub(super) fn key(&mut self, part: Moved, weight_count: usize) {
        let is_keyed = match part {
            Moved::Translation(_) => &mut self.are_keyed.translations,
            Moved::Rotation(_) => &mut self.are_keyed.rotations,
            Moved::Scale(_) => &mut self.are_keyed.scales,
            Moved::Weights(_) => &mut self.are_keyed.weights,
            Moved::Property(PropertyTarget::NodeWeight(_, weight)) if weight < weight_count => {
                &mut self.are_keyed.weights
            }
            Moved::Property(PropertyTarget::Visibility(_)) => &mut self.are_keyed.sights,
            Moved::Property(_) => return,
        };
        *is_keyed = true;
    }

    /// Adds a moment of a node of the model. It is placed where clips do that, or the hand.
    pub(super) fn push(
        &mut self,
        taken: usize,
        (hierarchy, id): (&Hierarchy, NodeId),
        pose: &Pose,
        room: &mut usize,
    ) -> Option<()> {
        let (now, is_hidden) = (&pose.locals[id.index()], pose.hidden[id.index()]);
        let weights = pose.weights_of(id);
        let node = hierarchy.node(id);
        let rest = &node.rest;
        let translations = [rest, now].map(|it| [it.translation]);
        let scales = [rest, now].map(|it| [it.scale]);
        let [at_rest, turned] = [rest, now].map(|it| unit(it.rotation));
        // Both signs are one rotation, and from key to key the same is kept.
        let before = self.rotations.values.last().copied().unwrap_or(at_rest);
        let turned = if turned.dot(before) < 0.0 {
            -turned
        } else {
            turned
        };
        let by_hand = pose.is_placed(id);
        let is_free = node.fixed_matrix.is_none() || by_hand;
        let rests =
            |is_keyed: bool, is_there: bool| !(is_free && is_keyed) && (is_there || !by_hand);
        let sights = [node.is_hidden, is_hidden].map(|it| [if it { 0.0 } else { 1.0 }]);
        let rest_weights = &hierarchy.rest_weights()[node.weights.clone()];
        let is_there = is_same_place(rest.translation, now.translation);
        let stays = rests(self.are_keyed.translations, is_there);
        self.translations
            .push(taken, &translations[0], &translations[1], stays, room)?;
        let is_there = is_same_turn(at_rest, turned);
        let stays = rests(self.are_keyed.rotations, is_there);
        self.rotations
            .push(taken, &[at_rest], &[turned], stays, room)?;
        let stays = rests(self.are_keyed.scales, is_same_place(rest.scale, now.scale));
        self.scales
            .push(taken, &scales[0], &scales[1], stays, room)?;
        let mut pairs = rest_weights.iter().zip(weights);
        let stays = !self.are_keyed.weights && pairs.all(|(rest, now)| is_same_number(*rest, *now));
        self.weights
            .push(taken, rest_weights, weights, stays, room)?;
        let stays = !self.are_keyed.sights && node.is_hidden == is_hidden;
        self.sights.push(taken, &sights[0], &sights[1], stays, room)
    }
}

/// Whether a vector stays the same, but for what blending makes of that.
pub(super) fn is_same_place(before: Vec3, now: Vec3) -> bool {
    now.distance(before) <= BLENDED * before.length()
}

/// [`is_same_place`] of unit quaternions.
pub(super) fn is_same_turn(before: Quat, now: Quat) -> bool {
    before.abs_diff_eq(now, BLENDED)
}

/// [`is_same_place`] of numbers.
pub(super) fn is_same_number(before: f32, now: f32) -> bool {
    (now - before).abs() <= BLENDED * before.abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As mixing makes it of two keys that are alike.
    #[test]
    fn what_stays_the_same_but_for_rounding_has_its_first_value_at_the_ends() {
        let column = |values: &[Vec3]| Column {
            values: values.to_vec(),
        };
        let place = Vec3::new(0.3, -7e-8, 2.0);
        let near = Vec3::new(0.3_f32.next_up(), -7.000_001e-8, 2.0_f32.next_down());
        let timelines = [0, 1];
        let finish = |values: &[Vec3]| column(values).finish(1, timelines, is_same_place);
        assert_eq!(
            finish(&[place, near, place, near]),
            Some((1, vec![place; 2]))
        );
        assert_eq!(finish(&[place]), Some((1, vec![place])));
        assert_eq!(finish(&[]), None);
        let moves = [place, near, place + Vec3::X * 1e-5];
        assert_eq!(finish(&moves), Some((0, moves.to_vec())));
        // From nothing all is far.
        let appears = [Vec3::ZERO, Vec3::X * 1e-20];
        assert_eq!(finish(&appears), Some((0, appears.to_vec())));
        // Each of several weights counts.
        let weights = |last: f32| Column {
            values: vec![1.0, 0.5, 1.0, last],
        };
        let same = weights(0.5_f32.next_up()).finish(2, timelines, is_same_number);
        assert_eq!(same, Some((1, vec![1.0, 0.5, 1.0, 0.5])));
        let (timeline, _) = weights(0.6).finish(2, timelines, is_same_number).unwrap();
        assert_eq!(timeline, 0);
    }
}
