//! What scenes differ in: their roots, and which one is shown at first.

use super::{NodeMatch, Pair, PartKind, PropertyValue, Search};
use crate::model::{Model, NodeId, Scene, shortened};

impl Search<'_, '_> {
    /// Compares scenes by what they are called, which is shown at first, and which nodes of both models they show.
    pub(super) fn scenes(&mut self, matches: &NodeMatch) {
        let models = self.models;
        for indices in self.found.scenes.pairs.clone() {
            let pair = (PartKind::Scene, indices);
            self.names(pair);
            let is_first = [0, 1].map(|side| indices[side] == models[side].default_scene);
            self.flags(pair, "shown at first", is_first);
            // Of the scenes that are shown at first each node tells it.
            if is_first != [true; 2] {
                let scenes = [0, 1].map(|side| &models[side].scenes[indices[side]]);
                let shown = [0, 1].map(|side| models[side].nodes_in_scene(indices[side]));
                let only_first = lacked(scenes[0], &shown[1], |node| matches.second_of(node));
                let only_second = lacked(scenes[1], &shown[0], |node| matches.first_of(node));
                self.roots(pair, scenes, [only_first, only_second]);
            }
        }
    }

    /// Tells the roots of scenes that one shows and the other does not.
    fn roots(&mut self, pair: Pair, scenes: [&Scene; 2], only: [Vec<NodeId>; 2]) {
        let sides = ["only the first shows", "only the second shows"];
        let words = sides.into_iter().zip(&only).zip(self.models);
        let words = words.filter(|((_, nodes), _)| !nodes.is_empty());
        let words: Vec<_> = words
            .map(|((side, nodes), model)| format!("{side} {}", nodes_in_words(model, nodes)))
            .collect();
        if !words.is_empty() {
            let counts = scenes.map(|scene| PropertyValue::Count(scene.roots.len()));
            self.tell_more(pair, "nodes", counts, (None, words.join(", ")));
        }
    }
}

/// The roots of a scene that are nodes of the other model, too, whose scene does not show them: `shown` says which it shows.
fn lacked(scene: &Scene, shown: &[bool], same: impl Fn(NodeId) -> Option<NodeId>) -> Vec<NodeId> {
    let is_lacked = |node: &NodeId| same(*node).is_some_and(|same| !shown[same.index()]);
    scene.roots.iter().copied().filter(is_lacked).collect()
}

/// Nodes of a model: the name of one, or how many there are and the name of the first.
fn nodes_in_words(model: &Model, nodes: &[NodeId]) -> String {
    let name = |node: NodeId| {
        let index = model.hierarchy.node(node).file_index;
        let name = PartKind::Node.name(model, index);
        match name {
            "" => PartKind::Node.named(name, index),
            name => format!("{:?}", shortened(name)),
        }
    };
    match nodes {
        [] => String::new(),
        [one] => name(*one),
        [first, ..] => format!("{} nodes, such as {}", nodes.len(), name(*first)),
    }
}
