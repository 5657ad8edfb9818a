//! The menu of comparing: its clips, many, with long names, and searched; and what is left of it in small windows.

use egui::Key;
use rigscope::scene::SplitWay;
use rigscope::ui::{ClipRow, Command, CompareCommand, CompareWith};

use crate::compare::on;
use crate::fixture::{Fixture, Window, settled};

/// A file may have thousands of clips: each would be laid out anew in every frame in which the menu is open.
#[test]
fn of_many_clips_only_those_in_sight_are_laid_out() {
    let mut fixture = on(SplitWay::Wipe);
    let clip = fixture.clips[0].clone();
    fixture.clips = vec![clip; 3000];
    let mut window = settled(&fixture);
    window.click_text(&fixture, SplitWay::Wipe.label());
    for _ in 0..4 {
        window.frame(&fixture);
    }
    let named = window.tree(&fixture).into_iter();
    let rows = named.filter(|(_, node)| node.label() == Some("Clip Survey"));
    let count = rows.count();
    assert!((1..100).contains(&count), "{count}");
}

/// Lines in two rows lie over one another, since all are as high as one.
#[test]
fn long_names_of_clips_are_lines_of_the_menu_too() {
    let mut fixture = on(SplitWay::Wipe);
    let clip = fixture.clips[0].clone();
    let name =
        |clip: usize| format!("a very long name of a clip that goes on and on and on {clip}");
    fixture.clips = (0..40)
        .map(|number| ClipRow {
            name: name(number),
            ..clip.clone()
        })
        .collect();
    let mut window = settled(&fixture);
    window.click_text(&fixture, SplitWay::Wipe.label());
    window.settle(&fixture);
    let [second, third] = [2, 3].map(|clip| {
        let label = format!("Clip {}", name(clip));
        window.find_named(&fixture, &label).expect("a line")
    });
    assert!(second.height() < 28.0, "{second}");
    assert!(third.top() >= second.bottom(), "{second} {third}");
}

#[test]
fn many_clips_are_searched() {
    let mut fixture = on(SplitWay::Wipe);
    let clip = fixture.clips[0].clone();
    fixture.clips = (0..40)
        .map(|number| ClipRow {
            name: format!("Move {number}"),
            ..clip.clone()
        })
        .collect();
    fixture.clip = Some(23);
    let search = "Search clips to compare with";
    let mut window = settled(&fixture);
    window.click_text(&fixture, SplitWay::Wipe.label());
    window.settle(&fixture);
    // It does not make the menu as wide as menus may become.
    let field = window.find_named(&fixture, search).expect("the search");
    assert!(field.width() <= 320.0, "{field}");
    // What is typed belongs to it at once, and is no command.
    for words in ["move", " 3"] {
        window.event(egui::Event::Text(words.to_owned()));
        window.settle(&fixture);
    }
    let row = |number: usize| format!("Clip Move {number}");
    for (number, is_there) in [(3, true), (30, true), (39, true), (23, false), (4, false)] {
        let found = window.find_named(&fixture, &row(number));
        assert_eq!(found.is_some(), is_there, "{number}");
    }
    let chosen = [Command::Compare(CompareCommand::With(CompareWith::Clip(
        30,
    )))];
    assert_eq!(window.click_named(&fixture, &row(30)), chosen);
    window.click_named(&fixture, search);
    window.event(egui::Event::Text("x".to_owned()));
    window.settle(&fixture);
    assert!(window.find_text(&fixture, "No clip of that name").is_some());
    // Few are seen at once.
    fixture.clips.truncate(8);
    window.settle(&fixture);
    assert_eq!(window.find_named(&fixture, search), None);
    assert!(window.find_named(&fixture, &row(4)).is_some());
}

#[test]
fn what_was_found_is_chosen_by_keys() {
    let mut fixture = on(SplitWay::Wipe);
    let clip = fixture.clips[0].clone();
    let names = (0..40).map(|number| format!("Move {number}"));
    fixture.clips = names
        .map(|name| ClipRow {
            name,
            ..clip.clone()
        })
        .collect();
    fixture.clip = Some(23);
    let with = |clip| {
        [Command::Compare(CompareCommand::With(CompareWith::Clip(
            clip,
        )))]
    };
    let open = || {
        let mut window = settled(&fixture);
        window.click_text(&fixture, SplitWay::Wipe.label());
        window.settle(&fixture);
        window.event(egui::Event::Text("move 3".to_owned()));
        window.settle(&fixture);
        window
    };
    assert_eq!(open().key(&fixture, Key::Enter), with(3), "the first");
    let mut window = open();
    assert_eq!(window.key(&fixture, Key::ArrowDown), []);
    assert_eq!(window.key(&fixture, Key::ArrowDown), []);
    assert_eq!(window.key(&fixture, Key::Enter), with(30), "the second");
}

#[test]
fn clips_are_found_by_what_is_shown_or_by_their_whole_names() {
    let mut fixture = on(SplitWay::Wipe);
    let clip = fixture.clips[0].clone();
    fixture.clips = (0..40)
        .map(|number| ClipRow {
            name: format!("Rig|Move {number}"),
            ..clip.clone()
        })
        .collect();
    fixture.clip = Some(23);
    for (typed, is_found) in [("rig", false), ("move 30", true), ("rig|move 30", true)] {
        let mut window = settled(&fixture);
        window.click_text(&fixture, SplitWay::Wipe.label());
        window.settle(&fixture);
        window.event(egui::Event::Text(typed.to_owned()));
        window.settle(&fixture);
        let row = window.find_named(&fixture, "Clip Move 30");
        assert_eq!(row.is_some(), is_found, "{typed}");
    }
}

/// In a window of 800 × 500 whose interface is twice as large.
#[test]
fn comparing_can_be_ended_in_a_small_window() {
    for way in [SplitWay::SideBySide, SplitWay::Wipe, SplitWay::Overlay] {
        let fixture = on(way);
        let mut window = Window::new(400.0, 250.0);
        window.settle(&fixture);
        let asked = window.click_named(&fixture, "Stop comparing");
        assert_eq!(asked, [Command::Compare(CompareCommand::Show(None))]);
    }
    let mut window = Window::new(400.0, 250.0);
    window.settle(&Fixture::default());
    assert!(
        window
            .find_named(&Fixture::default(), "Stop comparing")
            .is_none()
    );
}

/// In narrow pictures the line goes through the button.
#[test]
fn the_line_between_a_and_b_leaves_the_button_that_ends_comparing_free() {
    for way in [SplitWay::SideBySide, SplitWay::Wipe] {
        let fixture = on(way);
        let mut window = Window::new(190.0, 250.0);
        window.settle(&fixture);
        let button = window.find_named(&fixture, "Stop comparing");
        let button = button.expect("a button");
        let at = egui::pos2(window.part("viewport").center().x, button.center().y);
        assert!(button.contains(at), "{button} {at}");
        let asked = window.click(&fixture, at);
        assert_eq!(asked, [Command::Compare(CompareCommand::Show(None))]);
    }
}
