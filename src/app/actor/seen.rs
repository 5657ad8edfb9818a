//! What a camera must see of an actor, and what views show of it.

use glam::Vec3;

use super::Actor;
use crate::{
    anim::{PaletteLayout, Placement, skinning},
    model::{Mesh, Model, NodeId, Primitive},
    scene::{JointPlaces, OrbitCamera},
};

impl Actor {
    /// Where a joint's matrices are in the palette, looked for once for each joint that views are about.
    pub(super) fn joint_places(&self, joint: NodeId) -> JointPlaces {
        let known = self.joint_places.get();
        if let Some((_, places)) = known.filter(|(node, _)| *node == joint) {
            return places;
        }
        let places = JointPlaces::of(&self.model, &self.layout, joint);
        self.joint_places.set(Some((joint, places)));
        places
    }

    /// Says whether the next pose holds what both ways of skinning need, for [`crate::scene::ViewMode::SkinningDifference`].
    pub fn show_difference(&mut self, shows: bool) {
        self.shows_difference = shows;
    }

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

    /// How many vertices a pose visits, each as often as targets move it.
    pub(in crate::app) fn posed_vertices(&self) -> usize {
        let of_mesh = |mesh: &Mesh| -> usize {
            let primitives = mesh.primitives.iter();
            primitives
                .map(|it| it.vertices.positions.len() * (1 + it.targets.len()))
                .sum()
        };
        let of_meshes: Vec<_> = self.model.meshes.iter().map(of_mesh).collect();
        let placements = self.layout.placements().iter();
        placements.fold(0_usize, |sum, placement| {
            let posed = of_meshes[placement.mesh].saturating_mul(placement.copies as usize);
            sum.saturating_add(posed)
        })
    }

    /// How many triangles looking for the surface under a pointer visits.
    pub(in crate::app) fn triangles_to_pick(&self) -> usize {
        self.triangles_to_pick
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

/// Every triangle of the model is visited, and those of copies that joints or morph targets move again.
pub(super) fn triangles_to_pick(model: &Model, layout: &PaletteLayout) -> usize {
    let is_posed = |it: &&Placement| {
        let mut primitives = model.meshes[it.mesh].primitives.iter();
        it.skin.is_some() || primitives.any(|it| !it.targets.is_empty())
    };
    let posed = layout.placements().iter().filter(is_posed).map(|it| {
        let primitives = model.meshes[it.mesh].primitives.iter();
        let triangles: usize = primitives.map(Primitive::triangle_count).sum();
        triangles.saturating_mul(it.copies as usize)
    });
    let posed = posed.fold(0, usize::saturating_add);
    model.triangle_count().max(posed)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{
        model::{Hierarchy, Node, Scene, processor_time::timed},
        scene::{SurfaceLines, ViewMode, WeightColors},
    };

    /// Looked for in each picture, they would be thousands of millions of nodes.
    #[test]
    fn matrices_of_a_joint_are_looked_for_once() {
        const NODES: usize = 100_000;
        let mut nodes = vec![Node::default(); NODES];
        for node in &mut nodes[..2] {
            node.mesh = Some(0);
        }
        let weights = vec![Vec::new(); NODES];
        let scene = |root| Scene {
            roots: vec![NodeId(root)],
            ..Scene::default()
        };
        let mut actor = Actor::new(Model {
            hierarchy: Hierarchy::new(nodes, &vec![None; NODES], &weights).unwrap(),
            meshes: vec![Mesh {
                primitives: vec![Primitive::default()],
                ..Mesh::default()
            }]
            .into(),
            scenes: vec![scene(0), scene(1)],
            ..Model::default()
        });
        let camera = OrbitCamera::default().view(1.0);
        let (mode, colors) = (ViewMode::Weights, WeightColors::Heat);
        let places = |actor: &Actor, node| {
            let inspection = actor.inspection(
                (mode, SurfaceLines::default()),
                Some(NodeId(node)),
                colors,
                &camera,
            );
            inspection.joint.ranges().len()
        };
        let ((), took) = timed(|| {
            for _ in 0..20_000 {
                assert_eq!(places(&actor, 0), 1);
            }
        });
        assert!(took < Duration::from_secs(1), "{took:?}");
        assert_eq!(places(&actor, 1), 0, "of another scene");
        actor.set_scene(1);
        assert_eq!(places(&actor, 1), 1);
        assert_eq!(places(&actor, 0), 0);
    }
}
