//! How far the poses of two models lie apart, at rest and in their clips.

use super::{
    NodeMatch, length_in_world,
    moments::{SEARCH_LOOKS, is_greater, search_around},
    pair::{Motions, Playing, PosePair, moving_nodes, origins_apart},
    sheared, turned_and_scaled,
};
use crate::{
    anim::Pose,
    model::{Clip, Model, NodeId},
};

/// The greatest of one kind of difference.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Greatest {
    /// How much; 0 if there is none.
    pub amount: f64,
    /// The node that differs so much, in the first model.
    pub node: Option<NodeId>,
    /// The moment at which it does.
    pub time_secs: f64,
}

impl Greatest {
    /// Notes an amount that may be greater, and returns whether it is one at all.
    fn note(&mut self, amount: f64, node: NodeId, time_secs: f64) -> bool {
        // What is no number must not hide behind comparisons.
        let amount = if amount.is_finite() {
            amount
        } else {
            f64::INFINITY
        };
        if amount > self.amount {
            *self = Self {
                amount,
                node: Some(node),
                time_secs,
            };
        }
        amount > 0.0
    }
}

/// The greatest differences between two motions, of each kind.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PoseDifference {
    /// The greatest between translations relative to the parent, as long as the parent of the first makes it in the world.
    pub translation: Greatest,
    /// The greatest between rotations relative to the parent, in radians.
    pub rotation: Greatest,
    /// Between scales relative to the parent, of the axis that differs most: a part of the greatest that the node of the first
    /// has, at rest or at a key. Of matrices that shear, too: the cosine of the angle between two axes.
    pub scale: Greatest,
    /// Of nodes that are mirrored in one alone: how much their scales differ.
    pub mirrored: Greatest,
    /// The greatest between morph weights.
    pub weight: Greatest,
    /// The greatest between positions in the world.
    pub position: Greatest,
    /// 1 where a node, by itself, is hidden in one alone.
    pub visibility: Greatest,
    /// How many moments were looked at, but for those around the greatest differences.
    pub samples: usize,
    /// And how many around these.
    pub close_samples: usize,
}

impl PoseDifference {
    /// What changes without a jump where nothing steps.
    const GRADUAL: [fn(&mut Self) -> &mut Greatest; 5] = [
        |it| &mut it.translation,
        |it| &mut it.rotation,
        |it| &mut it.scale,
        |it| &mut it.weight,
        |it| &mut it.position,
    ];

    /// Notes what two nodes differ in; `scales` has the greatest of each node. Returns whether they do.
    fn note(
        &mut self,
        models: [&Model; 2],
        poses: &[Pose; 2],
        scales: &[Vec<f32>; 2],
        (a, b): (NodeId, NodeId),
        time_secs: f64,
    ) -> bool {
        let [first, second] = poses;
        let (from, to) = (&first.locals[a.index()], &second.locals[b.index()]);
        let first_node = models[0].hierarchy.node(a);
        let second_node = models[1].hierarchy.node(b);
        let shift = to.translation.as_dvec3() - from.translation.as_dvec3();
        let moved = length_in_world(first, first_node.parent, shift);
        let mut is_apart = self.translation.note(moved, a, time_secs);
        let (angle, scaled) = turned_and_scaled(from, to);
        is_apart |= self.rotation.note(angle, a, time_secs);
        // Exporters give nodes scales of 0.01 and of 100: a hundredth more is as much of each.
        let greatest = match scales[0][a.index()] {
            0.0 => scales[1][b.index()],
            greatest => greatest,
        };
        let part = scaled / f64::from(greatest);
        let part = if scaled > 0.0 { part } else { 0.0 };
        is_apart |= self.scale.note(part, a, time_secs);
        let volumes = [from, to].map(|it| it.scale.element_product());
        if part > 0.0 && volumes[0] * volumes[1] < 0.0 {
            self.mirrored.note(part, a, time_secs);
        }
        if first_node.fixed_matrix.is_some() || second_node.fixed_matrix.is_some() {
            let from = first.parent_from_node(a.index(), first_node);
            let to = second.parent_from_node(b.index(), second_node);
            is_apart |= self.scale.note(sheared(&from, &to), a, time_secs);
        }
        for (from, to) in first.weights_of(a).iter().zip(second.weights_of(b)) {
            let weighed = (f64::from(*from) - f64::from(*to)).abs();
            is_apart |= self.weight.note(weighed, a, time_secs);
        }
        let away = origins_apart(poses, (a, b));
        is_apart |= self.position.note(away, a, time_secs);
        let is_other = first.hidden[a.index()] != second.hidden[b.index()];
        let hidden = f64::from(u8::from(is_other));
        is_apart | self.visibility.note(hidden, a, time_secs)
    }
}

/// Two models whose clips are compared, one after the other. What no clip moves is compared once for all.
#[derive(Debug)]
pub struct MotionComparison<'m> {
    models: [&'m Model; 2],
    nodes: &'m NodeMatch,
    both: PosePair<'m>,
    rest: PoseDifference,
    /// For each pair of nodes whether it differs at rest.
    are_apart: Vec<bool>,
}

/// How many moments [`MotionComparison::compare_closely`] looks at besides, at most.
pub(super) const MAX_SEARCH_LOOKS: usize = SEARCH_LOOKS * PoseDifference::GRADUAL.len();

impl<'m> MotionComparison<'m> {
    /// Compares the files' own poses.
    pub fn new(models: [&'m Model; 2], nodes: &'m NodeMatch) -> Self {
        let both = PosePair::new(models);
        let scales = models.map(|model| greatest_scales(model, None));
        let mut rest = PoseDifference {
            samples: 1,
            ..PoseDifference::default()
        };
        let pairs = nodes.pairs.iter();
        let are_apart = pairs.map(|&pair| rest.note(models, both.poses(), &scales, pair, 0.0));
        let are_apart = are_apart.collect();
        Self {
            models,
            nodes,
            rest,
            are_apart,
            both,
        }
    }

    /// How far the files' own poses lie apart.
    pub fn rest(&self) -> PoseDifference {
        self.rest
    }

    /// How many nodes are looked at to find what clips move, however little that is: for [`Self::cost`] of two clips and to
    /// compare them.
    pub fn cost_of_clips(&self) -> usize {
        let nodes = self.models.map(|model| model.hierarchy.len());
        nodes.iter().sum()
    }

    /// How many placements, weights and tracks a moment of two clips costs, at least 1.
    pub fn cost(&self, clips: [Option<&Clip>; 2]) -> usize {
        let costs = [0, 1].map(|side| {
            let hierarchy = &self.models[side].hierarchy;
            let moving = moving_nodes(hierarchy, clips[side]).into_iter();
            let nodes = moving.map(|node| 1 + hierarchy.node(node).weights.len());
            nodes.sum::<usize>() + clips[side].map_or(0, Clip::track_count)
        });
        costs.iter().sum::<usize>().max(1)
    }

    /// Compares two clips (none is the file's own pose) at `times_secs`, clamped to their keys, where the second clip is at
    /// `stretch` times the time of the first.
    pub fn compare(
        &mut self,
        clips: [Option<&Clip>; 2],
        stretch: f64,
        times_secs: &[f64],
    ) -> PoseDifference {
        let motions = Motions { clips, stretch };
        self.play(motions).compare(times_secs)
    }

    /// [`Self::compare`], and more closely around the greatest differences, which are seldom greatest at any of these moments:
    /// at up to 80 more.
    pub fn compare_closely(
        &mut self,
        clips: [Option<&Clip>; 2],
        stretch: f64,
        times_secs: &[f64],
    ) -> PoseDifference {
        let motions = Motions { clips, stretch };
        let mut played = self.play(motions);
        let mut found = played.compare(times_secs);
        for kind in PoseDifference::GRADUAL {
            played.look_closely(times_secs, kind, &mut found);
        }
        found
    }

    /// Begins to play clips.
    fn play<'c>(&mut self, motions: Motions<'c>) -> Played<'_, 'm, 'c> {
        let models = self.models;
        let playing = self.both.play(motions);
        let mut moves = models.map(|model| vec![false; model.hierarchy.len()]);
        for (moves, moving) in moves.iter_mut().zip(playing.moving()) {
            for node in moving {
                moves[node.index()] = true;
            }
        }
        let (mut moving, mut all) = (Vec::new(), Vec::new());
        for (&(a, b), is_apart) in self.nodes.pairs.iter().zip(&self.are_apart) {
            let is_moving = moves[0][a.index()] || moves[1][b.index()];
            if is_moving {
                moving.push((a, b));
            }
            if is_moving || *is_apart {
                all.push((a, b));
            }
        }
        Played {
            models,
            scales: [0, 1].map(|side| greatest_scales(models[side], motions.clips[side])),
            playing,
            moving,
            all,
        }
    }
}

/// Two clips that are compared.
#[derive(Debug)]
struct Played<'p, 'm, 'c> {
    models: [&'m Model; 2],
    playing: Playing<'p, 'm, 'c>,
    /// The greatest scale of each node of both.
    scales: [Vec<f32>; 2],
    /// The pairs of nodes of which one moves, and those with the others that differ.
    moving: Vec<(NodeId, NodeId)>,
    all: Vec<(NodeId, NodeId)>,
}

impl Played<'_, '_, '_> {
    fn compare(&mut self, times_secs: &[f64]) -> PoseDifference {
        let mut found = PoseDifference {
            samples: times_secs.len(),
            ..PoseDifference::default()
        };
        let mut times_secs = times_secs.iter();
        // What does not move is there at the first moment, and stays.
        if let Some(&first_secs) = times_secs.next() {
            let poses = self.playing.at(first_secs);
            for &pair in &self.all {
                found.note(self.models, poses, &self.scales, pair, first_secs);
            }
        }
        for &time_secs in times_secs {
            self.look(time_secs, &mut found);
        }
        found
    }

    /// Compares what moves.
    fn look(&mut self, time_secs: f64, found: &mut PoseDifference) {
        let poses = self.playing.at(time_secs);
        for &pair in &self.moving {
            found.note(self.models, poses, &self.scales, pair, time_secs);
        }
    }

    /// Searches for what is greatest of a kind around the moment at which it was found.
    fn look_closely(
        &mut self,
        times_secs: &[f64],
        kind: fn(&mut PoseDifference) -> &mut Greatest,
        found: &mut PoseDifference,
    ) {
        let known = *kind(found);
        if known.amount == 0.0 || !known.amount.is_finite() {
            return;
        }
        let mut best = known;
        search_around(times_secs, known.time_secs, |time_secs| {
            let mut here = PoseDifference::default();
            self.look(time_secs, &mut here);
            found.close_samples += 1;
            let here = *kind(&mut here);
            if here.amount > best.amount {
                best = here;
            }
            here.amount
        });
        if is_greater(best.amount, known.amount) {
            *kind(found) = best;
        }
    }
}

/// For each node the greatest scale that it has along an axis, at rest or at a key of the clip.
fn greatest_scales(model: &Model, clip: Option<&Clip>) -> Vec<f32> {
    let nodes = model.hierarchy.nodes().iter();
    let at_rest = nodes.map(|node| node.rest.scale.abs().max_element());
    let mut greatest: Vec<f32> = at_rest.collect();
    for track in clip.into_iter().flat_map(Clip::scales) {
        let scale = &mut greatest[track.node().index()];
        for key in track.key_values().flatten() {
            *scale = scale.max(key.abs().max_element());
        }
    }
    greatest
}
