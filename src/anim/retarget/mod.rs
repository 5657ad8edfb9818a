//! Clips of one model on another: bound by the names of nodes, and between people by the bones that these mean, as they are
//! or turned into the other's rest pose.
//!
//! As they are, local transforms are copied, which is right where both models have the same skeleton, whatever their rest
//! poses. Turned into the rest pose, what counts is how a node differs from its rest, seen in the world's axes, once the whole
//! is turned to stand as the model does (`standing`): with P the world rotation of the parent at rest, mirrors above it
//! included, and r the node's own rotation,
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
//! and are stretched out in the other do not stay apart by that. Clips in another unit than their own skeleton are brought into
//! that first.

mod bound;
mod names;
mod properties;
mod rest;
mod standing;
mod targets;

pub use bound::Bound;
pub use names::{Binding, Counterpart, plain_name};

use std::borrow::Cow;

use glam::{Quat, Vec3};

use super::{Arms, Pose};
use crate::model::{
    Clip, ClipBuilder, Facing, Hierarchy, HumanJoint, Interpolation, Model, NodeId, PropertyTarget,
    PropertyTrack, Track, TrackError,
};
use properties::property;
use rest::{Footing, Gait, Rest, Retarget, angle_between_arms, boxes_of_bound};
use standing::{Rig, Standing, bound_pose};
use targets::{Lanes, Targets};

/// What clips of another model need to be bound: kept, so that they can be bound anew.
#[derive(Debug, Clone)]
pub struct ClipSource {
    hierarchy: Hierarchy,
    human_joints: Vec<HumanJoint>,
    facing: Facing,
    arms: Option<Arms>,
    /// Where joints are in the bind pose, if the file's skins say that.
    bound_pose: Option<Pose>,
    clips: Vec<Clip>,
    /// For each clip how many times as long it makes bones as its own skeleton has them, if it is in another unit.
    units: Vec<Option<f32>>,
    /// For each mesh the names of its morph targets.
    target_names: Vec<Vec<String>>,
}

impl ClipSource {
    /// Keeps of a model what its clips need.
    pub fn of(model: Model) -> Self {
        let target_names = model.meshes.iter();
        let target_names = target_names.map(|mesh| mesh.target_names.clone());
        Self {
            target_names: target_names.collect(),
            arms: Arms::find(&model).ok(),
            bound_pose: bound_pose(&model),
            units: units(&model),
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
        let is_moved_there = nodes_moved(&self.clips, self.hierarchy.len());
        let arms = self.arms.clone();
        let arms = arms.and_then(|arms| Some([arms, Arms::find(model).ok()?]));
        let standing = self.standing(model, &binding, &is_moved_there, arms.as_ref());
        let units = self.clips.iter().zip(&self.units);
        let mut units = units.filter_map(|(clip, unit)| Some((clip.name().to_owned(), (*unit)?)));
        let mut bound = Bound {
            length_ratio: self.length_ratio(model, &binding),
            unit: units.next(),
            rest_angle_radians: standing.angle_radians as f32,
            compares_bind_poses: standing.is_bound,
            looks_other_way: binding.is_by_bones() && self.facing != model.facing,
            ..Bound::default()
        };
        if let Some(arms) = arms.as_ref().filter(|_| binding.is_by_bones()) {
            bound.arms_angle_radians = angle_between_arms(&standing, arms.each_ref());
        }
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
        targets.report(self, &mut bound);
        let are_changed = retarget && self.units.iter().any(Option::is_some);
        let clips = match are_changed {
            true => Cow::Owned(self.clips_in_own_unit()),
            false => Cow::Borrowed(&self.clips),
        };
        let rests = retarget.then(|| {
            let [there, here] = [0, 1].map(|side| arms.as_ref().map(|arms| &arms[side]));
            let [pose_there, pose_here] = standing.poses;
            let rests = [
                Rest::of(&self.hierarchy, pose_there, standing.turn, there),
                Rest::of(&model.hierarchy, pose_here, Quat::IDENTITY, here),
            ];
            let boxes = boxes_of_bound(&self.hierarchy, &binding, &rests);
            let footing = Footing::of(&self.hierarchy, &clips, &binding, &rests, &boxes);
            (rests, boxes, footing)
        });
        for clip in clips.iter() {
            let properties = clip.properties().iter().map(PropertyTrack::target);
            let dropped = properties.filter(|&it| property(it, &targets, &binding).is_none());
            // Nodes and morph targets that have no counterpart are reported as such: their properties are not reported
            // once more.
            let is_said = |target: &PropertyTarget| {
                let is_missing = |node| binding.of(node).is_none();
                target.node().is_some_and(is_missing) || targets.is_missing(*target)
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

    /// How the whole stands, beside a model.
    fn standing(
        &self,
        model: &Model,
        binding: &Binding,
        is_moved: &[bool],
        arms: Option<&[Arms; 2]>,
    ) -> Standing {
        let mut is_arm = vec![false; self.hierarchy.len()];
        for node in arms.iter().flat_map(|[there, _]| there.below()) {
            is_arm[node.index()] = true;
        }
        let bound = bound_pose(model);
        let rigs = [
            Rig {
                hierarchy: &self.hierarchy,
                bound: self.bound_pose.as_ref(),
            },
            Rig {
                hierarchy: &model.hierarchy,
                bound: bound.as_ref(),
            },
        ];
        let told = model.facing.turn_radians() - self.facing.turn_radians();
        let told = Quat::from_rotation_y(told);
        Standing::of(rigs, binding, is_moved, &is_arm, told)
    }

    /// The clips in the unit of their own skeleton.
    fn clips_in_own_unit(&self) -> Vec<Clip> {
        let clips = self.clips.iter().zip(&self.units);
        let clips = clips.map(|(clip, unit)| match unit {
            Some(unit) => clip.with_lengths(unit.recip()),
            None => clip.clone(),
        });
        clips.collect()
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

/// For each clip of a model [`Clip::bone_factor`]; without skins all nodes may be joints.
fn units(model: &Model) -> Vec<Option<f32>> {
    let is_joint = match model.skins.is_empty() {
        true => vec![true; model.hierarchy.len()],
        false => model.joint_nodes(),
    };
    Clip::bone_factors_of_all(&model.clips, &model.hierarchy, &is_joint)
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
