//! Work on all cores.

use std::{
    sync::{
        OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use super::progress::{Cancelled, Progress};

/// Where the result of a job goes.
struct Slot<'q, R>(&'q OnceLock<R>);

impl<R> Slot<'_, R> {
    fn fill(self, result: R) {
        // It is empty, since each is handed out once.
        let _ = self.0.set(result);
    }
}

/// Hands out jobs to threads, each once, and keeps what comes out in their order.
#[derive(Debug)]
pub(in crate::import) struct Queue<R> {
    slots: Vec<OnceLock<R>>,
    next: AtomicUsize,
}

impl<R> Queue<R> {
    /// For so many jobs.
    pub(in crate::import) fn new(count: usize) -> Self {
        Self {
            slots: (0..count).map(|_| OnceLock::new()).collect(),
            next: AtomicUsize::new(0),
        }
    }

    /// Does what nobody has begun with.
    pub(in crate::import) fn work<T>(
        &self,
        jobs: &[T],
        progress: &Progress,
        work: impl Fn(&T) -> R,
    ) {
        while let Some((job, slot)) = self.next(jobs, progress) {
            slot.fill(work(job));
        }
    }

    /// A job that nobody has begun with, and where its result goes; none if there is no other, or none is wanted.
    fn next<'q, T>(&'q self, jobs: &'q [T], progress: &Progress) -> Option<(&'q T, Slot<'q, R>)> {
        if progress.is_cancelled() {
            return None;
        }
        let index = self.next.fetch_add(1, Ordering::Relaxed);
        Some((jobs.get(index)?, Slot(self.slots.get(index)?)))
    }

    /// Whether somebody has begun with each.
    pub(in crate::import) fn is_taken(&self) -> bool {
        self.next.load(Ordering::Relaxed) >= self.slots.len()
    }

    /// What came out; none of what was not done.
    pub(in crate::import) fn finish(self) -> impl Iterator<Item = Option<R>> {
        self.slots.into_iter().map(OnceLock::into_inner)
    }
}

/// How many threads may work at once. To ask is to read several files, so it is asked once.
pub(in crate::import) fn cores() -> usize {
    static CORES: OnceLock<usize> = OnceLock::new();
    *CORES.get_or_init(|| thread::available_parallelism().map_or(1, usize::from))
}

/// How many threads of an import do something, so that no more do than there are cores.
#[derive(Debug)]
pub(in crate::import) struct Cores {
    busy: AtomicUsize,
}

/// A thread that does something until this is dropped.
#[derive(Debug)]
pub(in crate::import) struct Busy<'c>(&'c Cores);

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.leave();
    }
}

impl Cores {
    /// One is whoever asks.
    pub(in crate::import) fn new() -> Self {
        Self {
            busy: AtomicUsize::new(1),
        }
    }

    /// A core for a thread more, if there is one.
    pub(in crate::import) fn claim(&self) -> Option<Busy<'_>> {
        let more = |busy: usize| busy.checked_add(1).filter(|busy| *busy <= cores());
        let (set, get) = (Ordering::Relaxed, Ordering::Relaxed);
        let claimed = self.busy.fetch_update(set, get, more);
        claimed.ok().map(|_| Busy(self))
    }

    /// A thread more, whether there is a core for it or not.
    pub(in crate::import) fn occupy(&self) -> Busy<'_> {
        self.busy.fetch_add(1, Ordering::Relaxed);
        Busy(self)
    }

    /// One thread less: whoever made this waits for others.
    pub(in crate::import) fn leave(&self) {
        self.busy.fetch_sub(1, Ordering::Relaxed);
    }

    /// Whoever left goes on.
    pub(in crate::import) fn come_back(&self) {
        self.busy.fetch_add(1, Ordering::Relaxed);
    }
}

/// Does `work` for each job, on as many threads as there are cores. The order of the results is that of the jobs. A panic
/// in one is passed on when the others have ended.
pub(in crate::import) fn map<T: Sync, R: Send + Sync>(
    jobs: &[T],
    progress: &Progress,
    work: impl Fn(&T) -> R + Sync,
) -> Result<Vec<R>, Cancelled> {
    let mut others = 1..cores();
    spread(jobs, progress, || others.next(), work)
}

/// [`map`] here and on the cores that are free, or become free while there is something left to do.
pub(in crate::import) fn map_on_free<T: Sync, R: Send + Sync>(
    free: &Cores,
    jobs: &[T],
    progress: &Progress,
    work: impl Fn(&T) -> R + Sync,
) -> Result<Vec<R>, Cancelled> {
    spread(jobs, progress, || free.claim(), work)
}

/// [`map`] here and on a thread for each that `other` gives, which it drops when nothing is left to do. `other` is asked
/// before each job that is done here.
fn spread<T: Sync, R: Send + Sync, C: Send>(
    jobs: &[T],
    progress: &Progress,
    mut other: impl FnMut() -> Option<C>,
    work: impl Fn(&T) -> R + Sync,
) -> Result<Vec<R>, Cancelled> {
    let queue = Queue::new(jobs.len());
    let run = || queue.work(jobs, progress, &work);
    thread::scope(|scope| {
        let mut most = jobs.len().saturating_sub(1);
        while let Some((job, slot)) = queue.next(jobs, progress) {
            while most > 0
                && !queue.is_taken()
                && let Some(other) = other()
            {
                let run = move || {
                    let _other = other;
                    run();
                };
                // Without a thread the work is done here.
                let thread = thread::Builder::new().spawn_scoped(scope, run);
                most = thread.map_or(0, |_| most.saturating_sub(1));
            }
            slot.fill(work(job));
        }
    });
    // Only what was cancelled leaves a job undone.
    let done: Option<Vec<R>> = queue.finish().collect();
    done.ok_or(Cancelled)
}

/// Does something on another core, if there is one, while something else is done here. A panic is passed on.
pub(in crate::import) fn beside<T: Send, H>(
    there: impl Fn() -> T + Sync,
    here: impl FnOnce() -> H,
) -> (T, H) {
    thread::scope(|scope| {
        let thread = thread::Builder::new();
        let thread = (cores() > 1).then(|| thread.spawn_scoped(scope, &there));
        let here = here();
        let there = match thread {
            Some(Ok(thread)) => thread
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            _ => there(),
        };
        (there, here)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_core_is_given_twice() {
        let free = Cores::new();
        let mut taken: Vec<_> = (1..cores()).map(|_| free.claim().unwrap()).collect();
        assert!(free.claim().is_none());
        if taken.pop().is_some() {
            taken.push(free.claim().unwrap());
            assert!(free.claim().is_none());
        }
        drop(taken);
        let more = free.occupy();
        assert_eq!(free.busy.load(Ordering::Relaxed), 2);
        drop(more);
        assert_eq!(free.busy.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn what_is_done_on_free_cores_comes_out_in_order() {
        let (free, progress) = (Cores::new(), Progress::default());
        let jobs: Vec<usize> = (0..1000).collect();
        let done = map_on_free(&free, &jobs, &progress, |job| job * 2).unwrap();
        assert!(done.into_iter().eq((0..1000).map(|job| job * 2)));
        assert_eq!(free.busy.load(Ordering::Relaxed), 1);
        progress.cancel();
        assert!(map_on_free(&free, &jobs, &progress, |_| ()).is_err());
    }
}
