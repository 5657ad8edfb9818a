//! The way of a node through the world over a clip.

use std::collections::BTreeSet;

use glam::Vec3;

use super::{
    Cursors, Pose,
    chain::Chain,
    posing::{Offset, Offsets},
    root_motion::RootMotion,
    sample,
};
use crate::model::{Clip, Hierarchy, Model, NodeId};

/// Points of a trail at most: what a minute has at 30 frames a second. Of longer clips every so many frames have one.
const MAX_POINTS: usize = 1801;
/// Placements of moving nodes that a trail computes at most: a node that hangs below very many has fewer points.
const MAX_PLACEMENTS: usize = 4_000_000;

/// Where a node comes along in a clip.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Trail {
    /// When, from the beginning of the clip to its end.
    pub times_secs: Vec<f64>,
    /// Where in the world, for each of these times.
    pub points: Vec<Vec3>,
    /// Where the node has keys of its own; where it has frames, if it has none.
    pub marks: Vec<Vec3>,
}

impl Trail {
    /// Samples the way of `node` at the frames of `clip`, with `offsets` added all the time. With `in_place` the clip is
    /// kept where it begins.
    pub fn new(
        model: &Model,
        clip: &Clip,
        node: NodeId,
        frames_per_sec: f64,
        in_place: Option<&RootMotion>,
        offsets: &Offsets,
    ) -> Self {
        let hierarchy = &model.hierarchy;
        let mut nodes: Vec<NodeId> = hierarchy.upwards(node).collect();
        nodes.reverse();
        // Only the nodes that the trail hangs from are sampled: where the root of `in_place` is none of them, its way does
        // not move the trail.
        let is_above = |node: NodeId| nodes.binary_search(&node).is_ok();
        let part = clip.of_nodes(is_above);
        let in_place = in_place.filter(|root_motion| is_above(root_motion.root()));
        let held = in_place.map(RootMotion::root);
        let chain = chain(hierarchy, &nodes, &part, held, offsets);
        let mut pose = Pose::new(hierarchy);
        let held = in_place.map(|it| (it, it.way_to_parent(hierarchy, &part, &pose)));
        let placements = chain.len() + held.as_ref().map_or(0, |(_, way)| way.len());
        let mut cursors = Cursors::default();
        let mut place = |time_secs: f64| {
            for node in chain.moving() {
                pose.locals[node.index()] = hierarchy.node(node).rest;
            }
            sample(&part, time_secs, &mut cursors, &mut pose);
            if let Some((root_motion, way)) = &held {
                root_motion.hold_along(way, hierarchy, &mut pose, time_secs);
            }
            let world = chain.world(|node| {
                let local = &pose.locals[node.index()];
                offsets.get(node).added_to(local).to_affine()
            });
            Vec3::from(world.translation)
        };
        let duration_secs = f64::from(clip.duration_secs());
        let frames = (duration_secs * frames_per_sec).ceil().max(1.0);
        let most = (MAX_PLACEMENTS / placements.max(1)).clamp(2, MAX_POINTS);
        let steps = (frames as usize).min(most - 1);
        let mut this = Self::default();
        for step in 0..=steps {
            let time_secs = duration_secs * step as f64 / steps as f64;
            this.times_secs.push(time_secs);
            this.points.push(place(time_secs));
        }
        let keys = key_times(clip, node);
        this.marks = if keys.is_empty() {
            this.points.clone()
        } else {
            let keys = keys.into_iter().take(most);
            keys.map(|time_secs| place(f64::from(time_secs))).collect()
        };
        this
    }
}

/// The chain of nodes, those taken together that neither a clip nor the way out of place moves.
fn chain(
    hierarchy: &Hierarchy,
    nodes: &[NodeId],
    part: &Clip,
    held: Option<NodeId>,
    offsets: &Offsets,
) -> Chain {
    let moving: BTreeSet<NodeId> = part.placed_nodes().chain(held).collect();
    Chain::new(nodes.iter().copied(), |id| {
        let node = hierarchy.node(id);
        let offset = offsets.get(id);
        let fixed_matrix = node.fixed_matrix.filter(|_| offset == Offset::NONE);
        let at_rest = || offset.added_to(&node.rest).to_affine();
        fixed_matrix.or_else(|| (!moving.contains(&id)).then(at_rest))
    })
}

/// The times of a node's own keys, sorted, without repeats.
fn key_times(clip: &Clip, node: NodeId) -> Vec<f32> {
    let heads = clip.heads();
    let mut times: Vec<f32> = heads
        .filter(|head| head.moved.placed_node() == Some(node))
        .flat_map(|head| clip.timelines()[head.timeline].times_secs())
        .copied()
        .collect();
    times.sort_by(f32::total_cmp);
    times.dedup();
    times
}
