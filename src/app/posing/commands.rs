//! What each command about posing by hand does to the session.

use super::HandPose;
use crate::{
    anim::posing::Offset,
    app::Session,
    ui::{DragCommand, PoseTool, PosingCommand},
};

impl Session {
    /// Does what a command about poses by hand asks. A crowd is not posed by hand.
    pub(in crate::app) fn apply_posing(&mut self, command: PosingCommand) {
        if !matches!(command, PosingCommand::Drag(_)) {
            self.end_drag();
        }
        let nudges = self.posing.nudges.take();
        match command {
            // The interface says so.
            PosingCommand::SetTool(tool)
                if tool != PoseTool::Off && self.actor.crowd().is_some() => {}
            PosingCommand::SetTool(tool) => {
                self.posing.tool = tool;
                self.posing.handle = None;
                // What is to be posed must be seen, and stand still.
                if tool != PoseTool::Off {
                    self.shown.skeleton |= !self.actor.skeleton().is_empty();
                    // Clips are posed, not the pose that skins are bound in.
                    self.release_pose();
                    self.stand_still();
                }
                self.pose_changed();
            }
            PosingCommand::SetSpace(space) => self.posing.space = space,
            PosingCommand::SetStays(stays) => {
                self.posing.stays = stays;
                // What belongs to another moment goes.
                self.pose_changed();
            }
            PosingCommand::BeginDrag => self.begin_drag(),
            // Every command but those of a drag ends it.
            PosingCommand::EndDrag => {}
            PosingCommand::NextHandle => {
                let next = self.posing.handle.map_or(0, |handle| (handle + 1) % 3);
                self.posing.handle = Some(next);
            }
            PosingCommand::Nudge(steps) => self.nudge(steps, nudges),
            PosingCommand::ResetJoint => {
                if let Some(node) = self.selected {
                    let mut offsets = self.actor.offsets().clone();
                    offsets.set(node, Offset::NONE);
                    self.set_offsets(offsets, format!("reset {}", self.node_words(node)));
                }
            }
            PosingCommand::ResetAll => {
                self.set_pose(HandPose::default(), "reset all joints".to_owned());
            }
            PosingCommand::Mirror => self.mirror_pose(),
            PosingCommand::Drag(command @ DragCommand::Place(..)) if self.posing.drag.is_none() => {
                self.begin_drag();
                self.drag_joint(command);
                self.end_drag();
            }
            PosingCommand::Drag(command) => self.drag_joint(command),
        }
    }
}
