//! What is chosen in the palette while its list is made anew.

use egui::Key;
use rigscope::ui::{ClipRow, Command};

use crate::fixture::Fixture;
use crate::palette::{close, open, type_text};

fn clip_named(name: &str) -> ClipRow {
    ClipRow {
        name: name.to_owned(),
        duration_secs: 1.0,
        channel_count: 1,
        key_count: 2,
    }
}

/// What is told, and what was read meanwhile, may add to the list.
#[test]
fn the_choice_stays_when_the_list_is_made_anew() {
    let changes: [&dyn Fn(&mut Fixture); 4] = [
        &|_| {},
        &|fixture| *fixture = std::mem::take(fixture).with_message(),
        &|fixture| fixture.saves += 1,
        // It comes before what was chosen.
        &|fixture| fixture.clips.push(clip_named("Clip")),
    ];
    let second = || {
        let (fixture, mut window) = open();
        type_text(&mut window, &fixture, "clip");
        assert_eq!(window.key(&fixture, Key::ArrowDown), []);
        (fixture, window)
    };
    let (fixture, mut window) = second();
    let chosen = window.key(&fixture, Key::Enter);
    assert!(
        matches!(chosen[..], [_, Command::SelectClip(Some(_))]),
        "{chosen:?}"
    );
    for (place, change) in changes.into_iter().enumerate() {
        for is_drawn in [false, true] {
            let (mut fixture, mut window) = second();
            change(&mut fixture);
            if is_drawn {
                assert_eq!(window.frame(&fixture), []);
            }
            let entered = window.key(&fixture, Key::Enter);
            assert_eq!(entered, chosen, "change {place}");
        }
    }
}

#[test]
fn clips_that_come_while_it_is_open_are_found() {
    let (mut fixture, mut window) = open();
    type_text(&mut window, &fixture, "moonwalk");
    assert_eq!(window.key(&fixture, Key::Enter), []);
    fixture.clips.push(clip_named("Moonwalk"));
    window.frame(&fixture);
    let moonwalk = Command::SelectClip(Some(4));
    assert_eq!(window.key(&fixture, Key::Enter), [close(), moonwalk]);
}

/// Also what is found only once a word is long enough to have its letters anywhere.
#[test]
fn letters_one_by_one_find_what_they_find_at_once() {
    for typed in ["mixahips", "@head", "hips", "spine 2", "left hand"] {
        let enter = |is_at_once: bool| {
            let (fixture, mut window) = open();
            if is_at_once {
                type_text(&mut window, &fixture, typed);
            } else {
                for letter in typed.chars() {
                    type_text(&mut window, &fixture, &letter.to_string());
                }
            }
            window.key(&fixture, Key::Enter)
        };
        assert_eq!(enter(false), enter(true), "{typed}");
    }
}

/// What is shown is found; what all begin with only by who types the sign that parts it from the rest.
#[test]
fn clips_are_found_by_their_whole_names() {
    let names = ["Survey", "Walk", "Wave"].map(|name| format!("CharacterArmature|{name}"));
    let fixture = Fixture {
        picker: Some(rigscope::ui::Picker::Palette),
        clips: names.iter().map(|name| clip_named(name)).collect(),
        ..Fixture::default()
    };
    let enter = |typed: &str| {
        let mut window = crate::fixture::settled(&fixture);
        type_text(&mut window, &fixture, typed);
        window.key(&fixture, Key::Enter)
    };
    let wave = [close(), Command::SelectClip(Some(2))];
    for typed in ["wave", "|wave", "armature|wave", &names[2]] {
        assert_eq!(enter(typed), wave, "{typed}");
    }
    let entered = enter("character");
    let is_clip = |command: &Command| matches!(command, Command::SelectClip(_));
    assert!(!entered.iter().any(is_clip), "{entered:?}");
}
