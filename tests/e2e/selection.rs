//! The giving side of the clipboard and of drag and drop (the XDND protocol, version 5).

use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use x11rb::connection::Connection as _;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    Atom, AtomEnum, ClientMessageEvent, ConnectionExt as _, EventMask, PropMode,
    SELECTION_NOTIFY_EVENT, SelectionNotifyEvent, SelectionRequestEvent, Timestamp, Window,
};
use x11rb::wrapper::ConnectionExt as _;

use crate::display::Display;

const TIMEOUT: Duration = Duration::from_secs(20);

/// A file held over a window.
pub(crate) struct Drag<'a> {
    display: &'a Display,
    target: Window,
    time: Timestamp,
}

impl Display {
    /// Drags a file over a window to a place on the screen, and waits until the window has said that it would take it
    /// and has read what it is.
    pub(crate) fn drag_file(&self, file: &Path, target: Window, place: (i32, i32)) -> Drag<'_> {
        self.drag_files(&[file], target, place)
    }

    /// Drags several files as one.
    pub(crate) fn drag_files(
        &self,
        files: &[&Path],
        target: Window,
        place: (i32, i32),
    ) -> Drag<'_> {
        let atoms = &self.atoms;
        let version = self
            .property_u32(target, atoms.XdndAware)
            .expect("the window takes drops: it has XdndAware");
        let version = version.min(5);
        let time = self.server_time();
        let content: String = files
            .iter()
            .map(|file| format!("{}\r\n", file_uri(file)))
            .collect();
        let content = content.into_bytes();
        self.offer(atoms.XdndSelection, atoms.URI_LIST, content, time);
        let handed_over = self.handed_over.get();

        self.point_at((place.0 - 40, place.1 - 40));
        self.send(
            target,
            atoms.XdndEnter,
            [self.own_window, version << 24, atoms.URI_LIST, 0, 0],
        );
        for step in [-40, -20, 0] {
            let (x, y) = (place.0 + step, place.1 + step);
            self.point_at((x, y));
            let position = ((x as u32) << 16) | (y as u32 & 0xffff);
            let data = [self.own_window, 0, position, time, atoms.XdndActionCopy];
            self.send(target, atoms.XdndPosition, data);
            let status =
                self.await_message(atoms.XdndStatus, "XdndStatus in answer to XdndPosition");
            assert_eq!(
                status[1] & 1,
                1,
                "the window accepts a list of files: {status:?}"
            );
        }
        self.serve_until("the window asks for the names of the files", || {
            (self.handed_over.get() > handed_over).then_some(())
        });
        Drag {
            display: self,
            target,
            time,
        }
    }

    /// Puts text into the clipboard; it is handed over whenever the test waits for something.
    pub(crate) fn copy_text(&self, text: &str) {
        let time = self.server_time();
        self.offer(
            self.atoms.CLIPBOARD,
            self.atoms.UTF8_STRING,
            text.as_bytes().to_vec(),
            time,
        );
    }

    fn offer(&self, selection: Atom, kind: Atom, content: Vec<u8>, time: Timestamp) {
        self.offers.borrow_mut().insert(selection, (kind, content));
        self.connection
            .set_selection_owner(self.own_window, selection, time)
            .unwrap();
        let owner = self
            .connection
            .get_selection_owner(selection)
            .unwrap()
            .reply()
            .unwrap()
            .owner;
        assert_eq!(owner, self.own_window, "the test owns the selection");
    }

    /// Hands over whatever was asked for, and keeps all other events for those who wait for them.
    pub(crate) fn serve(&self) {
        while let Some(event) = self.connection.poll_for_event().unwrap() {
            if let Event::SelectionRequest(request) = event {
                self.hand_over(&request);
            } else {
                self.events.borrow_mut().push(event);
            }
        }
    }

    fn hand_over(&self, request: &SelectionRequestEvent) {
        let offers = self.offers.borrow();
        let (window, property) = (request.requestor, request.property);
        let is_known = match offers.get(&request.selection) {
            Some((kind, _)) if request.target == self.atoms.TARGETS => {
                let kinds = [self.atoms.TARGETS, *kind];
                self.connection
                    .change_property32(PropMode::REPLACE, window, property, AtomEnum::ATOM, &kinds)
                    .unwrap();
                true
            }
            Some((kind, content)) if request.target == *kind => {
                self.connection
                    .change_property8(PropMode::REPLACE, window, property, *kind, content)
                    .unwrap();
                self.handed_over.set(self.handed_over.get() + 1);
                true
            }
            _ => false,
        };
        let answer = SelectionNotifyEvent {
            response_type: SELECTION_NOTIFY_EVENT,
            sequence: 0,
            time: request.time,
            requestor: window,
            selection: request.selection,
            target: request.target,
            property: if is_known { property } else { x11rb::NONE },
        };
        self.connection
            .send_event(false, window, EventMask::NO_EVENT, answer)
            .unwrap();
        self.connection.flush().unwrap();
    }

    /// The server's clock, which it tells with every change of a property.
    fn server_time(&self) -> Timestamp {
        let property = self.atoms.XdndEnter;
        self.connection
            .change_property8(
                PropMode::APPEND,
                self.own_window,
                property,
                AtomEnum::STRING,
                &[],
            )
            .unwrap();
        self.connection.flush().unwrap();
        self.serve_until("the server tells the time", || {
            let mut events = self.events.borrow_mut();
            let index = events
                .iter()
                .position(|event| matches!(event, Event::PropertyNotify(_)))?;
            let Event::PropertyNotify(change) = events.remove(index) else {
                return None;
            };
            Some(change.time)
        })
    }

    fn await_message(&self, kind: Atom, what: &str) -> [u32; 5] {
        self.serve_until(what, || {
            let mut events = self.events.borrow_mut();
            let is_wanted = |event: &Event| {
                matches!(event, Event::ClientMessage(ClientMessageEvent { type_, .. }) if *type_ == kind)
            };
            let index = events.iter().position(is_wanted)?;
            let Event::ClientMessage(message) = events.remove(index) else { return None };
            Some(message.data.as_data32())
        })
    }

    fn serve_until<T>(&self, what: &str, mut poll: impl FnMut() -> Option<T>) -> T {
        let deadline = Instant::now() + TIMEOUT;
        loop {
            self.serve();
            if let Some(found) = poll() {
                return found;
            }
            assert!(
                Instant::now() < deadline,
                "waited {TIMEOUT:?} in vain until {what}"
            );
            sleep(Duration::from_millis(5));
        }
    }
}

impl Drag<'_> {
    /// Lets the file go, and waits until the window has said that it is done with it.
    pub(crate) fn release(self) {
        let Self {
            display,
            target,
            time,
        } = self;
        display.send(
            target,
            display.atoms.XdndDrop,
            [display.own_window, 0, time, 0, 0],
        );
        let finished = display.await_message(
            display.atoms.XdndFinished,
            "XdndFinished in answer to XdndDrop",
        );
        assert_eq!(finished[1] & 1, 1, "the window took the file: {finished:?}");
    }

    /// Takes the file away again.
    pub(crate) fn leave(self) {
        self.display.send(
            self.target,
            self.display.atoms.XdndLeave,
            [self.display.own_window, 0, 0, 0, 0],
        );
    }
}

/// A `file:` URI as file managers write it: all bytes but the unreserved ones are escaped (RFC 3986 §2.3).
fn file_uri(file: &Path) -> String {
    use std::os::unix::ffi::OsStrExt as _;
    let mut uri = "file://".to_owned();
    for byte in file.as_os_str().as_bytes() {
        match byte {
            b'/' | b'-' | b'.' | b'_' | b'~' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => {
                uri.push(char::from(*byte));
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}
