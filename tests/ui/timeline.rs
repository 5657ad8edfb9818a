//! The time axis: what it shows, what loops, and the keys that go through it.

use egui::{Event, Key, Modifiers, MouseWheelUnit, PointerButton, pos2, vec2};
use rigscope::ui::{Command, PlaybackCommand, TimeSpan, TimelineCommand};

use crate::fixture::{Fixture, Window, settled};

fn span(from_secs: f64, to_secs: f64) -> TimeSpan {
    TimeSpan { from_secs, to_secs }
}

/// What the axis is asked to show.
#[track_caller]
fn shown(commands: &[Command]) -> Option<TimeSpan> {
    match commands {
        [Command::Timeline(TimelineCommand::Show(span))] => *span,
        other => panic!("{other:?}"),
    }
}

fn wheel(window: &mut Window, modifiers: Modifiers, delta: egui::Vec2) {
    window.event(Event::MouseWheel {
        unit: MouseWheelUnit::Line,
        delta,
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Unknown,
        modifiers,
    });
}

/// The label says the frame that a click there leads to.
#[test]
fn between_frames_the_label_says_what_the_clock_will_say() {
    let mut fixture = Fixture::default();
    let mut window = settled(&fixture);
    let timeline = window.part("timeline");
    window.move_to(timeline.lerp_inside([0.325, 0.8]));
    let label = "0.650 s  ·  frame 19.5";
    assert!(window.find_text(&fixture, label).is_some());
    fixture.playback.time_secs = 0.65;
    window.settle(&fixture);
    assert!(window.find_text(&fixture, "19.5").is_some());
}

#[test]
fn ctrl_and_the_wheel_zoom_at_the_pointer() {
    let mut fixture = Fixture::default();
    let mut window = settled(&fixture);
    let timeline = window.part("timeline");
    window.move_to(timeline.lerp_inside([0.25, 0.8]));
    window.frame(&fixture);
    // All of it is shown: there is nowhere to go.
    wheel(&mut window, Modifiers::NONE, vec2(0.0, -1.0));
    assert_eq!(window.frame(&fixture), []);
    wheel(&mut window, Modifiers::COMMAND, vec2(0.0, -1.0));
    assert_eq!(shown(&window.frame(&fixture)), None);
    wheel(&mut window, Modifiers::COMMAND, vec2(0.0, 2.0));
    let span = shown(&window.frame(&fixture)).expect("a part of it");
    assert!((span.length_secs() - 2.0 * 0.64).abs() < 1e-9, "{span:?}");
    let under_pointer = span.from_secs + 0.25 * span.length_secs();
    assert!((under_pointer - 0.5).abs() < 1e-4, "{span:?}");
    window.event(Event::Zoom(2.0));
    let pinched = shown(&window.frame(&fixture)).expect("a part of it");
    assert!((pinched.length_secs() - 1.0).abs() < 1e-9);

    fixture.shown_span = Some(span);
    window.settle(&fixture);
    wheel(&mut window, Modifiers::NONE, vec2(0.0, -1.0));
    let moved = shown(&window.frame(&fixture)).expect("a part of it");
    assert!(moved.from_secs > span.from_secs, "down is to the right");
    assert!((moved.length_secs() - span.length_secs()).abs() < 1e-9);
}

#[test]
fn the_middle_button_moves_the_axis_and_a_double_click_shows_all() {
    let fixture = Fixture {
        shown_span: Some(span(0.5, 1.0)),
        ..Fixture::default()
    };
    let mut window = settled(&fixture);
    let timeline = window.part("timeline");
    let start = timeline.center();
    window.move_to(start);
    window.frame(&fixture);
    window.button(start, PointerButton::Middle, true);
    assert_eq!(window.frame(&fixture), []);
    window.move_to(start - vec2(0.2 * timeline.width(), 0.0));
    let moved = shown(&window.frame(&fixture)).expect("a part of it");
    assert!((moved.from_secs - 0.6).abs() < 1e-4 && (moved.to_secs - 1.1).abs() < 1e-4);
    window.button(start, PointerButton::Middle, false);
    window.frame(&fixture);

    // What is dragged is sought where the zoomed axis has it.
    let commands = window.click(&fixture, timeline.lerp_inside([0.5, 0.8]));
    let [Command::Playback(PlaybackCommand::Seek(time)), ..] = commands.as_slice() else {
        panic!("{commands:?}");
    };
    assert!((time - 0.75).abs() < 1e-3, "{time}");
    let commands = window.click(&fixture, timeline.lerp_inside([0.5, 0.8]));
    let all = Command::Timeline(TimelineCommand::Show(None));
    assert!(commands.contains(&all), "{commands:?}");
}

#[test]
fn the_overview_is_there_when_zoomed_and_moves_the_axis() {
    let name = "What the time axis shows";
    let mut fixture = Fixture::default();
    let mut window = settled(&fixture);
    assert_eq!(window.find_named(&fixture, name), None);
    fixture.shown_span = Some(span(0.5, 1.0));
    window.settle(&fixture);
    let bar = window.find_named(&fixture, name).expect("it is there");
    window.move_to(bar.lerp_inside([0.4, 0.5]));
    window.frame(&fixture);
    window.button(bar.lerp_inside([0.4, 0.5]), PointerButton::Primary, true);
    assert_eq!(window.frame(&fixture), [], "caught where it is");
    window.move_to(bar.lerp_inside([0.5, 0.5]));
    let moved = shown(&window.frame(&fixture)).expect("a part of it");
    assert!((moved.from_secs - 0.7).abs() < 1e-3, "{moved:?}");
}

#[test]
fn the_ends_of_what_loops_are_dragged_to_frames() {
    for range in [None, Some(span(0.3, 1.5))] {
        for (name, is_end) in [("Loop from here on", false), ("Loop up to here", true)] {
            let fixture = Fixture {
                range,
                ..Fixture::default()
            };
            let mut window = settled(&fixture);
            let timeline = window.part("timeline");
            let grip = window
                .find_named(&fixture, name)
                .expect("it is there")
                .center();
            window.move_to(grip);
            window.frame(&fixture);
            window.button(grip, PointerButton::Primary, true);
            assert_eq!(window.frame(&fixture), [], "a press alone changes nothing");
            let x = timeline.left() + 0.511 * timeline.width();
            window.move_to(pos2(x, grip.y));
            let commands = window.frame(&fixture);
            let [Command::Timeline(TimelineCommand::SetRange(Some(found)))] = commands[..] else {
                panic!("{commands:?}");
            };
            let all = range.unwrap_or(span(0.0, 2.0));
            // 1.022 s is nearest to frame 31 of 30 a second.
            let frame = 31.0 / 30.0;
            let expected = if is_end {
                span(all.from_secs, frame)
            } else {
                span(frame, all.to_secs)
            };
            let error = (found.from_secs - expected.from_secs).abs()
                + (found.to_secs - expected.to_secs).abs();
            assert!(error < 1e-9, "{found:?} instead of {expected:?}");
            // The other end is not passed.
            window.move_to(pos2(if is_end { 0.0 } else { 5000.0 }, grip.y));
            let commands = window.frame(&fixture);
            let [Command::Timeline(TimelineCommand::SetRange(Some(found)))] = commands[..] else {
                panic!("{commands:?}");
            };
            assert!(found.length_secs() > 0.03, "{found:?}");
        }
    }
}

/// In points are set anywhere, also within the last frame: then there is no frame for the other end.
#[test]
fn the_ends_of_a_range_shorter_than_a_frame_are_dragged() {
    for (name, from_secs, wanted) in [
        ("Loop up to here", 1.99, span(1.99, 2.0)),
        ("Loop from here on", 0.0, span(0.0, 0.01)),
    ] {
        let fixture = Fixture {
            range: Some(span(from_secs, from_secs + 0.01)),
            ..Fixture::default()
        };
        let mut window = settled(&fixture);
        let grip = window.find_named(&fixture, name).expect("it is there");
        let grip = grip.center();
        window.move_to(grip);
        window.frame(&fixture);
        window.button(grip, PointerButton::Primary, true);
        window.frame(&fixture);
        window.move_to(grip - vec2(60.0, 0.0));
        let set = TimelineCommand::SetRange(Some(wanted));
        assert_eq!(window.frame(&fixture), [Command::Timeline(set)]);
    }
}

#[test]
fn keys_zoom_about_the_playhead() {
    let mut fixture = Fixture {
        shown_span: Some(span(0.0, 1.0)),
        ..Fixture::default()
    };
    fixture.playback.time_secs = 0.5;
    let mut window = settled(&fixture);
    let near = shown(&window.key(&fixture, Key::Z)).expect("a part of it");
    assert!((near.from_secs - 0.15).abs() < 1e-9 && (near.to_secs - 0.85).abs() < 1e-9);
    window.modifiers = Modifiers::SHIFT;
    let far = shown(&window.key(&fixture, Key::Z)).expect("a part of it");
    assert!((far.length_secs() - 1.0 / 0.7).abs() < 1e-9);
}

#[test]
fn a_crowd_that_plays_all_clips_is_stopped_without_a_clip() {
    let mut fixture = Fixture {
        clip: None,
        ..Fixture::default()
    };
    fixture.playback.duration_secs = 0.0;
    fixture.playback.is_playing = true;
    let mut window = settled(&fixture);
    assert_eq!(
        window.click_named(&fixture, "Pause"),
        [Command::Playback(PlaybackCommand::TogglePlay)]
    );
    assert_eq!(window.click_named(&fixture, "Last frame"), [], "of no clip");
    let words = "The crowd plays all clips: select one to see its keys";
    assert!(window.find_text(&fixture, words).is_some());

    fixture.playback.can_play = false;
    let mut window = settled(&fixture);
    assert_eq!(window.click_named(&fixture, "Play"), []);
    let words = "The file's own pose: select a clip to play";
    assert!(window.find_text(&fixture, words).is_some());
}

#[test]
fn whose_keys_they_are_is_said_beside_the_time_that_is_paused_at() {
    let mut fixture = Fixture::default();
    fixture.selected_node = fixture.nodes.iter().position(|node| node.is_animated);
    let place = |fixture: &Fixture| {
        let mut window = settled(fixture);
        let words = window.find_text(fixture, "Keys of the node");
        (words.expect("words"), window.part("timeline"))
    };
    fixture.playback.time_secs = 1.0;
    let (words, timeline) = place(&fixture);
    assert!(words.left() < timeline.left() + 10.0, "{words} {timeline}");
    for time_secs in [0.0, 0.05] {
        fixture.playback.time_secs = time_secs;
        let (words, timeline) = place(&fixture);
        let part = time_secs / fixture.playback.duration_secs;
        let now = timeline.left() + part as f32 * timeline.width();
        assert!(words.left() > now + 3.0, "{words} {now}");
    }
    // It does not move while something plays.
    fixture.playback.is_playing = true;
    let (words, timeline) = place(&fixture);
    assert!(words.left() < timeline.left() + 10.0, "{words} {timeline}");
}

/// Without the sheet, too.
#[test]
fn it_is_said_that_keys_are_those_of_the_node() {
    let mut fixture = Fixture::default();
    let mut window = settled(&fixture);
    let words = "Keys of the node";
    assert!(window.find_text(&fixture, words).is_none());
    fixture.selected_node = fixture.nodes.iter().position(|node| node.is_animated);
    window.settle(&fixture);
    assert!(window.find_text(&fixture, words).is_some());
    // One that the clip leaves alone: all keys are marked.
    fixture.selected_node = fixture.nodes.iter().position(|node| !node.is_animated);
    window.settle(&fixture);
    assert!(window.find_text(&fixture, words).is_none());
}

/// The sheet shows the channels of the one that moves: its keys are all.
#[test]
fn the_keys_of_the_one_that_moves_are_not_those_of_the_chosen_node() {
    for selected_node in [None, Some(1)] {
        let fixture = Fixture {
            sheet_alone: true,
            selected_node,
            ..crate::sheet::with_sheet(rigscope::ui::SheetKind::Dope)
        };
        let mut window = settled(&fixture);
        let words = window.find_text(&fixture, "All keys");
        assert!(words.is_some(), "{selected_node:?}");
        let words = window.find_text(&fixture, "Keys of the node");
        assert!(words.is_none(), "{selected_node:?}");
    }
}
