//! Which nodes of two models are the same.

use std::collections::{HashMap, hash_map::Entry};

use crate::{
    anim::retarget::plain_name,
    model::{Hierarchy, Node, NodeId},
};

/// Which nodes of two models are the same.
#[derive(Debug, Clone, Default)]
pub struct NodeMatch {
    /// Matches: a node of the first and one of the second model, in the order of the first, parents before children.
    pub pairs: Vec<(NodeId, NodeId)>,
    /// What only the first model has.
    pub only_first: Vec<NodeId>,
    /// What only the second model has.
    pub only_second: Vec<NodeId>,
    /// The match of each node of either.
    of_first: Vec<Option<NodeId>>,
    of_second: Vec<Option<NodeId>>,
}

impl NodeMatch {
    /// Finds the nodes of the same path: the names from the root down, and among siblings of one name the place. What then
    /// is left, since a node above has another name or hangs elsewhere, is found by its own name where both models have that
    /// just once, then by what is plain of it, as of `mixamorig:Hips` and `hips`, and below it by the path from there. The
    /// rest has another name, or none: the children that are left below nodes that belong together do so in their order, if
    /// they are as many and carry as much.
    pub fn new(first: &Hierarchy, second: &Hierarchy) -> Self {
        let mut search = Search {
            second,
            paths: paths(first),
            occurrences: occurrences(second),
            of_first: vec![None; first.len()],
            of_second: vec![None; second.len()],
        };
        search.by_path();
        if !search.is_complete() {
            search.by_name(&names(first), &names(second));
            search.by_path();
            search.by_plain_name(first);
            search.by_path();
            search.by_place(first);
        }
        search.finish()
    }

    /// Nodes that belong together and are called otherwise.
    pub fn renamed(&self, first: &Hierarchy, second: &Hierarchy) -> Vec<(NodeId, NodeId)> {
        let is_renamed = |(a, b): &(NodeId, NodeId)| first.node(*a).name != second.node(*b).name;
        self.pairs.iter().copied().filter(is_renamed).collect()
    }

    /// The match of a model that is compared with itself.
    pub fn same(node_count: usize) -> Self {
        let all = (0..).map(NodeId).take(node_count);
        let of_each: Vec<_> = all.clone().map(Some).collect();
        Self {
            pairs: all.map(|id| (id, id)).collect(),
            of_first: of_each.clone(),
            of_second: of_each,
            ..Self::default()
        }
    }

    /// The node of the second model that is the same as one of the first.
    pub fn second_of(&self, node: NodeId) -> Option<NodeId> {
        *self.of_first.get(node.index())?
    }

    /// The node of the first model that is the same as one of the second.
    pub fn first_of(&self, node: NodeId) -> Option<NodeId> {
        *self.of_second.get(node.index())?
    }
}

/// A node by what is above it, its name, and how many siblings before it have the same.
type Step<'a> = (Option<NodeId>, &'a str, usize);

struct Search<'a> {
    second: &'a Hierarchy,
    paths: HashMap<Step<'a>, NodeId>,
    occurrences: Vec<usize>,
    /// The match of each node so far.
    of_first: Vec<Option<NodeId>>,
    of_second: Vec<Option<NodeId>>,
}

impl Search<'_> {
    /// Whether all nodes of either are found, so that there is none to be found in the other.
    fn is_complete(&self) -> bool {
        let mut sides = [&self.of_first, &self.of_second].into_iter();
        sides.any(|matches| matches.iter().all(Option::is_some))
    }

    fn by_path(&mut self) {
        for (id, node) in self.second.iter() {
            if self.of_second[id.index()].is_some() {
                continue;
            }
            let parent = match node.parent {
                None => Some(None),
                Some(parent) => self.of_second[parent.index()].map(Some),
            };
            let occurrence = self.occurrences[id.index()];
            let step = parent.map(|parent| (parent, node.name.as_str(), occurrence));
            if let Some(&same) = step.and_then(|step| self.paths.get(&step)) {
                self.join(same, id);
            }
        }
    }

    fn by_name(&mut self, first: &HashMap<&str, NameUse>, second: &HashMap<&str, NameUse>) {
        for (name, place) in first {
            if let (NameUse::Once(a), Some(NameUse::Once(b))) = (place, second.get(name)) {
                self.join(*a, *b);
            }
        }
    }

    fn by_plain_name(&mut self, first: &Hierarchy) {
        let [plain, others] = [(first, &self.of_first), (self.second, &self.of_second)]
            .map(|(hierarchy, matches)| plain_names(hierarchy, matches));
        for (name, place) in &plain {
            if let (NameUse::Once(a), Some(NameUse::Once(b))) = (place, others.get(name)) {
                self.join(*a, *b);
            }
        }
    }

    fn by_place(&mut self, first: &Hierarchy) {
        let sides = [first, self.second];
        let matches = [&self.of_first, &self.of_second];
        let [mut left, mut others] = [0, 1].map(|side| children_left(sides[side], matches[side]));
        let weights = sides.map(descendants);
        let is_like = |a: NodeId, b: NodeId| {
            let what = |side: usize, id: NodeId| {
                let node = sides[side].node(id);
                let carries = (node.mesh.is_some(), node.skin.is_some());
                (weights[side][id.index()], carries)
            };
            what(0, a) == what(1, b)
        };
        // Parents come before their children, so that these follow.
        let parents = first.iter().map(|(id, _)| Some(id));
        for parent in [None].into_iter().chain(parents) {
            let other = match parent.map(|id| self.of_first[id.index()]) {
                None => None,
                Some(Some(other)) => Some(other),
                Some(None) => continue,
            };
            let (Some(own), Some(its)) = (left.remove(&parent), others.remove(&other)) else {
                continue;
            };
            let mut pairs = own.iter().zip(&its);
            if own.len() == its.len() && pairs.all(|(a, b)| is_like(*a, *b)) {
                for (a, b) in own.into_iter().zip(its) {
                    self.join(a, b);
                }
            }
        }
    }

    fn join(&mut self, first: NodeId, second: NodeId) {
        let (a, b) = (
            &mut self.of_first[first.index()],
            &mut self.of_second[second.index()],
        );
        if a.is_none() && b.is_none() {
            (*a, *b) = (Some(second), Some(first));
        }
    }

    fn finish(self) -> NodeMatch {
        let left = |matches: &[Option<NodeId>]| {
            let all = (0..).map(NodeId).zip(matches);
            let left = all.filter(|(_, same)| same.is_none());
            left.map(|(id, _)| id).collect()
        };
        let pairs = (0..).map(NodeId).zip(&self.of_first);
        NodeMatch {
            pairs: pairs
                .filter_map(|(id, same)| Some((id, (*same)?)))
                .collect(),
            only_first: left(&self.of_first),
            only_second: left(&self.of_second),
            of_first: self.of_first,
            of_second: self.of_second,
        }
    }
}

/// How many siblings of the same name come before each node.
fn occurrences(hierarchy: &Hierarchy) -> Vec<usize> {
    let mut seen: HashMap<_, usize> = HashMap::new();
    let nodes = hierarchy.iter();
    nodes
        .map(|(_, node)| {
            let count = seen.entry((node.parent, node.name.as_str())).or_default();
            *count += 1;
            *count - 1
        })
        .collect()
}

fn paths(hierarchy: &Hierarchy) -> HashMap<Step<'_>, NodeId> {
    let nodes = hierarchy.iter().zip(occurrences(hierarchy));
    nodes
        .map(|((id, node), occurrence)| ((node.parent, node.name.as_str(), occurrence), id))
        .collect()
}

/// Where a name is.
#[derive(Debug, Clone, Copy)]
enum NameUse {
    Once(NodeId),
    Repeated,
}

/// All names, but for the empty one.
fn names(hierarchy: &Hierarchy) -> HashMap<&str, NameUse> {
    let mut all = HashMap::new();
    for (id, node) in hierarchy.iter().filter(|(_, node)| !node.name.is_empty()) {
        match all.entry(node.name.as_str()) {
            Entry::Vacant(entry) => {
                entry.insert(NameUse::Once(id));
            }
            Entry::Occupied(mut entry) => {
                entry.insert(NameUse::Repeated);
            }
        }
    }
    all
}

/// What is plain of the names of nodes that are not found yet, but for nothing.
fn plain_names(hierarchy: &Hierarchy, matches: &[Option<NodeId>]) -> HashMap<String, NameUse> {
    let mut all = HashMap::new();
    for ((id, node), _) in left(hierarchy, matches) {
        let plain = plain_name(&node.name);
        if !plain.is_empty() {
            let place = all.entry(plain);
            place
                .and_modify(|place| *place = NameUse::Repeated)
                .or_insert(NameUse::Once(id));
        }
    }
    all
}

/// Nodes that are not found yet, by what they hang on.
fn children_left(
    hierarchy: &Hierarchy,
    matches: &[Option<NodeId>],
) -> HashMap<Option<NodeId>, Vec<NodeId>> {
    let mut all: HashMap<_, Vec<_>> = HashMap::new();
    for ((id, node), _) in left(hierarchy, matches) {
        all.entry(node.parent).or_default().push(id);
    }
    all
}

fn left<'h>(
    hierarchy: &'h Hierarchy,
    matches: &'h [Option<NodeId>],
) -> impl Iterator<Item = ((NodeId, &'h Node), &'h Option<NodeId>)> {
    let all = hierarchy.iter().zip(matches);
    all.filter(|(_, same)| same.is_none())
}

/// How many nodes hang on each, and on those.
fn descendants(hierarchy: &Hierarchy) -> Vec<usize> {
    let mut counts = vec![0; hierarchy.len()];
    for (index, node) in hierarchy.nodes().iter().enumerate().rev() {
        if let Some(parent) = node.parent {
            counts[parent.index()] += 1 + counts[index];
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nodes by name and parent.
    fn hierarchy(nodes: &[(&str, Option<usize>)]) -> Hierarchy {
        let named = |(name, _): &(&str, _)| Node {
            name: (*name).to_owned(),
            ..Node::default()
        };
        let parents: Vec<_> = nodes.iter().map(|(_, parent)| *parent).collect();
        let weights = vec![vec![]; nodes.len()];
        Hierarchy::new(nodes.iter().map(named).collect(), &parents, &weights).unwrap()
    }

    /// The names of the pairs, and of those that have none.
    fn found(first: &Hierarchy, second: &Hierarchy) -> [Vec<String>; 3] {
        let path = |hierarchy: &Hierarchy, id: NodeId| {
            let chain = hierarchy.upwards(id);
            let mut names: Vec<_> = chain.map(|id| hierarchy.node(id).name.as_str()).collect();
            names.reverse();
            names.join("/")
        };
        let same = NodeMatch::new(first, second);
        let pairs = same.pairs.iter();
        [
            pairs
                .map(|(a, b)| format!("{} = {}", path(first, *a), path(second, *b)))
                .collect(),
            same.only_first.iter().map(|id| path(first, *id)).collect(),
            same.only_second
                .iter()
                .map(|id| path(second, *id))
                .collect(),
        ]
    }

    #[test]
    fn paths_come_before_names() {
        let first = hierarchy(&[("A", None), ("End", Some(0)), ("B", None), ("End", Some(2))]);
        let second = hierarchy(&[("B", None), ("End", Some(0)), ("A", None), ("End", Some(2))]);
        let [pairs, only_first, only_second] = found(&first, &second);
        assert_eq!(pairs, ["A = A", "A/End = A/End", "B = B", "B/End = B/End"]);
        assert!(only_first.is_empty() && only_second.is_empty());
    }

    #[test]
    fn joints_under_a_renamed_armature_are_found_and_what_has_no_name_of_its_own_below_them() {
        let nodes = |armature| {
            hierarchy(&[
                (armature, None),
                ("Hip", Some(0)),
                ("Leg", Some(1)),
                ("End", Some(2)),
                ("Arm", Some(1)),
                ("End", Some(4)),
                ("", Some(4)),
            ])
        };
        let [pairs, only_first, only_second] = found(&nodes("Armature"), &nodes("Armature.001"));
        assert_eq!(pairs.len(), 7, "{pairs:?}");
        assert!(pairs.contains(&"Armature/Hip/Leg/End = Armature.001/Hip/Leg/End".to_owned()));
        assert!(only_first.is_empty() && only_second.is_empty());
    }

    #[test]
    fn what_was_renamed_is_found_by_what_is_plain_of_its_name_or_by_its_place() {
        let nodes = |names: [&'static str; 5]| {
            let [hips, spine, head, leg, foot] = names;
            hierarchy(&[
                (hips, None),
                (spine, Some(0)),
                (head, Some(1)),
                (leg, Some(0)),
                (foot, Some(3)),
            ])
        };
        let first = nodes(["hips", "spine", "head", "leg.l", "foot.l"]);
        for names in [
            [
                "mixamorig:Hips",
                "mixamorig:Spine",
                "mixamorig:Head",
                "mixamorig:Leg_L",
                "mixamorig:Foot_L",
            ],
            ["hips", "spine", "head", "leg.l", "Foot_Left"],
            ["", "", "", "", ""],
            ["bone", "bone", "bone", "bone", "bone"],
        ] {
            let second = nodes(names);
            let same = NodeMatch::new(&first, &second);
            let all = (0..5).map(|id| (NodeId(id), NodeId(id)));
            assert!(same.pairs.iter().copied().eq(all), "{names:?}: {same:?}");
            let renamed = same.renamed(&first, &second).len();
            assert_eq!(renamed, if names[0] == "hips" { 1 } else { 5 }, "{names:?}");
        }
    }

    #[test]
    fn a_joint_that_hangs_elsewhere_is_found_and_one_whose_name_repeats_is_not_guessed() {
        let first = hierarchy(&[
            ("Hip", None),
            ("Sword", Some(0)),
            ("Old", None),
            ("End", Some(2)),
        ]);
        let second = hierarchy(&[
            ("Hip", None),
            ("Hand", Some(0)),
            ("Sword", Some(1)),
            ("New", None),
            ("End", Some(3)),
            ("Tip", Some(3)),
            ("End", Some(2)),
        ]);
        let [pairs, only_first, only_second] = found(&first, &second);
        assert_eq!(pairs, ["Hip = Hip", "Hip/Sword = Hip/Hand/Sword"]);
        assert_eq!(only_first, ["Old", "Old/End"]);
        assert_eq!(only_second.len(), 5, "{only_second:?}");
    }
}
