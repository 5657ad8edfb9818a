//! What keys ask of the steps that were made.

use crate::ui::{Command, HistoryCommand, View, keys::Action};

/// What a key asks for.
pub fn by_key(action: Action, view: &View<'_>) -> Option<Command> {
    let (command, step) = match action {
        Action::Undo => (HistoryCommand::Undo, view.history.undo),
        Action::Redo => (HistoryCommand::Redo, view.history.redo),
        _ => return None,
    };
    step.map(|_| Command::History(command))
}
