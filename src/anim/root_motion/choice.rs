//! Which node carries a clip's root motion.

use glam::{Quat, Vec3};

use super::super::{
    Pose,
    bounds::{rig_nodes, rig_size},
};
use crate::model::{Clip, Model, NodeId, Track, mean_stretch};

/// Movement of less than this part of the skeleton's size is noise of the export.
const NOISE: f32 = 1e-3;

/// The node that carries a clip's root motion: [`RootChooser::choose`] for a single clip.
pub fn choose_root(model: &Model, clip: &Clip) -> Option<NodeId> {
    RootChooser::new(model).choose(clip)
}

/// What of a model decides which node carries root motion: the same for all of its clips.
#[derive(Debug, Clone)]
pub struct RootChooser {
    /// From the one root above all joints (above all meshes, if there are no skins) down to where the way to them branches,
    /// each with the length of a translation by 1 in the world at rest.
    way: Vec<(NodeId, f32)>,
    /// The size of the rig.
    size: f32,
}

impl RootChooser {
    /// Measures a model at rest.
    pub fn new(model: &Model) -> Self {
        let pose = Pose::new(&model.hierarchy);
        let unit = |node: NodeId| {
            let parent = model.hierarchy.node(node).parent;
            parent.map_or(1.0, |parent| mean_stretch(&pose.world[parent.index()]))
        };
        let way = root_chain(model).into_iter();
        Self {
            way: way.map(|node| (node, unit(node))).collect(),
            size: rig_size(model, &pose),
        }
    }

    /// The size of the rig at rest.
    pub(super) fn size(&self) -> f32 {
        self.size
    }

    /// The node that carries the root motion of a clip of the model: the first that the clip moves on the way down from the
    /// scene's root.
    ///
    /// On it the first node with a translation that changes counts, or else the first with such a rotation. There is none
    /// if the joints have no common root, or if nothing on the way moves.
    pub fn choose(&self, clip: &Clip) -> Option<NodeId> {
        // Parents have smaller ids: the first on the way down has the least.
        let unit_of = |node: NodeId| {
            let place = self.way.binary_search_by_key(&node, |(node, _)| *node);
            place.ok().map(|place| self.way[place].1)
        };
        let shifts = |track: &Track<Vec3>, unit: f32| {
            track.varies(|a, b| unit * a.distance(b) > NOISE * self.size)
        };
        // Keys of splines may have any length.
        let alike = |a: Quat, b: Quat| (1.0 - NOISE * NOISE) * a.length() * b.length();
        let turns = |track: &Track<Quat>| track.varies(|a, b| a.dot(b).abs() < alike(a, b));
        let shifted = clip.translations().iter();
        let shifted = shifted
            .filter(|track| unit_of(track.node()).is_some_and(|unit| shifts(track, unit)))
            .map(Track::node)
            .min();
        shifted.or_else(|| {
            let turned = clip.rotations().iter();
            let turned = turned.filter(|track| unit_of(track.node()).is_some() && turns(track));
            turned.map(Track::node).min()
        })
    }
}

/// From the one root above all joints down to where the way to them branches, or ends.
fn root_chain(model: &Model) -> Vec<NodeId> {
    let nodes = model.hierarchy.nodes();
    let mut leads_there = rig_nodes(model);
    // Below each node, and above all roots, how many children lead there, and one of them. Children stand after their
    // parents, so one pass from the back reaches all ancestors.
    let above_all = nodes.len();
    let mut branches = vec![(0, None); nodes.len() + 1];
    for index in (0..nodes.len()).rev() {
        if leads_there[index] {
            let parent = nodes[index].parent.map_or(above_all, NodeId::index);
            if parent < above_all {
                leads_there[parent] = true;
            }
            branches[parent] = (branches[parent].0 + 1, Some(NodeId(index as u32)));
        }
    }
    let mut chain = Vec::new();
    let mut here = above_all;
    while let (1, Some(only)) = branches[here] {
        chain.push(only);
        here = only.index();
    }
    chain
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ClipBuilder, Hierarchy, Interpolation, Node, Timeline};

    #[test]
    fn a_file_of_clips_alone_has_root_motion() {
        let camera = Node {
            camera: Some(0),
            ..Node::default()
        };
        let nodes = vec![Node::default(), Node::default(), camera];
        let parents = [None, Some(0), None];
        let model = Model {
            hierarchy: Hierarchy::new(nodes, &parents, &[const { Vec::new() }; 3]).unwrap(),
            ..Model::default()
        };
        let mut clip = ClipBuilder::new("walk");
        let timeline = clip.timeline(Timeline::new(vec![0.0, 1.0]).unwrap());
        let keys = vec![Vec3::ZERO, Vec3::Z];
        clip.translation(NodeId(1), timeline, Interpolation::Linear, keys)
            .unwrap();
        assert_eq!(choose_root(&model, &clip.finish()), Some(NodeId(1)));
    }
}
