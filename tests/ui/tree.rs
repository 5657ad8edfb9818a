//! The scene tree: hiding, searching, folding, by pointer and by keyboard.

use egui::{Key, Modifiers};
use rigscope::ui::{Command, NodesCommand, Panel, SheetKind, Sight};

use crate::fixture::{Fixture, Window, settled};

fn with_control(window: &mut Window) {
    window.modifiers = Modifiers::COMMAND | Modifiers::CTRL;
}

#[test]
fn the_eye_of_a_row_hides_its_node() {
    let mut fixture = Fixture::default();
    let mut window = settled(&fixture);
    assert!(
        window.find_named(&fixture, "Hide Armature").is_none(),
        "quiet until asked for"
    );
    let row = window.find_named(&fixture, "Armature").expect("a row");
    window.move_to(row.center());
    window.settle(&fixture);
    assert_eq!(
        window.click_named(&fixture, "Hide Armature"),
        [Command::Nodes(NodesCommand::ToggleHidden(2))]
    );
    fixture.sight = vec![Sight::Shown; fixture.nodes.len()];
    fixture.sight[2] = Sight::Hidden;
    window.move_to(egui::pos2(640.0, 300.0));
    window.settle(&fixture);
    assert_eq!(
        window.click_named(&fixture, "Show Armature"),
        [Command::Nodes(NodesCommand::ToggleHidden(2))],
        "the eye of what is hidden is always there"
    );
    assert_eq!(
        window.click_named(&fixture, "Show the hidden node again"),
        [Command::Nodes(NodesCommand::ShowAll)]
    );
}

#[test]
fn a_key_hides_the_chosen_node() {
    let mut fixture = Fixture::default();
    let mut window = settled(&fixture);
    window.modifiers = Modifiers::SHIFT;
    assert_eq!(window.key(&fixture, Key::H), [], "nothing is chosen");
    fixture.selected_node = Some(3);
    window.settle(&fixture);
    assert_eq!(
        window.key(&fixture, Key::H),
        [Command::Nodes(NodesCommand::ToggleChosenHidden)]
    );
}

#[test]
fn the_keyboard_searches_from_match_to_match() {
    let mut fixture = Fixture::default();
    let mut window = settled(&fixture);
    with_control(&mut window);
    assert_eq!(window.key(&fixture, Key::F), [], "the tree's own affair");
    window.modifiers = Modifiers::NONE;
    window.settle(&fixture);
    window.event(egui::Event::Text("hand".to_owned()));
    window.settle(&fixture);
    assert_eq!(
        window.key(&fixture, Key::Enter),
        [Command::SelectNode(Some(13))]
    );
    fixture.selected_node = Some(13);
    window.settle(&fixture);
    assert_eq!(
        window.key(&fixture, Key::Enter),
        [Command::SelectNode(Some(14))]
    );
    window.modifiers = Modifiers::SHIFT;
    assert_eq!(
        window.key(&fixture, Key::Enter),
        [Command::SelectNode(Some(15))],
        "back, round"
    );
    // The keyboard is the window's again.
    let names = Command::Skeleton(rigscope::ui::SkeletonCommand::Set(
        rigscope::scene::SkeletonSettings {
            axes: rigscope::scene::JointChoice::Chosen,
            ..fixture.skeleton
        },
    ));
    assert_eq!(window.key(&fixture, Key::Y), [names]);
}

/// It says how many it found, and Escape ends it also once Enter has given the keyboard back.
#[test]
fn a_search_counts_and_is_ended_by_escape() {
    let mut fixture = Fixture::default();
    let all = fixture.nodes.len();
    let mut window = settled(&fixture);
    with_control(&mut window);
    window.key(&fixture, Key::F);
    window.modifiers = Modifiers::NONE;
    window.settle(&fixture);
    window.event(egui::Event::Text("hand".to_owned()));
    window.settle(&fixture);
    let figure = format!("3 of {all}");
    assert!(window.find_text(&fixture, &figure).is_some());
    window.key(&fixture, Key::Enter);
    // What lies in front goes first.
    fixture = fixture.with_message();
    window.settle(&fixture);
    assert_eq!(window.key(&fixture, Key::Escape), [Command::CloseFront]);
    fixture.message = None;
    // So does what is being saved, if it can be stopped.
    fixture.saving.job = Some(("walk.gif", 3, 50));
    window.settle(&fixture);
    assert_eq!(window.key(&fixture, Key::Escape), [Command::CloseFront]);
    fixture.saving.job = Some(("pose.json", 0, 0));
    window.settle(&fixture);
    assert!(window.find_text(&fixture, &figure).is_some());
    assert_eq!(window.key(&fixture, Key::Escape), []);
    window.settle(&fixture);
    let all = all.to_string();
    assert!(window.find_text(&fixture, &figure).is_none());
    assert!(window.find_text(&fixture, &all).is_some());
    assert_eq!(window.key(&fixture, Key::Escape), [Command::CloseFront]);
}

#[test]
fn the_node_that_was_found_is_in_sight_when_the_search_ends() {
    let mut fixture = Fixture::default();
    let joint = fixture.nodes[4].clone();
    fixture
        .nodes
        .extend((0..300).map(|place| rigscope::ui::NodeRow {
            name: format!("bead {place}"),
            depth: 0,
            descendants: 0,
            ..joint.clone()
        }));
    let mut window = settled(&fixture);
    with_control(&mut window);
    window.key(&fixture, Key::F);
    window.modifiers = Modifiers::NONE;
    window.settle(&fixture);
    window.event(egui::Event::Text("bead 277".to_owned()));
    window.settle(&fixture);
    let found = fixture.nodes.iter().position(|it| it.name == "bead 277");
    assert_eq!(
        window.key(&fixture, Key::Enter),
        [Command::SelectNode(found)]
    );
    fixture.selected_node = found;
    window.settle(&fixture);
    with_control(&mut window);
    window.key(&fixture, Key::F);
    window.modifiers = Modifiers::NONE;
    window.settle(&fixture);
    assert_eq!(window.key(&fixture, Key::Escape), []);
    window.settle(&fixture);
    assert!(
        window.find_named(&fixture, "bead 276").is_some(),
        "all are listed"
    );
    assert!(window.find_named(&fixture, "bead 277").is_some());
}

#[test]
fn searching_finds_kinds_too() {
    let fixture = Fixture::default();
    let mut window = settled(&fixture);
    window.click_named(&fixture, "Search nodes");
    window.event(egui::Event::Text("skinned".to_owned()));
    window.settle(&fixture);
    assert!(window.find_named(&fixture, "fox").is_some());
    assert!(window.find_named(&fixture, "Armature").is_none());
}

#[test]
fn searching_opens_the_panel_that_it_needs() {
    let mut fixture = Fixture::default();
    fixture.shown.scene_panel = false;
    let mut window = settled(&fixture);
    with_control(&mut window);
    assert_eq!(
        window.key(&fixture, Key::F),
        [Command::TogglePanel(Panel::Scene)]
    );
}

#[test]
fn rows_say_whether_they_are_folded_and_arrows_fold_them() {
    let fixture = Fixture::default();
    let mut window = settled(&fixture);
    let expanded = |window: &mut Window, name: &str| {
        let node = window.accessible(&fixture, name).expect("a row");
        assert_eq!(node.role(), egui::accesskit::Role::TreeItem);
        node.is_expanded()
    };
    assert_eq!(expanded(&mut window, "Armature"), Some(true));
    assert_eq!(expanded(&mut window, "fox"), None, "nothing is below it");
    window.focus_named(&fixture, "Armature");
    assert_eq!(window.key(&fixture, Key::ArrowLeft), []);
    window.settle(&fixture);
    assert_eq!(expanded(&mut window, "Armature"), Some(false));
    let triangle = window.accessible(&fixture, "Unfold Armature");
    assert_eq!(
        triangle.expect("it says of which").is_expanded(),
        Some(false)
    );
    assert!(window.find_named(&fixture, "mixamorig:Hips").is_none());
    assert_eq!(window.key(&fixture, Key::ArrowRight), []);
    window.settle(&fixture);
    assert_eq!(expanded(&mut window, "Armature"), Some(true));
    assert!(window.find_named(&fixture, "Fold Armature").is_some());
}

/// The sheet takes of the height: the row of the choice is still in sight, unless it was scrolled away before.
#[test]
fn the_chosen_row_stays_in_sight_when_the_sheet_opens() {
    let plain = Fixture::default();
    for size in [(1280.0, 720.0), (800.0, 500.0)] {
        // The first, one of the middle, and the last.
        for chosen in [0, 13, plain.nodes.len() - 1] {
            // Of long names the middle is left out.
            let name = &plain.nodes[chosen].name;
            let end = &name[name.len() - 8..];
            let mut fixture = Fixture::default();
            let mut window = Window::new(size.0, size.1);
            window.settle(&fixture);
            fixture.selected_node = Some(chosen);
            window.settle(&fixture);
            let check = |window: &mut Window, fixture: &Fixture, state: &str| {
                let part = window.layout.as_ref().unwrap().viewport;
                let panel = part.with_min_x(0.0).with_max_x(part.left());
                let texts = window.texts_in(fixture, panel);
                let shown = texts.iter().any(|(text, _)| text.ends_with(end));
                let what = format!("{name} at {size:?} {state}");
                assert!(shown, "{what} in {panel}: {texts:?}");
            };
            check(&mut window, &fixture, "as chosen");
            let sheet = crate::sheet::with_sheet(SheetKind::Dope);
            (fixture.sheet, fixture.sheet_rows) = (sheet.sheet, sheet.sheet_rows);
            window.settle(&fixture);
            check(&mut window, &fixture, "beside the sheet");
            fixture.sheet = None;
            window.settle(&fixture);
            check(&mut window, &fixture, "afterwards");
        }
    }
}

/// Also where clips and nodes scroll together, beside the sheet of a low window.
#[test]
fn what_is_chosen_comes_into_sight_in_a_low_panel() {
    let is_seen = |window: &mut Window, fixture: &Fixture, name: &str| {
        let panel = window.layout.as_ref().unwrap().viewport.y_range();
        let row = window.find_named(fixture, name).map(|row| row.y_range());
        row.is_some_and(|row| panel.min <= row.min && row.max <= panel.max)
    };
    let plain = Fixture::default();
    let count = plain.nodes.len();
    // With the sheet of a low window, and as at two and a half times the size.
    for (sheet, size) in [(true, (800.0, 500.0)), (false, (512.0, 288.0))] {
        for first in [0, 3, 13, count - 1] {
            let mut fixture = if sheet {
                crate::sheet::with_sheet(SheetKind::Dope)
            } else {
                Fixture::default()
            };
            let mut window = Window::new(size.0, size.1);
            window.settle(&fixture);
            for chosen in [first].into_iter().chain(0..count).chain([3, 20, 0]) {
                fixture.selected_node = Some(chosen);
                window.settle(&fixture);
                let name = &fixture.nodes[chosen].name;
                let what = format!("{chosen} {name} after {first} at {size:?}");
                assert!(is_seen(&mut window, &fixture, name), "{what}");
            }
            for clip in [3, 0, 2] {
                fixture.clip = Some(clip);
                window.settle(&fixture);
                let name = &fixture.clips[clip].name;
                let part = window.layout.as_ref().unwrap().viewport;
                let panel = part.with_min_x(0.0).with_max_x(part.left());
                let texts = window.texts_in(&fixture, panel);
                // Of long names the middle is left out.
                let is_seen = texts.iter().any(|(text, _)| text.starts_with(&name[..3]));
                assert!(is_seen, "{name} after {first} at {size:?}: {texts:?}");
            }
        }
    }
}

/// In a window of 1280 × 800 whose interface is twice as large: one row at the edge of the panel tells little.
#[test]
fn what_is_chosen_comes_into_sight_with_its_neighbours() {
    let mut fixture = crate::sheet::with_sheet(SheetKind::Dope);
    let mut window = Window::new(640.0, 400.0);
    window.settle(&fixture);
    for chosen in [13, 4, 20] {
        fixture.selected_node = Some(chosen);
        window.settle(&fixture);
        let panel = window.part("viewport").y_range();
        for place in [chosen - 1, chosen, chosen + 1] {
            let name = &fixture.nodes[place].name;
            let row = window.find_named(&fixture, name).expect(name);
            let is_seen = panel.min <= row.top() && row.bottom() <= panel.max;
            assert!(is_seen, "{name} beside {chosen}: {row} in {panel:?}");
        }
    }
}

/// Ctrl+F is heard where the tree is folded, or out of sight for want of room.
#[test]
fn the_search_is_reached_from_everywhere() {
    let fixture = Fixture::default();
    let mut window = settled(&fixture);
    window.click_named(&fixture, "Nodes");
    window.settle(&fixture);
    assert!(window.find_text(&fixture, "Search nodes").is_none());
    window.modifiers = Modifiers::COMMAND | Modifiers::CTRL;
    assert_eq!(window.key(&fixture, Key::F), []);
    window.settle(&fixture);
    assert!(window.find_text(&fixture, "Search nodes").is_some());
    assert!(window.ctx.text_edit_focused());
}

/// However slow the frames are, what is typed after the wish to search is searched.
#[test]
fn what_is_typed_after_the_wish_to_search_is_no_command() {
    for is_shown in [true, false] {
        let mut fixture = Fixture::default();
        fixture.shown.scene_panel = is_shown;
        let mut window = settled(&fixture);
        window.press(Key::F, Modifiers::COMMAND);
        // Each letter is a command elsewhere: in the same frame, and in those that come before the field has the focus.
        let mut letters = [(Key::M, "m"), (Key::I, "i"), (Key::X, "x"), (Key::O, "o")].into_iter();
        let (key, text) = letters.next().unwrap();
        window.press(key, Modifiers::NONE);
        window.event(egui::Event::Text(text.to_owned()));
        let toggled = Command::TogglePanel(Panel::Scene);
        let commands = window.frame(&fixture);
        assert_eq!(commands, if is_shown { vec![] } else { vec![toggled] });
        fixture.shown.scene_panel = true;
        for (key, text) in letters {
            window.press(key, Modifiers::NONE);
            window.event(egui::Event::Text(text.to_owned()));
            assert_eq!(window.frame(&fixture), [], "{key:?}");
        }
        window.settle(&fixture);
        assert!(window.find_text(&fixture, "mixo").is_some());
    }
    // Where there is nothing to search, keys go on being commands.
    let fixture = Fixture {
        nodes: Vec::new(),
        ..Fixture::default()
    };
    let mut window = settled(&fixture);
    window.press(Key::F, Modifiers::COMMAND);
    window.press(Key::G, Modifiers::NONE);
    assert_eq!(window.frame(&fixture).len(), 1);
    window.settle(&fixture);
    assert_eq!(window.key(&fixture, Key::T).len(), 1);
}
