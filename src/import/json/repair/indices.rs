//! Indices beyond 32 bits, which the gltf crate cuts without a word. They are replaced in the text: of a long one that is
//! sound but for them no value need be made.

use std::borrow::Cow;

use crate::import::json::scanner::Scanner;

use super::{ENUMERATORS, INDEX_MAPS, INDICES, NO_NUMBER};

/// How deep objects and arrays may be nested; what the specification knows is nested far less.
const DEEPEST: usize = 60;

/// `text` with an index that is certainly out of range for each that 32 bits do not hold. `key` is the name of the value
/// itself, if it has one. None if anything about the text is unusual.
pub(super) fn within_32_bits<'t>(key: &str, text: &'t str) -> Option<Cow<'t, str>> {
    let mut scanner = Scanner::new(text);
    scanner.skip_space();
    let mut replacer = Replacer {
        text,
        replaced: String::new(),
        place: 0,
    };
    replacer.value(Named::by(key), &mut scanner, DEEPEST)?;
    scanner.is_at_end().then(|| replacer.finish())
}

/// What the name of a value says of numbers in it.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Named {
    Index,
    /// Indices by names of any kind.
    Indices,
    Other,
}

impl Named {
    fn by(key: &str) -> Self {
        if INDEX_MAPS.contains(&key) {
            Self::Indices
        } else if INDICES.contains(&key) || ENUMERATORS.contains(&key) {
            Self::Index
        } else {
            Self::Other
        }
    }
}

struct Replacer<'t> {
    text: &'t str,
    /// The text up to `place`, once there is a difference.
    replaced: String,
    place: usize,
}

impl<'t> Replacer<'t> {
    fn value(&mut self, named: Named, scanner: &mut Scanner<'t>, left: usize) -> Option<()> {
        let left = left.checked_sub(1)?;
        match scanner.rest().first()? {
            b'{' => scanner.object(|key, value| match key {
                _ if named == Named::Indices => self.value(Named::Index, value, left),
                // Whatever stands there, nobody takes it for an index.
                "extras" => value.skip(),
                _ => self.value(Named::by(key), value, left),
            }),
            b'[' => scanner.array(|item| self.value(named, item, left)),
            b'0'..=b'9' if named == Named::Index => {
                let number = scanner.skipped()?;
                let is_large = |number: u64| number >= u64::from(NO_NUMBER);
                if number.parse().is_ok_and(is_large) {
                    self.replace(number.len(), scanner.rest().len())?;
                }
                Some(())
            }
            _ => scanner.skip(),
        }
    }

    /// Replaces so many bytes before the last `rest` ones.
    fn replace(&mut self, length: usize, rest: usize) -> Option<()> {
        let end = self.text.len().checked_sub(rest)?;
        let start = end.checked_sub(length)?;
        self.replaced.push_str(self.text.get(self.place..start)?);
        self.replaced.push_str(&u32::MAX.to_string());
        self.place = end;
        Some(())
    }

    fn finish(self) -> Cow<'t, str> {
        let rest = self.text.get(self.place..).unwrap_or_default();
        if self.place == 0 {
            return Cow::Borrowed(rest);
        }
        Cow::Owned(self.replaced + rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_indices_alone() {
        let text = |index: u64| {
            format!(
                r#" {{"mesh": {index}, "children":[1,{index} , 2], "zfar": 4294967296, "name": "4294967296",
                "attributes": {{"A": {index}, "extras": {index}}}, "targets": [{{"B": {index}}}],
                "extras": {{"mesh": 4294967296}}, "extensions": {{"X": {{"node": {index}, "extras": 4294967296}}}},
                "mode": {index}, "componentType": {index}}} "#
            )
        };
        let most = u64::from(u32::MAX);
        for index in [most - 2, most + 1, u64::MAX] {
            let text_of_index = text(index);
            let replaced = within_32_bits("", &text_of_index).unwrap();
            assert_eq!(replaced, text(most));
        }
        let small = text(7);
        assert!(matches!(within_32_bits("", &small), Some(Cow::Borrowed(it)) if it == small));
        assert_eq!(within_32_bits("scene", "4294967296").unwrap(), "4294967295");
        assert_eq!(within_32_bits("", "4294967296").unwrap(), "4294967296");
        // What is no index at all is for others to tell.
        for other in [
            "1e10",
            "4294967296.0",
            "-4294967296",
            "99999999999999999999",
        ] {
            assert_eq!(within_32_bits("scene", other).unwrap(), other);
        }
        let deep = "[".repeat(10_000) + &"]".repeat(10_000);
        assert_eq!(within_32_bits("", &deep), None);
    }
}
