//! The JSON text as Unicode: what is none is replaced, so that the rest can be read.

use std::{borrow::Cow, ops::RangeInclusive};

use crate::import::base::{diagnostics::Diagnostics, wording::counted};

/// UTF-16 code units that mean something in pairs alone, a first and a second one.
const FIRST: RangeInclusive<u16> = 0xd800..=0xdbff;
const SECOND: RangeInclusive<u16> = 0xdc00..=0xdfff;

/// Characters of an escape such as `\u00e9`.
const ESCAPE: usize = 6;
/// The escape of the character that stands for what is none.
const REPLACEMENT: &str = "\\ufffd";

/// The JSON text of a file.
pub(in crate::import) fn text<'a>(json: &'a [u8], diagnostics: &mut Diagnostics) -> Cow<'a, str> {
    let text = match str::from_utf8(json) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => {
            let message = "the JSON text is not UTF-8 throughout";
            let action = "what is not was replaced";
            diagnostics.error("INVALID_JSON", "", message, action);
            String::from_utf8_lossy(json)
        }
    };
    let halves = halves_of_pairs(&text);
    if halves.is_empty() {
        return text;
    }
    // The grammar allows them (RFC 8259 §8.2), but no text can hold them.
    let escapes = counted(halves.len(), "escape is", "escapes are each");
    let message = format!("{escapes} one half of a surrogate pair");
    let action = "U+FFFD stands in their place";
    diagnostics.warning("INVALID_UNICODE", "", message, action);
    let mut repaired = String::with_capacity(text.len());
    let mut end = 0;
    for start in halves {
        repaired.push_str(text.get(end..start).unwrap_or_default());
        repaired.push_str(REPLACEMENT);
        end = start.saturating_add(ESCAPE);
    }
    repaired.push_str(text.get(end..).unwrap_or_default());
    Cow::Owned(repaired)
}

/// Where escapes stand that are half of a pair without the other half.
fn halves_of_pairs(text: &str) -> Vec<usize> {
    let mut halves = Vec::new();
    let mut place = 0_usize;
    while let Some(distance) = text.get(place..).and_then(|rest| rest.find('\\')) {
        let start = place.saturating_add(distance);
        let next = start.saturating_add(ESCAPE);
        place = match code_unit(text, start) {
            // Another escape: two characters are skipped.
            None => start.saturating_add(2),
            Some(first) if FIRST.contains(&first) => match code_unit(text, next) {
                Some(second) if SECOND.contains(&second) => next.saturating_add(ESCAPE),
                _ => {
                    halves.push(start);
                    next
                }
            },
            Some(unit) => {
                if SECOND.contains(&unit) {
                    halves.push(start);
                }
                next
            }
        };
    }
    halves
}

/// The code unit that the escape at `start` stands for; none if there is no such escape.
fn code_unit(text: &str, start: usize) -> Option<u16> {
    let escape = text.get(start..start.saturating_add(ESCAPE))?;
    let digits = escape.strip_prefix("\\u")?;
    let are_digits = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    are_digits.then(|| u16::from_str_radix(digits, 16).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_halves_of_pairs_alone() {
        for (is, becomes) in [
            (r"a\ud83d\ude00b", r"a\ud83d\ude00b"),
            (r"a\ud83db", r"a\ufffdb"),
            (r"\uDE00\uD83D", r"\ufffd\ufffd"),
            (r"\ud83d\ud83d\ude00", r"\ufffd\ud83d\ude00"),
            (r"\\ud83d \\\ud83d", r"\\ud83d \\\ufffd"),
            (r"\u00e9\n\ud83", r"\u00e9\n\ud83"),
            ("\\é\\ud83d", "\\é\\ud83d"),
        ] {
            let mut diagnostics = Diagnostics::default();
            assert_eq!(text(is.as_bytes(), &mut diagnostics), becomes);
        }
    }
}
