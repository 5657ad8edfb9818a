//! The JSON text, cut into its objects in one pass that reads those that are plain on the way. Where anything is unusual,
//! also where the text is no JSON at all, it gives up, and the text is cut with more care.
//!
//! Of long texts another thread reads accessors and views ahead of that pass, from where their keys seem to be.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    thread::{self, ScopedJoinHandle},
};

use crate::import::base::parallel;

use super::{
    document::{Capped, Section},
    plain::{Plain, PlainAccessor, PlainAnimation, PlainView},
    root::Root,
    scanner::Scanner,
};

/// Texts of this length have so many objects that to look at them takes longer than to start a thread.
pub(in crate::import) const LONG_TEXT: usize = 1 << 18;

/// The parts of the text of a file; none if anything about it is unusual.
pub(super) fn cut(text: &str) -> Option<(Root<'_>, Plain<'_>)> {
    cut_with(text, text.len() >= LONG_TEXT && parallel::cores() > 1)
}

fn cut_with(text: &str, is_read_ahead: bool) -> Option<(Root<'_>, Plain<'_>)> {
    let claims = Claims::default();
    thread::scope(|scope| {
        let start = || {
            let thread = thread::Builder::new();
            let thread = thread.spawn_scoped(scope, || Ahead::read(text, &claims));
            thread.ok()
        };
        let thread = if is_read_ahead { start() } else { None };
        let mut reader = Reader {
            claims: &claims,
            thread,
            ahead: Ahead::default(),
        };
        reader.read(text)
    })
}

/// Which sections somebody has begun with.
#[derive(Debug, Default)]
struct Claims {
    accessors: AtomicBool,
    views: AtomicBool,
}

/// Whether nobody else has begun with it.
fn claim(section: &AtomicBool) -> bool {
    !section.swap(true, Ordering::Relaxed)
}

/// Sections that were read before it was known that they are there.
#[derive(Debug, Default)]
struct Ahead<'t> {
    accessors: Option<ArrayPart<'t, PlainAccessor>>,
    views: Option<ArrayPart<'t, PlainView>>,
}

/// An array of objects somewhere in a text.
#[derive(Debug)]
struct ArrayPart<'t, T> {
    start: Scanner<'t>,
    end: Scanner<'t>,
    objects: Capped<'t>,
    plain: Vec<Option<T>>,
}

impl<'t> Ahead<'t> {
    /// Accessors first: they are most of the text. If the other one has to wait for them, it reads views meanwhile.
    fn read(text: &'t str, claims: &Claims) -> Self {
        let accessors = claim(&claims.accessors)
            .then(|| ArrayPart::find(Scanner::new(text), Section::Accessors, PlainAccessor::read))
            .flatten();
        let views = claim(&claims.views)
            .then(|| ArrayPart::find(Scanner::new(text), Section::BufferViews, PlainView::read))
            .flatten();
        Self { accessors, views }
    }
}

impl<'t, T> ArrayPart<'t, T> {
    /// What follows the next key of that name. It may be another key than that of the root, or no key at all.
    fn find(
        from: Scanner<'t>,
        section: Section,
        read: impl Fn(&mut Scanner<'t>) -> Option<T>,
    ) -> Option<Self> {
        let key = format!("\"{}\":", section.name());
        let place = find(from.rest(), key.as_bytes())?.checked_add(key.len())?;
        let mut scanner = from;
        scanner.advance(place);
        scanner.skip_space();
        Self::read(scanner, section.cap(from.whole().len()), read)
    }

    fn read(
        start: Scanner<'t>,
        cap: usize,
        read: impl Fn(&mut Scanner<'t>) -> Option<T>,
    ) -> Option<Self> {
        let mut plain = Vec::new();
        let mut end = start;
        let objects = items(&mut end, cap, |item| {
            plain.push(attempt(item, &read)?);
            Some(())
        })?;
        Some(Self {
            start,
            end,
            objects,
            plain,
        })
    }
}

/// Where a key is, which must have two bytes or more. Its first two and its last byte are looked for at many places at
/// once: compilers make vector instructions of it, and a search of the standard library goes byte by byte.
fn find(text: &[u8], key: &[u8]) -> Option<usize> {
    const BLOCK: usize = 256;
    let [first, second, .., last] = key else {
        return None;
    };
    let from = |start: usize| text.get(start..).unwrap_or_default().chunks(BLOCK);
    let blocks = from(0).zip(from(1)).zip(from(key.len().saturating_sub(1)));
    let starts = (0_usize..).step_by(BLOCK);
    let mut found = starts.zip(blocks).filter(|(_, ((a, b), c))| {
        let bytes = a.iter().zip(*b).zip(*c);
        let marks = bytes.map(|((a, b), c)| u8::from((a == first) & (b == second) & (c == last)));
        marks.fold(0, |marks, mark| marks | mark) != 0
    });
    found.find_map(|(start, _)| {
        let end = start.saturating_add(BLOCK).saturating_add(key.len());
        let part = text.get(start..end.min(text.len()))?;
        let place = part.windows(key.len()).position(|it| it == key)?;
        start.checked_add(place)
    })
}

/// Reads a text from its front to its end.
struct Reader<'r, 's, 't> {
    claims: &'r Claims,
    thread: Option<ScopedJoinHandle<'s, Ahead<'t>>>,
    ahead: Ahead<'t>,
}

impl<'t> Reader<'_, '_, 't> {
    fn read(&mut self, text: &'t str) -> Option<(Root<'t>, Plain<'t>)> {
        let mut root = Root::default();
        let mut plain = Plain::default();
        let mut scanner = Scanner::new(text);
        scanner.skip_space();
        scanner.object(|key, value| {
            // The last of duplicate keys counts (glTF 2.0 §2.7).
            let Some(section) = Section::of_name(key) else {
                root.set_other(key.to_owned(), value.skipped()?);
                return Some(());
            };
            let cap = section.cap(text.len());
            let objects = match section {
                Section::Accessors => {
                    if !claim(&self.claims.accessors) {
                        self.wait(*value);
                    }
                    let ahead = self.ahead.accessors.take();
                    let part = part_at(*value, ahead, cap, PlainAccessor::read)?;
                    *value = part.end;
                    plain.accessors = part.plain;
                    part.objects
                }
                Section::BufferViews => {
                    if !claim(&self.claims.views) {
                        self.wait(*value);
                    }
                    let ahead = self.ahead.views.take();
                    let part = part_at(*value, ahead, cap, PlainView::read)?;
                    *value = part.end;
                    plain.views = part.plain;
                    part.objects
                }
                Section::Animations => {
                    let part = ArrayPart::read(*value, cap, PlainAnimation::read)?;
                    *value = part.end;
                    plain.animations = part.plain;
                    part.objects
                }
                _ => items(value, cap, Scanner::skip)?,
            };
            root.set(section, Some(objects));
            Some(())
        })?;
        scanner.is_at_end().then_some((root, plain))
    }

    /// Waits for what was read ahead, and reads views meanwhile. What fails is read again where it is.
    fn wait(&mut self, place: Scanner<'t>) {
        if claim(&self.claims.views) {
            self.ahead.views = ArrayPart::find(place, Section::BufferViews, PlainView::read);
        }
        if let Some(ahead) = self.thread.take().and_then(|thread| thread.join().ok()) {
            let Ahead { accessors, views } = ahead;
            self.ahead.accessors = accessors;
            self.ahead.views = self.ahead.views.take().or(views);
        }
    }
}

/// The section at a place, if it was read ahead from there; else it is read now.
fn part_at<'t, T>(
    place: Scanner<'t>,
    ahead: Option<ArrayPart<'t, T>>,
    cap: usize,
    read: impl Fn(&mut Scanner<'t>) -> Option<T>,
) -> Option<ArrayPart<'t, T>> {
    match ahead.filter(|part| part.start.is_at(&place)) {
        Some(part) => Some(part),
        None => ArrayPart::read(place, cap, read),
    }
}

/// The items of an array, each gone through by `each`, up to a number of them; the rest is counted.
fn items<'t>(
    array: &mut Scanner<'t>,
    cap: usize,
    mut each: impl FnMut(&mut Scanner<'t>) -> Option<()>,
) -> Option<Capped<'t>> {
    let mut capped = Capped::default();
    array.array(|item| {
        capped.total = capped.total.saturating_add(1);
        if capped.items.len() >= cap {
            return item.skip();
        }
        let start = *item;
        each(item)?;
        capped.items.push(start.up_to(item)?);
        Some(())
    })?;
    Some(capped)
}

/// What is read of a value, if it is plain; it is gone through in any case.
fn attempt<'t, T>(
    value: &mut Scanner<'t>,
    read: &impl Fn(&mut Scanner<'t>) -> Option<T>,
) -> Option<Option<T>> {
    let start = *value;
    let plain = read(value);
    if plain.is_none() {
        *value = start;
        value.skip()?;
    }
    Some(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All that is said of a text, with or without another thread.
    fn both(text: &str) -> [Option<String>; 2] {
        [false, true].map(|is_read_ahead| {
            let (root, plain) = cut_with(text, is_read_ahead)?;
            let others = format!("{:?} {plain:?}", root.others);
            Some(others + &format!("{:?}", Section::ALL.map(|it| root.texts(it))))
        })
    }

    #[test]
    fn finds_keys_as_the_standard_library_does() {
        let key = "\"key\":";
        for length in [0, 5, 6, 7, 250, 256, 262, 600] {
            for place in 0..length {
                let mut text = "\"kex\":".repeat(length / 6 + 1);
                text.truncate(length);
                if place + key.len() <= length {
                    text.replace_range(place..place + key.len(), key);
                }
                let found = find(text.as_bytes(), key.as_bytes());
                assert_eq!(found, text.find(key), "{length} {place}");
            }
        }
    }

    #[test]
    fn what_is_read_ahead_is_what_is_there() {
        let accessors = r#""accessors":[{"bufferView":1,"componentType":5126,"type":"VEC2","count":4},{"odd":[{}]},7]"#;
        let views = r#""bufferViews" :[{"buffer":0,"byteLength":12},{"buffer":1,"byteLength":8}]"#;
        let clip = r#"{"channels":[{"sampler":0,"target":{"path":"scale"}}],"samplers":[{"input":0,"output":1}]}"#;
        let animations = format!(r#""animations":[{clip},{clip}]"#);
        let decoy = r#""extras":{"accessors":[{"a":1}],"bufferViews":[]}"#;
        let text_decoy = r#""extras":"\"accessors\":[\"bufferViews\":""#;
        let spaced = views.replace(" :", ":");
        let parts = [accessors, views, &animations, decoy, text_decoy, &spaced];
        let mut known = 0;
        for first in parts {
            for second in parts {
                for third in parts {
                    let text = format!("{{{first},{second}, {third}}}");
                    let [alone, with] = both(&text);
                    assert!(alone.is_some(), "{text}");
                    assert_eq!(alone, with, "{text}");
                    known += 1;
                    for length in (0..text.len()).step_by(7) {
                        assert_eq!(both(&text[..length]), [None, None], "{text}");
                    }
                }
            }
        }
        assert_eq!(known, 216);
    }
}
