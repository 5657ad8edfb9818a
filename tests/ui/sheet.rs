//! The sheet above the timeline, and what the timeline marks.

use egui::{Key, Modifiers, PointerButton, pos2, vec2};
use rigscope::ui::{
    Between, Command, Lanes, Marker, MarkerKind, NumberKind, Numbers, PlaybackCommand, SheetKind,
    SheetRow, SheetView, TimelineCommand,
};

use crate::fixture::{Fixture, Window, settled};

/// Numbers of a made-up sheet.
#[derive(Debug)]
pub struct Waves {
    pub timelines: Vec<&'static [f32]>,
    /// How far they go to both sides.
    pub reach: f32,
}

impl Numbers for Waves {
    fn times_secs(&self, timeline: usize) -> Option<&[f32]> {
        self.timelines.get(timeline).copied()
    }
    fn at(&self, row: usize, time_secs: f64) -> Lanes {
        let time = time_secs as f32 * (row + 1) as f32;
        [time.sin(), time.cos(), 0.5 * (2.0 * time).sin(), 0.0]
    }
    fn key(&self, row: usize, key: usize) -> Lanes {
        self.at(row, [0.0, 0.4, 0.8, 1.5, 2.0][key % 5])
    }
    fn tangents(&self, row: usize, key: usize) -> Option<(Lanes, Lanes)> {
        let tangent = self.key(row, key);
        (row == 1).then_some((tangent, tangent))
    }
    fn extremes(&self, _: usize, _: usize, _: usize) -> (Lanes, Lanes) {
        ([-self.reach; 4], [self.reach; 4])
    }
    fn bounds(&self, _: usize) -> (Lanes, Lanes) {
        ([-self.reach; 4], [self.reach; 4])
    }
}

/// The sheet of a fixture.
pub fn view(fixture: &Fixture) -> Option<SheetView<'_>> {
    fixture.sheet.map(|kind| SheetView {
        kind,
        quaternions: false,
        title: "LeftFoot",
        rows: &fixture.sheet_rows,
        of_node: !fixture.sheet_alone
            && fixture.selected_node.is_some()
            && fixture.sheet_rows.iter().all(|row| row.node.is_none()),
        numbers: &fixture.sheet_numbers,
    })
}

/// A row of a sheet, on the first timeline.
pub fn row(label: &str, between: Between, numbers: NumberKind) -> SheetRow {
    SheetRow {
        label: label.to_owned(),
        pointer: None,
        node: None,
        timelines: vec![0],
        between,
        key_count: 5,
        numbers,
    }
}

fn ask(command: TimelineCommand) -> Command {
    Command::Timeline(command)
}

pub fn with_sheet(kind: SheetKind) -> Fixture {
    Fixture {
        sheet: Some(kind),
        sheet_rows: vec![
            row("Translation", Between::Linear, NumberKind::Axes(3)),
            row("Rotation", Between::Cubic, NumberKind::Degrees),
            row("Smile", Between::Step, NumberKind::One),
        ],
        ..Fixture::default()
    }
}

#[test]
fn keys_and_buttons_open_and_close_the_sheet() {
    let fixture = Fixture::default();
    let mut window = settled(&fixture);
    assert_eq!(
        window.key(&fixture, Key::S),
        [ask(TimelineCommand::ToggleSheet)]
    );
    let button = window
        .find_named(&fixture, "Keys and curves")
        .expect("a button");
    let commands = window.click(&fixture, button.center());
    assert_eq!(commands, [ask(TimelineCommand::ToggleSheet)]);
    window.modifiers = Modifiers::SHIFT;
    assert_eq!(
        window.key(&fixture, Key::S),
        [ask(TimelineCommand::OtherSheet)]
    );

    let fixture = with_sheet(SheetKind::Dope);
    let mut window = settled(&fixture);
    for (name, command) in [
        (
            "Curves",
            TimelineCommand::ShowSheet(Some(SheetKind::Curves)),
        ),
        ("Close the sheet", TimelineCommand::ShowSheet(None)),
        (
            "Rotations as quaternions, as the file has them",
            TimelineCommand::SetQuaternions(true),
        ),
    ] {
        let button = window.find_named(&fixture, name).expect(name);
        assert_eq!(
            window.click(&fixture, button.center()),
            [ask(command)],
            "{name}"
        );
    }
}

#[test]
fn times_stand_below_one_another() {
    for (width, height) in [(1280.0, 720.0), (800.0, 500.0)] {
        for kind in [SheetKind::Dope, SheetKind::Curves] {
            let fixture = with_sheet(kind);
            let mut window = Window::new(width, height);
            window.settle(&fixture);
            let (sheet, timeline) = (window.part("sheet"), window.part("timeline"));
            // The timeline's part is from the first to the last time, within margins of 14 points.
            assert_eq!(sheet.left() + 14.0, timeline.left(), "{width} {kind:?}");
            assert_eq!(sheet.right() - 14.0, timeline.right(), "{width} {kind:?}");
            assert!(
                sheet.bottom() <= timeline.top() && sheet.height() > 60.0,
                "{sheet:?}"
            );
            assert!(window.part("viewport").height() > 90.0);
        }
    }
}

#[test]
fn a_click_on_a_key_goes_to_its_time_and_a_drag_scrubs() {
    for kind in [SheetKind::Dope, SheetKind::Curves] {
        let fixture = with_sheet(kind);
        let mut window = settled(&fixture);
        let (sheet, timeline) = (window.part("sheet"), window.part("timeline"));
        let x = |time: f32| timeline.left() + time / 2.0 * timeline.width();
        let y = sheet.top() + 10.0;
        // A key is at 0.4 s.
        let commands = window.click(&fixture, pos2(x(0.4) + 4.0, y));
        let exact = Command::Playback(PlaybackCommand::Seek(f64::from(0.4_f32)));
        assert!(commands.contains(&exact), "{commands:?}");
        assert!(
            commands.iter().all(|command| *command == exact),
            "{commands:?}"
        );

        window.button(pos2(x(0.4), y), PointerButton::Primary, true);
        window.frame(&fixture);
        window.move_to(pos2(x(1.3), y + 200.0));
        let commands = window.frame(&fixture);
        let [Command::Playback(PlaybackCommand::Seek(time))] = commands[..] else {
            panic!("{commands:?}");
        };
        assert!((time - 1.3).abs() < 1e-3, "{time}");
    }
}

#[test]
fn names_choose_channels_and_nodes() {
    let mut fixture = with_sheet(SheetKind::Dope);
    let mut window = settled(&fixture);
    let curves = ask(TimelineCommand::ShowSheet(Some(SheetKind::Curves)));
    let smile = window
        .find_named(&fixture, "Smile: 5 keys, step")
        .expect("a row");
    assert_eq!(window.click(&fixture, smile.center()), [curves]);
    fixture.sheet = Some(SheetKind::Curves);
    window.settle(&fixture);
    // A step has no values between: its curve stands where the pointer is.
    let sheet = window.part("sheet");
    window.move_to(pos2(window.part("timeline").left(), sheet.center().y));
    assert!(window.find_text(&fixture, "0.000 s  ·  frame 0").is_some());

    fixture.sheet = Some(SheetKind::Dope);
    fixture.sheet_rows = vec![row("mixamorig:Head", Between::Mixed, NumberKind::None)];
    fixture.sheet_rows[0].node = Some(8);
    window.settle(&fixture);
    let name = "mixamorig:Head: 5 keys, mixed";
    let head = window.find_named(&fixture, name).expect("a row");
    let commands = window.click(&fixture, head.center());
    assert_eq!(commands, [Command::SelectNode(Some(8))]);
}

#[test]
fn the_sheet_is_resized_by_its_edge() {
    let fixture = with_sheet(SheetKind::Dope);
    let mut window = settled(&fixture);
    let before = window.part("sheet");
    let edge = pos2(before.center().x, before.top() - 30.0);
    window.move_to(edge);
    window.frame(&fixture);
    window.button(edge, PointerButton::Primary, true);
    window.frame(&fixture);
    window.move_to(edge - vec2(0.0, 80.0));
    window.frame(&fixture);
    window.button(edge - vec2(0.0, 80.0), PointerButton::Primary, false);
    window.frame(&fixture);
    window.settle(&fixture);
    let after = window.part("sheet");
    let growth = after.height() - before.height();
    assert!((70.0..90.0).contains(&growth), "{before:?} {after:?}");
}

#[test]
fn a_hundred_thousand_keys_are_as_many_shapes_as_there_is_width() {
    let times: Vec<f32> = (0..100_000).map(|key| key as f32 / 50_000.0).collect();
    let times: &'static [f32] = times.leak();
    let shapes = |kind, count: usize| {
        let mut fixture = with_sheet(kind);
        fixture.sheet_numbers.timelines = vec![&times[..count]];
        fixture.key_times_secs = times[..count].to_vec();
        for row in &mut fixture.sheet_rows {
            row.key_count = count;
        }
        let mut window = settled(&fixture);
        let (_, output) = window.draw(&fixture);
        let started = std::time::Instant::now();
        for frame in 0..50 {
            fixture.playback.time_secs = f64::from(frame) * 0.01;
            window.draw(&fixture);
        }
        let millis = started.elapsed().as_secs_f64() * 1e3 / 50.0;
        println!(
            "{kind:?}, {count} keys: {} shapes, {millis:.2} ms a frame",
            output.shapes.len()
        );
        output.shapes.len()
    };
    for kind in [SheetKind::Dope, SheetKind::Curves] {
        let (few, many) = (shapes(kind, 20), shapes(kind, 100_000));
        assert!(
            many <= few + 1280,
            "{kind:?}: {many} shapes instead of {few}"
        );
    }
}

fn stop_at(time_secs: f64, node: usize) -> Command {
    let node = Some(node);
    Command::Timeline(TimelineCommand::StopAt { time_secs, node })
}

#[test]
fn markers_say_what_is_odd_and_lead_there() {
    let marker = |kind, from_secs: f64, to_secs: f64, node, words: &str| Marker {
        kind,
        from_secs,
        to_secs,
        node: Some(node),
        is_odd: true,
        is_told: true,
        words: words.to_owned(),
    };
    let fixture = Fixture {
        markers: vec![
            marker(MarkerKind::Slide, 0.2, 0.5, 20, "Foot slide"),
            marker(MarkerKind::Pop, 1.0, 1.03, 12, "Pop of LeftArm"),
            marker(
                MarkerKind::Pop,
                1.001,
                1.04,
                13,
                "LeftForeArm turns 9° in 0.04 s",
            ),
            marker(MarkerKind::Seam, 2.0, 2.0, 3, "Loop seam"),
        ],
        ..Fixture::default()
    };
    let mut window = settled(&fixture);
    for (name, time, node) in [
        ("Foot slide", 0.2, 20),
        ("Pop of LeftArm", 1.0, 12),
        ("Loop seam", 2.0, 3),
    ] {
        let place = window.find_named(&fixture, name).expect(name);
        let commands = window.click(&fixture, place.center());
        assert_eq!(commands, [stop_at(time, node)], "{name}");
    }
    // A pop stands where its words and a click say that it is.
    let timeline = window.part("timeline");
    let pop = window.find_named(&fixture, "Pop of LeftArm");
    let middle = pop.expect("a mark").center().x;
    assert!((middle - timeline.center().x).abs() < 0.6, "{middle}");
    // What cannot be told apart is one mark; its tooltip has both.
    let other = "LeftForeArm turns 9° in 0.04 s";
    assert_eq!(window.find_named(&fixture, other), None);
    window.time_secs += 1.0;
    let pop = window
        .find_named(&fixture, "Pop of LeftArm")
        .expect("a mark");
    window.move_to(pop.center());
    for _ in 0..60 {
        window.frame(&fixture);
    }
    // A line never ends between a number and its unit.
    let told = other.replace(" s", "\u{a0}s");
    assert!(window.find_text(&fixture, &told).is_some());
}

/// The list of clips and `check --motion` tell what stands out far; whoever looks at the clip sees the rest, too.
#[test]
fn a_mark_that_is_told_nowhere_else_is_fainter_and_says_so() {
    let pop = |from_secs: f64, is_told| Marker {
        kind: MarkerKind::Pop,
        from_secs,
        to_secs: from_secs + 0.03,
        node: Some(12),
        is_odd: true,
        is_told,
        words: format!("Pop at {from_secs}"),
    };
    let fixture = Fixture {
        markers: vec![
            pop(0.5, true),
            pop(1.0, false),
            pop(1.5, false),
            pop(1.501, true),
        ],
        ..Fixture::default()
    };
    let mut window = settled(&fixture);
    let mut seen = |name: &str| {
        window.move_to(pos2(0.0, 0.0));
        window.settle(&fixture);
        let place = window.find_named(&fixture, name).expect(name).center();
        let (_, output) = window.draw(&fixture);
        let mut colors = output.shapes.iter().filter_map(|shape| match &shape.shape {
            egui::Shape::Path(path) if path.visual_bounding_rect().contains(place) => {
                Some(path.fill.to_array())
            }
            _ => None,
        });
        let color = colors.next_back().expect("a triangle");
        window.move_to(place);
        for _ in 0..60 {
            window.frame(&fixture);
        }
        let words = "What is faint stands out too little for the sign in the list of clips, and for a warning by check --motion";
        (color, window.find_text(&fixture, words).is_some())
    };
    let (told, is_explained) = seen("Pop at 0.5");
    assert!(!is_explained);
    let (faint, is_explained) = seen("Pop at 1");
    assert!(faint[3] < told[3] / 4 * 3, "{faint:?} {told:?}");
    assert!(is_explained);
    // Of several in one place the one that is told counts.
    assert_eq!(seen("Pop at 1.5"), (told, true));
}

/// What lasts a frame is not seen while time runs on.
#[test]
fn a_click_on_a_mark_stops_there() {
    let marker = Marker {
        kind: MarkerKind::Pop,
        from_secs: 1.0,
        to_secs: 1.03,
        node: Some(12),
        is_odd: true,
        is_told: true,
        words: "Pop of LeftArm".to_owned(),
    };
    let mut fixture = Fixture {
        markers: vec![marker],
        ..Fixture::default()
    };
    fixture.playback.is_playing = true;
    let mut window = settled(&fixture);
    let asked = window.click_named(&fixture, "Pop of LeftArm");
    assert_eq!(asked, [stop_at(1.0, 12)]);
}

#[test]
fn what_stands_beside_the_timeline_has_room_there() {
    for (width, height) in [(1280.0, 720.0), (800.0, 500.0)] {
        let mut fixture = with_sheet(SheetKind::Dope);
        for (selected_node, words) in [(None, "All keys"), (Some(1), "Keys of the node")] {
            fixture.selected_node = selected_node;
            let mut window = Window::new(width, height);
            window.settle(&fixture);
            let place = window.find_text(&fixture, words).expect(words);
            let timeline = window.part("timeline");
            assert!(
                place.right() + 2.0 <= timeline.left(),
                "{place:?} {timeline:?}"
            );
        }
    }
}

/// However high it was drawn in a larger window.
#[test]
fn in_a_low_window_the_picture_keeps_some_height_above_the_sheet() {
    let fixture = with_sheet(SheetKind::Curves);
    let mut window = settled(&fixture);
    window.state = rigscope::ui::UiState::default();
    let before = window.part("sheet");
    let edge = pos2(before.center().x, before.top() - 30.0);
    window.move_to(edge);
    window.frame(&fixture);
    window.button(edge, PointerButton::Primary, true);
    window.frame(&fixture);
    window.move_to(edge - vec2(0.0, 200.0));
    window.frame(&fixture);
    window.button(edge - vec2(0.0, 200.0), PointerButton::Primary, false);
    window.settle(&fixture);
    window.size = vec2(800.0, 500.0);
    window.settle(&fixture);
    let picture = window.part("viewport").height();
    assert!(picture >= 130.0, "{picture}");
    assert!(window.part("sheet").height() >= 60.0);
}

#[test]
fn a_file_without_clips_has_none_to_select() {
    let fixture = Fixture {
        sheet: Some(SheetKind::Dope),
        ..Fixture::default().without_clip()
    };
    let mut window = settled(&fixture);
    let words = "This file has no animation";
    assert!(window.find_text(&fixture, words).is_some());
}
