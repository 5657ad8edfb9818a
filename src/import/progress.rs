//! What a load and the thread that waits for it tell each other: how far it has come, that it is not wanted any more, and
//! which textures can be shown.

use std::{
    fmt,
    sync::{
        Mutex, OnceLock, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use crate::model::BlockFormats;

/// How far a load has come; shared by the thread that loads and the one that shows it.
#[derive(Debug, Default)]
pub struct Progress {
    cancelled: AtomicBool,
    stage: Mutex<(&'static str, f32)>,
    block_formats: OnceLock<BlockFormats>,
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

    /// Says which compressed textures can be shown, so that images need not all be unpacked. It counts for those that are
    /// decoded afterwards, and cannot be taken back.
    pub fn set_block_formats(&self, formats: BlockFormats) {
        // Once is enough.
        let _ = self.block_formats.set(formats);
    }

    /// Which compressed textures can be shown, as far as is known.
    pub(super) fn block_formats(&self) -> BlockFormats {
        self.block_formats.get().copied().unwrap_or_default()
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
