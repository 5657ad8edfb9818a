//! On which threads images are decoded, while something else is done.

use std::{
    cmp::Reverse,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    thread,
};

use super::{Decoded, FoundImage, decode, usual};
use crate::{
    import::{
        base::{
            budget::{Budget, EXCEEDED},
            diagnostics::Fault,
            hashing::HashMap,
            parallel::{self, Busy, Cores, Queue},
            progress::{Cancelled, Progress},
        },
        files::bytes::{Bytes, Kept},
    },
    model::BlockFormats,
};

/// The bytes of an image, if they were found, and its place.
pub(super) type Job<'j> = (usize, Result<Bytes<'j>, &'j Fault>);

/// Images that are decoded on all cores, while something else may be done: each once, however many of them have its bytes.
pub(in crate::import) struct Decoding<'j> {
    /// The largest ones first: if one of them came last, the other cores would wait for it; and what a decoder needs while
    /// it works is taken before much is decoded.
    jobs: Vec<Job<'j>>,
    /// Bytes of all of them.
    length: usize,
    /// What came out, in the order of the jobs.
    queue: Queue<Decoded>,
    /// Flat pictures, for which there may be no room: they wait until it is known how much all else takes, in the order of
    /// the file.
    flat: Vec<Job<'j>>,
    /// Bytes of their texels.
    flat_size: usize,
    /// Of each image of the file the first one that has its bytes.
    firsts: Vec<usize>,
    sampled: BlockFormats,
    cores: &'j Cores,
    budget: Budget,
    progress: &'j Progress,
}

impl<'j> Decoding<'j> {
    pub(in crate::import) fn new(
        found: &'j [FoundImage<'j>],
        budget: &Budget,
        cores: &'j Cores,
        progress: &'j Progress,
    ) -> Self {
        let (all, firsts) = once_each(found);
        let sizes = all
            .iter()
            .map(|(_, bytes)| bytes.ok().and_then(usual::size_of_flat));
        let sizes: Vec<Option<usize>> = sizes.collect();
        let flat_size = sizes
            .iter()
            .flatten()
            .copied()
            .fold(0, usize::saturating_add);
        let are_few = Budget::are_few_flat(flat_size);
        let (mut jobs, mut flat) = (Vec::new(), Vec::new());
        for (job, size) in all.into_iter().zip(sizes) {
            let is_late = size.is_some() && !are_few;
            if is_late { &mut flat } else { &mut jobs }.push(job);
        }
        let length = |(_, bytes): &Job<'_>| bytes.map_or(0, Bytes::len);
        jobs.sort_by_key(|job| Reverse(length(job)));
        Self {
            length: jobs.iter().map(length).fold(0, usize::saturating_add),
            queue: Queue::new(jobs.len()),
            jobs,
            flat,
            flat_size,
            firsts,
            sampled: progress.block_formats(),
            budget: budget.of_images(),
            cores,
            progress,
        }
    }

    /// Decodes all of them while `rest` is done, for which a text of `length` bytes is read. What takes longer begins here
    /// and at once, the other a little later, when a thread for it has started; whoever is done first helps. Without
    /// threads all is done here.
    pub(in crate::import) fn beside<R: Send>(
        &self,
        length: usize,
        rest: impl Fn() -> R + Sync,
    ) -> R {
        if self.jobs.is_empty() {
            return rest();
        }
        let (done, has_left) = thread::scope(|scope| {
            if length > self.length {
                self.start(scope);
                let done = self.do_and_help(&rest, scope);
                self.cores.leave();
                return (done, true);
            }
            let (busy, rest) = (self.cores.occupy(), &rest);
            let there = move || {
                let _busy = busy;
                self.do_and_help(rest, scope)
            };
            let Ok(thread) = thread::Builder::new().spawn_scoped(scope, there) else {
                return (self.do_and_help(rest, scope), false);
            };
            self.work();
            self.cores.leave();
            let done = thread.join();
            (done.unwrap_or_else(|panic| resume_unwind(panic)), true)
        });
        if has_left {
            self.cores.come_back();
        }
        done
    }

    /// Starts threads for the cores that are left, does the rest, and then what nobody has begun with.
    fn do_and_help<'scope, R>(
        &'scope self,
        rest: impl Fn() -> R,
        scope: &'scope thread::Scope<'scope, '_>,
    ) -> R {
        self.start_others(scope);
        let done = rest();
        self.work();
        done
    }

    /// Starts a thread that decodes, and says whether there is one.
    fn start<'scope>(&'scope self, scope: &'scope thread::Scope<'scope, '_>) -> bool {
        let thread = thread::Builder::new().name("image".to_owned());
        let busy = self.cores.occupy();
        let work = move || {
            let _busy = busy;
            self.work();
        };
        thread.spawn_scoped(scope, work).is_ok()
    }

    /// Starts one on each core that is left: one decoder more than there are cores would only take memory. To ask how many
    /// there are takes the system as long as to start one, so the first one does not wait for that.
    fn start_others<'scope>(&'scope self, scope: &'scope thread::Scope<'scope, '_>) {
        let left = parallel::cores().saturating_sub(2);
        for _ in (1..self.jobs.len()).take(left) {
            if !self.start(scope) {
                break;
            }
        }
    }

    /// A core for a thread more, if there is one for which nobody else has found a thread.
    fn free_core(&self) -> Option<Busy<'_>> {
        let is_taken = self.queue.is_taken();
        is_taken.then(|| self.cores.claim()).flatten()
    }

    /// Decodes what nobody has begun with.
    fn work(&self) {
        let free_core = || self.free_core();
        let decode = |job: &Job<'_>| self.decode(job, &self.budget, &free_core);
        self.queue.work(&self.jobs, self.progress, decode);
    }

    fn decode<'b>(
        &self,
        (_, bytes): &Job<'_>,
        budget: &Budget,
        free_core: &dyn Fn() -> Option<Busy<'b>>,
    ) -> Decoded {
        // A decoder that panics costs its image and no more.
        bytes.map_err(Fault::clone).and_then(|bytes| {
            let decode = || decode(bytes, self.sampled, budget, free_core);
            let decoded = catch_unwind(AssertUnwindSafe(decode));
            decoded.unwrap_or_else(|_| {
                let message = "its decoder failed unexpectedly";
                Err(Fault::new("IMAGE_DATA_INVALID", message))
            })
        })
    }

    /// Decodes the flat pictures that have waited: all at once if all have room, else one after the other, so that it does
    /// not depend on threads which of them is read smaller than it is.
    fn decode_flat(&self) -> Result<Vec<Decoded>, Cancelled> {
        let (budget, has_room) = self.budget.of_flat(self.flat_size);
        let decode = |job: &Job<'_>| self.decode(job, &budget, &|| self.cores.claim());
        if has_room {
            return parallel::map(&self.flat, self.progress, decode);
        }
        let each = self.flat.iter().map(|job| {
            self.progress.check()?;
            Ok(decode(job))
        });
        each.collect()
    }

    /// Decodes the images one after the other: where memory did not suffice for all, it must not depend on threads which of
    /// them is lost. What they took is given back first.
    fn decode_apart(
        &self,
        decoded: Vec<Option<Decoded>>,
    ) -> Result<Vec<Option<Decoded>>, Cancelled> {
        for (image, _) in decoded.iter().flatten().flatten() {
            self.budget
                .give_back(image.levels.iter().map(Vec::len).sum());
        }
        drop(decoded);
        let budget = self.budget.of_images();
        let each = self.jobs.iter().map(|job| {
            self.progress.check()?;
            Ok(Some(self.decode(job, &budget, &|| self.cores.claim())))
        });
        each.collect()
    }

    /// What came out, when all work is done, and all else is read.
    pub(in crate::import) fn finish(mut self) -> Result<Vec<Decoded>, Cancelled> {
        self.progress.check()?;
        let queue = std::mem::replace(&mut self.queue, Queue::new(0));
        let mut decoded: Vec<Option<Decoded>> = queue.finish().collect();
        if decoded.len() > 1 && decoded.iter().flatten().any(is_short) {
            decoded = self.decode_apart(decoded)?;
        }
        let flat = self.decode_flat()?;
        let lost = || Err(Fault::new("IMAGE_DATA_INVALID", "it was not decoded"));
        let places = self.jobs.iter().chain(&self.flat).map(|(place, _)| *place);
        let decoded = decoded.into_iter().chain(flat.into_iter().map(Some));
        let decoded: HashMap<usize, Option<Decoded>> = places.zip(decoded).collect();
        let firsts = self.firsts.iter();
        Ok(firsts
            .map(|first| decoded.get(first).cloned().flatten().unwrap_or_else(lost))
            .collect())
    }
}

/// The images whose bytes no other one before them has, and of each image the first that has its bytes. It is looked where
/// they are, not what they are.
pub(super) fn once_each<'j>(found: &'j [FoundImage<'j>]) -> (Vec<Job<'j>>, Vec<usize>) {
    let mut places = HashMap::default();
    let (mut jobs, mut firsts) = (Vec::new(), Vec::new());
    for (place, image) in found.iter().enumerate() {
        let bytes = image.encoded.as_ref().map(Kept::bytes);
        let first = bytes.map_or(place, |bytes| {
            *places.entry((bytes.start(), bytes.len())).or_insert(place)
        });
        if first == place {
            jobs.push((place, bytes));
        }
        firsts.push(first);
    }
    (jobs, firsts)
}

/// Whether memory or work did not suffice for an image.
fn is_short(decoded: &Decoded) -> bool {
    match decoded {
        Ok((_, complaints)) => complaints.iter().any(|it| it.fault.code == EXCEEDED),
        Err(fault) => fault.code == EXCEEDED,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_waited_for_images_counts_again() {
        let (cores, progress) = (Cores::new(), Progress::default());
        let lost = Err(Fault::new("IO_ERROR", "it is not there"));
        let found = [FoundImage {
            name: String::new(),
            encoded: lost,
        }];
        for length in [0, 1] {
            let decoding = Decoding::new(&found, &Budget::default(), &cores, &progress);
            decoding.beside(length, || ());
            let taken: Vec<_> = (1..parallel::cores()).map(|_| cores.claim()).collect();
            assert!(taken.iter().all(Option::is_some) && cores.claim().is_none());
        }
    }
}
