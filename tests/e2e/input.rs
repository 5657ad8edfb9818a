//! Keyboard and mouse by the XTEST extension: to the program they are the real ones.

use std::thread::sleep;
use std::time::Duration;

use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::{
    BUTTON_PRESS_EVENT, BUTTON_RELEASE_EVENT, ConnectionExt as _, KEY_PRESS_EVENT,
    KEY_RELEASE_EVENT, Keycode, Keysym, MOTION_NOTIFY_EVENT,
};
use x11rb::protocol::xtest::ConnectionExt as _;

use crate::display::Display;

pub(crate) const HOME: Keysym = 0xff50;
pub(crate) const LEFT: Keysym = 0xff51;
pub(crate) const RIGHT: Keysym = 0xff53;
pub(crate) const END: Keysym = 0xff57;
pub(crate) const ESCAPE: Keysym = 0xff1b;
pub(crate) const SHIFT: Keysym = 0xffe1;
pub(crate) const CONTROL: Keysym = 0xffe3;

const LEFT_BUTTON: u8 = 1;
const WHEEL_UP: u8 = 4;
const WHEEL_DOWN: u8 = 5;

/// Between two events, about what a quick hand takes.
const PAUSE: Duration = Duration::from_millis(20);
/// Where a hand rests: between pressing and dragging, before letting go, and on what it has clicked. A renderer in software
/// needs the time to show each; what is pressed and left within one frame is lost on egui.
const REST: Duration = Duration::from_millis(200);

/// A key that is down.
pub(crate) struct HeldKey<'a> {
    display: &'a Display,
    code: Keycode,
}

impl Drop for HeldKey<'_> {
    fn drop(&mut self) {
        self.display.fake(KEY_RELEASE_EVENT, self.code, (0, 0));
    }
}

impl Display {
    /// Presses the keys in order and lets them go in reverse, as one does with Ctrl+Q. Latin letters and digits are
    /// their own symbols.
    pub(crate) fn keys(&self, symbols: &[Keysym]) {
        let codes: Vec<Keycode> = symbols.iter().map(|symbol| self.keycode(*symbol)).collect();
        for code in &codes {
            self.fake(KEY_PRESS_EVENT, *code, (0, 0));
        }
        for code in codes.iter().rev() {
            self.fake(KEY_RELEASE_EVENT, *code, (0, 0));
        }
    }

    pub(crate) fn key(&self, symbol: char) {
        self.keys(&[Keysym::from(symbol)]);
    }

    /// Presses a key that stays down until the answer is dropped.
    pub(crate) fn hold_key(&self, symbol: Keysym) -> HeldKey<'_> {
        let code = self.keycode(symbol);
        self.fake(KEY_PRESS_EVENT, code, (0, 0));
        HeldKey {
            display: self,
            code,
        }
    }

    /// Moves the pointer to a place on the screen.
    pub(crate) fn point_at(&self, place: (i32, i32)) {
        self.fake(MOTION_NOTIFY_EVENT, 0, place);
    }

    pub(crate) fn click(&self, place: (i32, i32)) {
        self.point_at(place);
        self.fake(BUTTON_PRESS_EVENT, LEFT_BUTTON, (0, 0));
        self.fake(BUTTON_RELEASE_EVENT, LEFT_BUTTON, (0, 0));
        sleep(REST);
    }

    /// Drags with the left button, in steps as a hand does.
    pub(crate) fn drag(&self, from: (i32, i32), to: (i32, i32)) {
        const STEPS: i32 = 12;
        self.point_at(from);
        self.fake(BUTTON_PRESS_EVENT, LEFT_BUTTON, (0, 0));
        sleep(REST);
        for step in 1..=STEPS {
            let between = |a: i32, b: i32| a + (b - a) * step / STEPS;
            self.point_at((between(from.0, to.0), between(from.1, to.1)));
        }
        sleep(REST);
        self.fake(BUTTON_RELEASE_EVENT, LEFT_BUTTON, (0, 0));
    }

    /// Turns the wheel by so many notches, up when positive.
    pub(crate) fn wheel(&self, notches: i32) {
        let button = if notches > 0 { WHEEL_UP } else { WHEEL_DOWN };
        for _ in 0..notches.abs() {
            self.fake(BUTTON_PRESS_EVENT, button, (0, 0));
            self.fake(BUTTON_RELEASE_EVENT, button, (0, 0));
        }
    }

    fn keycode(&self, symbol: Keysym) -> Keycode {
        let (first, last) = (
            self.connection.setup().min_keycode,
            self.connection.setup().max_keycode,
        );
        let mapping = self
            .connection
            .get_keyboard_mapping(first, last - first + 1)
            .unwrap()
            .reply()
            .unwrap();
        let per_key = usize::from(mapping.keysyms_per_keycode);
        let row = mapping
            .keysyms
            .chunks(per_key)
            .position(|symbols| symbols.first() == Some(&symbol));
        let row = row.unwrap_or_else(|| panic!("no key of this keyboard gives {symbol:#x}"));
        first + row as Keycode
    }

    fn fake(&self, kind: u8, detail: u8, place: (i32, i32)) {
        let (x, y) = (place.0 as i16, place.1 as i16);
        self.connection
            .xtest_fake_input(kind, detail, 0, self.root, x, y, 0)
            .unwrap()
            .check()
            .unwrap();
        self.connection.flush().unwrap();
        sleep(PAUSE);
    }
}
