//! How much memory a load may take: a small file must not cost gigabytes.

use std::sync::atomic::{AtomicU64, Ordering};

use super::diagnostics::Fault;

/// What a file may cost in any case.
const BASE: u64 = 256 << 20;
/// What it may cost more for each byte that is read: compressed images grow a hundredfold at the worst.
const PER_BYTE: u64 = 64;
/// What no file may exceed.
const MOST: u64 = 8 << 30;

/// Counts the bytes of decoded data. It is charged before the memory is allocated.
#[derive(Debug)]
pub(super) struct Budget {
    limit: AtomicU64,
    spent: AtomicU64,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            limit: AtomicU64::new(BASE),
            spent: AtomicU64::new(0),
        }
    }
}

impl Budget {
    /// Allows more, since `bytes` more have been read.
    pub(super) fn allow_for(&self, bytes: usize) {
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        let more = bytes.saturating_mul(PER_BYTE);
        let limit = self.limit.load(Ordering::Relaxed).saturating_add(more);
        self.limit.store(limit.min(MOST), Ordering::Relaxed);
    }

    /// Checks that so much memory could be taken, for work that gives it back at once.
    pub(super) fn check(&self, bytes: usize) -> Result<(), Fault> {
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        let spent = self.spent.load(Ordering::Relaxed);
        if bytes <= self.limit.load(Ordering::Relaxed).saturating_sub(spent) {
            Ok(())
        } else {
            Err(exceeded(bytes))
        }
    }

    /// Takes memory for `count` items of `size` bytes.
    pub(super) fn charge(&self, count: usize, size: usize) -> Result<(), Fault> {
        let bytes = count.saturating_mul(size);
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        let limit = self.limit.load(Ordering::Relaxed);
        let charged = self
            .spent
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |spent| {
                spent.checked_add(bytes).filter(|&spent| spent <= limit)
            });
        match charged {
            Ok(_) => Ok(()),
            Err(_) => Err(exceeded(bytes)),
        }
    }
}

fn exceeded(bytes: u64) -> Fault {
    Fault::new(
        "MEMORY_BUDGET_EXCEEDED",
        format!(
            "with {bytes} bytes more, the file would cost more memory than one of its size may"
        ),
    )
}
