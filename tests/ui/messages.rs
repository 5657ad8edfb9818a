//! Messages beside what they are about.

use rigscope::scene::SplitWay;
use rigscope::ui::{Command, Offer};

use crate::compare::on;
use crate::fixture::{Window, settled};

/// What was saved broken is told while both are looked at, swapped and put away.
#[test]
fn messages_leave_the_bar_free() {
    let fixture = on(SplitWay::Wipe).with_message();
    let mut window = settled(&fixture);
    let message = window.part("message");
    for words in ["Swap", "Differences"] {
        let button = window.find_text(&fixture, words).expect(words);
        assert!(!button.intersects(message), "{words}: {button} {message}");
    }
}

/// Else it would lie over the middle of both until it is put away.
#[test]
fn in_a_low_window_a_message_is_a_line_until_more_is_asked_for() {
    let mut fixture = on(SplitWay::SideBySide).with_message();
    let mut window = Window::new(800.0, 500.0);
    window.settle(&fixture);
    let heights = |window: &Window| ["message", "viewport"].map(|name| window.part(name).height());
    let [message, picture] = heights(&window);
    assert!(message < 45.0 && message < 0.2 * picture, "{message}");
    let detail = fixture.message.as_ref().unwrap().detail.clone();
    assert!(window.find_text(&fixture, &detail).is_none());
    assert_eq!(window.click_text(&fixture, "More"), []);
    window.settle(&fixture);
    assert!(window.find_text(&fixture, &detail).is_some());
    window.click_text(&fixture, "Less");
    window.settle(&fixture);
    assert_eq!(heights(&window)[0], message);
    // What is offered stays at hand, and leaves room for the title; but what is to be allowed is read first.
    let title = fixture.message.as_ref().unwrap().title.clone();
    for (offer, is_short) in [(Offer::UndoPose, true), (Offer::AllowOnce, false)] {
        fixture.message.as_mut().unwrap().offer = Some(offer);
        window.settle(&fixture);
        assert_eq!(heights(&window)[0] < 80.0, is_short, "{offer:?}");
        let title = window.find_text(&fixture, &title).unwrap();
        assert!(title.width() > 100.0, "{title}");
        let asked = window.click_text(&fixture, offer.label());
        assert_eq!(asked, [Command::AcceptOffer]);
    }
}
