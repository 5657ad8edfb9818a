//! The nodes as the tree lists them, and which of them the clip moves that the timeline shows.

use crate::{
    app::{
        Session,
        time::{ClipKey, ClipsKey},
    },
    model::{Clip, Model, Node, shared_names},
    ui::{NodeKind, NodeRow},
};

/// A row for each node, and what they were made from.
#[derive(Debug, Default)]
pub(in crate::app) struct NodeRows {
    list: Vec<NodeRow>,
    /// Model and scene. All clips of a model count, as any of them may show a node.
    of: Option<(ClipsKey, usize)>,
    /// The clip whose nodes are marked as animated.
    marked_for: Option<ClipKey>,
}

impl NodeRows {
    /// Brings the rows up to date. For another clip of the same model only the marks change: names are as many as nodes.
    pub(super) fn update(&mut self, session: &Session) {
        let (model, clip) = (session.model(), session.timeline_key());
        let scene = session.actor().scene();
        if self.of.replace((clip.clips, scene)) != Some((clip.clips, scene)) {
            self.list = node_rows(model, scene);
            self.marked_for = None;
        }
        if self.marked_for.replace(clip) != Some(clip) {
            let clip = clip.clip.and_then(|clip| model.clips.get(clip));
            mark_animated(&mut self.list, model, clip);
        }
    }

    pub(in crate::app) fn list(&self) -> &[NodeRow] {
        &self.list
    }
}

/// Marks the nodes where a clip moves anything, and no others.
fn mark_animated(rows: &mut [NodeRow], model: &Model, clip: Option<&Clip>) {
    let is_animated = clip.map(|clip| clip.animated_nodes(model));
    for (index, row) in rows.iter_mut().enumerate() {
        row.is_animated = is_animated.as_ref().is_some_and(|it| it[index]);
    }
}

impl NodeKind {
    /// What a node is to the user, who sees its mesh first, and then that it moves others.
    pub(super) fn of(node: &Node, is_joint: bool) -> Self {
        match (node.mesh, node.skin) {
            (Some(_), Some(_)) => Self::SkinnedMesh,
            (Some(_), None) => Self::Mesh,
            _ if is_joint => Self::Joint,
            _ if node.camera.is_some() => Self::Camera,
            _ if node.light.is_some() => Self::Light,
            _ => Self::Group,
        }
    }
}

fn node_rows(model: &Model, scene: usize) -> Vec<NodeRow> {
    let hierarchy = &model.hierarchy;
    let is_joint = model.joint_nodes();
    let in_scene = model.nodes_ever_shown(scene);
    let shared = shared_names(hierarchy.iter().map(|(_, node)| &*node.name));
    let mut rows: Vec<NodeRow> = Vec::with_capacity(hierarchy.len());
    for (id, node) in hierarchy.iter() {
        let depth = node
            .parent
            .map_or(0, |parent| rows[parent.index()].depth + 1);
        rows.push(NodeRow {
            name: hierarchy.display_name(id),
            has_namesake: !node.name.is_empty() && shared.contains(&*node.name),
            file_index: node.file_index,
            depth,
            descendants: 0,
            kind: NodeKind::of(node, is_joint[id.index()]),
            is_animated: false,
            in_scene: in_scene[id.index()],
        });
    }
    // Children stand behind their parents, so from the back every count is complete when it is passed up.
    for (id, node) in hierarchy.iter().collect::<Vec<_>>().into_iter().rev() {
        if let Some(parent) = node.parent {
            rows[parent.index()].descendants += rows[id.index()].descendants + 1;
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{app::built_in, model::Hierarchy, ui::Command};

    #[test]
    fn a_node_is_of_one_kind_wherever_that_is_said() {
        let node = Node {
            light: Some(0),
            ..Node::default()
        };
        assert_eq!(NodeKind::of(&node, false), NodeKind::Light);
        assert_eq!(NodeKind::of(&node, true), NodeKind::Joint);
        let hierarchy = Hierarchy::new(vec![node], &[None], &[Vec::new()]).unwrap();
        let model = Model {
            hierarchy,
            ..Model::default()
        };
        assert_eq!(node_rows(&model, 0)[0].kind, NodeKind::Light);
    }

    #[test]
    fn another_clip_changes_the_marks_alone() {
        let import = built_in::load("Pip").unwrap();
        let mut session = Session::new(import, None, Duration::ZERO);
        let mut rows = NodeRows::default();
        let mut places = Vec::new();
        for clip in [Some(0), Some(1), None] {
            session.apply(Command::SelectClip(clip));
            session.update();
            rows.update(&session);
            let model = session.model();
            let expected = match clip {
                Some(clip) => model.clips[clip].animated_nodes(model),
                None => vec![false; model.hierarchy.len()],
            };
            let marked = rows.list().iter().map(|row| row.is_animated);
            assert!(marked.eq(expected), "{clip:?}");
            places.push(rows.list()[0].name.as_ptr());
        }
        assert!(
            places.iter().all(|place| *place == places[0]),
            "nothing is named again"
        );
    }
}
