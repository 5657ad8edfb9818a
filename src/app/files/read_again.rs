//! When a file that is followed is read again: at once, or later, while something else is on its way or it must stay as it is.

use super::loading::Purpose;

/// What is made up for, and whether it must wait.
#[derive(Debug, Default)]
pub(super) struct ReadAgain {
    /// Why the file is to be read again once nothing else is being read.
    missed: Option<Purpose>,
    /// Whether it must stay as it is for now, unless the user says otherwise: it is being saved.
    is_held: bool,
}

impl ReadAgain {
    /// Something else is opened while the file is read for this. Should that come to nothing, what is shown is still not what
    /// is in its files.
    pub(super) fn interrupt(&mut self, running: Option<Purpose>) {
        if let Some(purpose @ (Purpose::Follow | Purpose::Reload)) = running {
            self.miss(purpose);
        }
    }

    /// What to read it for now; none if that has to wait.
    pub(super) fn now(&mut self, wanted: Purpose, running: Option<Purpose>) -> Option<Purpose> {
        match running {
            Some(Purpose::Open) => self.miss(wanted),
            _ if self.holds_back(wanted) => self.miss(wanted),
            // What the user asked for is shown whatever it has become meanwhile.
            Some(Purpose::Reload) => return Some(Purpose::Reload),
            Some(Purpose::Follow) | None => return Some(wanted),
        }
        None
    }

    /// Whether what was read for this must not be shown now; it is read again later.
    pub(super) fn puts_off(&mut self, read: Purpose) -> bool {
        let is_put_off = self.holds_back(read);
        if is_put_off {
            self.miss(read);
        }
        is_put_off
    }

    /// Says whether the file must stay as it is. True if what was missed can be made up for at last.
    pub(super) fn hold(&mut self, is_held: bool, running: Option<Purpose>) -> bool {
        let is_released = self.is_held && !is_held;
        self.is_held = is_held;
        is_released && self.missed.is_some() && running.is_none()
    }

    /// What was missed, to be made up for.
    pub(super) fn take_missed(&mut self) -> Option<Purpose> {
        self.missed.take()
    }

    /// Nothing is to be made up for: what is shown is what is in its files.
    pub(super) fn forget_missed(&mut self) {
        self.missed = None;
    }

    /// Whether anything is to be made up for.
    #[cfg(test)]
    pub(super) fn has_missed(&self) -> bool {
        self.missed.is_some()
    }

    fn holds_back(&self, purpose: Purpose) -> bool {
        self.is_held && purpose == Purpose::Follow
    }

    fn miss(&mut self, purpose: Purpose) {
        if self.missed != Some(Purpose::Reload) {
            self.missed = Some(purpose);
        }
    }
}
