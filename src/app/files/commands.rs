//! What each command about files does to the session.

use crate::{
    app::{Errand, Session},
    ui::FilesCommand,
};

impl Session {
    /// Opens, closes and empties lists.
    pub(in crate::app) fn apply_files(&mut self, command: FilesCommand) -> Option<Errand> {
        match command {
            FilesCommand::Pick(picker) if self.files.picker == Some(picker) => {
                self.files.picker = None;
                None
            }
            FilesCommand::Pick(picker) => {
                self.files.picker = Some(picker);
                Some(Errand::LookForRecent)
            }
            FilesCommand::ForgetRecent => {
                self.files.recent.clear();
                None
            }
        }
    }
}
