//! What keys ask of the window itself.

use crate::ui::{LoadKind, WindowCommand, keys::Action};

/// The command of a key.
pub fn by_key(action: Action, which: usize) -> Option<WindowCommand> {
    let sign = if which == 0 { -1 } else { 1 };
    Some(match action {
        Action::Open => WindowCommand::OpenDialog(LoadKind::Model),
        Action::CompareFile => WindowCommand::OpenDialog(LoadKind::Compared),
        Action::AddClips => WindowCommand::OpenDialog(LoadKind::Clips),
        Action::OpenEnvironment => WindowCommand::OpenDialog(LoadKind::Environment),
        Action::Paste => WindowCommand::PastePath,
        Action::Reload => WindowCommand::Reload,
        Action::FileStep => WindowCommand::StepFile(sign),
        Action::Scale => WindowCommand::ScaleUi(sign),
        Action::ScaleReset => WindowCommand::ScaleUi(0),
        Action::Quit => WindowCommand::Quit,
        _ => return None,
    })
}
