//! Reads Rust source just far enough to find every path in it: tokens, imports, inline modules.

use std::collections::HashSet;

/// A path as written, but with `self` and `super` resolved so that it begins with `crate` or a package.
pub(crate) struct PathUse {
    pub(crate) segments: Vec<String>,
    pub(crate) line: usize,
    pub(crate) is_import: bool,
    /// Inside `mod tests`.
    pub(crate) is_test: bool,
}

#[derive(Default)]
pub(crate) struct Paths {
    pub(crate) all: Vec<PathUse>,
    /// Names that imports and `mod` bind in this file, which may hide a package of the same name.
    pub(crate) local_names: HashSet<String>,
}

/// Finds every path of two or more segments, in imports and elsewhere.
pub(crate) fn paths(tokens: &[Token], file_module: &[String]) -> Paths {
    let mut paths = Paths::default();
    let mut module = file_module.to_vec();
    // The depth of braces at which each inline module ends.
    let mut open_modules = Vec::new();
    let mut depth = 0_usize;
    let text = |index: usize| tokens.get(index).map_or("", |token| token.text.as_str());
    let mut at = 0;
    while at < tokens.len() {
        match text(at) {
            "{" => depth += 1,
            "}" => {
                depth = depth.saturating_sub(1);
                if open_modules.last() == Some(&depth) {
                    open_modules.pop();
                    module.pop();
                }
            }
            "mod" if is_name(text(at + 1)) => {
                if text(at + 2) == "{" {
                    module.push(text(at + 1).to_owned());
                    open_modules.push(depth);
                }
                paths.local_names.insert(text(at + 1).to_owned());
            }
            // `use<'a>` in a return type imports nothing.
            "use" if text(at + 1) != "<" => {
                let mut imports = Vec::new();
                at = use_tree(tokens, at + 1, &[], &mut imports);
                for (segments, bound_name) in imports {
                    if segments.first().is_some_and(|first| *first != bound_name) {
                        paths.local_names.insert(bound_name);
                    }
                    let line = tokens[at.min(tokens.len() - 1)].line;
                    paths.all.push(PathUse {
                        segments: resolve(&segments, &module),
                        line,
                        is_import: true,
                        is_test: module.iter().any(|name| name == "tests"),
                    });
                }
                continue;
            }
            // The first segment of a path: not after a dot (a method with a turbofish) or inside a longer path.
            name if is_name(name) && text(at + 1) == "::" && !is_continuation(tokens, at) => {
                let mut segments = vec![name.to_owned()];
                let mut next = at;
                while text(next + 1) == "::" && is_name(text(next + 2)) {
                    next += 2;
                    segments.push(text(next).to_owned());
                }
                let line = tokens[at].line;
                paths.all.push(PathUse {
                    segments: resolve(&segments, &module),
                    line,
                    is_import: false,
                    is_test: module.iter().any(|name| name == "tests"),
                });
                at = next;
            }
            _ => {}
        }
        at += 1;
    }
    paths
}

fn is_continuation(tokens: &[Token], at: usize) -> bool {
    let before = |back: usize| {
        at.checked_sub(back)
            .map_or("", |index| tokens[index].text.as_str())
    };
    // `::wgpu::Device` begins at the package all the same; `Vec::<u8>::new` and `<T as A>::B::C` continue.
    before(1) == "." || (before(1) == "::" && (is_name(before(2)) || before(2) == ">"))
}

/// Reads one import tree from `at` on, puts its paths with the name that each binds into `out`, and returns where it ends.
fn use_tree(
    tokens: &[Token],
    mut at: usize,
    prefix: &[String],
    out: &mut Vec<(Vec<String>, String)>,
) -> usize {
    let text = |index: usize| tokens.get(index).map_or(";", |token| token.text.as_str());
    let mut segments = prefix.to_vec();
    loop {
        match text(at) {
            "::" => at += 1,
            "{" => {
                at += 1;
                while text(at) != "}" && text(at) != ";" {
                    at = use_tree(tokens, at, &segments, out);
                    if text(at) == "," {
                        at += 1;
                    }
                }
                return at + 1;
            }
            "as" => {
                out.push((segments, text(at + 1).to_owned()));
                return at + 2;
            }
            "," | "}" | ";" => {
                // `a::{self}` binds `a`.
                if segments.len() > 1 && segments.last().is_some_and(|last| last == "self") {
                    segments.pop();
                }
                let bound_name = segments.last().cloned().unwrap_or_default();
                out.push((segments, bound_name));
                return at;
            }
            segment => {
                segments.push(segment.to_owned());
                at += 1;
            }
        }
    }
}

/// Replaces leading `self` and `super` by the path from the crate's root.
fn resolve(segments: &[String], module: &[String]) -> Vec<String> {
    let mut base = module.to_vec();
    let relative = segments
        .iter()
        .take_while(|segment| *segment == "self" || *segment == "super");
    let relative: Vec<_> = relative.collect();
    if relative.is_empty() {
        return segments.to_vec();
    }
    for _ in relative.iter().filter(|segment| **segment == "super") {
        base.pop();
    }
    let rest = segments[relative.len()..].iter().cloned();
    std::iter::once("crate".to_owned())
        .chain(base)
        .chain(rest)
        .collect()
}

/// The module that a file below `src` holds: `anim/sample.rs` is `anim::sample`, `anim/mod.rs` is `anim`.
pub(crate) fn module_path(name: &str) -> Vec<String> {
    let stem = name.strip_suffix(".rs").unwrap_or(name);
    let stem = stem.strip_suffix("/mod").unwrap_or(stem);
    stem.split('/').map(str::to_owned).collect()
}

/// A name, number or literal's mark, `::`, or one character of punctuation.
pub(crate) struct Token {
    pub(crate) text: String,
    pub(crate) line: usize,
}

fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

/// Splits Rust source into tokens. Comments and the contents of strings and characters are left out.
pub(crate) fn tokens(source: &str) -> Vec<Token> {
    let chars: Vec<char> = source.chars().collect();
    let char_at = |index: usize| chars.get(index).copied().unwrap_or('\0');
    let mut tokens = Vec::new();
    let mut line = 1;
    let mut at = 0;
    while at < chars.len() {
        let start = at;
        let mut text = None;
        match char_at(at) {
            '/' if char_at(at + 1) == '/' => at = end_of(&chars, at, "\n") - 1,
            '/' if char_at(at + 1) == '*' => at = end_of_block_comment(&chars, at),
            '"' => at = end_of_string(&chars, at + 1),
            '\'' if char_at(at + 1) == '\\' => at = end_of(&chars, at + 3, "'"),
            '\'' if char_at(at + 2) == '\'' => at += 3,
            // A lifetime, which is no path.
            '\'' => at += 1 + name_length(&chars, at + 1),
            'r' | 'b' | 'c' if raw_string_end(&chars, at).is_some() => {
                at = raw_string_end(&chars, at).unwrap_or(at + 1);
            }
            ':' if char_at(at + 1) == ':' => {
                at += 2;
                text = Some("::".to_owned());
            }
            first if first.is_alphanumeric() || first == '_' => {
                at += name_length(&chars, at);
                text = Some(chars[start..at].iter().collect());
            }
            other => {
                at += 1;
                text = (!other.is_whitespace()).then(|| other.to_string());
            }
        }
        tokens.extend(text.map(|text| Token { text, line }));
        line += chars[start..at.min(chars.len())]
            .iter()
            .filter(|c| **c == '\n')
            .count();
    }
    tokens
}

fn name_length(chars: &[char], from: usize) -> usize {
    chars[from.min(chars.len())..]
        .iter()
        .take_while(|c| c.is_alphanumeric() || **c == '_')
        .count()
}

/// The index behind the next `end`, or behind the last character.
fn end_of(chars: &[char], from: usize, end: &str) -> usize {
    let end: Vec<char> = end.chars().collect();
    let from = from.min(chars.len());
    chars[from..]
        .windows(end.len())
        .position(|window| window == end)
        .map_or(chars.len() + 1, |at| from + at + end.len())
}

fn end_of_string(chars: &[char], mut at: usize) -> usize {
    while at < chars.len() && chars[at] != '"' {
        at += if chars[at] == '\\' { 2 } else { 1 };
    }
    at + 1
}

fn end_of_block_comment(chars: &[char], from: usize) -> usize {
    let mut depth = 0;
    let mut at = from;
    while at < chars.len() {
        match (chars[at], chars.get(at + 1)) {
            ('/', Some('*')) => (depth, at) = (depth + 1, at + 2),
            ('*', Some('/')) => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    at
}

/// Where the raw string that begins here ends; `None` when none begins here.
fn raw_string_end(chars: &[char], from: usize) -> Option<usize> {
    let prefix: String = chars[from..]
        .iter()
        .take_while(|c| c.is_alphabetic())
        .collect();
    let hashes = chars[from + prefix.len()..]
        .iter()
        .take_while(|c| **c == '#')
        .count();
    let opening = from + prefix.len() + hashes;
    let is_raw = ["r", "br", "cr"].contains(&prefix.as_str()) && chars.get(opening) == Some(&'"');
    is_raw.then(|| end_of(chars, opening + 1, &format!("\"{}", "#".repeat(hashes))))
}
