//! Where the camera must stand to see the whole of something: the pose, what is chosen, all that a clip reaches.

use glam::Vec3;

use crate::{
    anim::{bounds, skinning},
    app::{Actor, Session},
    model::{Aabb, NodeId},
    scene::{JointPlaces, OrbitCamera},
};

/// At how many moments a clip is looked at, at most.
const MAX_MOMENTS: usize = 60;
/// Nodes times moments that are posed at most, as far as eight moments allow: some tens of milliseconds.
const MAX_NODES: usize = 60_000;
/// Vertices times moments that are posed at most, some tens of milliseconds too; where there are more the boxes of joints
/// must do.
const MAX_VERTICES: usize = 1_000_000;
/// What is seen around a chosen node that carries nothing, as a part of the model's size.
const SURROUNDINGS: f32 = 0.05;
/// How much farther away than for its pose a model is first seen from, at most, so that its clip does not leave the picture.
const FIRST_STEP_BACK: f32 = 1.4;

impl Session {
    /// Goes at once to where the whole pose is seen.
    pub(in crate::app) fn frame_model(&mut self) {
        let camera = self.framing_pose();
        self.camera.jump(camera);
    }

    /// Goes at once to where a model is first seen from: nothing that its clip does leaves the picture, unless it goes so far
    /// that the model would be small.
    pub(in crate::app) fn frame_first(&mut self) {
        let camera = self.framing_first();
        self.camera.jump(camera);
        self.camera.note_first();
    }

    /// A camera that sees what a model does when it is first seen.
    pub(in crate::app) fn framing_first(&mut self) -> OrbitCamera {
        if self.clock.duration_secs() <= 0.0 || self.actor.crowd().is_some() {
            return self.framing_pose();
        }
        let motion = self.framing_motion();
        // Whenever that is asked: of the clip's start.
        let pose = if self.clock.time_secs() > 0.0 {
            let pose = self.at_other_times(|this| {
                this.pose_at(0.0);
                this.framing_pose()
            });
            // What was measured is no longer what is seen.
            self.actor.measure();
            pose
        } else {
            self.framing_pose()
        };
        if motion.radius <= FIRST_STEP_BACK * pose.radius {
            motion
        } else {
            pose
        }
    }

    /// Goes to other times for a look, and back to its own. What was posed by hand stays; what the clip fades in from does not
    /// count.
    fn at_other_times<T>(&mut self, look: impl FnOnce(&mut Self) -> T) -> T {
        let now = self.clock.clone();
        let posed_at = self.posing.posed_at.take();
        let transition = std::mem::take(&mut self.transition);
        let mix_secs = self.mix.swap_time(0.0);
        let seen = look(self);
        self.clock = now;
        self.posing.posed_at = posed_at;
        self.transition = transition;
        self.mix.swap_time(mix_secs);
        self.pose_changed();
        self.update();
        seen
    }

    /// Poses the model as it is at a time.
    fn pose_at(&mut self, time_secs: f64) {
        self.clock.seek(time_secs);
        self.mix.swap_time(time_secs);
        self.pose_changed();
        self.update();
    }

    /// The camera, upright.
    fn upright_camera(&self) -> OrbitCamera {
        OrbitCamera {
            roll_radians: 0.0,
            ..self.camera.destination()
        }
    }

    /// A camera that sees the whole pose.
    pub(in crate::app) fn framing_pose(&mut self) -> OrbitCamera {
        self.update();
        let aspect = self.aspect();
        let mut camera = self.upright_camera();
        if self.split().is_none() {
            self.actor.frame_camera(&mut camera, aspect);
            return camera;
        }
        let mut points = Vec::new();
        self.actor.measure();
        self.actor.add_points(&mut points);
        self.add_second_points(&mut points);
        let bounds = self.actor.bounds().union(self.second_bounds());
        camera.frame(&bounds, points.into_iter(), self.narrower_aspect());
        camera
    }

    /// A camera that sees what is chosen, or all of the pose.
    pub(super) fn framing_chosen(&mut self) -> OrbitCamera {
        self.update();
        let chosen = self.selected.filter(|_| self.actor.crowd().is_none());
        let points = chosen.map_or_else(Vec::new, |node| points_of(&self.actor, node));
        if points.is_empty() {
            return self.framing_pose();
        }
        let mut camera = self.upright_camera();
        let bounds = Aabb::of_points(points.iter().copied());
        camera.frame(&bounds, points.into_iter(), self.framed_aspect());
        camera
    }

    /// Width over height of what is to be framed: where two are compared, of the narrower picture.
    fn framed_aspect(&self) -> f32 {
        match self.split() {
            Some(_) => self.narrower_aspect(),
            None => self.aspect(),
        }
    }

    /// A camera that sees all that the model reaches while it plays.
    pub(super) fn framing_motion(&mut self) -> OrbitCamera {
        let duration_secs = self.clock.duration_secs();
        if self.actor.crowd().is_some() || duration_secs <= 0.0 {
            return self.framing_pose();
        }
        let frames = (duration_secs * self.timeline.rate.per_sec()).ceil() as usize;
        let nodes = self.model().hierarchy.len().max(1);
        let most = (MAX_NODES / nodes).clamp(8, MAX_MOMENTS);
        let steps = frames.clamp(1, most);
        let is_exact = self.posed_vertices() <= MAX_VERTICES / (steps + 1);
        let points = self.at_other_times(|this| {
            let mut points = Vec::new();
            for step in 0..=steps {
                this.pose_at(duration_secs * step as f64 / steps as f64);
                if is_exact {
                    this.actor.add_points(&mut points);
                    this.add_second_points(&mut points);
                    continue;
                }
                let of_both = [this.actor.bounds_of_motion(), this.second_bounds()];
                for bounds in of_both.into_iter().filter(|it| !it.is_empty()) {
                    points.extend(bounds.corners());
                }
            }
            points
        });
        let mut camera = self.upright_camera();
        let finite = points.iter().copied().filter(|point| point.is_finite());
        let bounds = Aabb::of_points(finite);
        camera.frame(&bounds, points.into_iter(), self.framed_aspect());
        camera
    }

    /// How many vertices a pose of all that is seen makes.
    fn posed_vertices(&self) -> usize {
        let second = self.split().and(self.compare.second());
        let of_second = second.map_or(0, Actor::posed_vertices);
        self.actor.posed_vertices().saturating_add(of_second)
    }
}

/// What makes up a node for the eye: the vertices of its mesh, those that it moves as a joint, or those of all nodes below
/// it; without any, a bit of space around it.
fn points_of(actor: &Actor, node: NodeId) -> Vec<Vec3> {
    let mut points = mesh_points(actor, |carrier| carrier == node);
    if points.is_empty() {
        let bounds =
            actor.bounds_of_matrices(&JointPlaces::of(actor.model(), actor.layout(), node));
        if !bounds.is_empty() {
            points.extend(bounds.corners());
        }
    }
    if points.is_empty() {
        let mut is_below = vec![false; actor.model().hierarchy.len()];
        for (id, below) in actor.model().hierarchy.iter() {
            let parent = below.parent;
            is_below[id.index()] = parent.is_some_and(|it| it == node || is_below[it.index()]);
        }
        points = mesh_points(actor, |carrier| is_below[carrier.index()]);
    }
    if points.is_empty() {
        let origin = Vec3::from(actor.pose().world[node.index()].translation);
        let around = Vec3::splat(SURROUNDINGS * actor.bounds().diagonal());
        if origin.is_finite() && around.is_finite() {
            let space = Aabb::EMPTY.with(origin - around).with(origin + around);
            points.extend(space.corners());
        }
    }
    points
}

/// The posed vertices of all meshes whose nodes are wanted, as far as they are drawn.
fn mesh_points(actor: &Actor, is_wanted: impl Fn(NodeId) -> bool) -> Vec<Vec3> {
    let mut points = Vec::new();
    let posed = (actor.model(), actor.layout(), actor.palette());
    skinning::for_each_posed_vertex_of(posed, 0, is_wanted, |point| {
        if point.is_finite() {
            points.push(point);
        }
    });
    points
}

impl Actor {
    /// The box around the pose as far as it is known at the price of its joints; where it is not, around the nodes too.
    fn bounds_of_motion(&self) -> Aabb {
        if self.joint_boxes.is_some() {
            return self.bounds();
        }
        self.bounds().union(bounds::node_bounds(self.pose()))
    }

    /// The box around the vertices that some matrices of the only instance have a share in.
    fn bounds_of_matrices(&self, places: &JointPlaces) -> Aabb {
        let Some(boxes) = &self.joint_boxes else {
            return Aabb::EMPTY;
        };
        let is_wanted = |matrix: usize| {
            let mut ranges = places.ranges().iter();
            ranges.any(|[first, count]| (*first..first + count).contains(&(matrix as u32)))
        };
        boxes.bounds_of(self.palette(), 0, is_wanted)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{
        import::{self, Progress},
        ui::{CameraCommand, Command},
    };

    /// A triangle, and a vertex far away that none has a share in, below a node without a mesh.
    const WITH_STRAY: &str = r#"{
        "asset": { "version": "2.0" },
        "scenes": [{ "nodes": [0] }],
        "nodes": [{ "children": [1] }, { "mesh": 0 }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 }, "indices": 1 }] }],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3", "min": [0, 0, 0], "max": [500, 1, 0] },
            { "bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR" }
        ],
        "bufferViews": [{ "buffer": 0, "byteLength": 48 }, { "buffer": 0, "byteOffset": 48, "byteLength": 6 }],
        "buffers": [{
            "byteLength": 56,
            "uri": "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAD6QwAAAAAAAAAAAAABAAIAAAA="
        }]
    }"#;

    #[test]
    fn what_is_chosen_is_framed_as_far_as_it_is_drawn() {
        let import =
            import::load_bytes("s.gltf", WITH_STRAY.as_bytes(), &Progress::default()).unwrap();
        let mut session = Session::new(import, None, Duration::ZERO);
        session.set_aspect(1.4);
        session.apply(Command::Camera(CameraCommand::FrameModel));
        let whole = session.camera().radius;
        for node in [0, 1] {
            session.apply(Command::SelectNode(Some(node)));
            session.apply(Command::Camera(CameraCommand::FrameChosen));
            let near = session.camera().radius;
            assert!((near / whole - 1.0).abs() < 0.2, "{near} of {whole}");
        }
    }
}
