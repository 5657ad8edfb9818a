//! Clips of one model on another: bound by the names of nodes, as they are or turned into the other's rest pose.
//!
//! As they are, local transforms are copied, which is right where both models have the same skeleton, whatever their rest
//! poses. Turned into the rest pose, what counts is how a node differs from its rest, seen in the world's axes: with P the
//! world rotation of the parent at rest, mirrors above it included, and r the node's own rotation,
//!
//! - rotations become `Pₜ⁻¹ Pₛ · q · rₛ⁻¹ Pₛ⁻¹ Pₜ rₜ`, so that a node at rest stays at rest, and a turn about an axis of the
//!   world is one about the same axis. As this is linear in q, keys and tangents go through it and every curve stays what it
//!   is;
//! - translations become `restₜ + k · Aₜ⁻¹ Aₛ · (t − restₛ)`, with A the linear part of the parent's world matrix at rest,
//!   and k the height of the hips of the one over that of the other, so that strides fit the legs;
//! - scales are taken relative to those at rest.

mod names;
mod properties;

pub use names::{Binding, Counterpart, plain_name};

use std::collections::HashMap;

use glam::{Mat3A, Quat, Vec3};

use super::{Pose, orientation::Orientation};
use crate::model::{
    Aabb, Clip, ClipBuilder, Hierarchy, Interpolation, Model, NodeId, PropertyTarget,
    PropertyTrack, Track, TrackError, Transform,
};

/// What clips of another model need to be bound: kept, so that they can be bound anew.
#[derive(Debug, Clone)]
pub struct ClipSource {
    hierarchy: Hierarchy,
    clips: Vec<Clip>,
    /// For each node the names of its morph targets.
    target_names: Vec<Vec<String>>,
}

/// Clips that were bound to another model, and what was left out.
#[derive(Debug, Clone, Default)]
pub struct Bound {
    /// The clips; those of which nothing is left among them.
    pub clips: Vec<Clip>,
    /// How many nodes that the clips move have a counterpart.
    pub matched: usize,
    /// Nodes that the clips move and their counterparts, where the names only resemble each other.
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
}

impl Bound {
    /// Rest poses that differ by more are told of: 5 degrees.
    const NOTABLE_RADIANS: f32 = 0.0873;
    /// Proportions differ by less; units by far more.
    const NOTABLE_RATIO: f32 = 1.5;

    /// Why the clips may look wrong unless they are retargeted, in words.
    pub fn misfits(&self) -> Vec<String> {
        let mut misfits = Vec::new();
        if self.rest_angle_radians > Self::NOTABLE_RADIANS {
            let degrees = self.rest_angle_radians.to_degrees();
            misfits.push(format!("rest poses differ by up to {degrees:.0}°"));
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
        let target_names = model.hierarchy.nodes().iter();
        let target_names = target_names.map(|node| names_of_targets(&model, node.mesh));
        Self {
            target_names: target_names.collect(),
            hierarchy: model.hierarchy,
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
        let binding = Binding::new(&self.hierarchy, &model.hierarchy);
        let mut bound = Bound {
            length_ratio: self.length_ratio(model, &binding),
            ..Bound::default()
        };
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
        let rests = retarget.then(|| [Rest::of(&self.hierarchy), Rest::of(&model.hierarchy)]);
        for clip in &self.clips {
            let properties = clip.properties().iter().map(PropertyTrack::target);
            let dropped = properties.filter(|&it| self.property(it, model, &binding).is_none());
            // A node that has no counterpart is reported as such: its properties are not reported once more.
            let is_said = |target: &PropertyTarget| {
                target.node().is_some_and(|node| binding.of(node).is_none())
            };
            bound.dropped_properties += dropped.filter(|target| !is_said(target)).count();
            let fits = |track: &&Track<f32>| {
                let found = binding.of(track.node());
                found.is_none_or(|found| self.lanes(track.node(), model, found.node).is_some())
            };
            let weights = clip.weights().iter();
            bound.dropped_properties += weights.filter(|track| !fits(track)).count();
            let rests = rests.as_ref().map(|[from, to]| Retarget {
                from,
                to,
                stride: stride(clip, &self.hierarchy, &binding, from, to),
            });
            let made = self.bind_clip(clip, model, &binding, rests.as_ref());
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
        retarget: Option<&Retarget<'_>>,
    ) -> Result<Clip, TrackError> {
        let mut made = ClipBuilder::new(clip.name());
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
            let values = self.scales(track, model, found.node, retarget);
            let timeline = place(track.timeline(), &mut made);
            made.scale(found.node, timeline, track.interpolation(), values)?;
        }
        for track in clip.weights() {
            let Some(found) = binding.of(track.node()) else {
                continue;
            };
            let Some(values) = self.weights(track, model, found.node) else {
                continue;
            };
            let width = model.hierarchy.node(found.node).weights.len();
            let timeline = place(track.timeline(), &mut made);
            made.weights(found.node, timeline, track.interpolation(), width, values)?;
        }
        for track in clip.properties() {
            let Some(target) = self.property(track.target(), model, binding) else {
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
        let [rest_from, rest_to] = self.rests(track, model, node);
        let linear = retarget.linear(track.node(), node, self, model);
        let values = track.values().iter().enumerate();
        let values = values.map(|(place, &value)| {
            if track.interpolation().is_tangent(place) {
                linear * value
            } else {
                rest_to.translation + linear * (value - rest_from.translation)
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
        let [rest_from, rest_to] = self.rests(track, model, node);
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

    /// The values of a track of scales for another node.
    fn scales(
        &self,
        track: &Track<Vec3>,
        model: &Model,
        node: NodeId,
        retarget: Option<&Retarget<'_>>,
    ) -> Vec<Vec3> {
        if retarget.is_none() {
            return track.values().to_vec();
        }
        let [rest_from, rest_to] = self.rests(track, model, node);
        let ratio = rest_to.scale / rest_from.scale;
        let ratio = Vec3::select(ratio.is_finite_mask(), ratio, Vec3::ONE);
        track.values().iter().map(|value| value * ratio).collect()
    }

    fn rests<T>(&self, track: &Track<T>, model: &Model, node: NodeId) -> [Transform; 2] {
        let from = self.hierarchy.node(track.node()).rest;
        [from, model.hierarchy.node(node).rest]
    }

    /// The values of a track of weights for another node's targets. None if nothing fits.
    fn weights(&self, track: &Track<f32>, model: &Model, node: NodeId) -> Option<Vec<f32>> {
        let own = model.hierarchy.node(node);
        let lanes = self.lanes(track.node(), model, node)?;
        let rest = &model.hierarchy.rest_weights()[own.weights.clone()];
        let interpolation = track.interpolation();
        let rows = track.values().chunks_exact(track.width().max(1));
        let values = rows.enumerate().flat_map(|(row, values)| {
            let is_tangent = interpolation.is_tangent(row);
            lanes.iter().zip(rest).map(move |(lane, rest)| {
                let value = lane.and_then(|lane| values.get(lane).copied());
                value.unwrap_or(if is_tangent { 0.0 } else { *rest })
            })
        });
        Some(values.collect())
    }

    /// For each morph target of a node of `model` that of one of ours which is meant: by their names; by their places where no
    /// name is the same and there are as many. None if nothing fits.
    fn lanes(&self, from: NodeId, model: &Model, to: NodeId) -> Option<Vec<Option<usize>>> {
        let own = model.hierarchy.node(to);
        let wanted = names_of_targets(model, own.mesh);
        let names = self.target_names.get(from.index())?;
        // Of several of one name the first is meant.
        let named = names.iter().enumerate().rev();
        let named = named.filter(|(_, name)| !name.is_empty());
        let named: HashMap<&String, usize> = named.map(|(place, name)| (name, place)).collect();
        let lanes = wanted.iter().map(|name| named.get(name).copied());
        let mut lanes: Vec<Option<usize>> = lanes.collect();
        lanes.resize(own.weights.len(), None);
        if lanes.iter().any(Option::is_some) {
            return Some(lanes);
        }
        let count = self.hierarchy.node(from).weights.len();
        (own.weights.len() == count).then(|| (0..count).map(Some).collect())
    }
}

/// The names of the morph targets of a mesh; empty where it says none.
fn names_of_targets(model: &Model, mesh: Option<usize>) -> Vec<String> {
    let mesh = mesh.and_then(|mesh| model.meshes.get(mesh));
    mesh.map_or_else(Vec::new, |mesh| mesh.target_names.clone())
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

/// A hierarchy at rest, in the world.
struct Rest {
    orientations: Vec<Orientation>,
    pose: Pose,
}

impl Rest {
    fn of(hierarchy: &Hierarchy) -> Self {
        let mut orientations: Vec<Orientation> = Vec::with_capacity(hierarchy.len());
        for node in hierarchy.nodes() {
            let parent = node.parent.map(|parent| orientations[parent.index()]);
            let parent = parent.unwrap_or(Orientation::IDENTITY);
            orientations.push(parent * Orientation::of_transform(&node.rest));
        }
        Self {
            orientations,
            pose: Pose::new(hierarchy),
        }
    }

    /// Orientation and linear part of a node's parent in the world.
    fn parent(&self, hierarchy: &Hierarchy, node: NodeId) -> (Orientation, Mat3A) {
        let parent = hierarchy.node(node).parent;
        parent.map_or((Orientation::IDENTITY, Mat3A::IDENTITY), |parent| {
            let world = self.pose.world[parent.index()];
            (self.orientations[parent.index()], world.matrix3)
        })
    }

    fn place(&self, node: NodeId) -> Vec3 {
        self.pose.world[node.index()].translation.into()
    }
}

/// From one rest pose into another.
struct Retarget<'a> {
    from: &'a Rest,
    to: &'a Rest,
    stride: f32,
}

impl Retarget<'_> {
    /// What becomes of differences of translations.
    fn linear(&self, from: NodeId, to: NodeId, source: &ClipSource, model: &Model) -> Mat3A {
        let there = self.from.parent(&source.hierarchy, from).1;
        let here = self.to.parent(&model.hierarchy, to).1;
        let linear = here.inverse() * there * self.stride;
        if linear.is_finite() {
            linear
        } else {
            Mat3A::IDENTITY
        }
    }
}

/// How much longer the legs are: the height of the hips (the first node that is shifted at a height) over the lowest bound
/// node, or where there is none, how far the bound nodes reach.
fn stride(clip: &Clip, from: &Hierarchy, binding: &Binding, rest: &Rest, own: &Rest) -> f32 {
    let pairs = || {
        let nodes = from.iter().map(|(id, _)| id);
        nodes.filter_map(|id| Some((id, binding.of(id)?.node)))
    };
    let there = Aabb::of_points(pairs().map(|(id, _)| rest.place(id)));
    let here = Aabb::of_points(pairs().map(|(_, id)| own.place(id)));
    let moved = clip.translations().iter();
    let moved = moved
        .filter(|track| track.varies(|first, value| first != value))
        .filter_map(|track| Some((track.node(), binding.of(track.node())?.node)));
    let reaches = [there.diagonal(), here.diagonal()];
    let heights = moved.map(|(there_id, here_id)| {
        let height = |place: Vec3, bounds: &Aabb| place.y - bounds.min.y;
        let heights = [
            height(rest.place(there_id), &there),
            height(own.place(here_id), &here),
        ];
        (there_id, heights)
    });
    // What moves on the ground, and carries the hips, says nothing of legs.
    let is_high = |[a, b]: &[f32; 2]| *a > 0.05 * reaches[0] && *b > 0.05 * reaches[1];
    let hips = heights.filter(|(_, heights)| is_high(heights));
    let hips = hips.min_by_key(|(there_id, _)| *there_id);
    let [there, here] = hips.map_or(reaches, |(_, heights)| heights);
    let ratio = here / there;
    if ratio.is_finite() && ratio > 0.0 {
        ratio
    } else {
        1.0
    }
}
