//! Steps that can be taken back and made again: what can be asked, what is shown of them, and their keys.

use egui::Ui;

use super::keys::Action;
use super::{Command, View};

/// A wish about what was changed: poses by hand, morph weights, hidden nodes, clips together, the part that loops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HistoryCommand {
    /// Take the last change back.
    Undo,
    /// Make the change that was taken back.
    Redo,
    /// What is dragged or held was let go: what changes from now on is a step of its own.
    EndStep,
}

/// What can be taken back, and made again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct HistoryView<'a> {
    /// What the last change was; none if there is nothing to take back.
    pub undo: Option<&'a str>,
    /// What was taken back last.
    pub redo: Option<&'a str>,
    /// Whether the next change may belong to the last one, as while a slider is dragged.
    pub goes_on: bool,
}

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
