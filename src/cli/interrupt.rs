//! Ctrl-C, or a cluster that ends a job: what is being written is removed, and the program ends between two frames. A second
//! time it ends at once.

use std::{
    process,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use signal_hook::{
    consts::{SIGINT, SIGTERM},
    flag,
};

use crate::{import::Progress, output::remove_unfinished};

/// What programs return that Ctrl-C ended, by custom of shells.
pub const EXIT_INTERRUPTED: u8 = 130;

static IS_ASKED: AtomicBool = AtomicBool::new(false);
static LOAD: Mutex<Option<Arc<Progress>>> = Mutex::new(None);

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
pub(super) fn watch() {
    let signal = Arc::new(AtomicBool::new(false));
    for number in [SIGINT, SIGTERM] {
        if let Err(error) = flag::register(number, Arc::clone(&signal)) {
            log::debug!("interruptions are not heeded: {error}");
        }
    }
    // A handler may do next to nothing; what it asks for is done here.
    thread::spawn(move || {
        loop {
            thread::sleep(Duration::from_millis(20));
            if signal.swap(false, Ordering::Relaxed) {
                heed();
            }
        }
    });
}

fn heed() {
    if IS_ASKED.swap(true, Ordering::Relaxed) {
        remove_unfinished();
        process::exit(EXIT_INTERRUPTED.into());
    }
    let load = LOAD.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(load) = &*load {
        load.cancel();
    }
}

/// An error if the program was asked to stop.
pub(super) fn check() -> Result<(), Interrupted> {
    if IS_ASKED.load(Ordering::Relaxed) {
        Err(Interrupted)
    } else {
        Ok(())
    }
}

/// The progress of a load that an interruption cancels; the one before is not meant any more.
pub(super) fn cancellable() -> Arc<Progress> {
    let progress = Arc::new(Progress::default());
    let mut load = LOAD.lock().unwrap_or_else(PoisonError::into_inner);
    *load = Some(Arc::clone(&progress));
    progress
}
