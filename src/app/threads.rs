//! Threads beside the window, and what is found on them about what is shown.

use std::{
    fmt, io,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    thread::{self, JoinHandle},
};

/// The importer does not recurse, but image decoders are not ours.
const STACK_BYTES: usize = 16 << 20;

/// Does something on a thread of its own.
pub(super) fn spawn(
    name: &str,
    work: impl FnOnce() + Send + 'static,
) -> io::Result<JoinHandle<()>> {
    let thread = thread::Builder::new()
        .name(name.to_owned())
        .stack_size(STACK_BYTES);
    thread.spawn(work)
}

/// Why nothing came of it where no thread could be started.
pub(super) fn no_thread(error: &io::Error) -> String {
    format!("No thread could be started for it: {error}")
}

/// A search beside the window, about one thing at a time: it ends when the window turns to another one.
pub(super) struct Search<K, T> {
    about: Option<K>,
    shared: Arc<Shared<T>>,
}

/// What the window and the thread of a search share.
pub(super) struct Shared<T> {
    /// Says that the window is to be drawn anew.
    tell: Arc<dyn Fn() + Send + Sync>,
    /// Nothing here is wanted any more.
    is_over: AtomicBool,
    known: Mutex<T>,
}

impl<T> Shared<T> {
    fn new(tell: Arc<dyn Fn() + Send + Sync>, known: T) -> Arc<Self> {
        Arc::new(Self {
            tell,
            is_over: AtomicBool::new(false),
            known: Mutex::new(known),
        })
    }

    /// What both know, for the thread; none once it is not wanted any more.
    pub(super) fn wanted(&self) -> Option<MutexGuard<'_, T>> {
        (!self.is_over.load(Relaxed)).then(|| self.locked())
    }

    /// Has the window drawn anew.
    pub(super) fn tell(&self) {
        (self.tell)();
    }

    fn locked(&self) -> MutexGuard<'_, T> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: PartialEq, T: Default + Send + 'static> Search<K, T> {
    /// About nothing yet. `tell` is called on another thread when something was found.
    pub(super) fn new(tell: impl Fn() + Send + Sync + 'static) -> Self {
        Self {
            about: None,
            shared: Shared::new(Arc::new(tell), T::default()),
        }
    }

    /// Whether it is about this.
    pub(super) fn is_about(&self, about: &K) -> bool {
        self.about.as_ref() == Some(about)
    }

    /// Turns to `about`, of which `known` says what is known; what goes on about something else ends. False if it is about
    /// this already.
    pub(super) fn turn_to(&mut self, about: K, known: impl FnOnce() -> T) -> bool {
        if self.is_about(&about) {
            return false;
        }
        self.end();
        self.shared = Shared::new(Arc::clone(&self.shared.tell), known());
        self.about = Some(about);
        true
    }

    /// What both know, for the window.
    pub(super) fn known(&self) -> MutexGuard<'_, T> {
        self.shared.locked()
    }

    /// Searches on a thread.
    pub(super) fn spawn(
        &self,
        name: &str,
        work: impl FnOnce(&Shared<T>) + Send + 'static,
    ) -> io::Result<()> {
        let shared = Arc::clone(&self.shared);
        spawn(name, move || work(&shared)).map(drop)
    }
}

impl<K, T> Search<K, T> {
    fn end(&self) {
        self.shared.is_over.store(true, Relaxed);
    }
}

impl<K, T> Drop for Search<K, T> {
    fn drop(&mut self) {
        self.end();
    }
}

impl<K: fmt::Debug, T> fmt::Debug for Search<K, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Search about {:?}", self.about)
    }
}

#[cfg(test)]
mod tests {
    use std::{sync::mpsc, time::Duration};

    use super::*;

    /// Counts until nobody wants to know, and says so then.
    fn count(shared: &Shared<u32>) {
        while let Some(mut known) = shared.wanted() {
            *known += 1;
        }
        shared.tell();
    }

    #[test]
    fn what_goes_on_about_something_else_ends() {
        let (sender, told) = mpsc::channel();
        let ends = || told.recv_timeout(Duration::from_secs(30)).is_ok();
        let mut search = Search::new(move || {
            let _ = sender.send(());
        });
        assert!(search.turn_to("a", || 1) && search.is_about(&"a"));
        assert!(!search.turn_to("a", || 0), "it is about it already");
        search.spawn("counts", count).unwrap();
        while *search.known() < 3 {
            thread::yield_now();
        }
        assert!(told.try_recv().is_err(), "it goes on");
        assert!(search.turn_to("b", || 0) && !search.is_about(&"a"));
        assert!(ends());
        assert_eq!(*search.known(), 0, "nothing of what was found before");
        search.spawn("counts", count).unwrap();
        drop(search);
        assert!(ends());
    }
}
