//! The system's dialogs for choosing files.

use super::{
    Fault,
    window::{UserEvent, Viewer},
};
use crate::import::{ARCHIVE_EXTENSION, MODEL_EXTENSIONS, PANORAMA_EXTENSIONS};

/// What a dialog asks for.
#[derive(Debug, Clone, Copy)]
pub(super) enum Dialog {
    Model,
    Surroundings,
    Clips,
    Compare,
}

impl Viewer {
    /// Asks for files, unless another dialog is open; they come as [`UserEvent::Chosen`].
    pub(super) fn open_dialog(&mut self, asked: Dialog) {
        if std::mem::replace(&mut self.is_dialog_open, true) {
            return;
        }
        let title = match asked {
            Dialog::Model => "Open a model",
            Dialog::Clips => "Add clips from files",
            Dialog::Compare => "Compare with a model",
            Dialog::Surroundings => "Open an environment map",
        };
        let (kind, extensions) = match asked {
            Dialog::Surroundings => ("Environment maps", PANORAMA_EXTENSIONS.to_vec()),
            Dialog::Model | Dialog::Clips | Dialog::Compare => {
                let models = MODEL_EXTENSIONS.into_iter();
                ("glTF models", models.chain([ARCHIVE_EXTENSION]).collect())
            }
        };
        let dialog = rfd::AsyncFileDialog::new()
            .set_title(title)
            .add_filter(kind, &extensions)
            .add_filter("All files", &["*"]);
        let folder = self.session.path.as_deref().and_then(|path| path.parent());
        let dialog = match folder {
            Some(folder) => dialog.set_directory(folder),
            None => dialog,
        };
        // The dialog is made here, as macOS asks, and waited for elsewhere.
        let chosen = dialog.pick_files();
        let proxy = self.proxy.clone();
        let wait = move || {
            let files = pollster::block_on(chosen).unwrap_or_default();
            let files = files.iter().map(|file| file.path().to_owned()).collect();
            let _ = proxy.send_event(UserEvent::Chosen(asked, files));
        };
        let thread = std::thread::Builder::new().name("dialog".to_owned());
        if let Err(error) = thread.spawn(wait) {
            self.is_dialog_open = false;
            self.session.report(Fault {
                title: "No file can be chosen".to_owned(),
                detail: format!("There is no thread to wait for the dialog on: {error}"),
                offer: None,
            });
        }
    }
}
