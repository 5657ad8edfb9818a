//! Poses by hand: what is asked for, how it is taken back, and what panels read of it.

mod commands;
mod drag;
mod parked;
mod sides;
mod taken;

use glam::{Mat4, Vec3};

use self::drag::{Drag, Nudges};
use self::parked::LostOffsets;
pub(super) use self::parked::{HandPose, NodesAgain, ParkedPose, ShownMoment};
use super::{Session, history::Edit, messages::Topic, motion::MixMoment};
use crate::{
    anim::posing::{Offsets, PosingSpace, mirror::Sides, reach::Limb},
    model::NodeId,
    ui::{Action, GizmoView, Message, Offer, PoseTool, PosingView, written},
};

/// What is changed by hand, and was.
#[derive(Debug, Default)]
pub(super) struct Posing {
    tool: PoseTool,
    /// The handle that keys act on, once one has.
    handle: Option<usize>,
    space: PosingSpace,
    stays: bool,
    drag: Option<Drag>,
    /// Those that the last step to undo takes back, as long as nothing else was asked for.
    nudges: Option<Nudges>,
    /// What was shown when the changes were made.
    pub(super) posed_at: Option<PosedAt>,
    /// What played beside it, as long as that was shown.
    posed_mix: MixMoment,
    /// What was changed of nodes that are gone.
    lost: LostOffsets,
    /// Whether the user was told before that a pose goes with its moment.
    is_drop_said: bool,
    /// Which side is which, found when that is first asked of this model.
    sides: std::sync::OnceLock<Sides>,
}

/// What was shown when a change was made by hand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PosedAt {
    clip: Option<usize>,
    time_secs: f64,
}

impl PosedAt {
    /// This moment of another model; none if the clip is gone.
    pub(super) fn carried_to(self, clip_of: impl Fn(usize) -> Option<usize>) -> Option<Self> {
        let clip = match self.clip {
            Some(clip) => Some(clip_of(clip)?),
            None => None,
        };
        Some(Self { clip, ..self })
    }

    /// When that is, as a moment of no clip.
    pub(super) fn without_clip(self) -> Self {
        Self { clip: None, ..self }
    }
}

impl Posing {
    /// Whether changes are made at all times of the clip, rather than at one.
    pub(super) fn stays(&self) -> bool {
        self.stays
    }

    /// What is nudged next is a step of its own.
    pub(super) fn end_nudges(&mut self) {
        self.nudges = None;
    }

    /// Lets go of what belongs to a model.
    pub(super) fn forget_model(&mut self) {
        *self = Self {
            tool: self.tool,
            handle: self.handle,
            space: self.space,
            stays: self.stays,
            is_drop_said: self.is_drop_said,
            ..Self::default()
        };
    }
}

impl Session {
    /// Whether drags act on joints.
    pub(super) fn has_pose_tool(&self) -> bool {
        self.posing.tool != PoseTool::Off
    }

    /// A change is of one moment, unless it stays: time stops, and nothing fades under the hand.
    fn stand_still(&mut self) {
        if !self.posing.stays {
            self.clock.pause();
            self.transition.cut();
            self.mix.settle();
            self.pose_changed();
        }
    }

    /// Changes what is added, as a step that can be taken back.
    fn set_offsets(&mut self, offsets: Offsets, words: String) {
        let lost = self.posing.lost.clone();
        self.set_pose(HandPose { offsets, lost }, words);
    }

    /// [`Session::set_offsets`], with what is added to nodes that are gone. It is seen: no other pose is held in its place any
    /// more.
    fn set_pose(&mut self, pose: HandPose, words: String) {
        if pose != self.hand_pose() {
            self.release_pose();
            let before = self.change_pose(pose);
            self.remember(Edit::Pose(before), words);
        }
    }

    /// Goes to the pose before a step or after it, which is seen; returns what was.
    pub(super) fn swap_pose(&mut self, pose: HandPose) -> HandPose {
        self.stand_still();
        self.release_pose();
        self.change_pose(pose)
    }

    /// Changes what is posed by hand; returns what was.
    fn change_pose(&mut self, pose: HandPose) -> HandPose {
        HandPose {
            lost: std::mem::replace(&mut self.posing.lost, pose.lost),
            offsets: self.change_offsets(pose.offsets),
        }
    }

    /// Changes what is added; returns what was.
    fn change_offsets(&mut self, offsets: Offsets) -> Offsets {
        self.pose_changed();
        if !offsets.is_empty() {
            // Whatever is said to be gone, there is a pose again.
            self.messages.take_back(Topic::DroppedPose);
        }
        self.posing.posed_at = Some(self.posed_now());
        self.note_posed_mix();
        self.actor.replace_offsets(offsets)
    }

    /// Poses a model again that was read anew, or at another moment.
    pub(super) fn restore_pose(&mut self, pose: HandPose) {
        if pose != HandPose::default() {
            self.change_pose(pose);
        }
    }

    /// Takes note of what plays beside the pose, as long as its moment is shown.
    pub(super) fn note_posed_mix(&mut self) {
        if self.posing.posed_at == Some(self.posed_now()) {
            self.posing.posed_mix = self.mix_moment();
        }
    }

    /// The moment that is shown.
    pub(super) fn posed_now(&self) -> PosedAt {
        PosedAt {
            clip: self.clip,
            time_secs: self.clock.time_secs(),
        }
    }

    /// Drops what belongs to another moment, unless it shall stay. Before the pose is taken.
    pub(super) fn follow_posing(&mut self) {
        let now = self.posed_now();
        let left = self.posing.posed_at.filter(|then| *then != now);
        if let Some(then) = left
            && !self.posing.stays
            && !(self.actor.offsets().is_empty() && self.posing.lost.is_empty())
        {
            self.end_drag();
            let was_seen = !self.actor.offsets().is_empty();
            let left = self.leave_pose(then);
            self.remember_parked(Edit::ParkedPose(left));
            if was_seen {
                self.say_dropped();
            }
        }
    }

    /// Takes note of a pose that goes with its moment.
    fn remember_parked(&mut self, left: Edit) {
        self.remember(left, "leave the pose".to_owned());
    }

    /// Says where a pose has gone: what is told of something wrong, or offers something, is worth more. Who knows it already
    /// need not put it away.
    pub(super) fn say_dropped(&mut self) {
        let is_known = std::mem::replace(&mut self.posing.is_drop_said, true);
        let undo = written(Action::Undo, 0);
        let message = Message::info(
            "The pose made by hand is gone, since another moment is shown",
            format!(
                "\"{}\" shows it again, whatever was changed since; Undo ({undo}) leads there step by step. \"Stays while time goes on\" in the menu Pose keeps the next one.",
                Offer::UndoPose.label()
            ),
        );
        self.tell_dropped(if is_known { message.passing() } else { message });
    }

    /// Tells of a pose that is gone, and offers it back.
    pub(super) fn tell_dropped(&mut self, message: Message) {
        let message = message.offering(Some(Offer::UndoPose));
        self.messages.take_back(Topic::DroppedPose);
        self.messages.take_info();
        self.messages.tell_if_quiet(Topic::DroppedPose, || message);
    }

    /// Whether what is shown can be posed by hand: clips, and neither a crowd nor a pose that is held.
    fn is_posable(&self) -> bool {
        self.actor.crowd().is_none() && self.held_pose().is_none()
    }

    /// What tools act on. A skinned mesh stands where its joints are, wherever its node is (glTF 2.0 §3.7.3.3).
    fn posed_node(&self) -> Option<NodeId> {
        let hierarchy = &self.actor.model().hierarchy;
        let is_skinned = |node: NodeId| hierarchy.node(node).skin.is_some();
        let node = self.selected.filter(|&node| !is_skinned(node));
        node.filter(|_| self.is_posable())
    }

    /// What the panels read of it.
    pub(super) fn posing_view(&self) -> PosingView {
        let posing = &self.posing;
        let has_tool = posing.tool != PoseTool::Off;
        let posed = self.posed_node();
        let node = posed.filter(|_| has_tool);
        let gizmo = node.map(|node| {
            let pose = self.actor.pose();
            let origin = Vec3::from(pose.world[node.index()].translation);
            let scale = Vec3::splat(self.gizmo_radius(node));
            let frame = self.gizmo_frame(pose, node);
            let world_from_gizmo = Mat4::from_scale_rotation_translation(scale, frame, origin);
            let clip_from_gizmo = self.camera_view().clip_from(world_from_gizmo);
            GizmoView {
                clip_from_gizmo: clip_from_gizmo.to_cols_array_2d(),
            }
        });
        let pole = node.filter(|_| posing.tool == PoseTool::Reach);
        let pole = pole.and_then(|node| {
            let (hierarchy, pose) = (&self.actor.model().hierarchy, self.actor.pose());
            let limb = Limb::ending_at(node, hierarchy, pose)?;
            let middle = Vec3::from(pose.world[limb.middle.index()].translation);
            // A straight limb has no side to swivel to.
            limb.swivel_to(pose, middle)?;
            self.seen_at(middle)
        });
        PosingView {
            pole,
            handle: posing.handle,
            tool: posing.tool,
            space: posing.space,
            stays: posing.stays,
            changed: self.actor.offsets().nodes().count(),
            why_no_mirror: self.why_no_mirror(),
            takes_numbers: posed.is_some(),
            lacks_joint: has_tool && self.is_posable() && node.is_none(),
            gizmo,
        }
    }
}

#[cfg(test)]
mod tests;
