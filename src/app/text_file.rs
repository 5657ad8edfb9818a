//! Texts that are read whole, but not without end.

use std::{fs, io::Read as _, path::Path};

use anyhow::{Context as _, ensure};

/// U+FEFF in UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// All of a text file, which may be a pipe, or of standard input (`-`), unless it has more than `most` bytes: devices never
/// end. Less the mark that editors on Windows put before a text in UTF-8.
pub fn read_text_at_most(file: &Path, most: u64) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut read = || {
        let most = most.saturating_add(1);
        if file == Path::new("-") {
            std::io::stdin().take(most).read_to_end(&mut bytes)
        } else {
            fs::File::open(file)?.take(most).read_to_end(&mut bytes)
        }
    };
    let cannot = || format!("{} cannot be read", file.display());
    let length = read().with_context(cannot)?;
    ensure!(
        u64::try_from(length)? <= most,
        "{} is too large: more than {} MiB",
        file.display(),
        most >> 20
    );
    if bytes.starts_with(BYTE_ORDER_MARK) {
        bytes.drain(..BYTE_ORDER_MARK.len());
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_never_ends_is_too_large() {
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        let text = fs::read(&manifest).unwrap();
        let length = text.len() as u64;
        assert_eq!(read_text_at_most(&manifest, length).unwrap(), text);
        for (file, most) in [
            (manifest.as_path(), length - 1),
            #[cfg(unix)]
            (Path::new("/dev/zero"), 1 << 20),
        ] {
            let error = read_text_at_most(file, most).unwrap_err().to_string();
            assert!(error.contains("too large"), "{error}");
        }
    }
}
