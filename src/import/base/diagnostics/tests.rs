//! What is listed, what is counted, and how findings that were made apart come together.

use super::*;

/// Findings of two kinds, so many of the second.
fn found(diagnostics: &mut Diagnostics, places: std::ops::Range<usize>) {
    diagnostics.error("A", "/a", "the same everywhere", "");
    for place in places {
        diagnostics.warning("B", format_args!("/b/{place}"), "bad", "");
    }
}

#[test]
fn errors_of_a_second_reading_are_told_where_the_first_only_warns() {
    use Severity::{Error, Warning};
    let found = |severity| {
        let mut diagnostics = Diagnostics::default();
        match severity {
            Error => diagnostics.error("A", "/a", "bad", ""),
            _ => diagnostics.warning("A", "/a", "bad", ""),
        }
        diagnostics.finish()
    };
    for (first, second, merged) in [
        (Warning, Error, &[Error, Warning][..]),
        (Error, Error, &[Error]),
        (Warning, Warning, &[Warning]),
        (Error, Warning, &[Error]),
    ] {
        let mut all = found(first);
        merge_errors(&mut all, found(second));
        assert!(all.iter().map(|it| it.severity).eq(merged.iter().copied()));
    }
}

#[test]
fn what_is_wrong_with_an_accessor_is_told_once() {
    let found = |places: std::ops::Range<usize>| {
        let mut diagnostics = Diagnostics::default();
        for place in places {
            let pointer = format_args!("/meshes/{place}");
            diagnostics.error("ACCESSOR_INVALID_FLOAT", pointer, "accessor 1", "");
        }
        diagnostics
    };
    let whole = found(0..100).finish();
    let [only] = whole.as_slice() else {
        panic!("{whole:?}");
    };
    assert_eq!(only.pointer, "/meshes/0");
    assert_eq!(only.message, "accessor 1, as 99 other uses of it find");
    let mut part = found(0..30);
    part.absorb(found(30..100));
    assert_eq!(part.finish(), whole);
    let twice = &found(0..2).finish()[0].message;
    assert_eq!(twice, "accessor 1, as 1 other use of it finds");
}

#[test]
fn uses_of_what_is_not_listed_are_not_told_of_another() {
    let found = |diagnostics: &mut Diagnostics, accessor: usize| {
        for place in 0..3 {
            let pointer = format_args!("/meshes/{accessor}/primitives/{place}");
            let message = format_args!("accessor {accessor}");
            diagnostics.error("ACCESSOR_INVALID_FLOAT", pointer, message, "");
        }
    };
    let (mut whole, mut part) = (Diagnostics::default(), Diagnostics::default());
    for accessor in 0..70 {
        found(&mut whole, accessor);
        let mut apart = Diagnostics::default();
        found(&mut apart, accessor);
        part.absorb(apart);
    }
    for all in [&mut whole, &mut part] {
        all.error("ANOTHER", "/nodes/0", "used once", "");
    }
    let whole = whole.finish();
    let said = |message: &str| whole.iter().any(|it| it.message == message);
    assert!(said("used once"), "{whole:?}");
    assert!(said("there are 18 more of this kind"), "{whole:?}");
    assert_eq!(part.finish(), whole);
}

#[test]
fn what_a_lost_buffer_takes_along_is_counted() {
    const WHICH: [&str; 2] = ["the ", ""];
    let found = |places: std::ops::Range<usize>| {
        let mut diagnostics = Diagnostics::default();
        for place in places {
            let (pointer, action) = (format!("/meshes/{place}"), format!("{place} is lost"));
            let part = if place % 3 == 1 { "part: " } else { "" };
            // One cause ends with the other.
            let message = format!("{part}{}buffer has no data", WHICH[place % 2]);
            diagnostics.error(OF_LOST_BUFFERS, pointer, message, action);
        }
        diagnostics
    };
    let whole = found(0..200).finish();
    let told: Vec<_> = whole.iter().map(ToString::to_string).collect();
    let rest = "buffer has no data, as 99 other uses of it find; what needs it is left out";
    let start = "error BUFFER_VIEW_UNREADABLE /meshes";
    let line = |place: usize| format!("{start}/{place}: {}{rest}", WHICH[place]);
    assert_eq!(told, [line(0), line(1)]);
    let mut part = found(0..30);
    part.absorb(found(30..200));
    assert_eq!(part.finish(), whole);
    assert_eq!(found(1..2).finish()[0].action, "1 is lost");
}

#[test]
fn what_is_found_apart_is_listed_as_if_it_were_not() {
    for (first, second) in [(3, 5), (60, 70), (100, 1), (0, 100)] {
        let (mut whole, mut part, mut other) = Default::default();
        found(&mut whole, 0..first);
        found(&mut whole, first..first + second);
        found(&mut part, 0..first);
        found(&mut other, first..first + second);
        part.absorb(other);
        assert_eq!(part.finish(), whole.finish(), "{first} {second}");
    }
}

#[test]
fn words_are_made_for_what_is_listed_alone() {
    let mut diagnostics = Diagnostics::default();
    let made = std::cell::Cell::new(0);
    let word = fmt::from_fn(|_| {
        made.set(made.get() + 1);
        Ok(())
    });
    for place in 0..10 * LISTED_PER_CODE {
        let pointer = format_args!("/{place}");
        diagnostics.add_unless_said(Severity::Error, "A", pointer, &word);
        diagnostics.warning("B", pointer, &word, &word);
    }
    assert_eq!(made.get(), 3 * LISTED_PER_CODE);
    assert_eq!(diagnostics.finish().len(), 2 * (LISTED_PER_CODE + 1));
}
