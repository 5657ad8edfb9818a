//! How far what hangs on a node reaches: what is carried along when it turns.
//!
//! That is the farthest of the vertices that it moves and of what hangs on its child nodes, from its own origin, with the
//! model at rest. A vertex that a skin gives to several joints counts for each by its weight, as it goes with each: a stray
//! hundredth of a finger in a foot does not make the finger long. Nodes that move nothing may carry what the file does
//! not hold, a sword or a light: they reach a twentieth of the model's size.
//!
//! Cost: O(vertices × influences), once for a model; meshes that are placed again and again are visited once.

use std::collections::{HashMap, HashSet};

use glam::{Affine3A, Vec3A};

use crate::{
    anim::{PaletteLayout, Placement, Pose},
    model::{Aabb, Mesh, Model, NodeId, Primitive, Skin},
};

/// The least reach of a node as a part of the model's size.
const LEAST: f32 = 0.05;

/// For each node how far its vertices and the nodes below it reach, in the world.
pub(super) fn of_nodes(model: &Model, layout: &PaletteLayout, rest: &Pose, size: f32) -> Vec<f32> {
    let mut reaches = vec![LEAST * size; model.hierarchy.len()];
    add_vertices(model, layout, rest, &mut reaches);
    add_nodes_below(model, rest, &mut reaches);
    reaches
}

/// The reach of nodes alone: what of the skeleton hangs on each.
pub(super) fn of_bones(model: &Model, rest: &Pose, size: f32) -> Vec<f32> {
    let mut reaches = vec![LEAST * size; model.hierarchy.len()];
    add_nodes_below(model, rest, &mut reaches);
    reaches
}

fn add_nodes_below(model: &Model, rest: &Pose, reaches: &mut [f32]) {
    for (index, node) in model.hierarchy.nodes().iter().enumerate().rev() {
        if let Some(parent) = node.parent.map(NodeId::index) {
            let origins = [parent, index].map(|node| rest.world[node].translation);
            let through_here = reaches[index] + origins[0].distance(origins[1]);
            reaches[parent] = reaches[parent].max(through_here);
        }
    }
}

fn add_vertices(model: &Model, layout: &PaletteLayout, rest: &Pose, reaches: &mut [f32]) {
    let mut extents = HashMap::new();
    let mut known_skins = HashSet::new();
    for placement in layout.placements() {
        let mesh = &model.meshes[placement.mesh];
        let is_skinned = placement.skin.is_some();
        let extent = extents
            .entry((placement.mesh, is_skinned))
            .or_insert_with(|| Extent::of(mesh, is_skinned));
        let node = placement.node;
        grow(reaches, node, extent.reach(model, placement, rest));
        if let Some(slot) = placement.skin
            && known_skins.insert((placement.mesh, slot.first))
        {
            add_skinned(mesh, &model.skins[slot.skin], rest, reaches);
        }
    }
}

fn grow(reaches: &mut [f32], node: NodeId, reach: f32) {
    if reach.is_finite() {
        let known = &mut reaches[node.index()];
        *known = known.max(reach);
    }
}

/// What a node carries of a mesh by itself, in the mesh's space.
struct Extent {
    bounds: Aabb,
    /// The distance of the farthest vertex.
    radius: f32,
}

impl Extent {
    fn of(mesh: &Mesh, is_skinned: bool) -> Self {
        let mut this = Self {
            bounds: Aabb::EMPTY,
            radius: 0.0,
        };
        let rigid = |it: &&Primitive| !is_skinned || it.influences.is_none();
        for primitive in mesh.primitives.iter().filter(rigid) {
            let points = primitive.vertices.positions.iter().enumerate();
            for (_, point) in points.filter(|(vertex, _)| !primitive.undrawn.has(*vertex)) {
                this.bounds = this.bounds.with(*point);
                this.radius = this.radius.max(point.length());
            }
        }
        this
    }

    /// How far the farthest is from the origin of the node that carries it, in the world.
    fn reach(&self, model: &Model, placement: &Placement, rest: &Pose) -> f32 {
        if self.bounds.is_empty() {
            return 0.0;
        }
        let world_from_node = &rest.world[placement.node.index()];
        let origin = world_from_node.translation;
        let copies = &model.hierarchy.node(placement.node).node_from_instances;
        if copies.is_empty() {
            let axes = world_from_node.matrix3;
            let axes = [axes.x_axis, axes.y_axis, axes.z_axis].map(Vec3A::length);
            let longest = axes.into_iter().fold(0.0, f32::max);
            // A ball is smaller than its box.
            let to_corner = self.to_corner(world_from_node, origin);
            return to_corner.min(longest * self.radius);
        }
        let copies = copies.iter().map(|copy| *world_from_node * *copy);
        let distances = copies.map(|world_from_copy| self.to_corner(&world_from_copy, origin));
        distances.fold(0.0, f32::max)
    }

    /// From an origin in the world to the farthest corner of the box.
    fn to_corner(&self, world_from_mesh: &Affine3A, origin: Vec3A) -> f32 {
        let corners = self.bounds.corners().map(|corner| {
            let corner = world_from_mesh.transform_point3a(corner.into());
            corner.distance(origin)
        });
        corners.into_iter().fold(0.0, f32::max)
    }
}

/// What the joints of a skin move of a mesh.
fn add_skinned(mesh: &Mesh, skin: &Skin, rest: &Pose, reaches: &mut [f32]) {
    let joints = skin.joints.iter().zip(&skin.joint_from_mesh);
    let joints: Vec<_> = joints
        .map(|(joint, joint_from_mesh)| {
            let world_from_joint = rest.world[joint.index()];
            (
                world_from_joint * *joint_from_mesh,
                world_from_joint.translation,
            )
        })
        .collect();
    let mut farthest = vec![0.0_f32; joints.len()];
    for primitive in &mesh.primitives {
        let Some(influences) = &primitive.influences else {
            continue;
        };
        let lanes = influences.joints.chunks_exact(influences.per_vertex);
        let lanes = lanes.zip(influences.weights.chunks_exact(influences.per_vertex));
        let vertices = primitive.vertices.positions.iter().zip(lanes).enumerate();
        let drawn = vertices.filter(|(vertex, _)| !primitive.undrawn.has(*vertex));
        for (_, (point, (places, weights))) in drawn {
            for (&place, &weight) in places.iter().zip(weights) {
                if weight > 0.0 {
                    let (world_from_mesh, origin) = &joints[usize::from(place)];
                    let point = world_from_mesh.transform_point3a(Vec3A::from(*point));
                    let reach = &mut farthest[usize::from(place)];
                    *reach = reach.max(weight * point.distance(*origin));
                }
            }
        }
    }
    for (joint, reach) in skin.joints.iter().zip(farthest) {
        grow(reaches, *joint, reach);
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::model::{Hierarchy, Influences, Node, Scene, Topology, Transform, Vertices};

    fn node(parent: Option<u32>, place: Vec3) -> Node {
        Node {
            parent: parent.map(NodeId),
            rest: Transform {
                translation: place,
                ..Transform::default()
            },
            ..Node::default()
        }
    }

    fn reaches(nodes: Vec<Node>, parents: &[Option<usize>], mesh: Mesh, skin: Skin) -> Vec<f32> {
        let weights = vec![Vec::new(); nodes.len()];
        let model = Model {
            scenes: vec![Scene {
                roots: (0..nodes.len() as u32).map(NodeId).collect(),
                ..Scene::default()
            }],
            hierarchy: Hierarchy::new(nodes, parents, &weights).unwrap(),
            meshes: std::sync::Arc::new(vec![mesh]),
            skins: vec![skin],
            ..Model::default()
        };
        let layout = PaletteLayout::new(&model, 0);
        of_nodes(&model, &layout, &Pose::new(&model.hierarchy), 1.0)
    }

    fn triangle(points: [Vec3; 3]) -> Primitive {
        Primitive {
            topology: Topology::Triangles,
            vertices: Vertices {
                positions: points.to_vec(),
                ..Vertices::default()
            },
            indices: vec![0, 1, 2].into(),
            ..Primitive::default()
        }
    }

    fn mesh(primitive: Primitive) -> Mesh {
        Mesh {
            primitives: vec![primitive],
            ..Mesh::default()
        }
    }

    #[test]
    fn a_rigid_mesh_reaches_as_far_as_its_vertices_however_it_is_scaled() {
        let pole = triangle([Vec3::ZERO, Vec3::X, Vec3::Y]);
        let mut carrier = node(Some(0), Vec3::Z);
        carrier.mesh = Some(0);
        carrier.rest.scale = Vec3::new(0.1, 2.0, 0.1);
        let found = reaches(
            vec![node(None, Vec3::ZERO), carrier],
            &[None, Some(0)],
            mesh(pole),
            Skin::default(),
        );
        assert!((found[1] - 2.0).abs() < 0.01, "{found:?}");
        assert!((found[0] - found[1] - 1.0).abs() < 1e-6, "{found:?}");
    }

    #[test]
    fn a_joint_reaches_by_the_weight_that_it_has() {
        // A stray hundredth far away, and half of a vertex that is near.
        let mut skinned = triangle([Vec3::Y * 20.0, Vec3::Y * 1.6, Vec3::ZERO]);
        skinned.influences = Some(Influences {
            per_vertex: 4,
            joints: [0, 1, 0, 0].repeat(3),
            weights: [
                [0.99, 0.01, 0.0, 0.0],
                [0.5, 0.5, 0.0, 0.0],
                [1.0, 0.0, 0.0, 0.0],
            ]
            .concat(),
        });
        let mut carrier = node(None, Vec3::ZERO);
        (carrier.mesh, carrier.skin) = (Some(0), Some(0));
        let skin = Skin {
            joints: vec![NodeId(0), NodeId(1)],
            joint_from_mesh: vec![Affine3A::IDENTITY, Affine3A::from_translation(Vec3::NEG_Y)],
            ..Skin::default()
        };
        let found = reaches(
            vec![node(None, Vec3::ZERO), node(None, Vec3::Y), carrier],
            &[None; 3],
            mesh(skinned),
            skin,
        );
        assert!((found[0] - 19.8).abs() < 1e-4, "{found:?}");
        assert!((found[1] - 0.3).abs() < 1e-4, "{found:?}");
        assert_eq!(found[2], LEAST, "it carries nothing by itself");
    }
}
