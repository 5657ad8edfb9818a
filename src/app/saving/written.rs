//! What is written on a thread of its own, and what comes of it.

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

use anyhow::bail;

use super::{
    animation::{AnimationSnapshot, Step},
    pose::PoseSnapshot,
};
use crate::{
    app::{
        Session,
        interrupt::Interrupted,
        threads::{no_thread, spawn},
        window::{UserEvent, Viewer},
    },
    import,
    ui::{Message, PoseKind, as_sentence},
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
    /// So many steps of what is being saved are done.
    fn count_job(&mut self, done: u32, all: u32) {
        if let Some(job) = &mut self.saving.job {
            (job.1, job.2) = (done, all);
        }
    }

    /// Says what has come of saving a file, what is in it, and what is not; or that the user has stopped it.
    fn tell_saved_aside(
        &mut self,
        path: &Path,
        mut what: String,
        result: anyhow::Result<Vec<String>>,
    ) {
        let is_stopped = |error: &anyhow::Error| error.is::<Interrupted>();
        if result.as_ref().is_err_and(is_stopped) {
            return self.tell_stopped(path, None);
        }
        let result = result.map(|left_out| {
            for words in left_out {
                what.push('\n');
                what.push_str(&as_sentence(&format!("But {words}")));
            }
        });
        self.tell_saved(path, &what, result);
    }
}

/// Whether the window is told of this step: of about a hundred of them.
fn is_worth_telling(done: u32, all: u32) -> bool {
    done.is_multiple_of((all / 100).max(1))
}

impl Viewer {
    /// Writes a pose or an animation aside from the frames, of which `what` is said; what comes of it is a
    /// [`UserEvent::SavedAside`], and its steps are [`UserEvent::SavedSome`].
    fn write_aside(
        &mut self,
        path: PathBuf,
        what: String,
        write: impl FnOnce(&Path, &Step<'_>) -> anyhow::Result<Vec<String>> + Send + 'static,
    ) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let name = name.into_owned();
        self.session.saving.job = Some((name.clone(), 0, 0));
        let proxy = self.proxy.clone();
        let is_stopped = Arc::new(AtomicBool::new(false));
        self.outgoing.stop = Some(Arc::clone(&is_stopped));
        let write = move || {
            let step = |done: u32, all: u32| {
                if is_stopped.load(Relaxed) {
                    bail!(Interrupted);
                }
                if is_worth_telling(done, all) {
                    let _ = proxy.send_event(UserEvent::SavedSome(done, all));
                }
                Ok(())
            };
            let result = import::catch_panic(|| write(&path, &step));
            let saved = SavedAside { path, what, result };
            let _ = proxy.send_event(UserEvent::SavedAside(Box::new(saved)));
        };
        match spawn("saving", write) {
            Ok(thread) => self.outgoing.thread = Some(thread),
            Err(error) => {
                self.outgoing.stop = None;
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
        self.write_aside(path, what, move |path, _| pose.write(kind, path));
    }

    /// Writes an animation.
    pub(super) fn write_animation(&mut self, animation: AnimationSnapshot, path: PathBuf) {
        let what = animation.words();
        self.write_aside(path, what, move |path, step| animation.write(path, step));
    }

    /// Shows how far it has come.
    pub(in crate::app) fn on_saved_some(&mut self, done: u32, all: u32) {
        self.session.count_job(done, all);
        self.request_redraw();
    }

    /// Says what has come of it.
    pub(in crate::app) fn on_saved_aside(&mut self, saved: SavedAside) {
        let SavedAside { path, what, result } = saved;
        (self.outgoing.thread, self.outgoing.stop) = (None, None);
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
        session.tell_saved_aside(Path::new("talk.glb"), "Talk.".to_owned(), Ok(left_out));
        let message = session.message().unwrap();
        assert_eq!(message.title, "talk.glb is saved");
        let told = "Talk.\nBut the weights of \"face\" are left out.\ntalk.glb";
        assert_eq!(message.detail, told);
    }

    #[test]
    fn who_stops_it_is_told_that_nothing_was_written() {
        let mut session = Session::new(Default::default(), None, Duration::ZERO);
        session.saving.job = Some(("talk.glb".to_owned(), 0, 0));
        session.count_job(20, 300);
        assert_eq!(session.saving_view().job, Some(("talk.glb", 20, 300)));
        let stopped = Err(Interrupted.into());
        session.tell_saved_aside(Path::new("talk.glb"), "Talk".to_owned(), stopped);
        assert_eq!(session.saving_view().job, None);
        let message = session.message().unwrap();
        assert_eq!(message.title, "Saving talk.glb was stopped");
        assert_eq!(message.detail, "Nothing was written.");
        session.count_job(21, 300);
        assert_eq!(session.saving_view().job, None);
        let told = (0..1000).filter(|&done| is_worth_telling(done, 1000));
        assert_eq!(told.count(), 100);
        assert!((0..7).all(|done| is_worth_telling(done, 7)));
    }
}
