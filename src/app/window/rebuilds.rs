//! How often a lost graphics device is replaced.

use std::{
    cmp::Ordering,
    mem,
    time::{Duration, Instant},
};

use crate::render::GpuKind;

/// Counts how often the graphics device, or the surface, was lost and made anew in a row, and how often devices of hardware were
/// lost at all.
#[derive(Debug, Default)]
pub(super) struct Rebuilds {
    count: u32,
    last: Option<Instant>,
    /// When devices of hardware were lost in the last hour.
    lost_hardware: Vec<Instant>,
    has_given_hardware_up: bool,
    is_hardware_asked_for: bool,
}

/// What was lost.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lost {
    /// Who drew.
    pub(super) kind: GpuKind,
    /// Whether the device has gone, and not the surface alone, as when a screen is plugged in.
    pub(super) is_device: bool,
}

impl Rebuilds {
    /// How often a device is replaced in a row before giving up.
    const MOST: u32 = 3;
    /// A device that lasts so long starts a new row: it went with a sleep or a driver's update, and so may the next one.
    const ROW_PAUSE: Duration = Duration::from_secs(60);
    /// How many devices of hardware may be lost within an hour, in whatever rows: no machine sleeps so often.
    const MOST_IN_AN_HOUR: usize = 5;
    const HOUR: Duration = Duration::from_secs(3600);

    /// Forgets what was lost: the next device is to be hardware.
    pub(super) fn ask_for_hardware(&mut self) {
        *self = Self {
            is_hardware_asked_for: true,
            ..Self::default()
        };
    }

    /// Takes note of what was lost. What the next device is to be: the last of a row works without a graphics processor, which
    /// may be what fails, and so does each once hardware is given up. None if that has happened too often in a row.
    pub(super) fn replacement(&mut self, lost: Lost, now: Instant) -> Option<GpuKind> {
        if self.is_hardware_asked_for {
            return Some(GpuKind::Hardware);
        }
        let in_a_row = self.last.is_some_and(|last| now - last < Self::ROW_PAUSE);
        self.count = if in_a_row { self.count + 1 } else { 1 };
        self.last = Some(now);
        if lost.is_device && lost.kind == GpuKind::Hardware {
            self.lost_hardware.retain(|time| now - *time < Self::HOUR);
            self.lost_hardware.push(now);
            self.has_given_hardware_up |= self.lost_hardware.len() >= Self::MOST_IN_AN_HOUR;
        }
        match self.count.cmp(&Self::MOST) {
            Ordering::Less if !self.has_given_hardware_up => Some(GpuKind::Hardware),
            Ordering::Less | Ordering::Equal => Some(GpuKind::Software),
            Ordering::Greater => None,
        }
    }

    /// Takes note of who draws now. Whether hardware is missed: it drew before, or was asked for.
    pub(super) fn misses_hardware(&mut self, before: GpuKind, now: GpuKind) -> bool {
        let is_asked_for = mem::take(&mut self.is_hardware_asked_for);
        now == GpuKind::Software && (before == GpuKind::Hardware || is_asked_for)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HARDWARE: Option<GpuKind> = Some(GpuKind::Hardware);
    const SOFTWARE: Option<GpuKind> = Some(GpuKind::Software);

    fn device(kind: GpuKind) -> Lost {
        Lost {
            kind,
            is_device: true,
        }
    }

    #[test]
    fn devices_lost_in_a_row_are_counted() {
        let mut rebuilds = Rebuilds::default();
        let start = Instant::now();
        let mut at = |secs| {
            let now = start + Duration::from_secs(secs);
            rebuilds.replacement(device(GpuKind::Hardware), now)
        };
        assert_eq!(
            [0, 1, 2, 3].map(&mut at),
            [HARDWARE, HARDWARE, SOFTWARE, None]
        );
        // Once a day is not in a row.
        assert!((1..=10).all(|day| at(86_400 * day) == HARDWARE));
    }

    /// Each of its devices lasts for long enough to begin a new row.
    #[test]
    fn a_driver_that_keeps_failing_is_given_up() {
        let start = Instant::now();
        let lose = |rebuilds: &mut Rebuilds, lost, minute: u64| {
            rebuilds.replacement(lost, start + Duration::from_secs(60 * minute))
        };
        let [hardware, software] = [GpuKind::Hardware, GpuKind::Software].map(device);
        let mut rebuilds = Rebuilds::default();
        for minute in [0, 2, 4, 6] {
            let next = lose(&mut rebuilds, hardware, minute);
            assert_eq!(next, HARDWARE, "{minute}");
        }
        assert_eq!(lose(&mut rebuilds, hardware, 8), SOFTWARE);
        // It is not tried again the next day; a surface that is lost then is made anew.
        for minute in [1440, 1500, 1560] {
            let next = lose(&mut rebuilds, software, minute);
            assert_eq!(next, SOFTWARE, "{minute}");
        }
        // What fails at once comes to an end all the same.
        let next = [1560; 3].map(|minute| lose(&mut rebuilds, software, minute));
        assert_eq!(next, [SOFTWARE, SOFTWARE, None]);

        // What was never hardware is not given up, and sleeps are few.
        let mut rebuilds = Rebuilds::default();
        for minute in (0..200).step_by(2) {
            lose(&mut rebuilds, software, minute);
        }
        for minute in (200..2000).step_by(20) {
            let next = lose(&mut rebuilds, hardware, minute);
            assert_eq!(next, HARDWARE, "{minute}");
        }
    }

    /// As screens are plugged in, or the compositor starts anew; in a row they end as devices do.
    #[test]
    fn surfaces_that_are_lost_are_no_failures_of_hardware() {
        let surface = Lost {
            kind: GpuKind::Hardware,
            is_device: false,
        };
        let mut rebuilds = Rebuilds::default();
        let mut now = Instant::now();
        for time in 0..20 {
            now += Duration::from_secs(120);
            let next = rebuilds.replacement(surface, now);
            assert_eq!(next, HARDWARE, "{time}");
        }
        let next = [(); 3].map(|()| rebuilds.replacement(surface, now));
        assert_eq!(next, [HARDWARE, SOFTWARE, None]);
    }

    /// Whichever way it went.
    #[test]
    fn hardware_is_missed_wherever_software_takes_its_place() {
        use GpuKind::{Hardware, Software};
        let mut rebuilds = Rebuilds::default();
        let now = Instant::now();
        let misses = |rebuilds: &mut Rebuilds, before, after| {
            rebuilds.replacement(device(before), now);
            rebuilds.misses_hardware(before, after)
        };
        assert!(!misses(&mut rebuilds, Hardware, Hardware));
        assert!(misses(&mut rebuilds, Hardware, Software));
        assert!(!misses(&mut rebuilds, Software, Software), "it was told");
        // It was asked for, and cannot be had.
        rebuilds.ask_for_hardware();
        assert_eq!(rebuilds.replacement(device(Software), now), HARDWARE);
        assert!(rebuilds.misses_hardware(Software, Software));
        assert!(!rebuilds.misses_hardware(Software, Software));
        // It was asked for, and fails anew: what the user asks for is no part of the row.
        rebuilds.ask_for_hardware();
        assert_eq!(rebuilds.replacement(device(Software), now), HARDWARE);
        assert!(!rebuilds.misses_hardware(Software, Hardware));
        for next in [HARDWARE, HARDWARE, SOFTWARE] {
            assert_eq!(rebuilds.replacement(device(Hardware), now), next);
        }
        assert!(rebuilds.misses_hardware(Hardware, Software));
    }
}
