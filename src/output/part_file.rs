//! A file that gets its name once it is whole: until then it lies beside its place under a name of its own, and goes away
//! if nobody finishes it.

use std::{
    cell::RefCell,
    fs::{self, File, OpenOptions},
    io::{self, BufWriter, Seek as _, SeekFrom, Write},
    path::{Path, PathBuf},
    rc::Rc,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
};

use anyhow::Context as _;

/// What is being written now, for [`remove_unfinished`].
static UNFINISHED: Unfinished = Unfinished::new();
/// Tells apart what one process writes.
static NEXT: AtomicU32 = AtomicU32::new(0);

/// Removes what is half written, and lets nothing more begin: for a process that ends at once.
pub fn remove_unfinished() {
    UNFINISHED.end();
}

/// Files that have no name yet.
#[derive(Debug)]
struct Unfinished(Mutex<Parts>);

#[derive(Debug)]
struct Parts {
    paths: Vec<PathBuf>,
    /// The process ends: a file that began now would stay half written.
    is_over: bool,
}

impl Unfinished {
    const fn new() -> Self {
        Self(Mutex::new(Parts {
            paths: Vec::new(),
            is_over: false,
        }))
    }

    fn parts(&self) -> MutexGuard<'_, Parts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn end(&self) {
        let mut parts = self.parts();
        parts.is_over = true;
        for path in parts.paths.drain(..) {
            // What is gone already is as it should be.
            let _ = fs::remove_file(path);
        }
    }

    fn forget(&self, part: &Path) {
        self.parts().paths.retain(|path| path != part);
    }

    /// Makes the part of a file. Nothing ends between its making and its being known.
    fn begin(&self, target: &Path) -> io::Result<(PathBuf, File)> {
        let mut parts = self.parts();
        if parts.is_over {
            return Err(io::Error::other("the program is about to end"));
        }
        loop {
            let part = target.with_file_name(part_name(NEXT.fetch_add(1, Ordering::Relaxed)));
            match OpenOptions::new().write(true).create_new(true).open(&part) {
                Ok(file) => {
                    parts.paths.push(part.clone());
                    return Ok((part, file));
                }
                // A process of the same number that was killed has left it.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }
}

/// A file on its way. Clones of its `Sink` write to it.
#[derive(Debug)]
pub struct PartFile {
    target: PathBuf,
    /// None if the target is no regular file, such as a pipe, and is written to at once.
    part: Option<PathBuf>,
    sink: Sink,
}

impl PartFile {
    /// Begins what will be `target`. A link is followed: what it points to will be the file.
    pub fn create(target: &Path) -> anyhow::Result<Self> {
        Self::begin(target).with_context(|| format!("{} cannot be written", target.display()))
    }

    fn begin(target: &Path) -> io::Result<Self> {
        let is_special = |data: &fs::Metadata| !data.is_file() && !data.is_dir();
        if fs::metadata(target).is_ok_and(|data| is_special(&data)) {
            let file = OpenOptions::new().write(true).open(target)?;
            return Ok(Self {
                target: target.to_owned(),
                part: None,
                sink: Sink::new(file),
            });
        }
        if target.is_dir() {
            return Err(io::Error::other("it is a folder"));
        }
        let target = fs::canonicalize(target).unwrap_or_else(|_| target.to_owned());
        let (part, file) = UNFINISHED.begin(&target)?;
        Ok(Self {
            target,
            part: Some(part),
            sink: Sink::new(file),
        })
    }

    /// What writes to it.
    pub fn sink(&self) -> Sink {
        self.sink.clone()
    }

    /// Gives the file its name; what had it before is replaced.
    pub fn finish(mut self) -> anyhow::Result<()> {
        let flushed = self.sink.flush();
        let named = flushed.and_then(|()| match self.part.take() {
            Some(part) => {
                let renamed = fs::rename(&part, &self.target);
                if renamed.is_err() {
                    let _ = fs::remove_file(&part);
                }
                UNFINISHED.forget(&part);
                renamed
            }
            None => Ok(()),
        });
        named.with_context(|| format!("{} cannot be written", self.target.display()))
    }
}

impl Drop for PartFile {
    fn drop(&mut self) {
        if let Some(part) = self.part.take() {
            let _ = fs::remove_file(&part);
            UNFINISHED.forget(&part);
        }
    }
}

/// Writes a file as a whole: what was there before stays until all of it is written.
pub fn write_whole(target: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let part = PartFile::create(target)?;
    let written = part.sink().write_all(bytes);
    written.with_context(|| format!("{} cannot be written", target.display()))?;
    part.finish()
}

fn part_name(number: u32) -> String {
    format!(".rigscope-{}-{number}.part", std::process::id())
}

/// Writes to a [`PartFile`]; a clone goes on where the others have come to.
#[derive(Debug, Clone)]
pub struct Sink(Rc<RefCell<BufWriter<File>>>);

impl Sink {
    fn new(file: File) -> Self {
        Self(Rc::new(RefCell::new(BufWriter::new(file))))
    }

    /// Writes over what was written before.
    pub fn write_over(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let mut writer = self.0.borrow_mut();
        writer.seek(SeekFrom::Start(offset))?;
        writer.write_all(bytes)?;
        writer.seek(SeekFrom::End(0)).map(drop)
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.borrow_mut().flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("rigscope-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn a_file_is_there_once_it_is_whole_and_else_not_at_all() {
        let folder = folder("part");
        let target = folder.join("out.bin");
        fs::write(&target, "before").unwrap();
        let abandoned = PartFile::create(&target).unwrap();
        abandoned.sink().write_all(b"half").unwrap();
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
        drop(abandoned);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        assert_eq!(fs::read(&target).unwrap(), b"before");
        let whole = PartFile::create(&target).unwrap();
        let mut sink = whole.sink();
        sink.write_all(b"0123456789").unwrap();
        sink.write_over(2, b"ab").unwrap();
        sink.write_all(b"x").unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"before");
        whole.finish().unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"01ab456789x");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn what_another_process_has_left_is_not_touched() {
        let folder = folder("part-left");
        let next = NEXT.load(Ordering::Relaxed);
        // Other tests take numbers, too.
        for number in next..next + 50 {
            fs::write(folder.join(part_name(number)), "left").unwrap();
        }
        let file = PartFile::create(&folder.join("out.bin")).unwrap();
        file.finish().unwrap();
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 51);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn nothing_begins_once_the_end_has_begun() {
        let folder = folder("part-end");
        let unfinished = Unfinished::new();
        let target = folder.join("out.bin");
        let (part, _file) = unfinished.begin(&target).unwrap();
        assert!(part.exists());
        unfinished.end();
        assert!(unfinished.begin(&target).is_err());
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_folder_is_not_written_over() {
        let folder = folder("part-folder");
        let error = PartFile::create(&folder).unwrap_err();
        assert!(format!("{error:#}").contains("folder"), "{error:#}");
        let error = PartFile::create(&folder.join("none/x.png")).unwrap_err();
        assert!(
            format!("{error:#}").contains("cannot be written"),
            "{error:#}"
        );
        fs::remove_dir_all(&folder).unwrap();
    }
}
