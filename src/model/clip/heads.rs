//! What the tracks of a clip move, and when, whatever their values are.

use std::collections::BTreeSet;

use super::{Clip, Interpolation, Track};
use crate::model::{Mesh, Model, NodeId, Primitive, PropertyTarget, PropertyTrack};

/// A track without its values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrackHead {
    /// What it moves.
    pub moved: Moved,
    /// Index of its timeline in the clip.
    pub timeline: usize,
    /// How values between keys are found.
    pub interpolation: Interpolation,
}

/// Something that a track moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Moved {
    /// The translation of a node.
    Translation(NodeId),
    /// The rotation of a node.
    Rotation(NodeId),
    /// The scale of a node.
    Scale(NodeId),
    /// The morph weights of a node.
    Weights(NodeId),
    /// A property.
    Property(PropertyTarget),
}

impl Moved {
    /// The node that it belongs to; none if it is of a material, a light or a camera.
    pub fn node(self) -> Option<NodeId> {
        match self {
            Self::Translation(node)
            | Self::Rotation(node)
            | Self::Scale(node)
            | Self::Weights(node) => Some(node),
            Self::Property(target) => target.node(),
        }
    }

    /// Whether it is of a node, or of what stands there: its camera, its light, its materials.
    pub fn stands_at(self, model: &Model, node: NodeId) -> bool {
        match self {
            Self::Property(target) => target.stands_at(model, node),
            _ => self.node() == Some(node),
        }
    }

    /// The node that it places.
    pub fn placed_node(self) -> Option<NodeId> {
        match self {
            Self::Translation(node) | Self::Rotation(node) | Self::Scale(node) => Some(node),
            Self::Weights(_) | Self::Property(_) => None,
        }
    }
}

impl<T> Track<T> {
    /// The track without its values; `moved` says what of its node it moves.
    pub fn head(&self, moved: fn(NodeId) -> Moved) -> TrackHead {
        TrackHead {
            moved: moved(self.node),
            timeline: self.timeline,
            interpolation: self.interpolation,
        }
    }
}

impl Clip {
    /// All tracks: translations, rotations, scales, weights, properties.
    pub fn heads(&self) -> impl Iterator<Item = TrackHead> + '_ {
        fn of<T>(
            tracks: &[Track<T>],
            moved: fn(NodeId) -> Moved,
        ) -> impl Iterator<Item = TrackHead> {
            tracks.iter().map(move |track| track.head(moved))
        }
        of(&self.translations, Moved::Translation)
            .chain(of(&self.rotations, Moved::Rotation))
            .chain(of(&self.scales, Moved::Scale))
            .chain(of(&self.weights, Moved::Weights))
            .chain(self.properties.iter().map(PropertyTrack::head))
    }

    /// The nodes of which it moves anything, some of them several times.
    pub fn moved_nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.heads().filter_map(|head| head.moved.node())
    }

    /// For each node whether it moves anything that [stands there](Moved::stands_at). O(nodes + tracks + primitives).
    pub fn animated_nodes(&self, model: &Model) -> Vec<bool> {
        let mut is_animated = vec![false; model.hierarchy.len()];
        let mut cameras = BTreeSet::new();
        let mut lights = BTreeSet::new();
        let mut materials = BTreeSet::new();
        for moved in self.heads().map(|head| head.moved) {
            if let Some(node) = moved.node() {
                is_animated[node.index()] = true;
            }
            match moved {
                Moved::Property(PropertyTarget::Camera(camera, _)) => {
                    cameras.insert(camera);
                }
                Moved::Property(PropertyTarget::Light(light, _)) => {
                    lights.insert(light);
                }
                Moved::Property(
                    PropertyTarget::Material(material, _)
                    | PropertyTarget::TextureTransform(material, ..),
                ) => {
                    materials.insert(material);
                }
                _ => {}
            }
        }
        let moves = |mesh: &Mesh| {
            let mut parts = mesh.primitives.iter().flat_map(Primitive::materials);
            parts.any(|material| materials.contains(&material))
        };
        let moves_mesh: Vec<_> = model.meshes.iter().map(moves).collect();
        for (node, placed) in model.hierarchy.iter() {
            is_animated[node.index()] |= placed.camera.is_some_and(|it| cameras.contains(&it))
                || placed.light.is_some_and(|it| lights.contains(&it))
                || (placed.mesh).is_some_and(|mesh| moves_mesh.get(mesh) == Some(&true));
        }
        is_animated
    }

    /// The nodes that it places, some of them several times.
    pub fn placed_nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.heads().filter_map(|head| head.moved.placed_node())
    }
}
