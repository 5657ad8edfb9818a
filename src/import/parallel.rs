//! Work on all cores.

use std::{
    sync::{
        OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use super::progress::{Cancelled, Progress};

/// Hands out jobs to threads, each once, and keeps what comes out in their order.
#[derive(Debug)]
pub(super) struct Queue<R> {
    slots: Vec<OnceLock<R>>,
    next: AtomicUsize,
}

impl<R> Queue<R> {
    /// For so many jobs.
    pub(super) fn new(count: usize) -> Self {
        Self {
            slots: (0..count).map(|_| OnceLock::new()).collect(),
            next: AtomicUsize::new(0),
        }
    }

    /// Does what nobody has begun with.
    pub(super) fn work<T>(&self, jobs: &[T], progress: &Progress, work: impl Fn(&T) -> R) {
        while !progress.is_cancelled() {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            let (Some(job), Some(slot)) = (jobs.get(index), self.slots.get(index)) else {
                break;
            };
            // A slot is filled once only, since each index is handed out once.
            let _ = slot.set(work(job));
        }
    }

    /// Whether somebody has begun with each.
    pub(super) fn is_taken(&self) -> bool {
        self.next.load(Ordering::Relaxed) >= self.slots.len()
    }

    /// What came out; none of what was not done.
    pub(super) fn finish(self) -> impl Iterator<Item = Option<R>> {
        self.slots.into_iter().map(OnceLock::into_inner)
    }
}

/// How many threads may work at once. To ask is to read several files, so it is asked once.
pub(super) fn cores() -> usize {
    static CORES: OnceLock<usize> = OnceLock::new();
    *CORES.get_or_init(|| thread::available_parallelism().map_or(1, usize::from))
}

/// Does `work` for each job, on as many threads as there are cores. The order of the results is that of the jobs. A panic
/// in one is passed on when the others have ended.
pub(super) fn map<T: Sync, R: Send + Sync>(
    jobs: &[T],
    progress: &Progress,
    work: impl Fn(&T) -> R + Sync,
) -> Result<Vec<R>, Cancelled> {
    let queue = Queue::new(jobs.len());
    let run = || queue.work(jobs, progress, &work);
    thread::scope(|scope| {
        let threads = if jobs.len() > 1 { cores() } else { 1 };
        for _ in 1..threads.min(jobs.len()) {
            // Without a thread the work is done here.
            if thread::Builder::new().spawn_scoped(scope, run).is_err() {
                break;
            }
        }
        run();
    });
    // Only what was cancelled leaves a job undone.
    let done: Option<Vec<R>> = queue.finish().collect();
    done.ok_or(Cancelled)
}

/// Does something on another core, if there is one, while something else is done here. A panic is passed on.
pub(super) fn beside<R: Send>(there: impl Fn() -> R + Sync, here: impl FnOnce()) -> R {
    thread::scope(|scope| {
        let thread = thread::Builder::new();
        let thread = (cores() > 1).then(|| thread.spawn_scoped(scope, &there));
        here();
        match thread {
            Some(Ok(thread)) => thread
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            _ => there(),
        }
    })
}
