//! The poses of two motions at the same moments.

use glam::Affine3A;

use super::distance;
use crate::{
    anim::{Cursors, Pose, sample},
    model::{Clip, Model, NodeId},
};

/// The poses of two models in their clips, side by side.
pub(super) struct PosePair<'a> {
    models: [&'a Model; 2],
    clips: [Option<&'a Clip>; 2],
    stretch: f64,
    poses: [Pose; 2],
    cursors: [Cursors; 2],
}

impl<'a> PosePair<'a> {
    /// Poses in these clips (none is the file's own pose), the second at `stretch` times the time of the first.
    pub(super) fn new(models: [&'a Model; 2], clips: [Option<&'a Clip>; 2], stretch: f64) -> Self {
        Self {
            models,
            clips,
            stretch,
            poses: models.map(|model| Pose::new(&model.hierarchy)),
            cursors: [Cursors::default(), Cursors::default()],
        }
    }

    /// Both at a time of the first, clamped to their keys, with world matrices.
    pub(super) fn at(&mut self, time_secs: f64) -> &[Pose; 2] {
        let times_secs = [time_secs, time_secs * self.stretch];
        for (index, own_secs) in times_secs.into_iter().enumerate() {
            let hierarchy = &self.models[index].hierarchy;
            let pose = &mut self.poses[index];
            pose.reset(hierarchy);
            if let Some(clip) = self.clips[index] {
                sample(clip, own_secs, &mut self.cursors[index], pose);
            }
            pose.update_world(hierarchy, Affine3A::IDENTITY);
        }
        &self.poses
    }
}

/// How far apart the origins of two nodes are in the world.
pub(super) fn origins_apart(poses: &[Pose; 2], nodes: (NodeId, NodeId)) -> f64 {
    let [from, to] = [(&poses[0], nodes.0), (&poses[1], nodes.1)]
        .map(|(pose, node)| pose.world[node.index()].translation.as_dvec3());
    distance(from, to)
}
