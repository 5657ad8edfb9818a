//! A command line as its words and as it is typed.

use std::{borrow::Cow, path::Path};

use crate::{app::built_in, model::Keyed};

/// A command line, and what of the picture it does not say.
#[derive(Debug, Clone)]
pub struct RenderCommand {
    pub(super) words: Vec<String>,
    pub(super) left_out: Vec<&'static str>,
    /// Whether it allows more files than the user has.
    pub(super) allows_more: bool,
}

impl RenderCommand {
    /// Its words, as the program gets them.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// As it is typed into a shell.
    pub fn line(&self) -> String {
        let words: Vec<_> = self.words.iter().map(|word| quoted(word)).collect();
        words.join(" ")
    }

    /// What the picture has and it does not say, in words.
    pub fn left_out(&self) -> &[&'static str] {
        &self.left_out
    }

    /// What there is to know of it, in sentences.
    pub fn detail(&self) -> String {
        let mut detail = match &*self.left_out {
            [] => "It draws this picture.".to_owned(),
            left_out => format!("The command leaves out: {}.", left_out.join(", ")),
        };
        if self.allows_more {
            detail += " It allows all files outside of the folder.";
        }
        detail
    }

    /// A path that means the same in every folder. Whether it can be typed is noted.
    pub(super) fn written(&mut self, path: &Path) -> String {
        let is_built_in = built_in::name_of(path).is_some();
        let absolute = std::path::absolute(path).ok().filter(|_| !is_built_in);
        let path = absolute.as_deref().unwrap_or(path);
        let is_typed = path
            .to_str()
            .is_some_and(|path| !path.contains(char::is_control));
        self.leave_out("the file's name, which cannot be typed", !is_typed);
        path.to_string_lossy().into_owned()
    }

    pub(super) fn flag(&mut self, name: &str, is_on: bool) {
        if is_on {
            self.words.push(name.to_owned());
        }
    }

    pub(super) fn option(&mut self, name: &str, value: impl Into<String>) {
        let value = value.into();
        // Else it would be taken for an option itself.
        if value.starts_with('-') {
            self.words.push(format!("{name}={value}"));
        } else {
            self.words.extend([name.to_owned(), value]);
        }
    }

    /// An option whose value may be one that nothing stands for: then `what` is left out. Whether it is there.
    pub(super) fn wanted(&mut self, name: &str, value: Option<String>, what: &'static str) -> bool {
        self.leave_out(what, value.is_none());
        let is_there = value.is_some();
        if let Some(value) = value {
            self.option(name, value);
        }
        is_there
    }

    pub(super) fn number(&mut self, name: &str, value: f32, usual: f32) {
        if value != usual {
            self.numbers(name, &[value]);
        }
    }

    /// Numbers with commas between them, which may be below zero.
    pub(super) fn numbers(&mut self, name: &str, values: &[f32]) {
        let values: Vec<_> = values.iter().copied().map(short).collect();
        self.words.extend([name.to_owned(), values.join(",")]);
    }

    pub(super) fn key<T: Keyed + PartialEq>(&mut self, name: &str, value: T, usual: T) {
        if value != usual {
            self.option(name, value.key());
        }
    }

    pub(super) fn leave_out(&mut self, what: &'static str, is_there: bool) {
        if is_there && !self.left_out.contains(&what) {
            self.left_out.push(what);
        }
    }
}

/// A word for a shell, in quotes where it needs any. Control characters are left out: a terminal takes them for keys.
fn quoted(word: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return Cow::Borrowed(word);
    }
    let word: String = word.chars().filter(|c| !c.is_control()).collect();
    Cow::Owned(if cfg!(windows) {
        in_double_quotes(&word)
    } else {
        in_single_quotes(&word)
    })
}

/// For a POSIX shell.
fn in_single_quotes(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// For Windows, where backslashes stand for themselves but before a quote.
fn in_double_quotes(word: &str) -> String {
    let mut text = "\"".to_owned();
    let mut backslashes = 0;
    for letter in word.chars() {
        if letter == '"' {
            text.extend(std::iter::repeat_n('\\', backslashes + 1));
        }
        backslashes = if letter == '\\' { backslashes + 1 } else { 0 };
        text.push(letter);
    }
    text.extend(std::iter::repeat_n('\\', backslashes));
    text.push('"');
    text
}

/// A number with as many digits as it has.
fn short(value: f32) -> String {
    let rounded = format!("{value:.6e}").parse().unwrap_or(value);
    // Zero has no sign.
    (rounded + 0.0).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_would_take_them_otherwise() {
        for plain in ["/a/b-1.glb", "--view", "-1.5,2,3", "Läufer", "50%", "a:b@c"] {
            assert_eq!(quoted(plain), plain);
        }
        for (word, expected) in [
            ("", "''"),
            ("Pip Walk.png", "'Pip Walk.png'"),
            ("~/a", "'~/a'"),
            ("it's", r"'it'\''s'"),
            ("$(rm a);`b`", "'$(rm a);`b`'"),
            (r"C:\a", r"'C:\a'"),
        ] {
            assert_eq!(in_single_quotes(word), expected, "{word:?}");
            let expected = quoted(word);
            let quote = if cfg!(windows) { '"' } else { '\'' };
            assert!(expected.starts_with(quote) && expected.ends_with(quote));
        }
        for (word, expected) in [
            ("", r#""""#),
            (r"C:\a b\c.glb", r#""C:\a b\c.glb""#),
            (r"C:\a b\", r#""C:\a b\\""#),
            ("it's", r#""it's""#),
            (r#"5" disk"#, r#""5\" disk""#),
            (r#"a\"b"#, r#""a\\\"b""#),
        ] {
            assert_eq!(in_double_quotes(word), expected, "{word:?}");
        }
        let quoted = quoted("a\u{1b}[201~\nb");
        assert_eq!(&quoted[1..quoted.len() - 1], "a[201~b");
    }

    #[test]
    fn more_that_is_allowed_is_said_with_what_is_left_out() {
        let mut command = RenderCommand {
            words: Vec::new(),
            left_out: Vec::new(),
            allows_more: false,
        };
        assert_eq!(command.detail(), "It draws this picture.");
        command.allows_more = true;
        let allows = "It allows all files outside of the folder.";
        let expected = format!("It draws this picture. {allows}");
        assert_eq!(command.detail(), expected);
        for what in ["hidden nodes", "the T pose", "hidden nodes"] {
            command.leave_out(what, true);
        }
        let expected = format!("The command leaves out: hidden nodes, the T pose. {allows}");
        assert_eq!(command.detail(), expected);
    }

    #[test]
    fn numbers_have_no_more_digits_than_they_need() {
        for (value, expected) in [
            (30.000_002, "30"),
            (-0.0, "0"),
            (1.25, "1.25"),
            (-78.0, "-78"),
            (0.1 + 0.2, "0.3"),
        ] {
            assert_eq!(short(value), expected);
        }
    }
}
