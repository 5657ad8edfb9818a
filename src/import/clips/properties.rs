//! Tracks of what pointers name and plain channels cannot: weights of meshes, and properties that are no node's placement.

use std::collections::BTreeMap;

use gltf::json::accessor::Type;
use serde::de::IgnoredAny;

use crate::model::{Interpolation, NodeId, PropertyTarget, TrackError};

use super::{
    super::{document::Section, source::Components},
    DROPPED, Reader, Track,
};

impl Reader<'_, '_> {
    /// The weights of a mesh are those of all nodes that place it and state none of their own (glTF 2.0 §3.7.2.2).
    pub(super) fn read_mesh_weights(
        &mut self,
        track: Track<'_>,
        mesh: usize,
    ) -> Option<Result<(), TrackError>> {
        let document = &self.source.document;
        let states_weights = |file_index: usize| {
            let text = document.text(Section::Nodes, file_index);
            let object: Option<BTreeMap<String, IgnoredAny>> = serde_json::from_str(text).ok();
            object.is_some_and(|object| object.contains_key("weights"))
        };
        let placing = self.hierarchy.iter().filter(|(_, node)| {
            node.mesh == Some(mesh) && !node.weights.is_empty() && !states_weights(node.file_index)
        });
        let placing: Vec<NodeId> = placing.map(|(id, _)| id).collect();
        for node in placing {
            if let Err(error) = self.read_weights(track, node)? {
                return Some(Err(error));
            }
        }
        Some(Ok(()))
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
