//! The poses of two motions at the same moments.

use super::distance;
use crate::{
    anim::{Cursors, Pose, played::find_moving, sample},
    model::{Clip, Hierarchy, Model, NodeId},
};

/// Two clips (none is the file's own pose), the second at `stretch` times the time of the first.
#[derive(Debug, Clone, Copy)]
pub(super) struct Motions<'c> {
    pub(super) clips: [Option<&'c Clip>; 2],
    pub(super) stretch: f64,
}

/// The poses of two models in their clips, side by side.
#[derive(Debug)]
pub(super) struct PosePair<'m> {
    models: [&'m Model; 2],
    poses: [Pose; 2],
    cursors: [Cursors; 2],
    /// The nodes that the clips move, and those that hang on them, parents first: all others stay as they are.
    moving: [Vec<NodeId>; 2],
}

impl<'m> PosePair<'m> {
    /// The poses that the files themselves have.
    pub(super) fn new(models: [&'m Model; 2]) -> Self {
        Self {
            models,
            poses: models.map(|model| Pose::new(&model.hierarchy)),
            cursors: [Cursors::default(), Cursors::default()],
            moving: [Vec::new(), Vec::new()],
        }
    }

    /// Begins to play clips: what those before have moved goes back to where the files have it.
    pub(super) fn play<'c>(&mut self, motions: Motions<'c>) -> Playing<'_, 'm, 'c> {
        for (side, clip) in motions.clips.into_iter().enumerate() {
            let hierarchy = &self.models[side].hierarchy;
            let (pose, moving) = (&mut self.poses[side], &mut self.moving[side]);
            pose.reset_nodes(hierarchy, moving);
            pose.update_world_of(hierarchy, moving);
            *moving = moving_nodes(hierarchy, clip);
        }
        Playing {
            both: self,
            motions,
        }
    }

    /// Both as they were left.
    pub(super) fn poses(&self) -> &[Pose; 2] {
        &self.poses
    }
}

/// Two models in two clips.
#[derive(Debug)]
pub(super) struct Playing<'p, 'm, 'c> {
    both: &'p mut PosePair<'m>,
    motions: Motions<'c>,
}

impl Playing<'_, '_, '_> {
    /// Both at a time of the first, clamped to their keys, with world matrices.
    pub(super) fn at(&mut self, time_secs: f64) -> &[Pose; 2] {
        let times_secs = [time_secs, time_secs * self.motions.stretch];
        for (side, own_secs) in times_secs.into_iter().enumerate() {
            let pose = &mut self.both.poses[side];
            // It writes all that it moves, whatever the time.
            if let Some(clip) = self.motions.clips[side] {
                sample(clip, own_secs, &mut self.both.cursors[side], pose);
            }
            let hierarchy = &self.both.models[side].hierarchy;
            pose.update_world_of(hierarchy, &self.both.moving[side]);
        }
        &self.both.poses
    }

    /// The nodes of each that move.
    pub(super) fn moving(&self) -> &[Vec<NodeId>; 2] {
        &self.both.moving
    }
}

/// The nodes that a clip moves, and those that hang on them, parents first.
pub(super) fn moving_nodes(hierarchy: &Hierarchy, clip: Option<&Clip>) -> Vec<NodeId> {
    let mut moving = Vec::new();
    find_moving(hierarchy, clip, &mut Vec::new(), &mut moving);
    moving
}

/// How far apart the origins of two nodes are in the world.
pub(super) fn origins_apart(poses: &[Pose; 2], nodes: (NodeId, NodeId)) -> f64 {
    let [from, to] = [(&poses[0], nodes.0), (&poses[1], nodes.1)]
        .map(|(pose, node)| pose.world[node.index()].translation.as_dvec3());
    distance(from, to)
}
