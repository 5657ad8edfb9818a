//! A pose: where every node is, and how far every morph target is turned on.

use glam::{Affine3A, Quat};

use crate::model::{Hierarchy, Node, NodeId, Transform};

/// The state of all nodes of a model at one moment; [`super::Properties`] has that of materials, lights and cameras.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Pose {
    /// For each node its placement relative to its parent: where the file fixes its matrix, what that comes apart into.
    pub locals: Vec<Transform>,
    /// The morph weights of all nodes back to back; [`crate::model::Node::weights`] says whose is which.
    pub weights: Vec<f32>,
    /// For each node `world_from_node`, as of the last [`Pose::update_world`].
    pub world: Vec<Affine3A>,
    /// For each node whether it is hidden by itself, with all below it.
    pub hidden: Vec<bool>,
    /// For each node whether neither it nor one that it hangs under is hidden, as of the last [`Pose::update_world`].
    pub shown: Vec<bool>,
    /// For each node whether its place in `locals` counts although the file fixes its matrix.
    freed: Vec<bool>,
    /// For each node its place in `weights`.
    weight_ranges: Vec<(u32, u32)>,
}

impl Pose {
    /// The file's own pose.
    pub fn new(hierarchy: &Hierarchy) -> Self {
        let ranges = hierarchy.nodes().iter().map(|node| &node.weights);
        let mut pose = Self {
            locals: hierarchy.nodes().iter().map(|node| node.rest).collect(),
            weights: hierarchy.rest_weights().to_vec(),
            world: vec![Affine3A::IDENTITY; hierarchy.len()],
            hidden: hierarchy
                .nodes()
                .iter()
                .map(|node| node.is_hidden)
                .collect(),
            shown: vec![true; hierarchy.len()],
            freed: vec![false; hierarchy.len()],
            weight_ranges: ranges
                .map(|range| (range.start as u32, range.end as u32))
                .collect(),
        };
        pose.update_world(hierarchy, Affine3A::IDENTITY);
        pose
    }

    /// Returns to the file's own pose, so that nothing of another clip or time stays behind.
    pub fn reset(&mut self, hierarchy: &Hierarchy) {
        for (local, node) in self.locals.iter_mut().zip(hierarchy.nodes()) {
            *local = node.rest;
        }
        for (hidden, node) in self.hidden.iter_mut().zip(hierarchy.nodes()) {
            *hidden = node.is_hidden;
        }
        self.weights.copy_from_slice(hierarchy.rest_weights());
        self.freed.fill(false);
    }

    /// [`Pose::reset`] of these nodes alone; [`Pose::update_world_of`] is still to be called.
    pub(super) fn reset_nodes(&mut self, hierarchy: &Hierarchy, nodes: &[NodeId]) {
        for &id in nodes {
            let (index, node) = (id.index(), hierarchy.node(id));
            self.locals[index] = node.rest;
            self.hidden[index] = node.is_hidden;
            self.freed[index] = false;
            self.weights[node.weights.clone()]
                .copy_from_slice(&hierarchy.rest_weights()[node.weights.clone()]);
        }
    }

    /// Becomes equal to another pose, in the room that it has.
    pub fn copy_from(&mut self, other: &Self) {
        self.locals.clone_from(&other.locals);
        self.weights.clone_from(&other.weights);
        self.world.clone_from(&other.world);
        self.hidden.clone_from(&other.hidden);
        self.shown.clone_from(&other.shown);
        self.freed.clone_from(&other.freed);
        self.weight_ranges.clone_from(&other.weight_ranges);
    }

    /// Becomes equal to another pose, but for what [`Pose::update_world`] finds.
    pub(super) fn copy_unplaced(&mut self, other: &Self) {
        self.locals.copy_from_slice(&other.locals);
        self.weights.copy_from_slice(&other.weights);
        self.hidden.copy_from_slice(&other.hidden);
        self.freed.copy_from_slice(&other.freed);
    }

    /// Places a node by hand, until the next [`Pose::reset`]: also where the file fixes its matrix, which no clip moves.
    /// Of a matrix that shears, what cannot be said by a [`Transform`] is lost.
    pub fn place(&mut self, node: NodeId, local: Transform) {
        self.locals[node.index()] = local;
        self.freed[node.index()] = true;
    }

    /// Whether a node was placed by hand since the last [`Pose::reset`].
    pub fn is_placed(&self, node: NodeId) -> bool {
        self.freed[node.index()]
    }

    /// The morph weights of a node.
    pub fn weights_of(&self, node: NodeId) -> &[f32] {
        let (start, end) = self.weight_ranges[node.index()];
        &self.weights[start as usize..end as usize]
    }

    /// The morph weights of a node.
    pub fn weights_of_mut(&mut self, node: NodeId) -> &mut [f32] {
        let (start, end) = self.weight_ranges[node.index()];
        &mut self.weights[start as usize..end as usize]
    }

    /// Concatenates local matrices, parent first. `world_from_root` places the whole model.
    pub fn update_world(&mut self, hierarchy: &Hierarchy, world_from_root: Affine3A) {
        for (index, node) in hierarchy.nodes().iter().enumerate() {
            self.update_node(index, node, world_from_root);
        }
    }

    /// [`Pose::update_world`] of these nodes alone, parents first, where no others have moved and nothing places the model.
    pub(super) fn update_world_of(&mut self, hierarchy: &Hierarchy, nodes: &[NodeId]) {
        for &node in nodes {
            self.update_node(node.index(), hierarchy.node(node), Affine3A::IDENTITY);
        }
    }

    fn update_node(&mut self, index: usize, node: &Node, world_from_root: Affine3A) {
        let parent_from_node = self.parent_from_node(index, node);
        let world_from_parent = match node.parent {
            Some(parent) => self.world[parent.index()],
            None => world_from_root,
        };
        self.world[index] = world_from_parent * parent_from_node;
        let is_parent_shown = node.parent.is_none_or(|parent| self.shown[parent.index()]);
        self.shown[index] = is_parent_shown && !self.hidden[index];
    }
}

impl Pose {
    /// What a node does to what hangs on it: its own matrix, until something moves it, or its transform.
    pub(super) fn parent_from_node(&self, index: usize, node: &Node) -> Affine3A {
        match node.fixed_matrix {
            Some(matrix) if !self.freed[index] => matrix,
            _ => self.locals[index].to_affine(),
        }
    }

    /// What a node's parent does to it; nothing, if it is a root.
    pub(super) fn world_from_parent(&self, hierarchy: &Hierarchy, node: NodeId) -> Affine3A {
        let parent = hierarchy.node(node).parent;
        parent.map_or(Affine3A::IDENTITY, |parent| self.world[parent.index()])
    }
}

/// How nodes are turned in the world, whatever they and those above them scale: the product of their rotations, which is
/// how cameras look and lights shine (glTF 2.0 §3.10.2; `KHR_lights_punctual`, "Light Types").
impl Pose {
    /// How one node is turned in the world. It costs as much as the node has ancestors.
    pub fn rotation_of(&self, hierarchy: &Hierarchy, node: NodeId) -> Quat {
        let chain = hierarchy.upwards(node);
        chain.fold(Quat::IDENTITY, |rotation, id| {
            unit(self.locals[id.index()].rotation * rotation)
        })
    }

    /// How all nodes are turned in the world, instead of what is in `rotations`.
    pub fn rotations(&self, hierarchy: &Hierarchy, rotations: &mut Vec<Quat>) {
        rotations.clear();
        for (id, node) in hierarchy.iter() {
            let parent = node.parent.map(|parent| rotations[parent.index()]);
            rotations.push(self.rotation_under(parent.unwrap_or(Quat::IDENTITY), id));
        }
    }

    /// How a node is turned in the world, below a parent that is turned like this.
    pub fn rotation_under(&self, parent: Quat, node: NodeId) -> Quat {
        unit(parent * self.locals[node.index()].rotation)
    }
}

/// What long chains of products need.
fn unit(rotation: Quat) -> Quat {
    let length = rotation.length();
    if length.is_normal() {
        rotation * length.recip()
    } else {
        Quat::IDENTITY
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::model::Node;

    #[test]
    fn children_follow_their_parents() {
        let node = |translation| Node {
            rest: Transform {
                translation,
                rotation: Quat::from_rotation_z(std::f32::consts::FRAC_PI_2),
                scale: Vec3::splat(2.0),
            },
            ..Node::default()
        };
        // File order is child first.
        let nodes = vec![node(Vec3::X), node(Vec3::Y)];
        let tree = Hierarchy::new(nodes, &[Some(1), None], &[vec![], vec![]]).unwrap();
        let pose = Pose::new(&tree);
        let child = tree.by_file_index(0).unwrap();
        // The child's x of 1, doubled and turned into y by its parent, above the parent's y of 1.
        let position = pose.world[child.index()].translation;
        assert!(
            position.abs_diff_eq(Vec3::new(0.0, 3.0, 0.0).into(), 1e-6),
            "{position}"
        );
    }

    #[test]
    fn scale_turns_nothing() {
        let turns = [Quat::from_rotation_y(0.6), Quat::from_rotation_x(-0.3)];
        let scales = [Vec3::new(1.0, 1.0, -1.0), Vec3::new(3.0, 0.5, 0.0)];
        let nodes = turns.into_iter().zip(scales).map(|(rotation, scale)| Node {
            rest: Transform {
                rotation,
                scale,
                translation: Vec3::ONE,
            },
            ..Node::default()
        });
        let nodes = nodes.collect();
        let tree = Hierarchy::new(nodes, &[None, Some(0)], &[vec![], vec![]]).unwrap();
        let pose = Pose::new(&tree);
        let mut all = Vec::new();
        pose.rotations(&tree, &mut all);
        for (node, expected) in [turns[0], turns[0] * turns[1]].into_iter().enumerate() {
            let found = pose.rotation_of(&tree, NodeId(node as u32));
            assert!(found.abs_diff_eq(expected, 1e-6), "{node}: {found}");
            assert!(all[node].abs_diff_eq(expected, 1e-6), "{node}: {all:?}");
        }
    }

    #[test]
    fn a_fixed_matrix_turns_as_it_is_taken_apart() {
        let turn = Quat::from_rotation_y(0.6);
        let matrix =
            Affine3A::from_scale_rotation_translation(Vec3::new(2.0, 0.5, 3.0), turn, Vec3::ONE);
        let node = Node {
            rest: Transform::from_affine(&matrix),
            fixed_matrix: Some(matrix),
            ..Node::default()
        };
        let tree = Hierarchy::new(vec![node], &[None], &[vec![]]).unwrap();
        let mut pose = Pose::new(&tree);
        assert!(pose.rotation_of(&tree, NodeId(0)).abs_diff_eq(turn, 1e-6));
        pose.place(NodeId(0), Transform::IDENTITY);
        assert_eq!(pose.rotation_of(&tree, NodeId(0)), Quat::IDENTITY);
    }

    #[test]
    fn reset_forgets_what_was_changed() {
        let tree = Hierarchy::new(vec![Node::default()], &[None], &[vec![0.25]]).unwrap();
        let rest = Pose::new(&tree);
        let mut pose = rest.clone();
        pose.locals[0].translation = Vec3::ONE;
        pose.weights_of_mut(NodeId(0))[0] = 1.0;
        pose.reset(&tree);
        assert_eq!(pose, rest);
    }
}
