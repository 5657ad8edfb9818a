//! Panels are found as they were left, in the same run and in the next one.

use egui::{PointerButton, pos2, vec2};
use rigscope::ui::{PanelMemory, SheetKind};

use crate::fixture::{Fixture, Window};

/// Another run of the program, that begins as the last one ended.
fn next_run(memory: &PanelMemory, size: egui::Vec2, fixture: &Fixture) -> Window {
    let mut window = Window::new(size.x, size.y);
    window.state.remember(memory);
    window.settle(fixture);
    window
}

/// High enough for all sections.
const HIGH: egui::Vec2 = vec2(1280.0, 3000.0);

fn is_open(window: &mut Window, fixture: &Fixture, title: &str) -> bool {
    let heading = window.accessible(fixture, title);
    let heading = heading.unwrap_or_else(|| panic!("no section {title}"));
    heading.is_expanded() == Some(true)
}

/// The sections of the panels, by their headings.
pub const SECTIONS: [&str; 13] = [
    "Clips",
    "Mix",
    "Nodes",
    "Node",
    "Morphs",
    "Mesh",
    "Skin",
    "Material",
    "Texture",
    "Extras",
    "Channels",
    "Diagnostics",
    "Statistics",
];

#[test]
fn every_section_stays_folded() {
    let fixture = crate::names::with_everything();
    for title in SECTIONS {
        let mut window = next_run(&PanelMemory::default(), HIGH, &fixture);
        assert!(is_open(&mut window, &fixture, title), "{title}");
        assert_eq!(window.click_named(&fixture, title), []);
        let memory = window.state.memory();
        let mut window = next_run(&memory, HIGH, &fixture);
        for other in SECTIONS {
            assert_eq!(
                is_open(&mut window, &fixture, other),
                other != title,
                "{title}"
            );
        }
        assert_eq!(window.state.memory(), memory);
        assert_eq!(window.click_named(&fixture, title), []);
        assert_eq!(
            window.state.memory(),
            PanelMemory::default(),
            "{title} opened again"
        );
    }
}

fn drag(window: &mut Window, fixture: &Fixture, from: egui::Pos2, by: egui::Vec2) {
    window.move_to(from);
    window.frame(fixture);
    window.button(from, PointerButton::Primary, true);
    window.frame(fixture);
    for part in [0.3, 0.7, 1.0] {
        window.move_to(from + part * by);
        window.frame(fixture);
    }
    window.button(from + by, PointerButton::Primary, false);
    window.frame(fixture);
    window.settle(fixture);
}

/// Who aims at an edge hits it from either side.
#[test]
fn panels_are_drawn_from_both_sides_of_their_edges() {
    let fixture = crate::sheet::with_sheet(SheetKind::Dope);
    for beside in [-4.0, -2.0, 0.0, 2.0, 4.0] {
        let size = vec2(1280.0, 720.0);
        let mut window = next_run(&PanelMemory::default(), size, &fixture);
        let before = window.part("viewport");
        let edge = before.center_bottom() + vec2(0.0, beside);
        drag(&mut window, &fixture, edge, vec2(0.0, -70.0));
        let edge = before.left_center() + vec2(beside, 0.0);
        drag(&mut window, &fixture, edge, vec2(60.0, 0.0));
        let edge = before.right_center() + vec2(beside, 0.0);
        drag(&mut window, &fixture, edge, vec2(-60.0, 0.0));
        let after = window.part("viewport");
        assert!(after.height() < before.height() - 50.0, "{beside}: {after}");
        assert!(after.left() > before.left() + 40.0, "{beside}: {after}");
        assert!(after.right() < before.right() - 40.0, "{beside}: {after}");
    }
}

#[test]
fn the_sheet_is_as_high_as_it_was() {
    let fixture = crate::sheet::with_sheet(SheetKind::Curves);
    let size = vec2(1280.0, 720.0);
    let mut window = next_run(&PanelMemory::default(), size, &fixture);
    assert_eq!(
        window.state.memory().sheet_height,
        None,
        "nobody has drawn it"
    );
    let before = window.part("sheet");
    let edge = pos2(before.center().x, before.top() - 30.0);
    drag(&mut window, &fixture, edge, vec2(0.0, -70.0));
    let drawn = window.part("sheet");
    assert!(drawn.height() > before.height() + 50.0);
    let memory = window.state.memory();
    let mut window = next_run(&memory, size, &fixture);
    assert_eq!(window.part("sheet"), drawn);
    assert_eq!(window.state.memory(), memory);
    // A low window has no room for that, and leaves it as it was wanted.
    let low = next_run(&memory, vec2(800.0, 330.0), &fixture);
    assert!(low.part("sheet").height() < drawn.height());
    assert_eq!(low.state.memory(), memory);
    // Closed and opened again it is as high.
    window.settle(&Fixture::default());
    window.settle(&fixture);
    assert_eq!(window.part("sheet"), drawn);
}

#[test]
fn a_low_window_leaves_the_sheet_as_high_as_it_was() {
    let fixture = crate::sheet::with_sheet(SheetKind::Dope);
    let size = vec2(1280.0, 800.0);
    let mut window = next_run(&PanelMemory::default(), size, &fixture);
    let usual = window.part("sheet");
    // A smaller window, and the scale of one that becomes larger step by step.
    let smaller = |scale: f32| vec2(800.0, 500.0) / scale;
    let steps = [1.0, 1.1, 1.2, 1.3, 1.4, 1.5].map(smaller);
    for step in steps.into_iter().chain([size / 1.5]) {
        window.size = step;
        window.settle(&fixture);
        assert_eq!(window.state.memory().sheet_height, None, "{step}");
    }
    window.size = size;
    window.settle(&fixture);
    assert_eq!(window.part("sheet"), usual);
    assert_eq!(window.state.memory().sheet_height, None);
}

#[test]
fn panels_are_as_wide_as_they_were() {
    let fixture = Fixture::default();
    let size = vec2(1280.0, 720.0);
    let mut window = next_run(&PanelMemory::default(), size, &fixture);
    let before = window.part("viewport");
    let (left, right) = (before.left_center(), before.right_center());
    drag(
        &mut window,
        &fixture,
        right + vec2(1.0, 0.0),
        vec2(-50.0, 0.0),
    );
    drag(
        &mut window,
        &fixture,
        left - vec2(1.0, 0.0),
        vec2(60.0, 0.0),
    );
    let drawn = window.part("viewport");
    assert!(
        drawn.width() < before.width() - 90.0,
        "{before:?} {drawn:?}"
    );
    let memory = window.state.memory();
    let window = next_run(&memory, size, &fixture);
    assert_eq!(window.part("viewport"), drawn);
}

#[test]
fn a_small_window_leaves_panels_as_wide_as_they_were_wanted() {
    let fixture = Fixture::default();
    let size = vec2(1280.0, 720.0);
    let mut window = next_run(&PanelMemory::default(), size, &fixture);
    let (drawn, memory) = (window.part("viewport"), window.state.memory());
    window.size = vec2(800.0, 500.0);
    window.settle(&fixture);
    assert!(drawn.width() - window.part("viewport").width() > 300.0);
    assert_eq!(window.state.memory(), memory);
    window.size = size;
    window.settle(&fixture);
    assert_eq!(window.part("viewport"), drawn);
    assert_eq!(window.state.memory(), memory);
}

/// Where there is room for one panel, it is the one that was there last.
#[test]
fn the_panel_of_a_narrow_window_is_the_same() {
    let mut fixture = Fixture::default();
    let size = vec2(640.0, 500.0);
    let mut window = next_run(&PanelMemory::default(), size, &fixture);
    assert!(window.find_text(&fixture, "Clips").is_some());
    let switch = window.find_named(&fixture, "Inspector").expect("a switch");
    assert_eq!(window.click(&fixture, switch.center()), []);
    assert!(window.find_text(&fixture, "Statistics").is_some());
    let memory = window.state.memory();
    let mut window = next_run(&memory, size, &fixture);
    assert!(window.find_text(&fixture, "Statistics").is_some());
    assert!(window.find_text(&fixture, "Clips").is_none());
    // It is the other one's turn when it is switched on.
    fixture.shown.scene_panel = false;
    window.settle(&fixture);
    fixture.shown.scene_panel = true;
    window.settle(&fixture);
    assert!(window.find_text(&fixture, "Clips").is_some());
}

#[test]
fn what_makes_no_sense_does_no_harm() {
    let fixture = crate::sheet::with_sheet(SheetKind::Dope);
    for height in [f32::NAN, f32::INFINITY, -1e9, 0.0, 1e9] {
        let memory = PanelMemory {
            widths: [height; 2],
            inspector_first: true,
            sheet_height: Some(height),
            folded: ["No such section".to_owned(), String::new()].into(),
        };
        for size in [vec2(1280.0, 720.0), vec2(800.0, 500.0)] {
            let window = next_run(&memory, size, &fixture);
            let viewport = window.part("viewport");
            assert!(
                viewport.width() >= 280.0 && viewport.height() >= 80.0,
                "{viewport:?}"
            );
        }
    }
}
