//! The real program on a display of the test's own: its log, its window, its processor time.

use std::cell::{Cell, RefCell};
use std::fs;
use std::io::{BufRead as _, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

use image::RgbImage;
use x11rb::protocol::xproto::Window;

use crate::display::Display;
use crate::picture::{Rect, blank, changed, crop};

/// Patient enough for a software renderer on two busy cores.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(30);
const POLL: Duration = Duration::from_millis(20);
/// Between two pictures that shall be equal: several frames of any animation.
const STILL: Duration = Duration::from_millis(500);

/// How far the shadow of a message may reach beyond it.
const SHADOW: u32 = 32;

/// The window's size during the test, so that all of it lies on the screen, decorations included.
pub(crate) const SIZE: (u32, u32) = (1200, 720);

pub(crate) struct Viewer {
    pub(crate) display: Display,
    pub(crate) window: Window,
    program: RefCell<Child>,
    log: Arc<Mutex<Vec<String>>>,
    /// Names the pictures of a run that fails.
    test: &'static str,
    pictures_taken: Cell<usize>,
}

impl Viewer {
    /// Starts the program on a new display and waits for its first frame. `None`, with a word about it, when this
    /// machine has no X server to start; in CI that is a failure.
    pub(crate) fn open(test: &'static str, arguments: &[&str]) -> Option<Self> {
        let Some(display) = Display::start() else {
            assert!(
                !nothing_may_be_skipped(),
                "the end-to-end test needs Xvfb, which is not installed"
            );
            println!("skipped: no Xvfb");
            return None;
        };
        fs::create_dir_all(artefacts()).unwrap();
        let mut program = program(arguments)
            .env("DISPLAY", display.number())
            .spawn()
            .expect("the program starts");
        let log = Arc::<Mutex<Vec<String>>>::default();
        if let Some(output) = program.stderr.take() {
            collect(output, Arc::clone(&log));
        }
        let mut viewer = Self {
            display,
            window: x11rb::NONE,
            program: RefCell::new(program),
            log,
            test,
            pictures_taken: Cell::default(),
        };
        let process = viewer.program.borrow().id();
        viewer.window = viewer.wait("a window of the program", |viewer| {
            viewer.display.window_of(process)
        });
        viewer.wait_for_line(0, "ready");
        if !viewer.display.has_focus(viewer.window) {
            viewer.display.focus(viewer.window);
            viewer.wait("the window has the focus", |viewer| {
                viewer.display.has_focus(viewer.window).then_some(())
            });
        }
        viewer.resize(SIZE.0, SIZE.1);
        Some(viewer)
    }

    /// Polls until there is something, and serves the clipboard and drags meanwhile.
    #[track_caller]
    pub(crate) fn wait<T>(&self, what: &str, mut poll: impl FnMut(&Self) -> Option<T>) -> T {
        let deadline = Instant::now() + TIMEOUT;
        loop {
            self.display.serve();
            if let Some(found) = poll(self) {
                return found;
            }
            if let Some(status) = self.program.borrow_mut().try_wait().unwrap() {
                panic!("the program ended ({status}) while waiting for: {what}",);
            }
            if Instant::now() > deadline {
                panic!("waited {TIMEOUT:?} in vain for: {what}",);
            }
            sleep(POLL);
        }
    }

    /// How many lines the log has now: a place to look on from.
    pub(crate) fn log_length(&self) -> usize {
        self.log.lock().unwrap().len()
    }

    /// The first message from `start` on that begins with these words.
    #[track_caller]
    pub(crate) fn wait_for_line(&self, start: usize, words: &str) -> String {
        self.wait(&format!("the message `{words}` in the log"), |viewer| {
            viewer.line(start, words)
        })
    }

    pub(crate) fn line(&self, start: usize, words: &str) -> Option<String> {
        let log = self.log.lock().unwrap();
        log.iter()
            .skip(start)
            .find(|line| message(line).starts_with(words))
            .cloned()
    }

    pub(crate) fn has_panicked(&self) -> bool {
        self.log
            .lock()
            .unwrap()
            .iter()
            .any(|line| line.contains("panicked"))
    }

    /// The clock's time as last told from line `start` on.
    pub(crate) fn last_time_secs(&self, start: usize) -> Option<f64> {
        let log = self.log.lock().unwrap();
        log.iter()
            .skip(start)
            .rev()
            .find_map(|line| message(line).strip_prefix("time ")?.trim().parse().ok())
    }

    fn log_tail(&self) -> String {
        let log = self.log.lock().unwrap();
        let tail = log.iter().rev().take(60).rev().cloned().collect::<Vec<_>>();
        format!("the end of the program's log:\n  {}", tail.join("\n  "))
    }

    /// Where the program says that a part of its window lies, in pixels of the window.
    pub(crate) fn rect(&self, name: &str) -> Option<Rect> {
        let words = format!("layout {name} ");
        let log = self.log.lock().unwrap();
        log.iter()
            .rev()
            .find_map(|line| Rect::parse(message(line).strip_prefix(&words)?))
    }

    /// A place in a named part of the window, in pixels of the screen.
    #[track_caller]
    pub(crate) fn place(&self, name: &str, across: f64, down: f64) -> (i32, i32) {
        let rect = self
            .rect(name)
            .unwrap_or_else(|| panic!("no layout of `{name}`"));
        assert!(!rect.is_empty(), "`{name}` is not empty: {rect:?}");
        let (x, y) = rect.at(across, down);
        let window = self.display.place_of(self.window);
        (window.x + x, window.y + y)
    }

    pub(crate) fn picture(&self) -> RgbImage {
        self.display.picture(self.display.place_of(self.window))
    }

    /// Keeps a picture as an artefact of the run.
    pub(crate) fn keep(&self, name: &str, picture: &RgbImage) {
        self.pictures_taken.set(self.pictures_taken.get() + 1);
        let path = artefacts().join(format!("{:02}_{name}.png", self.pictures_taken.get()));
        picture
            .save(&path)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }

    /// The part of a picture in which the model is drawn, without a message that lies over it.
    pub(crate) fn viewport(&self, picture: &RgbImage) -> RgbImage {
        let mut picture = picture.clone();
        if let Some(message) = self.rect("message").filter(|rect| !rect.is_empty()) {
            blank(&mut picture, message.grown(SHADOW));
        }
        crop(
            &picture,
            self.rect("viewport")
                .expect("the program tells where its viewport is"),
        )
    }

    /// A picture of the window once nothing moves in the viewport any more.
    #[track_caller]
    pub(crate) fn still_picture(&self) -> RgbImage {
        let mut before = self.picture();
        self.wait("a viewport in which nothing moves", |viewer| {
            sleep(STILL);
            let after = viewer.picture();
            let moved = changed(&viewer.viewport(&before), &viewer.viewport(&after));
            before = after;
            (moved == 0.0).then(|| before.clone())
        })
    }

    /// Waits until more than this share of the viewport's pixels differs from an earlier picture.
    #[track_caller]
    pub(crate) fn wait_for_change(&self, before: &RgbImage, share: f64, why: &str) {
        self.wait(
            &format!("a change of the viewport's pixels: {why}"),
            |viewer| {
                let now = viewer.picture();
                (changed(&viewer.viewport(before), &viewer.viewport(&now)) > share).then_some(())
            },
        );
    }

    /// Waits until the viewport looks as in an earlier picture again, but for this share of its pixels.
    #[track_caller]
    pub(crate) fn wait_for_same(&self, before: &RgbImage, share: f64, why: &str) {
        let mut differs = 1.0;
        let deadline = Instant::now() + TIMEOUT;
        while Instant::now() < deadline {
            self.display.serve();
            differs = changed(&self.viewport(before), &self.viewport(&self.picture()));
            if differs < share {
                return;
            }
            sleep(POLL);
        }
        self.keep(&format!("{}_expected", self.test), before);
        panic!("{why}: {differs} of the pixels still differ after {TIMEOUT:?}");
    }

    /// Stops playback if it runs, and gives the still picture.
    #[track_caller]
    pub(crate) fn pause(&self) -> RgbImage {
        // One change may be the last frame of what came before, and one standstill a slow frame.
        let (mut changes, mut standstills) = (0, 0);
        let mut before = self.picture();
        self.wait(
            "a viewport that stands still when playback is stopped",
            |viewer| {
                sleep(STILL);
                let after = viewer.picture();
                if changed(&viewer.viewport(&before), &viewer.viewport(&after)) > 0.0 {
                    (changes, standstills) = (changes + 1, 0);
                } else {
                    (changes, standstills) = (0, standstills + 1);
                }
                if changes == 3 {
                    viewer.display.key(' ');
                    changes = 0;
                }
                before = after;
                (standstills == 2).then(|| before.clone())
            },
        )
    }

    /// Gives the window another size, waits until it has it, and gives the size that the window manager allowed.
    #[track_caller]
    pub(crate) fn resize(&self, width: u32, height: u32) -> (u32, u32) {
        let before = self.display.place_of(self.window);
        self.display.resize(self.window, width, height);
        let size = |viewer: &Self| {
            let place = viewer.display.place_of(viewer.window);
            (place.width, place.height)
        };
        if (before.width, before.height) != (width, height) {
            self.wait(
                &format!("the size {width}x{height}, or the nearest that is allowed"),
                |viewer| (size(viewer) != (before.width, before.height)).then_some(()),
            );
        }
        sleep(STILL);
        self.display.serve();
        let status = self.program.borrow_mut().try_wait().unwrap();
        assert!(
            status.is_none(),
            "the program survives {width}x{height}: {status:?}",
        );
        size(self)
    }

    /// User and system time of the whole process so far.
    pub(crate) fn processor_secs(&self) -> f64 {
        // Linux counts in hundredths on every platform that matters (proc(5), `sysconf(_SC_CLK_TCK)`).
        const TICKS_PER_SEC: f64 = 100.0;
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.program.borrow().id()))
            .expect("the process lives");
        // The second field is the program's name in brackets, which may contain spaces.
        let fields: Vec<&str> = stat
            .rsplit_once(')')
            .expect("a name in brackets")
            .1
            .split_whitespace()
            .collect();
        let ticks: f64 = fields[11..13]
            .iter()
            .map(|field| field.parse::<f64>().unwrap())
            .sum();
        ticks / TICKS_PER_SEC
    }

    #[track_caller]
    pub(crate) fn wait_for_exit(&self) -> ExitStatus {
        let deadline = Instant::now() + TIMEOUT;
        loop {
            if let Some(status) = self.program.borrow_mut().try_wait().unwrap() {
                // The reader of the log may still be a step behind.
                sleep(POLL);
                return status;
            }
            assert!(Instant::now() < deadline, "the program does not end",);
            sleep(POLL);
        }
    }
}

impl Drop for Viewer {
    fn drop(&mut self) {
        if thread::panicking() {
            let ended = self.program.get_mut().try_wait();
            eprintln!("the program's exit status, if it has ended: {ended:?}");
            let path = artefacts().join(format!("failed_{}.png", self.test));
            let is_kept = self.display.whole_screen().save(&path).is_ok();
            eprintln!(
                "{}\nthe screen at that time: {} ({is_kept})",
                self.log_tail(),
                path.display()
            );
        }
        // It may have ended already, which is well.
        let _ = self.program.get_mut().kill();
        let _ = self.program.get_mut().wait();
    }
}

/// The program with its log captured and the user's own settings out of reach.
pub(crate) fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rigscope"));
    command
        .args(arguments)
        .env("RUST_LOG", "rigscope=debug")
        .env("WINIT_X11_SCALE_FACTOR", "1");
    // Each starts as on its first day.
    let settings = artefacts().join("settings");
    let _ = fs::remove_dir_all(&settings);
    command.env("RIGSCOPE_CONFIG_DIR", settings);
    for home in ["HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"] {
        command.env(home, artefacts().join("home"));
    }
    for other_display in [
        "DISPLAY",
        "WAYLAND_DISPLAY",
        "WAYLAND_SOCKET",
        "DBUS_SESSION_BUS_ADDRESS",
    ] {
        command.env_remove(other_display);
    }
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    command
}

/// What a line of the log says, without the level and the module: `[INFO  rigscope::app] ready`.
fn message(line: &str) -> &str {
    line.split_once("] ").map_or(line, |(_, message)| message)
}

/// Where screenshots are kept: target/e2e.
pub(crate) fn artefacts() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("e2e")
}

/// In CI a test that silently skips is worth nothing.
pub(crate) fn nothing_may_be_skipped() -> bool {
    ["CI", "REQUIRE_GPU"]
        .iter()
        .any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
}

fn collect(output: impl Read + Send + 'static, log: Arc<Mutex<Vec<String>>>) {
    thread::spawn(move || {
        for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
            log.lock()
                .unwrap()
                .push(String::from_utf8_lossy(&line).into_owned());
        }
    });
}
