//! Joint masks: which part of the body a layer moves.

use crate::model::{Hierarchy, NodeId};

/// A factor from 0 to 1 for each node.
#[derive(Debug, Clone, PartialEq)]
pub struct JointMask {
    weights: Vec<f32>,
}

impl JointMask {
    /// A mask of the same weight everywhere, clamped to 0..=1.
    pub fn uniform(hierarchy: &Hierarchy, weight: f32) -> Self {
        Self {
            weights: vec![clamp(weight); hierarchy.len()],
        }
    }

    /// A mask of 1 for `root` and all below it, and of 0 elsewhere.
    pub fn subtree(hierarchy: &Hierarchy, root: NodeId) -> Self {
        let mut mask = Self::uniform(hierarchy, 0.0);
        mask.set_subtree(hierarchy, root, 1.0);
        mask
    }

    /// Gives `root` and all below it a weight, clamped to 0..=1.
    fn set_subtree(&mut self, hierarchy: &Hierarchy, root: NodeId, weight: f32) {
        let mut is_below = vec![false; hierarchy.len()];
        // Parents come first, so one pass reaches everything.
        for (id, node) in hierarchy.iter() {
            let is_parent_below = node.parent.is_some_and(|parent| is_below[parent.index()]);
            if id == root || is_parent_below {
                is_below[id.index()] = true;
                self.weights[id.index()] = clamp(weight);
            }
        }
    }

    /// Gives one node a weight, clamped to 0..=1.
    pub fn set(&mut self, node: NodeId, weight: f32) {
        self.weights[node.index()] = clamp(weight);
    }

    /// The weight of a node.
    pub fn weight(&self, node: NodeId) -> f32 {
        self.weight_at(node.index())
    }

    pub(super) fn weight_at(&self, index: usize) -> f32 {
        self.weights[index]
    }
}

/// Into 0..=1; what is no number is 0.
fn clamp(weight: f32) -> f32 {
    if weight > 0.0 { weight.min(1.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Node;

    #[test]
    fn a_subtree_is_the_node_and_all_below_it() {
        //   0        5
        //   ├─ 1
        //   │  └─ 3
        //   │     └─ 4
        //   └─ 2
        let parents = [None, Some(0), Some(0), Some(1), Some(3), None];
        let nodes = vec![Node::default(); 6];
        let tree = Hierarchy::new(nodes, &parents, &vec![vec![]; 6]).unwrap();
        let id = |file_index| tree.by_file_index(file_index).unwrap();
        let mut mask = JointMask::subtree(&tree, id(1));
        let weights = |mask: &JointMask| [0, 1, 2, 3, 4, 5].map(|node| mask.weight(id(node)));
        assert_eq!(weights(&mask), [0.0, 1.0, 0.0, 1.0, 1.0, 0.0]);
        mask.set_subtree(&tree, id(3), 0.25);
        mask.set(id(5), 7.0);
        mask.set(id(2), f32::NAN);
        assert_eq!(weights(&mask), [0.0, 1.0, 0.0, 0.25, 0.25, 1.0]);
    }
}
