//! The cameras that the scene in force brings along, as the clip moves them.

use anyhow::Context as _;

use crate::{
    app::{Actor, Session},
    model::{Model, NodeId},
    scene::{CameraView, file_camera_view, orbit_from},
};

/// The nodes of a scene that carry cameras, in the order of the hierarchy; hidden ones, too, since visibility does not affect
/// cameras (`KHR_node_visibility`).
pub(in crate::app) fn camera_nodes(model: &Model, scene: usize) -> Vec<NodeId> {
    let is_in_scene = model.nodes_in_scene(scene);
    let nodes = model.hierarchy.iter();
    let with_camera = nodes.filter(|(id, node)| {
        let camera = node.camera.and_then(|camera| model.cameras.get(camera));
        camera.is_some() && is_in_scene[id.index()]
    });
    with_camera.map(|(id, _)| id).collect()
}

/// What the camera of a node is called: by its own name, or else by its node's.
pub(super) fn camera_name(model: &Model, node: NodeId) -> String {
    let camera = model.hierarchy.node(node).camera;
    let camera = camera.and_then(|camera| model.cameras.get(camera));
    match camera {
        Some(camera) if !camera.name.is_empty() => camera.name.clone(),
        _ => model.hierarchy.display_name(node),
    }
}

impl Actor {
    /// The node of the scene whose camera is meant by the camera's name, the node's, or the camera's index in the file. Fails
    /// with the names of those that there are.
    pub fn find_camera(&self, wanted: &str) -> anyhow::Result<NodeId> {
        let model = self.model();
        let nodes = camera_nodes(model, self.scene());
        let is_named = |node: &&NodeId| {
            camera_name(model, **node) == wanted || model.hierarchy.display_name(**node) == wanted
        };
        let camera_of = |node: &NodeId| model.hierarchy.node(*node).camera;
        let by_index = || {
            let index: usize = wanted.parse().ok()?;
            nodes.iter().find(|node| camera_of(node) == Some(index))
        };
        let found = nodes.iter().find(is_named).or_else(by_index);
        found.copied().with_context(|| {
            let names = nodes.iter().map(|node| camera_name(model, *node));
            let names: Vec<_> = names.map(|name| format!("{name:?}")).collect();
            if names.is_empty() {
                format!("{} has no cameras, so no {wanted:?}", model.name)
            } else {
                format!(
                    "{} has no camera {wanted:?}, only {}",
                    model.name,
                    names.join(", ")
                )
            }
        })
    }

    /// The view through the camera of a node, in the pose in force, for a picture of `aspect` (width over height).
    pub fn file_camera(&self, node: NodeId, aspect: f32) -> Option<CameraView> {
        let camera = self.model().hierarchy.node(node).camera?;
        let camera = self.properties().values().cameras.get(camera)?;
        let world_from_node = self.pose().world.get(node.index())?;
        let is_somewhere = world_from_node.is_finite();
        is_somewhere.then(|| {
            let eye = world_from_node.translation.into();
            let rotation = self.pose().rotation_of(&self.model().hierarchy, node);
            file_camera_view(eye, rotation, &camera.projection, aspect)
        })
    }
}

impl Session {
    /// The view through the camera of the file that is in force, if one is, for a picture of `aspect`.
    pub(super) fn view_through_file(&self, aspect: f32) -> Option<CameraView> {
        let node = self.camera.file_camera()?;
        self.actor.file_camera(node, aspect)
    }

    /// Looks through a camera of the file, by its place in the list, or freely from where the camera is.
    pub(super) fn look_through(&mut self, place: Option<usize>) {
        let nodes = camera_nodes(self.model(), self.actor.scene());
        let node = place.and_then(|place| nodes.get(place).copied());
        if place.is_none() || node.is_some() {
            self.update();
            self.camera.look_through(node);
            self.follow_file_camera();
        }
    }

    /// Goes through the free camera and those of the file.
    pub(super) fn step_camera(&mut self, steps: i32) {
        let nodes = camera_nodes(self.model(), self.actor.scene());
        let current = self.camera.file_camera();
        let current = current.and_then(|node| nodes.iter().position(|other| *other == node));
        let count = nodes.len() as i64 + 1;
        let place = current.map_or(0, |place| place as i64 + 1);
        let next = (place + i64::from(steps)).rem_euclid(count);
        self.look_through(usize::try_from(next - 1).ok());
    }

    /// Lets the free camera go along with that of the file, so that it can take over at any moment.
    pub(super) fn follow_file_camera(&mut self) {
        if let Some(view) = self.view_through_file(self.aspect()) {
            let bounds = self.actor.bounds();
            let orbit = orbit_from(&view, bounds.center(), bounds.diagonal());
            self.camera.keep_up(orbit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Camera, Hierarchy, Node, Projection, Scene};

    /// Visibility affects neither cameras nor what they see (`KHR_node_visibility`).
    #[test]
    fn cameras_of_hidden_nodes_can_be_looked_through() {
        let nodes = vec![
            Node {
                is_hidden: true,
                ..Node::default()
            },
            Node {
                name: "cam".to_owned(),
                camera: Some(0),
                ..Node::default()
            },
        ];
        let hierarchy = Hierarchy::new(nodes, &[None, Some(0)], &[vec![], vec![]]).unwrap();
        let model = Model {
            hierarchy,
            cameras: vec![Camera {
                name: String::new(),
                projection: Projection::Perspective {
                    fov_y_radians: 1.0,
                    aspect: None,
                    near: 0.1,
                    far: None,
                },
            }],
            scenes: vec![Scene {
                roots: vec![NodeId(0)],
                ..Scene::default()
            }],
            ..Model::default()
        };
        assert_eq!(camera_nodes(&model, 0), [NodeId(1)]);
        let actor = Actor::new(model);
        assert_eq!(actor.find_camera("cam").ok(), Some(NodeId(1)));
    }
}
