//! Work on all cores.

use std::{
    sync::{
        OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use super::progress::{Cancelled, Progress};

/// Does `work` for each job, on as many threads as there are cores. The order of the results is that of the jobs. A panic
/// in one is passed on when the others have ended.
pub(super) fn map<T: Sync, R: Send + Sync>(
    jobs: &[T],
    progress: &Progress,
    work: impl Fn(&T) -> R + Sync,
) -> Result<Vec<R>, Cancelled> {
    let slots: Vec<OnceLock<R>> = jobs.iter().map(|_| OnceLock::new()).collect();
    let next = AtomicUsize::new(0);
    let run = || {
        while !progress.is_cancelled() {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let (Some(job), Some(slot)) = (jobs.get(index), slots.get(index)) else {
                break;
            };
            // A slot is filled once only, since each index is handed out once.
            let _ = slot.set(work(job));
        }
    };
    thread::scope(|scope| {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        for _ in 1..cores.min(jobs.len()) {
            // Without a thread the work is done here.
            if thread::Builder::new().spawn_scoped(scope, run).is_err() {
                break;
            }
        }
        run();
    });
    // Only what was cancelled leaves a job undone.
    let done: Option<Vec<R>> = slots.into_iter().map(OnceLock::into_inner).collect();
    done.ok_or(Cancelled)
}
