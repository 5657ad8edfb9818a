//! A virtual X display of the test's own, with a window manager when one is installed, and what the test asks of them.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use image::RgbImage;
use x11rb::connection::Connection as _;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    Atom, AtomEnum, ClientMessageEvent, ConfigureWindowAux, ConnectionExt as _, CreateWindowAux,
    EventMask, ImageFormat, ImageOrder, InputFocus, MapState, Window, WindowClass,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

use crate::picture::Rect;

x11rb::atom_manager! {
    /// The names of the protocols that the test speaks.
    pub(crate) Atoms: AtomsCookie {
        CLIPBOARD,
        TARGETS,
        UTF8_STRING,
        URI_LIST: b"text/uri-list",
        WM_CHANGE_STATE,
        WM_DELETE_WINDOW,
        WM_PROTOCOLS,
        WM_STATE,
        XdndActionCopy,
        XdndAware,
        XdndDrop,
        XdndEnter,
        XdndFinished,
        XdndLeave,
        XdndPosition,
        XdndSelection,
        XdndStatus,
        _NET_ACTIVE_WINDOW,
        _NET_WM_NAME,
        _NET_WM_PID,
    }
}

/// What a selection of ours holds: the type it is offered as, and the bytes.
pub(crate) type Offer = (Atom, Vec<u8>);

pub(crate) struct Display {
    pub(crate) connection: RustConnection,
    pub(crate) atoms: Atoms,
    pub(crate) root: Window,
    /// A window of the test's own, never shown: it owns selections and is the source of drags.
    pub(crate) own_window: Window,
    pub(crate) offers: RefCell<HashMap<Atom, Offer>>,
    /// How often a selection of ours was handed over.
    pub(crate) handed_over: Cell<usize>,
    /// Events that nobody has asked for yet.
    pub(crate) events: RefCell<Vec<Event>>,
    number: String,
    window_manager: Option<Child>,
    server: Child,
}

impl Display {
    /// Starts a server on a free display number; `None` when none is installed.
    pub(crate) fn start() -> Option<Self> {
        let mut server = Command::new("Xvfb")
            .args([
                "-displayfd",
                "1",
                "-screen",
                "0",
                "1280x800x24",
                "-noreset",
                "-nolisten",
                "tcp",
            ])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let mut number = String::new();
        if let Some(output) = server.stdout.take() {
            BufReader::new(output)
                .read_line(&mut number)
                .expect("Xvfb tells its display number");
        }
        assert!(
            !number.trim().is_empty(),
            "Xvfb ended at once: {:?}",
            server.wait()
        );
        let number = format!(":{}", number.trim());

        let (connection, screen) =
            x11rb::connect(Some(&number)).expect("the new display takes connections");
        assert_eq!(
            connection.setup().image_byte_order,
            ImageOrder::LSB_FIRST,
            "pictures are read as BGRX"
        );
        let root = connection.setup().roots[screen].root;
        let atoms = Atoms::new(&connection).unwrap().reply().unwrap();
        let own_window = connection.generate_id().unwrap();
        connection
            .create_window(
                0,
                own_window,
                root,
                0,
                0,
                1,
                1,
                0,
                WindowClass::INPUT_ONLY,
                0,
                &CreateWindowAux::new().event_mask(EventMask::PROPERTY_CHANGE),
            )
            .unwrap();
        let mut display = Self {
            connection,
            atoms,
            root,
            own_window,
            offers: RefCell::default(),
            handed_over: Cell::default(),
            events: RefCell::default(),
            number,
            window_manager: None,
            server,
        };
        display.start_window_manager();
        Some(display)
    }

    fn start_window_manager(&mut self) {
        let mut command = Command::new("openbox");
        command
            .env("DISPLAY", &self.number)
            .env_remove("WAYLAND_DISPLAY");
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        self.window_manager = command.spawn().ok();
        if self.has_window_manager() {
            self.await_window_manager();
        }
    }

    /// Waits until a window that asks to be shown is. Openbox can lose such a request while it starts, so it is asked
    /// again, with a window made for the purpose.
    fn await_window_manager(&self) {
        const ATTEMPTS: usize = 20;
        let probe = self.connection.generate_id().unwrap();
        let values = CreateWindowAux::new();
        let kind = WindowClass::INPUT_OUTPUT;
        self.connection
            .create_window(0, probe, self.root, 0, 0, 99, 99, 0, kind, 0, &values)
            .unwrap();
        let is_managed = (0..ATTEMPTS).any(|_| {
            self.connection.unmap_window(probe).unwrap();
            self.connection.map_window(probe).unwrap();
            (0..50).any(|_| {
                sleep(Duration::from_millis(20));
                self.is_visible(probe) && self.property_u32(probe, self.atoms.WM_STATE).is_some()
            })
        });
        assert!(is_managed, "openbox runs, but shows no window");
        self.connection.destroy_window(probe).unwrap();
        self.connection.sync().unwrap();
    }

    /// Another program's window, in a corner of the screen.
    pub(crate) fn open_small_window(&self) -> Window {
        let window = self.connection.generate_id().unwrap();
        let values = CreateWindowAux::new();
        let kind = WindowClass::INPUT_OUTPUT;
        self.connection
            .create_window(0, window, self.root, 0, 0, 9, 9, 0, kind, 0, &values)
            .unwrap();
        self.connection.map_window(window).unwrap();
        self.connection.sync().unwrap();
        while !self.is_visible(window) {
            sleep(Duration::from_millis(20));
        }
        window
    }

    pub(crate) fn has_window_manager(&self) -> bool {
        self.window_manager.is_some()
    }

    /// The value for the environment variable DISPLAY.
    pub(crate) fn number(&self) -> &str {
        &self.number
    }

    /// The visible window of a process.
    pub(crate) fn window_of(&self, process: u32) -> Option<Window> {
        let mut open = vec![self.root];
        while let Some(window) = open.pop() {
            // Windows come and go while the tree is read, so a failure only means that there is nothing there.
            let attributes = self
                .connection
                .get_window_attributes(window)
                .unwrap()
                .reply();
            if attributes.is_ok_and(|found| found.map_state == MapState::VIEWABLE)
                && self.property_u32(window, self.atoms._NET_WM_PID) == Some(process)
            {
                return Some(window);
            }
            if let Ok(tree) = self.connection.query_tree(window).unwrap().reply() {
                open.extend(tree.children);
            }
        }
        None
    }

    pub(crate) fn title(&self, window: Window) -> String {
        let name = self.atoms._NET_WM_NAME;
        let reply =
            self.connection
                .get_property(false, window, name, self.atoms.UTF8_STRING, 0, 1024);
        String::from_utf8_lossy(&reply.unwrap().reply().unwrap().value).into_owned()
    }

    /// The first 32 bits of a property of any type.
    pub(crate) fn property_u32(&self, window: Window, property: Atom) -> Option<u32> {
        let reply = self
            .connection
            .get_property(false, window, property, AtomEnum::ANY, 0, 1);
        let reply = reply.unwrap().reply().ok()?;
        reply.value32()?.next()
    }

    /// Where the inside of a window lies on the screen.
    pub(crate) fn place_of(&self, window: Window) -> Rect {
        let size = self
            .connection
            .get_geometry(window)
            .unwrap()
            .reply()
            .unwrap();
        let corner = self
            .connection
            .translate_coordinates(window, self.root, 0, 0);
        let corner = corner.unwrap().reply().unwrap();
        Rect {
            x: i32::from(corner.dst_x),
            y: i32::from(corner.dst_y),
            width: u32::from(size.width),
            height: u32::from(size.height),
        }
    }

    /// Asks the window manager, or the server when there is none, for another size.
    pub(crate) fn resize(&self, window: Window, width: u32, height: u32) {
        let values = ConfigureWindowAux::new()
            .x(20)
            .y(30)
            .width(width)
            .height(height);
        self.connection.configure_window(window, &values).unwrap();
        self.connection.flush().unwrap();
    }

    pub(crate) fn focus(&self, window: Window) {
        if self.has_window_manager() {
            self.ask_window_manager(window, self.atoms._NET_ACTIVE_WINDOW, [2, 0, 0, 0, 0]);
        } else {
            self.connection.map_window(window).unwrap();
            self.connection
                .set_input_focus(InputFocus::PARENT, window, x11rb::CURRENT_TIME)
                .unwrap();
            self.connection.flush().unwrap();
        }
    }

    pub(crate) fn has_focus(&self, window: Window) -> bool {
        let focus = self
            .connection
            .get_input_focus()
            .unwrap()
            .reply()
            .unwrap()
            .focus;
        focus == window
            || self.property_u32(self.root, self.atoms._NET_ACTIVE_WINDOW) == Some(window)
    }

    pub(crate) fn is_visible(&self, window: Window) -> bool {
        let attributes = self
            .connection
            .get_window_attributes(window)
            .unwrap()
            .reply();
        attributes.is_ok_and(|found| found.map_state == MapState::VIEWABLE)
    }

    /// Minimises a window (ICCCM §4.1.4: a message to the root window with the wanted state, 3 being iconic).
    pub(crate) fn iconify(&self, window: Window) {
        self.ask_window_manager(window, self.atoms.WM_CHANGE_STATE, [3, 0, 0, 0, 0]);
    }

    /// What the close button does (ICCCM §4.2.8.1).
    pub(crate) fn close(&self, window: Window) {
        let data = [self.atoms.WM_DELETE_WINDOW, x11rb::CURRENT_TIME, 0, 0, 0];
        self.send(window, self.atoms.WM_PROTOCOLS, data);
    }

    fn ask_window_manager(&self, window: Window, kind: Atom, data: [u32; 5]) {
        let event = ClientMessageEvent::new(32, window, kind, data);
        let mask = EventMask::SUBSTRUCTURE_REDIRECT | EventMask::SUBSTRUCTURE_NOTIFY;
        self.connection
            .send_event(false, self.root, mask, event)
            .unwrap();
        self.connection.flush().unwrap();
    }

    /// Sends a client message to the program that made the window.
    pub(crate) fn send(&self, window: Window, kind: Atom, data: [u32; 5]) {
        let event = ClientMessageEvent::new(32, window, kind, data);
        self.connection
            .send_event(false, window, EventMask::NO_EVENT, event)
            .unwrap();
        self.connection.flush().unwrap();
    }

    /// The part of the screen inside `rect`; what lies beyond the screen is left out.
    pub(crate) fn picture(&self, rect: Rect) -> RgbImage {
        let screen = self
            .connection
            .get_geometry(self.root)
            .unwrap()
            .reply()
            .unwrap();
        let rect = rect.intersection(Rect {
            x: 0,
            y: 0,
            width: u32::from(screen.width),
            height: u32::from(screen.height),
        });
        if rect.is_empty() {
            return RgbImage::new(1, 1);
        }
        let (x, y) = (rect.x as i16, rect.y as i16);
        let (width, height) = (rect.width as u16, rect.height as u16);
        let pixels =
            self.connection
                .get_image(ImageFormat::Z_PIXMAP, self.root, x, y, width, height, !0);
        let pixels = pixels.unwrap().reply().unwrap().data;
        let rgb = pixels
            .as_chunks::<4>()
            .0
            .iter()
            .flat_map(|&[b, g, r, _]| [r, g, b])
            .collect();
        RgbImage::from_raw(rect.width, rect.height, rgb)
            .expect("24 bits deep means four bytes a pixel")
    }

    pub(crate) fn whole_screen(&self) -> RgbImage {
        self.picture(Rect {
            x: 0,
            y: 0,
            width: 10_000,
            height: 10_000,
        })
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        for child in self.window_manager.iter_mut().chain([&mut self.server]) {
            // It may be gone already, and there is nobody to tell.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
