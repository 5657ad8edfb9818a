//! Blending: one pose out of several clips.
//!
//! A [`Layer`] mixes any number of [`Motion`]s by their weights, which are normalised, and the [`Blender`] puts layers on
//! top of one another, over the rest pose: an [`Override`](BlendMode::Override) layer replaces what is below it, an
//! [`Additive`](BlendMode::Additive) one adds its difference from a reference pose, and a
//! [`Together`](BlendMode::Together) one replaces only what its clips have tracks for. A [`JointMask`] confines a layer to
//! a part of the body.
//!
//! The blender samples by itself, and resets before it does: what a clip does not touch contributes its rest transform,
//! never what another clip left behind. All mathematics are on local transforms, before the hierarchy:
//!
//! - Translations, scales and morph weights are weighted means.
//! - Rotations are summed as quaternions and normalised. Each is first turned (q and −q are the same rotation) to the
//!   hemisphere of the sum so far, so that the blend goes the short way. Three or more that do not all lie within 90° of
//!   one rotation know no such way: the order of the motions then matters, and a change of weights may turn a sign and
//!   so make a joint jump. The sum cannot vanish: a summand within the sum's hemisphere never shortens it, so
//!   its squared length is at least Σ wᵢ². Of two rotations it is a point of the arc that slerp takes: for a weight t and
//!   rotations 2α apart it is 2·atan2(t sin α, 1 − t + t cos α) along instead of 2αt, at most 0.3° off at 60° and 8.2° at
//!   180° (the bound that L. Kavan, S. Collins, J. Žára and C. O'Sullivan give for such blends in "Geometric Skinning
//!   with Approximate Dual Quaternion Blending", 2008).
//! - What is shown and what is hidden is as in the motion of the greatest weight, and as in a layer from a weight of one
//!   half on.
//! - Differences are taken in the space of the parent: translations subtract, rotations are `pose · reference⁻¹`, scales
//!   are ratios, morph weights subtract. So a layer over its own reference gives the layer's pose.

mod cross_fade;
mod mask;
mod mix;

pub use cross_fade::{CrossFade, smoothstep};
pub use mask::JointMask;

use super::{Cursors, Pose, root_motion::RootMotion, sample};
use crate::model::{Clip, Hierarchy};

/// A clip at a moment, as a part of a [`Layer`].
#[derive(Debug, Clone, Copy)]
pub struct Motion<'a> {
    /// The clip.
    pub clip: &'a Clip,
    /// When in it; clamped, as everywhere: looping is the clock's business.
    pub time_secs: f64,
    /// How much of it, compared with the other motions of the layer. What is not positive counts as 0.
    pub weight: f32,
    /// Where it goes, if it shall stay in place instead.
    pub in_place: Option<InPlace<'a>>,
}

/// The root motion that is taken out of a [`Motion`].
#[derive(Debug, Clone, Copy)]
pub struct InPlace<'a> {
    /// The nodes that it is about.
    pub hierarchy: &'a Hierarchy,
    /// The way of the clip's root.
    pub root_motion: &'a RootMotion,
}

impl<'a> Motion<'a> {
    /// A clip that goes where it goes.
    pub fn new(clip: &'a Clip, time_secs: f64, weight: f32) -> Self {
        Self {
            clip,
            time_secs,
            weight,
            in_place: None,
        }
    }
}

/// Motions, mixed by their weights, and how they go over the layers below.
#[derive(Debug, Clone, Copy)]
pub struct Layer<'a> {
    /// What is mixed. A layer of which all motions have the weight 0 does nothing.
    pub motions: &'a [Motion<'a>],
    /// How much of the layer: 0..=1; any number to add, also above 1 and below 0.
    pub weight: f32,
    /// How it goes over what is below.
    pub mode: BlendMode<'a>,
    /// Factors on `weight`, node by node; none means 1 everywhere.
    pub mask: Option<&'a JointMask>,
}

/// How a [`Layer`] goes over what is below it.
#[derive(Debug, Clone, Copy, Default)]
pub enum BlendMode<'a> {
    /// It takes the place of what is below, as far as its weight goes.
    #[default]
    Override,
    /// Its difference from a reference pose is added, as far as its weight goes.
    ///
    /// An axis that the reference scales to 0 knows no ratio and keeps its scale.
    Additive {
        /// What the difference is taken from, often the first pose of the same clip.
        reference: &'a Pose,
    },
    /// Its motions play together with what is below: each takes the place of only what its clip has tracks for, the later
    /// over the earlier. The weights of its motions do not count, but for those of 0, which are left out.
    Together,
}

impl<'a> Layer<'a> {
    /// A layer that replaces all that is below it.
    pub fn new(motions: &'a [Motion<'a>]) -> Self {
        Self {
            motions,
            weight: 1.0,
            mode: BlendMode::Override,
            mask: None,
        }
    }
}

/// Blends layers of clips into poses of one model. It keeps its buffers: nothing is allocated once they have grown.
///
/// ```
/// use rigscope::anim::{Pose, blend::{Blender, Layer, Motion}};
/// use rigscope::model::Model;
///
/// fn between_walk_and_run(model: &Model, time_secs: f64, blender: &mut Blender, pose: &mut Pose) {
///     let motion = |clip: usize, weight| Motion::new(&model.clips[clip], time_secs, weight);
///     blender.blend(&[Layer::new(&[motion(0, 0.75), motion(1, 0.25)])], pose);
///     pose.update_world(&model.hierarchy, Default::default());
/// }
/// ```
#[derive(Debug, Clone)]
pub struct Blender {
    rest: Pose,
    /// One motion, sampled.
    sampled: Pose,
    /// The mixed motions of a layer that does not replace everything.
    layer: Pose,
    /// For each node whether it is still to be put over the pose; none between layers.
    is_moved: Vec<bool>,
    /// One for each motion of each layer, in order.
    cursors: Vec<Cursors>,
}

impl Blender {
    /// A blender for poses of this hierarchy.
    pub fn new(hierarchy: &Hierarchy) -> Self {
        let rest = Pose::new(hierarchy);
        Self {
            sampled: rest.clone(),
            layer: rest.clone(),
            is_moved: vec![false; hierarchy.len()],
            rest,
            cursors: Vec::new(),
        }
    }

    /// Writes the blend of `layers`, the lowest first, into the local transforms and morph weights of `pose`, whatever
    /// was there before. [`Pose::update_world`] is still to be called.
    pub fn blend(&mut self, layers: &[Layer<'_>], pose: &mut Pose) {
        let motion_count = layers.iter().map(|layer| layer.motions.len()).sum();
        if self.cursors.len() < motion_count {
            self.cursors.resize_with(motion_count, Cursors::default);
        }
        let mut cursors = self.cursors.as_mut_slice();
        // A lowest layer that replaces all needs nothing below it.
        let mut is_filled = false;
        for layer in layers {
            let (own, others) = cursors.split_at_mut(layer.motions.len());
            cursors = others;
            let replaces_all = matches!(layer.mode, BlendMode::Override)
                && layer.weight >= 1.0
                && layer.mask.is_none();
            if replaces_all {
                is_filled |= mix_motions(layer.motions, &self.rest, own, &mut self.sampled, pose);
                continue;
            }
            if !is_filled {
                pose.copy_unplaced(&self.rest);
                is_filled = true;
            }
            let mixed = &mut self.layer;
            let is_together = matches!(layer.mode, BlendMode::Together);
            if is_together && layer.weight >= 1.0 && layer.mask.is_none() {
                // It costs what its clips move.
                write_motions(layer.motions, own, pose);
            } else if is_together {
                mixed.copy_unplaced(pose);
                write_motions(layer.motions, own, mixed);
                apply_moved(layer, mixed, &mut self.is_moved, pose);
            } else if mix_motions(layer.motions, &self.rest, own, &mut self.sampled, mixed) {
                apply(layer, mixed, pose);
            }
        }
        if !is_filled {
            pose.copy_unplaced(&self.rest);
        }
    }
}

/// Writes the weighted mean of the motions into `mixed`; with no weight at all it leaves it alone and says no.
fn mix_motions(
    motions: &[Motion<'_>],
    rest: &Pose,
    cursors: &mut [Cursors],
    sampled: &mut Pose,
    mixed: &mut Pose,
) -> bool {
    // In double precision the sum cannot overflow.
    let positive = |motion: &Motion<'_>| match motion.weight {
        weight if weight > 0.0 => f64::from(weight.min(f32::MAX)),
        _ => 0.0,
    };
    let total: f64 = motions.iter().map(positive).sum();
    let mut count = 0;
    let mut weight_so_far = 0.0;
    let mut heaviest = 0.0;
    for (motion, cursors) in motions.iter().zip(cursors) {
        let weight = (positive(motion) / total) as f32;
        if weight.is_nan() || weight == 0.0 {
            continue;
        }
        let target = if count == 0 {
            &mut *mixed
        } else {
            &mut *sampled
        };
        target.copy_unplaced(rest);
        sample_motion(motion, cursors, target);
        if count == 0 {
            weight_so_far = weight;
        } else {
            mix::accumulate(mixed, weight_so_far, sampled, weight);
            // From here on `mixed` is a sum that holds its weights.
            weight_so_far = 1.0;
            if weight > heaviest {
                mixed.hidden.copy_from_slice(&sampled.hidden);
            }
        }
        heaviest = weight.max(heaviest);
        count += 1;
    }
    if count > 1 {
        mix::normalize(mixed);
    }
    count > 0
}

/// Writes what the motions have tracks for into `pose`, one over the other.
fn write_motions(motions: &[Motion<'_>], cursors: &mut [Cursors], pose: &mut Pose) {
    for (motion, cursors) in motions.iter().zip(cursors) {
        if motion.weight > 0.0 {
            sample_motion(motion, cursors, pose);
        }
    }
}

fn sample_motion(motion: &Motion<'_>, cursors: &mut Cursors, pose: &mut Pose) {
    sample(motion.clip, motion.time_secs, cursors, pose);
    // What does not shift its root must not take out how others shift it, over whom it is laid.
    let in_place = motion.in_place.filter(|way| way.root_motion.moves());
    if let Some(way) = in_place {
        let root_motion = way.root_motion;
        root_motion.hold_in_place(way.hierarchy, pose, motion.time_secs);
    }
}

/// Puts a mixed layer over `pose`.
fn apply(layer: &Layer<'_>, mixed: &Pose, pose: &mut Pose) {
    for index in 0..pose.locals.len() {
        apply_to(layer, mixed, index, pose);
    }
}

/// [`apply`] to what the motions move alone. `is_moved` is false for each node, before and afterwards.
fn apply_moved(layer: &Layer<'_>, mixed: &Pose, is_moved: &mut [bool], pose: &mut Pose) {
    let moved = || {
        let motions = layer.motions.iter().filter(|motion| motion.weight > 0.0);
        motions.flat_map(|motion| {
            let held = motion.in_place.map(|way| way.root_motion.root());
            motion.clip.moved_nodes().chain(held)
        })
    };
    for node in moved() {
        is_moved[node.index()] = true;
    }
    // Several tracks move the same node.
    for node in moved() {
        if std::mem::take(&mut is_moved[node.index()]) {
            apply_to(layer, mixed, node.index(), pose);
        }
    }
}

/// Puts a node of a mixed layer over `pose`.
fn apply_to(layer: &Layer<'_>, mixed: &Pose, index: usize, pose: &mut Pose) {
    let clamped = match layer.mode {
        BlendMode::Override | BlendMode::Together => layer.weight.clamp(0.0, 1.0),
        BlendMode::Additive { .. } => layer.weight,
    };
    let weight = clamped * layer.mask.map_or(1.0, |mask| mask.weight_at(index));
    if !clamped.is_finite() || weight == 0.0 {
        return;
    }
    match layer.mode {
        BlendMode::Additive { reference } => mix::add(mixed, reference, weight, index, pose),
        BlendMode::Override | BlendMode::Together => mix::replace(mixed, weight, index, pose),
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::model::{ClipBuilder, Interpolation, Node, NodeId, Timeline};

    #[test]
    fn what_a_clip_beside_others_does_not_move_stays_to_the_bit() {
        let (end, part) = (Vec3::new(0.1, 0.7, 1.3), 0.3);
        let nodes = vec![Node::default(); 2];
        let hierarchy = Hierarchy::new(nodes, &[None, None], &[vec![], vec![]]).unwrap();
        let [below, above] = [0, 1].map(|node| {
            let mut builder = ClipBuilder::new("walk");
            let timeline = builder.timeline(Timeline::new(vec![0.0, 1.0]).unwrap());
            let (node, values) = (NodeId(node), vec![Vec3::ZERO, end]);
            let linear = Interpolation::Linear;
            builder
                .translation(node, timeline, linear, values.clone())
                .unwrap();
            // A second track of the node is no second layer.
            builder.scale(node, timeline, linear, values).unwrap();
            builder.finish()
        });
        let mut blender = Blender::new(&hierarchy);
        let mut pose = Pose::new(&hierarchy);
        for step in 0..100 {
            let time_secs = f64::from(step) / 100.0;
            let motion = |clip| [Motion::new(clip, time_secs, 1.0)];
            let (below, above) = (motion(&below), motion(&above));
            blender.blend(&[Layer::new(&below)], &mut pose);
            let alone = pose.locals[0];
            let together = Layer {
                weight: part,
                mode: BlendMode::Together,
                ..Layer::new(&above)
            };
            blender.blend(&[Layer::new(&below), together], &mut pose);
            assert_eq!(pose.locals[0], alone, "{step}");
            let expected = end * time_secs as f32 * part;
            let found = pose.locals[1].translation;
            assert!(found.abs_diff_eq(expected, 1e-6), "{step}: {found}");
        }
    }
}
