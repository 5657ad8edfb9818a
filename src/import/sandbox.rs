//! Which files an import may open: regular files in the model's own folder and below, and nothing else.

use std::{
    cell::RefCell,
    collections::HashMap,
    fs::{self, File},
    io::Read as _,
    path::{Component, Path, PathBuf},
    rc::Rc,
};

use anyhow::{Context as _, ensure};
use base64::{Engine as _, engine::general_purpose};

use super::diagnostics::Fault;

/// The most bytes that are read of one file.
const LARGEST_FILE: u64 = 4 << 30;
/// The most bytes that are read of all the files that a model names.
const LARGEST_TOTAL: u64 = 8 << 30;

/// Reads the model file itself, which may lie anywhere but must be a regular file.
pub(super) fn read_model(path: &Path) -> anyhow::Result<Vec<u8>> {
    let name = || path.display().to_string();
    // Asked before opening: to open a FIFO would wait for a writer for ever.
    let metadata = fs::metadata(path).with_context(name)?;
    ensure!(metadata.is_file(), "{} is not a regular file", name());
    ensure!(metadata.len() <= LARGEST_FILE, "{} is too large", name());
    read_regular(path, LARGEST_FILE).with_context(name)
}

fn read_regular(path: &Path, most: u64) -> std::io::Result<Vec<u8>> {
    let file = File::open(path)?;
    let length = file.metadata()?.len().min(most);
    let mut bytes = Vec::new();
    // The length is a hint only: the file may be growing.
    bytes.try_reserve_exact(usize::try_from(length).unwrap_or(usize::MAX))?;
    file.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The folder whose files a model may name.
#[derive(Debug)]
pub(super) struct Folder {
    root: PathBuf,
    /// Files already read, so that a thousand references to one cost it once.
    files: RefCell<HashMap<PathBuf, Rc<[u8]>>>,
    left: std::cell::Cell<u64>,
}

impl Folder {
    /// The folder that `model` lies in.
    pub(super) fn of(model: &Path) -> anyhow::Result<Self> {
        let parent = match model.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let root = parent
            .canonicalize()
            .with_context(|| parent.display().to_string())?;
        Ok(Self {
            root,
            files: RefCell::default(),
            left: std::cell::Cell::new(LARGEST_TOTAL),
        })
    }

    /// Reads the file that a relative URI names.
    pub(super) fn read(&self, uri: &str) -> Result<Rc<[u8]>, Fault> {
        let shown = shorten(uri);
        if has_scheme(uri) {
            let message =
                format!("\"{shown}\" is no relative path; nothing is fetched for a model");
            return Err(Fault::new("NON_RELATIVE_URI", message));
        }
        let mut fault = None;
        for name in spellings(uri) {
            match self.read_path(Path::new(&name), &shown) {
                Ok(bytes) => return Ok(bytes),
                // What is said about the first spelling is nearest to the truth.
                Err(error) => fault = fault.or(Some(error)),
            }
        }
        Err(fault.unwrap_or_else(|| Fault::new("INVALID_URI", "the URI is empty")))
    }

    fn read_path(&self, name: &Path, shown: &str) -> Result<Rc<[u8]>, Fault> {
        let outside = || {
            let message = format!("\"{shown}\" lies outside the model's own folder");
            Fault::new("URI_OUTSIDE_FOLDER", message)
        };
        let is_rooted = name
            .components()
            .any(|part| matches!(part, Component::Prefix(_) | Component::RootDir));
        if is_rooted {
            return Err(outside());
        }
        let io_error = |error: std::io::Error| {
            Fault::new("IO_ERROR", format!("\"{shown}\" cannot be read: {error}"))
        };
        // Links are resolved first and the target is judged.
        let path = self.root.join(name).canonicalize();
        let path = path.map_err(|error| {
            // What lies outside is not even said to exist or not.
            let climbs = name.components().any(|part| part == Component::ParentDir);
            if climbs { outside() } else { io_error(error) }
        })?;
        if !path.starts_with(&self.root) {
            return Err(outside());
        }
        if let Some(bytes) = self.files.borrow().get(&path) {
            return Ok(Rc::clone(bytes));
        }
        let metadata = fs::metadata(&path).map_err(io_error)?;
        if !metadata.is_file() {
            let message = format!("\"{shown}\" is not a regular file");
            return Err(Fault::new("IO_ERROR", message));
        }
        let left = self.left.get();
        if metadata.len() > LARGEST_FILE.min(left) {
            let message = format!("\"{shown}\" is too large");
            return Err(Fault::new("MEMORY_BUDGET_EXCEEDED", message));
        }
        let bytes: Rc<[u8]> = read_regular(&path, LARGEST_FILE.min(left))
            .map_err(io_error)?
            .into();
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        self.left.set(left.saturating_sub(length));
        self.files.borrow_mut().insert(path, Rc::clone(&bytes));
        Ok(bytes)
    }
}

/// Whether a URI starts with a scheme such as `http:` (RFC 3986 §3.1).
fn has_scheme(uri: &str) -> bool {
    let Some((scheme, _)) = uri.split_once(':') else {
        return false;
    };
    scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
}

/// The file names that a URI may mean, the likeliest first: percent-decoded once, as it stands, and with the
/// backslashes that some exporters leave in.
fn spellings(uri: &str) -> Vec<String> {
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
pub(super) fn data_uri(uri: &str) -> Option<Result<Vec<u8>, Fault>> {
    data_uri_head(uri)?;
    let invalid = |what: &str| Fault::new("INVALID_URI", format!("its data: URI {what}"));
    let Some((head, body)) = uri.split_once(',') else {
        return Some(Err(invalid("has no comma")));
    };
    if !head.ends_with(";base64") {
        return Some(Ok(percent_decoded_bytes(body)));
    }
    // Padding is often forgotten, and some tools break lines or percent-encode "+", "/" and "=".
    let engine = general_purpose::GeneralPurpose::new(
        &base64::alphabet::STANDARD,
        general_purpose::GeneralPurposeConfig::new()
            .with_decode_padding_mode(base64::engine::DecodePaddingMode::Indifferent)
            .with_decode_allow_trailing_bits(true),
    );
    let decoded = engine.decode(body).or_else(|error| {
        let plain = percent_decode(body).unwrap_or_default();
        let plain: String = plain.split_ascii_whitespace().collect();
        engine.decode(plain).map_err(|_| error)
    });
    Some(decoded.map_err(|error| invalid(&format!("is not base64: {error}"))))
}

/// The scheme of a `data:` URI; none if `uri` is of another kind.
pub(super) fn data_uri_head(uri: &str) -> Option<&str> {
    uri.get(..5)
        .filter(|scheme| scheme.eq_ignore_ascii_case("data:"))
}

/// A text from a file, cut to a length fit for a message.
pub(super) fn shorten(text: &str) -> String {
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
        assert!(data_uri("a.bin").is_none());
        assert!(data_uri("data:;base64,!").unwrap().is_err());
    }
}
