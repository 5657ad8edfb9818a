//! What each command about panels, the inspector and dialogs does to the session.

use super::front::Dialog;
use crate::{
    app::{Errand, Session},
    ui::{Command, InspectCommand, Panel, PoseTool, PosingCommand, WindowCommand},
};

impl Session {
    pub(in crate::app) fn toggle_panel(&mut self, panel: Panel) {
        let shown = match panel {
            Panel::Scene => &mut self.shown.scene_panel,
            Panel::Inspector => &mut self.shown.inspector_panel,
            Panel::Keys => &mut self.shown.keys,
        };
        *shown = !*shown;
    }

    /// Does what is asked of the inspector. Where its list of findings is, the interface knows.
    pub(in crate::app) fn apply_inspect(&mut self, command: InspectCommand) {
        match command {
            InspectCommand::Material(material) => {
                self.inspected.material = Some(material);
                self.inspected.texture = None;
            }
            InspectCommand::Texture(texture) => self.inspected.texture = Some(texture),
            InspectCommand::Enlarge(is_large) => self.inspected.is_large = is_large,
            InspectCommand::SwitchSpace => self.shown.world_figures = !self.shown.world_figures,
            InspectCommand::ShowFindings => {}
        }
    }

    /// Closes what is in front: a dialog, or else the tool of poses, or else the message, or else ends what is being saved, or
    /// else all that is being read.
    pub(in crate::app) fn close_front(&mut self) -> Option<Errand> {
        self.note_dialogs();
        match self.front.open.pop() {
            Some(Dialog::Picture) => self.inspected.is_large = false,
            Some(Dialog::Picker) => self.files.picker = None,
            Some(Dialog::Keys) => self.shown.keys = false,
            Some(Dialog::Saving) => {
                let was_asked = self.saving.clash.is_some();
                self.close_saving();
                // The window lets go of what waited for the answer.
                return was_asked.then_some(Errand::KeepSaved);
            }
            // Who poses looks for the way out of that first.
            None if self.has_pose_tool() => {
                self.apply_posing(PosingCommand::SetTool(PoseTool::Off));
            }
            None if self.messages.dismiss() => {}
            // From the curves of a node back to all that moves.
            None if self.timeline.sheet.is_some() && self.selected.is_some() => {
                self.apply(Command::SelectNode(None));
            }
            None if self.can_stop_saving() => return Some(Errand::StopSaving),
            None => return Some(Errand::Window(WindowCommand::CancelLoading(None))),
        }
        None
    }
}
