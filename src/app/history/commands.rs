//! What each command about the history does to the session.

use super::take_last;
use crate::{app::Session, ui::HistoryCommand};

impl Session {
    pub(in crate::app) fn apply_history(&mut self, command: HistoryCommand) {
        self.end_history_step();
        match command {
            HistoryCommand::Undo => {
                for _ in 0..self.to_take(&self.history.undo, false) {
                    self.undo_last();
                }
            }
            HistoryCommand::Redo => {
                for _ in 0..self.to_take(&self.history.redo, true) {
                    if let Some(step) = take_last(&mut self.history.redo) {
                        let steps = self.swap_with_way(step, false);
                        self.history.undo.extend(steps);
                    }
                }
            }
            // As every command of these does.
            HistoryCommand::EndStep => {}
        }
    }
}
