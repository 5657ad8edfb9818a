//! The numbers of the clock in the bar below the picture: typed, dragged, and running.

use egui::Key;
use rigscope::ui::{Command, GroundSpeed, PlaybackCommand};

use crate::fixture::{Fixture, Window, settled};

const TIME: &str = "Time in seconds";
const FRAME: &str = "Frame";

/// Types a number, whose first digits would be commands elsewhere.
fn typed(window: &mut Window, fixture: &Fixture, name: &str, number: &str) -> Vec<Command> {
    let mut commands = window.click_named(fixture, name);
    for sign in number.chars() {
        window.event(egui::Event::Text(sign.to_string()));
        let digit = Key::from_name(&sign.to_string());
        commands.extend(digit.map_or(Vec::new(), |key| window.key(fixture, key)));
    }
    commands.extend(window.key(fixture, Key::Enter));
    commands.extend(window.frame(fixture));
    commands
}

/// The one time that was asked for.
#[track_caller]
fn sought(commands: &[Command]) -> f64 {
    match commands {
        [Command::Playback(PlaybackCommand::Seek(time_secs))] => *time_secs,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_typed_time_or_frame_is_gone_to() {
    let fixture = Fixture::default();
    for (name, number, expected) in [
        (FRAME, "42", 42.0 / 30.0),
        (FRAME, "0", 0.0),
        (FRAME, "999", 2.0),
        (TIME, "1.25", 1.25),
        (TIME, "12", 2.0),
    ] {
        let mut window = settled(&fixture);
        let found = sought(&typed(&mut window, &fixture, name, number));
        assert!((found - expected).abs() < 1e-9, "{name} {number}: {found}");
    }
}

/// A clip may well end between two frames.
#[test]
fn the_last_frame_is_no_later_than_the_end() {
    let mut fixture = Fixture::default();
    fixture.playback.duration_secs = 0.7083;
    fixture.playback.frames_per_sec = 24.0;
    let mut window = settled(&fixture);
    let found = sought(&typed(&mut window, &fixture, FRAME, "17"));
    assert_eq!(found, 0.7083);
}

/// The end is reached, and nothing goes back from it.
#[test]
fn a_clip_rests_at_an_end_between_frames() {
    let mut fixture = Fixture::default();
    fixture.playback.duration_secs = 3.708_33;
    fixture.playback.time_secs = 3.708_33;
    fixture.playback.is_playing = false;
    let mut window = settled(&fixture);
    for _ in 0..3 {
        assert_eq!(window.frame(&fixture), []);
    }
    let place = window.find_named(&fixture, FRAME).expect("a number");
    let texts = window.texts_in(&fixture, place.expand(2.0));
    assert!(texts.iter().any(|(words, _)| words == "111.2"), "{texts:?}");
}

#[test]
fn keys_are_commands_again_after_a_number_was_typed() {
    let fixture = Fixture::default();
    let mut window = settled(&fixture);
    typed(&mut window, &fixture, FRAME, "7");
    for (key, command) in [
        (Key::Space, Command::Playback(PlaybackCommand::TogglePlay)),
        (
            Key::ArrowRight,
            Command::Playback(PlaybackCommand::StepFrames(1)),
        ),
        (Key::Num1, Command::SelectClip(Some(0))),
    ] {
        assert_eq!(window.key(&fixture, key), [command], "{key:?}");
    }
    // The pointer may lie on it.
    let frame = window.find_named(&fixture, FRAME).expect("a number");
    window.move_to(frame.center());
    window.settle(&fixture);
    assert_eq!(
        window.key(&fixture, Key::Space),
        [Command::Playback(PlaybackCommand::TogglePlay)]
    );
}

#[test]
fn the_numbers_run_with_time_but_not_under_the_hand_that_types() {
    let mut fixture = Fixture::default();
    fixture.playback.is_playing = true;
    let mut window = settled(&fixture);
    for (frame, shown) in [(10, "10"), (11, "11"), (29, "29")] {
        fixture.playback.time_secs = f64::from(frame) / 30.0;
        window.settle(&fixture);
        assert!(window.find_text(&fixture, shown).is_some(), "{shown}");
    }
    for (name, signs, expected) in [(FRAME, "51", 1.7), (TIME, ".5", 0.5)] {
        assert_eq!(window.click_named(&fixture, name), []);
        for sign in signs.chars() {
            fixture.playback.time_secs += 0.01;
            window.event(egui::Event::Text(sign.to_string()));
            assert_eq!(window.frame(&fixture), []);
        }
        fixture.playback.time_secs += 0.01;
        let mut commands = window.key(&fixture, Key::Enter);
        fixture.playback.time_secs += 0.01;
        commands.extend(window.frame(&fixture));
        let found = sought(&commands);
        assert!((found - expected).abs() < 1e-9, "{name}: {found}");
    }
    // Who only looks asks for nothing, be it between two milliseconds.
    fixture.playback.time_secs = 0.712_345;
    for name in [FRAME, TIME] {
        let mut commands = window.click_named(&fixture, name);
        fixture.playback.time_secs += 0.5;
        commands.extend(window.key(&fixture, Key::Enter));
        commands.extend(window.frame(&fixture));
        assert_eq!(commands, [], "{name}");
        fixture.playback.time_secs -= 0.5;
    }
}

#[test]
fn the_numbers_are_dragged() {
    let fixture = Fixture::default();
    for (name, least, most) in [(FRAME, 10.0, 20.0), (TIME, 10.0, 30.0)] {
        let mut window = settled(&fixture);
        let start = window.find_named(&fixture, name).expect(name).center();
        window.move_to(start);
        window.frame(&fixture);
        window.button(start, egui::PointerButton::Primary, true);
        assert_eq!(window.frame(&fixture), []);
        window.move_to(start + egui::vec2(12.0, 0.0));
        let frame = 30.0 * sought(&window.frame(&fixture));
        assert!((least..most).contains(&frame), "{name}: {frame}");
    }
}

#[test]
fn arrows_in_the_number_go_on_by_frames() {
    for (key, frame) in [(Key::ArrowUp, 10), (Key::ArrowDown, 8)] {
        let mut fixture = Fixture::default();
        let mut window = settled(&fixture);
        window.click_named(&fixture, FRAME);
        for frame in [frame, 2 * frame - 9] {
            let found = sought(&window.key(&fixture, key));
            assert_eq!(found, f64::from(frame) / 30.0, "{key:?}");
            fixture.playback.time_secs = found;
            window.settle(&fixture);
        }
    }
}

/// Digits that come and go move nothing.
#[test]
fn the_numbers_keep_their_places() {
    let mut fixture = Fixture::default();
    fixture.playback.duration_secs = 12.0;
    let mut window = settled(&fixture);
    let parts = [TIME, FRAME, "Frames a second"];
    let places = |fixture: &Fixture, window: &mut Window| {
        parts.map(|name| window.find_named(fixture, name).expect(name))
    };
    let before = places(&fixture, &mut window);
    let words = window.find_text(&fixture, "/ 360").expect("the last frame");
    fixture.playback.time_secs = 11.9;
    window.settle(&fixture);
    assert_eq!(places(&fixture, &mut window), before);
    window.click_named(&fixture, FRAME);
    window.settle(&fixture);
    assert_eq!(places(&fixture, &mut window), before, "while it is typed");
    assert_eq!(window.find_text(&fixture, "/ 360"), Some(words));
}

/// Between two frames a whole number would be untrue.
#[test]
fn between_frames_the_figure_says_so() {
    let mut fixture = Fixture::default();
    for (frame, is_playing, shown) in [
        (16.3, false, "16.3"),
        (16.3, true, "16"),
        (16.0, false, "16"),
        (16.001, false, "16"),
    ] {
        fixture.playback.time_secs = frame / 30.0;
        fixture.playback.is_playing = is_playing;
        let mut window = settled(&fixture);
        let place = window.find_named(&fixture, FRAME).expect("a number");
        let texts = window.texts_in(&fixture, place.expand(2.0));
        assert!(texts.iter().any(|(words, _)| words == shown), "{texts:?}");
    }
}

#[test]
fn the_speed_over_the_ground_is_a_number_beside_the_rate() {
    let mut fixture = Fixture::default();
    let clip = fixture.clip.unwrap();
    fixture.ground_speeds = vec![GroundSpeed {
        clip,
        units_per_sec: 1.416,
        on_the_spot: true,
        of_sides: None,
    }];
    let mut window = settled(&fixture);
    let found = window.find_text(&fixture, "1.42 units/s").expect("room");
    let rate = window.find_named(&fixture, "Frames a second").unwrap();
    assert!(found.left() > rate.right() && found.y_range().contains(rate.center().y));
    // Feet that disagree say both.
    fixture.ground_speeds[0].of_sides = Some([0.661, 1.293]);
    let both = window.find_text(&fixture, "0.66 to 1.29 units/s");
    assert!(both.is_some());
    fixture.ground_speeds[0].of_sides = None;
    // Another clip stands still.
    fixture.clip = Some(clip + 1);
    assert_eq!(window.find_text(&fixture, "1.42 units/s"), None);
    fixture.clip = Some(clip);
    let mut narrow = Window::new(800.0, 500.0);
    narrow.settle(&fixture);
    assert_eq!(narrow.find_text(&fixture, "1.42 units/s"), None);
}

/// A window of 1280 × 800 at twice the size: the length of the clip stands at the end of the axis, too.
#[test]
fn narrow_bars_hold_frame_numbers() {
    let fixture = Fixture::default();
    for (width, names) in [
        (640.0, &["Frame", "Frames a second"][..]),
        (540.0, &["Frame"]),
    ] {
        let mut window = Window::new(width, 400.0);
        window.settle(&fixture);
        for name in names {
            let rect = window.find_named(&fixture, name).expect(name);
            assert!(rect.right() < width, "{name} at {rect}");
        }
    }
}

/// What is not taken as it was typed is said.
#[test]
fn a_speed_beyond_the_limits_is_said() {
    for (number, taken, words) in [
        ("9", Some(4.0), Some("Speed 4.00×: the fastest")),
        ("0", Some(0.0), Some("Speed 0.00×: time stands still")),
        ("50%", Some(0.5), None),
        ("1,5", Some(1.5), None),
        (
            "fast",
            None,
            Some("Not a speed: type a number such as 0.5, or 50%"),
        ),
    ] {
        let mut fixture = Fixture::default();
        let mut window = settled(&fixture);
        let commands = typed(&mut window, &fixture, "Speed", number);
        let speed = commands.iter().rev().find_map(|command| match command {
            Command::Playback(PlaybackCommand::SetSpeed(speed)) => Some(*speed),
            _ => None,
        });
        assert_eq!(speed, taken, "{number}: {commands:?}");
        fixture.playback.speed = taken.unwrap_or(1.0);
        window.frame(&fixture);
        let whole = egui::Rect::from_min_size(egui::Pos2::ZERO, window.size);
        let texts = window.texts_in(&fixture, whole);
        let said = |words: &str| texts.iter().any(|(text, _)| text == words);
        match words {
            Some(words) => assert!(said(words), "{number}: {texts:?}"),
            None => assert!(!texts.iter().any(|(text, _)| text.starts_with("Speed "))),
        }
    }
}

/// Where nothing plays, nothing is set about it.
#[test]
fn speed_and_loop_are_disabled_without_clips() {
    let mut fixture = Fixture::default();
    let mut window = settled(&fixture);
    assert_eq!(window.click_text(&fixture, "0.5×").len(), 1);
    fixture.clips.clear();
    fixture.clip = None;
    window.settle(&fixture);
    assert_eq!(window.click_text(&fixture, "0.5×"), []);
    let words = "Hold: stop at the last frame";
    assert_eq!(window.click_named(&fixture, words), []);
}
