//! What a node is at each moment of a motion that is taken down.

use glam::{Quat, Vec3};

use super::tracks::unit;
use crate::{
    anim::Pose,
    model::{Hierarchy, Moved, NodeId, PropertyTarget},
};

/// How far numbers are from those at rest, as a part of these, that blending makes of what is at rest.
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

impl<T: Copy + PartialEq> Column<T> {
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

    /// The values with their timeline: of what stays the same those of the ends; none if it is as the file has it.
    pub(super) fn finish(
        mut self,
        width: usize,
        [all, ends]: [usize; 2],
    ) -> Option<(usize, Vec<T>)> {
        let first = self.values.get(..width)?;
        if self
            .values
            .chunks_exact(width)
            .any(|moment| moment != first)
        {
            return Some((all, self.values));
        }
        self.values.truncate(2 * width);
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
        let is_there = is_near(rest.translation, now.translation);
        let stays = rests(self.are_keyed.translations, is_there);
        self.translations
            .push(taken, &translations[0], &translations[1], stays, room)?;
        let is_there = at_rest.abs_diff_eq(turned, BLENDED);
        let stays = rests(self.are_keyed.rotations, is_there);
        self.rotations
            .push(taken, &[at_rest], &[turned], stays, room)?;
        let stays = rests(self.are_keyed.scales, is_near(rest.scale, now.scale));
        self.scales
            .push(taken, &scales[0], &scales[1], stays, room)?;
        let mut pairs = rest_weights.iter().zip(weights);
        let stays = !self.are_keyed.weights
            && pairs.all(|(rest, now)| (now - rest).abs() <= BLENDED * rest.abs());
        self.weights
            .push(taken, rest_weights, weights, stays, room)?;
        let stays = !self.are_keyed.sights && node.is_hidden == is_hidden;
        self.sights.push(taken, &sights[0], &sights[1], stays, room)
    }
}

/// Whether a vector is at rest, but for what blending makes of that.
fn is_near(rest: Vec3, now: Vec3) -> bool {
    now.distance(rest) <= BLENDED * rest.length()
}
