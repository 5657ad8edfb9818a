//! What a user can ask of the window itself: files, dialogs of the system, its size, what draws it.

use std::path::PathBuf;

use crate::ui::LoadKind;

/// A wish that only the window can fulfil.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WindowCommand {
    /// Ask for files to read for this, by the system's dialog.
    OpenDialog(LoadKind),
    /// Open the file whose path is on the clipboard.
    PastePath,
    /// Open files.
    Open(Vec<PathBuf>),
    /// Open one of the built-in models, by its name.
    OpenBuiltIn(&'static str),
    /// Read the file that is shown again, whatever it has become.
    Reload,
    /// Open the next model of the folder (or the one before, if negative), going round at its ends.
    StepFile(i32),
    /// Stop what is read for this, or all that is read; the model that is shown stays.
    CancelLoading(Option<LoadKind>),
    /// Make everything larger (positive) or smaller by this many steps of 10 %; 0 returns to 100 %.
    ScaleUi(i32),
    /// Put the command line on the clipboard that draws what is shown.
    CopyRenderCommand,
    /// Draw with the graphics adapter again, which failed.
    UseAdapter,
    /// Leave the program.
    Quit,
}
