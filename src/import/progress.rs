//! How far a load has come, shared with the thread that waits for it; and the way to cancel it.

use std::{
    fmt,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

/// How far a load has come; shared by the thread that loads and the one that shows it.
#[derive(Debug, Default)]
pub struct Progress {
    cancelled: AtomicBool,
    stage: Mutex<(&'static str, f32)>,
}

impl Progress {
    /// Asks the load to stop; it then returns an error for which [`is_cancelled`] holds.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether the load was asked to stop.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// Says what the load is doing, and how much of the whole is done, 0..1.
    pub fn set_stage(&self, label: &'static str, fraction: f32) {
        *self.stage.lock().unwrap_or_else(PoisonError::into_inner) = (label, fraction);
    }

    /// What the load is doing, and how much of the whole is done, 0..1.
    pub fn stage(&self) -> (&'static str, f32) {
        *self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An error if the load was asked to stop. Called for each object, so that a cancel acts at once.
    pub(super) fn check(&self) -> Result<(), Cancelled> {
        if self.is_cancelled() {
            Err(Cancelled)
        } else {
            Ok(())
        }
    }
}

/// The load was asked to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cancelled;

impl fmt::Display for Cancelled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("loading was cancelled")
    }
}

impl std::error::Error for Cancelled {}

/// Whether `error` means that the load was cancelled with [`Progress::cancel`].
pub fn is_cancelled(error: &anyhow::Error) -> bool {
    error.is::<Cancelled>()
}
