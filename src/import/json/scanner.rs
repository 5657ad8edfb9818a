//! A reader of JSON text that knows the whole grammar (RFC 8259) and gives up where anything is unusual: files with
//! animations have tens of thousands of objects that hold nothing out of the ordinary. What it does read is valid; where it
//! gives up, the text may be valid or not, and is read with more care.

use super::swar;

/// Reads values from the front of a text.
#[derive(Debug, Clone, Copy)]
pub(in crate::import) struct Scanner<'t> {
    text: &'t str,
    place: usize,
}

impl<'t> Scanner<'t> {
    /// Starts at the front of a text.
    pub(in crate::import) fn new(text: &'t str) -> Self {
        Self { text, place: 0 }
    }

    /// All of the text, also what was read of it.
    pub(in crate::import) fn whole(&self) -> &'t str {
        self.text
    }

    /// Goes on behind so many bytes.
    pub(in crate::import) fn advance(&mut self, count: usize) {
        self.place = self.place.saturating_add(count);
    }

    /// Whether another one of the same text is at the same place.
    pub(super) fn is_at(&self, other: &Self) -> bool {
        self.place == other.place
    }

    /// The text from here to where another one is that went on.
    pub(super) fn up_to(&self, other: &Self) -> Option<&'t str> {
        self.text.get(self.place..other.place)
    }

    /// Whether nothing but space is left.
    pub(in crate::import) fn is_at_end(&mut self) -> bool {
        self.skip_space();
        self.place == self.text.len()
    }

    /// Reads an object: `each` gets every key, and reads the value.
    pub(in crate::import) fn object(
        &mut self,
        mut each: impl FnMut(&'t str, &mut Self) -> Option<()>,
    ) -> Option<()> {
        self.list(b'{', b'}', |scanner| {
            let key = scanner.text()?;
            scanner.colon()?;
            each(key, scanner)
        })
    }

    /// Reads an array: `each` reads every item.
    pub(in crate::import) fn array(
        &mut self,
        each: impl FnMut(&mut Self) -> Option<()>,
    ) -> Option<()> {
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
    pub(in crate::import) fn text(&mut self) -> Option<&'t str> {
        self.take(b'"')?;
        let start = self.place;
        self.skip_plain();
        let text = self.text.get(start..self.place)?;
        self.take(b'"')?;
        Some(text)
    }

    /// Reads a whole number of at most 18 digits that is not negative, and is written as such.
    pub(in crate::import) fn integer(&mut self) -> Option<u64> {
        const MOST: usize = 18;
        let rest = self.rest();
        let mut integer = 0_u64;
        let mut length = 0_usize;
        for byte in rest {
            let digit = byte.wrapping_sub(b'0');
            if digit > 9 {
                break;
            }
            integer = integer.wrapping_mul(10).wrapping_add(u64::from(digit));
            length = length.saturating_add(1);
        }
        let is_odd = length == 0 || length > MOST || (length > 1 && rest.first() == Some(&b'0'));
        if is_odd || matches!(rest.get(length), Some(b'.' | b'e' | b'E')) {
            return None;
        }
        self.place = self.place.saturating_add(length);
        Some(integer)
    }

    /// Reads an index.
    pub(in crate::import) fn index(&mut self) -> Option<u32> {
        u32::try_from(self.integer()?).ok()
    }

    /// Reads a whole number that is small enough.
    pub(super) fn small<T: TryFrom<u64>>(&mut self) -> Option<T> {
        T::try_from(self.integer()?).ok()
    }

    /// Reads a number that a double can hold.
    pub(in crate::import) fn number(&mut self) -> Option<f64> {
        let start = self.place;
        self.skip_number()?;
        let number = self.text.get(start..self.place)?.parse();
        number.ok().filter(|number: &f64| number.is_finite())
    }

    /// Reads `true` or `false`.
    pub(super) fn flag(&mut self) -> Option<bool> {
        match self.peek()? {
            b't' => self.take_all("true").map(|()| true),
            _ => self.take_all("false").map(|()| false),
        }
    }

    /// Skips a value of any kind, unless it is nested very deeply.
    pub(in crate::import) fn skip(&mut self) -> Option<()> {
        // A bit for each list that is open, the last one lowest: whether it is an object. Above them stands a 1.
        let mut open = 1_u64;
        loop {
            match self.peek()? {
                b'"' => self.skip_text()?,
                b'{' => {
                    self.step();
                    self.skip_space();
                    if self.take(b'}').is_none() {
                        open = opened(open, 1)?;
                        self.skip_key()?;
                        continue;
                    }
                }
                b'[' => {
                    self.step();
                    self.skip_space();
                    if self.take(b']').is_none() {
                        open = opened(open, 0)?;
                        continue;
                    }
                }
                b't' => self.take_all("true")?,
                b'f' => self.take_all("false")?,
                b'n' => self.take_all("null")?,
                _ => self.skip_number()?,
            }
            loop {
                if open == 1 {
                    return Some(());
                }
                self.skip_space();
                let is_object = open & 1 == 1;
                match self.peek()? {
                    b',' => {
                        self.step();
                        self.skip_space();
                        if is_object {
                            self.skip_key()?;
                        }
                        break;
                    }
                    b'}' if is_object => self.step(),
                    b']' if !is_object => self.step(),
                    _ => return None,
                }
                open >>= 1;
            }
        }
    }

    /// Skips a value, and gives its text.
    pub(super) fn skipped(&mut self) -> Option<&'t str> {
        let start = *self;
        self.skip()?;
        start.up_to(self)
    }

    /// Skips a value of a text that is known to be JSON, however deeply it is nested, and gives its text: only where its
    /// lists and texts end is looked at.
    pub(super) fn skipped_known(&mut self) -> Option<&'t str> {
        let start = *self;
        match self.peek()? {
            b'"' => self.skip_text()?,
            b'[' | b'{' => self.skip_known_list()?,
            _ => {
                let is_end =
                    |byte: &u8| matches!(byte, b',' | b'}' | b']' | b' ' | b'\t' | b'\r' | b'\n');
                let rest = self.rest();
                self.advance(rest.iter().position(is_end).unwrap_or(rest.len()));
            }
        }
        start.up_to(self)
    }

    /// Skips a list of a text that is known to be JSON.
    fn skip_known_list(&mut self) -> Option<()> {
        let mut open = 0_usize;
        loop {
            self.skip_until(swar::structure);
            match self.peek()? {
                b'"' => self.skip_text()?,
                b'[' | b'{' => {
                    self.step();
                    open = open.saturating_add(1);
                }
                b']' | b'}' => {
                    self.step();
                    open = open.saturating_sub(1);
                    if open == 0 {
                        return Some(());
                    }
                }
                _ => self.step(),
            }
        }
    }

    fn skip_key(&mut self) -> Option<()> {
        self.skip_text()?;
        self.colon()
    }

    fn colon(&mut self) -> Option<()> {
        self.skip_space();
        self.take(b':')?;
        self.skip_space();
        Some(())
    }

    /// Skips a text with escapes or without.
    fn skip_text(&mut self) -> Option<()> {
        self.take(b'"')?;
        loop {
            self.skip_plain();
            match self.peek()? {
                b'"' => {
                    self.step();
                    return Some(());
                }
                b'\\' => {
                    self.step();
                    match self.peek()? {
                        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => self.step(),
                        b'u' => {
                            self.step();
                            let digits: &[u8; 4] = self.rest().first_chunk()?;
                            let is_code = digits.iter().all(u8::is_ascii_hexdigit);
                            is_code.then_some(())?;
                            self.place = self.place.saturating_add(digits.len());
                        }
                        _ => return None,
                    }
                }
                _ => return None,
            }
        }
    }

    /// Skips what stands for itself in a text: all but quotes, backslashes and control characters.
    fn skip_plain(&mut self) {
        self.skip_until(swar::special);
    }

    /// Skips bytes up to the first of those that `marks` marks in a word.
    fn skip_until(&mut self, marks: impl Fn(u64) -> u64) {
        self.advance(swar::before_mark(self.rest(), marks));
    }

    /// Skips a number (RFC 8259 §6).
    fn skip_number(&mut self) -> Option<()> {
        if self.peek() == Some(b'-') {
            self.step();
        }
        match self.peek()? {
            b'0' => self.step(),
            _ => self.skip_digits()?,
        }
        if self.peek() == Some(b'.') {
            self.step();
            self.skip_digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.step();
            if let Some(b'+' | b'-') = self.peek() {
                self.step();
            }
            self.skip_digits()?;
        }
        Some(())
    }

    /// Skips at least one digit.
    fn skip_digits(&mut self) -> Option<()> {
        let digits = self.rest().iter().take_while(|byte| byte.is_ascii_digit());
        let count = digits.count();
        self.place = self.place.saturating_add(count);
        (count > 0).then_some(())
    }

    /// Skips what may stand between values.
    pub(super) fn skip_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = self.peek() {
            self.step();
        }
    }

    /// What is still to be read.
    pub(in crate::import) fn rest(&self) -> &'t [u8] {
        self.text.as_bytes().get(self.place..).unwrap_or_default()
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.place).copied()
    }

    /// Goes on by a byte that is there.
    fn step(&mut self) {
        self.place = self.place.saturating_add(1);
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        (self.peek() == Some(byte)).then(|| self.step())
    }

    fn take_all(&mut self, bytes: &str) -> Option<()> {
        self.rest().starts_with(bytes.as_bytes()).then(|| {
            self.place = self.place.saturating_add(bytes.len());
        })
    }
}

/// One list more; none if there are too many.
fn opened(open: u64, bit: u64) -> Option<u64> {
    (open.leading_zeros() > 0).then_some((open << 1) | bit)
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
        assert_eq!(d, Some(true));
        assert!(scanner.is_at_end());
    }

    #[test]
    fn gives_up_where_anything_is_unusual() {
        for odd in ["1.0", "1e2", "-1", "01", "null", "\"1\"", "4294967296", ""] {
            assert_eq!(Scanner::new(odd).index(), None, "{odd}");
        }
        let most = 999_999_999_999_999_999;
        assert_eq!(Scanner::new(&most.to_string()).integer(), Some(most));
        assert_eq!(Scanner::new("1000000000000000000").integer(), None);
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

    /// Whether a text is a value from its front to its end.
    fn is_value(text: &str) -> bool {
        let mut scanner = Scanner::new(text);
        scanner.skip_space();
        scanner.skip().is_some() && scanner.is_at_end()
    }

    /// Whatever is made of a text is what the JSON crate makes of it. Texts are pieces of JSON in any order, and good ones
    /// with a byte changed, left out or put in.
    #[test]
    fn skips_just_what_is_valid() {
        let mut state = 7_u32;
        let mut random = move |below: usize| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as usize % below
        };
        let pieces = r#"{ } [ ] , : " "a" "a": 0 1 9 - + . e E 1.5 -0 1e5 2E-7 true false null \ \u \u00e9 \n ü tru
"eight_bytes_and_more" "ab\"cdefgh\u12" [] {}"#;
        let pieces = pieces.split([' ', '\n']).chain([" ", "\n", "\t", "\u{1}"]);
        let pieces: Vec<_> = pieces.collect();
        let good = [
            r#"{"a": [1, -2.5e+3, {"b": "c\\\"\u00e9"}, [], {}, true, false, null], "long enough key": "ü\n"}"#,
            r#"[[[0.5], "x"], {"k":{"k":{"k":[1,2,3]}}},"/\/\b\f\r\t"]"#,
        ];
        let mut valid = 0;
        for round in 0..60_000 {
            let text = if round % 2 == 0 {
                (0..=random(8))
                    .map(|_| pieces[random(pieces.len())])
                    .collect()
            } else {
                let mut text: Vec<char> = good[random(good.len())].chars().collect();
                let place = random(text.len());
                let other = [
                    '"', '\\', '1', '0', ',', '}', ']', ' ', 'u', '\u{1f}', '.', 'e', '-',
                ];
                match random(4) {
                    0 => drop(text.remove(place)),
                    1 => text.insert(place, other[random(other.len())]),
                    2 => text.truncate(place),
                    _ => text[place] = other[random(other.len())],
                }
                text.into_iter().collect::<String>()
            };
            let theirs: Result<&serde_json::value::RawValue, _> = serde_json::from_str(&text);
            assert_eq!(is_value(&text), theirs.is_ok(), "{text:?}");
            valid += usize::from(theirs.is_ok());
            let known = Scanner::new(text.trim_start()).skipped_known();
            if theirs.is_ok() {
                assert_eq!(known, Some(text.trim()), "{text:?}");
            }
            let number = Scanner::new(&text).number();
            if theirs.is_ok() && number.is_some() {
                assert_eq!(number, serde_json::from_str(&text).ok(), "{text:?}");
            }
        }
        assert!((6_000..54_000).contains(&valid), "{valid}");
    }

    #[test]
    fn leaves_what_is_nested_deeply_to_others() {
        let nested = |depth| "[".repeat(depth) + &"]".repeat(depth);
        assert!(is_value(&nested(64)));
        assert!(!is_value(&nested(65)));
        let deep = nested(100_000);
        assert_eq!(Scanner::new(&deep).skipped_known(), Some(&*deep));
    }
}
