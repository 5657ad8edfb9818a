//! The tree of nodes, kept as one flat array in which every parent stands before its children.
//!
//! So world matrices need one forward loop and nothing here recurses, however deep a file nests.

use std::{fmt, ops::Range};

use glam::Affine3A;

use super::{Transform, distinct_name, name_or};

/// A node's place in a [`Hierarchy`]. This is *not* the index in the file: that is [`Node::file_index`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The place as an array index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One node of the tree (glTF 2.0 §3.5.2).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Node {
    /// The node's name, or empty.
    pub name: String,
    /// Its index in the file.
    pub file_index: usize,
    /// Its parent, which stands before it.
    pub parent: Option<NodeId>,
    /// Its own placement, in force wherever no clip says otherwise.
    pub rest: Transform,
    /// The exact matrix `parent_from_node`, where the file gives one that no clip animates: it may shear, which
    /// [`Node::rest`], what it comes apart into, cannot say.
    pub fixed_matrix: Option<Affine3A>,
    /// The mesh that it places.
    pub mesh: Option<usize>,
    /// The skin that deforms the mesh.
    pub skin: Option<usize>,
    /// The camera that it places.
    pub camera: Option<usize>,
    /// The light that it places.
    pub light: Option<usize>,
    /// Whether it and all below it are hidden at first (`KHR_node_visibility`).
    pub is_hidden: bool,
    /// Where the copies of its mesh stand that are drawn instead of the mesh itself (`EXT_mesh_gpu_instancing`); empty
    /// where there is no instancing.
    pub node_from_instances: Vec<Affine3A>,
    /// Its morph weights: a range of [`Hierarchy::rest_weights`] and of [`crate::anim::Pose::weights`].
    pub weights: Range<usize>,
}

/// All nodes of a model.
#[derive(Debug, Clone, Default)]
pub struct Hierarchy {
    nodes: Vec<Node>,
    by_file_index: Vec<NodeId>,
    rest_weights: Vec<f32>,
}

/// Why nodes do not make a [`Hierarchy`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HierarchyError {
    /// This node (index in the file) names a parent that does not exist.
    NoSuchParent(usize),
    /// This node (index in the file) is its own ancestor.
    Cycle(usize),
    /// There are more nodes than a [`NodeId`] can count.
    TooMany,
}

impl fmt::Display for HierarchyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchParent(node) => write!(f, "node {node} has a parent that does not exist"),
            Self::Cycle(node) => write!(f, "node {node} is its own ancestor"),
            Self::TooMany => write!(f, "there are too many nodes"),
        }
    }
}

impl std::error::Error for HierarchyError {}

impl Hierarchy {
    /// Sorts nodes so that parents come first, siblings in file order.
    ///
    /// `nodes` are in file order; `parents` holds the parent of each as an index in the file; `weights` the morph
    /// weights of each at rest. The nodes' `file_index`, `parent` and `weights` are set here.
    pub fn new(
        nodes: Vec<Node>,
        parents: &[Option<usize>],
        weights: &[Vec<f32>],
    ) -> Result<Self, HierarchyError> {
        let order = topological_order(nodes.len(), parents)?;
        let mut by_file_index = vec![NodeId(0); nodes.len()];
        for (place, &file_index) in order.iter().enumerate() {
            by_file_index[file_index] =
                NodeId(u32::try_from(place).map_err(|_| HierarchyError::TooMany)?);
        }
        let mut unsorted: Vec<Option<Node>> = nodes.into_iter().map(Some).collect();
        let mut sorted = Vec::with_capacity(order.len());
        let mut rest_weights = Vec::new();
        for &file_index in &order {
            let mut node = unsorted[file_index].take().unwrap_or_default();
            node.file_index = file_index;
            node.parent = parents
                .get(file_index)
                .copied()
                .flatten()
                .map(|parent| by_file_index[parent]);
            let first_weight = rest_weights.len();
            rest_weights.extend_from_slice(weights.get(file_index).map_or(&[], Vec::as_slice));
            node.weights = first_weight..rest_weights.len();
            sorted.push(node);
        }
        Ok(Self {
            nodes: sorted,
            by_file_index,
            rest_weights,
        })
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The nodes, parents before children.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The node at `id`.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// Gives up the exact matrix of a node that a clip is to move after all; what shears in it is lost.
    pub fn let_move(&mut self, id: NodeId) {
        self.nodes[id.index()].fixed_matrix = None;
    }

    /// The nodes with their places, parents before children.
    pub fn iter(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        (0..).map(NodeId).zip(&self.nodes)
    }

    /// A node, its parent, and so on to the root: in falling order.
    pub fn upwards(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(Some(id), |id| self.node(*id).parent)
    }

    /// For each node the root that it hangs under: itself, if it is one.
    pub fn roots(&self) -> Vec<NodeId> {
        let mut roots: Vec<NodeId> = Vec::with_capacity(self.len());
        for (id, node) in self.iter() {
            roots.push(node.parent.map_or(id, |parent| roots[parent.index()]));
        }
        roots
    }

    /// The node that has `file_index` in the file.
    pub fn by_file_index(&self, file_index: usize) -> Option<NodeId> {
        self.by_file_index.get(file_index).copied()
    }

    /// The morph weights of all nodes at rest, back to back; [`Node::weights`] says whose is which.
    pub fn rest_weights(&self) -> &[f32] {
        &self.rest_weights
    }

    /// A name to show: the node's own, or `node 7`.
    pub fn display_name(&self, id: NodeId) -> String {
        let node = self.node(id);
        name_or(&node.name, "node", node.file_index)
    }

    /// A node's name to show, with its index where other nodes are called so, too: `Bone (node 24)`.
    pub fn distinct_name(&self, id: NodeId) -> String {
        let Node {
            name, file_index, ..
        } = self.node(id);
        let same = self.nodes.iter().filter(|other| other.name == *name);
        distinct_name(name, ("node", *file_index), same.take(2).count() > 1)
    }
}

/// File indices so ordered that parents come first: depth first, siblings in file order.
fn topological_order(
    count: usize,
    parents: &[Option<usize>],
) -> Result<Vec<usize>, HierarchyError> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut stack = Vec::new();
    // Both are filled from the back, since the stack hands out the last entry first.
    for node in (0..count).rev() {
        match parents.get(node).copied().flatten() {
            None => stack.push(node),
            Some(parent) => children
                .get_mut(parent)
                .ok_or(HierarchyError::NoSuchParent(node))?
                .push(node),
        }
    }
    let mut order = Vec::with_capacity(count);
    let mut reached = vec![false; count];
    while let Some(node) = stack.pop() {
        reached[node] = true;
        order.push(node);
        stack.extend_from_slice(&children[node]);
    }
    match reached.iter().position(|&reached| !reached) {
        Some(node) => Err(HierarchyError::Cycle(node)),
        None => Ok(order),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hierarchy(parents: &[Option<usize>]) -> Result<Hierarchy, HierarchyError> {
        let nodes = vec![Node::default(); parents.len()];
        let weights = vec![Vec::new(); parents.len()];
        Hierarchy::new(nodes, parents, &weights)
    }

    #[test]
    fn puts_parents_before_children() {
        //   2        4
        //   ├─ 0     └─ 3
        //   │  └─ 5
        //   └─ 1
        let tree = hierarchy(&[Some(2), Some(2), None, Some(4), None, Some(0)]).unwrap();
        let order: Vec<_> = tree.nodes().iter().map(|node| node.file_index).collect();
        assert_eq!(order, [2, 0, 5, 1, 4, 3]);
        for (id, node) in tree.iter() {
            assert!(node.parent.is_none_or(|parent| parent < id));
            assert_eq!(tree.by_file_index(node.file_index), Some(id));
        }
    }

    #[test]
    fn names_the_node_of_a_cycle() {
        let error = hierarchy(&[None, Some(2), Some(1)]).unwrap_err();
        assert_eq!(error, HierarchyError::Cycle(1));
        let error = hierarchy(&[Some(0)]).unwrap_err();
        assert_eq!(error, HierarchyError::Cycle(0));
    }

    #[test]
    fn names_the_node_without_a_parent() {
        let error = hierarchy(&[None, Some(7)]).unwrap_err();
        assert_eq!(error, HierarchyError::NoSuchParent(1));
    }

    #[test]
    fn a_chain_of_100_000_does_not_recurse() {
        let parents: Vec<_> = (0..100_000_usize).map(|node| node.checked_sub(1)).collect();
        assert_eq!(hierarchy(&parents).unwrap().len(), 100_000);
    }
}
