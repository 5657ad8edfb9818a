//! Messages beside what they are about.

use rigscope::scene::SplitWay;
use rigscope::ui::{Command, LoadKind, Loading, Offer, SavingView};

use crate::compare::on;
use crate::fixture::{Fixture, Window, loading, settled};
use crate::front::{has_tooltip, rest};
use crate::inspector::copied;

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

/// What is wrong with a file that is not shown is listed nowhere else.
#[test]
fn what_a_detail_only_begins_to_list_is_shown_when_asked_for_and_copied() {
    let mut fixture = Fixture::default().with_message();
    let message = fixture.message.as_mut().unwrap();
    let lines: Vec<_> = (0..340).map(|it| format!("Camera {it} is odd.")).collect();
    message.detail = format!("{}\nAnd 339 more.", lines[0]);
    message.in_full = lines.join("\n");
    let [detail, in_full] = [&message.detail, &message.in_full].map(String::clone);
    let mut window = settled(&fixture);
    assert!(window.find_text(&fixture, &detail).is_some());
    let text = copied(&mut window, &fixture, "Copy the message");
    assert!(text.ends_with(&format!("\n{in_full}")), "{text}");
    let height = window.part("message").height();
    assert_eq!(window.click_text(&fixture, "More"), []);
    window.settle(&fixture);
    assert!(window.find_text(&fixture, &in_full).is_some());
    let grown = window.part("message").height();
    assert!(grown < 300.0, "it scrolls: {grown}");
    window.click_text(&fixture, "Less");
    window.settle(&fixture);
    assert!(window.find_text(&fixture, &detail).is_some());
    assert_eq!(window.part("message").height(), height);
}

/// Windows that are hardly larger than a thumbnail.
const TINY: [[f32; 2]; 4] = [
    [170.0, 150.0],
    [200.0, 150.0],
    [240.0, 210.0],
    [300.0, 300.0],
];

/// What has no room is cut short, or scrolls.
#[test]
fn messages_stay_within_tiny_pictures() {
    let title = "Avatar.glb names forty files which lie outside of its own folder, and is shown without them: \
                 they are looked for in no other place than where it says that they are";
    let detail =
        "It names ../../textures/a_very_long_name_without_any_gap_in_it_for_a_line_to_end.png. ";
    let offers = [None, Some(Offer::UndoPose), Some(Offer::AllowOnce)];
    // Below what is being read, too.
    let loading = [Vec::new(), loading(0.5)];
    let cases = offers.into_iter().flat_map(|offer| {
        let loading = loading.iter();
        loading.map(move |loading| (offer, loading.clone()))
    });
    for [width, height] in TINY {
        for (offer, loading) in cases.clone() {
            let mut fixture = Fixture::default().with_message();
            let message = fixture.message.as_mut().unwrap();
            message.title = title.to_owned();
            message.detail = detail.repeat(12);
            message.offer = offer;
            let is_below = !loading.is_empty();
            fixture.loading = loading;
            let mut window = Window::new(width, height);
            for is_unfolded in [false, true] {
                window.settle(&fixture);
                let case = format!("{width} × {height}, {offer:?}, {is_below}, {is_unfolded}");
                let picture = window.part("viewport").expand(0.5);
                let place = window.part("message");
                assert!(picture.contains_rect(place), "{case}: {place} {picture}");
                let seen = window.find_text(&fixture, title).expect("a title");
                assert!(place.expand(2.0).contains_rect(seen), "{case}: {seen}");
                if offer.is_some() {
                    let button = window.part("offer");
                    assert!(place.contains_rect(button), "{case}: {button} {place}");
                }
                if !is_unfolded && window.find_text(&fixture, "More").is_some() {
                    assert_eq!(window.click_text(&fixture, "More"), []);
                }
            }
        }
    }
}

/// Nor does what goes on aside leave them.
#[test]
fn progress_stays_within_tiny_pictures() {
    let stage = "decompressing image 1012 of 1690";
    let loading = Fixture {
        loading: vec![Loading {
            kind: LoadKind::Model,
            name: "Sponza with a very long name that goes on and on.glb",
            stage,
            fraction: 0.5,
        }],
        ..Fixture::default()
    };
    let saving = Fixture {
        saving: SavingView {
            job: Some(("A turn that is long and slow.webp", 1_234_567, 12_345_678)),
            ..SavingView::default()
        },
        ..Fixture::default()
    };
    let counted = "Saving 1234567 / 12345678";
    for [width, height] in TINY {
        for (fixture, words) in [(&loading, stage), (&saving, counted)] {
            let mut window = Window::new(width, height);
            window.settle(fixture);
            let picture = window.part("viewport");
            let seen = window.find_text(fixture, words).expect(words);
            let is_within = seen.left() >= picture.left() + 10.0 && seen.right() <= picture.right();
            assert!(is_within, "{width} × {height}: {seen}");
        }
    }
}

/// Escape stops one of them at a time, and only that one says so.
#[test]
fn of_what_is_saved_and_what_is_loaded_one_is_stopped_by_escape() {
    for (frames, cancel_has_key) in [(12, false), (0, true)] {
        let fixture = Fixture {
            saving: SavingView {
                job: Some(("walk.gif", 0, frames)),
                ..SavingView::default()
            },
            loading: loading(0.3),
            ..Fixture::default()
        };
        let mut window = settled(&fixture);
        let mut has_key = |words: &str| {
            let button = window.find_text(&fixture, words)?;
            rest(&mut window, &fixture, button.center());
            assert!(has_tooltip(&window), "{words}");
            Some(window.find_text(&fixture, "Esc").is_some())
        };
        assert_eq!(has_key("Cancel"), Some(cancel_has_key));
        assert_eq!(has_key("Stop"), (frames > 0).then_some(true));
    }
}
