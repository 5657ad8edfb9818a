//! Where the matrices of a joint are in the palette of an actor.

use super::Actor;
use crate::{model::NodeId, scene::JointPlaces};

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
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{
        model::{Hierarchy, Mesh, Model, Node, Primitive, Scene, processor_time::timed},
        scene::{OrbitCamera, SurfaceLines, ViewMode, WeightColors},
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
