//! The JSON text, cut into its objects in one pass that reads those that are plain on the way. Where anything is unusual,
//! also where the text is no JSON at all, it gives up, and the text is cut with more care.

use super::{
    document::{Capped, Root, Section},
    plain::{Plain, PlainAccessor, PlainAnimation, PlainView},
    scanner::Scanner,
};

/// The parts of the text of a file; none if anything about it is unusual.
pub(super) fn cut(text: &str) -> Option<(Root<'_>, Plain<'_>)> {
    let mut root = Root::default();
    let mut plain = Plain::default();
    let mut scanner = Scanner::new(text);
    scanner.skip_space();
    scanner.object(|key, value| {
        // Of duplicate keys the last counts (RFC 8259 §4).
        let Some(section) = Section::of_name(key) else {
            root.others.insert(key.to_owned(), value.skipped()?);
            return Some(());
        };
        let cap = section.cap(text.len());
        let capped = match section {
            Section::Accessors => {
                plain.accessors.clear();
                items(value, cap, |item| {
                    plain.accessors.push(attempt(item, PlainAccessor::read)?);
                    Some(())
                })
            }
            Section::Animations => {
                plain.animations.clear();
                items(value, cap, |item| {
                    plain.animations.push(attempt(item, PlainAnimation::read)?);
                    Some(())
                })
            }
            Section::BufferViews => {
                plain.views.clear();
                items(value, cap, |item| {
                    plain.views.push(attempt(item, PlainView::read)?);
                    Some(())
                })
            }
            _ => items(value, cap, Scanner::skip),
        };
        root.set(section, Some(capped?));
        Some(())
    })?;
    scanner.is_at_end().then_some((root, plain))
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
    read: impl Fn(&mut Scanner<'t>) -> Option<T>,
) -> Option<Option<T>> {
    let start = *value;
    let plain = read(value);
    if plain.is_none() {
        *value = start;
        value.skip()?;
    }
    Some(plain)
}
