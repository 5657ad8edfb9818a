//! What is folded of the scene tree.

use std::collections::HashSet;

use crate::ui::NodeRow;

/// The rows that are left where these nodes are folded.
pub(super) fn unfolded_rows(nodes: &[NodeRow], folded: &HashSet<usize>) -> Vec<usize> {
    if folded.is_empty() {
        return (0..nodes.len()).collect();
    }
    let mut rows = Vec::new();
    let mut index = 0;
    while let Some(node) = nodes.get(index) {
        rows.push(index);
        index += if folded.contains(&index) {
            node.descendants + 1
        } else {
            1
        };
    }
    rows
}

/// Unfolds what a node lies in.
pub(super) fn unfold_to(folded: &mut HashSet<usize>, nodes: &[NodeRow], selected: usize) {
    folded.retain(|above| {
        let below = nodes.get(*above).map_or(0, |node| node.descendants);
        !(*above < selected && selected <= above + below)
    });
}

/// These nodes in a list in which they have other places; `places` says which, if they are there.
pub(super) fn moved(nodes: &HashSet<usize>, places: &[Option<usize>]) -> HashSet<usize> {
    let moved = nodes.iter().filter_map(|node| *places.get(*node)?);
    moved.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::tree::tests::nodes;

    #[test]
    fn folding_hides_what_is_below() {
        let nodes = nodes(&[(0, "a"), (1, "b"), (2, "c"), (1, "d"), (0, "e")]);
        assert_eq!(unfolded_rows(&nodes, &HashSet::from([1])), [0, 1, 3, 4]);
        assert_eq!(unfolded_rows(&nodes, &HashSet::from([0, 1])), [0, 4]);
        let mut folded = HashSet::from([0, 1, 4]);
        unfold_to(&mut folded, &nodes, 2);
        assert_eq!(folded, HashSet::from([4]));
    }

    #[test]
    fn folds_go_with_their_nodes() {
        let places = [Some(1), Some(3), None];
        assert_eq!(
            moved(&HashSet::from([0, 1, 2, 3]), &places),
            HashSet::from([1, 3])
        );
    }
}
