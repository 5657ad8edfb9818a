//! What keys ask of the steps that were made, and where a step ends.

use egui::Ui;

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

/// Says when what changes is no longer one step: a button of the pointer was let go, or a key outside of a text.
pub fn end_step(ui: &Ui, view: &View<'_>, commands: &mut Vec<Command>) {
    let is_typing = ui.ctx().text_edit_focused();
    let is_released = ui.input(|input| {
        let is_key = |event: &egui::Event| matches!(event, egui::Event::Key { pressed: false, .. });
        input.pointer.any_released() || !is_typing && input.events.iter().any(is_key)
    });
    if is_released && view.history.goes_on {
        commands.push(Command::History(HistoryCommand::EndStep));
    }
}
