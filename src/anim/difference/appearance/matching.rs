//! Which materials, lights, cameras, variants, scenes, meshes or clips of two models are the same.

use std::collections::HashMap;

use crate::{
    anim::difference::NodeMatch,
    model::{Mesh, Model, Primitive, pair_by_name},
};

/// Which things of a kind are the same in two models.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PartMatch {
    /// Matches: one of the first and one of the second model, in the order of the first.
    pub pairs: Vec<[usize; 2]>,
    /// What only the first model has.
    pub only_first: Vec<usize>,
    /// What only the second model has.
    pub only_second: Vec<usize>,
    /// The match of each thing of either.
    of_first: Vec<Option<usize>>,
    of_second: Vec<Option<usize>>,
}

impl PartMatch {
    /// Those of one name, and of the others those of one index.
    pub(super) fn new<'n>(first: &[&'n str], second: &[&'n str]) -> Self {
        let mut of_first = pair_by_name(first.iter().copied(), second.iter().copied());
        // Without a name there is only the index.
        for (name, same) in first.iter().zip(&mut of_first) {
            *same = same.filter(|_| !name.is_empty());
        }
        let mut of_second = vec![None; second.len()];
        for (place, same) in of_first.iter().enumerate() {
            if let Some(same) = *same {
                of_second[same] = Some(place);
            }
        }
        for (place, sides) in of_first.iter_mut().zip(&mut of_second).enumerate() {
            if let (first @ None, second @ None) = sides {
                (*first, *second) = (Some(place), Some(place));
            }
        }
        Self::of_matches(of_first, of_second.len())
    }

    /// By the match of each thing of the first model, no two of which are the same, and how many the second one has.
    pub fn of_matches(of_first: Vec<Option<usize>>, second_count: usize) -> Self {
        let mut of_second = vec![None; second_count];
        for (place, same) in of_first.iter().enumerate() {
            if let Some(same) = *same {
                of_second[same] = Some(place);
            }
        }
        let left = |matches: &[Option<usize>]| {
            let all = matches.iter().enumerate();
            let left = all.filter(|(_, same)| same.is_none());
            left.map(|(place, _)| place).collect()
        };
        let pairs = of_first.iter().enumerate();
        Self {
            pairs: pairs
                .filter_map(|(place, same)| Some([place, (*same)?]))
                .collect(),
            only_first: left(&of_first),
            only_second: left(&of_second),
            of_first,
            of_second,
        }
    }

    /// Whether each has a match.
    pub fn is_complete(&self) -> bool {
        self.only_first.is_empty() && self.only_second.is_empty()
    }

    /// The one of the second model that is the same as one of the first.
    pub(in crate::anim::difference) fn second_of(&self, place: usize) -> Option<usize> {
        *self.of_first.get(place)?
    }

    /// The one of the first model that is the same as one of the second.
    pub(in crate::anim::difference) fn first_of(&self, place: usize) -> Option<usize> {
        *self.of_second.get(place)?
    }

    /// Whether these are the same, or there is neither.
    pub(super) fn is_same(&self, places: [Option<usize>; 2]) -> bool {
        match places {
            [None, None] => true,
            [Some(first), Some(second)] => self.second_of(first) == Some(second),
            _ => false,
        }
    }
}

/// Which meshes are the same, as [`AppearanceDifference::meshes`](super::AppearanceDifference::meshes) says.
pub(in crate::anim::difference) fn match_meshes(
    models: [&Model; 2],
    nodes: &NodeMatch,
) -> PartMatch {
    let [first, second] = models.map(|model| &model.meshes);
    let mut search = MeshSearch {
        of_first: vec![None; first.len()],
        is_taken: vec![false; second.len()],
    };
    let once = models.map(|model| meshes_by_name(&model.meshes));
    for (name, places) in &once[0] {
        if let ([a], Some([b])) = (&places[..], once[1].get(name).map(Vec::as_slice)) {
            search.join(*a, *b);
        }
    }
    for &(a, b) in &nodes.pairs {
        let [a, b] = [(0, a), (1, b)].map(|(side, node)| models[side].hierarchy.node(node).mesh);
        if let (Some(a), Some(b)) = (a, b) {
            search.join(a, b);
        }
    }
    for (name, places) in &once[0] {
        let others = once[1].get(name).map_or(&[][..], Vec::as_slice);
        search.join_left(places, others, |_| true);
    }
    let all = models.map(|model| (0..model.meshes.len()).collect::<Vec<_>>());
    search.join_left(&all[0], &all[1], |[a, b]| {
        let pair = [&first[a], &second[b]];
        let [own, other] = pair.map(|mesh| {
            let counts = mesh.primitives.iter().map(Primitive::own_vertex_count);
            counts.sum::<usize>()
        });
        own == other || pair.iter().any(|mesh| mesh.name.is_empty())
    });
    PartMatch::of_matches(search.of_first, second.len())
}

/// Where each name is, but for the empty one.
fn meshes_by_name(meshes: &[Mesh]) -> HashMap<&str, Vec<usize>> {
    let mut all: HashMap<_, Vec<_>> = HashMap::new();
    let named = meshes.iter().enumerate();
    for (place, mesh) in named.filter(|(_, mesh)| !mesh.name.is_empty()) {
        all.entry(&*mesh.name).or_default().push(place);
    }
    all
}

/// Which meshes have been found to be the same.
struct MeshSearch {
    of_first: Vec<Option<usize>>,
    is_taken: Vec<bool>,
}

impl MeshSearch {
    fn join(&mut self, first: usize, second: usize) {
        let (Some(same), Some(is_taken)) =
            (self.of_first.get_mut(first), self.is_taken.get_mut(second))
        else {
            return;
        };
        if same.is_none() && !*is_taken {
            (*same, *is_taken) = (Some(second), true);
        }
    }

    /// The first of these that has no match with the first of those, and so on, where these may be the same.
    fn join_left(
        &mut self,
        first: &[usize],
        second: &[usize],
        may_be_same: impl Fn([usize; 2]) -> bool,
    ) {
        let first = first.iter().filter(|&&it| self.of_first[it].is_none());
        let second = second.iter().filter(|&&it| !self.is_taken[it]);
        let pairs: Vec<_> = first.copied().zip(second.copied()).collect();
        for (first, second) in pairs {
            if may_be_same([first, second]) {
                self.join(first, second);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::Vec3;

    use super::*;
    use crate::model::{Hierarchy, Node};

    /// Meshes of these names, and a node for each of these that carries it.
    fn model(names: &[&str], carried: &[usize]) -> Model {
        let mesh = |name: &&str| Mesh {
            name: (*name).to_owned(),
            ..Mesh::default()
        };
        let node = |mesh: &usize| Node {
            mesh: Some(*mesh),
            ..Node::default()
        };
        let nodes: Vec<_> = carried.iter().map(node).collect();
        let count = nodes.len();
        Model {
            hierarchy: Hierarchy::new(nodes, &vec![None; count], &vec![vec![]; count]).unwrap(),
            meshes: names.iter().map(mesh).collect::<Vec<_>>().into(),
            ..Model::default()
        }
    }

    #[test]
    fn meshes_are_found_by_names_and_by_what_carries_them() {
        let pairs = |first: Model, second: Model| {
            let nodes = NodeMatch::new(&first.hierarchy, &second.hierarchy);
            match_meshes([&first, &second], &nodes).pairs
        };
        let reversed = [[0, 1], [1, 0]];
        let kept = [[0, 0], [1, 1]];
        let names = [&["Body", "Hat"][..], &["Hat", "Body"]];
        // Whatever carries them.
        assert_eq!(
            pairs(model(names[0], &[0, 1]), model(names[1], &[0, 1])),
            reversed
        );
        for names in [["", ""], ["Cube", "Cube"]] {
            assert_eq!(
                pairs(model(&names, &[0, 1]), model(&names, &[1, 0])),
                reversed
            );
            assert_eq!(pairs(model(&names, &[]), model(&names, &[])), kept);
        }
        // Of one that has another name the place says which it is.
        let found = pairs(model(names[0], &[]), model(&["Cap", "Body"], &[]));
        assert_eq!(found, reversed);
        let found = pairs(model(&["", "Body"], &[]), model(&["Body", ""], &[]));
        assert_eq!(found, reversed);
        assert_eq!(pairs(model(&["", ""], &[]), model(&[""], &[])), [[0, 0]]);
    }

    /// Else one that is removed would seem to be one that is added.
    #[test]
    fn what_shares_neither_name_nor_size_is_not_the_same() {
        let with = |name: &str, vertices| {
            let mut model = model(&["Body", name], &[]);
            let mut primitive = Primitive::default();
            primitive.vertices.positions = vec![Vec3::ZERO; vertices];
            Arc::make_mut(&mut model.meshes)[1].primitives = vec![primitive];
            model
        };
        let hat = with("Hat", 3);
        let found = |other: Model| {
            let nodes = NodeMatch::new(&hat.hierarchy, &other.hierarchy);
            match_meshes([&hat, &other], &nodes)
        };
        for (name, vertices) in [("Cap", 3), ("", 4)] {
            assert!(found(with(name, vertices)).is_complete(), "{name}");
        }
        let cape = found(with("Cape", 4));
        assert_eq!(cape.pairs, [[0, 0]]);
        assert_eq!((cape.only_first, cape.only_second), (vec![1], vec![1]));
    }

    #[test]
    fn names_come_before_indices() {
        let found = PartMatch::new(&["Skin", "Eye", "", "Hair"], &["Eye", "Skin", "", "Fur"]);
        assert_eq!(found.pairs, [[0, 1], [1, 0], [2, 2], [3, 3]]);
        assert!(found.is_complete());
        assert!(found.is_same([Some(0), Some(1)]) && found.is_same([None, None]));
        assert!(!found.is_same([Some(0), Some(0)]) && !found.is_same([Some(0), None]));
    }

    #[test]
    fn what_has_no_match_is_told() {
        let found = PartMatch::new(&["", "Skin"], &["Skin", "", "Fur"]);
        assert_eq!(found.pairs, [[1, 0]]);
        assert_eq!(found.only_first, [0]);
        assert_eq!(found.only_second, [1, 2]);
        assert_eq!((found.second_of(1), found.first_of(0)), (Some(0), Some(1)));
    }
}
