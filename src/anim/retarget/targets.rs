//! Which morph targets of a model are meant by those of another.

use std::collections::{BTreeSet, HashMap};

use super::{Binding, Bound, ClipSource};
use crate::model::{Clip, Mesh, Model, NodeId, PropertyTarget, Track};

/// For each node whose weights clips move which of its targets stand for which of its counterpart.
#[derive(Debug, Default)]
pub(super) struct Targets {
    /// Places in `lanes`, which nodes of the same meshes share.
    of_node: HashMap<NodeId, usize>,
    lanes: Vec<Option<Lanes>>,
}

/// The targets of a node, and those of its counterpart.
#[derive(Debug)]
pub(super) struct Lanes {
    /// For each target of the counterpart that of the node which is meant.
    pub(super) to_node: Vec<Option<usize>>,
    /// For targets of the node the first of the counterpart which is meant.
    pub(super) to_counterpart: HashMap<usize, usize>,
    /// For each target of the node whether none of the counterpart is meant.
    is_missing: Vec<bool>,
    /// Whether both have names, but none that is the same, so that places count.
    is_by_place: bool,
}

impl Targets {
    pub(super) fn new(source: &ClipSource, model: &Model, binding: &Binding) -> Self {
        let mut this = Self::default();
        let mut known = HashMap::new();
        let moved = source.clips.iter().flat_map(|clip| {
            let singles = clip.properties().iter();
            let singles = singles.filter_map(|track| match track.target() {
                PropertyTarget::NodeWeight(node, _) => Some(node),
                _ => None,
            });
            clip.weights().iter().map(Track::node).chain(singles)
        });
        for node in moved {
            let Some(found) = binding.of(node) else {
                continue;
            };
            let nodes = [
                source.hierarchy.node(node),
                model.hierarchy.node(found.node),
            ];
            let key = nodes.map(|node| (node.mesh, node.weights.len()));
            let place = *known.entry(key).or_insert_with(|| {
                let [from, to] = key.map(|(mesh, _)| mesh);
                let from = from.and_then(|mesh| source.target_names.get(mesh));
                let to = to.and_then(|mesh| model.meshes.get(mesh));
                let to = to.map(|mesh: &Mesh| &mesh.target_names);
                let names = [from, to].map(|names| names.map_or(&[][..], Vec::as_slice));
                let counts = key.map(|(_, count)| count);
                this.lanes.push(Lanes::new(names, counts));
                this.lanes.len() - 1
            });
            this.of_node.insert(node, place);
        }
        this
    }

    /// Adds to what was bound which targets clips move that have no counterpart, and of which nodes they go by their places.
    pub(super) fn report(&self, source: &ClipSource, bound: &mut Bound) {
        let (mut missing, mut by_place) = (BTreeSet::new(), BTreeSet::new());
        for track in source.clips.iter().flat_map(Clip::properties) {
            let PropertyTarget::NodeWeight(node, target) = track.target() else {
                continue;
            };
            let Some(lanes) = self.of(node) else {
                continue;
            };
            if lanes.is_by_place {
                by_place.insert(node);
            }
            if lanes.is_missing(target) && track.values().iter().any(|value| *value != 0.0) {
                missing.insert((source.hierarchy.node(node).mesh, target));
            }
        }
        for track in source.clips.iter().flat_map(Clip::weights) {
            let node = track.node();
            let Some(lanes) = self.of(node) else {
                continue;
            };
            if lanes.is_by_place {
                by_place.insert(node);
            }
            let mesh = source.hierarchy.node(node).mesh;
            for row in track.values().chunks_exact(track.width().max(1)) {
                let moved = row.iter().zip(&lanes.is_missing).enumerate();
                let moved = moved.filter(|(_, (value, is_missing))| **is_missing && **value != 0.0);
                missing.extend(moved.map(|(target, _)| (mesh, target)));
            }
        }
        let name = |(mesh, target): (Option<usize>, usize)| {
            let names = mesh.and_then(|mesh| source.target_names.get(mesh));
            let name = names.and_then(|names| names.get(target));
            let name = name.filter(|name| !name.is_empty()).cloned();
            name.unwrap_or_else(|| format!("target {target}"))
        };
        bound.missing_targets = missing.into_iter().map(name).collect();
        let nodes = by_place.into_iter();
        bound.targets_by_place = nodes
            .map(|node| source.hierarchy.display_name(node))
            .collect();
    }

    /// Whether a property is a morph target that the counterpart of its node has not, though it has others.
    pub(super) fn is_missing(&self, target: PropertyTarget) -> bool {
        let PropertyTarget::NodeWeight(node, place) = target else {
            return false;
        };
        self.of(node).is_some_and(|lanes| lanes.is_missing(place))
    }

    /// The targets of a node; none if none of them fits.
    pub(super) fn of(&self, node: NodeId) -> Option<&Lanes> {
        let place = *self.of_node.get(&node)?;
        self.lanes[place].as_ref()
    }
}

impl Lanes {
    /// Whether nothing stands for a target of the node, which has it.
    pub(super) fn is_missing(&self, target: usize) -> bool {
        self.is_missing.get(target).copied().unwrap_or(false)
    }

    /// By the names of the targets of a node and its counterpart; by their places where no name is the same and there are as
    /// many. None if nothing fits.
    fn new([names, wanted]: [&[String]; 2], [count, wanted_count]: [usize; 2]) -> Option<Self> {
        // Of several of one name the first is meant.
        let named = names.iter().enumerate().rev();
        let named = named.filter(|(_, name)| !name.is_empty());
        let named: HashMap<&String, usize> = named.map(|(place, name)| (name, place)).collect();
        let lanes = wanted.iter().map(|name| named.get(name).copied());
        let mut to_node: Vec<Option<usize>> = lanes.collect();
        to_node.resize(wanted_count, None);
        let has_none = to_node.iter().all(Option::is_none);
        let is_by_place =
            has_none && !named.is_empty() && wanted.iter().any(|name| !name.is_empty());
        if has_none {
            if count != wanted_count {
                return None;
            }
            to_node = (0..count).map(Some).collect();
        }
        let mut is_missing = vec![true; count];
        for lane in to_node.iter().flatten() {
            if let Some(is_missing) = is_missing.get_mut(*lane) {
                *is_missing = false;
            }
        }
        let lanes = to_node.iter().enumerate().rev();
        let to_counterpart = lanes.filter_map(|(place, lane)| Some(((*lane)?, place)));
        Some(Self {
            to_counterpart: to_counterpart.collect(),
            to_node,
            is_missing,
            is_by_place,
        })
    }
}
