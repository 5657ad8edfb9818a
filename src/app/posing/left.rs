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
    app::motion::MixMoment,
    model::{Hierarchy, NodeId},
};

/// A pose by hand that went with its moment, and that moment.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::app) struct LeftPose {
    pub(in crate::app) offsets: Offsets,
    pub(in crate::app) lost: LostOffsets,
    at: PosedAt,
    pub(in crate::app) mix: MixMoment,
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

/// What is posed by hand of the model that comes.
#[derive(Debug, Default)]
pub(in crate::app) struct CarriedPose {
    pub(in crate::app) offsets: Offsets,
    /// What of them is there again.
    pub(in crate::app) returned: Offsets,
    pub(in crate::app) lost: LostOffsets,
}

impl LostOffsets {
    /// Whether nothing is lost.
    pub(in crate::app) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// `offsets` for the model that comes, with what was lost before of nodes that it has again.
    pub(in crate::app) fn carried_to(
        self,
        offsets: &Offsets,
        again: &NodesAgain<'_>,
    ) -> CarriedPose {
        let mut carried = CarriedPose {
            offsets: offsets.carried_to(|node| again.nodes.second_of(node)),
            ..CarriedPose::default()
        };
        for part in self.parts {
            let there = again.of_before(&part.hierarchy);
            // One that was there all the time is another one.
            let is_new = |node: &NodeId| again.nodes.first_of(*node).is_none();
            let node_of = |node| there.second_of(node).filter(is_new);
            let returned = part.offsets.carried_to(node_of);
            carried.offsets.add_missing(&returned);
            carried.returned.add_missing(&returned);
            carried.lost.keep(&part.offsets, node_of, || part.hierarchy);
        }
        let node_of = |node| again.nodes.second_of(node);
        carried.lost.keep(offsets, node_of, || again.kept());
        carried
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

impl LeftPose {
    /// This pose of the model that comes; none if its clip is gone: without that there is no such moment.
    pub(in crate::app) fn carried_to(
        self,
        again: &NodesAgain<'_>,
        clip_of: impl Fn(usize) -> Option<usize>,
        mixed_clip_of: impl Fn(usize) -> Option<usize>,
    ) -> Option<Self> {
        let carried = self.lost.carried_to(&self.offsets, again);
        let node_of = |node| again.nodes.second_of(node);
        Some(Self {
            offsets: carried.offsets,
            lost: carried.lost,
            at: self.at.carried_to(clip_of)?,
            mix: self.mix.carried_to(mixed_clip_of, node_of),
        })
    }
}

impl Session {
    /// [`Session::swap_offsets`] for a pose that was left, at its own moment: at another one it would be another pose.
    pub(in crate::app) fn swap_left_pose(&mut self, left: LeftPose) -> LeftPose {
        let (at, mix) = (self.posed_now(), self.mix_moment());
        self.stand_still();
        if self.clip != left.at.clip {
            self.select_clip(left.at.clip);
        }
        self.go_to_mix(&left.mix, left.at.time_secs);
        let lost = std::mem::replace(&mut self.posing.lost, left.lost);
        LeftPose {
            offsets: self.swap_offsets(left.offsets),
            lost,
            at,
            mix,
        }
    }

    /// Puts the pose by hand away that was made at another moment.
    pub(super) fn leave_pose(&mut self, at: PosedAt) -> LeftPose {
        let mix = std::mem::take(&mut self.posing.posed_mix);
        LeftPose {
            lost: std::mem::take(&mut self.posing.lost),
            offsets: self.change_offsets(Offsets::default()),
            at,
            mix,
        }
    }
}
