//! Where the model was and will be: the trail of a node, and the skeleton a few frames away.

use glam::Affine3A;

use super::{Actor, in_place};
use crate::{
    anim::{Cursors, Pose, Trail, posing::Offsets, sample},
    model::NodeId,
    scene::SkeletonSettings,
};

/// A pose beside the one that is shown, for onion skins.
#[derive(Debug, Default)]
pub(super) struct SidePose {
    pose: Option<Pose>,
    cursors: Cursors,
}

impl Actor {
    /// Where a node comes along in a clip, as it is played with `offsets`.
    pub fn trail(
        &mut self,
        clip: usize,
        node: NodeId,
        frames_per_sec: f64,
        offsets: &Offsets,
    ) -> Option<Trail> {
        self.find_root_motion(Some(clip));
        let hierarchy = &self.model.hierarchy;
        let way = in_place(hierarchy, &self.root_motions, self.is_in_place, clip);
        let root_motion = way.map(|way| way.root_motion);
        let clip = self.model.clips.get(clip)?;
        Some(Trail::new(
            &self.model,
            clip,
            node,
            frames_per_sec,
            root_motion,
            offsets,
        ))
    }

    /// Adds the skeleton as the clip has it at another time, with `offsets`, to the overlay, as lines.
    pub fn add_onion_skin(
        &mut self,
        clip: usize,
        time_secs: f64,
        offsets: &Offsets,
        settings: SkeletonSettings,
        (width_px, color): (f32, [f32; 4]),
    ) {
        self.find_root_motion(Some(clip));
        self.skeleton.find_uses(&self.model);
        let hierarchy = &self.model.hierarchy;
        let Some(played) = self.model.clips.get(clip) else {
            return;
        };
        let pose = self
            .side_pose
            .pose
            .get_or_insert_with(|| Pose::new(hierarchy));
        pose.reset(hierarchy);
        sample(played, time_secs, &mut self.side_pose.cursors, pose);
        if let Some(way) = in_place(hierarchy, &self.root_motions, self.is_in_place, clip) {
            let root_motion = way.root_motion;
            root_motion.hold_in_place(way.hierarchy, pose, time_secs);
        }
        offsets.add_to(pose);
        pose.update_world(hierarchy, Affine3A::IDENTITY);
        self.hiding.hide_nodes(pose);
        self.skeleton
            .add_lines(pose, settings, width_px, color, &mut self.overlay);
    }
}
