//! What a camera must see of an actor.

use glam::Vec3;

use super::Actor;
use crate::{anim::skinning, scene::OrbitCamera};

impl Actor {
    /// Whether there is nothing to be drawn but joints, as in files of clips alone, or whose meshes are lost.
    pub fn has_only_joints(&self) -> bool {
        let mut placed = self.layout.placements().iter();
        let is_bare = placed.all(|it| self.model.meshes[it.mesh].primitives.is_empty());
        is_bare && !self.skeleton.is_empty()
    }

    /// Turns a camera's distance so that the pose fills a picture of `aspect`: measures it, then visits every vertex again.
    pub fn frame_camera(&mut self, camera: &mut OrbitCamera, aspect: f32) {
        let bounds = self.measure();
        if let Some(crowd) = &self.crowd {
            return camera.frame(&bounds, crowd.corners(), aspect);
        }
        let mut points = Vec::new();
        self.add_points(&mut points);
        camera.frame(&bounds, points.into_iter(), aspect);
    }

    /// Adds the posed vertices; without any, where nodes are.
    pub fn add_points(&self, points: &mut Vec<Vec3>) {
        let before = points.len();
        skinning::for_each_posed_vertex(&self.model, &self.layout, &self.palette, 0, |point| {
            points.push(point);
        });
        if points.len() == before {
            let origins = self.pose.world.iter();
            points.extend(origins.map(|world| Vec3::from(world.translation)));
        }
    }
}
