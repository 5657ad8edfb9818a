//! How often a lost graphics device is replaced.

use std::time::{Duration, Instant};

/// Counts how often the graphics device was lost, and made anew, in a row.
#[derive(Debug, Default)]
pub(super) struct Rebuilds {
    count: u32,
    last: Option<Instant>,
}

impl Rebuilds {
    /// How often a device is replaced in a row before giving up.
    const MOST: u32 = 3;
    /// A device that lasts so long starts a new row: it went with a sleep or a driver's update, and so may the next one.
    const ROW_PAUSE: Duration = Duration::from_secs(60);

    /// Takes note that the device was lost. False if that has happened too often in a row.
    pub(super) fn may_rebuild(&mut self, now: Instant) -> bool {
        let in_a_row = self.last.is_some_and(|last| now - last < Self::ROW_PAUSE);
        self.count = if in_a_row { self.count + 1 } else { 1 };
        self.last = Some(now);
        self.count <= Self::MOST
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_lost_in_a_row_are_counted() {
        let mut rebuilds = Rebuilds::default();
        let start = Instant::now();
        let mut at = |secs| rebuilds.may_rebuild(start + Duration::from_secs(secs));
        assert!([0, 1, 2].into_iter().all(&mut at));
        assert!(!at(3));
        // Once a day is not in a row.
        assert!((1..=10).all(|day| at(86_400 * day)));
    }
}
