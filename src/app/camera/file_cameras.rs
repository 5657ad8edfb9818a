//! The cameras that the scene in force brings along, as the clip moves them.

use std::collections::HashSet;

use anyhow::Context as _;

use crate::{
    app::{
        Actor, Session,
        wanted::{first_of, is_index, listed, or_only, out_of_range},
    },
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
pub(in crate::app) fn camera_name(model: &Model, node: NodeId) -> String {
    let camera = model.hierarchy.node(node).camera;
    let camera = camera.and_then(|camera| model.cameras.get(camera));
    match camera {
        Some(camera) if !camera.name.is_empty() => camera.name.clone(),
        _ => model.hierarchy.display_name(node),
    }
}

/// Why none of these nodes has the camera that is wanted.
fn why_no_camera(model: &Model, nodes: &[NodeId], wanted: &str) -> String {
    let (name, cameras) = (&model.name, &model.cameras);
    let mut meant = cameras.iter().enumerate();
    let is_named = |name: &str| name == wanted && !name.is_empty();
    let is_meant =
        meant.any(|(index, camera)| is_named(&camera.name) || wanted.parse() == Ok(index));
    // A node of another scene may be called so.
    let mut carriers = model.hierarchy.iter().filter(|(_, node)| {
        let camera = node.camera.and_then(|camera| cameras.get(camera));
        camera.is_some()
    });
    let mut names: Vec<_> = nodes.iter().map(|node| camera_name(model, *node)).collect();
    let mut known = HashSet::new();
    names.retain(|name| known.insert(name.clone()));
    let names = names.iter().map(String::as_str);
    if is_meant || carriers.any(|(node, _)| model.hierarchy.display_name(node) == wanted) {
        let others = match nodes {
            [] => String::new(),
            _ => format!(", only {}", listed(names)),
        };
        return format!("no node of the scene places the camera {wanted:?} of {name}{others}");
    }
    match cameras.len().checked_sub(1) {
        None => format!("{name} has no cameras, so no {wanted:?}"),
        Some(last) if is_index(wanted) => out_of_range(name, "camera", wanted, last),
        Some(_) if nodes.is_empty() => {
            format!("{name} has no camera {wanted:?}, and no node of the scene places another")
        }
        Some(_) => format!("{name} has no camera {wanted:?}{}", or_only(wanted, names)),
    }
}

impl Actor {
    /// The node of the scene whose camera is meant by the camera's name, the node's, or the camera's index in the file.
    /// Fails if no node of the scene has such a camera, and says which there are.
    pub fn find_camera(&self, wanted: &str) -> anyhow::Result<NodeId> {
        let model = self.model();
        let nodes = camera_nodes(model, self.scene());
        let placed = nodes.iter().copied();
        let placed = placed.filter_map(|node| Some((model.hierarchy.node(node).camera?, node)));
        // A camera that several nodes place is one.
        let mut known = HashSet::new();
        let named = placed.clone().filter(|&(camera, node)| {
            let is_named =
                camera_name(model, node) == wanted || model.hierarchy.display_name(node) == wanted;
            is_named && known.insert(camera)
        });
        let with_index = |index| placed.clone().find(|(camera, _)| *camera == index);
        let is_there = |index| with_index(index).is_some();
        let by_index = || Some(with_index(wanted.parse().ok()?)?.1);
        let found = first_of(named, &model.name, "camera", wanted, is_there);
        let found = found.or_else(by_index);
        found.with_context(|| why_no_camera(model, &nodes, wanted))
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
    use std::time::Duration;

    use super::*;
    use crate::{
        import::Import,
        model::{Camera, Hierarchy, Node, Projection, Scene},
        ui::{CameraCommand, Command},
    };

    /// A hidden node with a camera on a node below it, called cam.
    fn with_camera(projection: Projection) -> Model {
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
        Model {
            hierarchy,
            cameras: vec![Camera {
                name: String::new(),
                projection,
            }],
            scenes: vec![Scene {
                roots: vec![NodeId(0)],
                ..Scene::default()
            }],
            ..Model::default()
        }
    }

    /// Visibility affects neither cameras nor what they see (`KHR_node_visibility`).
    #[test]
    fn cameras_of_hidden_nodes_can_be_looked_through() {
        let model = with_camera(Projection::Perspective {
            fov_y_radians: 1.0,
            aspect: None,
            near: 0.1,
            far: None,
        });
        assert_eq!(camera_nodes(&model, 0), [NodeId(1)]);
        let camera = |name: &str| Camera {
            name: name.to_owned(),
            ..model.cameras[0]
        };
        let cameras = vec![camera("Front"), camera("Unplaced")];
        let named = Actor::new(Model {
            name: "stage".to_owned(),
            cameras,
            ..model.clone()
        });
        let told = |wanted| named.find_camera(wanted).unwrap_err().to_string();
        for wanted in ["Unplaced", "1"] {
            let places = "no node of the scene places the camera";
            let expected = format!("{places} {wanted:?} of stage, only \"Front\"");
            assert_eq!(told(wanted), expected);
        }
        assert_eq!(told("2"), "stage has no camera 2: indices go from 0 to 1");
        assert_eq!(told("x"), "stage has no camera \"x\", only \"Front\"");
        let near = "stage has no camera \"Frnt\"; \"Front\" comes nearest";
        assert_eq!(told("Frnt"), near);
        // It is there, but in another scene.
        let scenes = vec![Scene::default(), model.scenes[0].clone()];
        let apart = Actor::new(Model {
            name: "stage".to_owned(),
            scenes,
            ..model.clone()
        });
        let told = apart.find_camera("cam").unwrap_err().to_string();
        let places = "no node of the scene places the camera \"cam\" of stage";
        assert_eq!(told, places);
        let actor = Actor::new(model);
        assert_eq!(actor.find_camera("cam").ok(), Some(NodeId(1)));
    }

    #[test]
    fn a_hand_keeps_the_projection_of_the_camera_that_it_leaves() {
        let import = Import {
            model: with_camera(Projection::Orthographic {
                half_width: 1.0,
                half_height: 1.0,
                near: 0.01,
                far: 100.0,
            }),
            ..Import::default()
        };
        let mut session = Session::new(import, None, Duration::ZERO);
        session.set_aspect(1.5);
        session.set_smooth_camera(true);
        // Also of one that is still on its way there.
        for secs in [0.1, 1.0] {
            session.apply(Command::Camera(CameraCommand::StepCamera(1)));
            session.tick(secs);
            session.update();
            assert!(session.camera.file_camera().is_some());
            session.apply(Command::Camera(CameraCommand::Orbit {
                right: 0.1,
                down: 0.05,
            }));
            session.tick(1.0);
            session.update();
            assert_eq!(session.camera.file_camera(), None);
            assert!(session.camera_view().is_parallel(), "{secs}");
            session.apply(Command::Camera(CameraCommand::ToggleProjection));
            session.tick(1.0);
            assert!(!session.camera_view().is_parallel());
        }
    }
}
