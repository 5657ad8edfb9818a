//! Single properties of nodes, of another model: whether they are shown, and morph weights one by one.

use super::{Binding, ClipSource, names_of_targets};
use crate::model::{Model, PropertyTarget};

impl ClipSource {
    /// The property of `model` that is meant by one of ours: that of the node's counterpart, and of the morph target with
    /// the same name, or in the same place where none has a name that is the same.
    pub(super) fn property(
        &self,
        target: PropertyTarget,
        model: &Model,
        binding: &Binding,
    ) -> Option<PropertyTarget> {
        let from = target.node()?;
        let node = binding.of(from)?.node;
        let PropertyTarget::NodeWeight(_, place) = target else {
            return Some(PropertyTarget::Visibility(node));
        };
        let own = model.hierarchy.node(node);
        let (names, wanted) = (
            self.target_names.get(from.index())?,
            names_of_targets(model, own.mesh),
        );
        let is_known = |name: &String| !name.is_empty() && wanted.contains(name);
        let place = if names.iter().any(is_known) {
            let name = names.get(place).filter(|name| is_known(name))?;
            wanted.iter().position(|other| other == name)?
        } else {
            place
        };
        (place < own.weights.len()).then_some(PropertyTarget::NodeWeight(node, place))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::model::{
        ClipBuilder, Hierarchy, Interpolation, MaterialProperty, Mesh, Node, NodeId, PropertyTrack,
        Timeline,
    };

    /// Two nodes: a face with these morph targets, and a hat.
    fn face(names: [&str; 2], targets: &[&str]) -> Model {
        let nodes = names.map(|name| Node {
            name: name.to_owned(),
            mesh: (name == "face").then_some(0),
            ..Node::default()
        });
        let weights = names.map(|name| match name {
            "face" => vec![0.0; targets.len()],
            _ => Vec::new(),
        });
        let hierarchy = Hierarchy::new(nodes.to_vec(), &[None, None], &weights).unwrap();
        let mesh = Mesh {
            target_count: targets.len(),
            target_names: targets.iter().map(|&name| name.to_owned()).collect(),
            ..Mesh::default()
        };
        Model {
            hierarchy,
            meshes: Arc::new(vec![mesh]),
            ..Model::default()
        }
    }

    #[test]
    fn properties_of_nodes_go_with_their_names() {
        let mut from = face(["hat", "face"], &["smile", "blink"]);
        let mut builder = ClipBuilder::new("wink");
        let timeline = builder.timeline(Timeline::new(vec![0.0]).unwrap());
        let (hat, own) = (NodeId(0), NodeId(1));
        for target in [
            PropertyTarget::Visibility(hat),
            PropertyTarget::NodeWeight(own, 1),
            PropertyTarget::NodeWeight(own, 0),
            PropertyTarget::Material(0, MaterialProperty::Roughness),
        ] {
            let kind = Interpolation::Step;
            builder.property(target, timeline, kind, vec![0.0]).unwrap();
        }
        from.clips = vec![builder.finish()];
        let source = ClipSource::of(from);
        let targets = |model: &Model| {
            let bound = source.bind(model, false);
            let tracks = bound.clips[0].properties().iter();
            let targets: Vec<_> = tracks.map(PropertyTrack::target).collect();
            (targets, bound.dropped_properties, bound.missing)
        };
        let blink = PropertyTarget::NodeWeight(NodeId(0), 0);
        let hat = PropertyTarget::Visibility(NodeId(1));
        // Nobody smiles there.
        let (found, dropped, missing) = targets(&face(["face", "hat"], &["blink", "frown"]));
        assert_eq!((found, dropped), (vec![hat, blink], 2));
        assert!(missing.is_empty());
        // Without a name that both have, places count.
        let (found, dropped, _) = targets(&face(["face", "hat"], &["", "x"]));
        let second = PropertyTarget::NodeWeight(NodeId(0), 1);
        assert_eq!((found, dropped), (vec![hat, second, blink], 1));
        let (found, dropped, missing) = targets(&face(["face", "shoe"], &["", "x"]));
        assert_eq!((found, dropped), (vec![second, blink], 1));
        assert_eq!(missing, ["hat"]);
    }
}
