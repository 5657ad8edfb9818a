//! What a clip hides (`KHR_animation_pointer` of `KHR_node_visibility`): asked for each instance by the plain evaluator.

use super::frame::Tracks;
use crate::{
    anim::sample::track_value,
    model::{Clip, Hierarchy, NodeId},
};

/// Whether one placement is shown: its node is, and all above it.
#[derive(Debug, Default)]
pub(super) struct Sight {
    /// Whether the file hides one of them that the clip does not speak of.
    is_hidden: bool,
    /// The tracks of the others, among the clip's properties.
    tracks: Vec<usize>,
}

impl Sight {
    pub(super) fn new(hierarchy: &Hierarchy, tracks: &Tracks, node: NodeId) -> Self {
        let mut sight = Self::default();
        for id in hierarchy.upwards(node) {
            match tracks.visibilities[id.index()] {
                Some(track) => sight.tracks.push(track),
                None => sight.is_hidden |= hierarchy.node(id).is_hidden,
            }
        }
        sight
    }

    /// Whether it is shown at a time.
    pub(super) fn is_shown(&self, clip: Option<&Clip>, time_secs: f64) -> bool {
        let is_visible = |&index: &usize| {
            clip.is_none_or(|clip| {
                let track = &clip.properties()[index];
                let timeline = &clip.timelines()[track.timeline()];
                track_value(track, timeline, time_secs, 0) != 0.0
            })
        };
        !self.is_hidden && self.tracks.iter().all(is_visible)
    }
}
