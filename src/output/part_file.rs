//! A file that gets its name once it is whole: until then it lies beside its place under a name of its own, and goes away
//! if nobody finishes it. What goes to a pipe, or to standard output, waits in memory until it is whole.

use std::{
    cell::RefCell,
    fs::{self, File, OpenOptions, Permissions},
    io::{self, BufWriter, Cursor, IsTerminal as _, Seek, SeekFrom, Write},
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

    fn abandon(&self, part: &Path) {
        let _ = fs::remove_file(part);
        self.forget(part);
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

/// A file on its way. Clones of its `FileSink` write to it.
#[derive(Debug)]
pub struct PartFile {
    target: PathBuf,
    /// None if the target is no regular file, such as a pipe.
    part: Option<PathBuf>,
    sink: FileSink,
}

impl PartFile {
    /// Begins what will be `target`. A link is followed: what it points to will be the file. A file that is replaced keeps its
    /// permissions, and must be one that may be written to. `-` is standard output.
    pub fn create(target: &Path) -> anyhow::Result<Self> {
        Self::begin(target).with_context(|| cannot_be_written(target))
    }

    fn begin(target: &Path) -> io::Result<Self> {
        if target.is_dir() {
            return Err(io::Error::other("it is a folder"));
        }
        if !is_regular(target) {
            return Ok(Self {
                target: target.to_owned(),
                part: None,
                sink: FileSink::new(Out::Memory(Cursor::default())),
            });
        }
        let target = follow_links(target)?;
        let replaced = permissions_of(&target)?;
        let begun = UNFINISHED.begin(&target);
        let (part, file) = begun.map_err(|error| folder_fault(&target, error))?;
        if let Some(Err(error)) = replaced.map(|permissions| file.set_permissions(permissions)) {
            // Some file systems have none.
            log::debug!("{}: {error}", target.display());
        }
        Ok(Self {
            target,
            part: Some(part),
            sink: FileSink::new(Out::File(BufWriter::new(file))),
        })
    }

    /// What writes to it.
    pub fn sink(&self) -> FileSink {
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
            None => self.sink.pass_on(&self.target),
        });
        named.with_context(|| cannot_be_written(&self.target))
    }
}

/// Fails if [`PartFile::create`] would, or if nobody wants what is written there: before it is made, which may take long.
pub fn check_writable(target: &Path) -> anyhow::Result<()> {
    if is_stdout(target) && io::stdout().is_terminal() {
        let error = anyhow::anyhow!("it is a terminal: send it to a file or to another program");
        return Err(error.context(cannot_be_written(target)));
    }
    PartFile::create(target).map(drop)
}

/// Fails if [`PartFile::create`] would for all files of a folder.
pub fn check_folder_writable(folder: &Path) -> anyhow::Result<()> {
    // Parts are named by themselves.
    let target = folder.join(".rigscope");
    let begun = UNFINISHED.begin(&target);
    let begun = begun.map_err(|error| folder_fault(&target, error));
    let (part, file) = begun.with_context(|| cannot_be_written(folder))?;
    drop(file);
    UNFINISHED.abandon(&part);
    Ok(())
}

fn cannot_be_written(target: &Path) -> String {
    if is_stdout(target) {
        "standard output cannot be written".to_owned()
    } else {
        format!("{} cannot be written", target.display())
    }
}

fn is_stdout(target: &Path) -> bool {
    target == Path::new("-")
}

/// Whether there is a file, or can be one.
fn is_regular(target: &Path) -> bool {
    !is_stdout(target) && fs::metadata(target).map_or(true, |data| data.is_file())
}

/// Where links lead, also if nothing is there yet.
fn follow_links(target: &Path) -> io::Result<PathBuf> {
    if let Ok(found) = fs::canonicalize(target) {
        return Ok(found);
    }
    let mut path = target.to_owned();
    // As many as Linux follows.
    for _ in 0..40 {
        match fs::read_link(&path) {
            Ok(next) => path = path.parent().unwrap_or(Path::new("")).join(next),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("its links lead nowhere"))
}

/// Why nothing can be written beside a target: its folder may be missing, which no system's words say.
fn folder_fault(target: &Path, error: io::Error) -> io::Error {
    let folder = target.parent().filter(|folder| !folder.exists());
    match folder {
        Some(folder) if error.kind() == io::ErrorKind::NotFound => {
            let message = format!("there is no folder {}", folder.display());
            io::Error::new(io::ErrorKind::NotFound, message)
        }
        _ => error,
    }
}

/// The permissions of a file, if it is there. Fails if it must not be written to.
fn permissions_of(file: &Path) -> io::Result<Option<Permissions>> {
    match OpenOptions::new().write(true).open(file) {
        Ok(file) => Ok(Some(file.metadata()?.permissions())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

impl Drop for PartFile {
    fn drop(&mut self) {
        if let Some(part) = self.part.take() {
            UNFINISHED.abandon(&part);
        }
    }
}

/// Writes a file as a whole: what was there before stays until all of it is written.
pub fn write_whole(target: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let part = PartFile::create(target)?;
    let written = part.sink().write_all(bytes);
    written.with_context(|| cannot_be_written(target))?;
    part.finish()
}

fn part_name(number: u32) -> String {
    format!(".rigscope-{}-{number}.part", std::process::id())
}

/// Writes to a [`PartFile`]; a clone goes on where the others have come to.
#[derive(Debug, Clone)]
pub struct FileSink(Rc<RefCell<Out>>);

#[derive(Debug)]
enum Out {
    File(BufWriter<File>),
    Memory(Cursor<Vec<u8>>),
}

impl FileSink {
    fn new(out: Out) -> Self {
        Self(Rc::new(RefCell::new(out)))
    }

    /// Writes over what was written before.
    pub fn write_over(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let mut out = self.0.borrow_mut();
        out.seek(SeekFrom::Start(offset))?;
        out.write_all(bytes)?;
        out.seek(SeekFrom::End(0)).map(drop)
    }

    /// Writes to its target what has waited in memory.
    fn pass_on(&self, target: &Path) -> io::Result<()> {
        let Out::Memory(bytes) = &*self.0.borrow() else {
            return Ok(());
        };
        if !is_stdout(target) {
            let mut file = OpenOptions::new().write(true).open(target)?;
            return file.write_all(bytes.get_ref());
        }
        let mut stdout = io::stdout().lock();
        match stdout
            .write_all(bytes.get_ref())
            .and_then(|()| stdout.flush())
        {
            // Who reads it has seen enough.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            written => written,
        }
    }
}

impl Write for FileSink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.borrow_mut().flush()
    }
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.write(bytes),
            Self::Memory(memory) => memory.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::File(file) => file.flush(),
            Self::Memory(_) => Ok(()),
        }
    }
}

impl Seek for Out {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match self {
            Self::File(file) => file.seek(to),
            Self::Memory(memory) => memory.seek(to),
        }
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
        let error = format!("{error:#}");
        let said = format!("there is no folder {}", folder.join("none").display());
        assert!(error.contains("cannot be written"), "{error}");
        assert!(error.ends_with(&said), "{error}");
        // It is named itself, and not what would be in it.
        check_folder_writable(&folder).unwrap();
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
        // Whatever is there, of whatever name.
        fs::create_dir(folder.join(".rigscope")).unwrap();
        check_folder_writable(&folder).unwrap();
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        let error = check_folder_writable(&folder.join("none")).unwrap_err();
        let named = format!("{} cannot be written", folder.join("none").display());
        assert_eq!(error.to_string(), named);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_is_replaced_keeps_its_mode_and_its_links() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};

        let folder = folder("part-mode");
        fs::create_dir(folder.join("far")).unwrap();
        let (file, link) = (folder.join("far/out.bin"), folder.join("link.bin"));
        symlink("far/second", &link).unwrap();
        symlink("out.bin", folder.join("far/second")).unwrap();
        // Links may lead to what is not there yet.
        write_whole(&link, b"first").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"first");
        let mode = |mode: u32| fs::set_permissions(&file, Permissions::from_mode(mode)).unwrap();
        for kept in [0o600, 0o664] {
            mode(kept);
            write_whole(&link, b"next").unwrap();
            let found = fs::metadata(&file).unwrap().permissions().mode();
            assert_eq!(found & 0o7777, kept, "{found:o}");
        }
        assert_eq!(fs::read(&file).unwrap(), b"next");
        assert_eq!(fs::read_link(&link).unwrap(), Path::new("far/second"));
        assert_eq!(fs::read_dir(folder.join("far")).unwrap().count(), 2);
        mode(0o444);
        let is_protected = OpenOptions::new().write(true).open(&file).is_err();
        assert_eq!(write_whole(&link, b"never").is_err(), is_protected);
        symlink("circle", folder.join("circle")).unwrap();
        assert!(write_whole(&folder.join("circle"), b"never").is_err());
        fs::remove_dir_all(&folder).unwrap();
    }

    /// What is written over in the end is written in one piece.
    #[cfg(unix)]
    #[test]
    fn what_goes_to_a_pipe_waits_until_it_is_whole() {
        use std::{io::Read as _, os::fd::AsRawFd as _};

        let (mut reader, writer) = io::pipe().unwrap();
        let target = PathBuf::from(format!("/dev/fd/{}", writer.as_raw_fd()));
        let file = PartFile::create(&target).unwrap();
        file.sink().write_all(b"0123").unwrap();
        file.sink().write_over(1, b"ab").unwrap();
        file.finish().unwrap();
        drop(writer);
        let mut read = Vec::new();
        reader.read_to_end(&mut read).unwrap();
        assert_eq!(read, b"0ab3");
    }
}
