//! The menu of light by accessible name, and its keys.

use egui::{Key, Modifiers};
use rigscope::scene::{Backdrop, LightSettings, Quality, Transparency};
use rigscope::ui::{Command, PictureCommand};

use crate::fixture::{Fixture, Window, settled};

fn opened(fixture: &Fixture) -> Window {
    let mut window = settled(fixture);
    let button = window.part("light");
    assert_eq!(window.click(fixture, button.center()), []);
    window.settle(fixture);
    window
}

fn press(fixture: &Fixture, name: &str) -> Vec<Command> {
    let mut window = opened(fixture);
    let rect = window.find_named(fixture, name);
    let rect = rect.unwrap_or_else(|| panic!("nothing is named \"{name}\""));
    window.click(fixture, rect.center())
}

#[test]
fn the_menu_chooses_transparency() {
    let fixture = Fixture::default();
    let weighted = LightSettings {
        transparency: Transparency::Weighted,
        ..fixture.light
    };
    assert_eq!(
        press(&fixture, "Weighted"),
        [Command::Picture(PictureCommand::SetLight(weighted))]
    );
    let fixture = Fixture {
        light: weighted,
        ..Fixture::default()
    };
    let mut window = settled(&fixture);
    window.modifiers = Modifiers::SHIFT;
    let sorted = LightSettings::default();
    assert_eq!(
        window.key(&fixture, Key::T),
        [Command::Picture(PictureCommand::SetLight(sorted))]
    );
}

/// A caption that is as large and dark as a choice looks like one.
#[test]
fn captions_of_choices_are_smaller_than_these() {
    let fixture = Fixture::default();
    let mut window = opened(&fixture);
    for (caption, choice) in [("Tone", "ACES"), ("Transparency", "Sorted")] {
        let [caption, choice] = [caption, choice].map(|words| {
            let shapes = window.shapes(&fixture).into_iter();
            let mut texts = shapes.filter_map(|shape| match shape {
                egui::Shape::Text(text) if text.galley.text() == words => Some(text),
                _ => None,
            });
            let text = texts.next().unwrap_or_else(|| panic!("no {words}"));
            (text.galley.job.sections[0].format.font_id.size, text.pos.y)
        });
        assert!(caption.0 < choice.0, "{caption:?} {choice:?}");
        assert!((caption.1 - choice.1).abs() < 6.0, "in a row");
    }
}

#[test]
fn the_menu_says_why_light_is_simple() {
    let words = "Set automatically: there is no graphics adapter.";
    for by_itself in [true, false] {
        let fixture = Fixture {
            light: LightSettings {
                quality: Quality::Low,
                ..LightSettings::default()
            },
            light_is_simple_by_itself: by_itself,
            ..Fixture::default()
        };
        let mut window = opened(&fixture);
        assert_eq!(window.find_text(&fixture, words).is_some(), by_itself);
    }
}

#[test]
fn the_color_of_the_background_is_chosen() {
    let backdrop = Backdrop::Plain([0.5; 3]);
    let fixture = Fixture {
        backdrop,
        ..Fixture::default()
    };
    let mut window = opened(&fixture);
    let figure = window.find_text(&fixture, "128").expect("it is there");
    // The slider of the first colour, 110 wide, lies before its figure.
    let commands = window.click(&fixture, figure.left_center() - egui::vec2(105.0, 0.0));
    let [
        Command::Picture(PictureCommand::SetBackdrop(Backdrop::Plain([red, green, blue]))),
        ..,
    ] = commands[..]
    else {
        panic!("{commands:?}");
    };
    assert!(red < 0.1 && [green, blue] == [0.5; 2], "{red}");
    window.settle(&fixture);
    assert!(window.find_text(&fixture, "Blue").is_some(), "still open");
}

#[test]
fn simple_light_has_no_shadows_to_tick() {
    let low = LightSettings {
        quality: Quality::Low,
        ..LightSettings::default()
    };
    assert!(low.shadows);
    for (light, is_full) in [(LightSettings::default(), true), (low, false)] {
        let fixture = Fixture {
            light,
            ..Fixture::default()
        };
        let mut window = opened(&fixture);
        let node = window.accessible(&fixture, "Shadows").expect("a box");
        assert_eq!(node.is_disabled(), !is_full);
        let is_ticked = node.toggled() == Some(egui::accesskit::Toggled::True);
        assert_eq!(is_ticked, is_full);
        assert_eq!(press(&fixture, "Shadows").is_empty(), !is_full);
    }
}

/// Numbers of menus are typed in them, and there is more than one thing to set.
#[test]
fn menus_stay_while_something_is_set() {
    let fixture = Fixture::default();
    let mut window = settled(&fixture);
    let button = window.part("view");
    assert_eq!(window.click(&fixture, button.center()), []);
    window.settle(&fixture);
    let label = window.find_text(&fixture, "Fade between clips").unwrap();
    let number = egui::pos2(label.right() + 20.0, label.center().y);
    window.click(&fixture, number);
    window.settle(&fixture);
    assert!(window.find_text(&fixture, "In place").is_some());
    let toggle = window.find_text(&fixture, "In place").unwrap();
    let toggled = window.click(&fixture, toggle.center());
    assert_eq!(
        toggled,
        [Command::Motion(rigscope::ui::MotionCommand::ToggleInPlace)]
    );
    window.settle(&fixture);
    assert!(window.find_text(&fixture, "In place").is_some());
}
