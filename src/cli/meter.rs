//! A bar on the terminal that shows how far a command has come; there is none where messages go elsewhere. What is printed
//! meanwhile stands above it.

use std::{
    io::{IsTerminal as _, Stderr, Write, stderr},
    sync::{LazyLock, Mutex, PoisonError},
};

use super::plain::plain;

/// Shown until it is dropped.
#[derive(Debug)]
pub(super) struct Meter {
    label: String,
    total: usize,
    is_shown: bool,
}

const WIDTH: usize = 30;
/// Columns of a label: a bar that is longer than the terminal's line could not be taken away again.
const LONGEST_LABEL: usize = 28;

/// The last line of the terminal; there is only one.
static LAST: LazyLock<Mutex<LastLine<Stderr>>> = LazyLock::new(|| {
    Mutex::new(LastLine {
        out: stderr(),
        bar: String::new(),
    })
});

impl Meter {
    /// A bar for `total` steps; of one step there is nothing to show.
    pub(super) fn new(label: &str, total: usize) -> Self {
        Self {
            label: short(label),
            total,
            is_shown: total > 1 && stderr().is_terminal(),
        }
    }

    /// Shows that so many steps are done.
    pub(super) fn set(&self, done: usize) {
        if self.is_shown {
            with_last(|last| last.set(bar(&self.label, done, self.total)));
        }
    }

    /// Takes the bar away until it is set again.
    pub(super) fn clear(&self) {
        if self.is_shown {
            with_last(|last| last.set(String::new()));
        }
    }

    /// Prints a line to standard error in place of the bar.
    pub(super) fn say(&self, line: &str) {
        self.clear();
        with_last(|last| last.print(&format!("{line}\n")));
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        self.clear();
    }
}

/// Prints lines while no bar is in their way.
pub(super) fn above<T>(print: impl FnOnce() -> T) -> T {
    with_last(|last| last.above(print))
}

fn with_last<T>(work: impl FnOnce(&mut LastLine<Stderr>) -> T) -> T {
    work(&mut LAST.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Where the bar is.
#[derive(Debug)]
struct LastLine<W> {
    out: W,
    /// Empty if there is none.
    bar: String,
}

impl<W: Write> LastLine<W> {
    fn set(&mut self, bar: String) {
        self.take_away();
        self.print(&bar);
        self.bar = bar;
    }

    fn above<T>(&mut self, print: impl FnOnce() -> T) -> T {
        self.take_away();
        let printed = print();
        if !self.bar.is_empty() {
            let bar = std::mem::take(&mut self.bar);
            self.print(&bar);
            self.bar = bar;
        }
        printed
    }

    fn take_away(&mut self) {
        if !self.bar.is_empty() {
            self.print("\r\x1b[K");
        }
    }

    fn print(&mut self, text: &str) {
        // Nobody is there to be told otherwise.
        let written = self.out.write_all(text.as_bytes());
        let _ = written.and_then(|()| self.out.flush());
    }
}

fn bar(label: &str, done: usize, total: usize) -> String {
    let filled = (WIDTH * done / total.max(1)).min(WIDTH);
    let (full, empty) = ("█".repeat(filled), "░".repeat(WIDTH - filled));
    format!("{full}{empty} {done}/{total} {label}")
}

/// A label that fits beside a bar: of a long one the end, which tells files of a folder apart.
fn short(label: &str) -> String {
    let label = plain(label);
    let mut left = columns(&label);
    if left <= LONGEST_LABEL {
        return label.into_owned();
    }
    let end = label.trim_start_matches(|c| {
        let is_too_long = left >= LONGEST_LABEL;
        left -= columns_of(c);
        is_too_long
    });
    format!("…{end}")
}

/// At least as many as a terminal takes for a text.
fn columns(text: &str) -> usize {
    text.chars().map(columns_of).sum()
}

/// No letter before those of Hangul is wide (Unicode Standard Annex #11).
fn columns_of(c: char) -> usize {
    if c < '\u{1100}' { 1 } else { 2 }
}

#[cfg(test)]
mod tests {
    use std::{cell::RefCell, io};

    use super::*;

    #[test]
    fn the_bar_is_full_at_the_end() {
        assert_eq!(bar("a.gif", 0, 4).matches('█').count(), 0);
        assert_eq!(bar("a.gif", 1, 4).matches('█').count(), 7);
        assert_eq!(bar("a.gif", 4, 4).matches('░').count(), 0);
        assert!(bar("a.gif", 4, 4).ends_with("4/4 a.gif"));
    }

    #[test]
    fn a_label_never_wraps_the_line() {
        assert_eq!(short("walk.gif"), "walk.gif");
        let long = short(&format!("{}/walk\n.gif", "folder/".repeat(20)));
        assert_eq!(long.chars().count(), LONGEST_LABEL);
        assert!(long.starts_with('…') && long.ends_with(r"/walk\n.gif"));
        let wide = short(&"走る".repeat(14));
        assert_eq!(wide, format!("…る{}", "走る".repeat(6)));
        assert!(columns(&wide) <= LONGEST_LABEL + 1);
        let widest = bar(&long, 100_000, 100_000);
        assert!(widest.chars().count() < 80, "{widest}");
    }

    /// A terminal, as far as bars need one: lines that are over, and the one that is not.
    #[derive(Default)]
    struct Terminal(RefCell<Vec<u8>>);

    impl Write for &Terminal {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.borrow_mut().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Terminal {
        fn lines(&self) -> Vec<String> {
            let all = String::from_utf8(self.0.borrow().clone()).unwrap();
            let seen = |line: &str| line.rsplit("\r\x1b[K").next().unwrap().to_owned();
            all.split('\n').map(seen).collect()
        }
    }

    #[test]
    fn lines_stand_above_the_bar() {
        let terminal = Terminal::default();
        let mut last = LastLine {
            out: &terminal,
            bar: String::new(),
        };
        let say = |last: &mut LastLine<_>, text: &str| {
            last.above(|| (&terminal).write_all(text.as_bytes()).unwrap());
        };
        say(&mut last, "before\n");
        last.set("1/3".to_owned());
        say(&mut last, "a warning\n");
        last.set("2/3".to_owned());
        say(&mut last, "two\nlines\n");
        assert_eq!(
            terminal.lines(),
            ["before", "a warning", "two", "lines", "2/3"]
        );
        last.set(String::new());
        say(&mut last, "after\n");
        assert_eq!(terminal.lines()[4..], ["after", ""]);
    }
}
