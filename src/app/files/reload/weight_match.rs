//! Which morph weights of a model are which of the same file as it is now.

use std::collections::HashMap;

use crate::{
    anim::difference::NodeMatch,
    model::{Model, Node, pair_again},
};

/// For each morph weight of the model that goes its place in the model that comes, if it is there: that of the same name at
/// its node, or else of the same place in its mesh.
#[derive(Debug)]
pub(super) struct WeightMatch(Vec<Option<usize>>);

impl WeightMatch {
    pub(super) fn new((from, to): (&Model, &Model), nodes: &NodeMatch) -> Self {
        let mut places = vec![None; from.hierarchy.rest_weights().len()];
        // Nodes of the same meshes have the same targets.
        let mut known = HashMap::new();
        for (old, new) in &nodes.pairs {
            let (old, new) = (from.hierarchy.node(*old), to.hierarchy.node(*new));
            let key = [old, new].map(|node| (node.mesh, node.weights.len()));
            let targets = known
                .entry(key)
                .or_insert_with(|| pair_again(&target_names(from, old), &target_names(to, new)));
            for (place, target) in places[old.weights.clone()].iter_mut().zip(targets.iter()) {
                *place = target.map(|target| new.weights.start + target);
            }
        }
        Self(places)
    }

    /// The place in the model that comes of the weight that has this one in the model that goes.
    pub(super) fn of(&self, place: usize) -> Option<usize> {
        *self.0.get(place)?
    }
}

/// The file's names of the morph targets of a node.
fn target_names<'a>(model: &'a Model, node: &Node) -> Vec<&'a str> {
    let mesh = node.mesh.and_then(|mesh| model.meshes.get(mesh));
    let name = |target| mesh.map_or("", |mesh| mesh.own_target_name(target));
    (0..node.weights.len()).map(name).collect()
}

#[cfg(test)]
mod tests {
    use std::{sync::Arc, time::Duration};

    use super::*;
    use crate::{
        app::Session,
        import::Import,
        model::{Hierarchy, Mesh, processor_time::timed},
        ui::{Command, HistoryCommand, MorphCommand},
    };

    /// A node for each list of names, with a morph target of each name.
    fn import(names: &[Vec<String>]) -> Import {
        let node = |mesh: usize| Node {
            name: format!("face {mesh}"),
            mesh: Some(mesh),
            ..Node::default()
        };
        let nodes: Vec<_> = (0..names.len()).map(node).collect();
        let mesh = |names: &Vec<String>| Mesh {
            target_count: names.len(),
            target_names: names.clone(),
            ..Mesh::default()
        };
        let weights: Vec<_> = names.iter().map(|names| vec![0.0; names.len()]).collect();
        let hierarchy = Hierarchy::new(nodes, &vec![None; names.len()], &weights);
        let model = Model {
            hierarchy: hierarchy.unwrap(),
            meshes: Arc::new(names.iter().map(mesh).collect()),
            ..Model::default()
        };
        Import {
            model,
            ..Import::default()
        }
    }

    #[test]
    fn weights_go_by_their_names_at_their_nodes_and_else_by_their_places() {
        let import = |names: [&[&str]; 2]| {
            import(&names.map(|names| names.iter().map(|it| (*it).to_owned()).collect()))
        };
        let old = import([&["smile", "", "frown"], &["smile", "wink", "wink", "old"]]);
        let new = import([
            &["wide", "frown", "", "smile"],
            &["wink", "blink", "wink", "new"],
        ]);
        let nodes = NodeMatch::new(&old.model.hierarchy, &new.model.hierarchy);
        let weights = WeightMatch::new((&old.model, &new.model), &nodes);
        let places = [0, 1, 2, 3, 4, 5, 6, 7].map(|place| weights.of(place));
        assert_eq!(places[..3], [Some(3), Some(2), Some(1)]);
        // At the place of the first there is another one now.
        assert_eq!(places[3..7], [None, Some(4), Some(6), Some(7)]);
        assert_eq!(places[7], None);
    }

    /// The names of all are not gathered anew for each of them, nor for each step to undo.
    #[test]
    fn as_many_weights_as_a_face_may_have_are_carried_in_one_pass() {
        const TARGETS: usize = 10_000;
        let names: Vec<_> = (0..TARGETS).map(|target| format!("key {target}")).collect();
        let turned = names.iter().rev().cloned().collect();
        let mut session = Session::new(import(&[names]), None, Duration::ZERO);
        for target in 0..TARGETS {
            session.actor.hold_weight(target, Some(target as f32));
        }
        session.apply(Command::Morphs(MorphCommand::Hold(0, 0.5)));
        let turned = import(&[turned]);
        let ((), took) = timed(|| session.reload_model(turned, Duration::ZERO));
        assert!(took < Duration::from_secs(2), "{took:?}");
        let first = |session: &Session| {
            let held: Vec<_> = session.actor.held().values().collect();
            assert_eq!(held.len(), TARGETS);
            let expected = |place: usize| (place, (TARGETS - 1 - place) as f32);
            assert_eq!(held[..2], [0, 1].map(expected));
            held[TARGETS - 1]
        };
        assert_eq!(first(&session), (TARGETS - 1, 0.5));
        session.apply(Command::History(HistoryCommand::Undo));
        assert_eq!(first(&session), (TARGETS - 1, 0.0));
    }
}
