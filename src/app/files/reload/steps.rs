//! What the steps to undo become when the file is read again.

use super::{ClipMatch, OwnClips, clip_match, weight_match::WeightMatch, without_clips::Bridge};
use crate::{
    app::{history::Edit, posing::NodesAgain},
    model::{Model, NodeId},
};

/// How they are carried from one model to the other.
pub(super) struct Carry<'a> {
    pub(super) models: (&'a Model, &'a Model),
    pub(super) again: &'a NodesAgain<'a>,
    pub(super) weights: &'a WeightMatch,
    pub(super) clips: &'a ClipMatch,
    pub(super) bridge: &'a Bridge,
    pub(super) own_clips: OwnClips,
}

impl Carry<'_> {
    /// What a step holds, of the model that comes, and whether it waits; none if it is gone. What is about clips that are gone
    /// only for a moment waits for them: it stays with them, while all else is of the model that comes.
    pub(super) fn edit(&self, edit: Edit, waits: bool) -> Option<(Edit, bool)> {
        let own_names = || clip_match::own_names(self.models.0, self.own_clips.old);
        let (clips, names, waits) = match (waits, self.bridge) {
            (true, Bridge::Crossed(before, clips)) => (clips, before.names(), false),
            (true, Bridge::Waiting(before, clips)) => (clips, before.names(), true),
            (true, Bridge::None) => return Some((edit, true)),
            // Where there were none already, what is gone is of another file, and does not come back.
            (false, Bridge::Waiting(_, clips))
                if self.own_clips.old > 0
                    && edit.has_clip(|clip| self.clips.of(clip).is_none()) =>
            {
                (clips, own_names(), true)
            }
            (false, _) => (self.clips, own_names(), false),
        };
        Some((self.with_clips(edit, |clip| clips.of(clip), &names)?, waits))
    }

    /// `own_names` are those of the file's own clips, as the step has them.
    fn with_clips(
        &self,
        edit: Edit,
        clip_of: impl Fn(usize) -> Option<usize>,
        own_names: &[&str],
    ) -> Option<Edit> {
        let nodes = self.again.nodes;
        let node_of = |node: NodeId| nodes.second_of(node);
        Some(match edit {
            Edit::Pose(it) => Edit::Pose(it.carried_to(self.again)),
            Edit::ParkedPose(it) => {
                let new_names = clip_match::own_names(self.models.1, self.own_clips.new);
                let returned = |name: &str| self.clips.returned(name, &new_names);
                let name_of = |clip: usize| {
                    let name = own_names.get(clip).filter(|name| !name.is_empty());
                    name.map(|name| (*name).to_owned())
                };
                Edit::ParkedPose(it.carried_to(self.again, clip_of, name_of, returned)?)
            }
            Edit::Weights(it) => Edit::Weights(it.carried_to(|place| self.weights.of(place))),
            Edit::Hiding(it) => Edit::Hiding(it.carried_to(node_of)),
            Edit::Mix(it, range) => Edit::Mix(it.carried_to(clip_of, node_of), range),
            Edit::Lead(lead, it) => {
                // What led is gone: so is what this step leads back to.
                let lead = lead.map(|lead| clip_of(lead).ok_or(())).transpose();
                Edit::Lead(lead.ok()?, it.carried_to(clip_of, node_of))
            }
            Edit::Moment(it) => Edit::Moment(it.carried_to(clip_of, node_of)?),
            Edit::Range(None, range) => Edit::Range(None, range),
            Edit::Range(Some(of), range) => Edit::Range(Some(clip_of(of)?), range),
        })
    }
}
