//! The camera: its menu and the gimbal by accessible name, its keys, and flying.

use egui::{Key, Modifiers, PointerButton, vec2};
use rigscope::scene::Side;
use rigscope::ui::{CameraCommand, CameraPane, Command, Flight, Offer, PathPane, PlaybackCommand};

use crate::fixture::{Fixture, Window, settled};

fn camera(command: CameraCommand) -> Command {
    Command::Camera(command)
}

/// Opens the menu and presses what has this name in it.
fn press_in_menu(fixture: &Fixture, name: &str) -> Vec<Command> {
    let mut window = settled(fixture);
    let button = window.part("camera");
    assert_eq!(window.click(fixture, button.center()), []);
    window.settle(fixture);
    let rect = window.find_named(fixture, name);
    let rect = rect.unwrap_or_else(|| panic!("nothing is named \"{name}\""));
    window.click(fixture, rect.center())
}

#[test]
fn the_menu_asks_for_what_it_says() {
    let fixture = Fixture {
        camera: CameraPane {
            side: None,
            has_choice: true,
            has_motion: true,
            follows: Some("Hips"),
            path: Some(PathPane {
                pieces: &[],
                now: None,
                speed: 1.0,
                mean_speed: 1.25,
            }),
            ..CameraPane::default()
        },
        ..Fixture::default()
    };
    for (name, command) in [
        ("All", Command::Camera(CameraCommand::FrameModel)),
        ("Selected", camera(CameraCommand::FrameChosen)),
        ("Whole motion", camera(CameraCommand::FrameMotion)),
        ("Left", camera(CameraCommand::LookFrom(Side::Left))),
        ("Bottom", camera(CameraCommand::LookFrom(Side::Bottom))),
        ("Orthographic", camera(CameraCommand::ToggleProjection)),
        ("Follow Hips", camera(CameraCommand::ToggleFollow)),
        (
            "Over the ground only",
            camera(CameraCommand::ToggleFollowHeight),
        ),
        ("Fly", camera(CameraCommand::ToggleFly)),
        (
            "Path of the root: 1.25 units/s",
            camera(CameraCommand::TogglePath),
        ),
    ] {
        assert_eq!(press_in_menu(&fixture, name), [command], "{name}");
    }
}

/// A camera of the file may see more, and less, than the field of view can be set to.
#[test]
fn the_menu_asks_for_nothing_by_itself() {
    for (radians, file_camera) in [(2.8, Some(0)), (0.01, Some(0)), (2.8, None), (0.01, None)] {
        let fixture = Fixture {
            camera: CameraPane {
                fov_y_radians: radians,
                file_camera,
                ..CameraPane::default()
            },
            ..Fixture::default()
        };
        let mut window = settled(&fixture);
        let button = window.part("camera");
        assert_eq!(window.click(&fixture, button.center()), []);
        for _ in 0..3 {
            assert_eq!(window.frame(&fixture), [], "{radians} {file_camera:?}");
        }
    }
}

#[test]
fn cameras_of_the_file_are_listed() {
    let mut fixture = Fixture::default();
    let names: &'static [String] = Box::leak(Box::new(["Shot 1".to_owned(), "Shot 2".to_owned()]));
    fixture.camera = CameraPane {
        file_cameras: names,
        file_camera: Some(0),
        ..CameraPane::default()
    };
    for (name, place) in [("Free", None), ("Shot 1", Some(0)), ("Shot 2", Some(1))] {
        let expected = camera(CameraCommand::LookThrough(place));
        assert_eq!(press_in_menu(&fixture, name), [expected], "{name}");
    }
    let mut window = settled(&fixture);
    let button = window.find_text(&fixture, "Camera: Shot 1");
    assert!(button.is_some(), "the one in force is named");
}

#[test]
fn what_cannot_be_framed_is_not_asked_for() {
    let fixture = Fixture::default();
    assert_eq!(press_in_menu(&fixture, "Selected"), []);
    assert_eq!(press_in_menu(&fixture, "Whole motion"), []);
    let in_place = "Path of the root (it stays in place)";
    assert_eq!(press_in_menu(&fixture, in_place), []);
    let crowd = Fixture {
        crowd: Some((3, 4)),
        ..Fixture::default()
    };
    let not_here = "Path of the root (not in a crowd)";
    assert_eq!(press_in_menu(&crowd, not_here), []);
}

#[test]
fn keys_move_the_camera() {
    let fixture = Fixture::default();
    let mut window = settled(&fixture);
    let ctrl_shift = Modifiers::COMMAND | Modifiers::SHIFT;
    for (modifiers, key, command) in [
        (Modifiers::SHIFT, Key::F, CameraCommand::FrameChosen),
        (ctrl_shift, Key::F, CameraCommand::FrameMotion),
        (
            Modifiers::COMMAND,
            Key::Num1,
            CameraCommand::LookFrom(Side::Front),
        ),
        (
            Modifiers::COMMAND,
            Key::Num6,
            CameraCommand::LookFrom(Side::Bottom),
        ),
        (Modifiers::NONE, Key::F6, CameraCommand::ToggleProjection),
        (Modifiers::NONE, Key::F7, CameraCommand::ToggleFly),
        (Modifiers::NONE, Key::F8, CameraCommand::ToggleFollow),
        (
            Modifiers::COMMAND,
            Key::OpenBracket,
            CameraCommand::StepCamera(-1),
        ),
        (
            Modifiers::COMMAND,
            Key::CloseBracket,
            CameraCommand::StepCamera(1),
        ),
    ] {
        window.modifiers = modifiers;
        assert_eq!(window.key(&fixture, key), [camera(command)], "{key:?}");
    }
}

#[test]
fn the_ends_of_the_gimbal_are_views() {
    let mut fixture = Fixture::default();
    // From the front and a little from above and from +X: no two ends lie on one another.
    fixture.camera.view_from_world = [0.15, -0.3, 0.05, 0.94];
    fixture.camera.side = None;
    let mut window = settled(&fixture);
    for (name, side) in [
        ("View from front (+Z)", Side::Front),
        ("View from back (−Z)", Side::Back),
        ("View from left (+X)", Side::Left),
        ("View from right (−X)", Side::Right),
        ("View from top (+Y)", Side::Top),
        ("View from bottom (−Y)", Side::Bottom),
    ] {
        let rect = window.find_named(&fixture, name);
        let rect = rect.unwrap_or_else(|| panic!("nothing is named \"{name}\""));
        let expected = camera(CameraCommand::LookFrom(side));
        assert_eq!(window.click(&fixture, rect.center()), [expected], "{name}");
    }
    // A model that looks towards −Z has its front there.
    fixture.camera.faces_back = true;
    for (name, side) in [
        ("View from front (−Z)", Side::Front),
        ("View from back (+Z)", Side::Back),
        ("View from left (−X)", Side::Left),
        ("View from right (+X)", Side::Right),
        ("View from top (+Y)", Side::Top),
    ] {
        let expected = camera(CameraCommand::LookFrom(side));
        assert_eq!(window.click_named(&fixture, name), [expected], "{name}");
    }
    fixture.camera.faces_back = false;
    // Again: from across.
    fixture.camera.side = Some(Side::Front);
    let rect = window.find_named(&fixture, "View from front (+Z)").unwrap();
    let expected = camera(CameraCommand::LookFrom(Side::Back));
    assert_eq!(window.click(&fixture, rect.center()), [expected]);
}

#[test]
fn a_drag_of_the_gimbal_turns() {
    let fixture = Fixture::default();
    for start in [vec2(0.0, 0.0), vec2(0.0, -31.0), vec2(36.0, 36.0)] {
        let mut window = settled(&fixture);
        let start = window.part("gimbal").center() + start;
        window.move_to(start);
        window.frame(&fixture);
        window.button(start, PointerButton::Primary, true);
        let mut commands = window.frame(&fixture);
        for step in 1..=5_u8 {
            window.move_to(start + vec2(-10.0, 4.0) * f32::from(step));
            commands.extend(window.frame(&fixture));
        }
        let end = start + vec2(-50.0, 20.0);
        window.button(end, PointerButton::Primary, false);
        commands.extend(window.frame(&fixture));
        let (mut right, mut down) = (0.0, 0.0);
        for command in commands {
            match command {
                Command::Camera(CameraCommand::Orbit { right: x, down: y }) => {
                    (right, down) = (right + x, down + y);
                }
                other => panic!("{other:?}"),
            }
        }
        assert!((right + 50.0 / 170.0).abs() < 1e-4 && (down - 20.0 / 170.0).abs() < 1e-4);
    }
}

/// Presses or releases a key.
fn key(window: &mut Window, key: Key, pressed: bool) {
    let modifiers = window.modifiers;
    window.event(egui::Event::Key {
        key,
        physical_key: None,
        pressed,
        repeat: false,
        modifiers,
    });
}

#[test]
fn while_flying_its_keys_are_no_commands_and_escape_ends_it() {
    let mut fixture = Fixture::default();
    fixture.camera.flies = true;
    let mut window = settled(&fixture);
    let fly = |way, is_fast| camera(CameraCommand::Fly(Flight { way, is_fast }));
    for (pressed, way) in [
        (Key::W, [0.0, 0.0, 1.0]),
        (Key::S, [0.0, 0.0, -1.0]),
        (Key::A, [-1.0, 0.0, 0.0]),
        (Key::D, [1.0, 0.0, 0.0]),
        (Key::Q, [0.0, -1.0, 0.0]),
        (Key::E, [0.0, 1.0, 0.0]),
    ] {
        key(&mut window, pressed, true);
        assert_eq!(window.frame(&fixture), [fly(way, false)], "{pressed:?}");
        fixture.camera.flight.way = way;
        assert_eq!(window.frame(&fixture), []);
        key(&mut window, pressed, false);
        assert_eq!(window.frame(&fixture), [fly([0.0; 3], false)]);
        fixture.camera.flight = Flight::default();
    }
    window.modifiers = Modifiers::SHIFT;
    window.event(egui::Event::ModifiersChanged(Modifiers::SHIFT));
    key(&mut window, Key::W, true);
    assert_eq!(window.frame(&fixture), [fly([0.0, 0.0, 1.0], true)]);
    key(&mut window, Key::W, false);
    window.modifiers = Modifiers::NONE;
    window.event(egui::Event::ModifiersChanged(Modifiers::NONE));
    assert_eq!(window.frame(&fixture), []);
    // Other keys are what they were.
    assert_eq!(
        window.key(&fixture, Key::Space),
        [Command::Playback(PlaybackCommand::TogglePlay)]
    );
    let escape = window.key(&fixture, Key::Escape);
    assert_eq!(escape, [camera(CameraCommand::ToggleFly)]);
    fixture.camera.flies = false;
    assert_eq!(window.key(&fixture, Key::Q).len(), 1, "simple light again");
}

#[test]
fn while_flying_escape_first_closes_what_is_in_front() {
    let end = camera(CameraCommand::ToggleFly);
    let mut fixture = Fixture::default();
    fixture.camera.flies = true;
    let mut window = settled(&fixture);
    let menu = window.part("light");
    assert_eq!(window.click(&fixture, menu.center()), []);
    window.settle(&fixture);
    assert!(window.find_named(&fixture, "Shadows").is_some());
    assert_eq!(window.key(&fixture, Key::Escape), []);
    window.settle(&fixture);
    assert!(window.find_named(&fixture, "Shadows").is_none());
    fixture.shown.keys = true;
    window.settle(&fixture);
    assert_eq!(window.key(&fixture, Key::Escape), [Command::CloseFront]);
    fixture.shown.keys = false;
    window.settle(&fixture);
    assert_eq!(window.key(&fixture, Key::Escape), [end]);
}

#[test]
fn the_right_button_and_a_key_fly_until_it_is_let_go() {
    let mut fixture = Fixture::default();
    let mut window = settled(&fixture);
    let at = window.part("viewport").center();
    window.move_to(at);
    window.frame(&fixture);
    window.button(at, PointerButton::Secondary, true);
    assert_eq!(window.frame(&fixture), []);
    key(&mut window, Key::D, true);
    let flight = Flight {
        way: [1.0, 0.0, 0.0],
        is_fast: false,
    };
    let expected = camera(CameraCommand::Fly(flight));
    assert_eq!(
        window.frame(&fixture),
        [expected],
        "and no dual quaternions"
    );
    fixture.camera.flight = flight;
    window.move_to(at + vec2(40.0, 0.0));
    let commands = window.frame(&fixture);
    assert!(
        matches!(
            commands[..],
            [Command::Camera(CameraCommand::LookAround { right, down: 0.0 })] if right > 0.0
        ),
        "{commands:?}"
    );
    window.button(at, PointerButton::Secondary, false);
    let mut commands = window.frame(&fixture);
    commands.extend(window.frame(&fixture));
    let still = camera(CameraCommand::Fly(Flight::default()));
    assert!(commands.contains(&still), "{commands:?}");
    fixture.camera.flight = Flight::default();
    key(&mut window, Key::D, false);
    assert_eq!(window.frame(&fixture), []);
}

/// In a slow picture both come with one frame, and A does what a message offers.
#[test]
fn the_right_button_and_a_key_fly_if_they_are_pressed_at_once() {
    let mut fixture = Fixture::default().with_message();
    fixture.message.as_mut().unwrap().offer = Some(Offer::AllowOnce);
    let mut window = settled(&fixture);
    let at = window.part("viewport").center();
    window.move_to(at);
    window.frame(&fixture);
    window.button(at, PointerButton::Secondary, true);
    key(&mut window, Key::A, true);
    let commands = window.frame(&fixture);
    assert!(!commands.contains(&Command::AcceptOffer), "{commands:?}");
    key(&mut window, Key::A, false);
    window.button(at, PointerButton::Secondary, false);
    window.frame(&fixture);
    window.frame(&fixture);
    let accepted = window.key(&fixture, Key::A);
    assert_eq!(accepted, [Command::AcceptOffer]);
}

/// It is the picture's alone.
#[test]
fn the_right_button_beside_the_picture_leaves_keys_alone() {
    let mut fixture = Fixture::default().with_message();
    fixture.message.as_mut().unwrap().offer = Some(Offer::AllowOnce);
    let mut window = settled(&fixture);
    let at = window.part("viewport").left_center() - vec2(40.0, 0.0);
    assert!(at.x > 0.0, "there is a panel");
    window.move_to(at);
    window.frame(&fixture);
    window.button(at, PointerButton::Secondary, true);
    key(&mut window, Key::A, true);
    let commands = window.frame(&fixture);
    assert!(commands.contains(&Command::AcceptOffer), "{commands:?}");
}

#[test]
fn nobody_flies_behind_what_is_in_front() {
    let mut fixture = Fixture::default();
    fixture.camera.flies = true;
    let mut window = settled(&fixture);
    fixture.shown.keys = true;
    window.settle(&fixture);
    key(&mut window, Key::W, true);
    assert_eq!(window.frame(&fixture), []);
    fixture.shown.keys = false;
    let flight = Flight {
        way: [0.0, 0.0, 1.0],
        is_fast: false,
    };
    window.frame(&fixture);
    fixture.camera.flight = flight;
    assert_eq!(window.frame(&fixture), [], "it goes on");
}

#[test]
fn small_pictures_have_neither_gimbal_nor_menu() {
    let fixture = Fixture::default();
    let mut window = Window::new(180.0, 240.0);
    window.settle(&fixture);
    let layout = window.layout.clone().unwrap();
    let names: Vec<_> = layout.named.iter().map(|(name, _)| *name).collect();
    assert!(
        !names.contains(&"gimbal") && !names.contains(&"camera"),
        "{names:?}"
    );
}

/// What is said of a flight lies beside the menus in the corners, of which narrow pictures have two rows.
#[test]
fn what_is_said_of_a_flight_can_be_read() {
    for size in [
        (1280.0, 720.0),
        (1000.0, 600.0),
        (800.0, 500.0),
        (700.0, 420.0),
    ] {
        let mut fixture = Fixture::default();
        fixture.camera.flies = true;
        let mut window = Window::new(size.0, size.1);
        window.frame(&fixture);
        let viewport = window.layout.as_ref().unwrap().viewport;
        let texts = window.texts_in(&fixture, viewport);
        let hint = texts.iter().find(|(text, _)| text.contains("units/s"));
        let (_, hint) = hint.unwrap_or_else(|| panic!("{size:?}: {texts:?}"));
        for part in ["view", "light", "camera"] {
            let part = window.part(part);
            assert!(
                !hint.expand(4.0).intersects(part),
                "{size:?}: {hint} {part}"
            );
        }
    }
}
