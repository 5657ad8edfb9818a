//! What moves the vertex under the pointer, in views about joints.

use crate::{
    app::Session,
    model::NodeId,
    scene::{CameraView, ViewMode, WeightColors, influences_at, joint_carrying, joint_color},
    ui::{InfluenceCard, InfluenceRow},
};

/// What is known of the vertex under the pointer.
#[derive(Debug, Default)]
pub(in crate::app) struct CardKeeper {
    /// For what it was looked up, in the pose that the model still has.
    of: Option<CardOf>,
    vertex: Option<u32>,
    rows: Vec<InfluenceRow>,
    /// The joint that moves all of the mesh, which has no skin.
    moved_by: Option<usize>,
    /// Whether it is another one than when that was last asked.
    pub(super) has_changed: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct CardOf {
    at: [f32; 2],
    camera: CameraView,
    variant: Option<usize>,
    mode: ViewMode,
    /// The joint that the view of weights is about.
    chosen: Option<NodeId>,
    colors: WeightColors,
}

impl CardKeeper {
    /// What panels read of it.
    pub(super) fn view(&self) -> Option<InfluenceCard<'_>> {
        Some(InfluenceCard {
            vertex: self.vertex?,
            rows: &self.rows,
            moved_by: self.moved_by,
        })
    }

    /// Says that the model was posed anew: another vertex may be there.
    pub(in crate::app) fn follow_pose(&mut self) {
        self.of = None;
    }

    fn clear(&mut self) {
        self.of = None;
        self.has_changed |= self.vertex.take().is_some();
        self.rows.clear();
    }
}

impl Session {
    /// Looks what moves the vertex at a point of the picture, in views about joints; crowds are not looked at.
    pub(super) fn hover_surface(&mut self, at: Option<[f32; 2]>) {
        let mode = self.shown.view_mode;
        let is_wanted = mode.is_about_joints() && self.actor.crowd().is_none();
        let Some(at) = at.filter(|_| is_wanted) else {
            return self.skeleton.card.clear();
        };
        let of = CardOf {
            at,
            camera: self.camera_view(),
            variant: self.variant.shown,
            mode,
            chosen: self.selected.filter(|_| mode == ViewMode::Weights),
            colors: self.shown.weight_colors,
        };
        if self.skeleton.card.of.replace(of) == Some(of) {
            return;
        }
        let actor = &self.actor;
        let (model, layout) = (actor.model(), actor.layout());
        let surfaces = actor.surfaces(of.variant, mode);
        let hit = surfaces.pick(&of.camera.ray(at));
        let found = hit.map(|hit| influences_at(model, layout, &hit));
        // The weights of others are not what the surface shows.
        let color = |node, place, weight| match mode {
            ViewMode::Weights => (of.chosen == Some(node)).then(|| of.colors.color(weight)),
            _ => Some(joint_color(place)),
        };
        let carried = hit.as_ref().map(|hit| &layout.placements()[hit.placement]);
        let carried = carried.filter(|it| it.skin.is_none());
        let is_joint = |node: &NodeId| model.skins.iter().any(|skin| skin.joints.contains(node));
        let is_skinned = hit.is_some() && carried.is_none();
        let chosen = of.chosen.filter(|node| is_skinned && is_joint(node));
        let moved_by = carried.and_then(|it| joint_carrying(model, it.node));
        let card = &mut self.skeleton.card;
        card.moved_by = moved_by.map(NodeId::index);
        card.vertex = found.as_ref().map(|(vertex, _)| *vertex);
        card.rows.clear();
        let influences = found.into_iter().flat_map(|(_, influences)| influences);
        card.rows.extend(influences.map(|influence| InfluenceRow {
            node: influence.node.index(),
            weight: influence.weight,
            color: color(influence.node, influence.place, influence.weight),
        }));
        let unlisted = chosen.filter(|node| !card.rows.iter().any(|row| row.node == node.index()));
        card.rows.extend(unlisted.map(|node| InfluenceRow {
            node: node.index(),
            weight: 0.0,
            color: color(node, 0, 0.0),
        }));
        card.has_changed = true;
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{
        app::built_in,
        import::Import,
        ui::{
            CameraCommand, Command, DragCommand, MixCommand, MorphCommand, NodesCommand,
            PictureCommand, PlaybackCommand, PosingCommand, SkeletonCommand,
        },
    };

    /// Pip, standing still in a view about joints.
    fn session() -> Session {
        posed(built_in::load("Pip").unwrap())
    }

    fn posed(import: Import) -> Session {
        let mut session = Session::new(import, None, Duration::ZERO);
        session.set_aspect(1.5);
        session.clock.pause();
        session.apply(Command::Picture(PictureCommand::SetViewMode(
            ViewMode::Weights,
        )));
        session.apply(Command::Camera(CameraCommand::FrameModel));
        while session.is_moving() {
            session.tick(0.5);
        }
        session.update();
        session
    }

    fn hover(session: &mut Session, is_resting: bool) {
        session.apply(Command::Skeleton(SkeletonCommand::Hover {
            at: Some([0.0, 0.0]),
            reach: 0.0,
            is_resting,
        }));
    }

    /// A frame with the pointer at rest in the middle: whether the card was made anew.
    fn is_made_anew(session: &mut Session) -> bool {
        hover(session, true);
        session.update();
        std::mem::take(&mut session.skeleton.card.has_changed)
    }

    /// To look for what is under the pointer visits every triangle.
    #[test]
    fn of_large_models_there_is_a_card_where_the_pointer_rests() {
        let mut session = session();
        hover(&mut session, false);
        assert!(session.skeleton.card.view().is_some(), "a small one");
        let mut import = built_in::load("Pip").unwrap();
        let mut meshes = import.model.meshes.to_vec();
        for primitive in meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
            let indices: Vec<_> = primitive.indices.iter().collect();
            primitive.indices = indices.repeat(60).into();
        }
        import.model.meshes = meshes.into();
        session = posed(import);
        assert!(session.is_long_to_pick());
        for is_resting in [false, true, false] {
            hover(&mut session, is_resting);
            assert_eq!(session.skeleton.card.view().is_some(), is_resting);
        }
        // While time runs, each picture would have to be looked at anew.
        session.apply(Command::Playback(PlaybackCommand::TogglePlay));
        hover(&mut session, true);
        assert!(session.skeleton.card.view().is_none());
    }

    /// The surface has the colour of the chosen joint's weight: so has what stands beside its name, and nothing else.
    #[test]
    fn the_card_says_the_weight_that_the_surface_shows() {
        let mut session = session();
        hover(&mut session, true);
        let rows = |session: &Session| session.skeleton.card.view().unwrap().rows.to_vec();
        let found = rows(&session);
        assert!(!found.is_empty() && found.iter().all(|row| row.color.is_none()));
        let joints = &session.model().skins[0].joints;
        let mut others = joints.iter().map(|node| node.index());
        let other = others.find(|node| !found.iter().any(|row| row.node == *node));
        for (node, weight) in [(other.unwrap(), 0.0), (found[0].node, found[0].weight)] {
            session.apply(Command::SelectNode(Some(node)));
            session.update();
            hover(&mut session, true);
            let rows = rows(&session);
            let colored: Vec<_> = rows.iter().filter(|row| row.color.is_some()).collect();
            let color = WeightColors::default().color(weight);
            let expected = InfluenceRow {
                node,
                weight,
                color: Some(color),
            };
            assert_eq!(colored, [&expected], "{rows:?}");
            assert_eq!(rows.len(), found.len() + usize::from(weight == 0.0));
        }
    }

    #[test]
    fn the_card_goes_with_the_mesh() {
        let mut session = session();
        assert!(is_made_anew(&mut session));
        assert!(session.skeleton.card.view().is_some());
        let nodes = session.model().hierarchy.nodes().iter().enumerate();
        let meshes = nodes.filter(|(_, node)| node.mesh.is_some());
        let meshes: Vec<_> = meshes.map(|(place, _)| place).collect();
        for mesh in meshes {
            session.apply(Command::Nodes(NodesCommand::ToggleHidden(mesh)));
        }
        session.update();
        assert!(is_made_anew(&mut session));
        assert!(session.skeleton.card.view().is_none());
        session.apply(Command::Nodes(NodesCommand::ShowAll));
        session.update();
        assert!(is_made_anew(&mut session));
        assert!(session.skeleton.card.view().is_some());
    }

    #[test]
    fn the_card_is_made_anew_once_for_whatever_moves_the_surface() {
        let mut session = session();
        session.apply(Command::SelectNode(Some(1)));
        session.update();
        assert!(is_made_anew(&mut session));
        let turn = [
            PosingCommand::BeginDrag,
            PosingCommand::Drag(DragCommand::Turn(1, 0.5)),
            PosingCommand::EndDrag,
        ];
        let changes = [
            turn.map(Command::Posing).to_vec(),
            vec![Command::Mix(MixCommand::ToggleMixed(1))],
            vec![Command::Morphs(MorphCommand::Hold(0, 0.5))],
            vec![Command::Playback(PlaybackCommand::Seek(0.2))],
            vec![Command::Picture(PictureCommand::SetViewMode(
                ViewMode::Joints,
            ))],
            vec![Command::Picture(PictureCommand::SetWeightColors(
                WeightColors::Viridis,
            ))],
        ];
        for commands in changes {
            assert!(!is_made_anew(&mut session), "nothing has changed");
            let words = format!("{commands:?}");
            for command in commands {
                session.apply(command);
            }
            session.update();
            assert!(is_made_anew(&mut session), "{words}");
            while session.is_model_moving() {
                session.tick(0.5);
                session.update();
            }
            is_made_anew(&mut session);
        }
    }
}
