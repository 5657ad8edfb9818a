//! Files that were opened before.

use egui::{Key, Modifiers};
use rigscope::ui::{Command, FilesCommand, Picker, RecentRow, WindowCommand};

use crate::fixture::{Fixture, settled};

fn recent(name: &str, folder: &str, is_missing: bool) -> RecentRow {
    RecentRow {
        path: format!("/{folder}/{name}").into(),
        name: name.to_owned(),
        folder: folder.to_owned(),
        is_missing,
    }
}

fn fixture() -> Fixture {
    Fixture {
        picker: Some(Picker::Recent),
        recent: vec![
            recent("fox.glb", "animals", false),
            recent("gone.glb", "animals", true),
            recent("walk 2.gltf", "people", false),
        ],
        ..Fixture::default()
    }
}

fn close() -> Command {
    Command::Files(FilesCommand::Pick(Picker::Recent))
}

fn open(path: &str) -> Command {
    Command::Window(WindowCommand::Open(vec![path.into()]))
}

#[test]
fn opens_by_its_key_and_by_its_button() {
    let fixture = Fixture::default();
    let mut window = settled(&fixture);
    assert_eq!(window.click_text(&fixture, "Recent…"), [close()]);
    window.modifiers = Modifiers::COMMAND | Modifiers::CTRL;
    assert_eq!(window.key(&fixture, Key::R), [close()]);
}

#[test]
fn the_last_file_is_a_press_away_and_others_are_found() {
    let fixture = fixture();
    let mut window = settled(&fixture);
    let commands = window.key(&fixture, Key::Enter);
    assert_eq!(commands, [close(), open("/animals/fox.glb")]);
    window.event(egui::Event::Text("people".to_owned()));
    window.frame(&fixture);
    window.frame(&fixture);
    let commands = window.key(&fixture, Key::Enter);
    assert_eq!(commands, [close(), open("/people/walk 2.gltf")]);
}

#[test]
fn a_file_that_is_gone_cannot_be_chosen() {
    let fixture = fixture();
    let mut window = settled(&fixture);
    assert_eq!(window.click_text(&fixture, "gone.glb"), []);
    window.key(&fixture, Key::ArrowDown);
    assert_eq!(window.key(&fixture, Key::Enter), []);
    let forget = Command::Files(FilesCommand::ForgetRecent);
    assert_eq!(window.click_text(&fixture, "Forget all"), [forget]);
}

#[test]
fn without_any_file_the_list_says_what_it_is_for() {
    let fixture = Fixture {
        recent: Vec::new(),
        ..fixture()
    };
    let mut window = settled(&fixture);
    let words = "Files that you open are listed here";
    assert!(window.find_text(&fixture, words).is_some());
    assert_eq!(window.key(&fixture, Key::Enter), []);
}

#[test]
fn keys_go_through_files_and_read_them_again() {
    let fixture = Fixture::default();
    let mut window = settled(&fixture);
    let step = |steps| Command::Window(WindowCommand::StepFile(steps));
    assert_eq!(window.key(&fixture, Key::F3), [step(1)]);
    let reload = Command::Window(WindowCommand::Reload);
    assert_eq!(window.key(&fixture, Key::F5), [reload]);
    window.modifiers = Modifiers::SHIFT;
    assert_eq!(window.key(&fixture, Key::F3), [step(-1)]);
}
