//! What lies in front of everything: dialogs, and the tooltips that belong to them.

use egui::{Order, pos2};
use rigscope::ui::{Command, Fact, Picker, PictureKind, SavingKind};

use crate::fixture::{Fixture, Window, settled};

/// Whether any tooltip is up.
pub fn has_tooltip(window: &Window) -> bool {
    let layers = window
        .ctx
        .memory(|memory| memory.areas().visible_layer_ids());
    layers.iter().any(|layer| layer.order == Order::Tooltip)
}

/// Rests with the pointer there until a tooltip would have come.
pub fn rest(window: &mut Window, fixture: &Fixture, pos: egui::Pos2) {
    // Not as part of a click before.
    window.time_secs += 0.5;
    window.move_to(pos - egui::vec2(1.0, 0.0));
    window.frame(fixture);
    window.move_to(pos);
    for _ in 0..4 {
        window.frame(fixture);
        window.time_secs += 0.5;
    }
    window.frame(fixture);
}

fn dialogs() -> Vec<(&'static str, Fixture)> {
    let plain = Fixture::default;
    let mut keys = plain();
    keys.shown.keys = true;
    let picking = |picker| Fixture {
        picker: Some(picker),
        ..plain()
    };
    let mut large = crate::inspector::fixture();
    large.details.large = large.details.pictures.first().cloned();
    large.details.generation = 7;
    vec![
        ("keys", keys),
        ("palette", picking(Picker::Palette)),
        ("recent files", picking(Picker::Recent)),
        (
            "saving",
            crate::saving::open(SavingKind::Picture(PictureKind::Still)),
        ),
        ("a question", crate::saving::asking()),
        ("a large picture", large),
    ]
}

/// A key opens a dialog while the pointer rests on a button: its tooltip does not stay over the dialog.
#[test]
fn a_tooltip_goes_when_a_dialog_opens() {
    for (name, dialog) in dialogs() {
        let plain = if name == "a large picture" {
            crate::inspector::fixture()
        } else {
            Fixture::default()
        };
        for part in ["play", "skeleton", "view"] {
            let mut window = Window::new(1280.0, 720.0);
            window.settle(&plain);
            let pos = window.part(part).center();
            rest(&mut window, &plain, pos);
            assert!(has_tooltip(&window), "{part} has a tooltip");
            for frame in 0..6 {
                window.frame(&dialog);
                assert!(!has_tooltip(&window), "{part} under {name}, frame {frame}");
                window.time_secs += 0.5;
            }
            // It comes again with the pointer, once the dialog is gone.
            window.frame(&plain);
            rest(&mut window, &plain, pos);
            assert!(has_tooltip(&window), "{part} after {name}");
        }
    }
}

/// What lies behind a dialog is not changed unseen.
#[test]
fn keys_do_nothing_behind_dialogs() {
    use egui::{Key, Modifiers};
    for (name, dialog) in dialogs() {
        let mut window = Window::new(1280.0, 720.0);
        window.settle(&dialog);
        for (modifiers, key) in [
            (Modifiers::NONE, Key::B),
            (Modifiers::NONE, Key::G),
            (Modifiers::NONE, Key::T),
            (Modifiers::NONE, Key::Num1),
            (Modifiers::NONE, Key::PageDown),
            (Modifiers::NONE, Key::Home),
            (Modifiers::SHIFT, Key::B),
            (Modifiers::SHIFT, Key::H),
            (Modifiers::COMMAND, Key::E),
            (Modifiers::COMMAND, Key::Z),
        ] {
            window.modifiers = modifiers;
            let commands = window.key(&dialog, key);
            assert_eq!(commands, [], "{modifiers:?} {key:?} behind {name}");
        }
        window.modifiers = Modifiers::NONE;
        assert_ne!(window.key(&dialog, Key::Escape), [], "{name}");
    }
}

#[test]
fn dialogs_have_tooltips_of_their_own() {
    let mut fixture = Fixture::default();
    fixture.shown.keys = true;
    let mut window = Window::new(1280.0, 720.0);
    window.settle(&fixture);
    let close = window.find_named(&fixture, "Close").expect("a button");
    rest(&mut window, &fixture, close.center());
    assert!(has_tooltip(&window));
    rest(&mut window, &fixture, pos2(4.0, 400.0));
    assert!(!has_tooltip(&window));
}

#[test]
fn a_line_that_goes_on_says_more_where_the_pointer_rests() {
    for (hint, says_more) in [("", false), ("Of the first primitive", true)] {
        let mut fixture = crate::inspector::fixture();
        let mesh = fixture.details.mesh.as_mut().unwrap();
        let fact = Fact::new("Attributes", "POSITION · NORMAL").wrapped();
        mesh.facts.insert(0, fact.hint(hint));
        let mut window = Window::new(1280.0, 2200.0);
        window.settle(&fixture);
        let line = "Attributes: POSITION · NORMAL";
        let line = window.find_named(&fixture, line).expect("a line");
        rest(&mut window, &fixture, line.center());
        assert_eq!(has_tooltip(&window), says_more, "{hint}");
    }
}

/// What is said elsewhere, too, does not lie over the model for ever; but who reads it or means to answer has the time to.
#[test]
fn a_passing_message_goes_by_itself_unless_it_is_read() {
    let mut fixture = Fixture::default().with_message();
    let passed = |window: &mut Window, fixture: &Fixture, secs: usize| {
        let mut commands = Vec::new();
        for _ in 0..10 * secs {
            window.time_secs += 0.1;
            commands.extend(window.frame(fixture));
        }
        commands
    };
    let mut window = settled(&fixture);
    assert_eq!(passed(&mut window, &fixture, 30), [], "this one stays");
    fixture.message.as_mut().expect("it is there").passes = true;
    window.settle(&fixture);
    assert_eq!(passed(&mut window, &fixture, 9), []);
    window.move_to(window.part("message").center());
    assert_eq!(passed(&mut window, &fixture, 30), [], "somebody reads it");
    window.move_to(pos2(5.0, 5.0));
    assert_eq!(passed(&mut window, &fixture, 9), []);
    let gone = passed(&mut window, &fixture, 5);
    let message = fixture.message.clone().expect("it is there");
    assert_eq!(gone.first(), Some(&Command::ExpireMessage(message)));
    // What is put away and said again is there for as long as before.
    let mut window = settled(&fixture);
    assert_eq!(passed(&mut window, &fixture, 9), []);
    let message = fixture.message.take();
    window.settle(&fixture);
    fixture.message = message;
    assert_eq!(passed(&mut window, &fixture, 9), []);
}
