//! How often a lost graphics device is replaced.

use std::{
    cmp::Ordering,
    time::{Duration, Instant},
};

use crate::render::GpuKind;

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

    /// Takes note that the device was lost. What the next one is to be: the last of a row works without a graphics processor,
    /// which may be what fails. None if that has happened too often in a row.
    pub(super) fn replacement(&mut self, now: Instant) -> Option<GpuKind> {
        let in_a_row = self.last.is_some_and(|last| now - last < Self::ROW_PAUSE);
        self.count = if in_a_row { self.count + 1 } else { 1 };
        self.last = Some(now);
        match self.count.cmp(&Self::MOST) {
            Ordering::Less => Some(GpuKind::Hardware),
            Ordering::Equal => Some(GpuKind::Software),
            Ordering::Greater => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_lost_in_a_row_are_counted() {
        let mut rebuilds = Rebuilds::default();
        let start = Instant::now();
        let mut at = |secs| rebuilds.replacement(start + Duration::from_secs(secs));
        let (hardware, software) = (Some(GpuKind::Hardware), Some(GpuKind::Software));
        assert_eq!(
            [0, 1, 2, 3].map(&mut at),
            [hardware, hardware, software, None]
        );
        // Once a day is not in a row.
        assert!((1..=10).all(|day| at(86_400 * day) == hardware));
    }
}
