//! What is written on a thread of its own, and what comes of it.

use std::path::{Path, PathBuf};

use super::{animation::AnimationSnapshot, pose::PoseSnapshot};
use crate::{
    app::{
        Session,
        threads::{no_thread, spawn},
        window::{UserEvent, Viewer},
    },
    import,
    ui::{Message, PoseKind},
};

/// A pose or an animation that was written, or why not.
#[derive(Debug)]
pub(in crate::app) struct SavedAside {
    path: PathBuf,
    what: String,
    /// What is not in the file, in words.
    result: anyhow::Result<Vec<String>>,
}

impl Session {
    /// Says what has come of saving a file, what is in it, and what is not.
    fn tell_saved_aside(
        &mut self,
        path: &Path,
        mut what: String,
        result: anyhow::Result<Vec<String>>,
    ) {
        let result = result.map(|left_out| {
            for words in left_out {
                what.push_str("\nBut ");
                what.push_str(&words);
            }
        });
        self.tell_saved(path, &what, result);
    }
}

impl Viewer {
    /// Writes a pose or an animation aside from the frames, of which `what` is said; what comes of it is a
    /// [`UserEvent::SavedAside`].
    fn write_aside(
        &mut self,
        path: PathBuf,
        what: String,
        write: impl FnOnce(&Path) -> anyhow::Result<Vec<String>> + Send + 'static,
    ) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let name = name.into_owned();
        self.session.saving.job = Some((name.clone(), 0, 0));
        let proxy = self.proxy.clone();
        let write = move || {
            let result = import::catch_panic(|| write(&path));
            let saved = SavedAside { path, what, result };
            let _ = proxy.send_event(UserEvent::SavedAside(Box::new(saved)));
        };
        match spawn("saving", write) {
            Ok(thread) => self.outgoing.thread = Some(thread),
            Err(error) => {
                self.session.end_job();
                let title = format!("{name} cannot be saved");
                let message = Message::error(title, no_thread(&error)).in_sentences();
                self.session.tell(message);
            }
        }
        self.request_redraw();
    }

    /// Writes a pose.
    pub(super) fn write_pose(&mut self, pose: PoseSnapshot, kind: PoseKind, path: PathBuf) {
        let what = pose.words(kind);
        self.write_aside(path, what, move |path| pose.write(kind, path));
    }

    /// Writes an animation.
    pub(super) fn write_animation(&mut self, animation: AnimationSnapshot, path: PathBuf) {
        let what = animation.words();
        self.write_aside(path, what, move |path| animation.write(path));
    }

    /// Says what has come of it.
    pub(in crate::app) fn on_saved_aside(&mut self, saved: SavedAside) {
        let SavedAside { path, what, result } = saved;
        self.outgoing.thread = None;
        self.session.tell_saved_aside(&path, what, result);
        self.request_redraw();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn what_is_left_out_is_told_with_what_was_saved() {
        let mut session = Session::new(Default::default(), None, Duration::ZERO);
        let left_out = vec!["the weights of \"face\" are left out".to_owned()];
        session.tell_saved_aside(Path::new("talk.glb"), "Talk".to_owned(), Ok(left_out));
        let message = session.message().unwrap();
        assert_eq!(message.title, "talk.glb is saved");
        assert!(message.detail.contains("Talk\nBut the weights of"));
    }
}
