//! What the interface is told of the camera.

use super::file_cameras::{camera_name, camera_nodes};
use crate::{
    app::Session,
    model::{Facing, NodeId},
    ui::{CameraPane, PathPane},
};

/// What the camera's part of the interface shows, kept from frame to frame.
#[derive(Debug, Default)]
pub(in crate::app) struct CameraRows {
    nodes: Vec<NodeId>,
    names: Vec<String>,
    made_from: Option<(u64, usize)>,
    /// The node that is followed, with the model's generation, and its name.
    followed: Option<((u64, NodeId), String)>,
    path: Option<PathRows>,
}

/// Where the root goes, as the picture shows it.
#[derive(Debug, Default)]
pub(super) struct PathRows {
    pub(super) pieces: Vec<[[f32; 2]; 2]>,
    pub(super) now: Option<[f32; 2]>,
    pub(super) speed: f32,
    pub(super) mean_speed: f32,
}

impl CameraRows {
    /// Brings it up to date.
    pub(in crate::app) fn update(&mut self, session: &Session) {
        let model = session.model();
        let made_from = (session.model_generation(), session.actor().scene());
        if self.made_from.replace(made_from) != Some(made_from) {
            self.nodes = camera_nodes(model, session.actor().scene());
            let names = self.nodes.iter().map(|node| camera_name(model, *node));
            self.names = names.collect();
        }
        let followed = session.followed_now().map(|node| (made_from.0, node));
        if self.followed.as_ref().map(|(of, _)| *of) != followed {
            let named = |of: (u64, NodeId)| (of, model.hierarchy.display_name(of.1));
            self.followed = followed.map(named);
        }
        let pieces = self.path.take().map(|path| path.pieces);
        self.path = session.path_rows(pieces.unwrap_or_default());
    }

    /// The camera, for the panels.
    pub(in crate::app) fn pane(&self, session: &Session) -> CameraPane<'_> {
        let rig = &session.camera;
        let view = session.camera_view();
        let (_, rotation, _) = view.view_from_world.to_scale_rotation_translation();
        let through = rig.file_camera();
        let camera = rig.destination();
        let size = session.actor().bounds().diagonal();
        CameraPane {
            view_from_world: rotation.to_array(),
            side: camera.side(session.model().facing),
            faces_back: session.model().facing == Facing::MinusZ,
            is_parallel: camera.is_parallel(),
            fov_y_radians: camera.fov_y_radians,
            file_cameras: &self.names,
            file_camera: through
                .and_then(|node| self.nodes.iter().position(|other| *other == node)),
            has_choice: session.selected.is_some(),
            has_motion: session.clock.duration_secs() > 0.0,
            follows: self.followed.as_ref().map(|(_, name)| &**name),
            follows_on_ground: rig.follows_on_ground,
            flies: rig.flies,
            flight: rig.flight,
            fly_speed: rig.fly_speed(size),
            shows_path: rig.shows_path,
            path: self.path.as_ref().map(|path| PathPane {
                pieces: &path.pieces,
                now: path.now,
                speed: path.speed,
                mean_speed: path.mean_speed,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{
        import::Import,
        model::{Hierarchy, Model, Node},
        ui::{CameraCommand, Command},
    };

    fn import(names: [&str; 2]) -> Import {
        let node = |name: &str| Node {
            name: name.to_owned(),
            ..Node::default()
        };
        let hierarchy = Hierarchy::new(names.map(node).into(), &[None; 2], &[vec![], vec![]]);
        let model = Model {
            hierarchy: hierarchy.unwrap(),
            ..Model::default()
        };
        Import {
            model,
            ..Import::default()
        }
    }

    #[test]
    fn what_is_followed_has_the_name_that_it_has_now() {
        let mut session = Session::new(import(["a", "b"]), None, Duration::ZERO);
        let mut rows = CameraRows::default();
        let mut check = |session: &mut Session, node: usize, name: Option<&str>| {
            session.apply(Command::SelectNode(Some(node)));
            session.update();
            rows.update(session);
            assert_eq!(rows.pane(session).follows, name);
        };
        check(&mut session, 1, None);
        session.apply(Command::Camera(CameraCommand::ToggleFollow));
        for (node, name) in [(1, "b"), (0, "a"), (1, "b")] {
            check(&mut session, node, Some(name));
        }
        session.reload_model(import(["a", "c"]), Duration::ZERO);
        check(&mut session, 1, Some("c"));
    }
}
