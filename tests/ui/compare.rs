//! Comparing: its menu, labels and line by accessible name, and its keys.

use egui::{Key, Modifiers, PointerButton, vec2};
use rigscope::model::Keyed as _;
use rigscope::scene::{Split, SplitWay};
use rigscope::ui::{
    ClipDifferenceRow, ClipListView, Command, CompareCommand, CompareView, CompareWith,
    DifferenceRow, DifferencesView, LoadKind, PlaybackCommand, TimelineCommand, WindowCommand,
    places_by_figure,
};

use crate::fixture::{Fixture, Window, settled};

fn compare(command: CompareCommand) -> Command {
    Command::Compare(command)
}

pub fn on(way: SplitWay) -> Fixture {
    Fixture {
        compare: CompareView {
            is_on: true,
            split: Split {
                way,
                ..Split::default()
            },
            with: Some(CompareWith::Clip(2)),
            names: ["Walk", "Run"],
            note: "ends at 0.71 s",
            file: Some("Fox old.glb"),
            other_skinning: Some("dual quaternions"),
            by_phase: false,
            difference_scale: 0.05,
            differences: None,
        },
        ..Fixture::default()
    }
}

/// Asks for a file to compare with.
fn open_other() -> Command {
    Command::Window(WindowCommand::OpenDialog(LoadKind::Compared))
}

fn press(window: &mut Window, fixture: &Fixture, name: &str) -> Vec<Command> {
    window.click_named(fixture, name)
}

#[test]
fn the_menu_asks_for_what_it_says() {
    let fixture = on(SplitWay::SideBySide);
    for (name, command) in [
        ("A alone", compare(CompareCommand::Show(None))),
        ("Wipe", compare(CompareCommand::Show(Some(SplitWay::Wipe)))),
        (
            "Overlaid",
            compare(CompareCommand::Show(Some(SplitWay::Overlay))),
        ),
        (
            "The same pose, dual quaternions",
            compare(CompareCommand::With(CompareWith::Skinning)),
        ),
        (
            "Fox old.glb",
            compare(CompareCommand::With(CompareWith::File)),
        ),
        (
            "Clip Survey",
            compare(CompareCommand::With(CompareWith::Clip(0))),
        ),
        ("Another file…", open_other()),
        (
            "Clips begin and end together",
            compare(CompareCommand::TogglePhase),
        ),
    ] {
        let mut window = settled(&fixture);
        assert_eq!(press(&mut window, &fixture, "Side by side"), []);
        window.settle(&fixture);
        assert_eq!(press(&mut window, &fixture, name), [command], "{name}");
    }
}

/// The ball in the upper right corner stays free, in small windows, too.
#[test]
fn the_bar_leaves_the_corner_free() {
    let mut fixture = with_clips(false);
    for &way in SplitWay::ALL {
        fixture.compare.split.way = way;
        for size in [vec2(1280.0, 720.0), vec2(800.0, 500.0)] {
            let mut window = Window::new(size.x, size.y);
            window.settle(&fixture);
            let free = window.part("viewport").right() - 104.0;
            for name in [way.label(), "Swap", "Differences", "Stop comparing"] {
                let rect = window.find_named(&fixture, name).unwrap();
                assert!(rect.right() <= free, "{name} at {rect}, {way:?}, {size}");
            }
        }
    }
}

#[test]
fn without_a_second_subject_there_is_but_the_menu() {
    let fixture = Fixture::default();
    let mut window = settled(&fixture);
    assert!(window.find_named(&fixture, "Compare").is_some());
    for name in ["Swap", "Stop comparing", "Line between A and B"] {
        assert!(window.find_named(&fixture, name).is_none(), "{name}");
    }
}

#[test]
fn keys_compare() {
    for (is_on, modifiers, key, command) in [
        (
            false,
            Modifiers::NONE,
            Key::F9,
            Some(compare(CompareCommand::Step)),
        ),
        (false, Modifiers::SHIFT, Key::F9, None),
        (
            true,
            Modifiers::SHIFT,
            Key::F9,
            Some(compare(CompareCommand::Swap)),
        ),
        (
            false,
            Modifiers::COMMAND | Modifiers::SHIFT,
            Key::C,
            Some(open_other()),
        ),
    ] {
        let fixture = if is_on {
            on(SplitWay::Wipe)
        } else {
            Fixture::default()
        };
        let mut window = settled(&fixture);
        window.modifiers = modifiers;
        let expected: Vec<_> = command.into_iter().collect();
        assert_eq!(window.key(&fixture, key), expected, "{key:?}");
    }
}

#[test]
fn the_line_is_moved_by_keys_too() {
    let fixture = on(SplitWay::Wipe);
    let mut window = settled(&fixture);
    let line = window.find_named(&fixture, "Line between A and B").unwrap();
    let is_at = |window: &Window| {
        let focused = window.ctx.memory(egui::Memory::focused);
        let response = focused.and_then(|id| window.ctx.read_response(id));
        response.is_some_and(|it| it.rect.center().distance(line.center()) < 1.0)
    };
    let has_come = (0..300).any(|_| {
        window.key(&fixture, Key::Tab);
        window.frame(&fixture);
        is_at(&window)
    });
    assert!(has_come, "Tab never comes to it");
    for (key, expected) in [(Key::ArrowRight, 0.55), (Key::ArrowLeft, 0.45)] {
        let [Command::Compare(CompareCommand::MoveLine(at))] = window.key(&fixture, key)[..] else {
            panic!("{key:?} does not move it");
        };
        assert!((at - expected).abs() < 1e-6, "{at}");
        window.frame(&fixture);
        assert!(is_at(&window), "the focus stays");
    }
}

#[test]
fn the_line_is_dragged_and_the_camera_stays() {
    for way in [SplitWay::SideBySide, SplitWay::Wipe] {
        let fixture = on(way);
        let mut window = settled(&fixture);
        let viewport = window.part("viewport");
        let line = window.find_named(&fixture, "Line between A and B").unwrap();
        assert!((line.center().x - viewport.center().x).abs() < 1.0);
        let start = line.center() + vec2(0.0, 40.0);
        window.move_to(start);
        window.frame(&fixture);
        window.button(start, PointerButton::Primary, true);
        let mut commands = window.frame(&fixture);
        let end = start - vec2(0.25 * viewport.width(), 10.0);
        window.move_to(end);
        commands.extend(window.frame(&fixture));
        window.button(end, PointerButton::Primary, false);
        window.frame(&fixture);
        match commands[..] {
            [Command::Compare(CompareCommand::MoveLine(at))] => {
                assert!((at - 0.25).abs() < 0.01, "{at}");
            }
            ref other => panic!("{other:?}"),
        }
    }
    let overlaid = on(SplitWay::Overlay);
    let mut window = settled(&overlaid);
    assert!(
        window
            .find_named(&overlaid, "Line between A and B")
            .is_none()
    );
}

#[test]
fn labels_stand_where_each_is_seen() {
    let mut fixture = on(SplitWay::SideBySide);
    for (swapped, left, right) in [
        (false, "A: Walk", "B: Run · ends at 0.71 s"),
        (true, "B: Run · ends at 0.71 s", "A: Walk"),
    ] {
        fixture.compare.split.is_swapped = swapped;
        for size in [vec2(1280.0, 720.0), vec2(800.0, 500.0)] {
            let mut window = Window::new(size.x, size.y);
            window.settle(&fixture);
            let viewport = window.part("viewport");
            let middle = viewport.center().x;
            let left = window.find_named(&fixture, left).unwrap();
            let right = window.find_named(&fixture, right).unwrap();
            assert!(
                left.right() <= middle && right.left() >= middle,
                "{left} {right}"
            );
            assert!(viewport.contains_rect(left) && viewport.contains_rect(right));
        }
    }
}

/// What is noted says why a half is empty or does not move: it is seen without a pointer.
#[test]
fn notes_that_do_not_fit_beside_a_name_stand_below_it() {
    let mut fixture = on(SplitWay::SideBySide);
    let note = "92 times larger, has no clip \"Walk\"";
    fixture.compare.names = ["Fox.glb", "A knight with a long name.glb"];
    fixture.compare.note = note;
    for &way in SplitWay::ALL {
        fixture.compare.split.way = way;
        let mut window = Window::new(900.0, 600.0);
        window.settle(&fixture);
        let viewport = window.part("viewport");
        let name = format!("B: {} · {note}", fixture.compare.names[1]);
        let label = window.find_named(&fixture, &name).expect("a label");
        assert!(viewport.contains_rect(label), "{label}, {way:?}");
        let texts = window.texts_in(&fixture, label);
        let is_seen = texts.iter().any(|(words, _)| words.contains(note));
        assert!(is_seen, "{texts:?}, {way:?}");
    }
}

/// In low windows the bar that opens the differences has no room.
#[test]
fn differences_are_closed_where_they_are() {
    let fixture = with_differences(rows(), "");
    for size in [vec2(1280.0, 720.0), vec2(640.0, 400.0)] {
        let mut window = Window::new(size.x, size.y);
        window.settle(&fixture);
        let closed = press(&mut window, &fixture, "Close the differences");
        assert_eq!(closed, [compare(CompareCommand::ToggleDifferences)]);
    }
}

#[test]
fn clicks_belong_to_the_half_that_they_are_in() {
    let fixture = on(SplitWay::SideBySide);
    let mut window = settled(&fixture);
    let viewport = window.part("viewport");
    for (part, is_second) in [(0.25, false), (0.75, true)] {
        let at = viewport.lerp_inside(vec2(part, 0.6));
        match window.click(&fixture, at)[..] {
            [Command::Pick { at, .. }] if !is_second => assert!(at[0].abs() < 0.02, "{at:?}"),
            [Command::Compare(CompareCommand::Pick { at, .. })] if is_second => {
                assert!(at[0].abs() < 0.02, "{at:?}");
            }
            ref other => panic!("{other:?}"),
        }
    }
}

/// The places of rows by either figure alone.
fn by_figure<R>(rows: &[R], figures: impl Fn(&R) -> Option<[f32; 2]>) -> [&'static [usize]; 2] {
    places_by_figure(rows, figures).map(|places| &*places.leak())
}

pub fn with_differences(rows: &'static [DifferenceRow], words: &'static str) -> Fixture {
    let mut fixture = on(SplitWay::Wipe);
    fixture.compare.differences = Some(DifferencesView {
        is_known: true,
        rows,
        by_figure: by_figure(rows, |row| Some(row.figures())),
        alike: 0,
        times_secs: &[0.0, 1.0, 2.0],
        degrees: &[0.0, 12.5, 1.0],
        units: &[0.0, 0.2, 0.0],
        node: None,
        least: [0.006, 1e-4],
        most_degrees: 12.5,
        unpaired: "",
        words,
        clips: None,
    });
    fixture
}

pub fn rows() -> &'static [DifferenceRow] {
    let row = |node, name: &str, degrees, units| DifferenceRow {
        node,
        name: name.to_owned(),
        degrees,
        degrees_at_secs: 1.0,
        units,
        units_at_secs: 1.5,
    };
    Box::leak(Box::new([
        row(4, "mixamorig:Spine", 12.5, 0.0),
        row(7, "mixamorig:Neck", 0.0, 0.2),
    ]))
}

#[test]
fn the_worst_joints_are_listed_and_lead_there() {
    let fixture = with_differences(rows(), "only B has Tail");
    for (name, node, time_secs) in [
        (
            "mixamorig:Spine: turned 12.50° at 1.000 s, its origin in place",
            4,
            1.0,
        ),
        (
            "mixamorig:Neck: not turned, its origin 0.2000 units away at 1.500 s",
            7,
            1.5,
        ),
    ] {
        let mut window = settled(&fixture);
        let expected = Command::Timeline(TimelineCommand::StopAt {
            time_secs,
            node: Some(node),
        });
        assert_eq!(press(&mut window, &fixture, name), [expected], "{name}");
    }
    let mut window = settled(&fixture);
    assert!(window.find_named(&fixture, "only B has Tail").is_some());
    let plot = window
        .find_named(&fixture, "Difference over time of all joints")
        .unwrap();
    match window.click(&fixture, plot.center())[..] {
        [Command::Playback(PlaybackCommand::Seek(secs))]
        | [Command::Playback(PlaybackCommand::Seek(secs)), ..] => {
            assert!((secs - 1.0).abs() < 0.02, "{secs}");
        }
        ref other => panic!("{other:?}"),
    }
}

#[test]
fn where_nothing_differs_it_is_said() {
    let fixture = with_differences(&[], "");
    let mut window = settled(&fixture);
    assert!(
        window
            .find_named(&fixture, "They share no joint.")
            .is_some()
    );
}

/// Without shared joints there is no chart, and the words have its room.
#[test]
fn what_is_said_of_differences_is_not_cut() {
    const ONLY: &str = "only A has 67 nodes, such as mixamorig:Hips; only B has 24 nodes, such as b_Root_00 of the armature";
    let said = format!("They share no joint; {ONLY}.");
    for size in [vec2(1280.0, 720.0), vec2(640.0, 420.0)] {
        let fixture = with_differences(&[], ONLY);
        let mut window = Window::new(size.x, size.y);
        window.settle(&fixture);
        let panel = window.part("differences");
        let seen = window.texts_in(&fixture, panel);
        let found = seen.iter().find(|(words, _)| *words == said);
        let (_, place) = found.unwrap_or_else(|| panic!("{seen:?} at {size}"));
        assert!(place.right() > panel.center().x, "{place} at {size}");
        // Beside a chart they are as wide as the list, and below them there is room for it.
        let fixture = with_differences(rows(), ONLY);
        window.settle(&fixture);
        let words = window.find_named(&fixture, ONLY).expect("the words");
        let chart = window.find_named(&fixture, "Difference over time of all joints");
        assert!(words.right() <= chart.expect("a chart").left());
        let worst = window.find_text(&fixture, "mixamorig:Spine");
        assert!(worst.expect("the worst").top() >= words.bottom() - 1.0);
    }
}

#[test]
fn the_differences_open_and_close() {
    let fixture = on(SplitWay::Wipe);
    let mut window = settled(&fixture);
    let expected = compare(CompareCommand::ToggleDifferences);
    assert_eq!(press(&mut window, &fixture, "Differences"), [expected]);
    assert!(
        window
            .layout
            .as_ref()
            .unwrap()
            .named
            .iter()
            .all(|(name, _)| *name != "differences")
    );
}

const LONG_WORDS: &str =
    "baseColorFactor of /materials/0/pbrMetallicRoughness and 3 more differ, most at 0.50 s";

/// A list of all clips, of which one is the same and two are had by one side alone.
pub fn with_clips(is_open: bool) -> Fixture {
    let mut fixture = with_differences(rows(), "");
    let worst = |row: &DifferenceRow| Some(row.clone());
    let row = |clip, name: &str, worst, words: &str| ClipDifferenceRow {
        clip,
        name: name.to_owned(),
        worst,
        words: words.to_owned(),
    };
    let same = DifferenceRow {
        degrees: 0.0,
        units: 0.0,
        ..rows()[0].clone()
    };
    let rows = [
        row(Some(2), "Run", worst(&rows()[0]), "1.00 s and 1.20 s long"),
        row(Some(0), "Survey", worst(&same), ""),
        row(Some(1), "Walk", None, "only A has it"),
        row(None, "Swim", None, "only B has it"),
        row(Some(3), "Blush", worst(&same), LONG_WORDS),
    ];
    if let Some(differences) = &mut fixture.compare.differences {
        differences.clips = Some(ClipListView {
            is_open,
            by_figure: by_figure(&rows, ClipDifferenceRow::figures),
            rows: Some(Box::leak(Box::new(rows))),
            error: None,
        });
    }
    fixture
}

#[test]
fn all_clips_are_listed_and_lead_there() {
    let joints = with_clips(false);
    let mut window = settled(&joints);
    // The list of clips has a heading of that name, too.
    let switch = window.texts_in(&joints, window.part("differences"));
    let switch = switch.iter().find(|(words, _)| words == "Clips").unwrap().1;
    let list = compare(CompareCommand::ListClips(true));
    assert_eq!(window.click(&joints, switch.center()), [list]);
    let fixture = with_clips(true);
    let go = Command::Timeline(TimelineCommand::StopAt {
        time_secs: 1.0,
        node: Some(4),
    });
    let choose = |clip| Command::SelectClip(Some(clip));
    for (name, expected) in [
        (
            "Run: mixamorig:Spine is worst: turned 12.50° at 1.000 s, its origin in place; 1.00 s and 1.20 s long",
            vec![choose(2), go],
        ),
        ("Survey: the same", vec![choose(0)]),
        ("Walk: only A has it", vec![choose(1)]),
        ("Swim: only B has it", vec![]),
    ] {
        for size in [vec2(1280.0, 720.0), vec2(800.0, 500.0)] {
            let mut window = Window::new(size.x, size.y);
            window.settle(&fixture);
            let mut expected = expected.clone();
            expected.retain(|it| fixture.clip.is_none_or(|clip| *it != choose(clip)));
            assert_eq!(press(&mut window, &fixture, name), expected, "{name}");
        }
    }
    let mut window = settled(&fixture);
    let expected = compare(CompareCommand::ListClips(false));
    assert_eq!(press(&mut window, &fixture, "Joints"), [expected]);
}

/// What does not fit is in the tooltip.
#[test]
fn long_words_leave_room_for_the_name() {
    let fixture = with_clips(true);
    for size in [vec2(1280.0, 720.0), vec2(800.0, 500.0)] {
        let mut window = Window::new(size.x, size.y);
        window.settle(&fixture);
        let name = window.find_text(&fixture, "Blush").expect("all of it");
        let panel = window.part("differences");
        let texts = window.texts_in(&fixture, panel);
        let beside = texts.iter().filter(|(_, rect)| {
            (rect.center().y - name.center().y).abs() < 2.0 && rect.left() > name.left()
        });
        let (words, rect) = beside.min_by_key(|(_, rect)| rect.left() as i32).unwrap();
        assert!(words.starts_with("base") && words.contains('…'), "{words}");
        assert!(name.right() < rect.left(), "{name} {rect}");
    }
}
