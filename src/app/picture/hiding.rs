//! Nodes that the user has hidden. They are drawn by nobody: neither surfaces nor bones, shadows nor light; and what is
//! not drawn cannot be picked. The pose and its bounds stay as they are, so that nothing moves when something is hidden.

use crate::{
    anim::{PaletteLayout, Pose},
    app::Actor,
    model::{Hierarchy, NodeId},
    scene::Draw,
    ui::{HidingView, Sight},
};

/// The nodes that the user has hidden, without those below them, sorted.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::app) struct HiddenNodes(Vec<NodeId>);

impl HiddenNodes {
    /// Adds these nodes.
    fn add(&mut self, nodes: &[NodeId]) {
        self.0.extend_from_slice(nodes);
        self.0.sort_unstable();
        self.0.dedup();
    }

    /// These nodes of another model, of which `node_of` says the nodes.
    pub(in crate::app) fn carried_to(&self, node_of: impl Fn(NodeId) -> Option<NodeId>) -> Self {
        let carried: Vec<_> = self.0.iter().copied().filter_map(node_of).collect();
        let mut all = Self::default();
        all.add(&carried);
        all
    }
}

/// What is hidden of a model.
#[derive(Debug, Default, PartialEq)]
pub struct Hiding {
    /// For each node; empty while nothing is hidden.
    sight: Vec<Sight>,
    nodes: HiddenNodes,
}

impl Clone for Hiding {
    fn clone(&self) -> Self {
        Self {
            sight: self.sight.clone(),
            nodes: self.nodes.clone(),
        }
    }

    fn clone_from(&mut self, other: &Self) {
        self.sight.clone_from(&other.sight);
        self.nodes.0.clone_from(&other.nodes.0);
    }
}

impl Hiding {
    /// For the panels.
    pub fn view(&self) -> HidingView<'_> {
        HidingView {
            sight: &self.sight,
            count: self.nodes.0.len(),
        }
    }

    /// Whether nothing is hidden.
    pub fn is_empty(&self) -> bool {
        self.nodes.0.is_empty()
    }

    /// Hides a node, or shows it again.
    pub fn toggle(&mut self, hierarchy: &Hierarchy, node: usize) {
        if node >= hierarchy.len() {
            return;
        }
        let node = NodeId(node as u32);
        let nodes = &mut self.nodes.0;
        match nodes.binary_search(&node) {
            Ok(place) => {
                nodes.remove(place);
            }
            Err(place) => nodes.insert(place, node),
        }
        self.settle(hierarchy);
    }

    /// Hides these nodes, too.
    fn hide(&mut self, hierarchy: &Hierarchy, nodes: &[NodeId]) {
        self.nodes.add(nodes);
        self.settle(hierarchy);
    }

    /// Finds what can be seen of each node.
    fn settle(&mut self, hierarchy: &Hierarchy) {
        self.sight.clear();
        if self.nodes.0.is_empty() {
            return;
        }
        self.sight.resize(hierarchy.len(), Sight::Shown);
        for node in &self.nodes.0 {
            self.sight[node.index()] = Sight::Hidden;
        }
        // Parents come first, so theirs is known.
        for (id, node) in hierarchy.iter() {
            if self.sight[id.index()] != Sight::Hidden {
                let parent = node.parent.map(|parent| self.sight[parent.index()]);
                if parent.is_some_and(|parent| parent != Sight::Shown) {
                    self.sight[id.index()] = Sight::UnderHidden;
                }
            }
        }
    }

    /// Shows everything again.
    pub(super) fn show_all(&mut self) {
        *self = Self::default();
    }

    /// What is hidden of another model, of which `node_of` says the nodes.
    pub fn carried_to(
        &self,
        hierarchy: &Hierarchy,
        node_of: impl Fn(NodeId) -> Option<NodeId>,
    ) -> Self {
        let mut carried = Self {
            nodes: self.nodes.carried_to(node_of),
            ..Self::default()
        };
        carried.settle(hierarchy);
        carried
    }

    fn hides(&self, node: NodeId) -> bool {
        let sight = self.sight.get(node.index());
        sight.is_some_and(|sight| *sight != Sight::Shown)
    }

    /// Takes what is hidden out of what is drawn of meshes and shines.
    pub fn apply(&self, layout: &PaletteLayout, pose: &mut Pose, draws: &mut [Draw]) {
        self.hide_nodes(pose);
        self.hide_draws(layout, draws);
    }

    /// Takes what is hidden out of what a pose shows.
    pub fn hide_nodes(&self, pose: &mut Pose) {
        for (shown, sight) in pose.shown.iter_mut().zip(&self.sight) {
            *shown &= *sight == Sight::Shown;
        }
    }

    /// Takes what is hidden out of what is drawn of meshes.
    pub fn hide_draws(&self, layout: &PaletteLayout, draws: &mut [Draw]) {
        if !self.nodes.0.is_empty() {
            for (placement, draw) in layout.placements().iter().zip(draws) {
                draw.is_hidden |= self.hides(placement.node);
            }
        }
    }
}

impl Actor {
    /// What the user has hidden.
    pub fn hiding(&self) -> HidingView<'_> {
        self.hiding.view()
    }

    /// The nodes that the user has hidden.
    pub(in crate::app) fn hidden_nodes(&self) -> &HiddenNodes {
        &self.hiding.nodes
    }

    /// Hides these nodes with all below them from the next pose on, and no others; returns those that were hidden.
    pub(in crate::app) fn swap_hidden(&mut self, nodes: HiddenNodes) -> HiddenNodes {
        let mut hiding = std::mem::take(&mut self.hiding);
        let before = std::mem::replace(&mut hiding.nodes, nodes);
        hiding.settle(&self.model().hierarchy);
        self.hiding = hiding;
        before
    }

    /// Hides a node with all below it from the next pose on, or shows it again.
    pub fn toggle_hidden(&mut self, node: usize) {
        let mut hiding = std::mem::take(&mut self.hiding);
        hiding.toggle(&self.model().hierarchy, node);
        self.hiding = hiding;
    }

    /// Hides these nodes, too, with all below them from the next pose on.
    pub(in crate::app) fn hide(&mut self, nodes: &[NodeId]) {
        let mut hiding = std::mem::take(&mut self.hiding);
        hiding.hide(&self.model().hierarchy, nodes);
        self.hiding = hiding;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        app::{Session, built_in},
        ui::{Command, HistoryCommand, NodesCommand, PictureCommand, PlaybackCommand},
    };

    fn session() -> Session {
        let import = built_in::load(built_in::NAMES[0]).unwrap();
        let mut session = Session::new(import, None, std::time::Duration::ZERO);
        session.apply(Command::Picture(PictureCommand::ToggleSkeleton));
        session.update();
        session
    }

    fn drawn(session: &Session) -> Vec<bool> {
        let draws = session.actor().draws().iter();
        draws.map(|draw| !draw.is_hidden).collect()
    }

    #[test]
    fn what_hangs_under_a_hidden_node_is_hidden() {
        // 0 ─ 1 ─ 2 ─ 3, and 4 alone
        let nodes = vec![crate::model::Node::default(); 5];
        let parents = [None, Some(0), Some(1), Some(2), None];
        let tree = Hierarchy::new(nodes, &parents, &vec![Vec::new(); 5]).unwrap();
        let mut hiding = Hiding::default();
        hiding.toggle(&tree, 1);
        let sight = |hiding: &Hiding| [0, 1, 2, 3, 4].map(|node| hiding.view().of(node));
        use Sight::{Hidden, Shown, UnderHidden};
        let below = [Shown, Hidden, UnderHidden, UnderHidden, Shown];
        assert_eq!(sight(&hiding), below);
        hiding.toggle(&tree, 2);
        hiding.toggle(&tree, 1);
        let below = [Shown, Shown, Hidden, UnderHidden, Shown];
        assert_eq!(sight(&hiding), below);
        assert_eq!(hiding.view().count, 1);
        hiding.toggle(&tree, 99);
        hiding.toggle(&tree, 2);
        assert_eq!(hiding.view(), HidingView::default());
    }

    #[test]
    fn a_step_to_undo_holds_no_more_than_the_nodes_that_were_hidden() {
        let mut session = session();
        let toggle = |node| Command::Nodes(NodesCommand::ToggleHidden(node));
        let mut before = Vec::new();
        for node in [2, 0, 1, 0] {
            let nodes = session.actor.hidden_nodes().clone();
            before.push((nodes, session.actor.hiding.clone()));
            session.apply(toggle(node));
        }
        let held: Vec<_> = before.iter().map(|(nodes, _)| nodes.0.len()).collect();
        assert_eq!(held, [0, 1, 2, 3]);
        assert_eq!(session.actor.hidden_nodes().0, [1, 2].map(NodeId));
        for (nodes, hiding) in before.into_iter().rev() {
            session.apply(Command::History(HistoryCommand::Undo));
            assert_eq!(*session.actor.hidden_nodes(), nodes);
            assert_eq!(session.actor.hiding, hiding);
        }
    }

    #[test]
    fn hidden_nodes_are_neither_drawn_nor_picked_whatever_plays() {
        let mut session = session();
        let all = drawn(&session);
        assert!(all.contains(&true));
        // As they are measured while it plays, and not once for framing.
        session.pose_changed();
        session.update();
        let bounds = session.actor().bounds();
        session.apply(Command::Pick {
            at: [0.0; 2],
            reach: 0.0,
        });
        assert!(session.selected.is_some(), "the model is in the middle");

        let root = session.model().scenes[0].roots[0].index();
        for root in session.model().scenes[0].roots.clone() {
            session.apply(Command::Nodes(NodesCommand::ToggleHidden(root.index())));
        }
        session.update();
        assert!(!drawn(&session).contains(&true));
        assert!(session.actor().overlay().bones.is_empty());
        assert!(session.actor().overlay().joints.is_empty());
        assert_eq!(session.actor().bounds(), bounds, "nothing moves");
        session.apply(Command::Pick {
            at: [0.0; 2],
            reach: 0.0,
        });
        assert_eq!(session.selected, None);

        session.apply(Command::SelectClip(None));
        session.update();
        assert!(!drawn(&session).contains(&true), "whatever plays");
        session.apply(Command::SelectNode(Some(root)));
        session.apply(Command::Nodes(NodesCommand::ToggleChosenHidden));
        session.update();
        assert_eq!(session.actor().hiding().of(root), Sight::Shown);
        session.apply(Command::Nodes(NodesCommand::ShowAll));
        session.update();
        assert_eq!(drawn(&session), all);
        assert!(!session.actor().overlay().bones.is_empty());
    }

    #[test]
    fn onion_skins_are_not_of_hidden_nodes() {
        let mut session = session();
        session.apply(Command::SelectClip(Some(0)));
        session.apply(Command::Playback(PlaybackCommand::Seek(0.3)));
        session.skeleton.settings.onion_skins = true;
        let lines_from = |session: &mut Session, node: usize| {
            session.pose_changed();
            session.update();
            let lines = session.actor().overlay().lines.iter();
            let all = lines.clone().count();
            let hierarchy = &session.model().hierarchy;
            let is_under = |line: &&crate::scene::OverlayLine| {
                let mut above = line.joint.into_iter().flat_map(|id| hierarchy.upwards(id));
                above.any(|id| id.index() == node)
            };
            (all, lines.filter(is_under).count())
        };
        let joints: Vec<_> = session.actor().overlay().joints.iter().collect();
        let hidden = joints[joints.len() / 2].node.index();
        let (all, under) = lines_from(&mut session, hidden);
        assert!(all > under && under > 0, "{under} of {all}");
        session.apply(Command::Nodes(NodesCommand::ToggleHidden(hidden)));
        let (_, under) = lines_from(&mut session, hidden);
        assert_eq!(under, 0);
    }

    #[test]
    fn another_model_is_shown_whole() {
        let mut session = session();
        session.apply(Command::Nodes(NodesCommand::ToggleHidden(0)));
        let import = built_in::load(built_in::NAMES[0]).unwrap();
        session.replace_model(import, None, std::time::Duration::ZERO);
        assert_eq!(session.actor().hiding(), HidingView::default());
    }

    #[test]
    fn a_crowd_hides_what_the_one_hides() {
        let mut session = session();
        session.apply(Command::Nodes(NodesCommand::ToggleHidden(0)));
        session.update();
        let alone = drawn(&session);
        session.set_crowd_size(9);
        session.update();
        assert_eq!(drawn(&session), alone);
    }
}
