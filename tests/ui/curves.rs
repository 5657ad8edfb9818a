//! Curves in the sheet above the timeline.

use egui::vec2;
use rigscope::ui::{Between, NumberKind, SheetKind, SheetRow};

use crate::{
    fixture::{Fixture, Window, settled},
    sheet::{row, with_sheet},
};

#[test]
fn where_there_are_no_curves_it_says_why() {
    let mut fixture = with_sheet(SheetKind::Curves);
    fixture.sheet_rows = vec![SheetRow {
        node: Some(2),
        ..row("hips", Between::Linear, NumberKind::None)
    }];
    let mut window = settled(&fixture);
    let words = "Select a node to see its curves";
    assert!(window.find_text(&fixture, words).is_some());
    fixture.selected_node = Some(1);
    let words = "The selected node does not move. Select one that does to see its curves";
    assert!(window.find_text(&fixture, words).is_some());
}

/// Else the first keys could not be seen.
#[test]
fn values_of_curves_stand_beside_the_first_keys() {
    for (width, height) in [(1280.0, 720.0), (600.0, 500.0)] {
        let mut fixture = with_sheet(SheetKind::Curves);
        fixture.selected_node = Some(1);
        let mut window = Window::new(width, height);
        window.settle(&fixture);
        window.click_named(&fixture, "Rotation: 5 keys, cubic spline");
        window.settle(&fixture);
        let sheet = window.part("sheet");
        let beside = sheet
            .with_min_x(0.0)
            .with_max_x(sheet.left())
            .expand2(vec2(0.0, 8.0));
        let values = window.texts_in(&fixture, beside).into_iter();
        let values = values.filter(|(words, _)| words.ends_with('°'));
        let values: Vec<_> = values.collect();
        assert!(values.len() >= 2, "{width}: {values:?}");
        let name = window.find_named(&fixture, "Rotation: 5 keys, cubic spline");
        let name = name.expect("a row");
        assert!(name.width() >= 88.0, "{width}: {name:?}");
        for (words, place) in values {
            let is_beside = name.right() <= place.left() && place.right() < sheet.left();
            assert!(is_beside, "{width}: {words} {place:?} {name:?}");
        }
    }
}

/// Values of many digits have room for themselves, and hide no curve.
#[test]
fn long_values_of_curves_stand_beside_these() {
    let mut fixture = with_sheet(SheetKind::Curves);
    fixture.sheet_numbers.reach = 1e12;
    fixture.selected_node = Some(1);
    let mut window = settled(&fixture);
    let sheet = window.part("sheet");
    let shapes = window.shapes(&fixture);
    let values = shapes.iter().filter_map(|shape| match shape {
        egui::Shape::Text(text) => {
            let value = text.galley.text().parse::<f32>().ok()?;
            let is_beside = sheet.y_range().contains(text.pos.y) && value > 1e9;
            is_beside.then(|| text.pos.x + text.galley.size().x)
        }
        _ => None,
    });
    let rights: Vec<_> = values.collect();
    assert!(!rights.is_empty());
    assert!(
        rights.iter().all(|right| *right <= sheet.left()),
        "{rights:?}"
    );
}

#[test]
fn curves_open_on_what_moves_most() {
    let mut fixture = with_sheet(SheetKind::Curves);
    // All go from −1 to 1: of a weight that is more than of a turn or of a way through the model.
    fixture.selected_node = Some(3);
    let mut window = settled(&fixture);
    let is_shown = |window: &mut Window, fixture: &Fixture, label: &str| {
        let node = window.accessible(fixture, label).expect(label);
        node.toggled() == Some(egui::accesskit::Toggled::True)
    };
    assert!(is_shown(&mut window, &fixture, "Smile: 5 keys, step"));
    // What the user has chosen is kept for the next node.
    window.click_named(&fixture, "Rotation: 5 keys, cubic spline");
    fixture.selected_node = Some(4);
    window.settle(&fixture);
    assert!(is_shown(
        &mut window,
        &fixture,
        "Rotation: 5 keys, cubic spline"
    ));
}

/// It changes nothing of a translation.
#[test]
fn degrees_and_quaternions_are_offered_where_rotations_are_shown() {
    let mut fixture = with_sheet(SheetKind::Curves);
    fixture.selected_node = Some(1);
    for (label, has_turns) in [
        ("Rotation: 5 keys, cubic spline", true),
        ("Translation: 5 keys, linear", false),
    ] {
        let mut window = settled(&fixture);
        window.click_named(&fixture, label);
        window.settle(&fixture);
        let offered = window.find_text(&fixture, "xyzw").is_some();
        assert_eq!(offered, has_turns, "{label}");
    }
    fixture.sheet = Some(SheetKind::Dope);
    let mut window = settled(&fixture);
    assert!(
        window.find_text(&fixture, "xyzw").is_some(),
        "all are shown"
    );
}

#[test]
fn without_rows_there_is_nothing_to_switch() {
    let mut fixture = with_sheet(SheetKind::Curves);
    for has_rows in [true, false] {
        if !has_rows {
            fixture.sheet_rows.clear();
            fixture.clip = None;
        }
        let mut window = settled(&fixture);
        for words in ["Curves", "Dope sheet"] {
            let is_there = window.find_text(&fixture, words).is_some();
            assert_eq!(is_there, has_rows, "{words}");
        }
    }
}
