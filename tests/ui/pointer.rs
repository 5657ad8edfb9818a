//! The pointer over the timeline, the picture, and what lies over the picture.

use egui::{Modifiers, PointerButton, pos2, vec2};
use rigscope::scene::SplitWay;
use rigscope::ui::{CameraCommand, Command, CompareCommand, Offer, PlaybackCommand, SheetKind};

use crate::compare;
use crate::fixture::{Fixture, Window, settled};

#[test]
fn the_timeline_seeks_where_it_is_dragged() {
    let mut fixture = Fixture::default();
    fixture.playback.is_playing = true;
    let mut window = settled(&fixture);
    let timeline = window.part("timeline");
    let seek = |commands: Vec<Command>| match commands.as_slice() {
        [Command::Playback(PlaybackCommand::Seek(time_secs))] => *time_secs,
        other => panic!("{other:?}"),
    };
    // A press is enough, and a pointer that is held still goes on asking: time runs on under it.
    window.move_to(timeline.lerp_inside([0.25, 0.8]));
    window.frame(&fixture);
    window.button(
        timeline.lerp_inside([0.25, 0.8]),
        PointerButton::Primary,
        true,
    );
    for _ in 0..3 {
        let time_secs = seek(window.frame(&fixture));
        assert!((time_secs - 0.5).abs() < 0.01, "{time_secs}");
    }
    window.move_to(timeline.lerp_inside([0.75, 0.2]));
    let time_secs = seek(window.frame(&fixture));
    assert!((time_secs - 1.5).abs() < 0.01, "{time_secs}");
    // Beyond the ends, and far above: still the same drag.
    window.move_to(pos2(timeline.right() + 300.0, 100.0));
    assert_eq!(seek(window.frame(&fixture)), 2.0);
    window.move_to(pos2(-50.0, 100.0));
    assert_eq!(seek(window.frame(&fixture)), 0.0);
    window.button(pos2(0.0, 100.0), PointerButton::Primary, false);
    window.frame(&fixture);
    assert_eq!(window.frame(&fixture), []);
}

#[test]
fn the_timeline_is_dead_without_a_clip() {
    let fixture = Fixture::default().without_clip();
    let mut window = settled(&fixture);
    let timeline = window.part("timeline");
    assert_eq!(window.click(&fixture, timeline.center()), []);
    assert_eq!(window.click(&fixture, window.part("play").center()), []);
}

#[test]
fn the_wheel_zooms_toward_the_pointer() {
    let fixture = Fixture::default();
    let mut window = settled(&fixture);
    let viewport = window.part("viewport");
    window.move_to(viewport.lerp_inside([0.75, 0.25]));
    window.frame(&fixture);
    wheel(&mut window, egui::MouseWheelUnit::Line, vec2(0.0, 1.0));
    wheel(&mut window, egui::MouseWheelUnit::Line, vec2(0.0, 1.0));
    let commands = window.frame(&fixture);
    let [Command::Camera(CameraCommand::Zoom { notches, toward })] = commands.as_slice() else {
        panic!("{commands:?}");
    };
    assert_eq!(*notches, 2.0);
    assert!(
        (toward[0] - 0.5).abs() < 1e-3 && (toward[1] - 0.5).abs() < 1e-3,
        "{toward:?}"
    );
    // A touchpad's points add up to the same, and nothing comes after it has stopped.
    wheel(&mut window, egui::MouseWheelUnit::Point, vec2(0.0, 20.0));
    assert!(matches!(
        window.frame(&fixture)[..],
        [Command::Camera(CameraCommand::Zoom { notches: 0.5, .. })]
    ));
    assert_eq!(window.frame(&fixture), []);
    window.event(egui::Event::Zoom(1.0 / (0.88 * 0.88)));
    let commands = window.frame(&fixture);
    assert!(
        matches!(commands[..], [Command::Camera(CameraCommand::Zoom { notches, .. })] if (notches - 2.0).abs() < 1e-3),
        "{commands:?}"
    );
    // Elsewhere the wheel scrolls lists, or does nothing.
    window.move_to(window.part("timeline").center());
    window.frame(&fixture);
    wheel(&mut window, egui::MouseWheelUnit::Line, vec2(0.0, 1.0));
    assert_eq!(window.frame(&fixture), []);
}

fn wheel(window: &mut Window, unit: egui::MouseWheelUnit, delta: egui::Vec2) {
    let modifiers = window.modifiers;
    window.event(egui::Event::MouseWheel {
        unit,
        delta,
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Unknown,
        modifiers,
    });
}

#[test]
fn dragging_the_picture_moves_the_camera() {
    let fixture = Fixture::default();
    for (button, modifiers, is_orbit) in [
        (PointerButton::Primary, Modifiers::NONE, true),
        (PointerButton::Primary, Modifiers::SHIFT, false),
        (PointerButton::Secondary, Modifiers::NONE, false),
        (PointerButton::Middle, Modifiers::NONE, false),
    ] {
        let mut window = settled(&fixture);
        window.modifiers = modifiers;
        window.event(egui::Event::ModifiersChanged(modifiers));
        let viewport = window.part("viewport");
        let start = viewport.center();
        window.move_to(start);
        window.frame(&fixture);
        window.button(start, button, true);
        let mut commands = window.frame(&fixture);
        for step in 1..=10 {
            window.move_to(start + vec2(10.0, 5.0) * step as f32);
            commands.extend(window.frame(&fixture));
        }
        window.button(start + vec2(100.0, 50.0), button, false);
        commands.extend(window.frame(&fixture));
        let mut sum = vec2(0.0, 0.0);
        for command in commands {
            match command {
                Command::Camera(CameraCommand::Orbit { right, down }) if is_orbit => {
                    sum += vec2(right, down);
                }
                Command::Camera(CameraCommand::Pan { right, down }) if !is_orbit => {
                    sum += vec2(right, down);
                }
                other => panic!("{other:?}"),
            }
        }
        let expected = vec2(100.0, 50.0) / viewport.height();
        assert!(
            (sum - expected).length() < 0.03,
            "{sum:?} instead of {expected:?}"
        );
    }
}

#[test]
fn a_click_chooses_what_lies_there_and_a_drag_does_not() {
    let fixture = Fixture::default();
    let mut window = settled(&fixture);
    let viewport = window.part("viewport");
    let commands = window.click(&fixture, viewport.lerp_inside([0.75, 0.25]));
    let [Command::Pick { at, reach }] = commands.as_slice() else {
        panic!("{commands:?}");
    };
    assert!(
        (at[0] - 0.5).abs() < 0.01 && (at[1] - 0.5).abs() < 0.01,
        "{at:?}"
    );
    assert!((reach * viewport.height() - 6.0).abs() < 1e-3, "{reach}");
}

#[test]
fn the_menu_of_views_is_not_the_picture_behind_it() {
    let fixture = Fixture::default();
    let mut window = settled(&fixture);
    let menu = window.part("view");
    assert_eq!(window.click(&fixture, menu.center()), []);
}

#[test]
fn a_double_click_fills_the_view() {
    let fixture = Fixture::default();
    let mut window = settled(&fixture);
    let center = window.part("viewport").center();
    let mut commands = window.click(&fixture, center);
    commands.extend(window.click(&fixture, center));
    // The first of the two clicks chooses.
    assert!(
        matches!(
            commands[..],
            [
                Command::Pick { .. },
                Command::Camera(CameraCommand::FrameModel)
            ]
        ),
        "{commands:?}"
    );
}

#[test]
fn a_message_is_read_and_put_away() {
    let fixture = Fixture::default().with_message();
    let mut window = settled(&fixture);
    let (message, viewport) = (window.part("message"), window.part("viewport"));
    assert!(
        viewport.contains_rect(message),
        "{message:?} in {viewport:?}"
    );
    assert!(
        window
            .find_text(&fixture, "broken.glb cannot be shown")
            .is_some()
    );
    let close = message.right_top() + vec2(-20.0, 20.0);
    assert_eq!(window.click(&fixture, close), [Command::DismissMessage]);
    // What is in front keeps the pointer from the camera.
    window.move_to(message.center());
    window.frame(&fixture);
    wheel(&mut window, egui::MouseWheelUnit::Line, vec2(0.0, 1.0));
    assert_eq!(window.frame(&fixture), []);
}

#[test]
fn what_a_message_offers_is_taken_by_button_or_key() {
    let mut fixture = Fixture::default().with_message();
    let mut window = settled(&fixture);
    assert_eq!(window.key(&fixture, egui::Key::A), [], "nothing is offered");
    let detail = "These were not opened:\n".to_owned() + &"/models/a.bin\n".repeat(60);
    for (offer, label) in [
        (Offer::OpenAnyway, "Open anyway"),
        (Offer::AllowOnce, "Allow once"),
    ] {
        let message = fixture.message.as_mut().unwrap();
        message.offer = Some(offer);
        message.detail.clone_from(&detail);
        window.settle(&fixture);
        let (message, button) = (window.part("message"), window.part("offer"));
        assert!(message.contains_rect(button), "{button:?} in {message:?}");
        assert!(window.part("viewport").contains_rect(message));
        assert_eq!(window.click_text(&fixture, label), [Command::AcceptOffer]);
        assert_eq!(window.key(&fixture, egui::Key::A), [Command::AcceptOffer]);
    }
}

/// At a few frames a second, a whole drag lies between two frames.
#[test]
fn a_quick_drag_counts_however_slow_the_frames_are() {
    let fixture = Fixture::default();
    let mut window = settled(&fixture);
    let (viewport, timeline) = (window.part("viewport"), window.part("timeline"));
    let start = viewport.center();
    window.move_to(start);
    window.frame(&fixture);
    window.button(start, PointerButton::Primary, true);
    window.move_to(start + vec2(30.0, 0.0));
    window.move_to(start + vec2(60.0, 20.0));
    window.button(start + vec2(60.0, 20.0), PointerButton::Primary, false);
    let commands = window.frame(&fixture);
    let (right, down) = (60.0 / viewport.height(), 20.0 / viewport.height());
    assert_eq!(
        commands,
        [Command::Camera(CameraCommand::Orbit { right, down })]
    );
    assert_eq!(window.frame(&fixture), []);

    // The press in one frame, the rest in the next.
    window.button(start, PointerButton::Middle, true);
    assert_eq!(window.frame(&fixture), []);
    window.move_to(start + vec2(60.0, 20.0));
    window.button(start + vec2(60.0, 20.0), PointerButton::Middle, false);
    assert_eq!(
        window.frame(&fixture),
        [Command::Camera(CameraCommand::Pan { right, down })]
    );

    // A hand that trembles in a click does not turn the model.
    window.button(start, PointerButton::Primary, true);
    window.move_to(start + vec2(1.0, 1.0));
    window.button(start + vec2(1.0, 1.0), PointerButton::Primary, false);
    let commands = window.frame(&fixture);
    assert!(
        matches!(commands[..], [Command::Pick { .. }]),
        "{commands:?}"
    );

    let pos = timeline.lerp_inside([0.5, 0.8]);
    window.button(pos, PointerButton::Primary, true);
    window.button(pos, PointerButton::Primary, false);
    let commands = window.frame(&fixture);
    assert!(
        matches!(commands[..], [Command::Playback(PlaybackCommand::Seek(time_secs))] if (time_secs - 1.0).abs() < 0.01),
        "{commands:?}"
    );
    assert_eq!(window.frame(&fixture), []);
}

#[test]
fn a_quick_click_counts_however_slow_the_frames_are() {
    let fixture = Fixture::default();
    let mut window = settled(&fixture);
    let play = window.part("play").center();
    window.move_to(play);
    window.button(play, PointerButton::Primary, true);
    window.button(play, PointerButton::Primary, false);
    let mut commands = window.frame(&fixture);
    commands.extend(window.frame(&fixture));
    assert_eq!(commands, [Command::Playback(PlaybackCommand::TogglePlay)]);
}

#[test]
fn dragging_the_edge_of_a_panel_leaves_the_camera_alone() {
    let fixture = Fixture::default();
    let mut window = settled(&fixture);
    let viewport = window.part("viewport");
    let edge = viewport.left_center() - vec2(1.0, 0.0);
    window.move_to(edge);
    window.frame(&fixture);
    window.button(edge, PointerButton::Primary, true);
    let mut commands = window.frame(&fixture);
    for step in 1..=10 {
        window.move_to(edge + vec2(5.0 * step as f32, 0.0));
        commands.extend(window.frame(&fixture));
    }
    window.button(edge + vec2(50.0, 0.0), PointerButton::Primary, false);
    commands.extend(window.frame(&fixture));
    window.frame(&fixture);
    assert_eq!(commands, []);
    let wider = window.part("viewport").left() - viewport.left();
    assert!((wider - 50.0).abs() < 3.0, "{wider}");
}

/// Whoever holds the button on a paused timeline asks for nothing new, and nothing is drawn.
#[test]
fn a_button_held_still_asks_again_only_while_time_runs() {
    let compared = compare::with_differences(compare::rows(), "");
    for (place, mut fixture) in [
        ("timeline", Fixture::default()),
        ("sheet", crate::sheet::with_sheet(SheetKind::Dope)),
        ("difference", compared),
    ] {
        let mut window = settled(&fixture);
        let pos = match place {
            "difference" => {
                let name = "Difference over time of all joints";
                window.find_named(&fixture, name).unwrap().center()
            }
            part => window.part(part).lerp_inside([0.7, 0.8]),
        };
        window.move_to(pos);
        window.frame(&fixture);
        window.button(pos, PointerButton::Primary, true);
        let mut asked = window.frame(&fixture);
        window.move_to(pos + vec2(20.0, 0.0));
        asked.extend(window.frame(&fixture));
        let sought = asked.iter().rev().find_map(|command| match command {
            Command::Playback(PlaybackCommand::Seek(secs)) => Some(*secs),
            _ => None,
        });
        fixture.playback.time_secs = sought.unwrap_or_else(|| panic!("{place}: {asked:?}"));
        for _ in 0..5 {
            assert_eq!(window.frame(&fixture), [], "{place}");
        }
        fixture.playback.is_playing = true;
        let again = [Command::Playback(PlaybackCommand::Seek(
            fixture.playback.time_secs,
        ))];
        assert_eq!(window.frame(&fixture), again, "{place}");
    }
}

#[test]
fn a_line_that_is_held_beyond_its_end_asks_for_nothing() {
    for (way, end) in [(SplitWay::SideBySide, 0.1), (SplitWay::Wipe, 0.0)] {
        let mut fixture = compare::on(way);
        let mut window = settled(&fixture);
        let start = window.find_named(&fixture, "Line between A and B");
        let start = start.expect("a line").center() + vec2(0.0, 40.0);
        window.move_to(start);
        window.frame(&fixture);
        window.button(start, PointerButton::Primary, true);
        window.frame(&fixture);
        window.move_to(pos2(window.part("viewport").left() - 20.0, start.y));
        let moved = Command::Compare(CompareCommand::MoveLine(end));
        assert_eq!(window.frame(&fixture), [moved], "{way:?}");
        fixture.compare.split.at = end;
        for _ in 0..3 {
            assert_eq!(window.frame(&fixture), [], "{way:?}");
        }
    }
}
