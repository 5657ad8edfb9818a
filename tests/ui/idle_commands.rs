//! Commands that would do nothing now: in the palette, in menus, by their keys.

use egui::{Key, Modifiers};
use rigscope::{
    scene::{Inspectable, SurfaceLines, ViewMode},
    ui::{Command, Picker, PictureCommand, WindowCommand},
};

use crate::fixture::{Fixture, Window, loading, settled};
use crate::front::rest;
use crate::palette::{close, open, type_text};

/// Else nobody would know that it is there.
#[test]
fn what_cannot_be_done_now_is_listed_with_the_reason_and_not_chosen() {
    for (typed, label, why) in [
        (
            "differences",
            "Differences of A and B",
            "Nothing is compared",
        ),
        ("swap a and b", "Compare: swap A and B", "F9: compare first"),
        ("redo", "Redo the change", "Nothing to redo"),
        (
            "octahedra",
            "Bones as octahedra",
            "They are drawn so already",
        ),
        (
            "release",
            "Release all motion trails",
            "No motion trail is kept",
        ),
        (
            "graphics card",
            "Use the graphics adapter again",
            "It has not failed",
        ),
    ] {
        let (fixture, mut window) = open();
        type_text(&mut window, &fixture, typed);
        let said = format!("{label}: {why}");
        let row = window.find_named(&fixture, &said).expect(&said);
        assert!(window.find_text(&fixture, why).is_some(), "{why}");
        assert_eq!(window.click(&fixture, row.center()), [], "{typed}");
    }
    let (mut fixture, mut window) = open();
    fixture.crowd = Some((9, 9));
    type_text(&mut window, &fixture, "hold the rest");
    let said = "Hold the rest pose: A crowd plays clips, and holds no pose";
    assert!(window.find_named(&fixture, said).is_some());
    let (mut fixture, mut window) = open();
    fixture.misses_adapter = true;
    type_text(&mut window, &fixture, "graphics card");
    let ask = Command::Window(WindowCommand::UseAdapter);
    assert_eq!(window.key(&fixture, Key::Enter), [close(), ask]);
    // What can be done comes first where both fit alike, and is not hidden by what cannot.
    let (mut fixture, _) = open();
    fixture.nodes[5].name = "Differences".to_owned();
    let mut window = settled(&fixture);
    type_text(&mut window, &fixture, "differences");
    let node = Command::SelectNode(Some(5));
    assert_eq!(window.key(&fixture, Key::Enter), [close(), node]);
    // Nothing is typed: what can be done is listed.
    let (fixture, mut window) = open();
    let undo = "Undo the last change: Nothing to undo";
    assert!(window.find_named(&fixture, undo).is_none());
}

/// A model of points without normals, in a plain material.
fn nothing() -> Fixture {
    Fixture {
        inspectable: Inspectable::of(std::iter::empty()),
        ..Fixture::default()
    }
}

fn open_view_menu(fixture: &Fixture) -> Window {
    let mut window = settled(fixture);
    let button = window.part("view").center();
    window.click(fixture, button);
    window.settle(fixture);
    window
}

#[test]
fn views_and_lines_without_anything_to_show_say_why() {
    let lines = [
        (Key::E, "Edges of triangles", "The file has no triangles"),
        (Key::R, "Normals of vertices", "The file has no normals"),
    ];
    for (key, words, why) in lines {
        let fixture = nothing();
        let mut window = settled(&fixture);
        window.modifiers = Modifiers::SHIFT;
        assert_eq!(window.key(&fixture, key), [], "{words}");
        window.modifiers = Modifiers::NONE;
        assert!(window.find_text(&fixture, why).is_some(), "{why}");

        let mut window = open_view_menu(&fixture);
        assert_eq!(window.click_text(&fixture, words), [], "{words}");
        let row = window.find_text(&fixture, words).expect(words);
        rest(&mut window, &fixture, row.center());
        assert!(window.find_text(&fixture, why).is_some(), "{why}");
    }

    let fixture = Fixture {
        picker: Some(Picker::Palette),
        ..nothing()
    };
    let mut window = settled(&fixture);
    type_text(&mut window, &fixture, "clear coat");
    let said = "Clear coat: No material has this layer";
    let row = window.find_named(&fixture, said).expect(said);
    assert_eq!(window.click(&fixture, row.center()), []);

    let fixture = nothing();
    let mut window = open_view_menu(&fixture);
    window.click_text(&fixture, "Layers");
    window.settle(&fixture);
    assert_eq!(window.click_text(&fixture, "Anisotropy"), []);
    let row = window.find_text(&fixture, "Anisotropy").expect("a row");
    rest(&mut window, &fixture, row.center());
    let why = "No material has this layer";
    assert!(window.find_text(&fixture, why).is_some());
}

/// They are on since another model had them.
#[test]
fn lines_that_are_on_can_be_switched_off_in_any_model() {
    let mut fixture = nothing();
    fixture.shown.lines = SurfaceLines {
        wires: true,
        normals: true,
    };
    for (key, words, command) in [
        (Key::E, "Edges of triangles", PictureCommand::ToggleWires),
        (Key::R, "Normals of vertices", PictureCommand::ToggleNormals),
    ] {
        let mut window = settled(&fixture);
        window.modifiers = Modifiers::SHIFT;
        let commands = [Command::Picture(command)];
        assert_eq!(window.key(&fixture, key), commands, "{words}");
        let mut window = open_view_menu(&fixture);
        assert_eq!(window.click_text(&fixture, words), commands, "{words}");
    }
}

/// It was chosen for another model.
#[test]
fn the_legend_of_a_view_that_shows_nothing_says_why() {
    let why = "No material has this layer";
    let mut fixture = Fixture {
        view_mode: ViewMode::Anisotropy,
        ..nothing()
    };
    assert!(settled(&fixture).find_text(&fixture, why).is_some());
    fixture.inspectable = Inspectable::default();
    assert!(settled(&fixture).find_text(&fixture, why).is_none());
}

/// Not that the file lacks something.
#[test]
fn without_a_model_views_and_lines_say_that_there_is_none() {
    for (loading, why) in [(loading(0.5), "Loading…"), (Vec::new(), "No file is open")] {
        let mut fixture = Fixture {
            model_name: String::new(),
            nodes: Vec::new(),
            loading,
            ..nothing().without_clip()
        };
        for words in ["Edges of triangles", "Normals of vertices"] {
            let mut window = open_view_menu(&fixture);
            let row = window.find_text(&fixture, words).expect(words);
            rest(&mut window, &fixture, row.center());
            for lacking in ["The file has no triangles", "The file has no normals"] {
                assert!(window.find_text(&fixture, lacking).is_none(), "{words}");
            }
        }
        fixture.picker = Some(Picker::Palette);
        let mut window = settled(&fixture);
        type_text(&mut window, &fixture, "clear coat");
        let said = format!("Clear coat: {why}");
        assert!(window.find_named(&fixture, &said).is_some(), "{said}");
    }
}
