//! The mix of a model that was read again.

use super::{Mix, MixedClip};
use crate::{app::Actor, model::NodeId};

impl Mix {
    /// This mix for the model that `actor` shows now, with all settings of its clips; those that are not there any more are
    /// left out, as are those whose part of the body is gone.
    pub(in crate::app) fn carried_to(
        mut self,
        actor: &mut Actor,
        chosen: Option<usize>,
        clip_of: impl Fn(usize) -> Option<usize>,
        node_of: impl Fn(NodeId) -> Option<NodeId>,
    ) -> Self {
        let clips = std::mem::take(&mut self.clips);
        let carried = clips.into_iter().filter_map(|old| {
            let clip = clip_of(old.clip).filter(|clip| Some(*clip) != chosen)?;
            let below = match old.below {
                Some(node) => Some(node_of(node)?),
                None => None,
            };
            let duration_secs = f64::from(actor.model().clips.get(clip)?.duration_secs());
            let mut mixed = MixedClip {
                clip,
                below,
                duration_secs,
                ..old
            };
            mixed.prepare(actor);
            Some(mixed)
        });
        self.clips = carried.collect();
        self
    }
}
