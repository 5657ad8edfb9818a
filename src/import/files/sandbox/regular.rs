//! Reading a file that must be a regular one: no FIFO is waited for, no device is read.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read as _, Seek as _},
    ops::Range,
    path::Path,
    sync::{Mutex, PoisonError},
};

use super::{Content, given::GivenFile, range::FileRange};
use crate::import::base::{
    parallel,
    progress::{Cancelled, Progress},
};

/// The most bytes that are read of one file.
pub(in crate::import) const LARGEST_FILE: u64 = 4 << 30;
/// How much is read at once: a hundredth of a second's work, after which a cancelled load ends.
const PORTION: u64 = 16 << 20;

/// Reads a regular file of at most `most` bytes. With `root`, a folder whose path has no links, it must lie there when it
/// is opened, whatever it was when its path was looked at.
pub(in crate::import) fn read(
    path: &Path,
    root: Option<&Path>,
    most: u64,
    progress: &Progress,
) -> io::Result<Vec<u8>> {
    let (file, length) = open_regular(path, root, most)?;
    read_all(&file, length, most, progress)
}

/// [`read`], but of a file that is not small only parts are read, later.
pub(super) fn open(
    path: &Path,
    root: Option<&Path>,
    most: u64,
    progress: &Progress,
) -> io::Result<Content> {
    let (file, length) = open_regular(path, root, most)?;
    // There is no reading at a place elsewhere.
    if cfg!(unix) && length >= SMALLEST_IN_PARTS {
        let range = FileRange::new(file, 0, length);
        return Ok(Content::File(range.into()));
    }
    let bytes = read_all(&file, length, most, progress)?;
    Ok(Content::Memory(bytes.into()))
}

/// Opens it, and says how long it is. That is a hint only: it may be growing.
fn open_regular(path: &Path, root: Option<&Path>, most: u64) -> io::Result<(File, usize)> {
    let file = open_checked(path, root, most)?;
    let metadata = file.metadata()?;
    check(&metadata, most)?;
    let length = usize::try_from(metadata.len()).unwrap_or(usize::MAX);
    Ok((file, length))
}

fn read_all(file: &File, length: usize, most: u64, progress: &Progress) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(length)?;
    #[cfg(unix)]
    {
        if read_in_parallel(file, length, &mut bytes, progress).is_some() {
            return Ok(bytes);
        }
        bytes.clear();
    }
    read_in_portions(file.take(most), &mut bytes, progress)?;
    Ok(bytes)
}

/// Less than this is read as a whole: to take memory for it costs less than to ask for its parts one by one.
const SMALLEST_IN_PARTS: usize = 1 << 16;

/// What was read of a file that the user named.
#[derive(Debug)]
pub(in crate::import) enum Given {
    /// All of it.
    Whole(Vec<u8>),
    /// The JSON text of a GLB that is not small; the rest is its binary chunk, to be read later.
    Glb(Vec<u8>, FileRange),
}

/// Reads a file that may lie anywhere, if not a folder was given that it is in; of a GLB that is not small, and about which
/// nothing is unusual, its JSON text alone.
pub(in crate::import) fn read_given(file: &GivenFile, progress: &Progress) -> io::Result<Given> {
    let root = file.root.as_deref();
    let (mut file, length) = open_regular(&file.path, root, LARGEST_FILE)?;
    if length >= SMALLEST_IN_PARTS {
        if let Some(glb) = read_text(&file, length, progress) {
            let Glb { text, bin } = glb;
            let length = bin.end.saturating_sub(bin.start);
            let bin = FileRange::new(file, bin.start, usize::try_from(length).unwrap_or(0));
            return Ok(Given::Glb(text, bin));
        }
        file.rewind()?;
    }
    let bytes = read_all(&file, length, LARGEST_FILE, progress)?;
    Ok(Given::Whole(bytes))
}

/// The JSON text of a GLB, and where its binary chunk lies.
struct Glb {
    text: Vec<u8>,
    bin: Range<u64>,
}

/// Reads the JSON text of a GLB whose chunks are just the usual two (glTF 2.0 §4.4).
#[cfg(unix)]
fn read_text(file: &File, length: usize, progress: &Progress) -> Option<Glb> {
    use std::os::unix::fs::FileExt as _;
    const HEADER: usize = 20;
    let length = u64::try_from(length).ok()?;
    let number = |bytes: &[u8], at: usize| {
        let bytes = bytes.get(at..)?.first_chunk()?;
        Some(u32::from_le_bytes(*bytes))
    };
    let mut header = [0; HEADER];
    file.read_exact_at(&mut header, 0).ok()?;
    let (stated, json) = (number(&header, 8)?, number(&header, 12)?);
    let is_usual = header.starts_with(b"glTF\x02\0\0\0")
        && header.ends_with(b"JSON")
        && u64::from(stated) == length
        && json.is_multiple_of(4);
    let end = u64::from(json).checked_add(u64::try_from(HEADER).ok()?)?;
    let start = end.checked_add(8)?;
    if !is_usual || start > length {
        return None;
    }
    let mut text = Vec::new();
    text.try_reserve_exact(usize::try_from(json).ok()?).ok()?;
    let mut reader = file;
    reader
        .seek(io::SeekFrom::Start(u64::try_from(HEADER).ok()?))
        .ok()?;
    read_in_portions(reader.take(u64::from(json)), &mut text, progress).ok()?;
    let mut header = [0; 8];
    file.read_exact_at(&mut header, end).ok()?;
    let bin = number(&header, 0)?;
    let is_usual = u32::try_from(text.len()) == Ok(json)
        && header.ends_with(b"BIN\0")
        && bin.is_multiple_of(4)
        && start.checked_add(u64::from(bin)) == Some(length);
    is_usual.then_some(Glb {
        text,
        bin: start..length,
    })
}

/// Nothing: this system cannot read at a place.
#[cfg(not(unix))]
fn read_text(_: &File, _: usize, _: &Progress) -> Option<Glb> {
    None
}

/// Reads a large file on all cores: to copy it out of the system's memory takes as long as to decode an image of its size.
/// None if it is small, or turns out to be shorter than it was; then it is read from the front. There is room in `bytes`.
#[cfg(unix)]
fn read_in_parallel(
    file: &File,
    length: usize,
    bytes: &mut Vec<u8>,
    progress: &Progress,
) -> Option<()> {
    use std::os::unix::fs::FileExt as _;
    const SMALLEST: usize = 4 << 20;
    const LARGEST: usize = 1 << 30;
    if !(SMALLEST..=LARGEST).contains(&length) {
        return None;
    }
    bytes.resize(length, 0);
    let portions = (0..).zip(bytes.chunks_mut(SMALLEST));
    let portions: Vec<_> = portions
        .map(|(index, portion): (u64, _)| (index, Mutex::new(portion)))
        .collect();
    let step = u64::try_from(SMALLEST).ok()?;
    let read = parallel::map(&portions, progress, |(index, portion)| {
        let mut portion = portion.lock().unwrap_or_else(PoisonError::into_inner);
        let offset = index.saturating_mul(step);
        file.read_exact_at(&mut portion, offset).is_ok()
    });
    drop(portions);
    let is_whole = read.ok()?.into_iter().all(|is_read| is_read);
    is_whole.then_some(())
}

/// Reads to the end, unless the load is cancelled.
pub(super) fn read_in_portions(
    mut source: impl io::Read,
    bytes: &mut Vec<u8>,
    progress: &Progress,
) -> io::Result<()> {
    loop {
        progress
            .check()
            .map_err(|cancelled: Cancelled| io::Error::other(cancelled))?;
        if source.by_ref().take(PORTION).read_to_end(bytes)? == 0 {
            return Ok(());
        }
    }
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

/// Opens a file once it is certain what it is. A path may lead elsewhere at any moment, so the file is taken hold of first,
/// which neither reads it nor does anything to a device; then it is judged, and the very same is opened.
#[cfg(target_os = "linux")]
fn open_checked(path: &Path, root: Option<&Path>, most: u64) -> io::Result<File> {
    use std::os::{fd::AsRawFd as _, unix::fs::OpenOptionsExt as _};
    let held = OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_PATH)
        .open(path)?;
    check(&held.metadata()?, most)?;
    let same = format!("/proc/self/fd/{}", held.as_raw_fd());
    match fs::read_link(&same) {
        Ok(place) => {
            if root.is_some_and(|root| !place.starts_with(root)) {
                return Err(moved());
            }
            open_at_once(Path::new(&same))
        }
        // Where /proc is not to be had, as in some jails.
        Err(_) => open_and_compare(path, root),
    }
}

/// Opens a file after a look at what it is.
#[cfg(not(target_os = "linux"))]
fn open_checked(path: &Path, root: Option<&Path>, most: u64) -> io::Result<File> {
    // Asked before opening: to open a device may do something already.
    check(&fs::metadata(path)?, most)?;
    open_and_compare(path, root)
}

/// Opens a file and looks whether its path still leads to it, and not out of the folder. Limit: who changes the path to
/// and fro at just the right moments is not seen.
fn open_and_compare(path: &Path, root: Option<&Path>) -> io::Result<File> {
    let file = open_at_once(path)?;
    if let Some(root) = root {
        let place = path.canonicalize()?;
        if !place.starts_with(root) || !is_same(&file.metadata()?, &fs::symlink_metadata(&place)?) {
            return Err(moved());
        }
    }
    Ok(file)
}

#[cfg(unix)]
fn is_same(a: &fs::Metadata, b: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

/// There is no number to know a file by.
#[cfg(not(unix))]
fn is_same(a: &fs::Metadata, b: &fs::Metadata) -> bool {
    a.len() == b.len() && a.modified().ok() == b.modified().ok()
}

fn moved() -> io::Error {
    io::Error::other("another file took its place while it was opened")
}

/// Opens a file for reading without ever waiting: to open a FIFO would else wait for a writer.
fn open_at_once(path: &Path) -> io::Result<File> {
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
        let file = open_at_once(&fifo).unwrap();
        let refused = check(&file.metadata().unwrap(), LARGEST_FILE);
        fs::remove_file(&fifo).unwrap();
        assert!(refused.unwrap_err().to_string().contains("regular"));
    }

    /// A folder with a file in it, and a secret beside.
    fn scene(name: &str) -> std::path::PathBuf {
        let scene = std::env::temp_dir().join(format!("rigscope-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&scene);
        fs::create_dir_all(scene.join("model/parts")).unwrap();
        fs::create_dir_all(scene.join("parts")).unwrap();
        fs::write(scene.join("model/parts/a.bin"), "own").unwrap();
        fs::write(scene.join("parts/a.bin"), "secret").unwrap();
        scene.canonicalize().unwrap()
    }

    /// A path is judged first and opened later. What happens between the two is done here by hand.
    #[test]
    fn what_leads_out_after_it_was_judged_is_not_read() {
        let scene = scene("late-link");
        let root = scene.join("model");
        let judged = root.join("parts/a.bin");
        let progress = Progress::default();
        let read = || read(&judged, Some(&root), LARGEST_FILE, &progress);
        assert_eq!(read().unwrap(), b"own");
        fs::rename(root.join("parts"), root.join("old")).unwrap();
        std::os::unix::fs::symlink("../parts", root.join("parts")).unwrap();
        assert_eq!(fs::read(&judged).unwrap(), b"secret");
        let refused = read().unwrap_err().to_string();
        let compared = open_and_compare(&judged, Some(&root)).unwrap_err();
        fs::remove_dir_all(&scene).unwrap();
        assert!(refused.contains("took its place"), "{refused}");
        assert!(compared.to_string().contains("took its place"));
    }

    /// A link as a race: whatever the moment, it is the file's own bytes or none.
    #[test]
    fn a_link_that_comes_and_goes_shows_nothing() {
        let scene = scene("flickering-link");
        let root = scene.join("model");
        fs::rename(root.join("parts"), root.join("own")).unwrap();
        std::os::unix::fs::symlink("own", root.join("parts")).unwrap();
        let is_done = std::sync::atomic::AtomicBool::new(false);
        let relaxed = std::sync::atomic::Ordering::Relaxed;
        let progress = Progress::default();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for target in ["../parts", "own"].into_iter().cycle() {
                    std::os::unix::fs::symlink(target, root.join("next")).unwrap();
                    fs::rename(root.join("next"), root.join("parts")).unwrap();
                    if is_done.load(relaxed) {
                        break;
                    }
                }
            });
            let path = root.join("parts/a.bin");
            let (mut refused, mut others) = (0, Vec::new());
            let start = std::time::Instant::now();
            // On a busy machine it takes a while until the links flicker.
            for round in 0.. {
                let is_enough = round >= 2000 && refused > 0;
                if is_enough || start.elapsed().as_secs() > 60 {
                    break;
                }
                match read(&path, Some(&root), LARGEST_FILE, &progress) {
                    Ok(bytes) if bytes == b"own" => {}
                    Ok(bytes) => others.push(bytes),
                    Err(_) => refused += 1,
                }
            }
            is_done.store(true, relaxed);
            assert_eq!(others, Vec::<Vec<u8>>::new());
            assert!(refused > 0);
        });
        fs::remove_dir_all(&scene).unwrap();
    }

    #[test]
    fn a_cancelled_read_ends_within_the_file() {
        struct Endless<'p>(&'p Progress, usize);
        impl io::Read for Endless<'_> {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                self.1 += buffer.len();
                if self.1 > 3 * usize::try_from(PORTION).unwrap() {
                    self.0.cancel();
                }
                Ok(buffer.len())
            }
        }
        let progress = Progress::default();
        let mut bytes = Vec::new();
        let read = read_in_portions(Endless(&progress, 0), &mut bytes, &progress);
        assert!(read.is_err());
        assert!(bytes.len() <= 5 * usize::try_from(PORTION).unwrap());
    }
}
