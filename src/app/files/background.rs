//! Files that are read on threads of their own, so that the window never waits for one.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use crate::{
    app::{Session, window::Viewer},
    import::Progress,
    model::BlockFormats,
    ui::{LoadKind, Loading},
};

/// For how long it is not said that something is read beside the model.
pub(in crate::app) const UNSAID: Duration = Duration::from_millis(250);

/// For how long it is not said that something is read anew.
pub(super) const RELOAD_UNSAID: Duration = Duration::from_millis(700);

/// Something that is being read.
#[derive(Debug)]
pub(in crate::app) struct Running<T> {
    /// What it is.
    pub(in crate::app) about: T,
    progress: Arc<Progress>,
    /// Since when it takes its time.
    began: Instant,
}

impl<T> Running<T> {
    /// Something that is asked for now: what is read before it may still have to be waited for.
    pub(super) fn new(about: T) -> Self {
        Self {
            about,
            progress: Arc::default(),
            began: Instant::now(),
        }
    }

    /// Counts its time from now on: nobody has waited for it before.
    pub(super) fn begin(&mut self) {
        self.began = Instant::now();
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

    /// What is said of it, once it has taken `unsaid`: what is there in a moment is not worth a word.
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

/// What was read and comes by itself: it waits while what is shown is being saved.
#[derive(Debug)]
pub(super) struct Arrivals<T> {
    is_held: bool,
    /// In the order in which they came.
    waiting: Vec<T>,
}

impl<T> Default for Arrivals<T> {
    fn default() -> Self {
        Self {
            is_held: false,
            waiting: Vec::new(),
        }
    }
}

impl<T> Arrivals<T> {
    /// What has come, to be taken now; none if it has to wait.
    pub(super) fn pass(&mut self, read: T) -> Option<T> {
        if self.is_held {
            self.waiting.push(read);
            return None;
        }
        Some(read)
    }

    /// Says whether all has to wait. Gives what has waited and need not any more.
    pub(super) fn hold(&mut self, is_held: bool) -> Vec<T> {
        self.is_held = is_held;
        match is_held {
            true => Vec::new(),
            false => std::mem::take(&mut self.waiting),
        }
    }
}

/// Takes what comes by itself, unless it has to wait.
pub(super) trait TakesArrivals {
    /// What comes.
    type Arrival;

    /// What waits of it.
    fn arrivals(&mut self) -> &mut Arrivals<Self::Arrival>;

    /// Does with it what is to be done.
    fn take_now(&mut self, session: &mut Session, arrival: Self::Arrival);

    /// Takes what has come; later, if it has to wait.
    fn take(&mut self, session: &mut Session, arrival: Self::Arrival) {
        if let Some(arrival) = self.arrivals().pass(arrival) {
            self.take_now(session, arrival);
        }
    }

    /// Says whether what is shown must stay as it is, and takes what has waited for that to end. True if anything has.
    fn hold(&mut self, is_held: bool, session: &mut Session) -> bool {
        let late = self.arrivals().hold(is_held);
        let is_late = !late.is_empty();
        for arrival in late {
            self.take_now(session, arrival);
        }
        is_late
    }
}

impl Viewer {
    /// Has what was read wait while something is saved, which was planned of what is shown; takes what has waited after that.
    pub(in crate::app) fn hold_arrivals(&mut self) {
        let is_busy = self.outgoing.is_busy();
        let is_late = self.documents.file.hold(is_busy)
            | self.second_file.file.hold(is_busy)
            | self.clip_reader.hold(is_busy, &mut self.session)
            | self.environment.hold(is_busy, &mut self.session)
            | self.pose_reader.hold(is_busy, &mut self.session);
        if is_late {
            self.request_redraw();
        }
    }

    /// Gives up what is being read for this, or all.
    pub(in crate::app) fn cancel(&mut self, kind: Option<LoadKind>) {
        let gives_up = |it| kind.is_none_or(|kind| kind == it);
        if gives_up(LoadKind::Model) {
            self.documents.file.cancel();
        }
        if gives_up(LoadKind::Compared) {
            self.second_file.file.cancel();
        }
        if gives_up(LoadKind::Clips) {
            self.clip_reader.cancel();
        }
        if gives_up(LoadKind::Environment) {
            self.environment.cancel();
        }
        if kind.is_none() {
            self.pose_reader.cancel();
        }
        self.request_redraw();
    }

    /// Whether anything is being read, be it said or not.
    pub(in crate::app) fn is_reading(&self) -> bool {
        self.documents.file.purpose().is_some()
            || self.second_file.file.purpose().is_some()
            || self.clip_reader.is_reading()
            || self.environment.is_reading()
            || self.pose_reader.is_reading()
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
    fn what_comes_while_it_must_wait_is_taken_in_order_after_that() {
        let mut arrivals = Arrivals::default();
        assert_eq!(arrivals.pass(1), Some(1));
        assert!(arrivals.hold(true).is_empty());
        assert_eq!((arrivals.pass(2), arrivals.pass(3)), (None, None));
        assert!(arrivals.hold(true).is_empty());
        assert_eq!(arrivals.hold(false), [2, 3]);
        assert!(arrivals.hold(false).is_empty());
        assert_eq!(arrivals.pass(4), Some(4));
    }

    #[test]
    fn what_is_there_in_a_moment_is_not_said() {
        let running = Running::new(());
        let shown = |unsaid| running.shown(LoadKind::Clips, "walk.glb", unsaid);
        assert_eq!(shown(Duration::from_secs(60)), None);
        assert_eq!(shown(Duration::ZERO).unwrap().name, "walk.glb");
    }
}
