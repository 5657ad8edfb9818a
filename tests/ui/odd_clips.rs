//! Signs of clips in whose motion something is odd: by the names that screen readers say, and where they stand.

use egui::Rect;
use rigscope::ui::{Command, OddClip, TimelineCommand};

use crate::fixture::Fixture;
use crate::names::window_in;
use crate::room::controls;

/// Two clips of which something odd is known.
pub fn with_odd_clips() -> Fixture {
    let odd = |clip: usize, words: &str, node| OddClip {
        clip,
        words: words.to_owned(),
        at_secs: 0.25,
        node,
    };
    Fixture {
        odd_clips: vec![
            odd(1, "1 pop", None),
            odd(
                3,
                "2 pops, 1 foot slides, its ends do not meet (0.12)",
                Some(7),
            ),
        ],
        ..Fixture::default()
    }
}

#[test]
fn odd_clips_have_a_sign_that_goes_to_the_first_mark() {
    let fixture = with_odd_clips();
    let mut window = window_in(&fixture, &[], (1280.0, 800.0));
    let long = "Idle with a long name that says what it is: \
                2 pops, 1 foot slides, its ends do not meet (0.12); go to the first";
    let stop_at = |node| {
        Command::Timeline(TimelineCommand::StopAt {
            time_secs: 0.25,
            node,
        })
    };
    let expected = [Command::SelectClip(Some(3)), stop_at(Some(7))];
    assert_eq!(window.click_named(&fixture, long), expected);
    // The clip in force is not begun anew.
    let of_chosen = "Walk: 1 pop; go to the first";
    assert_eq!(window.click_named(&fixture, of_chosen), [stop_at(None)]);
    // Others have none.
    let is_sign = |(name, _): &(String, Rect)| name.ends_with("; go to the first");
    let controls = controls(&mut window, &fixture);
    assert_eq!(controls.iter().filter(|it| is_sign(it)).count(), 2);
}

#[test]
fn signs_leave_the_figures_where_they_are() {
    for size in [(1280.0, 800.0), (800.0, 500.0)] {
        let figures = |fixture: &Fixture| {
            let mut window = window_in(fixture, &[], size);
            ["3.42 s", "0.71 s", "1.16 s", "12.5 s"]
                .map(|figure| window.find_text(fixture, figure).map(|it| it.right()))
        };
        let fixture = with_odd_clips();
        let with_signs = figures(&fixture);
        assert!(with_signs.iter().any(Option::is_some), "{with_signs:?}");
        assert_eq!(with_signs, figures(&Fixture::default()));
        // Each sign stands before its figure, in one column, and behind the name.
        let mut window = window_in(&fixture, &[], size);
        let controls = controls(&mut window, &fixture);
        let signs = controls
            .iter()
            .filter(|(name, _)| name.ends_with("; go to the first"));
        let signs: Vec<Rect> = signs.map(|(_, rect)| *rect).collect();
        assert!(!signs.is_empty());
        for sign in &signs {
            assert_eq!(sign.right(), signs[0].right());
            assert!(sign.width() >= 16.0 && sign.height() >= 16.0, "{sign:?}");
            let figure = window.find_text(&fixture, "0.71 s").unwrap();
            assert!(sign.right() <= figure.left(), "{sign:?} {figure:?}");
        }
    }
}
