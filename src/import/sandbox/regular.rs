//! Reading a file that must be a regular one: no FIFO is waited for, no device is read.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read as _},
    path::Path,
};

/// The most bytes that are read of one file.
pub(in crate::import) const LARGEST_FILE: u64 = 4 << 30;

/// Reads a regular file of at most `most` bytes.
pub(in crate::import) fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    // Asked before opening: to open a device may do something already.
    check(&fs::metadata(path)?, most)?;
    let file = open(path)?;
    // And asked again of what was opened, should another have taken its place meanwhile.
    let metadata = file.metadata()?;
    check(&metadata, most)?;
    let mut bytes = Vec::new();
    // The length is a hint only: the file may be growing.
    let length = usize::try_from(metadata.len()).unwrap_or(usize::MAX);
    bytes.try_reserve_exact(length)?;
    file.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn check(metadata: &fs::Metadata, most: u64) -> io::Result<()> {
    if !metadata.is_file() {
        let kind = if metadata.is_dir() {
            io::ErrorKind::IsADirectory
        } else {
            io::ErrorKind::InvalidInput
        };
        return Err(io::Error::new(kind, "it is not a regular file"));
    }
    if metadata.len() > most {
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            "it is too large",
        ));
    }
    Ok(())
}

/// Opens a file for reading without ever waiting: to open a FIFO would else wait for a writer.
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        // Regular files do not heed O_NONBLOCK; a terminal must not become that of the program.
        options.custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY);
    }
    options.open(path)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn opening_waits_for_nothing_even_where_a_fifo_took_the_place_of_a_file() {
        let fifo = std::env::temp_dir().join(format!("rigscope-late-fifo-{}", std::process::id()));
        let made = std::process::Command::new("mkfifo").arg(&fifo).status();
        if !made.is_ok_and(|status| status.success()) {
            println!("skipped: no mkfifo");
            return;
        }
        let file = open(&fifo).unwrap();
        let refused = check(&file.metadata().unwrap(), LARGEST_FILE);
        fs::remove_file(&fifo).unwrap();
        assert!(refused.unwrap_err().to_string().contains("regular"));
    }
}
