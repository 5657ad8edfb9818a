//! What the panel of morph weights reads.

use crate::{
    app::Session,
    model::{Model, distinct_name, name_or, shared_names},
    ui::{MorphRow, MorphsView},
};

/// The morph weights, for the panel.
#[derive(Debug, Default)]
pub(in crate::app) struct MorphRows {
    rows: Vec<MorphRow>,
    model: Option<u64>,
}

impl MorphRows {
    /// Lists the morph weights of a new model.
    pub(in crate::app) fn update(&mut self, session: &Session) {
        let generation = session.model_generation();
        if self.model.replace(generation) == Some(generation) {
            return;
        }
        self.rows = rows(session.model());
    }

    pub(in crate::app) fn view<'a>(&'a self, session: &'a Session) -> MorphsView<'a> {
        let actor = session.actor();
        MorphsView {
            rows: &self.rows,
            values: &actor.pose().weights,
            held: actor.held_weights(),
        }
    }
}

fn rows(model: &Model) -> Vec<MorphRow> {
    let mut rows = Vec::new();
    if model.hierarchy.rest_weights().is_empty() {
        return rows;
    }
    let shared = shared_names(model.hierarchy.iter().map(|(_, node)| &*node.name));
    for (id, node) in model.hierarchy.iter() {
        let mesh = node.mesh.and_then(|mesh| model.meshes.get(mesh));
        let is_shared = shared.contains(&*node.name);
        for (target, weight) in node.weights.clone().enumerate() {
            rows.push(MorphRow {
                name: mesh.map_or_else(
                    || name_or("", "target", target),
                    |mesh| mesh.target_name(target),
                ),
                node: id.index(),
                node_name: distinct_name(&node.name, ("node", node.file_index), is_shared),
                weight,
            });
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Hierarchy, Node};

    #[test]
    fn nodes_of_one_name_are_told_apart() {
        let face = |name: &str| Node {
            name: name.to_owned(),
            ..Node::default()
        };
        let nodes = ["Face", "Face", "Hat"].map(face).into();
        let weights = [vec![0.0], vec![0.0, 0.5], vec![0.0]];
        let model = Model {
            hierarchy: Hierarchy::new(nodes, &[None; 3], &weights).unwrap(),
            ..Model::default()
        };
        let rows = rows(&model);
        let named: Vec<_> = rows.iter().map(|row| (row.node, &*row.node_name)).collect();
        let two = "Face (node 1)";
        assert_eq!(
            named,
            [(0, "Face (node 0)"), (1, two), (1, two), (2, "Hat")]
        );
    }
}
