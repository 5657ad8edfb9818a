//! The system's dialogs for choosing files.

use std::time::{Duration, Instant};

use super::{UserEvent, Viewer};
use crate::{
    app::{
        Session,
        messages::Topic,
        threads::{no_thread, spawn},
    },
    import::{ARCHIVE_EXTENSION, MODEL_EXTENSIONS, PANORAMA_EXTENSIONS},
    ui::{Action, LoadKind, Message, written},
};

impl Session {
    /// Says why no second dialog comes: the first may lie behind the window. What a message offers is worth more.
    fn say_dialog_is_open(&mut self) {
        if self.message().is_some_and(|it| it.offer.is_some()) {
            return;
        }
        let message = Message::info(
            "A file dialog is open already",
            "Choose a file in it, or close it, first.",
        );
        self.messages.tell(Topic::Dialog, message);
    }
}

impl Viewer {
    /// Takes note that a dialog is closed.
    pub(in crate::app) fn end_dialog(&mut self) {
        self.is_dialog_open = false;
        self.session.messages.take_back(Topic::Dialog);
        self.request_redraw();
    }

    /// Whether a dialog may be shown, which is open from now on. If another one is, the user is told.
    pub(in crate::app) fn begins_dialog(&mut self) -> bool {
        let is_first = !std::mem::replace(&mut self.is_dialog_open, true);
        if !is_first {
            self.session.say_dialog_is_open();
            self.request_redraw();
        }
        is_first
    }

    /// Asks for files, unless another dialog is open; they come as [`UserEvent::Chosen`].
    pub(super) fn open_dialog(&mut self, asked: LoadKind) {
        if !self.begins_dialog() {
            return;
        }
        let title = match asked {
            LoadKind::Model => "Open a model",
            LoadKind::Clips => "Add clips from files",
            LoadKind::Compared => "Compare with a model",
            LoadKind::Environment => "Open an environment map",
        };
        let (kind, extensions) = match asked {
            LoadKind::Environment => ("Environment maps", PANORAMA_EXTENSIONS.to_vec()),
            LoadKind::Model | LoadKind::Clips | LoadKind::Compared => {
                let models = MODEL_EXTENSIONS.into_iter();
                ("glTF models", models.chain([ARCHIVE_EXTENSION]).collect())
            }
        };
        let dialog = rfd::AsyncFileDialog::new()
            .set_title(title)
            .add_filter(kind, &extensions)
            .add_filter("All files", &["*"]);
        let folder = self.session.document.path().and_then(|path| path.parent());
        let dialog = match folder {
            Some(folder) => dialog.set_directory(folder),
            None => dialog,
        };
        // The dialog is made here, as macOS asks, and waited for elsewhere.
        let chosen = dialog.pick_files();
        let proxy = self.proxy.clone();
        let wait = move || {
            let (files, was_shown) = answer(chosen);
            let files = files.unwrap_or_default();
            let files = files.iter().map(|file| file.path().to_owned()).collect();
            let _ = proxy.send_event(UserEvent::Chosen(asked, files));
            if !was_shown {
                let _ = proxy.send_event(UserEvent::NoDialog);
            }
        };
        if let Err(error) = spawn("dialog", wait) {
            self.end_dialog();
            let message = Message::error("No file can be chosen", no_thread(&error)).in_sentences();
            self.session.tell(message);
        }
    }

    /// Says what there is instead of dialogs.
    pub(super) fn on_no_dialog(&mut self) {
        let keys = written(Action::Paste, 0);
        let detail = format!(
            "A file opens when it is dropped on the window (with Shift its clips are added, with Ctrl it is compared), by its \
             path on the clipboard and {keys}, or as an argument of rigscope. On Linux, dialogs come from xdg-desktop-portal or zenity."
        );
        let message = Message::error("The system shows no file dialog", detail);
        self.session.tell(message);
        self.request_redraw();
    }
}

/// What was chosen in a dialog, and whether there was one.
pub(in crate::app) fn answer<T>(chosen: impl Future<Output = Option<T>>) -> (Option<T>, bool) {
    /// Nobody answers as quickly: where nothing was chosen by then, the system has none.
    const MIN_ANSWER: Duration = Duration::from_millis(250);
    let asked = Instant::now();
    let chosen = pollster::block_on(chosen);
    let was_shown = chosen.is_some() || asked.elapsed() >= MIN_ANSWER;
    (chosen, was_shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_answers_at_once_with_nothing_was_not_asked() {
        assert_eq!(answer(async { None::<u8> }), (None, false));
        assert_eq!(answer(async { Some(7) }), (Some(7), true));
        let late = async {
            std::thread::sleep(Duration::from_millis(300));
            None::<u8>
        };
        assert_eq!(answer(late), (None, true));
    }
}
