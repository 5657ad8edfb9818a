//! URIs: what they name, as text; nothing is opened here (glTF 2.0 §3.6.1.2).

use base64::{
    Engine as _, alphabet,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};

use crate::import::base::diagnostics::Fault;

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

/// The file names that a URI may mean, the likeliest first: percent-decoded once, as it stands, with the backslashes that
/// some exporters leave in, and without a query or fragment (RFC 3986 §3.4, §3.5), which web pages append and many exporters
/// do not encode in names.
pub(super) fn spellings(uri: &str) -> Vec<String> {
    let mut spellings = Vec::new();
    if let Some(decoded) = percent_decode(uri) {
        spellings.push(decoded);
    }
    spellings.push(uri.to_owned());
    if uri.contains('\\') {
        spellings.push(uri.replace('\\', "/"));
    }
    if let Some((path, _)) = uri.split_once(['?', '#']) {
        spellings.extend(percent_decode(path));
    }
    spellings.retain(|name| !name.is_empty() && !name.contains('\0'));
    spellings.dedup();
    spellings
}

/// Whether the bytes that a URI encodes are UTF-8, as names of files in models are.
pub(super) fn is_of_text(uri: &str) -> bool {
    percent_decode(uri).is_some()
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

/// A `data:` URI taken apart (RFC 2397 §3).
#[derive(Debug, Clone, Copy)]
pub(in crate::import) struct DataUri<'u> {
    /// What stands before the comma, without the scheme.
    head: &'u str,
    body: &'u str,
}

impl<'u> DataUri<'u> {
    /// The parts of a URI, or what is wrong with it; none if it is of another kind.
    pub(in crate::import) fn of(uri: &'u str) -> Option<Result<Self, &'static str>> {
        let scheme = data_uri_head(uri)?;
        let parts = uri.get(scheme.len()..)?.split_once(',');
        let parts = parts.map(|(head, body)| Self { head, body });
        Some(parts.ok_or("the data: URI has no comma"))
    }

    /// In small letters, since it is the same in capital ones (RFC 2045 §5.1).
    pub(in crate::import) fn media_type(&self) -> String {
        match self.head.split(';').next() {
            None | Some("") => "text/plain".to_owned(),
            Some(media) => media.to_ascii_lowercase(),
        }
    }

    /// Whether its body is base64. Spaces around the word are taken as browsers take them (WHATWG Fetch, "data: URL
    /// processor"); where it stands in place of the media type, nobody means plain text.
    fn is_base64(&self) -> bool {
        let last = self.head.rsplit(';').next().unwrap_or_default();
        last.trim_ascii().eq_ignore_ascii_case("base64")
    }

    /// Whether the word that says how it is encoded stands in place of the media type.
    pub(in crate::import) fn lacks_media_type(&self) -> bool {
        self.is_base64() && !self.head.contains(';')
    }

    /// What its rules do not allow and nobody needs to fail of.
    pub(in crate::import) fn complaint(&self) -> Option<&'static str> {
        if self.lacks_media_type() {
            return Some("there is no semicolon before base64 in the data: URI");
        }
        let mut parameters = self.head.split(';').skip(1).peekable();
        while let Some(parameter) = parameters.next() {
            let is_encoding = parameter == "base64" && parameters.peek().is_none();
            if !is_encoding && !parameter.contains('=') {
                return Some("the head of the data: URI is malformed");
            }
        }
        if !self.is_base64() {
            return None;
        }
        let plain;
        let base64 = if self.body.contains('%') {
            plain = percent_decode(self.body)?;
            &plain
        } else {
            self.body
        };
        // So that compilers look at many bytes at once.
        let has_space = |bytes: &[u8]| {
            let marks = bytes.iter().map(u8::is_ascii_whitespace);
            marks.fold(false, |any, is_space| any | is_space)
        };
        if base64.as_bytes().chunks(4096).any(has_space) {
            Some("there is white space in the base64 text")
        } else if !ends_well(base64) {
            Some("the base64 text does not end as it must")
        } else {
            None
        }
    }

    /// Whether its base64 text lacks the padding that makes its length a multiple of four (RFC 4648 §3.2).
    pub(in crate::import) fn lacks_padding(&self) -> bool {
        let is_whole = self.body.len().is_multiple_of(4) || self.body.contains('%');
        self.is_base64() && !is_whole && !self.body.ends_with('=')
    }

    /// What it holds.
    pub(in crate::import) fn bytes(&self) -> Result<Vec<u8>, Fault> {
        if !self.is_base64() {
            return Ok(percent_decoded_bytes(self.body));
        }
        let engine = base64_engine(true);
        // Some tools break lines, percent-encode "+", "/" and "=", or take the letters that need no encoding (RFC 4648 §5).
        let decoded = engine
            .decode(self.body)
            .or_else(|error| engine.decode(letters_of(self.body)).map_err(|_| error));
        decoded.map_err(|error| {
            let message = format!("the data: URI is not base64: {error}");
            Fault::new("INVALID_URI", message)
        })
    }

    /// Its first bytes, not fewer than `count` if it has so many.
    pub(in crate::import) fn first_bytes(&self, count: usize) -> Result<Vec<u8>, Fault> {
        // Three bytes are four letters, no letter takes more than three characters, and some characters may be spaces.
        let Some(head) = self.body.get(..count.saturating_mul(16)) else {
            return self.bytes();
        };
        let body = match head.rsplit_once('%') {
            Some((before, code)) if code.len() < 2 => before,
            _ => head,
        };
        if !self.is_base64() {
            return Self { body, ..*self }.bytes();
        }
        let letters = letters_of(body);
        // A group of four letters is whole.
        let whole = letters.len().saturating_sub(letters.len() % 4);
        let body = letters.get(..whole).unwrap_or_default();
        DataUri { body, ..*self }.bytes()
    }
}

/// The letters of base64 in a text, as most write them.
fn letters_of(base64: &str) -> String {
    let plain = percent_decode(base64).unwrap_or_default();
    let letters = plain.chars().filter(|c| !c.is_ascii_whitespace());
    letters.map(usual_letter).collect()
}

/// The bytes of a `data:` URI (RFC 2397); none if `uri` is of another kind.
pub(in crate::import) fn data_uri(uri: &str) -> Option<Result<Vec<u8>, Fault>> {
    let parts = DataUri::of(uri)?;
    let parts = parts.map_err(|message| Fault::new("INVALID_URI", message));
    Some(parts.and_then(|parts| parts.bytes()))
}

/// The scheme of a `data:` URI; none if `uri` is of another kind.
pub(in crate::import) fn data_uri_head(uri: &str) -> Option<&str> {
    uri.get(..5)
        .filter(|scheme| scheme.eq_ignore_ascii_case("data:"))
}

/// Reads base64 with padding or without; `is_lenient` also with bits behind the last byte that mean nothing.
fn base64_engine(is_lenient: bool) -> GeneralPurpose {
    let config = GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(is_lenient);
    GeneralPurpose::new(&alphabet::STANDARD, config)
}

/// The letter of the usual base64 alphabet for one of that for names and URIs (RFC 4648 §5).
fn usual_letter(letter: char) -> char {
    match letter {
        '-' => '+',
        '_' => '/',
        other => other,
    }
}

/// Whether the padding of a base64 text, if there is any, makes its last group whole, and there are no bits behind its last
/// byte that mean nothing (RFC 4648 §3.5).
fn ends_well(base64: &str) -> bool {
    let rest = match base64.len().rem_euclid(4) {
        0 => base64.len().min(4),
        _ if base64.ends_with('=') => return false,
        rest => rest,
    };
    let start = base64.len().saturating_sub(rest);
    let last = base64.get(start..).unwrap_or_default();
    let last: String = last.chars().map(usual_letter).collect();
    base64_engine(false).decode(last).is_ok()
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
        assert!(data_uri("a.bin").is_none());
        assert!(data_uri("data:;base64,!").unwrap().is_err());
    }

    #[test]
    fn reads_all_spellings_of_data_uris() {
        for (uri, is_sound) in [
            ("data:,%fb%ff", true),
            ("DATA:Image/PNG;base64,+/8=", true),
            ("data:a/b;charset=utf-8;base64,+/8=", true),
            ("data:a/b;base64,%2B%2f8%3D", true),
            ("data:a/b;base64,-_8=", true),
            ("data:a/b;base64,+/8", true),
            ("data:a/b;BASE64,+/8=", false),
            ("data:a/b;base64,+/ 8=", false),
            ("data:a/b;base64,+/9=", false),
            ("data:a/b;;base64,+/8=", false),
            ("data:a/b; base64,+/8=", false),
            ("data:a/b;base64 ,+/8=", false),
            ("data:base64,+/8=", false),
        ] {
            let parts = DataUri::of(uri).unwrap().unwrap();
            assert_eq!(parts.bytes().unwrap(), [0xfb, 0xff], "{uri}");
            assert_eq!(parts.complaint().is_none(), is_sound, "{uri}");
        }
        let parts = |uri| DataUri::of(uri).unwrap().unwrap();
        assert_eq!(parts("data:;base64,").media_type(), "text/plain");
        assert_eq!(parts("data:Image/PNG,").media_type(), "image/png");
        assert!(parts("data:a/b;base64;a=b,AAAA").complaint().is_some());
        assert!(parts("data:a/b;base64,A").complaint().is_some());
        assert!(parts("data:base64,AAAA").lacks_media_type());
        assert!(!parts("data:;base64,AAAA").lacks_media_type());
        assert!(parts("data:a/b;base64,AAA").lacks_padding());
        for body in [
            "AAECAwQFBgcICQ".to_owned(),
            "AAEC\nAwQF\nBg\nc\nICQ".to_owned(),
            "%41%41%45%43%41%77%51%46BgcICQ".to_owned(),
            "AAECAwQFBgc%49".to_owned(),
        ] {
            for count in 1..5 {
                let uri = format!("data:a/b;base64,{body}");
                let whole = DataUri::of(&uri).unwrap().unwrap();
                let first = whole.first_bytes(count).unwrap();
                assert!(first.len() >= count, "{body}: {first:?} of {count}");
                assert!((0..).zip(first).all(|(place, byte): (u8, _)| place == byte));
            }
        }
        assert!(DataUri::of("data:a").unwrap().is_err());
    }
}
