//! Which node carries a clip's root motion.

use glam::{Quat, Vec3};

use super::super::{
    Pose,
    bounds::{rig_nodes, rig_size},
};
use crate::model::{Clip, Model, NodeId, Track, mean_stretch};

/// Movement of less than this part of the skeleton's size is noise of the export.
const NOISE: f32 = 1e-3;

/// The node that carries a clip's root motion: the first that the clip moves on the way down from the scene's root.
///
/// The way goes from the one root above all joints (above all meshes, if there are no skins) down to where it branches.
/// On it the first node with a translation that changes counts, or else the first with such a rotation. There is none
/// if the joints have no common root, or if nothing on the way moves.
pub fn choose_root(model: &Model, clip: &Clip) -> Option<NodeId> {
    let chain = root_chain(model);
    let pose = Pose::new(&model.hierarchy);
    let size = rig_size(model, &pose);
    let shifts = |track: &Track<Vec3>| {
        let parent = model.hierarchy.node(track.node()).parent;
        let unit = parent.map_or(1.0, |parent| mean_stretch(&pose.world[parent.index()]));
        track.varies(|a, b| unit * a.distance(b) > NOISE * size)
    };
    // Keys of splines may have any length.
    let alike = |a: Quat, b: Quat| (1.0 - NOISE * NOISE) * a.length() * b.length();
    let turns = |track: &Track<Quat>| track.varies(|a, b| a.dot(b).abs() < alike(a, b));
    // Parents have smaller ids: the first on the way down has the least.
    let is_on_way = |node: NodeId| chain.binary_search(&node).is_ok();
    let shifted = clip.translations().iter();
    let shifted = shifted.filter(|track| is_on_way(track.node()) && shifts(track));
    let shifted = shifted.map(Track::node).min();
    shifted.or_else(|| {
        let turned = clip.rotations().iter();
        let turned = turned.filter(|track| is_on_way(track.node()) && turns(track));
        turned.map(Track::node).min()
    })
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
