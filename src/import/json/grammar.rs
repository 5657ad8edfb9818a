//! JSON texts that break the grammar in small things which some programs write (RFC 8259): what was meant is read.

use std::cell::OnceCell;

use crate::import::base::{budget::Budget, diagnostics::Diagnostics, wording::counted};

use super::document::Document;

/// Cuts the text of a file into its objects. One that breaks the grammar is mended first, and kept in `room`.
pub(in crate::import) fn parse<'a>(
    text: &'a str,
    room: &'a OnceCell<String>,
    budget: &Budget,
    diagnostics: &mut Diagnostics,
) -> anyhow::Result<Document<'a>> {
    // Kept apart: if the text is mended and read again, the second reading reports all of this once more.
    let mut said = Diagnostics::default();
    let error = match Document::parse(text, budget, &mut said) {
        Ok(document) => {
            diagnostics.absorb(said);
            return Ok(document);
        }
        Err(error) => error,
    };
    let Some(mended) = mended(text) else {
        return Err(error);
    };
    let mut said = Diagnostics::default();
    mended.report(text, &mut said);
    let text = room.get_or_init(|| mended.text);
    let document = Document::parse(text, budget, diagnostics).map_err(|_| error)?;
    diagnostics.absorb(said);
    Ok(document)
}

/// What is wrong at a place, and what is read instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Slip {
    /// `NaN`, `Infinity` or `undefined`: `null`.
    NoNumber,
    /// A character of those below U+0020 in a text: a space.
    Control,
    /// A backslash with which no escape begins: a backslash.
    Backslash,
    /// A comma that nothing follows: none.
    Comma,
}

impl Slip {
    const ALL: [Self; 4] = [Self::NoNumber, Self::Control, Self::Backslash, Self::Comma];

    /// What it is, for one and for several, and what was read.
    fn words(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::NoNumber => (
                "number of the JSON text is NaN, infinite or undefined",
                "numbers of the JSON text are NaN, infinite or undefined",
                "null stands for it",
            ),
            Self::Control => (
                "control character stands in a text of the JSON",
                "control characters stand in texts of the JSON",
                "a space stands for it",
            ),
            Self::Backslash => (
                "backslash in the JSON text begins no escape",
                "backslashes in the JSON text begin no escape",
                "it stands for itself",
            ),
            Self::Comma => (
                "comma in the JSON text is followed by nothing",
                "commas in the JSON text are followed by nothing",
                "it was skipped",
            ),
        }
    }
}

/// A text with such slips mended.
#[derive(Debug, Default)]
struct Mended {
    text: String,
    /// For each of [`Slip::ALL`] how many there were, and where the first one stood.
    found: [(usize, usize); Slip::ALL.len()],
}

/// Mends a text, if there is anything to mend.
fn mended(text: &str) -> Option<Mended> {
    let mut mended = Mended::default();
    mended.text.try_reserve(text.len()).ok()?;
    let mut place = 0_usize;
    while let Some(rest) = text.get(place..).filter(|rest| !rest.is_empty()) {
        let length = if rest.starts_with('"') {
            mended.string(rest, place)
        } else {
            mended.token(rest, place)
        };
        place = place.saturating_add(length.max(1));
    }
    mended
        .found
        .iter()
        .any(|(count, _)| *count > 0)
        .then_some(mended)
}

impl Mended {
    /// Says what was mended.
    fn report(&self, text: &str, diagnostics: &mut Diagnostics) {
        for (slip, &(count, first)) in Slip::ALL.into_iter().zip(&self.found) {
            if count == 0 {
                continue;
            }
            let before = text.get(..first).unwrap_or_default();
            let line = before.matches('\n').count().saturating_add(1);
            let column = before.rsplit('\n').next().map_or(0, str::len);
            let (one, many, action) = slip.words();
            let message = format!(
                "{}, the first at line {line}, column {}",
                counted(count, one, many),
                column.saturating_add(1)
            );
            diagnostics.error("INVALID_JSON", "", message, action);
        }
    }

    fn note(&mut self, slip: Slip, place: usize) {
        if let Some((count, first)) = self.found.get_mut(slip as usize) {
            if *count == 0 {
                *first = place;
            }
            *count = count.saturating_add(1);
        }
    }

    /// Takes a text in quotes; how long it is.
    fn string(&mut self, rest: &str, place: usize) -> usize {
        let mut is_inside = false;
        let mut characters = rest.char_indices().peekable();
        while let Some((start, character)) = characters.next() {
            let at = place.saturating_add(start);
            match character {
                '"' if is_inside => {
                    self.text.push('"');
                    return start.saturating_add(1);
                }
                '\0'..' ' => {
                    self.note(Slip::Control, at);
                    self.text.push(' ');
                }
                '\\' => {
                    let after = rest.get(start.saturating_add(1)..).unwrap_or_default();
                    self.text.push('\\');
                    if is_escape(after) {
                        self.text
                            .extend(characters.next().map(|(_, escaped)| escaped));
                    } else {
                        self.note(Slip::Backslash, at);
                        self.text.push('\\');
                    }
                }
                other => self.text.push(other),
            }
            is_inside = true;
        }
        rest.len()
    }

    /// Takes what stands outside of texts, a word or a character; how long it is.
    fn token(&mut self, rest: &str, place: usize) -> usize {
        // Few texts are long, but one that is no JSON at all may be.
        let may_be_word = rest.starts_with(['-', 'I', 'N', 'u']);
        for word in ["-Infinity", "Infinity", "-NaN", "NaN", "undefined"] {
            if may_be_word && rest.starts_with(word) {
                self.note(Slip::NoNumber, place);
                self.text.push_str("null");
                return word.len();
            }
        }
        let mut characters = rest.chars();
        let Some(first) = characters.next() else {
            return 0;
        };
        if first == ',' {
            let after = characters
                .as_str()
                .trim_start_matches([' ', '\t', '\r', '\n']);
            if after.starts_with(['}', ']']) {
                self.note(Slip::Comma, place);
                return first.len_utf8();
            }
        }
        self.text.push(first);
        first.len_utf8()
    }
}

/// Whether an escape goes on like this (RFC 8259 §7).
fn is_escape(after: &str) -> bool {
    if let Some(digits) = after.strip_prefix('u') {
        let digits = digits.get(..4).unwrap_or_default();
        return digits.len() == 4 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    }
    after.starts_with(['"', '\\', '/', 'b', 'f', 'n', 'r', 't'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_meant_is_read() {
        for (text, expected) in [
            (r#"{"a": NaN, "b": -Infinity}"#, r#"{"a": null, "b": null}"#),
            ("[\"a\tb\nc\"]", "[\"a b c\"]"),
            (r#"["C:\Users\name"]"#, r#"["C:\\Users\name"]"#),
            (r#"["\u00e9 \u12 \\ \""]"#, r#"["\u00e9 \\u12 \\ \""]"#),
            ("[1, 2,\n ]", "[1, 2\n ]"),
            (r#"{"NaN,": [1,],}"#, r#"{"NaN,": [1]}"#),
        ] {
            assert_eq!(mended(text).map(|it| it.text).as_deref(), Some(expected));
        }
    }

    #[test]
    fn sound_texts_and_other_faults_are_left() {
        for text in [r#"{"a": [1, "é\n,]"]}"#, "", "{", "\"", "[nope]", "\"a\\"] {
            let is_mended = mended(text).is_some();
            assert_eq!(is_mended, text.ends_with('\\'), "{text}");
        }
    }

    #[test]
    fn places_are_told_by_line_and_column() {
        let text = "{\n \"a\": NaN, \"b\": NaN }";
        let mut diagnostics = Diagnostics::default();
        mended(text).unwrap().report(text, &mut diagnostics);
        let found = diagnostics.finish();
        assert_eq!(found.len(), 1);
        assert!(
            found[0].message.ends_with("the first at line 2, column 7"),
            "{}",
            found[0]
        );
    }
}
