//! Paths in text from the clipboard.

use std::path::{Path, PathBuf};

use super::home::without_tilde;

/// A path in pasted text: as it is, quoted, or as a file URI, of which several may stand below one another. None where the
/// text is something else.
pub(in crate::app) fn path_in_text(text: &str) -> Option<PathBuf> {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let line = lines.next()?.trim_matches(['"', '\'']);
    let Some(encoded) = line.strip_prefix("file://") else {
        let path = Path::new(line);
        let is_path = lines.next().is_none() && (looks_like_path(line) || path.exists());
        return is_path.then(|| without_tilde(path));
    };
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
        let check = |text, path: Option<&str>| {
            assert_eq!(path_in_text(text), path.map(PathBuf::from), "{text:?}");
        };
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
        check("file:///a.glb\r\nfile:///b.glb\r\n", Some("/a.glb"));
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
