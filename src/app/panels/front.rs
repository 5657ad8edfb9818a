//! Dialogs that lie over everything: the one that was opened last is in front, and the first to go.

use crate::app::Session;

/// What can lie over everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialog {
    Picture,
    Picker,
    Saving,
    Keys,
}

/// The dialogs that are open, in the order in which they were opened.
#[derive(Debug, Default)]
pub(in crate::app) struct Front {
    pub(super) open: Vec<Dialog>,
}

impl Session {
    /// Takes note of what was opened and closed since it last did.
    pub(in crate::app) fn note_dialogs(&mut self) {
        let saving = &self.saving;
        let now = [
            (Dialog::Picture, self.inspected.is_large),
            (Dialog::Picker, self.files.picker.is_some()),
            (Dialog::Saving, saving.is_open || saving.clash.is_some()),
            (Dialog::Keys, self.shown.keys),
        ];
        for (dialog, is_open) in now {
            let open = &mut self.front.open;
            if !is_open {
                open.retain(|known| *known != dialog);
            } else if !open.contains(&dialog) {
                open.push(dialog);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{
        app::{Errand, built_in},
        ui::{
            Command, FilesCommand, InspectCommand, Panel, Picker, PoseTool, PosingCommand,
            SavingCommand, WindowCommand,
        },
    };

    #[test]
    fn the_pose_tool_is_left_before_a_message_and_after_a_dialog() {
        let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
        session.apply(Command::Posing(PosingCommand::SetTool(PoseTool::Turn)));
        session.apply(Command::TogglePanel(Panel::Keys));
        session.tell(crate::ui::Message::info("said", ""));
        assert_eq!(session.apply(Command::CloseFront), None);
        assert!(!session.shown.keys && session.posing_view().tool == PoseTool::Turn);
        assert_eq!(session.apply(Command::CloseFront), None);
        assert_eq!(session.posing_view().tool, PoseTool::Off);
        assert!(session.message().is_some());
        assert_eq!(session.apply(Command::CloseFront), None);
        assert!(session.message().is_none());
    }

    #[test]
    fn the_sheet_of_a_node_goes_back_to_all_that_moves() {
        let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
        session.apply(Command::SelectNode(Some(1)));
        assert!(session.apply(Command::CloseFront).is_some(), "no sheet");
        assert!(session.selected.is_some());
        let sheet = crate::ui::TimelineCommand::ShowSheet(Some(crate::ui::SheetKind::Curves));
        session.apply(Command::Timeline(sheet));
        assert_eq!(session.apply(Command::CloseFront), None);
        assert_eq!(session.selected, None);
        assert!(session.apply(Command::CloseFront).is_some());
    }

    fn open(session: &Session) -> [bool; 4] {
        [
            session.inspected.is_large,
            session.files.picker.is_some(),
            session.saving.is_open,
            session.shown.keys,
        ]
    }

    #[test]
    fn what_was_opened_last_is_closed_first() {
        let commands = [
            Command::Inspect(InspectCommand::Enlarge(true)),
            Command::Files(FilesCommand::Pick(Picker::Palette)),
            Command::Saving(SavingCommand::Toggle),
            Command::TogglePanel(Panel::Keys),
        ];
        for order in [[0, 1, 2, 3], [2, 3, 0, 1], [3, 2, 1, 0], [1, 0, 3, 2]] {
            let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
            for place in order {
                session.apply(commands[place].clone());
            }
            assert_eq!(open(&session), [true; 4]);
            for (closed, place) in order.into_iter().rev().enumerate() {
                assert!(open(&session)[place], "{order:?}");
                assert_eq!(session.apply(Command::CloseFront), None);
                assert!(!open(&session)[place], "{order:?}");
                let left = open(&session)
                    .into_iter()
                    .filter(|is_open| *is_open)
                    .count();
                assert_eq!(left, 3 - closed);
            }
            let nothing = session.apply(Command::CloseFront);
            assert_eq!(
                nothing,
                Some(Errand::Window(WindowCommand::CancelLoading(None)))
            );
        }
    }
}
