//! A command line as its words and as it is typed.

use std::{
    borrow::Cow,
    path::{Path, PathBuf},
};

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

    /// As it is typed into a shell: PowerShell on Windows, elsewhere sh and its kin.
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
        if self.is_for_power_shell_alone() {
            detail += " It is for PowerShell.";
        }
        detail
    }

    /// Whether another shell of Windows takes its words otherwise: cmd knows no single quotes.
    fn is_for_power_shell_alone(&self) -> bool {
        let mut words = self.words.iter();
        cfg!(windows) && words.any(|word| quoted(word).starts_with('\''))
    }

    /// A path that means the same in every folder. Whether it can be typed is noted.
    pub(super) fn written(&mut self, path: &Path) -> String {
        let is_built_in = built_in::name_of(path).is_some();
        let absolute = std::path::absolute(path).ok().filter(|_| !is_built_in);
        // A separator at its end would be taken for what escapes a quote.
        let absolute = absolute.map(|path| path.components().collect::<PathBuf>());
        let path = absolute.as_deref().unwrap_or(path);
        let is_typed = path.to_str().is_some_and(can_be_typed);
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

/// Whether a text can be typed: a terminal takes control characters for keys, and a double quote reaches programs from some
/// versions of PowerShell only with a backslash before it, which others pass on.
pub(super) fn can_be_typed(text: &str) -> bool {
    !text.contains(|c: char| c.is_control() || cfg!(windows) && c == '"')
}

/// A word for the shell that lines are written for, without control characters.
fn quoted(word: &str) -> Cow<'_, str> {
    if word.contains(char::is_control) {
        let word: String = word.chars().filter(|c| !c.is_control()).collect();
        return Cow::Owned(quoted(&word).into_owned());
    }
    if cfg!(windows) {
        for_power_shell(word)
    } else {
        for_posix_shell(word)
    }
}

/// In quotes where it needs any.
fn for_posix_shell(word: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return Cow::Borrowed(word);
    }
    Cow::Owned(format!("'{}'", word.replace('\'', r"'\''")))
}

/// In quotes where it needs any: commas would make several words of it, dots too where it begins like an option. In double
/// ones, which cmd knows as well, where these make nothing else of it; in single ones all stands for itself but single quotes,
/// of which it knows five.
fn for_power_shell(word: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_alphanumeric() || r"-_./\:=+".contains(c);
    let is_cut = word.starts_with('-') && word.contains(['.', ':']);
    if !word.is_empty() && word.chars().all(is_plain) && !is_cut {
        return Cow::Borrowed(word);
    }
    let is_taken = |c: char| "$`%\"\u{201c}\u{201d}\u{201e}".contains(c);
    // A backslash before the last quote would escape it for the program.
    if !word.contains(is_taken) && !word.ends_with('\\') {
        return Cow::Owned(format!("\"{word}\""));
    }
    let mut text = "'".to_owned();
    for letter in word.chars() {
        let is_quote = "'\u{2018}\u{2019}\u{201a}\u{201b}".contains(letter);
        text.extend(std::iter::repeat_n(letter, if is_quote { 2 } else { 1 }));
    }
    text.push('\'');
    Cow::Owned(text)
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
            assert_eq!(for_posix_shell(plain), plain);
        }
        for (word, expected) in [
            ("", "''"),
            ("Pip Walk.png", "'Pip Walk.png'"),
            ("~/a", "'~/a'"),
            ("it's", r"'it'\''s'"),
            ("$(rm a);`b`", "'$(rm a);`b`'"),
            (r"C:\a", r"'C:\a'"),
        ] {
            assert_eq!(for_posix_shell(word), expected, "{word:?}");
        }
        for (word, is_typed) in [("Walk", true), ("a\nb", false), ("5\"", !cfg!(windows))] {
            assert_eq!(can_be_typed(word), is_typed, "{word:?}");
        }
        assert_eq!(quoted("a \u{1b}[201~\nb"), "'a [201~b'");
        assert_eq!(quoted("a\nb"), "ab");
    }

    /// In double quotes it puts variables in the place of their names, as cmd does in any; cmd takes no others for quotes.
    #[test]
    fn power_shell_takes_nothing_of_a_word_for_its_own() {
        for plain in [
            r"C:\a\b-1.glb",
            "--view",
            "-1",
            "1280x720",
            "Läufer",
            "--clip=-a",
        ] {
            assert_eq!(for_power_shell(plain), plain);
        }
        for (word, expected) in [
            ("", "\"\""),
            (r"C:\a b\c.glb", r#""C:\a b\c.glb""#),
            ("it's", r#""it's""#),
            ("it\u{2019}s", "\"it\u{2019}s\""),
            ("@a", r#""@a""#),
            ("1,2,3", r#""1,2,3""#),
            ("-1.5", r#""-1.5""#),
            ("a;b", r#""a;b""#),
            (r"C:\a b\", r"'C:\a b\'"),
            ("%PATH%", "'%PATH%'"),
            ("$env:PATH`n", "'$env:PATH`n'"),
            ("\u{201e}it's\u{201c}", "'\u{201e}it''s\u{201c}'"),
            ("50% it\u{2019}s", "'50% it\u{2019}\u{2019}s'"),
        ] {
            assert_eq!(for_power_shell(word), expected, "{word:?}");
        }
    }

    #[test]
    fn more_that_is_allowed_is_said_with_what_is_left_out() {
        let mut command = RenderCommand {
            words: Vec::new(),
            left_out: Vec::new(),
            allows_more: false,
        };
        let shell = if cfg!(windows) {
            " It is for PowerShell."
        } else {
            ""
        };
        // What needs double quotes alone is for cmd as well.
        command.words = ["Pip", "Pip Walk.png"].map(str::to_owned).to_vec();
        assert_eq!(command.detail(), "It draws this picture.");
        command.words.push("50%".to_owned());
        assert_eq!(command.detail(), format!("It draws this picture.{shell}"));
        command.allows_more = true;
        let allows = format!("It allows all files outside of the folder.{shell}");
        let expected = format!("It draws this picture. {allows}");
        assert_eq!(command.detail(), expected);
        for what in ["hidden nodes", "the T pose", "hidden nodes"] {
            command.leave_out(what, true);
        }
        let expected = format!("The command leaves out: hidden nodes, the T pose. {allows}");
        assert_eq!(command.detail(), expected);
    }

    #[test]
    fn paths_have_no_separator_at_their_end() {
        let mut command = RenderCommand {
            words: Vec::new(),
            left_out: Vec::new(),
            allows_more: false,
        };
        let expected = std::path::absolute("/models/a b").unwrap();
        let written = command.written(Path::new("/models//a b/"));
        assert_eq!(Path::new(&written).as_os_str(), expected.as_os_str());
        assert_eq!(command.written(Path::new("builtin:Pip")), "builtin:Pip");
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
