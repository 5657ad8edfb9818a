//! A part of an open file, of which only what is asked for is read: the binary chunk of a large file would else lie in
//! memory beside all that is made of it.

use std::{
    fs::File,
    sync::{Mutex, PoisonError},
};

use crate::import::base::diagnostics::Fault;

/// What is smaller, and follows what was read before, is read together with what comes after it: files with animations
/// have thousands of small views in a row.
const SMALL: usize = 1 << 14;
/// As much is read ahead at most. It is twice as much as before where that was used up, and else begins with [`SMALL`]: a
/// file whose views lie in no order must not have its bytes read a hundred times.
const BLOCK: usize = 1 << 17;
/// The most bytes of padding between two views in a row.
const PADDING: usize = 16;

/// A part of a file that lies there as a whole when this is made.
#[derive(Debug)]
pub(in crate::import) struct FileRange {
    file: File,
    start: u64,
    length: usize,
    ahead: Mutex<Ahead>,
    /// What parts were brought to last time: new memory each time would take longer than to read them.
    spare: Mutex<Vec<u8>>,
}

/// What was read ahead.
#[derive(Debug)]
struct Ahead {
    start: usize,
    bytes: Vec<u8>,
    /// The end of what was asked for last.
    asked: usize,
}

impl FileRange {
    pub(super) fn new(file: File, start: u64, length: usize) -> Self {
        Self {
            file,
            start,
            length,
            ahead: Mutex::new(Ahead {
                start: 0,
                bytes: Vec::new(),
                // Most images have only their first bytes read like this.
                asked: usize::MAX,
            }),
            spare: Mutex::default(),
        }
    }

    pub(in crate::import) fn len(&self) -> usize {
        self.length
    }

    /// Fills `bytes` with those from `offset` on. It fails if the file has been cut meanwhile.
    pub(in crate::import) fn read(&self, offset: usize, bytes: &mut [u8]) -> Result<(), Fault> {
        if bytes.len() >= SMALL {
            return self.read_at(offset, bytes);
        }
        let mut ahead = self.ahead.lock().unwrap_or_else(PoisonError::into_inner);
        match self.ahead(&mut ahead, offset, bytes.len())? {
            Some(found) => bytes.copy_from_slice(found),
            None => return self.read_at(offset, bytes),
        }
        Ok(())
    }

    /// Calls `each` with some bytes where they lie, if they are few and were read ahead; says whether it did.
    pub(in crate::import) fn read_few(
        &self,
        offset: usize,
        length: usize,
        each: impl FnOnce(&[u8]),
    ) -> Result<bool, Fault> {
        if length == 0 || length >= SMALL {
            return Ok(false);
        }
        // Nobody waits here for who reads something else, nor for himself.
        let Ok(mut ahead) = self.ahead.try_lock() else {
            return Ok(false);
        };
        let found = self.ahead(&mut ahead, offset, length)?;
        let is_found = found.is_some();
        if let Some(found) = found {
            each(found);
        };
        Ok(is_found)
    }

    /// The bytes from `offset` on, if they were read ahead, or are now since they follow what was asked for before.
    fn ahead<'a>(
        &self,
        ahead: &'a mut Ahead,
        offset: usize,
        length: usize,
    ) -> Result<Option<&'a [u8]>, Fault> {
        let end = offset.checked_add(length).ok_or_else(cut)?;
        let before = std::mem::replace(&mut ahead.asked, end);
        let is_ahead =
            offset >= ahead.start && end <= ahead.start.saturating_add(ahead.bytes.len());
        if !is_ahead {
            let is_next = (before..=before.saturating_add(PADDING)).contains(&offset);
            if !is_next {
                return Ok(None);
            }
            let mut read = std::mem::take(&mut ahead.bytes);
            let unused = ahead.start.saturating_add(read.len()).checked_sub(before);
            // What the end of the file made shorter may be shorter than what is wanted now.
            let most = match unused {
                Some(unused) if unused < SMALL => read.len().saturating_mul(2).clamp(SMALL, BLOCK),
                _ => SMALL,
            };
            read.resize(self.length.saturating_sub(offset).min(most), 0);
            self.read_at(offset, &mut read)?;
            (ahead.start, ahead.bytes) = (offset, read);
        }
        let from = offset.checked_sub(ahead.start).ok_or_else(cut)?;
        let found = ahead.bytes.get(from..).and_then(|rest| rest.get(..length));
        found.map(Some).ok_or_else(cut)
    }

    /// Memory that parts were brought to before, if nobody else has it.
    pub(in crate::import) fn take_spare(&self) -> Vec<u8> {
        let mut spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut spare)
    }

    /// Keeps it for the next time.
    pub(in crate::import) fn give_spare(&self, bytes: Vec<u8>) {
        *self.spare.lock().unwrap_or_else(PoisonError::into_inner) = bytes;
    }

    #[cfg(unix)]
    fn read_at(&self, offset: usize, bytes: &mut [u8]) -> Result<(), Fault> {
        use std::os::unix::fs::FileExt as _;
        let offset = u64::try_from(offset).map_err(|_| cut())?;
        let place = self.start.checked_add(offset).ok_or_else(cut)?;
        let read = self.file.read_exact_at(bytes, place);
        read.map_err(|error| Fault::new("IO_ERROR", format!("the file cannot be read: {error}")))
    }

    /// None is made there.
    #[cfg(not(unix))]
    fn read_at(&self, _: usize, _: &mut [u8]) -> Result<(), Fault> {
        Err(cut())
    }
}

fn cut() -> Fault {
    Fault::new("IO_ERROR", "the file is shorter than it was")
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// A file of its own for each test, with the bytes that it holds.
    fn numbers(name: &str, count: u32) -> (std::path::PathBuf, Vec<u8>) {
        let name = format!("rigscope-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let whole: Vec<u8> = (0..count).flat_map(u32::to_le_bytes).collect();
        std::fs::write(&path, &whole).unwrap();
        (path, whole)
    }

    /// The last part of a file first, and then a longer one just before it: of a block that the end of the file has made
    /// short, the next one is no multiple.
    #[test]
    fn parts_may_be_longer_than_what_was_read_ahead() {
        let (path, whole) = numbers("tail", 19_000);
        let range = FileRange::new(File::open(&path).unwrap(), 0, whole.len());
        for (offset, count) in [(74_400, 360), (74_760, 360), (60_000, 7200), (67_200, 7200)] {
            let mut bytes = vec![0; count];
            range.read(offset, &mut bytes).unwrap();
            assert!(bytes == whole[offset..][..count], "{offset} {count}");
        }
        std::fs::remove_file(&path).unwrap();
    }

    /// As exporters write views: some in a row, of all lengths, and then some elsewhere.
    #[test]
    fn parts_are_read_in_any_order_and_of_any_length() {
        let (path, whole) = numbers("any", 40_000);
        let mut state = 1_u64;
        let mut below = |limit: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) as usize % limit
        };
        for _ in 0..2000 {
            let length = SMALL + below(whole.len() - SMALL);
            let range = FileRange::new(File::open(&path).unwrap(), 0, length);
            let mut offset = 0;
            for _ in 0..20 {
                if below(3) == 0 {
                    offset = below(length);
                }
                let longest = [8, 600, SMALL][below(3)];
                let count = below(longest).min(length - offset);
                let mut bytes = vec![0; count];
                range.read(offset, &mut bytes).unwrap();
                assert!(
                    bytes == whole[offset..][..count],
                    "{offset} {count} of {length}"
                );
                offset = (offset + count + below(PADDING)).min(length);
            }
        }
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn reads_what_is_there_in_any_order() {
        let (path, whole) = numbers("range", 3_000_000);
        let length = whole.len() - 100;
        let range = FileRange::new(File::open(&path).unwrap(), 100, length);
        for (offset, count) in [
            (0, 4),
            (4, 8),
            (14, 100),
            (BLOCK - 2, 5),
            (BLOCK + 4, 5),
            (BLOCK + 9, SMALL - 1),
            (5, 1),
            (7, SMALL + 1),
            (length - 3, 3),
            (length, 0),
            (length - SMALL * 2, SMALL * 2),
        ] {
            let mut bytes = vec![0; count];
            range.read(offset, &mut bytes).unwrap();
            assert!(bytes == whole[100 + offset..][..count], "{offset} {count}");
        }
        let mut bytes = vec![0; 4];
        assert!(range.read(length - 2, &mut bytes).is_err());
        assert!(range.read(usize::MAX, &mut bytes).is_err());
        std::fs::write(&path, "short").unwrap();
        assert!(range.read(2 * BLOCK, &mut bytes).is_err());
        std::fs::remove_file(&path).unwrap();
    }
}
