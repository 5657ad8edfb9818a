//! The keyboard's focus: it is seen, comes into sight, and goes back when what was in front goes.

use std::collections::BTreeMap;

use egui::{Key, Memory, Modifiers, PointerButton, Rect, Response, pos2};
use rigscope::ui::{Command, FilesCommand, Picker, PictureKind, PoseKind, RecentRow, SavingKind};

use crate::fixture::{Fixture, Window, settled};
use crate::front::{has_tooltip, rest};
use crate::palette::{close, type_text};

/// Presses a key, and waits until it has done all that it does.
fn press(window: &mut Window, fixture: &Fixture, key: Key) -> Vec<Command> {
    let mut asked = window.key(fixture, key);
    for _ in 0..4 {
        asked.extend(window.frame(fixture));
    }
    asked
}

/// What has the focus.
fn focused(window: &Window) -> Option<Response> {
    let id = window.ctx.memory(Memory::focused)?;
    window.ctx.read_response(id)
}

/// Whether any outline of the focus is there.
fn has_outline(window: &mut Window, fixture: &Fixture, around: Rect) -> bool {
    let color = window.focus_color();
    let around = around.expand(2.5);
    let is_outline = |shape: &egui::Shape| {
        matches!(shape, egui::Shape::Rect(rect)
            if around.contains_rect(rect.rect) && rect.stroke.color == color && rect.stroke.width > 0.0)
    };
    window.shapes(fixture).iter().any(is_outline)
}

fn keys() -> Fixture {
    let mut fixture = Fixture::default();
    fixture.shown.keys = true;
    fixture
}

#[test]
fn the_list_of_keys_scrolls_by_keys() {
    let fixture = keys();
    let mut window = Window::new(820.0, 560.0);
    window.settle(&fixture);
    let top = |window: &mut Window| {
        let line = window.find_text(&fixture, "Play or pause");
        line.map(|rect| rect.top())
    };
    let first = top(&mut window).expect("the first line");
    for key in [Key::ArrowDown, Key::PageDown, Key::End] {
        assert_eq!(press(&mut window, &fixture, key), [], "{key:?}");
        let now = top(&mut window);
        assert!(
            now.is_none_or(|now| now < first - 10.0),
            "{key:?}: {now:?} of {first}"
        );
        assert_eq!(press(&mut window, &fixture, Key::Home), []);
        assert_eq!(top(&mut window), Some(first), "{key:?} and back");
    }
    press(&mut window, &fixture, Key::End);
    let last = window.find_text(&fixture, "Scroll the inspector");
    let last = last.expect("the last line");
    assert!(last.bottom() < 560.0, "{last}");
}

#[test]
fn the_list_of_keys_tells_all_ways_to_go_on() {
    let fixture = keys();
    let mut window = Window::new(1280.0, 1400.0);
    window.settle(&fixture);
    for words in [
        "Mix a clip in by its number",
        "Tab, Shift + Tab",
        "Enter, Space",
        "Left, Right",
    ] {
        assert!(window.find_text(&fixture, words).is_some(), "{words}");
    }
}

/// Of a node with figures, and with findings that lead nowhere.
fn inspected() -> Fixture {
    Fixture {
        selected_node: Some(4),
        ..Fixture::default().with_diagnostics()
    }
}

#[test]
fn the_inspector_follows_the_focus() {
    let fixture = inspected();
    let mut window = Window::new(800.0, 500.0);
    window.settle(&fixture);
    window.focus_named(&fixture, "Node");
    let panel = window.part("viewport").right();
    let mut names = Vec::new();
    for _ in 0..60 {
        press(&mut window, &fixture, Key::Tab);
        let Some(control) = focused(&window).filter(|control| control.rect.left() >= panel) else {
            continue;
        };
        let name = window.focused_name(&fixture);
        assert!(control.interact_rect.is_positive(), "{name:?} is seen");
        names.extend(name);
    }
    for name in ["Statistics", "UNUSED_OBJECT  /accessors/9"] {
        assert!(names.iter().any(|known| known.starts_with(name)), "{name}");
    }
}

#[test]
fn the_inspector_scrolls_by_pages_while_the_focus_is_in_it() {
    let fixture = inspected();
    let mut window = Window::new(800.0, 500.0);
    window.settle(&fixture);
    let elsewhere = window.key(&fixture, Key::PageDown);
    assert!(matches!(elsewhere[..], [Command::SelectClip(_)]));
    window.focus_named(&fixture, "Node");
    let top = |window: &mut Window| {
        let heading = window.find_named(&fixture, "Node");
        heading.map(|rect| rect.top())
    };
    let before = top(&mut window).expect("a heading");
    assert_eq!(press(&mut window, &fixture, Key::PageDown), []);
    let after = top(&mut window);
    assert!(
        after.is_none_or(|after| after < before - 100.0),
        "{after:?}"
    );
    assert_eq!(press(&mut window, &fixture, Key::PageUp), []);
    assert_eq!(top(&mut window), Some(before));
}

#[test]
fn a_key_on_the_badge_leads_into_the_list() {
    let fixture = inspected();
    let mut window = Window::new(800.0, 500.0);
    window.settle(&fixture);
    let badge = "1 error, 1 warning in this file: show what is wrong";
    window.focus_named(&fixture, badge);
    assert_eq!(press(&mut window, &fixture, Key::Enter), []);
    let name = window.focused_name(&fixture).unwrap_or_default();
    assert!(name.starts_with("IMAGE_UNREADABLE  /images/2"), "{name}");
    let finding = focused(&window).expect("a finding");
    assert!(finding.interact_rect.is_positive(), "it is seen");
}

/// Types into the palette what leads to the findings.
fn find_findings(window: &mut Window, palette: &Fixture) -> &'static str {
    let row = "Diagnostics: what is wrong with the file";
    window.settle(palette);
    type_text(window, palette, row);
    row
}

#[test]
fn a_key_in_the_palette_leads_into_the_list_and_a_click_does_not() {
    let plain = inspected();
    let palette = Fixture {
        picker: Some(Picker::Palette),
        ..inspected()
    };
    for is_clicked in [false, true] {
        let mut window = Window::new(800.0, 500.0);
        window.settle(&plain);
        let row = find_findings(&mut window, &palette);
        let row = window.find_named(&palette, row).expect("a row").center();
        let asked = if is_clicked {
            window.move_to(row);
            window.frame(&palette);
            window.button(row, PointerButton::Primary, true);
            window.frame(&palette);
            window.button(row, PointerButton::Primary, false);
            window.frame(&palette)
        } else {
            window.key(&palette, Key::Enter)
        };
        assert_eq!(asked, [close()]);
        window.settle(&plain);
        let name = window.focused_name(&plain).unwrap_or_default();
        assert_eq!(name.starts_with("IMAGE_UNREADABLE"), !is_clicked, "{name}");
    }
}

#[test]
fn a_list_that_was_empty_takes_no_focus_later() {
    let notes = |picker| {
        let mut fixture = Fixture {
            picker,
            ..inspected()
        };
        let rows = &mut fixture.diagnostics;
        rows.retain(|row| row.code == "UNUSED_OBJECT");
        fixture
    };
    let (plain, palette) = (notes(None), notes(Some(Picker::Palette)));
    let mut window = Window::new(1280.0, 1600.0);
    window.settle(&plain);
    window.click_named(&plain, "1 note");
    find_findings(&mut window, &palette);
    assert_eq!(window.key(&palette, Key::Enter), [close()]);
    window.settle(&plain);
    window.click_named(&plain, "1 note");
    window.settle(&plain);
    let note = "UNUSED_OBJECT  /accessors/9";
    assert!(window.find_named(&plain, note).is_some());
    let name = window.focused_name(&plain).unwrap_or_default();
    assert!(!name.starts_with(note), "{name}");
}

#[test]
fn headings_ends_of_the_range_and_examples_have_an_outline() {
    let fixture = Fixture::default();
    let mut window = settled(&fixture);
    for name in [
        "Nodes",
        "Statistics",
        "Loop from here on",
        "Loop up to here",
    ] {
        window.focus_named(&fixture, name);
        let place = window.find_named(&fixture, name).expect(name);
        assert!(has_outline(&mut window, &fixture, place), "{name}");
    }
    let mut window = crate::names::window_in(&fixture, &["Examples"], (1280.0, 720.0));
    press(&mut window, &fixture, Key::Tab);
    let row = focused(&window).expect("a row").rect;
    assert!(has_outline(&mut window, &fixture, row), "{row}");
}

#[test]
fn a_menu_that_a_key_closes_gives_the_focus_back() {
    let fixture = Fixture::default();
    for menu in ["Bones", "Pose", "Examples"] {
        let mut window = settled(&fixture);
        window.focus_named(&fixture, menu);
        press(&mut window, &fixture, Key::Enter);
        assert!(egui::Popup::is_any_open(&window.ctx), "{menu}");
        for _ in 0..2 {
            press(&mut window, &fixture, Key::Tab);
        }
        assert_eq!(press(&mut window, &fixture, Key::Escape), [], "{menu}");
        assert!(!egui::Popup::is_any_open(&window.ctx), "{menu}");
        let name = window.focused_name(&fixture);
        assert_eq!(name.as_deref(), Some(menu));
    }
}

#[test]
fn a_list_of_choices_is_led_into_and_gives_the_focus_back() {
    let scenes = Fixture {
        scenes: vec!["Day".to_owned(), "Night".to_owned()],
        ..Fixture::default()
    };
    let variants = Fixture {
        variants: vec!["Winter".to_owned()],
        ..Fixture::default()
    };
    for (fixture, list) in [
        (scenes, "Scene"),
        (variants, "Variant"),
        (crate::inspector::fixture(), "Material: fur"),
    ] {
        let mut window = Window::new(1280.0, 1600.0);
        window.settle(&fixture);
        // By the pointer, which leaves no focus.
        assert_eq!(window.click_named(&fixture, list), []);
        window.settle(&fixture);
        assert!(egui::Popup::is_any_open(&window.ctx), "{list}");
        press(&mut window, &fixture, Key::Tab);
        let order = focused(&window).map(|control| control.layer_id.order);
        assert_eq!(order, Some(egui::Order::Foreground), "{list}");
        assert_eq!(press(&mut window, &fixture, Key::Escape), [], "{list}");
        assert!(!egui::Popup::is_any_open(&window.ctx), "{list}");
        let name = window.focused_name(&fixture);
        assert_eq!(name.as_deref(), Some(list));
    }
}

/// In front of everything.
fn dialogs() -> [(&'static str, Fixture); 3] {
    let palette = Fixture {
        picker: Some(Picker::Palette),
        ..Fixture::default()
    };
    let saving = crate::saving::open(SavingKind::Picture(PictureKind::Still));
    [("keys", keys()), ("palette", palette), ("saving", saving)]
}

#[test]
fn a_dialog_gives_the_focus_back() {
    let plain = Fixture::default();
    for (dialog, fixture) in dialogs() {
        let mut window = settled(&plain);
        window.focus_named(&plain, "Examples");
        window.settle(&fixture);
        press(&mut window, &fixture, Key::Tab);
        window.settle(&plain);
        let name = window.focused_name(&plain);
        assert_eq!(name.as_deref(), Some("Examples"), "{dialog}");
        // Who had none has none.
        let mut window = settled(&plain);
        window.settle(&fixture);
        window.settle(&plain);
        assert!(focused(&window).is_none(), "{dialog}");
    }
}

#[test]
fn a_key_that_is_held_does_not_open_again_what_it_has_closed() {
    let plain = Fixture::default();
    let palette = Fixture {
        picker: Some(Picker::Palette),
        ..Fixture::default()
    };
    let mut window = settled(&plain);
    window.focus_named(&plain, "Find a command, a clip, a node");
    window.settle(&palette);
    window.press(Key::Enter, Modifiers::NONE);
    window.frame(&palette);
    for _ in 0..4 {
        // egui finds out that it repeats itself.
        window.press(Key::Enter, Modifiers::NONE);
        assert_eq!(window.frame(&plain), []);
    }
    window.event(egui::Event::Key {
        key: Key::Enter,
        physical_key: None,
        pressed: false,
        repeat: false,
        modifiers: Modifiers::NONE,
    });
    window.frame(&plain);
    assert_eq!(window.key(&plain, Key::Enter), [close()], "pressed anew");
}

#[test]
fn one_escape_closes_a_dialog_from_its_buttons() {
    for ((dialog, fixture), button) in dialogs().into_iter().zip(["Close", "", "Cancel"]) {
        if button.is_empty() {
            continue;
        }
        let mut window = settled(&fixture);
        window.focus_named(&fixture, button);
        let asked = window.key(&fixture, Key::Escape);
        assert_eq!(asked, [Command::CloseFront], "{dialog}");
    }
}

#[test]
fn tooltips_of_what_lies_behind_do_not_cover_a_menu() {
    let fixture = Fixture::default();
    let mut window = crate::names::window_in(&fixture, &["view"], (1280.0, 720.0));
    let row = window.find_named(&fixture, "Armature").expect("a row");
    rest(&mut window, &fixture, row.center());
    assert!(egui::Popup::is_any_open(&window.ctx));
    assert!(!has_tooltip(&window), "behind the menu");
    let lit = window.find_named(&fixture, "Lit").expect("a row");
    rest(&mut window, &fixture, lit.center());
    assert!(has_tooltip(&window), "in the menu");
    window.key(&fixture, Key::Escape);
    window.settle(&fixture);
    rest(&mut window, &fixture, pos2(640.0, 300.0));
    rest(&mut window, &fixture, row.center());
    assert!(has_tooltip(&window), "without a menu");
}

#[test]
fn another_theme_keeps_tooltips_from_covering_a_menu() {
    let mut fixture = Fixture::default();
    let mut window = crate::names::window_in(&fixture, &["view"], (1280.0, 720.0));
    let row = window.find_named(&fixture, "Armature").expect("a row");
    window.move_to(row.center());
    window.settle(&fixture);
    fixture.dark = !fixture.dark;
    window.settle(&fixture);
    rest(&mut window, &fixture, row.center());
    assert!(egui::Popup::is_any_open(&window.ctx));
    assert!(!has_tooltip(&window), "behind the menu");
}

/// In a window of 820 × 560, one and a half times and twice as large.
#[test]
fn the_box_for_saving_follows_the_focus_and_keeps_its_buttons() {
    for [width, height] in [[546.0, 373.0], [410.0, 280.0]] {
        for kind in [
            SavingKind::Picture(PictureKind::Gif),
            SavingKind::Pose(PoseKind::Clip),
            SavingKind::Animation,
        ] {
            let mut fixture = crate::saving::open(kind);
            fixture.saving.seam = "Run (1.16 s) jumps where this begins again.";
            let mut window = Window::new(width, height);
            window.settle(&fixture);
            for button in ["Save", "Choose…", "Cancel"] {
                let rect = window.find_named(&fixture, button).expect(button);
                assert!(rect.bottom() < height, "{kind:?}, {button}: {rect}");
            }
            for modifiers in [Modifiers::NONE, Modifiers::SHIFT] {
                window.modifiers = modifiers;
                for _ in 0..24 {
                    press(&mut window, &fixture, Key::Tab);
                    let Some(control) = focused(&window) else {
                        continue;
                    };
                    let (seen, all) = (control.interact_rect, control.rect);
                    let is_seen = seen.is_positive() && seen.height() > 0.9 * all.height();
                    assert!(is_seen, "{kind:?} at {width}: {all} in {seen}");
                }
            }
            window.modifiers = Modifiers::NONE;
        }
    }
}

#[test]
fn choices_that_go_on_below_keep_their_column() {
    let fixture = crate::saving::open(SavingKind::Picture(PictureKind::Still));
    let mut window = Window::new(410.0, 280.0);
    let controls = crate::room::controls(&mut window, &fixture);
    let images = controls
        .iter()
        .filter(|(name, _)| name.starts_with("Images: "));
    // Where each line of them begins.
    let mut lines: BTreeMap<i32, f32> = BTreeMap::new();
    for (_, rect) in images {
        let left = lines
            .entry(rect.center().y.round() as i32)
            .or_insert(f32::MAX);
        *left = left.min(rect.left());
    }
    let lefts: Vec<f32> = lines.into_values().collect();
    assert!(lefts.len() > 1, "they go on below");
    assert!(lefts.iter().all(|left| *left == lefts[0]), "{lefts:?}");
}

/// What is below is measured once: no frame is drawn twice for it.
#[test]
fn the_box_for_saving_is_drawn_once_a_frame() {
    let fixture = crate::saving::open(SavingKind::Picture(PictureKind::Still));
    for (width, height) in [(1000.0, 640.0), (410.0, 280.0)] {
        let mut window = Window::new(width, height);
        window.settle(&fixture);
        let (_, output) = window.draw(&fixture);
        assert_eq!(output.platform_output.num_completed_passes, 1);
    }
}

#[test]
fn recent_files_are_forgotten_by_keys() {
    let row = RecentRow {
        path: "/animals/fox.glb".into(),
        name: "fox.glb".to_owned(),
        folder: "animals".to_owned(),
        is_missing: false,
    };
    let fixture = Fixture {
        picker: Some(Picker::Palette),
        recent: vec![row],
        ..Fixture::default()
    };
    let mut window = settled(&fixture);
    window.event(egui::Event::Text("forget all recent".to_owned()));
    window.frame(&fixture);
    window.frame(&fixture);
    let asked = window.key(&fixture, Key::Enter);
    let done = [
        FilesCommand::Pick(Picker::Palette),
        FilesCommand::ForgetRecent,
    ];
    assert_eq!(asked, done.map(Command::Files));
}
