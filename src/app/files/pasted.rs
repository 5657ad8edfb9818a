//! Paths in text from the clipboard.

use std::path::PathBuf;

/// A path in pasted text: as it is, quoted, or as a file URI.
pub(in crate::app) fn path_in_text(text: &str) -> Option<PathBuf> {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    let line = line.trim_matches(['"', '\'']);
    let Some(encoded) = line.strip_prefix("file://") else {
        return Some(PathBuf::from(line));
    };
    // An empty host and this one mean the same (RFC 8089 §2).
    let encoded = encoded.strip_prefix("localhost").unwrap_or(encoded);
    let mut bytes = Vec::with_capacity(encoded.len());
    let mut rest = encoded.bytes();
    while let Some(byte) = rest.next() {
        let is_escape = byte == b'%';
        let decoded = is_escape.then(|| {
            let digits = [rest.next()?, rest.next()?];
            u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()
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
        check(" \n ", None);
    }
}
