//! The panel of differences beside what else there is room for.

use egui::vec2;
use rigscope::scene::SplitWay;
use rigscope::ui::{Command, CompareCommand};

use crate::compare::{rows, with_differences};
use crate::fixture::{Fixture, Window, settled};

/// Times stand below one another: in the chart, in the sheet and in the timeline.
#[test]
fn the_chart_of_differences_shares_the_time_axis() {
    const MARGIN: f32 = 14.0;
    for sheet in [None, Some(rigscope::ui::SheetKind::Dope)] {
        for width in [640.0, 1280.0, 2000.0] {
            let fixture = Fixture {
                sheet,
                ..with_differences(rows(), "")
            };
            let mut window = Window::new(width, 900.0);
            window.settle(&fixture);
            let chart = window
                .find_named(&fixture, "Difference over time of all joints")
                .expect("a chart");
            let timeline = window.part("timeline");
            assert!(
                (chart.left() + MARGIN - timeline.left()).abs() < 0.1,
                "{chart} {timeline}"
            );
            assert!(
                (chart.right() - MARGIN - timeline.right()).abs() < 0.1,
                "{chart} {timeline}"
            );
            if sheet.is_some() {
                let sheet = window.part("sheet");
                assert!((chart.left() - sheet.left()).abs() < 0.1, "{chart} {sheet}");
            }
            // Each curve's greatest value stands beside it.
            let texts = window.texts_in(&fixture, chart);
            assert!(
                texts.iter().any(|(words, _)| words.ends_with('°')),
                "{texts:?}"
            );
            assert!(texts.iter().any(|(words, _)| words == "0"), "{texts:?}");
        }
    }
}

/// Where their panel has no room they cannot be switched on; bones keep their colours until they are switched off.
#[test]
fn without_room_the_differences_can_only_be_switched_off() {
    for is_on in [true, false] {
        let mut fixture = with_differences(rows(), "");
        if !is_on {
            fixture.compare.differences = None;
        }
        for (size, has_room) in [
            (vec2(1280.0, 800.0), true),
            (vec2(800.0, 500.0) / 1.5, false),
        ] {
            let mut window = Window::new(size.x, size.y);
            window.settle(&fixture);
            let button = window
                .accessible(&fixture, "Differences")
                .expect("a button");
            assert_eq!(button.is_disabled(), !has_room && !is_on, "{size} {is_on}");
            assert_eq!(
                button.toggled() == Some(egui::accesskit::Toggled::True),
                is_on,
                "{size}"
            );
        }
    }
    let fixture = with_differences(rows(), "");
    let mut window = Window::new(800.0 / 1.5, 500.0 / 1.5);
    window.settle(&fixture);
    let asked = window.click_named(&fixture, "Differences");
    let expected = Command::Compare(CompareCommand::ToggleDifferences);
    assert_eq!(asked, [expected]);
}

/// At the beginning of a clip the current time goes through them.
#[test]
fn values_of_differences_stand_in_front_of_the_current_time() {
    let mut fixture = with_differences(rows(), "");
    fixture.playback.time_secs = 0.0;
    let mut window = settled(&fixture);
    let chart = window.find_named(&fixture, "Difference over time of all joints");
    let chart = chart.expect("a chart");
    let shapes = window.shapes(&fixture);
    let is_upright = |shape: &egui::Shape| {
        matches!(shape, egui::Shape::LineSegment { points: [from, to], .. }
            if from.x == to.x && chart.contains(*from) && to.y - from.y > 20.0)
    };
    let now = shapes.iter().rposition(is_upright);
    let now = now.expect("the current time");
    let is_value = |shape: &egui::Shape| {
        matches!(shape, egui::Shape::Text(text)
            if chart.contains(text.pos) && text.galley.text() == "12.50°")
    };
    let value = shapes.iter().position(is_value).expect("a value");
    assert!(value > now, "{value} {now}");
}

/// In low windows they leave the picture little height: which is which is seen all the same.
#[test]
fn labels_of_a_and_b_have_room_above_the_differences() {
    let mut fixture = with_differences(rows(), "");
    for way in [SplitWay::SideBySide, SplitWay::Wipe, SplitWay::Overlay] {
        fixture.compare.split.way = way;
        for size in [vec2(1280.0, 720.0), vec2(800.0, 500.0)] {
            let mut window = Window::new(size.x, size.y);
            window.settle(&fixture);
            let viewport = window.part("viewport");
            let letters: Vec<_> = window
                .texts_in(&fixture, viewport)
                .into_iter()
                .filter(|(words, _)| words == "A" || words == "B")
                .collect();
            assert_eq!(letters.len(), 2, "{way:?} {size}: {letters:?}");
            for part in ["camera", "light", "gimbal", "view"] {
                let part = window.part(part);
                assert!(letters.iter().all(|(_, rect)| !rect.intersects(part)));
            }
        }
    }
}

/// A window of 1280 × 800 at twice the size.
#[test]
fn where_there_is_little_height_the_panel_is_lower() {
    let mut fixture = with_differences(rows(), "");
    for way in [SplitWay::SideBySide, SplitWay::Wipe, SplitWay::Overlay] {
        fixture.compare.split.way = way;
        for size in [vec2(640.0, 400.0), vec2(533.0, 400.0)] {
            let mut window = Window::new(size.x, size.y);
            window.settle(&fixture);
            let viewport = window.part("viewport");
            let texts = window.texts_in(&fixture, viewport);
            let letters = texts
                .iter()
                .filter(|(words, _)| words == "A" || words == "B");
            assert_eq!(letters.count(), 2, "{way:?} {size}: {texts:?}");
            for name in ["Stop comparing", "Camera", "Close the differences"] {
                assert!(
                    window.find_named(&fixture, name).is_some(),
                    "{name}, {way:?} {size}"
                );
            }
        }
    }
}

#[test]
fn joints_that_move_alike_are_counted() {
    let mut fixture = with_differences(rows(), "");
    for (alike, words) in [
        (56, "56 more joints move alike"),
        (1, "1 more joint moves alike"),
    ] {
        fixture.compare.differences.as_mut().unwrap().alike = alike;
        let mut window = Window::new(1280.0, 900.0);
        window.settle(&fixture);
        assert!(window.find_text(&fixture, words).is_some(), "{words}");
    }
    let differences = fixture.compare.differences.as_mut().unwrap();
    differences.rows = &[];
    let mut window = Window::new(1280.0, 900.0);
    window.settle(&fixture);
    let words = "All joints that both have move alike.";
    assert!(window.find_text(&fixture, words).is_some());
}

/// A joint at the end of a limb is turned on the spot: it is not said that nothing is away.
#[test]
fn a_joint_that_is_only_turned_says_so() {
    let mut fixture = with_differences(rows(), "");
    let differences = fixture.compare.differences.as_mut().unwrap();
    differences.node = Some(8);
    differences.degrees = &[0.0, 25.0, 3.0];
    differences.units = &[0.0, 1e-7, 0.0];
    let mut window = Window::new(1280.0, 900.0);
    window.settle(&fixture);
    for words in ["turned by up to 25.00°   ", "origin in place"] {
        assert!(window.find_text(&fixture, words).is_some(), "{words}");
    }
    let name = "Difference over time of mixamorig:Head";
    let chart = window.find_named(&fixture, name).expect("a chart");
    let texts = window.texts_in(&fixture, chart).into_iter();
    let texts: Vec<_> = texts.map(|(words, _)| words).collect();
    let has = |words: &str| texts.iter().any(|it| it == words);
    assert!(has("25.00°") && !has("0.0000"), "{texts:?}");
}

/// Else it fills the height as any other curve.
#[test]
fn rounding_draws_no_curve() {
    let mut fixture = with_differences(rows(), "");
    let words = |fixture: &Fixture| {
        let mut window = Window::new(1280.0, 900.0);
        window.settle(fixture);
        let is_there =
            |words: &str, window: &mut Window| window.find_text(fixture, words).is_some();
        ["not turned   ", "origins in place"].map(|words| is_there(words, &mut window))
    };
    assert_eq!(words(&fixture), [false, false]);
    let differences = fixture.compare.differences.as_mut().unwrap();
    differences.degrees = &[0.0, 0.005, 0.001];
    differences.units = &[1e-5, 0.0, 2e-7];
    assert_eq!(words(&fixture), [true, true]);
}

/// Without figures: they would be those of a clip beside a pose.
#[test]
fn a_clip_that_b_lacks_is_said_in_place_of_figures() {
    const LACK: &str =
        "B has no clip \"Walk 2\" and stands in its own pose: joints are not compared";
    let mut fixture = with_differences(&[], "only A has Tail");
    let differences = fixture.compare.differences.as_mut().unwrap();
    differences.unpaired = LACK;
    differences.times_secs = &[];
    let mut window = settled(&fixture);
    let said = format!("{LACK}; only A has Tail.");
    assert!(window.find_text(&fixture, &said).is_some());
    assert!(window.find_text(&fixture, "turned").is_none());
}

#[test]
fn heads_of_columns_say_and_choose_what_is_first() {
    let fixture = with_differences(rows(), "");
    let mut window = settled(&fixture);
    let first = |window: &mut Window| {
        let places = ["mixamorig:Spine", "mixamorig:Neck"].map(|name| {
            let panel = window.part("differences");
            let texts = window.texts_in(&fixture, panel);
            let found = texts.iter().find(|(words, _)| words == name);
            found
                .unwrap_or_else(|| panic!("{name} in {texts:?}"))
                .1
                .top()
        });
        if places[0] < places[1] {
            "Spine"
        } else {
            "Neck"
        }
    };
    assert_eq!(first(&mut window), "Spine", "by both, as they are given");
    for (head, expected) in [
        ("away", "Neck"),
        ("turned", "Spine"),
        ("away", "Neck"),
        ("away", "Spine"),
    ] {
        assert_eq!(window.click_text(&fixture, head), []);
        assert_eq!(first(&mut window), expected, "{head}");
    }
}
