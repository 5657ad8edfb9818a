//! A bar on the terminal that shows how far a command has come; there is none where messages go elsewhere.

use std::io::{IsTerminal as _, Write as _};

/// Shown until it is dropped.
#[derive(Debug)]
pub(super) struct Meter {
    label: String,
    total: usize,
    is_shown: bool,
}

const WIDTH: usize = 30;

impl Meter {
    /// A bar for `total` steps; of one step there is nothing to show.
    pub(super) fn new(label: String, total: usize) -> Self {
        Self {
            label,
            total,
            is_shown: total > 1 && std::io::stderr().is_terminal(),
        }
    }

    /// Shows that so many steps are done.
    pub(super) fn set(&self, done: usize) {
        if self.is_shown {
            print(&format!("\r\x1b[K{}", bar(&self.label, done, self.total)));
        }
    }

    /// Takes the bar away until it is set again: something else is printed in its place.
    pub(super) fn clear(&self) {
        if self.is_shown {
            print("\r\x1b[K");
        }
    }

    /// Prints a line to standard error in place of the bar.
    pub(super) fn say(&self, line: &str) {
        self.clear();
        print(&format!("{line}\n"));
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        self.clear();
    }
}

fn print(text: &str) {
    let mut stderr = std::io::stderr().lock();
    // Nobody is there to be told otherwise.
    let _ = stderr
        .write_all(text.as_bytes())
        .and_then(|()| stderr.flush());
}

fn bar(label: &str, done: usize, total: usize) -> String {
    let filled = (WIDTH * done / total.max(1)).min(WIDTH);
    let (full, empty) = ("█".repeat(filled), "░".repeat(WIDTH - filled));
    format!("{full}{empty} {done}/{total} {label}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_is_full_at_the_end() {
        assert_eq!(bar("a.gif", 0, 4).matches('█').count(), 0);
        assert_eq!(bar("a.gif", 1, 4).matches('█').count(), 7);
        assert_eq!(bar("a.gif", 4, 4).matches('░').count(), 0);
        assert!(bar("a.gif", 4, 4).ends_with("4/4 a.gif"));
    }
}
