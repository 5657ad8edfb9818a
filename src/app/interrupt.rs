//! Ctrl-C, a terminal that is closed, or a cluster that ends a job: what is being written is removed, and the program ends
//! between two frames. A second time it ends at once, and soon where it is held up, as by a pipe that nobody reads.

use std::{
    io::{self, Write as _},
    process,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

use signal_hook::consts::{SIGINT, SIGTERM};

use crate::{import::Progress, output::remove_unfinished};

/// What programs return that Ctrl-C ended, by custom of shells.
pub const EXIT_INTERRUPTED: u8 = 130;

/// How long a frame, or what is written, may take to come to its end.
const GRACE: Duration = Duration::from_secs(5);

/// How long standard error may take to take a line: it may be the pipe that nobody reads.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// Whether the user was told that the program stops.
static IS_TOLD: Mutex<bool> = Mutex::new(false);

static INTERRUPTION: Interruption = Interruption::new();

/// The user asked the program to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interrupted;

impl std::fmt::Display for Interrupted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("stopped; nothing is left half written")
    }
}

impl std::error::Error for Interrupted {}

/// Heeds interruptions from now on.
pub(crate) fn watch() {
    watch_with(|| ());
}

/// [`watch`], and says when the first one comes: to whoever waits for something else.
pub(super) fn watch_with(tell: impl Fn() + Send + 'static) {
    if let Err(error) = wait_for_signals(move || heed(&tell)) {
        log::debug!("interruptions are not heeded: {error}");
    }
}

/// Calls `heed` for each signal, on a thread that sleeps until one comes: a handler itself may do next to nothing.
#[cfg(unix)]
fn wait_for_signals(heed: impl Fn() + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::SIGHUP;

    let mut numbers = vec![SIGINT, SIGTERM];
    // What `nohup` has begun goes on when the terminal is closed.
    if !is_ignored(SIGHUP) {
        numbers.push(SIGHUP);
    }
    let mut signals = signal_hook::iterator::Signals::new(numbers)?;
    let wait = move || signals.forever().for_each(|_| heed());
    thread::Builder::new()
        .name("signals".to_owned())
        .spawn(wait)?;
    Ok(())
}

/// Whether this process was begun so that it ignores a signal, as far as that can be known.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status");
    // Elsewhere the signal is left alone.
    status.map_or(true, |status| ignores(&status, signal))
}

/// Whether a `status` of proc(5) says that a signal is ignored.
#[cfg(unix)]
fn ignores(status: &str, signal: i32) -> bool {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_none_or(|mask| mask >> (signal - 1) & 1 == 1)
}

/// Lets writing beyond a limit of file sizes fail as on a full disk, instead of killing the program.
pub fn outlive_size_limits() {
    #[cfg(unix)]
    {
        let never_read = Arc::default();
        let heeded = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, never_read);
        if let Err(error) = heeded {
            log::debug!("limits of file sizes kill: {error}");
        }
    }
}

/// Waits for signals where nobody can sleep until one comes: handlers leave a mark, which is looked for.
#[cfg(not(unix))]
fn wait_for_signals(heed: impl Fn() + Send + 'static) -> io::Result<()> {
    const POLL: std::time::Duration = std::time::Duration::from_millis(50);
    let signal = Arc::new(AtomicBool::new(false));
    for number in [SIGINT, SIGTERM] {
        signal_hook::flag::register(number, Arc::clone(&signal))?;
    }
    let look = move || {
        loop {
            thread::sleep(POLL);
            if signal.swap(false, Ordering::Relaxed) {
                heed();
            }
        }
    };
    thread::Builder::new()
        .name("signals".to_owned())
        .spawn(look)?;
    Ok(())
}

fn heed(tell: impl Fn()) {
    if INTERRUPTION.ask() {
        end();
    }
    tell();
    let soon = thread::Builder::new().name("grace".to_owned());
    let soon = soon.spawn(|| {
        thread::sleep(GRACE);
        end();
    });
    if let Err(error) = soon {
        log::debug!("it ends when it can: {error}");
    }
}

/// Ends the program, wherever it is.
fn end() -> ! {
    remove_unfinished();
    tell_stopped();
    process::exit(EXIT_INTERRUPTED.into());
}

/// Says that the program stops, once, on standard error.
pub fn tell_stopped() {
    // Who comes second ends the program, and waits until it is said.
    let mut is_told = IS_TOLD.lock().unwrap_or_else(PoisonError::into_inner);
    if std::mem::replace(&mut *is_told, true) {
        return;
    }
    let (sender, receiver) = mpsc::channel();
    let last_words = thread::Builder::new().name("last words".to_owned());
    let spawned = last_words.spawn(move || {
        let text = format!("rigscope: {Interrupted}\n");
        let _ = io::stderr().write_all(text.as_bytes());
        let _ = sender.send(());
    });
    if spawned.is_ok() {
        let _ = receiver.recv_timeout(LAST_WORDS);
    }
}

/// Whether the program was asked to stop: what fails from then on may do so for want of what was removed.
pub fn is_asked() -> bool {
    check().is_err()
}

/// An error if the program was asked to stop.
pub(crate) fn check() -> Result<(), Interrupted> {
    INTERRUPTION.check()
}

/// What `load` returns, which an interruption cancels; an error instead if the program was asked to stop: whoever did wants to
/// know nothing else.
pub(crate) fn load<T>(load: impl FnOnce(&Progress) -> T) -> Result<T, Interrupted> {
    let loaded = load(&INTERRUPTION.cancellable());
    check().map(|()| loaded)
}

/// Whether the program was asked to stop, and what it loads.
#[derive(Debug)]
struct Interruption {
    is_asked: AtomicBool,
    load: Mutex<Option<Arc<Progress>>>,
}

impl Interruption {
    const fn new() -> Self {
        Self {
            is_asked: AtomicBool::new(false),
            load: Mutex::new(None),
        }
    }

    /// Asks to stop; whether that was asked before.
    fn ask(&self) -> bool {
        if self.is_asked.swap(true, Ordering::Relaxed) {
            return true;
        }
        let load = self.load.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(load) = &*load {
            load.cancel();
        }
        false
    }

    fn check(&self) -> Result<(), Interrupted> {
        if self.is_asked.load(Ordering::Relaxed) {
            Err(Interrupted)
        } else {
            Ok(())
        }
    }

    /// The progress of a load that an interruption cancels; the one before is not meant any more.
    fn cancellable(&self) -> Arc<Progress> {
        let progress = Arc::new(Progress::default());
        let mut load = self.load.lock().unwrap_or_else(PoisonError::into_inner);
        *load = Some(Arc::clone(&progress));
        // Whoever asked before that found another load, or none.
        if self.check().is_err() {
            progress.cancel();
        }
        progress
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn what_is_ignored_is_read_off_the_status() {
        use signal_hook::consts::SIGHUP;

        for (status, expected) in [
            (
                "SigBlk:\t0000000000000000\nSigIgn:\t0000000000001001\n",
                true,
            ),
            (
                "SigIgn:\t0000000000001000\nSigCgt:\t0000000000000001\n",
                false,
            ),
            ("Name:\tx\n", true),
        ] {
            assert_eq!(ignores(status, SIGHUP), expected, "{status}");
        }
    }

    #[test]
    fn loads_end_whether_they_began_before_or_after() {
        let interruption = Interruption::new();
        let before = interruption.cancellable();
        assert!(!before.is_cancelled() && interruption.check().is_ok());
        assert!(!interruption.ask());
        assert!(before.is_cancelled());
        assert!(interruption.cancellable().is_cancelled());
        assert_eq!(interruption.check(), Err(Interrupted));
        assert!(interruption.ask(), "the second time the program ends");
    }
}
