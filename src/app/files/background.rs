//! Files that are read on threads of their own, so that the window never waits for one.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use crate::{
    app::window::Viewer,
    import::Progress,
    model::BlockFormats,
    ui::{LoadKind, Loading},
};

/// For how long it is not said that something is read beside the model.
pub(in crate::app) const UNSAID: Duration = Duration::from_millis(250);

/// Something that is being read.
#[derive(Debug)]
pub(in crate::app) struct Running<T> {
    /// What it is.
    pub(in crate::app) about: T,
    progress: Arc<Progress>,
    began: Instant,
}

impl<T> Running<T> {
    /// Something that begins to be read now.
    pub(super) fn new(about: T) -> Self {
        Self {
            about,
            progress: Arc::default(),
            began: Instant::now(),
        }
    }

    /// How far it is, for who reads it.
    pub(super) fn progress(&self) -> Arc<Progress> {
        Arc::clone(&self.progress)
    }

    /// Asks who reads it to stop.
    pub(super) fn cancel(&self) {
        self.progress.cancel();
    }

    /// Whether it was asked to stop.
    pub(super) fn is_cancelled(&self) -> bool {
        self.progress.is_cancelled()
    }

    /// What is said of it, once it has taken so long: what is there in a moment is not worth a word.
    pub(in crate::app) fn shown<'a>(
        &self,
        kind: LoadKind,
        name: &'a str,
        unsaid: Duration,
    ) -> Option<Loading<'a>> {
        let (stage, fraction) = self.progress.stage();
        (self.began.elapsed() >= unsaid).then_some(Loading {
            kind,
            name,
            stage,
            fraction,
        })
    }
}

/// What is read of one kind: only what was asked for last counts. Reads may end in another order than they began.
#[derive(Debug)]
pub(in crate::app) struct Latest<T> {
    begun: u64,
    running: Option<Running<T>>,
    /// Which compressed textures can be shown; unknown before there is a window.
    block_formats: Option<BlockFormats>,
}

/// Tells one read from the others of its kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::app) struct Ticket(u64);

impl<T> Default for Latest<T> {
    fn default() -> Self {
        Self {
            begun: 0,
            running: None,
            block_formats: None,
        }
    }
}

impl<T> Latest<T> {
    /// Begins to read something; what was being read is given up.
    pub(in crate::app) fn begin(&mut self, about: T) -> (Ticket, Arc<Progress>) {
        self.cancel();
        self.begun += 1;
        let running = self.running.insert(Running::new(about));
        if let Some(formats) = self.block_formats {
            running.progress.set_block_formats(formats);
        }
        (Ticket(self.begun), running.progress())
    }

    /// Gives up what is being read.
    pub(in crate::app) fn cancel(&mut self) -> Option<T> {
        let running = self.running.take()?;
        running.cancel();
        Some(running.about)
    }

    /// Takes note that a read has come to its end. None if it does not count any more.
    pub(in crate::app) fn end(&mut self, ticket: Ticket) -> Option<T> {
        let counts = ticket.0 == self.begun;
        Some(self.running.take_if(|_| counts)?.about)
    }

    /// What is being read.
    pub(in crate::app) fn running(&self) -> Option<&Running<T>> {
        self.running.as_ref()
    }

    /// Takes note of which compressed textures can be shown; also for what is being read.
    pub(in crate::app) fn set_block_formats(&mut self, formats: BlockFormats) {
        self.block_formats = Some(formats);
        if let Some(running) = &self.running {
            running.progress.set_block_formats(formats);
        }
    }
}

impl Viewer {
    /// Gives up what is being read for this, or all.
    pub(in crate::app) fn cancel(&mut self, kind: Option<LoadKind>) {
        let gives_up = |it| kind.is_none_or(|kind| kind == it);
        if gives_up(LoadKind::Model) {
            self.documents.file.cancel();
        }
        if gives_up(LoadKind::Compared) {
            self.other.file.cancel();
        }
        if gives_up(LoadKind::Clips) {
            self.clip_reader.cancel();
        }
        if gives_up(LoadKind::Environment) {
            self.environment.cancel();
        }
        self.request_redraw();
    }

    /// Whether anything is being read, be it said or not.
    pub(in crate::app) fn is_reading(&self) -> bool {
        self.documents.file.purpose().is_some()
            || self.other.file.purpose().is_some()
            || self.clip_reader.is_reading()
            || self.environment.running().is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_asked_for_last_counts() {
        let mut latest = Latest::default();
        let (first, first_progress) = latest.begin("a");
        let (second, second_progress) = latest.begin("b");
        assert!(first_progress.is_cancelled() && !second_progress.is_cancelled());
        assert_eq!(latest.end(first), None, "it comes too late");
        assert_eq!(latest.end(second), Some("b"));
        assert_eq!(latest.end(second), None, "it has ended");
        // What is given up counts no more, though nothing else was asked for.
        let (third, progress) = latest.begin("c");
        assert_eq!(latest.cancel(), Some("c"));
        assert!(progress.is_cancelled());
        assert_eq!(latest.end(third), None);
        assert_eq!(latest.cancel(), None);
    }

    #[test]
    fn what_is_there_in_a_moment_is_not_said() {
        let running = Running::new(());
        let shown = |unsaid| running.shown(LoadKind::Clips, "walk.glb", unsaid);
        assert_eq!(shown(Duration::from_secs(60)), None);
        assert_eq!(shown(Duration::ZERO).unwrap().name, "walk.glb");
    }
}
