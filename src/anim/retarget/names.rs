//! Which node of one model is meant by a node of another: by their names, and between people by the bones that they are.

use std::collections::{HashMap, VecDeque};

use crate::{
    anim::{human::Human, name_words::without_prefix},
    model::{Hierarchy, HumanJoint, NodeId},
};

/// For each node of one hierarchy its counterpart in another.
#[derive(Debug, Clone, Default)]
pub struct Binding {
    counterparts: Vec<Option<Counterpart>>,
    is_by_bones: bool,
}

/// A node that is meant by another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counterpart {
    /// The node.
    pub node: NodeId,
    /// Whether its name is not the other one: it resembles it, or means the same bone of a person.
    pub is_similar: bool,
}

impl Binding {
    /// Binds one hierarchy to another by equal names first, then by names that differ in prefix, case and separators alone,
    /// and where both are rigs of people, what is left by the bones that joints are, as files say (`human_joints`) or else
    /// names do. Each node is bound once; of several of a name the one under the same parent is taken, or else the first.
    /// Names do not bind joints of people that are different bones.
    pub fn new([from, to]: [&Hierarchy; 2], human_joints: [&[HumanJoint]; 2]) -> Self {
        let [joints_from, joints_to] = human_joints;
        let people = Human::find(from, joints_from).zip(Human::find(to, joints_to));
        let mut this = Self {
            counterparts: vec![None; from.len()],
            is_by_bones: people.is_some() && human_joints.iter().all(|told| !told.is_empty()),
        };
        let mut is_taken = vec![false; to.len()];
        for is_similar in [false, true] {
            let key = |name: &str| match is_similar {
                true => plain_name(name),
                false => name.to_owned(),
            };
            let [names, keys] = [from, to].map(|hierarchy| {
                let nodes = hierarchy.nodes().iter();
                nodes.map(|node| key(&node.name)).collect::<Vec<_>>()
            });
            let mut by_name: HashMap<&str, VecDeque<NodeId>> = HashMap::new();
            let mut by_place: HashMap<(&str, Option<NodeId>), VecDeque<NodeId>> = HashMap::new();
            for ((id, node), key) in to.iter().zip(&keys) {
                by_name.entry(key).or_default().push_back(id);
                let place = (key.as_str(), node.parent);
                by_place.entry(place).or_default().push_back(id);
            }
            for ((id, node), name) in from.iter().zip(&names) {
                if name.is_empty() || this.counterparts[id.index()].is_some() {
                    continue;
                }
                let parent = node.parent.and_then(|parent| this.of(parent));
                let parent = parent.map(|parent| parent.node);
                let there = by_place.get_mut(&(name.as_str(), parent));
                let found = there
                    .and_then(|there| first_free(there, &is_taken))
                    .or_else(|| first_free(by_name.get_mut(name.as_str())?, &is_taken));
                let contradicts = |node: NodeId| {
                    let people = people.as_ref();
                    people.is_some_and(|(human, other)| human.contradicts(id, other, node))
                };
                if let Some(node) = found.filter(|node| !contradicts(*node)) {
                    is_taken[node.index()] = true;
                    this.counterparts[id.index()] = Some(Counterpart { node, is_similar });
                }
            }
        }
        let pairs = people.map(|(human, other)| human.counterparts(&other));
        for (id, node) in pairs.into_iter().flatten() {
            let counterpart = &mut this.counterparts[id.index()];
            if counterpart.is_none() && !is_taken[node.index()] {
                is_taken[node.index()] = true;
                this.is_by_bones = true;
                *counterpart = Some(Counterpart {
                    node,
                    is_similar: true,
                });
            }
        }
        this
    }

    /// Whether nodes are known as bones of people: where their names differ they are bound by that, or both files say it.
    pub fn is_by_bones(&self) -> bool {
        self.is_by_bones
    }

    /// The counterpart of a node.
    pub fn of(&self, node: NodeId) -> Option<Counterpart> {
        self.counterparts.get(node.index()).copied().flatten()
    }
}

/// The first that is not taken; taken ones before it are looked at this once only.
fn first_free(candidates: &mut VecDeque<NodeId>, is_taken: &[bool]) -> Option<NodeId> {
    while candidates.front().is_some_and(|id| is_taken[id.index()]) {
        candidates.pop_front();
    }
    candidates.front().copied()
}

/// A name without what tools put in front of it, without case and separators: `mixamorig:LeftArm`, `Armature|left_arm` and
/// `DEF-Left.Arm` are all `leftarm`.
pub fn plain_name(name: &str) -> String {
    let tail = without_prefix(name);
    let tail = tail.strip_prefix("DEF-").unwrap_or(tail);
    let plain: String = tail
        .chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect();
    // Some tools drop the colon.
    match plain.strip_prefix("mixamorig") {
        Some(rest) if !rest.is_empty() => rest.to_owned(),
        _ => plain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Node;

    fn tree(names: &[(&str, Option<usize>)]) -> Hierarchy {
        let nodes = names.iter().map(|(name, _)| Node {
            name: (*name).to_owned(),
            ..Node::default()
        });
        let parents: Vec<_> = names.iter().map(|(_, parent)| *parent).collect();
        Hierarchy::new(nodes.collect(), &parents, &vec![vec![]; names.len()]).unwrap()
    }

    fn bound(from: &[(&str, Option<usize>)], to: &[(&str, Option<usize>)]) -> Vec<Option<u32>> {
        let (from, to) = (tree(from), tree(to));
        let binding = Binding::new([&from, &to], [&[], &[]]);
        let ids = from.iter().map(|(id, _)| id);
        ids.map(|id| binding.of(id).map(|found| found.node.0))
            .collect()
    }

    #[test]
    fn plain_names() {
        for name in [
            "mixamorig:LeftArm",
            "mixamorigLeftArm",
            "Armature|left_arm",
            "DEF-Left.Arm",
            "LEFT ARM",
        ] {
            assert_eq!(plain_name(name), "leftarm", "{name}");
        }
        assert_eq!(plain_name("mixamorig"), "mixamorig");
        assert_eq!(plain_name("Ärm_1"), "ärm1");
    }

    #[test]
    fn equal_names_come_before_similar_ones() {
        let from = [("arm", None), ("Arm", None), ("leg", None)];
        let to = [("ARM", None), ("Arm", None), ("", None)];
        assert_eq!(bound(&from, &to), [Some(0), Some(1), None]);
    }

    #[test]
    fn of_several_of_a_name_the_one_under_the_same_parent_is_meant() {
        let from = [
            ("left", None),
            ("tip", Some(0)),
            ("right", None),
            ("tip", Some(2)),
        ];
        let to = [
            ("right", None),
            ("tip", Some(0)),
            ("left", None),
            ("tip", Some(2)),
        ];
        assert_eq!(bound(&from, &to), [Some(2), Some(3), Some(0), Some(1)]);
        // Nobody is meant twice.
        let from = [("tip", None), ("tip", None)];
        assert_eq!(bound(&from, &[("tip", None)]), [Some(0), None]);
        assert_eq!(bound(&[("", None)], &[("", None)]), [None]);
    }

    #[test]
    fn many_nodes_of_one_name_take_no_more_than_a_look_each() {
        let names = vec![("a", None); 200_000];
        let expected: Vec<_> = (0..200_000).map(Some).collect();
        assert!(bound(&names, &names) == expected);
        // All below another parent.
        let below: Vec<_> = (0..200_000).map(|i| ("a", (i > 0).then_some(0))).collect();
        assert!(bound(&names, &below) == expected);
    }
}
