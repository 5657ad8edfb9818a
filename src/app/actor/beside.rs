//! Another actor of the same model: to be seen beside the first, in another pose or with other skinning.

use std::sync::Arc;

use super::Actor;
use crate::{
    anim::Skinning,
    model::{Clip, Model, namesake},
    scene::{Overlay, SkeletonSettings, difference_scale},
};

impl Actor {
    /// Another actor of the same model, in the file's own pose.
    pub fn beside(&self) -> Self {
        let boxes = self.joint_boxes.clone();
        let layout = self.layout.clone();
        let mut other = Self::of(Arc::clone(&self.model), self.scene, layout, boxes);
        other.pose_at(None, 0.0);
        other.bounds = self.bounds;
        other.size = self.size;
        other.estimate_bounds();
        other
    }

    /// Whether both are actors of one model, as one scene shows it.
    pub fn is_beside(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.model, &other.model) && self.scene == other.scene
    }

    /// The distance that [`crate::scene::ViewMode::SkinningDifference`] draws in the last of its colours.
    pub fn difference_scale(&self) -> f32 {
        difference_scale(self.size)
    }

    /// How joints are blended.
    pub fn skinning(&self) -> Skinning {
        self.skinning
    }

    /// Adds the bones of the pose to another overlay, as lines.
    pub fn add_skeleton_lines(
        &mut self,
        settings: SkeletonSettings,
        width_px: f32,
        color: [f32; 4],
        overlay: &mut Overlay,
    ) {
        self.skeleton.find_uses(&self.model);
        let skeleton = &self.skeleton;
        skeleton.add_lines(&self.pose, settings, width_px, color, overlay);
    }

    /// Hides and holds from the next pose on what another actor of the same model does.
    pub(in crate::app) fn keep_like(&mut self, other: &Self) {
        self.hiding.clone_from(&other.hiding);
        self.held_weights.clone_from(&other.held_weights);
    }

    /// Takes the pose of another actor of the same model; how joints are blended stays its own.
    pub fn pose_like(&mut self, other: &Self) {
        self.pose.copy_from(&other.pose);
        self.settle_world();
    }
}

/// The clip of `other` that belongs to a clip of `model`, as [`namesake`] says.
pub fn clip_like(model: &Model, clip: usize, other: &Model) -> Option<usize> {
    let [from, to] = [model, other].map(|model| model.clips.iter().map(Clip::name));
    namesake(clip, from, to)
}
