//! Eight bytes at a time: which of them a reader of JSON has to look at. A word has its first byte lowest, and so do marks:
//! the highest bit of each byte that is meant. Only the lowest mark of a word is right, those above it need not be.

const ONES: u64 = u64::MAX / 0xff;
const TOPS: u64 = ONES << 7;

/// How many bytes of a text are before the first one that is marked; all, if none is. `marks` marks those of a word, and
/// never a space.
pub(super) fn before_mark(text: &[u8], marks: impl Fn(u64) -> u64) -> usize {
    let (words, rest) = text.as_chunks();
    let mut last = [b' '; 8];
    last.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
    let mut place = 0_usize;
    for word in words.iter().chain([&last]) {
        let marks = marks(u64::from_le_bytes(*word));
        if marks != 0 {
            let before = usize::try_from(marks.trailing_zeros() / 8).unwrap_or_default();
            return place.saturating_add(before);
        }
        place = place.saturating_add(word.len());
    }
    text.len()
}

/// Marks what does not stand for itself in a text: quotes, backslashes and control characters. With the bit changed in
/// which it differs from a space, a quote is less than 0x21 as control characters are, and nothing else is.
pub(super) fn special(word: u64) -> u64 {
    less(changed(word, b'"' ^ b' '), b' ' + 1) | same(word, b'\\')
}

/// Marks brackets, braces and quotes. A bracket is its brace but for one bit.
pub(super) fn structure(word: u64) -> u64 {
    let braces = word | ONES.wrapping_mul(u64::from(b'[' ^ b'{'));
    same(braces, b'{') | same(braces, b'}') | same(word, b'"')
}

/// Marks the bytes that are less than one of at most 0x80: "Determine if a word has a byte less than n", from
/// S. E. Anderson's Bit Twiddling Hacks.
fn less(word: u64, than: u8) -> u64 {
    word.wrapping_sub(ONES.wrapping_mul(u64::from(than))) & !word & TOPS
}

/// Marks the bytes that are this one.
fn same(word: u64, byte: u8) -> u64 {
    less(changed(word, byte), 1)
}

/// All bytes with such bits changed.
fn changed(word: u64, bits: u8) -> u64 {
    word ^ ONES.wrapping_mul(u64::from(bits))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every byte, at every place of texts of every short length.
    #[test]
    fn marks_just_those_that_are_meant() {
        let is_special = |byte: u8| byte < b' ' || matches!(byte, b'"' | b'\\');
        let is_structure = |byte: u8| b"[]{}\"".contains(&byte);
        for length in 1..20 {
            for place in 0..length {
                for byte in 0..=u8::MAX {
                    let mut text = vec![b'1'; length];
                    text[place] = byte;
                    let expected = |is_meant: bool| if is_meant { place } else { length };
                    let before = before_mark(&text, special);
                    assert_eq!(
                        before,
                        expected(is_special(byte)),
                        "{byte} {place} {length}"
                    );
                    let before = before_mark(&text, structure);
                    assert_eq!(
                        before,
                        expected(is_structure(byte)),
                        "{byte} {place} {length}"
                    );
                }
            }
        }
        assert_eq!(before_mark(b"", special), 0);
    }
}
