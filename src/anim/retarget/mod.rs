//! Clips of one model on another: bound by the names of nodes, and between people by the bones that these mean, as they are
//! or turned into the other's rest pose.
//!
//! As they are, local transforms are copied, which is right where both models have the same skeleton, whatever their rest
//! poses. Turned into the rest pose, what counts is how a node differs from its rest, seen in the world's axes: with P the
//! world rotation of the parent at rest, mirrors above it included, and r the node's own rotation,
//!
//! - rotations become `Pₜ⁻¹ Pₛ · q · rₛ⁻¹ Pₛ⁻¹ Pₜ rₜ`, so that a node at rest stays at rest, and a turn about an axis of the
//!   world is one about the same axis. As this is linear in q, keys and tangents go through it and every curve stays what it
//!   is;
//! - translations become `restₜ + k · Aₜ⁻¹ Aₛ · (t − restₛ)`, with A the linear part of the parent's world matrix at rest,
//!   and k the height of the hips of the one over that of the other, so that strides fit the legs. Hips whose rest is far from
//!   all that the clips of a file do are measured from their parent;
//! - scales are taken relative to those at rest, each along the axis of the node that lies nearest to it in the world at rest,
//!   so that what is stretched along a bone is stretched along the other. Where no axis lies within 45° of another, each keeps
//!   its name.
//!
//! Where both models have arms, these are measured in the T pose instead of at rest, so that arms that hang at rest in the one
//! and are stretched out in the other do not stay apart by that; and models that look to −Z are turned around first.

mod names;
mod properties;
mod rest;
mod targets;

pub use names::{Binding, Counterpart, plain_name};

use glam::{Quat, Vec3};

use super::Arms;
use crate::model::{
    Clip, ClipBuilder, Facing, Hierarchy, HumanJoint, Interpolation, Model, NodeId, PropertyTarget,
    PropertyTrack, Track, TrackError,
};
use properties::property;
use rest::{Footing, Gait, Rest, Retarget, angle_between_arms, boxes_of_bound};
use targets::{Lanes, Targets};

/// What clips of another model need to be bound: kept, so that they can be bound anew.
#[derive(Debug, Clone)]
pub struct ClipSource {
    hierarchy: Hierarchy,
    human_joints: Vec<HumanJoint>,
    facing: Facing,
    arms: Option<Arms>,
    clips: Vec<Clip>,
    /// For each mesh the names of its morph targets.
    target_names: Vec<Vec<String>>,
}

/// Clips that were bound to another model, and what was left out.
#[derive(Debug, Clone, Default)]
pub struct Bound {
    /// The clips; those of which nothing is left among them.
    pub clips: Vec<Clip>,
    /// How many nodes that the clips move have a counterpart.
    pub matched: usize,
    /// Nodes that the clips move and their counterparts, where the names are not the same.
    pub similar: Vec<[String; 2]>,
    /// Nodes that the clips move and that have no counterpart.
    pub missing: Vec<String>,
    /// Joints of the model that no clip moves.
    pub unmoved: Vec<String>,
    /// Tracks of materials, lights and cameras, which belong to their own file, and of weights that no target fits.
    pub dropped_properties: usize,
    /// The largest angle between rest rotations of a node and its counterpart.
    pub rest_angle_radians: f32,
    /// Of the nodes that the clips move away from their parents: how far from its parent each is at rest, divided by how far
    /// its counterpart is. The median; none if there are no such nodes.
    pub length_ratio: Option<f32>,
    /// Of people that are bound by their bones: the largest angle between upper arms at rest.
    pub arms_angle_radians: f32,
    /// Of such people: whether one looks to +Z, and the other to −Z.
    pub looks_other_way: bool,
}

impl Bound {
    /// Rest poses that differ by more are told of: 5 degrees.
    const NOTABLE_RADIANS: f32 = 0.0873;
    /// Proportions differ by less; units by far more.
    const NOTABLE_RATIO: f32 = 1.5;
    /// T poses differ by less, and poses with hanging arms by more: 15 degrees.
    const NOTABLE_ARMS_RADIANS: f32 = 0.262;

    /// Why the clips may look wrong unless they are retargeted, in words.
    pub fn misfits(&self) -> Vec<String> {
        let mut misfits = Vec::new();
        if self.rest_angle_radians > Self::NOTABLE_RADIANS {
            let degrees = self.rest_angle_radians.to_degrees();
            misfits.push(format!("rest poses differ by up to {degrees:.0}°"));
        } else if self.arms_angle_radians > Self::NOTABLE_ARMS_RADIANS {
            let degrees = self.arms_angle_radians.to_degrees();
            misfits.push(format!("arms at rest differ by {degrees:.0}°"));
        }
        if self.looks_other_way {
            misfits.push("the model there looks the other way".to_owned());
        }
        let ratio = self.length_ratio.unwrap_or(1.0);
        if !(Self::NOTABLE_RATIO.recip()..Self::NOTABLE_RATIO).contains(&ratio) {
            misfits.push(format!("bones are {} times as long there", factor(ratio)));
        }
        misfits
    }
}

/// A factor with two digits, or all before the point.
fn factor(factor: f32) -> String {
    let decimals = (1.0 - factor.log10().floor()).max(0.0);
    let digits = format!("{factor:.0$}", decimals as usize);
    match digits.split_once('.') {
        Some(_) => digits
            .trim_end_matches('0')
            .trim_end_matches('.')
            .to_owned(),
        None => digits,
    }
}

impl ClipSource {
    /// Keeps of a model what its clips need.
    pub fn of(model: Model) -> Self {
        let target_names = model.meshes.iter();
        let target_names = target_names.map(|mesh| mesh.target_names.clone());
        Self {
            target_names: target_names.collect(),
            arms: Arms::find(&model).ok(),
            facing: model.facing,
            hierarchy: model.hierarchy,
            human_joints: model.human_joints,
            clips: model.clips,
        }
    }

    /// How many clips there are.
    pub fn len(&self) -> usize {
        self.clips.len()
    }

    /// What they are called.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.clips.iter().map(Clip::name)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.clips.is_empty()
    }

    /// Binds the clips to a model; `retarget` turns them into its rest pose.
    pub fn bind(&self, model: &Model, retarget: bool) -> Bound {
        let hierarchies = [&self.hierarchy, &model.hierarchy];
        let binding = Binding::new(hierarchies, [&self.human_joints, &model.human_joints]);
        let mut bound = Bound {
            length_ratio: self.length_ratio(model, &binding),
            looks_other_way: binding.is_by_bones() && self.facing != model.facing,
            ..Bound::default()
        };
        let needs_arms = retarget || binding.is_by_bones();
        let arms = self.arms.clone().filter(|_| needs_arms);
        let arms = arms.and_then(|arms| Some([arms, Arms::find(model).ok()?]));
        if let Some(arms) = arms.as_ref().filter(|_| binding.is_by_bones()) {
            let facings = [self.facing, model.facing];
            bound.arms_angle_radians = angle_between_arms(hierarchies, facings, arms.each_ref());
        }
        let is_moved_there = nodes_moved(&self.clips, self.hierarchy.len());
        let mut is_moved = vec![false; model.hierarchy.len()];
        for (id, node) in self.hierarchy.iter() {
            if !is_moved_there[id.index()] {
                continue;
            }
            let Some(found) = binding.of(id) else {
                bound.missing.push(self.hierarchy.display_name(id));
                continue;
            };
            bound.matched += 1;
            is_moved[found.node.index()] = true;
            let own = model.hierarchy.node(found.node);
            if found.is_similar {
                bound.similar.push([node.name.clone(), own.name.clone()]);
            }
            let angle = node.rest.rotation.angle_between(own.rest.rotation);
            if angle.is_finite() {
                bound.rest_angle_radians = bound.rest_angle_radians.max(angle);
            }
        }
        let mut joints: Vec<NodeId> = model
            .skins
            .iter()
            .flat_map(|skin| skin.joints.iter().copied())
            .filter(|joint| !is_moved[joint.index()])
            .collect();
        joints.sort_unstable();
        joints.dedup();
        let names = joints.into_iter();
        bound.unmoved = names
            .map(|joint| model.hierarchy.display_name(joint))
            .collect();
        let targets = Targets::new(self, model, &binding);
        let rests = retarget.then(|| {
            let [there, here] = [0, 1].map(|side| arms.as_ref().map(|arms| &arms[side]));
            let rests = [
                Rest::of(&self.hierarchy, self.facing, there),
                Rest::of(&model.hierarchy, model.facing, here),
            ];
            let boxes = boxes_of_bound(&self.hierarchy, &binding, &rests);
            let footing = Footing::of(&self.hierarchy, &self.clips, &binding, &rests, &boxes);
            (rests, boxes, footing)
        });
        for clip in &self.clips {
            let properties = clip.properties().iter().map(PropertyTrack::target);
            let dropped = properties.filter(|&it| property(it, &targets, &binding).is_none());
            // A node that has no counterpart is reported as such: its properties are not reported once more.
            let is_said = |target: &PropertyTarget| {
                target.node().is_some_and(|node| binding.of(node).is_none())
            };
            bound.dropped_properties += dropped.filter(|target| !is_said(target)).count();
            let fits = |track: &&Track<f32>| {
                binding.of(track.node()).is_none() || targets.of(track.node()).is_some()
            };
            let weights = clip.weights().iter();
            bound.dropped_properties += weights.filter(|track| !fits(track)).count();
            let retarget = rests.as_ref().map(|(rests, boxes, footing)| Retarget {
                from: &rests[0],
                to: &rests[1],
                gait: Gait::of(clip, &binding, rests, boxes, footing),
            });
            let made = self.bind_clip(clip, model, &binding, &targets, retarget.as_ref());
            bound.clips.push(made.unwrap_or_default());
        }
        bound
    }

    /// [`Bound::length_ratio`].
    fn length_ratio(&self, model: &Model, binding: &Binding) -> Option<f32> {
        let tracks = self.clips.iter().flat_map(Clip::translations);
        let mut nodes: Vec<NodeId> = tracks.map(Track::node).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let ratio = |node: NodeId| {
            let own = binding.of(node)?.node;
            let [there, here] = [self.hierarchy.node(node), model.hierarchy.node(own)]
                .map(|node| node.rest.translation.length());
            Some(there / here).filter(|ratio| *ratio > 0.0 && ratio.is_finite())
        };
        let mut ratios: Vec<f32> = nodes.into_iter().filter_map(ratio).collect();
        ratios.sort_by(f32::total_cmp);
        ratios.get(ratios.len() / 2).copied()
    }

    /// The tracks of nodes that have counterparts.
    fn bind_clip(
        &self,
        clip: &Clip,
        model: &Model,
        binding: &Binding,
        targets: &Targets,
        retarget: Option<&Retarget<'_>>,
    ) -> Result<Clip, TrackError> {
        let mut made = ClipBuilder::new(clip.name());
        made.leave_unread(clip.unread());
        let mut places = vec![None; clip.timelines().len()];
        let mut place = |timeline: usize, made: &mut ClipBuilder| {
            let timelines = clip.timelines();
            *places[timeline].get_or_insert_with(|| made.timeline(timelines[timeline].clone()))
        };
        for track in clip.translations() {
            let Some(found) = binding.of(track.node()) else {
                continue;
            };
            let values = self.translations(track, model, found.node, retarget);
            let timeline = place(track.timeline(), &mut made);
            made.translation(found.node, timeline, track.interpolation(), values)?;
        }
        for track in clip.rotations() {
            let Some(found) = binding.of(track.node()) else {
                continue;
            };
            let values = self.rotations(track, model, found.node, retarget);
            let timeline = place(track.timeline(), &mut made);
            made.rotation(found.node, timeline, track.interpolation(), values)?;
        }
        for track in clip.scales() {
            let Some(found) = binding.of(track.node()) else {
                continue;
            };
            let values = scales(track, found.node, retarget);
            let timeline = place(track.timeline(), &mut made);
            made.scale(found.node, timeline, track.interpolation(), values)?;
        }
        for track in clip.weights() {
            let Some(found) = binding.of(track.node()) else {
                continue;
            };
            let Some(lanes) = targets.of(track.node()) else {
                continue;
            };
            let values = weights(track, lanes, model, found.node);
            let width = model.hierarchy.node(found.node).weights.len();
            let timeline = place(track.timeline(), &mut made);
            made.weights(found.node, timeline, track.interpolation(), width, values)?;
        }
        for track in clip.properties() {
            let Some(target) = property(track.target(), targets, binding) else {
                continue;
            };
            let timeline = place(track.timeline(), &mut made);
            let values = track.values().to_vec();
            made.property(target, timeline, track.interpolation(), values)?;
        }
        Ok(made.finish())
    }

    /// The values of a track of translations for another node.
    fn translations(
        &self,
        track: &Track<Vec3>,
        model: &Model,
        node: NodeId,
        retarget: Option<&Retarget<'_>>,
    ) -> Vec<Vec3> {
        let Some(retarget) = retarget else {
            return track.values().to_vec();
        };
        let [_, rest_to] = retarget.locals(track.node(), node);
        let standpoint = retarget.standpoint(track.node());
        let linear = retarget.linear(track.node(), node, self, model);
        let values = track.values().iter().enumerate();
        let values = values.map(|(place, &value)| {
            if track.interpolation().is_tangent(place) {
                linear * value
            } else {
                rest_to.translation + linear * (value - standpoint)
            }
        });
        values.collect()
    }

    /// The values of a track of rotations for another node.
    fn rotations(
        &self,
        track: &Track<Quat>,
        model: &Model,
        node: NodeId,
        retarget: Option<&Retarget<'_>>,
    ) -> Vec<Quat> {
        let Some(retarget) = retarget else {
            return track.values().to_vec();
        };
        let [rest_from, rest_to] = retarget.locals(track.node(), node);
        let from = retarget.from.parent(&self.hierarchy, track.node()).0;
        let to = retarget.to.parent(&model.hierarchy, node).0;
        // A turn away from the rest, seen from the other parent.
        let change = to.inverse() * from;
        let right = change.image(rest_from.rotation.conjugate())
            * change.rotation.conjugate()
            * rest_to.rotation;
        // The keys of splines may have any length, which the curve depends on (glTF 2.0 appendix C.5).
        let is_spline = track.interpolation() == Interpolation::CubicSpline;
        let values = track.values().iter().map(|&value| {
            let value = change.rotation * change.image(value) * right;
            if is_spline { value } else { value.normalize() }
        });
        values.collect()
    }
}

/// The values of a track of scales for another node.
fn scales(track: &Track<Vec3>, node: NodeId, retarget: Option<&Retarget<'_>>) -> Vec<Vec3> {
    let Some(retarget) = retarget else {
        return track.values().to_vec();
    };
    let [rest_from, rest_to] = retarget.locals(track.node(), node);
    let axes = retarget.axes(track.node(), node);
    let along = |scale: Vec3| Vec3::from_array(axes.map(|axis| scale[axis]));
    let ratio = rest_to.scale / along(rest_from.scale);
    let ratio = Vec3::select(ratio.is_finite_mask(), ratio, Vec3::ONE);
    let values = track.values().iter();
    values.map(|value| along(*value) * ratio).collect()
}

/// The values of a track of weights for another node's targets.
fn weights(track: &Track<f32>, lanes: &Lanes, model: &Model, node: NodeId) -> Vec<f32> {
    let own = model.hierarchy.node(node);
    let rest = &model.hierarchy.rest_weights()[own.weights.clone()];
    let interpolation = track.interpolation();
    let rows = track.values().chunks_exact(track.width().max(1));
    let values = rows.enumerate().flat_map(|(row, values)| {
        let is_tangent = interpolation.is_tangent(row);
        lanes.to_node.iter().zip(rest).map(move |(lane, rest)| {
            let value = lane.and_then(|lane| values.get(lane).copied());
            value.unwrap_or(if is_tangent { 0.0 } else { *rest })
        })
    });
    values.collect()
}

/// For each of `count` nodes, whether any of the clips moves it.
fn nodes_moved(clips: &[Clip], count: usize) -> Vec<bool> {
    let mut is_moved = vec![false; count];
    for clip in clips {
        for node in clip.moved_nodes() {
            is_moved[node.index()] = true;
        }
    }
    is_moved
}
