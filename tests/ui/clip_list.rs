//! The list of clips: what is in sight of it, and how much of their names.

use egui::vec2;
use rigscope::ui::{ClipRow, Command, MixMode};

use crate::clips::mixed;
use crate::fixture::{Fixture, Window, settled};

pub fn many(count: usize) -> Fixture {
    let mut fixture = Fixture::default();
    fixture.clips = (0..count)
        .map(|clip| ClipRow {
            name: format!("move {clip}"),
            ..fixture.clips[0].clone()
        })
        .collect();
    fixture.clip = Some(0);
    fixture
}

/// Who clicks a clip clicks the next one beside it.
#[test]
fn a_click_on_a_clip_leaves_its_row_under_the_pointer() {
    let mut fixture = many(60);
    let mut window = settled(&fixture);
    let rows = |window: &mut Window, fixture: &Fixture| -> Vec<usize> {
        let names = (0..60).map(|clip| format!("move {clip}"));
        let found = names.map(|name| window.find_text(fixture, &name).is_some());
        found
            .enumerate()
            .filter_map(|(clip, is_seen)| is_seen.then_some(clip))
            .collect()
    };
    // What is painted below the list is cut away.
    let below = window.find_text(&fixture, "Add clips from files…");
    let bottom = below.expect("a button").top() - 12.0;
    let is_seen = |window: &mut Window, clip: &usize| {
        let rect = window.find_text(&fixture, &format!("move {clip}"));
        rect.is_some_and(|rect| rect.top() + 2.0 < bottom)
    };
    let last = (0..60).rfind(|clip| is_seen(&mut window, clip));
    let last = last.expect("some are in sight");
    // One that is wholly in sight, and one that the edge of the list cuts.
    for clip in [last - 2, last] {
        let name = format!("move {clip}");
        let before = window.find_text(&fixture, &name).expect("in sight");
        let pointer = before.center_top() + vec2(0.0, 1.0);
        let chosen = [Command::SelectClip(Some(clip))];
        assert_eq!(window.click(&fixture, pointer), chosen);
        fixture.clip = Some(clip);
        window.settle(&fixture);
        let after = window.find_text(&fixture, &name).expect("in sight");
        assert!(
            (after.top() - before.top()).abs() < 24.0,
            "{before} {after}"
        );
        let row = after.expand2(vec2(0.0, 6.0));
        assert!(row.y_range().contains(pointer.y), "{row} {pointer}");
    }
    // What is far away comes in by as little as it needs: the last row of the list.
    fixture.clip = Some(40);
    window.settle(&fixture);
    let seen = rows(&mut window, &fixture);
    assert!(seen.contains(&40) && !seen.contains(&42), "{seen:?}");
}

#[test]
fn a_high_window_lists_more_clips() {
    let fixture = many(60);
    let count = |height: f32| {
        let mut window = Window::new(1280.0, height);
        window.settle(&fixture);
        let names = (0..60).map(|clip| format!("move {clip}"));
        names
            .filter(|name| window.find_text(&fixture, name).is_some())
            .count()
    };
    let counts = [500.0, 800.0, 1080.0].map(count);
    assert!(
        counts[0] <= 4 && counts[1] >= 9 && counts[2] >= 17,
        "{counts:?}"
    );
}

#[test]
fn the_heading_counts_what_a_search_finds() {
    let fixture = many(30);
    let mut window = settled(&fixture);
    assert!(window.find_text(&fixture, "30").is_some());
    let field = window.find_text(&fixture, "Search clips").unwrap();
    window.click(&fixture, field.center());
    window.event(egui::Event::Text("e 2".to_owned()));
    window.settle(&fixture);
    assert!(window.find_text(&fixture, "11 of 30").is_some());
}

#[test]
fn names_leave_out_how_all_of_them_begin() {
    let mut fixture = many(12);
    for (clip, row) in fixture.clips.iter_mut().enumerate() {
        row.name = format!("Rig_Medium|melee_attack_with_two_hands_{clip}");
    }
    let mut window = settled(&fixture);
    let short = "melee_attack_with_two_hands_3";
    assert!(window.find_text(&fixture, short).is_none(), "too long");
    for row in &mut fixture.clips {
        row.name = row.name.replace("_with_two_hands", "_by_hands");
    }
    window = settled(&fixture);
    let short = "melee_attack_by_hands_3";
    assert!(window.find_text(&fixture, short).is_some());
    // Its whole name is what screen readers say.
    let whole = "Rig_Medium|melee_attack_by_hands_3, 3.42 s";
    assert!(window.find_named(&fixture, whole).is_some());
    for row in &mut fixture.clips {
        row.name = row.name.replace("melee_attack_by_hands", "hit");
    }
    fixture.clips.truncate(11);
    window.settle(&fixture);
    assert!(window.find_text(&fixture, "hit_3").is_some());
}

/// One clip has one name, wherever it is told.
#[test]
fn a_clip_is_called_the_same_in_list_mix_and_echo() {
    let mut fixture = Fixture::default();
    for row in &mut fixture.clips {
        row.name = format!("CharacterArmature|{}", row.name);
    }
    fixture.mix.clips.push(mixed(2, MixMode::Blend));
    let mut window = Window::new(1280.0, 1400.0);
    window.settle(&fixture);
    let whole = egui::Rect::from_min_size(egui::Pos2::ZERO, window.size);
    let mut texts = |fixture: &Fixture| {
        let texts = window.texts_in(fixture, whole).into_iter();
        texts.map(|(text, _)| text).collect::<Vec<_>>()
    };
    let shown = texts(&fixture);
    assert!(shown.iter().any(|text| text == "Over Walk"), "{shown:?}");
    let runs = shown.iter().filter(|text| *text == "Run").count();
    assert_eq!(runs, 2, "in the list and in the mix: {shown:?}");
    assert!(!shown.iter().any(|text| text.contains("Armature|")));
    window.key(&fixture, egui::Key::CloseBracket);
    let echo = window.texts_in(&fixture, whole);
    assert!(echo.iter().any(|(text, _)| text == "Clip: Walk"));
}

/// The mix is about parts of the body: some of the nodes stay in sight.
#[test]
fn some_nodes_stay_below_a_mix() {
    let mut fixture = many(40);
    fixture.mix.clips.push(mixed(2, MixMode::Blend));
    let mut window = settled(&fixture);
    let bottom = window.part("viewport").bottom();
    for place in 0..3 {
        let name = fixture.nodes[place].name.clone();
        let row = window.find_text(&fixture, &name).expect("in sight");
        assert!(row.bottom() <= bottom, "{name}: {row}");
    }
}

/// Clips of another file stand behind all others, and the first of them plays.
#[test]
fn a_clip_that_was_added_comes_into_sight() {
    let mut fixture = many(60);
    let mut window = settled(&fixture);
    for clip in 60..80 {
        let name = format!("added {clip}");
        let row = fixture.clips[0].clone();
        fixture.clips.push(ClipRow { name, ..row });
    }
    fixture.clip = Some(60);
    window.settle(&fixture);
    assert!(is_in_list(&mut window, &fixture, "added 60"));
}

#[test]
fn the_clip_stays_in_sight_when_the_list_gets_lower() {
    let mut fixture = many(60);
    fixture.clip = Some(30);
    let mut window = settled(&fixture);
    assert!(is_in_list(&mut window, &fixture, "move 30"));
    fixture.mix.clips.push(mixed(31, MixMode::Blend));
    window.settle(&fixture);
    assert!(is_in_list(&mut window, &fixture, "move 30"), "a mix");
    fixture.mix.clips.clear();
    window.settle(&fixture);
    fixture.sheet = Some(rigscope::ui::SheetKind::Curves);
    window.settle(&fixture);
    assert!(is_in_list(&mut window, &fixture, "move 30"), "the sheet");
}

/// One that was brought into sight from below stands at the very end of the list.
#[test]
fn a_clip_that_came_from_below_stays_in_sight_when_the_list_gets_lower() {
    for height in [700.0, 728.0, 768.0, 800.0, 1080.0] {
        let mut fixture = many(76);
        fixture.clip = Some(0);
        let mut window = Window::new(1280.0, height);
        window.settle(&fixture);
        fixture.clip = Some(73);
        window.settle(&fixture);
        for _ in 0..5 {
            window.frame(&fixture);
        }
        assert!(is_in_list(&mut window, &fixture, "move 73"), "{height}");
        fixture.sheet = Some(rigscope::ui::SheetKind::Curves);
        window.settle(&fixture);
        assert!(is_in_list(&mut window, &fixture, "move 73"), "{height}");
    }
}

/// Whether a text is painted in the list of clips, and not cut away at its edges.
fn is_in_list(window: &mut Window, fixture: &Fixture, words: &str) -> bool {
    let below = window.find_text(fixture, "Add clips from files…");
    let below = below.expect("a button").top() - 6.0;
    let above = window.find_text(fixture, "Search clips");
    let above = above.expect("a search").bottom();
    let row = window.find_text(fixture, words);
    row.is_some_and(|row| row.top() > above && row.bottom() < below)
}

#[test]
fn the_heading_stays_when_a_mix_begins() {
    for size in [vec2(1280.0, 800.0), vec2(800.0, 520.0)] {
        let mut fixture = Fixture {
            selected_node: Some(13),
            ..Fixture::default()
        };
        let mut window = Window::new(size.x, size.y);
        window.settle(&fixture);
        let before = window.find_text(&fixture, "Clips").expect("a heading");
        fixture.mix.clips.push(mixed(2, MixMode::Blend));
        window.settle(&fixture);
        assert_eq!(window.find_text(&fixture, "Clips"), Some(before), "{size}");
    }
}

/// What was scrolled in one file says nothing about the next one.
#[test]
fn another_file_is_seen_from_its_top() {
    let fixture = many(60);
    let mut window = settled(&fixture);
    let viewport = window.part("viewport");
    let places = [
        egui::pos2(viewport.left() - 100.0, 250.0),
        egui::pos2(viewport.left() - 100.0, viewport.bottom() - 60.0),
        egui::pos2(viewport.right() + 100.0, 300.0),
    ];
    let tops = ["move 0", "Scene root", "Node"];
    let before = tops.map(|words| window.find_text(&fixture, words));
    assert!(before.iter().all(Option::is_some), "{before:?}");
    for place in places {
        window.move_to(place);
        window.frame(&fixture);
        window.event(egui::Event::MouseWheel {
            unit: egui::MouseWheelUnit::Point,
            delta: vec2(0.0, -400.0),
            phase: egui::TouchPhase::Move,
            source: egui::MouseWheelSource::Unknown,
            modifiers: egui::Modifiers::NONE,
        });
        for _ in 0..30 {
            window.frame(&fixture);
        }
    }
    let scrolled = tops.map(|words| window.find_text(&fixture, words));
    for (before, scrolled) in before.iter().zip(&scrolled).take(2) {
        assert_ne!(before, scrolled);
    }
    let fixture = Fixture {
        document: 2,
        ..fixture
    };
    window.settle(&fixture);
    window.settle(&fixture);
    assert_eq!(tops.map(|words| window.find_text(&fixture, words)), before);
}

/// The key counts from 1, the place in the file from 0.
#[test]
fn numbers_of_clips_say_what_they_count() {
    let mut fixture = many(20);
    fixture.mix.borrowed.push(rigscope::ui::BorrowedRow {
        name: "walks.glb".to_owned(),
        first: 5,
        count: 15,
        is_retargeted: false,
        misfits: Vec::new(),
        missing: Vec::new(),
        unmoved: Vec::new(),
    });
    let mut window = settled(&fixture);
    for (clip, said) in [(1, "/animations/1 · key 2"), (6, "from walks.glb · key 7")] {
        let name = format!("move {clip}");
        let row = window.find_text(&fixture, &name).expect("in sight");
        crate::front::rest(&mut window, &fixture, row.center());
        assert!(window.find_text(&fixture, said).is_some(), "{said}");
    }
}
