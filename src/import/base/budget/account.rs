//! An account of memory: how much of it may be taken, and what is given back when work is done.

use std::sync::atomic::{AtomicU64, Ordering};

use super::{Fault, bytes_of, exceeded};

/// What no file may exceed.
const MOST: u64 = 8 << 30;

/// Bytes that may be taken, and that were.
#[derive(Debug)]
pub(super) struct Account {
    limit: AtomicU64,
    spent: AtomicU64,
}

impl Account {
    pub(super) fn new(limit: u64) -> Self {
        Self {
            limit: AtomicU64::new(limit),
            spent: AtomicU64::new(0),
        }
    }

    pub(super) fn limit(&self) -> u64 {
        self.limit.load(Ordering::Relaxed)
    }

    pub(super) fn spent(&self) -> u64 {
        self.spent.load(Ordering::Relaxed)
    }

    pub(super) fn left(&self) -> u64 {
        self.limit().saturating_sub(self.spent())
    }

    pub(super) fn allow(&self, bytes: u64, per_byte: u64) {
        let more = bytes.saturating_mul(per_byte);
        let limit = self.limit().saturating_add(more);
        self.limit.store(limit.min(MOST), Ordering::Relaxed);
    }

    pub(super) fn charge(&self, count: usize, size: usize) -> Result<(), Fault> {
        let bytes = bytes_of(count, size);
        let limit = self.limit();
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

    /// Takes it even where that is too much.
    pub(super) fn overcharge(&self, bytes: usize) -> Result<(), Fault> {
        self.charge(bytes, 1).inspect_err(|_| {
            self.spent.fetch_max(self.limit(), Ordering::Relaxed);
        })
    }

    pub(super) fn give_back(&self, bytes: u64) {
        let less = |spent: u64| Some(spent.saturating_sub(bytes));
        // It never fails.
        let _ = self
            .spent
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
    }
}

/// Memory that work needs while it is done.
#[derive(Debug)]
pub(in crate::import) struct Held<'b> {
    accounts: [Option<&'b Account>; 2],
    bytes: u64,
}

impl<'b> Held<'b> {
    /// What was taken from these accounts.
    pub(super) fn new(accounts: [Option<&'b Account>; 2], bytes: u64) -> Self {
        Self { accounts, bytes }
    }

    /// Takes it for good.
    pub(in crate::import) fn keep(mut self) {
        self.bytes = 0;
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        for account in self.accounts.iter().flatten() {
            account.give_back(self.bytes);
        }
    }
}
