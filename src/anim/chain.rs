//! The way from the world down to a node, of which a clip moves little: what stands still is multiplied once.

use glam::Affine3A;

use crate::model::NodeId;

/// A node and all above it, from the top down.
#[derive(Debug)]
pub(super) struct Chain {
    links: Vec<Link>,
}

/// A node that moves, or all those between two that do.
#[derive(Debug)]
enum Link {
    Moving(NodeId),
    Still(Affine3A),
}

impl Chain {
    /// Of nodes from the top down; `still` has the matrix, relative to its parent, of each that does not move.
    pub(super) fn new(
        nodes: impl Iterator<Item = NodeId>,
        still: impl Fn(NodeId) -> Option<Affine3A>,
    ) -> Self {
        let mut links = Vec::new();
        for node in nodes {
            match (still(node), links.last_mut()) {
                (None, _) => links.push(Link::Moving(node)),
                (Some(matrix), Some(Link::Still(above))) => *above *= matrix,
                (Some(matrix), _) => links.push(Link::Still(matrix)),
            }
        }
        Self { links }
    }

    /// Matrices that it is a product of.
    pub(super) fn len(&self) -> usize {
        self.links.len()
    }

    /// The nodes that move, from the top down.
    pub(super) fn moving(&self) -> impl Iterator<Item = NodeId> {
        self.links.iter().filter_map(|link| match link {
            Link::Moving(node) => Some(*node),
            Link::Still(_) => None,
        })
    }

    /// `world_from_node` of the lowest, where `parent_from_node` has the matrix of each that moves.
    pub(super) fn world(&self, parent_from_node: impl Fn(NodeId) -> Affine3A) -> Affine3A {
        let matrices = self.links.iter().map(|link| match link {
            Link::Moving(node) => parent_from_node(*node),
            Link::Still(matrix) => *matrix,
        });
        matrices.fold(Affine3A::IDENTITY, |world, matrix| world * matrix)
    }
}
