//! Objects of one kind read on all free cores, each with findings of its own, to the same end as one after the other.

use crate::import::{
    base::{
        budget::EXCEEDED, diagnostics::Diagnostics, parallel::map_on_free, progress::Cancelled,
    },
    json::document::Section,
};

use super::source::Source;

/// As many bytes of elements take longer to read than a thread takes to start.
const MANY: u64 = 1 << 20;
/// Accessors must have as many bytes on average: small ones cost what they take from the memory's owner, which all threads
/// wait for.
const LONG: u64 = 1 << 12;

/// What reading uses up.
struct Limits {
    spent: [u64; 5],
    shortages: (u64, bool),
    repairs_left: usize,
}

impl Limits {
    fn of(source: &Source<'_>) -> Self {
        Self {
            spent: source.budget.spent(),
            shortages: source.budget.shortages(),
            repairs_left: source.document.repairs_left(),
        }
    }

    /// Whether somebody went without repairs or without what others share since then, or may have.
    fn are_used_up(&self, source: &Source<'_>) -> bool {
        let are_repairs_over = self.repairs_left > 0 && source.document.repairs_left() == 0;
        are_repairs_over || source.budget.shortages() != self.shortages
    }

    /// Undoes what was read since.
    fn restore(&self, source: &Source<'_>) {
        source.budget.give_back_to(self.spent);
        source.document.set_repairs_left(self.repairs_left);
        source.accessors.forget_comparisons();
    }
}

fn is_worthwhile(source: &Source<'_>) -> bool {
    let accessors = u64::try_from(source.document.count(Section::Accessors));
    let short = accessors.map_or(u64::MAX, |count| count.saturating_mul(LONG));
    source.accessors.bytes() >= MANY.max(short)
}

/// Reads each of `objects`, which `read` gets with its place among them, and puts what was found about them in their order.
pub(in crate::import) fn read_each<T: Sync, R: Send + Sync>(
    source: &Source<'_>,
    objects: Vec<T>,
    diagnostics: &mut Diagnostics,
    read: impl Fn(usize, &T, &mut Diagnostics) -> Result<R, Cancelled> + Sync,
) -> Result<Vec<R>, Cancelled> {
    if let Some(all) = read_apart(source, &objects, diagnostics, &read, || true)? {
        return Ok(all);
    }
    // Each is dropped as soon as it is read.
    let objects = objects.into_iter().enumerate();
    objects
        .map(|(place, object)| read(place, &object, diagnostics))
        .collect()
}

/// [`read_each`] on all free cores; none, and nothing is said, where they are to be read one after the other: it is not worth
/// while, something is used up, or `is_fit` says so of what was read.
pub(in crate::import) fn read_apart<T: Sync, R: Send + Sync>(
    source: &Source<'_>,
    objects: &[T],
    diagnostics: &mut Diagnostics,
    read: impl Fn(usize, &T, &mut Diagnostics) -> Result<R, Cancelled> + Sync,
    is_fit: impl FnOnce() -> bool,
) -> Result<Option<Vec<R>>, Cancelled> {
    if objects.len() > 1 && is_worthwhile(source) {
        let limits = Limits::of(source);
        let jobs: Vec<(usize, &T)> = objects.iter().enumerate().collect();
        let apart = map_on_free(&source.cores, &jobs, source.progress, |&(place, object)| {
            let mut found = Diagnostics::default();
            (read(place, object, &mut found), found)
        })?;
        // What goes without, where something is used up, must not depend on who was first.
        let is_short = |(_, found): &(_, Diagnostics)| found.mentions(EXCEEDED, "");
        if is_fit() && !limits.are_used_up(source) && !apart.iter().any(is_short) {
            let take = |(result, found)| {
                diagnostics.absorb(found);
                result
            };
            let all: Result<Vec<R>, _> = apart.into_iter().map(take).collect();
            return all.map(Some);
        }
        drop(apart);
        limits.restore(source);
    }
    Ok(None)
}
