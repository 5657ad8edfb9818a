//! URIs: what they name, as text; nothing is opened here (glTF 2.0 §3.6.1.2).

use base64::{Engine as _, engine::general_purpose};

use crate::import::diagnostics::Fault;

/// Whether a URI starts with a scheme such as `http:` (RFC 3986 §3.1).
pub(super) fn has_scheme(uri: &str) -> bool {
    let Some((scheme, _)) = uri.split_once(':') else {
        return false;
    };
    scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
}

/// Whether `name` is a path to another machine: `//server/share` (RFC 3986 §4.2) or `\\\\server\\share`, in any mixture: to
/// Windows they are the same.
pub(super) fn is_remote(name: &str) -> bool {
    let mut letters = name.chars();
    let mut is_slash = || matches!(letters.next(), Some('/' | '\\'));
    is_slash() && is_slash()
}

/// The path that a `file:` URI names on this machine (RFC 8089 §2); none if `uri` is of another kind.
pub(super) fn file_uri(uri: &str) -> Option<String> {
    let scheme = uri.get(..5)?;
    let rest = uri.get(5..)?;
    if !scheme.eq_ignore_ascii_case("file:") {
        return None;
    }
    let path = match rest.strip_prefix("//") {
        Some(rest) => rest.strip_prefix("localhost").unwrap_or(rest),
        None => rest,
    };
    percent_decode(path).filter(|path| path.starts_with('/') && !is_remote(path))
}

/// The file names that a URI may mean, the likeliest first: percent-decoded once, as it stands, and with the
/// backslashes that some exporters leave in.
pub(super) fn spellings(uri: &str) -> Vec<String> {
    let mut spellings = Vec::new();
    if let Some(decoded) = percent_decode(uri) {
        spellings.push(decoded);
    }
    spellings.push(uri.to_owned());
    if uri.contains('\\') {
        spellings.push(uri.replace('\\', "/"));
    }
    spellings.retain(|name| !name.is_empty() && !name.contains('\0'));
    spellings.dedup();
    spellings
}

/// Undoes percent-encoding; none if what comes out is not UTF-8.
fn percent_decode(uri: &str) -> Option<String> {
    String::from_utf8(percent_decoded_bytes(uri)).ok()
}

fn percent_decoded_bytes(uri: &str) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        let hex = |byte: u8| char::from(byte).to_digit(16);
        let code = match (first, tail) {
            (b'%', [high, low, after @ ..]) => hex(*high)
                .zip(hex(*low))
                .and_then(|(high, low)| u8::try_from(high << 4 | low).ok())
                .map(|code| (code, after)),
            _ => None,
        };
        let (byte, after) = code.unwrap_or((first, tail));
        decoded.push(byte);
        rest = after;
    }
    decoded
}

/// The bytes of a `data:` URI (RFC 2397); none if `uri` is of another kind.
pub(in crate::import) fn data_uri(uri: &str) -> Option<Result<Vec<u8>, Fault>> {
    data_uri_head(uri)?;
    let invalid = |what: &str| Fault::new("INVALID_URI", format!("its data: URI {what}"));
    let Some((head, body)) = uri.split_once(',') else {
        return Some(Err(invalid("has no comma")));
    };
    if !head.ends_with(";base64") {
        return Some(Ok(percent_decoded_bytes(body)));
    }
    // Padding is often forgotten, and some tools break lines, percent-encode "+", "/" and "=", or write "-" and "_" for
    // the first two (RFC 4648 §5).
    let engine = general_purpose::GeneralPurpose::new(
        &base64::alphabet::STANDARD,
        general_purpose::GeneralPurposeConfig::new()
            .with_decode_padding_mode(base64::engine::DecodePaddingMode::Indifferent)
            .with_decode_allow_trailing_bits(true),
    );
    let decoded = engine.decode(body).or_else(|error| {
        let plain = percent_decode(body).unwrap_or_default();
        let plain: String = plain.split_ascii_whitespace().collect();
        let plain = plain.replace('-', "+").replace('_', "/");
        engine.decode(plain).map_err(|_| error)
    });
    Some(decoded.map_err(|error| invalid(&format!("is not base64: {error}"))))
}

/// The scheme of a `data:` URI; none if `uri` is of another kind.
pub(in crate::import) fn data_uri_head(uri: &str) -> Option<&str> {
    uri.get(..5)
        .filter(|scheme| scheme.eq_ignore_ascii_case("data:"))
}

/// A text from a file, cut to a length fit for a message.
pub(in crate::import) fn shorten(text: &str) -> String {
    const LONGEST: usize = 80;
    if text.chars().count() <= LONGEST {
        text.to_owned()
    } else {
        text.chars().take(LONGEST).chain(['…']).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_percent_once() {
        assert_eq!(percent_decode("a%20b%2520c").unwrap(), "a b%20c");
        assert_eq!(percent_decode("100%").unwrap(), "100%");
        assert_eq!(percent_decode("%FF"), None);
    }

    #[test]
    fn knows_schemes() {
        assert!(has_scheme("file:///etc/passwd"));
        assert!(has_scheme("HTTP://example.org/a.bin"));
        assert!(!has_scheme("a/b:c"));
        assert!(!has_scheme("plain.bin"));
    }

    #[test]
    fn reads_data_uris_with_and_without_padding() {
        let read = |uri| data_uri(uri).unwrap().unwrap();
        assert_eq!(read("data:;base64,AAE="), [0, 1]);
        assert_eq!(read("data:application/octet-stream;base64,AAE"), [0, 1]);
        assert_eq!(read("data:,a%00"), [b'a', 0]);
        assert_eq!(read("data:;base64,-_-_"), read("data:;base64,+/+/"));
        assert!(data_uri("a.bin").is_none());
        assert!(data_uri("data:;base64,!").unwrap().is_err());
    }
}
