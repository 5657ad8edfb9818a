//! Commands that the palette knows and that would do nothing now.

use egui::Key;
use rigscope::ui::Command;

use crate::fixture::settled;
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
