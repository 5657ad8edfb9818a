//! Ctrl-C, or a cluster that ends a job: what is being written is removed, and the program ends between two frames. A second
//! time it ends at once.

use std::{
    io, process,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

use signal_hook::consts::{SIGINT, SIGTERM};

use crate::{import::Progress, output::remove_unfinished};

/// What programs return that Ctrl-C ended, by custom of shells.
pub const EXIT_INTERRUPTED: u8 = 130;

static INTERRUPTION: Interruption = Interruption::new();

/// The user asked the program to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interrupted;

impl std::fmt::Display for Interrupted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("stopped; nothing is left half written")
    }
}

impl std::error::Error for Interrupted {}

/// Heeds interruptions from now on.
pub(crate) fn watch() {
    watch_with(|| ());
}

/// The same, and says when the first one comes: to whoever waits for something else.
pub(super) fn watch_with(tell: impl Fn() + Send + 'static) {
    if let Err(error) = wait_for_signals(move || heed(&tell)) {
        log::debug!("interruptions are not heeded: {error}");
    }
}

/// Calls `heed` for each signal, on a thread that sleeps until one comes: a handler itself may do next to nothing.
#[cfg(unix)]
fn wait_for_signals(heed: impl Fn() + Send + 'static) -> io::Result<()> {
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])?;
    let wait = move || signals.forever().for_each(|_| heed());
    thread::Builder::new()
        .name("signals".to_owned())
        .spawn(wait)?;
    Ok(())
}

/// The same where nobody can sleep until a signal comes: handlers leave a mark, which is looked for.
#[cfg(not(unix))]
fn wait_for_signals(heed: impl Fn() + Send + 'static) -> io::Result<()> {
    const POLL: std::time::Duration = std::time::Duration::from_millis(50);
    let signal = Arc::new(AtomicBool::new(false));
    for number in [SIGINT, SIGTERM] {
        signal_hook::flag::register(number, Arc::clone(&signal))?;
    }
    let look = move || {
        loop {
            thread::sleep(POLL);
            if signal.swap(false, Ordering::Relaxed) {
                heed();
            }
        }
    };
    thread::Builder::new()
        .name("signals".to_owned())
        .spawn(look)?;
    Ok(())
}

fn heed(tell: impl Fn()) {
    if INTERRUPTION.ask() {
        remove_unfinished();
        process::exit(EXIT_INTERRUPTED.into());
    }
    tell();
}

/// An error if the program was asked to stop.
pub(crate) fn check() -> Result<(), Interrupted> {
    INTERRUPTION.check()
}

/// What `load` returns, which an interruption cancels; an error instead if the program was asked to stop: whoever did wants to
/// know nothing else.
pub(crate) fn load<T>(load: impl FnOnce(&Progress) -> T) -> Result<T, Interrupted> {
    let loaded = load(&INTERRUPTION.cancellable());
    check().map(|()| loaded)
}

/// Whether the program was asked to stop, and what it loads.
#[derive(Debug)]
struct Interruption {
    is_asked: AtomicBool,
    load: Mutex<Option<Arc<Progress>>>,
}

impl Interruption {
    const fn new() -> Self {
        Self {
            is_asked: AtomicBool::new(false),
            load: Mutex::new(None),
        }
    }

    /// Asks to stop; whether that was asked before.
    fn ask(&self) -> bool {
        if self.is_asked.swap(true, Ordering::Relaxed) {
            return true;
        }
        let load = self.load.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(load) = &*load {
            load.cancel();
        }
        false
    }

    fn check(&self) -> Result<(), Interrupted> {
        if self.is_asked.load(Ordering::Relaxed) {
            Err(Interrupted)
        } else {
            Ok(())
        }
    }

    /// The progress of a load that an interruption cancels; the one before is not meant any more.
    fn cancellable(&self) -> Arc<Progress> {
        let progress = Arc::new(Progress::default());
        let mut load = self.load.lock().unwrap_or_else(PoisonError::into_inner);
        *load = Some(Arc::clone(&progress));
        // Whoever asked before that found another load, or none.
        if self.check().is_err() {
            progress.cancel();
        }
        progress
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loads_end_whether_they_began_before_or_after() {
        let interruption = Interruption::new();
        let before = interruption.cancellable();
        assert!(!before.is_cancelled() && interruption.check().is_ok());
        assert!(!interruption.ask());
        assert!(before.is_cancelled());
        assert!(interruption.cancellable().is_cancelled());
        assert_eq!(interruption.check(), Err(Interrupted));
        assert!(interruption.ask(), "the second time the program ends");
    }
}
