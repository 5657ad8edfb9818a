//! What a clip hides (`KHR_animation_pointer` of `KHR_node_visibility`): asked for each instance by the plain evaluator.

use crate::{
    anim::sample::track_value,
    model::{Clip, Hierarchy, NodeId, PropertyTarget},
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
    pub(super) fn new(hierarchy: &Hierarchy, clip: Option<&Clip>, node: NodeId) -> Self {
        let properties = clip.map_or(&[][..], Clip::properties);
        let mut sight = Self::default();
        for id in hierarchy.upwards(node) {
            // The last one is in force, as in `sample`.
            let is_track = |target| target == PropertyTarget::Visibility(id);
            match properties
                .iter()
                .rposition(|track| is_track(track.target()))
            {
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
