//! Tracks of what pointers name and plain channels cannot: weights of meshes, and properties that are no node's placement.

use std::{
    cell::OnceCell,
    collections::{BTreeMap, HashMap},
};

use gltf::json::accessor::Type;
use serde::de::IgnoredAny;

use crate::model::{Interpolation, NodeId, PropertyTarget, Track as ModelTrack, TrackError};

use super::{
    super::{document::Section, source::Components},
    DROPPED, Reader, Track,
};

/// By meshes, the nodes that place them and state no weights of their own: found once, when a channel first asks.
#[derive(Debug, Default)]
pub(super) struct Placing(OnceCell<HashMap<usize, Vec<NodeId>>>);

impl Placing {
    fn of(&self, mesh: usize, reader: &Reader<'_, '_>) -> &[NodeId] {
        let find = || {
            let document = &reader.source.document;
            let states_weights = |file_index: usize| {
                let text = document.text(Section::Nodes, file_index);
                let object: Option<BTreeMap<String, IgnoredAny>> = serde_json::from_str(text).ok();
                object.is_some_and(|object| object.contains_key("weights"))
            };
            let mut nodes: HashMap<usize, Vec<NodeId>> = HashMap::new();
            for (id, node) in reader.hierarchy.iter() {
                let mesh = node.mesh.filter(|_| !node.weights.is_empty());
                if let Some(mesh) = mesh.filter(|_| !states_weights(node.file_index)) {
                    nodes.entry(mesh).or_default().push(id);
                }
            }
            nodes
        };
        let nodes = self.0.get_or_init(find).get(&mesh);
        nodes.map_or(&[], Vec::as_slice)
    }
}

/// What an allocation costs beside what is asked for.
const ALLOCATION: usize = 32;

impl Reader<'_, '_> {
    /// The weights of a mesh are those of all nodes that place it and state none of their own (glTF 2.0 §3.7.2.2).
    pub(super) fn read_mesh_weights(
        &mut self,
        track: Track<'_>,
        mesh: usize,
    ) -> Option<Result<(), TrackError>> {
        let placing = self.placing.of(mesh, self);
        let Some(&first) = placing.first() else {
            return Some(Ok(()));
        };
        let width = self.hierarchy.node(first).weights.len();
        let values = self.weights(track, width)?;
        let (timeline, values) = self.settle(track, width, values)?;
        // Each node gets a copy in a track of its own, in a list that grows by doubling.
        let each = size_of::<ModelTrack<f32>>().saturating_mul(2);
        let each = each.saturating_add(size_of_val(&*values));
        let each = each.saturating_add(ALLOCATION);
        if let Err(fault) = self.source.budget.charge_data(placing.len(), each) {
            let (clip, channel) = (self.clip, track.channel.index);
            let pointer = format_args!("/animations/{clip}/channels/{channel}");
            self.diagnostics.fault(fault, pointer, DROPPED);
            return None;
        }
        for node in self.without_own_channel(track, placing) {
            // The caller looks why.
            if self.source.progress.is_cancelled() {
                return None;
            }
            let width = self.hierarchy.node(node).weights.len();
            let (interpolation, values) = (track.interpolation, values.clone());
            let added = self
                .builder
                .weights(node, timeline, interpolation, width, values);
            if added.is_err() {
                return Some(added);
            }
        }
        Some(Ok(()))
    }

    /// Those of the nodes whose weights no other channel of the clip moves: what names the node itself counts.
    fn without_own_channel(&mut self, track: Track<'_>, nodes: &[NodeId]) -> Vec<NodeId> {
        let is_free = |id: &NodeId| {
            !self
                .own_weights
                .contains(&self.hierarchy.node(*id).file_index)
        };
        let free: Vec<NodeId> = nodes.iter().copied().filter(is_free).collect();
        let moved = nodes.len().saturating_sub(free.len());
        if moved > 0 {
            let (clip, channel) = (self.clip, track.channel.index);
            self.diagnostics.warning(
                "ANIMATION_DUPLICATE_TARGETS",
                format_args!("/animations/{clip}/channels/{channel}"),
                format!("{moved} nodes that place the mesh have a channel of their own"),
                "that one moves them",
            );
        }
        free
    }

    pub(super) fn read_property(
        &mut self,
        track: Track<'_>,
        target: PropertyTarget,
    ) -> Option<Result<(), TrackError>> {
        let mut track = track;
        if matches!(target, PropertyTarget::Visibility(_))
            && track.interpolation != Interpolation::Step
        {
            let (clip, sampler) = (self.clip, track.channel.sampler_index);
            let pointer = format_args!("/animations/{clip}/samplers/{sampler}/interpolation");
            let message = "there is nothing between hidden and shown: it must be STEP";
            if track.interpolation == Interpolation::CubicSpline {
                self.diagnostics
                    .warning("VALUE_NOT_IN_LIST", pointer, message, DROPPED);
                return None;
            }
            let action = "each key holds until the next";
            self.diagnostics
                .warning("VALUE_NOT_IN_LIST", pointer, message, action);
            track.interpolation = Interpolation::Step;
        }
        let (timeline, values) = match target.width() {
            1 => self.numbers::<1>(track, Type::Scalar)?,
            2 => self.numbers::<2>(track, Type::Vec2)?,
            3 => self.numbers::<3>(track, Type::Vec3)?,
            _ => self.numbers::<4>(track, Type::Vec4)?,
        };
        self.unplayed = self.unplayed.saturating_add(1);
        let interpolation = track.interpolation;
        Some(
            self.builder
                .property(target, timeline, interpolation, values),
        )
    }

    /// Vectors of `N` numbers, back to back.
    fn numbers<const N: usize>(
        &mut self,
        track: Track<'_>,
        shape: Type,
    ) -> Option<(usize, Vec<f32>)> {
        let values = self.output(track, shape, Components::Any, |vector: [f32; N]| vector)?;
        let (timeline, values) = self.settle(track, 1, values)?;
        Some((timeline, values.into_flattened()))
    }
}
