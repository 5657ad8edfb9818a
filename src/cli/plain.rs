//! Names from files in lines of text: what would move the cursor, end the line or turn its order is written as its number.

use std::borrow::Cow;

/// A text as it can stand in a line on a terminal. What is not fit for that is escaped as in `{:?}`; quotes, backslashes and
/// letters of all scripts stay as they are.
pub fn plain(text: &str) -> Cow<'_, str> {
    if !text.contains(is_unfit) {
        return Cow::Borrowed(text);
    }
    let mut fit = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if is_unfit(c) {
            fit.extend(c.escape_default());
        } else {
            fit.push(c);
        }
    }
    Cow::Owned(fit)
}

/// Lines of a text, each of which stays one.
pub(super) fn lines(lines: &[String]) -> String {
    lines.iter().fold(String::new(), |mut text, line| {
        text += &plain(line);
        text.push('\n');
        text
    })
}

/// Control characters, separators of lines and paragraphs, and what turns the direction of writing (Unicode 17, UAX #9 §2).
fn is_unfit(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_moves_the_cursor_becomes_visible_and_all_else_stays() {
        assert_eq!(plain("a\n\x1b[2Jb\t\u{9b}c"), r"a\n\u{1b}[2Jb\t\u{9b}c");
        assert_eq!(plain("\u{202e}gpj.exe\u{2028}"), r"\u{202e}gpj.exe\u{2028}");
        for fit in [
            "",
            r"C:\a 'b' \n",
            "Åke\u{301} 走る 👩\u{200d}🚀",
            "\u{5e9}\u{5dc}",
        ] {
            assert!(matches!(plain(fit), Cow::Borrowed(same) if same == fit));
        }
    }

    #[test]
    fn a_line_stays_one() {
        let text = lines(&["a".to_owned(), "b\nc".to_owned()]);
        assert_eq!(text, "a\nb\\nc\n");
    }
}
