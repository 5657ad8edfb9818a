//! Paths in text from the clipboard.

use std::path::{Path, PathBuf};

use super::home::without_tilde;

/// What file URIs begin with.
const SCHEME: &str = "file://";

/// The paths in pasted text: one as it is, or quoted, or file URIs below one another, as file managers copy all that is
/// marked. None where the text is something else.
pub(in crate::app) fn paths_in_text(text: &str) -> Option<Vec<PathBuf>> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let lines = lines.map(|line| line.trim_matches(['"', '\'']));
    // Such lines in a list of URIs say nothing (RFC 2483 §5).
    let uris = lines.clone().filter(|line| !line.starts_with('#'));
    if uris.clone().next().is_some_and(|it| it.starts_with(SCHEME)) {
        return uris.map(path_in_uri).collect();
    }
    let mut lines = lines;
    let (line, None) = (lines.next()?, lines.next()) else {
        return None;
    };
    let path = Path::new(line);
    let is_path = looks_like_path(line) || path.exists();
    is_path.then(|| vec![without_tilde(path)])
}

/// The path that a file URI names; none if it is something else.
fn path_in_uri(uri: &str) -> Option<PathBuf> {
    let encoded = uri.strip_prefix(SCHEME)?;
    // An empty host and this one mean the same (RFC 8089 §2); what lies on others has no path here.
    let encoded = encoded.strip_prefix("localhost").unwrap_or(encoded);
    if !encoded.starts_with('/') {
        return None;
    }
    let mut bytes = Vec::with_capacity(encoded.len());
    let mut rest = encoded.bytes();
    while let Some(byte) = rest.next() {
        let is_escape = byte == b'%';
        let decoded = is_escape.then(|| {
            let mut digit = || char::from(rest.next()?).to_digit(16);
            u8::try_from(digit()? << 4 | digit()?).ok()
        });
        match decoded {
            None => bytes.push(byte),
            Some(decoded) => bytes.push(decoded?),
        }
    }
    let path = String::from_utf8(bytes).ok()?;
    // "/C:/…" is how a path of Windows stands in a URI (RFC 8089 §E.2).
    let path = match path.as_bytes() {
        [b'/', drive, b':', b'/', ..] if drive.is_ascii_alphabetic() => &path[1..],
        _ => &path[..],
    };
    Some(PathBuf::from(path))
}

/// Whether a line can hardly be anything else, be the file there or not: it says where a file is, or its name has an ending.
fn looks_like_path(line: &str) -> bool {
    let starts_with_drive =
        matches!(line.as_bytes(), [drive, b':', b'/' | b'\\', ..] if drive.is_ascii_alphabetic());
    let starts = ["/", "\\\\", "./", "../", ".\\", "..\\", "~/"];
    let is_in_folder = starts_with_drive || starts.iter().any(|start| line.starts_with(start));
    let is_ending = |ending: &str| {
        let is_word = ending.bytes().all(|it| it.is_ascii_alphanumeric());
        let starts = ending
            .bytes()
            .next()
            .is_some_and(|it| it.is_ascii_alphabetic());
        (1..=5).contains(&ending.len()) && is_word && starts
    };
    let mut parts = line.rsplitn(2, '.');
    let has_ending = parts.next().is_some_and(is_ending) && parts.next().is_some();
    is_in_folder || (has_ending && !line.contains("://"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_found_in_pasted_text() {
        let check_all = |text, paths: Option<&[&str]>| {
            let paths = paths.map(|paths| paths.iter().map(PathBuf::from).collect());
            assert_eq!(paths_in_text(text), paths, "{text:?}");
        };
        let check =
            |text, path: Option<&str>| check_all(text, path.as_ref().map(std::slice::from_ref));
        check("/a/b c.glb\n", Some("/a/b c.glb"));
        check("  \"C:\\models\\fox.glb\" ", Some("C:\\models\\fox.glb"));
        check("file:///a/b%20c%C3%A9.glb", Some("/a/b cé.glb"));
        check("file://localhost/a.glb", Some("/a.glb"));
        check("file:///C:/a%20b.glb", Some("C:/a b.glb"));
        check("file:///a%2", None);
        check("file:///a%+1.glb", None);
        check("file://server/share/a.glb", None);
        check("file://localhost.example/a.glb", None);
        check(" \n ", None);
        check("walk.glb", Some("walk.glb"));
        check("my models/walk.glb", Some("my models/walk.glb"));
        check("#1 walk.glb", Some("#1 walk.glb"));
        // All that were marked are opened together, or none.
        let all = Some(["/a.glb", "/b c.bin"].as_slice());
        check_all("file:///a.glb\r\nfile:///b%20c.bin\r\n", all);
        check_all("# copied\nfile:///a.glb\n\n\"file:///b%20c.bin\"", all);
        check("file:///a.glb\nfile://server/b.glb", None);
        check("file:///a.glb\nand more", None);
        for words in [
            "Hello, world",
            "Two lines\nof a text.",
            "/a.glb\nand more",
            "A sentence ends here.",
            "0.0000 0.0000 0.7071 0.7071",
            "https://example.org/a.glb",
            "{\"asset\": {}}",
        ] {
            check(words, None);
        }
    }
}
