//! Poses by hand that are not shown: one that went with its moment, and what was posed of nodes that the file lacks as it was
//! saved last.

use std::{
    cell::{OnceCell, RefCell},
    rc::Rc,
    sync::Arc,
};

use super::{PosedAt, Session};
use crate::{
    anim::{difference::NodeMatch, posing::Offsets},
    app::{history::Edit, motion::MixMoment},
    model::{Hierarchy, NodeId},
};

/// All that is posed by hand.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::app) struct HandPose {
    pub(in crate::app) offsets: Offsets,
    pub(in crate::app) lost: LostOffsets,
}

/// A moment of a clip, and what plays beside that then.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::app) struct ShownMoment {
    at: PosedAt,
    mix: MixMoment,
}

/// A pose by hand that went with its moment, and that moment.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::app) struct ParkedPose {
    pose: HandPose,
    moment: ShownMoment,
    /// What the clip of the moment is called, if the file lacks it as it was saved last: as long as it does, that is a moment
    /// of no clip, and the pose is for what is shown.
    awaited_clip: Option<String>,
}

/// What was posed of nodes that are gone, for when they are there again.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::app) struct LostOffsets {
    parts: Vec<LostPart>,
}

/// What was lost with one save of the file.
#[derive(Debug, Clone)]
struct LostPart {
    offsets: Offsets,
    /// Of the model that still had the nodes.
    hierarchy: Arc<Hierarchy>,
}

impl PartialEq for LostPart {
    fn eq(&self, other: &Self) -> bool {
        self.offsets == other.offsets && Arc::ptr_eq(&self.hierarchy, &other.hierarchy)
    }
}

/// The nodes of a model that goes, and which they are in the one that comes.
pub(in crate::app) struct NodesAgain<'a> {
    pub(in crate::app) old: &'a Hierarchy,
    pub(in crate::app) new: &'a Hierarchy,
    pub(in crate::app) nodes: &'a NodeMatch,
    /// A copy of the old ones, once something is lost.
    kept: OnceCell<Arc<Hierarchy>>,
    /// Which nodes of models before are there: many steps have lost theirs with one save.
    of_before: RefCell<Vec<(Arc<Hierarchy>, Rc<NodeMatch>)>>,
}

impl<'a> NodesAgain<'a> {
    pub(in crate::app) fn new(
        old: &'a Hierarchy,
        new: &'a Hierarchy,
        nodes: &'a NodeMatch,
    ) -> Self {
        Self {
            old,
            new,
            nodes,
            kept: OnceCell::new(),
            of_before: RefCell::default(),
        }
    }

    /// The nodes of a model before the one that goes, in the one that comes.
    fn of_before(&self, before: &Arc<Hierarchy>) -> Rc<NodeMatch> {
        let mut all = self.of_before.borrow_mut();
        if let Some((_, known)) = all.iter().find(|(known, _)| Arc::ptr_eq(known, before)) {
            return Rc::clone(known);
        }
        let found = Rc::new(NodeMatch::new(before, self.new));
        all.push((Arc::clone(before), Rc::clone(&found)));
        found
    }

    fn kept(&self) -> Arc<Hierarchy> {
        let kept = self.kept.get_or_init(|| Arc::new(self.old.clone()));
        Arc::clone(kept)
    }
}

impl HandPose {
    /// This pose of the model that comes, with what was lost before of nodes that it has again.
    pub(in crate::app) fn carried_to(self, again: &NodesAgain<'_>) -> Self {
        let node_of = |node| again.nodes.second_of(node);
        let mut carried = Self {
            offsets: self.offsets.carried_to(node_of),
            ..Self::default()
        };
        for part in self.lost.parts {
            let there = again.of_before(&part.hierarchy);
            // One that was there all the time is another one.
            let is_new = |node: &NodeId| again.nodes.first_of(*node).is_none();
            let node_of = |node| there.second_of(node).filter(is_new);
            carried
                .offsets
                .add_missing(&part.offsets.carried_to(node_of));
            carried.lost.keep(&part.offsets, node_of, || part.hierarchy);
        }
        carried.lost.keep(&self.offsets, node_of, || again.kept());
        carried
    }
}

impl LostOffsets {
    /// Whether nothing is lost.
    pub(in crate::app) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Keeps what is posed of nodes for which there is no such node.
    fn keep(
        &mut self,
        offsets: &Offsets,
        node_of: impl Fn(NodeId) -> Option<NodeId>,
        hierarchy: impl FnOnce() -> Arc<Hierarchy>,
    ) {
        let lost = offsets.carried_to(|node| node_of(node).is_none().then_some(node));
        if !lost.is_empty() {
            self.parts.push(LostPart {
                offsets: lost,
                hierarchy: hierarchy(),
            });
        }
    }
}

impl ShownMoment {
    /// This moment of the model that comes; none if its clip is gone.
    pub(in crate::app) fn carried_to(
        self,
        clip_of: impl Fn(usize) -> Option<usize>,
        node_of: impl Fn(NodeId) -> Option<NodeId>,
    ) -> Option<Self> {
        Some(Self {
            at: self.at.carried_to(&clip_of)?,
            mix: self.mix.carried_to(clip_of, node_of),
        })
    }

    /// Whether `is_it` holds for any clip of it.
    pub(in crate::app) fn has_clip(&self, is_it: impl Fn(usize) -> bool) -> bool {
        self.at.clip.is_some_and(&is_it) || self.mix.choice.has_any(is_it)
    }
}

impl ParkedPose {
    /// This pose of the model that comes. If its clip is gone, that is awaited by its name, which `name_of` says; none if it
    /// has none. `returned` is the clip of a name that is there again.
    pub(in crate::app) fn carried_to(
        self,
        again: &NodesAgain<'_>,
        clip_of: impl Fn(usize) -> Option<usize>,
        name_of: impl Fn(usize) -> Option<String>,
        returned: impl Fn(&str) -> Option<usize>,
    ) -> Option<Self> {
        let node_of = |node| again.nodes.second_of(node);
        let Self {
            pose,
            mut moment,
            mut awaited_clip,
        } = self;
        if let Some(clip) = moment.at.clip.filter(|clip| clip_of(*clip).is_none()) {
            awaited_clip = Some(name_of(clip)?);
            moment.at = moment.at.without_clip();
        }
        let mut moment = moment.carried_to(clip_of, node_of)?;
        let clip = awaited_clip.as_deref().and_then(returned);
        moment.at.clip = moment.at.clip.or(clip);
        Some(Self {
            pose: pose.carried_to(again),
            moment,
            awaited_clip: awaited_clip.filter(|_| clip.is_none()),
        })
    }

    /// Whether it is a pose of a moment of this clip.
    pub(in crate::app) fn is_on(&self, clip: usize) -> bool {
        self.moment.at.clip == Some(clip) && !self.pose.offsets.is_empty()
    }

    /// Whether some of it is of nodes that are gone.
    pub(in crate::app) fn has_lost(&self) -> bool {
        !self.pose.lost.is_empty()
    }

    /// Whether `is_it` holds for any clip of its moment.
    pub(in crate::app) fn has_clip(&self, is_it: impl Fn(usize) -> bool) -> bool {
        self.moment.has_clip(is_it)
    }
}

impl Session {
    /// What is posed by hand now.
    pub(in crate::app) fn hand_pose(&self) -> HandPose {
        HandPose {
            offsets: self.actor.offsets().clone(),
            lost: self.posing.lost.clone(),
        }
    }

    /// Whether a step to this pose leads to what is seen already.
    pub(in crate::app) fn is_parked_pose_seen(&self, left: &ParkedPose) -> bool {
        let offsets = &left.pose.offsets;
        *offsets == *self.actor.offsets()
            && (offsets.is_empty()
                || left.awaited_clip.is_some()
                || left.moment.at == self.posed_now())
    }

    /// [`Session::swap_pose`] for a pose that was left, at its own moment, as long as there is that: at another one it would
    /// be another pose.
    pub(in crate::app) fn swap_parked_pose(&mut self, left: ParkedPose) -> ParkedPose {
        let moment = self.shown_moment();
        self.stand_still();
        if left.awaited_clip.is_none() {
            self.return_to(&left.moment);
        }
        ParkedPose {
            pose: self.swap_pose(left.pose),
            moment,
            awaited_clip: None,
        }
    }

    /// What is shown now, and what plays beside it.
    pub(in crate::app) fn shown_moment(&self) -> ShownMoment {
        ShownMoment {
            at: self.posed_now(),
            mix: self.mix_moment(),
        }
    }

    /// Whether this clip is in force, with this beside it, whatever the time is.
    pub(in crate::app) fn plays_at(&self, moment: &ShownMoment) -> bool {
        self.clip == moment.at.clip && self.mix.is_choice(&moment.mix.choice)
    }

    /// Shows this moment; a pose by hand is still that of another one.
    pub(in crate::app) fn return_to(&mut self, moment: &ShownMoment) {
        if self.clip != moment.at.clip {
            self.select_clip(moment.at.clip);
        }
        self.go_to_mix(&moment.mix, moment.at.time_secs);
    }

    /// Does not pose a model again that was read anew: the moment of the pose, `at`, is another one now, or is gone. It can be
    /// brought back there, or else to what is shown. Of a clip that may come back, of the name `awaited_clip`, `at` is when in
    /// it that was, of no clip.
    pub(in crate::app) fn leave_carried(
        &mut self,
        pose: HandPose,
        at: Option<PosedAt>,
        awaited_clip: Option<String>,
    ) {
        let mix = self.mix_moment();
        let edit = match at {
            Some(at) => Edit::ParkedPose(ParkedPose {
                pose,
                moment: ShownMoment { at, mix },
                awaited_clip,
            }),
            None => Edit::Pose(pose),
        };
        self.remember_parked(edit);
    }

    /// Puts the pose by hand away that was made at another moment.
    pub(super) fn leave_pose(&mut self, at: PosedAt) -> ParkedPose {
        let mix = std::mem::take(&mut self.posing.posed_mix);
        ParkedPose {
            pose: self.change_pose(HandPose::default()),
            moment: ShownMoment { at, mix },
            awaited_clip: None,
        }
    }
}
