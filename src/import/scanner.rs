//! A reader of JSON text that is known to be valid, for objects that hold nothing out of the ordinary: files with
//! animations have tens of thousands of these. Where anything is unusual it gives up, and the text is read with more care.

/// Reads values from the front of a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scanner<'t> {
    rest: &'t str,
}

impl<'t> Scanner<'t> {
    /// Starts at the front of a text that is one JSON value.
    pub(super) fn new(text: &'t str) -> Self {
        Self { rest: text }
    }

    /// Reads an object: `each` gets every key, and reads the value.
    pub(super) fn object(
        &mut self,
        mut each: impl FnMut(&'t str, &mut Self) -> Option<()>,
    ) -> Option<()> {
        self.list(b'{', b'}', |scanner| {
            let key = scanner.text()?;
            scanner.skip_space();
            scanner.take(b':')?;
            scanner.skip_space();
            each(key, scanner)
        })
    }

    /// Reads an array: `each` reads every item.
    pub(super) fn array(&mut self, each: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.list(b'[', b']', each)
    }

    fn list(
        &mut self,
        start: u8,
        end: u8,
        mut each: impl FnMut(&mut Self) -> Option<()>,
    ) -> Option<()> {
        self.take(start)?;
        self.skip_space();
        if self.take(end).is_some() {
            return Some(());
        }
        loop {
            each(self)?;
            self.skip_space();
            if self.take(b',').is_none() {
                return self.take(end);
            }
            self.skip_space();
        }
    }

    /// Reads a text without escapes.
    pub(super) fn text(&mut self) -> Option<&'t str> {
        self.take(b'"')?;
        let end = self
            .rest
            .bytes()
            .position(|byte| matches!(byte, b'"' | b'\\'))?;
        let (text, rest) = self.rest.split_at_checked(end)?;
        self.rest = rest;
        self.take(b'"')?;
        Some(text)
    }

    /// Reads a whole number that is not negative, and is written as such.
    pub(super) fn integer(&mut self) -> Option<u64> {
        let bytes = self.rest.as_bytes();
        let mut integer = 0_u64;
        let mut length = 0_usize;
        for byte in bytes {
            let digit = byte.wrapping_sub(b'0');
            if digit > 9 {
                break;
            }
            integer = integer.checked_mul(10)?.checked_add(u64::from(digit))?;
            length = length.saturating_add(1);
        }
        if length == 0 || matches!(bytes.get(length), Some(b'.' | b'e' | b'E')) {
            return None;
        }
        self.rest = self.rest.get(length..)?;
        Some(integer)
    }

    /// Reads an index.
    pub(super) fn index(&mut self) -> Option<u32> {
        u32::try_from(self.integer()?).ok()
    }

    /// Reads a number that a double can hold.
    pub(super) fn number(&mut self) -> Option<f64> {
        let is_part = |byte: u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
        let end = self.rest.bytes().position(|byte| !is_part(byte));
        let (number, rest) = self.rest.split_at_checked(end.unwrap_or(self.rest.len()))?;
        self.rest = rest;
        number
            .parse()
            .ok()
            .filter(|number: &f64| number.is_finite())
    }

    /// Reads `true` or `false`.
    pub(super) fn flag(&mut self) -> Option<bool> {
        for (name, flag) in [("true", true), ("false", false)] {
            if let Some(rest) = self.rest.strip_prefix(name) {
                self.rest = rest;
                return Some(flag);
            }
        }
        None
    }

    fn skip_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = self.rest.as_bytes().first() {
            self.rest = self.rest.get(1..).unwrap_or_default();
        }
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        if self.rest.as_bytes().first() != Some(&byte) {
            return None;
        }
        self.rest = self.rest.get(1..)?;
        Some(())
    }
}

/// Notes the value of a property, unless it was there already.
pub(super) fn once<T>(slot: &mut Option<T>, value: Option<T>) -> Option<()> {
    if slot.is_some() {
        return None;
    }
    *slot = Some(value?);
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_plain_values() {
        let mut scanner = Scanner::new("{ \"a\" :1,\"b\":[ -1.5e1 , 2],\n\"c\":\"ü\",\"d\":true}");
        let (mut a, mut b, mut c, mut d) = (None, Vec::new(), None, None);
        let read = scanner.object(|key, value| match key {
            "a" => once(&mut a, value.index()),
            "b" => value.array(|item| {
                b.push(item.number()?);
                Some(())
            }),
            "c" => once(&mut c, value.text()),
            _ => once(&mut d, value.flag()),
        });
        assert!(read.is_some());
        assert_eq!((a, b, c), (Some(1), vec![-15.0, 2.0], Some("ü")));
        assert_eq!((d, scanner.rest), (Some(true), ""));
    }

    #[test]
    fn gives_up_where_anything_is_unusual() {
        for odd in ["1.0", "1e2", "-1", "null", "\"1\"", "4294967296", ""] {
            assert_eq!(Scanner::new(odd).index(), None, "{odd}");
        }
        assert_eq!(
            Scanner::new("18446744073709551615").integer(),
            Some(u64::MAX)
        );
        assert_eq!(Scanner::new("18446744073709551616").integer(), None);
        assert_eq!(Scanner::new("1e999").number(), None);
        assert_eq!(Scanner::new(r#""a\n""#).text(), None);
        let twice = |key: &str| {
            let text = format!(r#"{{"a":1,"{key}":2}}"#);
            let (mut a, mut b) = (None, None);
            Scanner::new(&text).object(|key, value| match key {
                "a" => once(&mut a, value.integer()),
                _ => once(&mut b, value.integer()),
            })
        };
        assert_eq!(twice("b"), Some(()));
        assert_eq!(twice("a"), None);
    }
}
