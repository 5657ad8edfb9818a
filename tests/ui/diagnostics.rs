//! The list of what is wrong: choosing the culprit, leaving kinds out, copying.

use rigscope::ui::Command;

use crate::fixture::{Fixture, Window};

fn window(fixture: &Fixture) -> Window {
    let mut window = Window::new(1280.0, 1600.0);
    window.settle(fixture);
    window
}

#[test]
fn a_click_chooses_the_culprit() {
    let fixture = Fixture::default().with_diagnostics();
    let mut window = window(&fixture);
    assert_eq!(
        window.click_named(&fixture, "NODE_LOOP  /nodes/17/children/3"),
        [Command::SelectNode(Some(17))]
    );
    let nobody = window.click_named(&fixture, "UNUSED_OBJECT  /accessors/9");
    assert_eq!(nobody, [], "no node is to blame");
}

#[test]
fn kinds_are_left_out_and_taken_in() {
    let fixture = Fixture::default().with_diagnostics();
    let mut window = window(&fixture);
    let warning = "NODE_LOOP  /nodes/17/children/3";
    window.click_named(&fixture, "1 warning");
    assert!(window.find_named(&fixture, warning).is_none());
    assert!(
        window
            .find_named(&fixture, "UNUSED_OBJECT  /accessors/9")
            .is_some()
    );
    window.click_named(&fixture, "1 warning");
    assert!(window.find_named(&fixture, warning).is_some());
}

#[test]
fn all_is_copied_as_text() {
    let fixture = Fixture::default().with_diagnostics();
    let mut window = window(&fixture);
    let button = window.find_named(&fixture, "Copy all findings as text");
    let place = button.expect("a button").center();
    window.move_to(place);
    window.frame(&fixture);
    let mut copied = String::new();
    for pressed in [true, false] {
        window.button(place, egui::PointerButton::Primary, pressed);
        for command in window.draw(&fixture).1.platform_output.commands {
            if let egui::OutputCommand::CopyText(text) = command {
                copied = text;
            }
        }
    }
    assert_eq!(copied.lines().count(), 3, "{copied}");
    assert!(
        copied.contains("warning NODE_LOOP /nodes/17/children/3: Node 17 is its own ancestor."),
        "{copied}"
    );
}
